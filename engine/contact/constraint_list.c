// The list of contacts, and its links to what detection keeps.
#include "contact/collider_near.h"

#include "base/memory.h"

#include <string.h>

// --- adding ---------------------------------------------------------------------------------------------------------

tide_contact_constraint *tide_contact_list_add(tide_contacts *c, uint32_t kind, uint64_t key)
{
    tide_contact_list *list = &c->list;
    if (!tide_grow_owned(c, &list->items, &list->capacity, list->count + 1, sizeof *list->items)) {
        c->out_of_memory = true;
        return NULL;
    }
    tide_contact_constraint *t = &list->items[list->count++];
    *t = (tide_contact_constraint) { .kind = kind, .found = TIDE_NOT_FOUND, .kept = { .key = key } };
    list->pair_count += tide_contact_is_pair(t);
    return t;
}

static uint32_t *slot_of(const tide_contacts *c, const tide_collider_evaluation *e)
{
    return &c->near->slots[(size_t)e->point * c->collider_count + e->collider];
}

tide_collider_evaluation *tide_collider_contacts_add(tide_contacts *c, uint32_t collider, uint32_t point)
{
    tide_collider_near *near = c->near;
    if (!tide_grow_owned(near, &near->evaluations, &near->evaluation_capacity, near->evaluation_count + 1,
                         sizeof *near->evaluations)) {
        c->out_of_memory = true;
        return NULL;
    }
    uint64_t key = (uint64_t)collider * c->moving_count + point;
    tide_contact_constraint *t = tide_contact_list_add(c, TIDE_CONTACT_COLLIDER, key);
    if (!t)
        return NULL;
    t->points[0] = point;
    t->weights[0] = 1;
    t->collider = collider;
    t->found = (uint32_t)near->evaluation_count;
    tide_collider_evaluation *e = &near->evaluations[near->evaluation_count++];
    *e = (tide_collider_evaluation) {
        .point = point, .collider = collider, .contact = (uint32_t)c->list.count - 1, .own = { NAN }
    };
    uint32_t *slot = slot_of(c, e);
    near->slot_counts[point] += *slot == 0;
    tide_collider_near_limit(near, point, c->particle_count, -1);
    *slot = (uint32_t)near->evaluation_count;
    return e;
}

// --- removing -------------------------------------------------------------------------------------------------------

static void leave_slot(tide_contacts *c, const tide_collider_evaluation *e)
{
    uint32_t *slot = slot_of(c, e);
    c->near->slot_counts[e->point] -= *slot != 0;
    *slot = 0;
}

void tide_contact_list_clear(tide_contacts *c)
{
    for (size_t i = 0; i < c->near->evaluation_count; i++)
        leave_slot(c, &c->near->evaluations[i]);
    c->near->evaluation_count = c->list.count = c->list.pair_count = c->list.first = 0;
}

// Drops the evaluations of contacts without an impulse. Their contacts are then not found.
static void drop_evaluations(tide_contacts *c)
{
    tide_collider_near *near = c->near;
    size_t kept = 0;
    for (size_t i = 0; i < near->evaluation_count; i++) {
        tide_collider_evaluation *e = &near->evaluations[i];
        tide_contact_constraint *t = tide_contact_of(c, e);
        bool idle = tide_contact_is_idle(&t->kept);
        t->found = idle ? TIDE_NOT_FOUND : (uint32_t)kept;
        if (idle) {
            leave_slot(c, e);
            continue;
        }
        *slot_of(c, e) = (uint32_t)kept + 1;
        if (kept < i)
            near->evaluations[kept] = *e;
        kept++;
    }
    near->evaluation_count = kept;
}

static void move(tide_contacts *c, uint32_t from, uint32_t to, bool watched)
{
    const tide_contact_constraint *t = &c->list.items[to];
    if (to != from)
        c->list.items[to] = c->list.items[from];
    if (!tide_contact_is_pair(t))
        c->near->evaluations[t->found].contact = to;
    else if (watched)
        c->search.watches.items[t->found].contact = to + 1;
}

void tide_contact_list_move(tide_contacts *c, uint32_t from, uint32_t to)
{
    move(c, from, to, true);
}

void tide_contact_list_cut(tide_contacts *c, uint32_t count)
{
    c->list.count = count;
    c->list.pair_count = count - c->near->evaluation_count;
}

static void drop_idle(tide_contacts *c)
{
    size_t before = c->near->evaluation_count;
    uint32_t kept = 0;
    drop_evaluations(c);
    if (c->near->evaluation_count == before)
        return;
    for (uint32_t i = 0; i < c->list.count; i++)
        if (tide_contact_is_pair(&c->list.items[i]) || c->list.items[i].found != TIDE_NOT_FOUND)
            move(c, i, kept++, c->search.found != TIDE_PAIRS_NONE);
    tide_contact_list_cut(c, kept);
}

void tide_contact_list_begin(tide_contacts *c)
{
    bool timestep = c->step->from == 0;
    if (timestep)
        drop_idle(c);
    for (c->list.first = 0; c->list.first < c->list.count; c->list.first++)
        if (tide_contact_is_pair(&c->list.items[c->list.first]))
            break;
    for (size_t i = 0; i < c->list.count; i++) {
        tide_contact_constraint *t = &c->list.items[i];
        t->normal_fixed = false;
        t->kept.leave = 0;
        if (timestep) {
            t->kept.impulse = t->kept.depth = 0;
            memset(t->kept.drag, 0, sizeof t->kept.drag);
        }
    }
    for (size_t i = 0; i < c->near->evaluation_count; i++) {
        tide_collider_evaluation *e = &c->near->evaluations[i];
        e->evaluated = e->swept = false;
        e->own[0] = NAN;
    }
}

// --- order ----------------------------------------------------------------------------------------------------------

void tide_contact_list_permute(tide_contacts *c, uint32_t count)
{
    tide_contact_constraint *items = c->list.items;
    uint32_t *order = c->list.order;
    for (uint32_t i = 0; i < c->list.count; i++) {
        if (order[i] == i)
            continue;
        tide_contact_constraint first = items[i];
        uint32_t at = i;
        for (uint32_t from = order[at]; from != i; from = order[at]) {
            items[at] = items[from];
            order[at] = at;
            at = from;
        }
        items[at] = first;
        order[at] = at;
    }
    for (uint32_t i = 0; i < c->near->evaluation_count; i++)
        c->near->evaluations[i].contact = i;
    c->list.first = (uint32_t)c->near->evaluation_count;
    tide_contact_list_cut(c, count);
}

uint32_t tide_contact_list_order_colliders(tide_contacts *c)
{
    uint32_t count = 0;
    for (size_t i = 0; i < c->near->evaluation_count; i++)
        c->list.order[count++] = c->near->evaluations[i].contact;
    return count;
}

bool tide_contact_list_divide(tide_contacts *c)
{
    uint32_t total = (uint32_t)c->list.count;
    bool divided = true;
    for (uint32_t i = 0; i < c->near->evaluation_count; i++)
        divided = divided && c->near->evaluations[i].contact == i;
    if (divided)
        return true;
    if (!tide_grow_owned(c, &c->list.order, &c->list.order_capacity, total, sizeof *c->list.order))
        return false;
    uint32_t count = tide_contact_list_order_colliders(c);
    for (uint32_t i = 0; i < total; i++)
        if (tide_contact_is_pair(&c->list.items[i]))
            c->list.order[count++] = i;
    tide_contact_list_permute(c, total);
    return true;
}
