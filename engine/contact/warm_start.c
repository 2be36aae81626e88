#include "contact/warm_start.h"

#include "base/memory.h"
#include "base/vec3.h"
#include "contact/collider_near.h"
#include "geometry/distance_near.h"
#include "solver/rigid_motion.h"

#include <string.h>

#define ENOUGH 1e-3 // change of a factor that ends the iteration
enum { MAX_ITERATIONS = 128 };
enum { LOW = 5 }; // bodies one on another, up to which impulses carry over as they are

// --- bodies ---------------------------------------------------------------------------------------------------------

// Finds the bodies that move freely, once: contacts are made anew with each new system. Returns false without memory.
static bool find_bodies(tide_contacts *c)
{
    tide_warm_start *w = &c->warm_start;
    tide_rigid_sets sets = { 0 };
    tide_error error;
    if (tide_rigid_sets_make(c->step->system, &sets, &error) != TIDE_OK)
        return false;
    w->body_count = sets.count;
    w->masses = tide_own_zeroed(c, sets.count, sizeof *w->masses);
    w->motions = tide_own_zeroed(c, sets.count, 3 * sizeof *w->motions);
    w->velocities = tide_own_zeroed(c, sets.count, 3 * sizeof *w->velocities);
    w->loads = tide_own_zeroed(c, sets.count, sizeof *w->loads);
    w->first = tide_own_zeroed(c, sets.count, sizeof *w->first);
    w->heights = tide_own_zeroed(c, sets.count, sizeof *w->heights);
    w->path = tide_own_zeroed(c, sets.count, sizeof *w->path);
    uint32_t *body_of = tide_own_zeroed(c, c->particle_count, sizeof *body_of);
    if (tide_owns_all(c)) {
        memset(body_of, 0xff, c->particle_count * sizeof *body_of);
        for (uint32_t b = 0; b < sets.count; b++)
            for (uint32_t n = sets.start[b]; n < sets.start[b + 1]; n++) {
                body_of[sets.particles[n]] = b;
                w->masses[b] += c->step->system->masses[sets.particles[n]];
            }
        w->body_of = body_of;
    }
    tide_rigid_sets_free(&sets);
    return w->body_of;
}

static void find_motions(tide_contacts *c, const double *y)
{
    tide_warm_start *w = &c->warm_start;
    memset(w->motions, 0, 3 * (size_t)w->body_count * sizeof *w->motions);
    for (uint32_t p = 0; p < c->particle_count; p++)
        if (w->body_of[p] != TIDE_HELD)
            for (size_t k = 0; k < 3; k++)
                w->motions[3 * (size_t)w->body_of[p] + k] +=
                    c->step->system->masses[p] * (y[3 * (size_t)p + k] - c->step->q[3 * (size_t)p + k]);
    for (uint32_t b = 0; b < w->body_count; b++)
        for (size_t k = 0; k < 3; k++)
            w->motions[3 * (size_t)b + k] /= w->masses[b];
}

// --- groups ---------------------------------------------------------------------------------------------------------

// Returns the side that a point belongs to: a free body or, after these, a part.
static uint32_t side_of(const tide_contacts *c, uint32_t point)
{
    uint32_t particles[TIDE_BEARERS], body = TIDE_HELD;
    double shares[TIDE_BEARERS];
    if (tide_contact_bearers(c, point, particles, shares) > 0)
        body = c->warm_start.body_of[particles[0]];
    return body != TIDE_HELD ? body : c->warm_start.body_count + c->surface->part_of[point];
}

// The product of an impulse and the motion of a point that is held.
static double work_on(const tide_contacts *c, uint32_t point, const double impulse[3])
{
    double by[3], work = 0;
    if (point < c->moving_count)
        tide_contact_place(c, c->step->velocity, point, by);
    for (size_t k = 0, n = 3 * (size_t)point; k < 3; k++, n++)
        work += impulse[k] * (point < c->moving_count ? c->step->h * by[k] : c->to[n] - c->from[n]);
    return work;
}

// Finds the group of a free body and another side, or adds it. Returns TIDE_NO_GROUP without memory.
static uint32_t group_between(tide_contacts *c, uint32_t body, uint32_t other)
{
    tide_warm_start *w = &c->warm_start;
    for (uint32_t e = w->first[body], next; e != TIDE_NO_GROUP; e = next) {
        int end = w->groups[e].sides[0] == body ? 0 : 1;
        if (w->groups[e].sides[1 - end] == other)
            return e;
        next = w->groups[e].next[end];
    }
    if (!tide_grow_owned(c, &w->groups, &w->group_capacity, w->group_count + 1, sizeof *w->groups)) {
        c->out_of_memory = true;
        return TIDE_NO_GROUP;
    }
    uint32_t e = (uint32_t)w->group_count++;
    w->groups[e] = (tide_contact_group) {
        .sides = { body, other }, .next = { w->first[body], TIDE_NO_GROUP }, .factor = 1, .old = 1
    };
    w->first[body] = e;
    if (other < w->body_count) {
        w->groups[e].next[1] = w->first[other];
        w->first[other] = e;
    }
    return e;
}

static void add_impulse(tide_contact_group *group, double sign, const double impulse[3], double held)
{
    for (int k = 0; k < 3; k++)
        group->impulse[k] += sign * impulse[k];
    group->held += held;
}

static uint32_t add_collider_contact(tide_contacts *c, const tide_contact_constraint *t)
{
    uint32_t point = t->points[0], body = side_of(c, point);
    if (tide_contact_is_idle(&t->kept) || body >= c->warm_start.body_count)
        return TIDE_NO_GROUP;
    uint32_t e = group_between(c, body, c->warm_start.body_count + c->surface->part_count + t->collider);
    if (e == TIDE_NO_GROUP)
        return e;
    const tide_collider *collider = c->colliders[t->collider];
    const tide_collider_path *path = &c->near->paths[t->collider];
    double mass = 1 / c->surface->inverse_masses[point], impulse[3], motion[3] = { 0 }, held = 0;
    if (collider->moving)
        tide_collider_motion_in(collider, &path->from, &path->to, c->from + 3 * (size_t)point, TIDE_NO_HINT, motion);
    for (int k = 0; k < 3; k++) {
        impulse[k] = mass * t->kept.accumulated[k];
        held -= impulse[k] * motion[k];
    }
    add_impulse(&c->warm_start.groups[e], 1, impulse, held);
    return e;
}

static uint32_t add_pair(tide_contacts *c, const tide_contact_constraint *t)
{
    const tide_warm_start *w = &c->warm_start;
    uint32_t a = side_of(c, t->points[0]), b = side_of(c, tide_pair_other(t->kind, t->points));
    if (tide_contact_is_idle(&t->kept) || a == b || (a >= w->body_count && b >= w->body_count))
        return TIDE_NO_GROUP;
    uint32_t e = group_between(c, a < w->body_count ? a : b, a < w->body_count ? b : a);
    if (e == TIDE_NO_GROUP)
        return e;
    double held = 0;
    int second = t->kind == TIDE_PAIR_EDGES ? 2 : 1;
    for (int i = 0; i < tide_contact_corners(t->kind); i++)
        if ((i < second ? a : b) >= w->body_count)
            held += t->weights[i] * work_on(c, t->points[i], t->kept.accumulated);
    add_impulse(&w->groups[e], w->groups[e].sides[0] == a ? 1 : -1, t->kept.accumulated, held);
    return e;
}

// Returns false without memory.
static bool find_groups(tide_contacts *c)
{
    tide_warm_start *w = &c->warm_start;
    if (!tide_grow_owned(c, &w->group_of, &w->contact_capacity, c->list.count, sizeof *w->group_of))
        return false;
    w->group_count = 0;
    memset(w->first, 0xff, w->body_count * sizeof *w->first);
    for (size_t i = 0; i < c->list.count; i++) {
        const tide_contact_constraint *t = &c->list.items[i];
        w->group_of[i] = tide_contact_is_pair(t) ? add_pair(c, t) : add_collider_contact(c, t);
    }
    return true;
}

static double size_of(const tide_contact_group *group)
{
    return tide_vec3_length(tide_vec3_load(group->impulse));
}

static void find_row_sums(tide_warm_start *w)
{
    memset(w->loads, 0, w->body_count * sizeof *w->loads);
    for (size_t e = 0; e < w->group_count; e++)
        for (int end = 0; end < 2; end++)
            if (w->groups[e].sides[end] < w->body_count)
                w->loads[w->groups[e].sides[end]] += size_of(&w->groups[e]);
    for (size_t e = 0; e < w->group_count; e++) {
        tide_contact_group *group = &w->groups[e];
        group->row_sum = 0;
        for (int end = 0; end < 2; end++)
            if (group->sides[end] < w->body_count)
                group->row_sum += size_of(group) * w->loads[group->sides[end]] / w->masses[group->sides[end]];
    }
}

// Returns the side on which a body rests: that pushes most against its motion without contact. TIDE_HELD: none.
static uint32_t support_of(const tide_warm_start *w, uint32_t body)
{
    double most = 0;
    uint32_t side = TIDE_HELD;
    for (uint32_t e = w->first[body], next; e != TIDE_NO_GROUP; e = next) {
        const tide_contact_group *group = &w->groups[e];
        int end = group->sides[0] == body ? 0 : 1;
        double along = 0;
        for (size_t k = 0; k < 3; k++)
            along += (end ? 1 : -1) * group->impulse[k] * w->motions[3 * (size_t)body + k];
        next = group->next[end];
        if (!(along > most))
            continue;
        most = along;
        side = group->sides[1 - end];
    }
    return side;
}

// Returns the number of bodies in the highest stack. `path` lists bodies from b down to the first side whose height is
// known.
static uint32_t find_height(tide_warm_start *w)
{
    uint32_t highest = 0;
    memset(w->heights, 0, w->body_count * sizeof *w->heights);
    for (uint32_t b = 0; b < w->body_count; b++) {
        uint32_t count = 0, side = b;
        while (side < w->body_count && w->heights[side] == 0) {
            w->heights[side] = 1; // also ends a circle of bodies
            w->path[count++] = side;
            side = support_of(w, side);
        }
        uint32_t height = side < w->body_count ? w->heights[side] : 0;
        while (count > 0)
            w->heights[w->path[--count]] = ++height;
        highest = height > highest ? height : highest;
    }
    return highest;
}

// --- factors --------------------------------------------------------------------------------------------------------

static void find_velocities(tide_warm_start *w)
{
    memcpy(w->velocities, w->motions, 3 * (size_t)w->body_count * sizeof *w->velocities);
    for (size_t e = 0; e < w->group_count; e++) {
        const tide_contact_group *group = &w->groups[e];
        for (int end = 0; end < 2; end++) {
            uint32_t b = group->sides[end];
            for (size_t k = 0; k < 3 && b < w->body_count; k++)
                w->velocities[3 * (size_t)b + k] += (end ? -1 : 1) * group->factor * group->impulse[k] / w->masses[b];
        }
    }
}

static double slope_of(const tide_warm_start *w, const tide_contact_group *group)
{
    double slope = group->held;
    for (int end = 0; end < 2; end++)
        for (size_t k = 0; k < 3 && group->sides[end] < w->body_count; k++)
            slope += (end ? -1 : 1) * group->impulse[k] * w->velocities[3 * (size_t)group->sides[end] + k];
    return slope;
}

// One step of projected gradients, from factors that run ahead. Returns the largest change of a factor; sets *uphill
// where the last steps lead up.
static double take_step(tide_warm_start *w, double ahead, bool *uphill)
{
    double largest = 0, along = 0;
    find_velocities(w);
    for (size_t e = 0; e < w->group_count; e++) {
        tide_contact_group *group = &w->groups[e];
        if (!(group->row_sum > 0))
            continue;
        double from = group->factor, to = from - slope_of(w, group) / group->row_sum;
        to = to < 0 ? 0 : to > 1 ? 1 : to;
        largest = fmax(largest, fabs(to - group->old));
        along += group->row_sum * (from - to) * (to - group->old);
        group->factor = to + ahead * (to - group->old);
        group->old = to;
    }
    *uphill = along > 0;
    return largest;
}

static void find_factors(tide_warm_start *w)
{
    double change = 1, since = 0;
    bool uphill = false;
    for (int i = 0; i < MAX_ITERATIONS && change > ENOUGH; i++) {
        since = uphill ? 0 : since + 1;
        change = take_step(w, since / (since + 3), &uphill);
    }
}

void tide_warm_start_reduce(tide_contacts *c, const double *y)
{
    tide_warm_start *w = &c->warm_start;
    w->carried = 1;
    c->out_of_memory |= !w->body_of && !find_bodies(c);
    if (c->out_of_memory || w->body_count <= LOW)
        return;
    c->out_of_memory |= !find_groups(c);
    if (c->out_of_memory)
        return;
    find_motions(c, y);
    uint32_t height = find_height(w);
    if (height <= LOW)
        return;
    w->carried = LOW / (double)height;
    find_row_sums(w);
    find_factors(w);
    for (size_t i = 0; i < c->list.count; i++)
        for (int k = 0; k < 3 && w->group_of[i] != TIDE_NO_GROUP; k++)
            c->list.items[i].kept.accumulated[k] *= w->groups[w->group_of[i]].old;
}

// An impulse that has ended does not carry over.
static void carry(tide_contact_impulse *kept, double part)
{
    for (int k = 0; k < 3 && !tide_contact_is_idle(kept); k++)
        kept->accumulated[k] = kept->before[k] + part * (kept->accumulated[k] - kept->before[k]);
}

void tide_warm_start_end(tide_contacts *c)
{
    double part = c->warm_start.carried;
    for (size_t i = 0; i < c->list.count && part < 1; i++)
        carry(&c->list.items[i].kept, part);
}
