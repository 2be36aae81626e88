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
    *t = (tide_contact_constraint) { .kind = (uint8_t)kind, .found = TIDE_NOT_FOUND, .kept = { .key = key } };
    list->pair_count += tide_contact_is_pair(t);
    return t;
}

static uint32_t *slot_of(const tide_contacts *c, const tide_collider_contact *own)
{
    return &c->near->slots[(size_t)own->point * c->collider_count + own->collider];
}

tide_contact_constraint *tide_collider_contacts_add(tide_contacts *c, uint32_t collider, uint32_t point)
{
    tide_collider_near *near = c->near;
    if (!tide_grow_owned(near, &near->contacts, &near->contact_capacity, near->contact_count + 1,
                         sizeof *near->contacts)) {
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
    t->own[0] = NAN;
    t->found = (uint32_t)near->contact_count;
    tide_collider_contact *own = &near->contacts[near->contact_count++];
    *own = (tide_collider_contact) { .point = point, .collider = collider, .contact = (uint32_t)c->list.count - 1 };
    uint32_t *slot = slot_of(c, own);
    near->slot_counts[point] += *slot == 0;
    tide_collider_near_limit(near, point, c->particle_count, -1);
    *slot = (uint32_t)c->list.count;
    return t;
}

// --- removing -------------------------------------------------------------------------------------------------------

static void leave_slot(tide_contacts *c, const tide_collider_contact *own)
{
    uint32_t *slot = slot_of(c, own);
    c->near->slot_counts[own->point] -= *slot != 0;
    *slot = 0;
}

void tide_contact_list_clear(tide_contacts *c)
{
    for (size_t i = 0; i < c->near->contact_count; i++)
        leave_slot(c, &c->near->contacts[i]);
    c->near->contact_count = c->list.count = c->list.pair_count = c->list.first = 0;
}

// Drops the parts that contacts with colliders have to themselves, where they have no impulse. Such contacts are then
// not found.
static void drop_parts(tide_contacts *c)
{
    tide_collider_near *near = c->near;
    size_t kept = 0;
    for (size_t i = 0; i < near->contact_count; i++) {
        tide_collider_contact *own = &near->contacts[i];
        tide_contact_constraint *t = tide_contact_of(c, own);
        bool idle = tide_contact_is_idle(&t->kept);
        t->found = idle ? TIDE_NOT_FOUND : (uint32_t)kept;
        if (idle) {
            leave_slot(c, own);
            continue;
        }
        if (kept < i)
            near->contacts[kept] = *own;
        kept++;
    }
    near->contact_count = kept;
}

static void link_collider_contact(tide_contacts *c, tide_collider_contact *own, uint32_t index)
{
    own->contact = index;
    *slot_of(c, own) = index + 1;
}

static void move(tide_contacts *c, uint32_t from, uint32_t to, bool watched)
{
    const tide_contact_constraint *t = &c->list.items[to];
    if (to != from)
        c->list.items[to] = c->list.items[from];
    if (!tide_contact_is_pair(t))
        link_collider_contact(c, tide_collider_contact_of(c, t), to);
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
    c->list.pair_count = count - c->near->contact_count;
}

static void drop_idle(tide_contacts *c)
{
    size_t before = c->near->contact_count;
    uint32_t kept = 0;
    drop_parts(c);
    if (c->near->contact_count == before)
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
        t->evaluated = t->swept = false;
        if (!tide_contact_is_pair(t))
            t->own[0] = NAN;
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
    for (uint32_t i = 0; i < c->near->contact_count; i++)
        if (c->near->contacts[i].contact != i)
            link_collider_contact(c, &c->near->contacts[i], i);
    c->list.first = (uint32_t)c->near->contact_count;
    tide_contact_list_cut(c, count);
}

uint32_t tide_contact_list_order_colliders(tide_contacts *c)
{
    uint32_t count = 0;
    for (size_t i = 0; i < c->near->contact_count; i++)
        c->list.order[count++] = c->near->contacts[i].contact;
    return count;
}

bool tide_contact_list_divide(tide_contacts *c)
{
    uint32_t total = (uint32_t)c->list.count;
    bool divided = true;
    for (uint32_t i = 0; i < c->near->contact_count; i++)
        divided = divided && c->near->contacts[i].contact == i;
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
