// The list of contacts of points with colliders, and their slots.
#include "contact/collider_near.h"

#include "base/memory.h"

#include <string.h>

static size_t pair_of(const tide_contacts *c, uint32_t collider, uint32_t point)
{
    return (size_t)point * c->collider_count + collider;
}

tide_collider_contact *tide_collider_contacts_add(tide_contacts *c, uint32_t collider, uint32_t point)
{
    if (!tide_grow_owned(c, &c->touching.items, &c->touching.capacity, c->touching.count + 1,
                         sizeof *c->touching.items))
        return NULL;
    tide_collider_contact *t = &c->touching.items[c->touching.count++];
    *t = (tide_collider_contact) { .kept = { .key = (uint64_t)collider * c->moving_count + point },
                                   .point = point,
                                   .collider = collider,
                                   .own = { NAN } };
    uint32_t *slot = &c->near->slots[pair_of(c, collider, point)];
    c->near->slot_counts[point] += *slot == 0;
    tide_collider_near_limit(c->near, point, c->particle_count, -1);
    *slot = (uint32_t)c->touching.count;
    return t;
}

static void leave_slot(tide_contacts *c, const tide_collider_contact *t)
{
    uint32_t *slot = &c->near->slots[pair_of(c, t->collider, t->point)];
    c->near->slot_counts[t->point] -= *slot != 0;
    *slot = 0;
}

void tide_collider_contacts_clear(tide_contacts *c)
{
    for (size_t i = 0; i < c->touching.count; i++)
        leave_slot(c, &c->touching.items[i]);
    c->touching.count = 0;
}

void tide_collider_contacts_drop_idle(tide_contacts *c)
{
    size_t kept = 0;
    for (size_t i = 0; i < c->touching.count; i++) {
        tide_collider_contact *t = &c->touching.items[i];
        t->kept.impulse = t->kept.depth = 0;
        memset(t->kept.drag, 0, sizeof t->kept.drag);
        if (tide_contact_is_idle(&t->kept)) {
            leave_slot(c, t);
            continue;
        }
        c->near->slots[pair_of(c, t->collider, t->point)] = (uint32_t)kept + 1;
        c->touching.items[kept++] = *t;
    }
    c->touching.count = kept;
}
