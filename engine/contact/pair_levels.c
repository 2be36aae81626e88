#include "contact/pair_levels.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "contact/contacts_state.h"

#include <string.h>

enum { GRAIN = 128 };

struct tide_pair_levels {
    uint32_t *of_particle; // (particle_count) the highest level of its contacts, 0: none
    uint32_t *of_contact;  // (taken) from 1 on
    uint32_t *order;       // (taken) contacts by level, then by index
    uint32_t *starts;      // (count + 2) of each level in `order`; that of level 0 is 0
    size_t contact_capacity, order_capacity, start_capacity;
    uint32_t particle_count, taken, count; // count: of levels
};

tide_pair_levels *tide_pair_levels_create(uint32_t particle_count)
{
    tide_pair_levels *p = tide_allocate_zeroed(1, sizeof *p);
    if (!p)
        return NULL;
    p->particle_count = particle_count;
    p->of_particle = tide_own_zeroed(p, particle_count, sizeof *p->of_particle);
    if (tide_owns_all(p))
        return p;
    tide_free(p);
    return NULL;
}

void tide_pair_levels_forget(tide_pair_levels *p)
{
    if (p)
        p->taken = 0;
}

// Contacts with colliders are not solved in levels, and have level 0.
static uint32_t find_level(tide_pair_levels *p, const tide_contact_constraint *t)
{
    uint32_t level = 0, corners = (uint32_t)tide_contact_corners(t->kind);
    if (!tide_contact_is_pair(t))
        return 0;
    for (uint32_t i = 0; i < corners; i++) {
        uint32_t of_point = p->of_particle[t->points[i]];
        level = of_point > level ? of_point : level;
    }
    level++;
    for (uint32_t i = 0; i < corners; i++)
        p->of_particle[t->points[i]] = level;
    return level;
}

// Sorts contacts by their levels (a counting sort).
static void sort(tide_pair_levels *p)
{
    memset(p->starts, 0, ((size_t)p->count + 2) * sizeof *p->starts);
    for (uint32_t i = 0; i < p->taken; i++)
        p->starts[p->of_contact[i] + 1]++;
    for (uint32_t level = 0; level <= p->count; level++)
        p->starts[level + 1] += p->starts[level];
    for (uint32_t i = 0; i < p->taken; i++)
        p->order[p->starts[p->of_contact[i]]++] = i;
    for (uint32_t level = p->count; level > 0; level--) // each start has become the next one
        p->starts[level] = p->starts[level - 1];
}

bool tide_pair_levels_take(tide_contacts *c)
{
    tide_pair_levels *p = c->levels;
    uint32_t count = (uint32_t)c->list.count;
    if (p->taken == count)
        return true;
    if (p->taken == 0) {
        memset(p->of_particle, 0, p->particle_count * sizeof *p->of_particle);
        p->count = 0;
    }
    if (!tide_grow_owned(p, &p->of_contact, &p->contact_capacity, count, sizeof *p->of_contact) ||
        !tide_grow_owned(p, &p->order, &p->order_capacity, count, sizeof *p->order) ||
        !tide_grow_owned(p, &p->starts, &p->start_capacity, (size_t)count + 2, sizeof *p->starts))
        return false;
    for (; p->taken < count; p->taken++) {
        uint32_t level = find_level(p, &c->list.items[p->taken]);
        p->of_contact[p->taken] = level;
        p->count = level > p->count ? level : p->count;
    }
    sort(p);
    return true;
}

typedef struct run {
    const uint32_t *order; // of the level
    tide_pair_level_solve *solve;
    void *context;
} run;

static double run_some(void *context, uint32_t begin, uint32_t end)
{
    const run *r = context;
    double most = 0;
    for (uint32_t i = begin; i < end; i++) {
        double moved = r->solve(r->context, r->order[i]);
        most = moved > most ? moved : most;
    }
    return most;
}

double tide_pair_levels_run(const tide_pair_levels *p, tide_pair_level_solve *solve, void *context)
{
    double most = 0;
    for (uint32_t level = 1; p->taken > 0 && level <= p->count; level++) {
        run r = { p->order + p->starts[level], solve, context };
        most = fmax(most, tide_parallel_most(p->starts[level + 1] - p->starts[level], GRAIN, run_some, &r));
    }
    return most;
}
