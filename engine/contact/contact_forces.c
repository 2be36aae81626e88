// Contact forces: as displacements of particles, and as a list for users.
#include "contact/contacts_state.h"

#include "base/memory.h"

#include <string.h>

static void add(const tide_contacts *c, double *y, uint32_t point, const double impulse[3], double factor)
{
    const double d[3] = { factor * impulse[0], factor * impulse[1], factor * impulse[2] };
    if (factor != 0)
        tide_contact_shift(c, y, point, d);
}

void tide_contacts_add_displacements(const tide_contacts *c, double h, double *y)
{
    double scale = c->rule > 0 ? h * h / (c->rule * c->rule) : 1;
    for (size_t i = 0; i < c->list.count; i++) {
        const tide_contact_constraint *t = &c->list.items[i];
        for (int v = 0; v < tide_contact_corners(t->kind); v++) {
            double mobility = tide_contact_is_pair(t) ? c->surface->inverse_masses[t->points[v]] : 1;
            add(c, y, t->points[v], t->kept.accumulated, scale * t->weights[v] * mobility);
        }
    }
}

// The mean force of a contact over the timestep, N.
static void mean_force(const tide_contacts *c, const tide_contact_impulse *kept, double force[3])
{
    double timestep = c->statistics.timestep;
    for (int k = 0; k < 3; k++)
        force[k] = timestep > 0 ? (kept->impulse * kept->normal[k] + kept->drag[k]) / timestep : 0;
}

static void add_force(const tide_contacts *c, double *out, uint32_t point, double factor, const double force[3])
{
    uint32_t particles[TIDE_BEARERS];
    double shares[TIDE_BEARERS];
    int count = tide_contact_bearers(c, point, particles, shares);
    for (int i = 0; i < count; i++)
        for (size_t k = 0; k < 3; k++)
            out[3 * (size_t)particles[i] + k] += factor * shares[i] * force[k];
}

void tide_contacts_add_forces(const tide_contacts *c, const double *x, double *out)
{
    double force[3];
    for (size_t i = 0; i < c->list.count; i++) {
        const tide_contact_constraint *t = &c->list.items[i];
        mean_force(c, &t->kept, force);
        for (int v = 0; v < tide_contact_corners(t->kind); v++)
            add_force(c, out, t->points[v], t->weights[v], force);
    }
    tide_rolling_add_forces(c, x, out);
}

static bool add_touch(tide_contacts *c, uint32_t point, uint32_t collider, uint32_t other,
                      const tide_contact_impulse *kept, double timestep)
{
    if (!(kept->impulse > 0))
        return true;
    if (!tide_grow_owned(c, &c->touches.items, &c->touches.capacity, c->touches.count + 1, sizeof *c->touches.items))
        return false;
    tide_touch *t = &c->touches.items[c->touches.count++];
    *t = (tide_touch) { point, collider, other, .depth = kept->depth, .force = kept->impulse / timestep };
    memcpy(t->position, kept->place, sizeof t->position);
    memcpy(t->normal, kept->normal, sizeof t->normal);
    for (int k = 0; k < 3; k++)
        t->friction[k] = kept->drag[k] / timestep;
    return true;
}

// The point of the second side with the largest weight.
static uint32_t nearest_other(const tide_contact_constraint *pair)
{
    int nearest = pair->kind == TIDE_PAIR_EDGES ? 2 : 1;
    for (int v = nearest + 1; v < tide_contact_corners(pair->kind); v++)
        if (pair->weights[v] < pair->weights[nearest])
            nearest = v;
    return pair->points[nearest];
}

// A contact with the mesh of a collider counts as a contact with the collider.
static bool add_contact(tide_contacts *c, const tide_contact_constraint *pair)
{
    if (!tide_contact_is_pair(pair))
        return add_touch(c, pair->points[0], pair->collider, 0, &pair->kept, c->statistics.timestep);
    const tide_contact_surface *s = c->surface;
    bool second = pair->kind == TIDE_PAIR_EDGES && pair->weights[1] > pair->weights[0];
    uint32_t first = pair->points[second], other = nearest_other(pair);
    const tide_contact_part *own = &s->parts[s->part_of[first]], *its = &s->parts[s->part_of[other]];
    size_t count = c->touches.count;
    if (!own->fixed)
        return add_touch(c, first, its->fixed ? its->collider : TIDE_NO_COLLIDER, its->fixed ? 0 : other, &pair->kept,
                         c->statistics.timestep);
    bool room = add_touch(c, other, own->collider, 0, &pair->kept, c->statistics.timestep);
    for (int k = 0; k < 3 && c->touches.count > count; k++) {
        c->touches.items[count].normal[k] = -c->touches.items[count].normal[k];
        c->touches.items[count].friction[k] = -c->touches.items[count].friction[k];
    }
    return room;
}

const tide_touch *tide_contacts_touches(tide_contacts *c, uint32_t *count)
{
    c->touches.count = 0;
    bool room = true;
    for (size_t i = 0; i < c->list.count && room; i++)
        room = add_contact(c, &c->list.items[i]);
    *count = (uint32_t)c->touches.count;
    return c->touches.items;
}
