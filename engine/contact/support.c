#include "contact/support.h"

#include "contact/collider_near.h"

#include <string.h>

#define STICKS 0.999 // part of the largest friction below which a contact counts as sticking

// Contacts of carried points act on four particles at once, and have no support.
static bool may_support(const tide_contacts *c, uint32_t point)
{
    const tide_contact_surface *s = c->surface;
    return point < c->particle_count && s->parts[s->part_of[point]].triangle_count > 0 && s->inverse_masses[point] > 0;
}

// Only contacts with colliders are solved together with supports.
static bool any_pairs_push(const tide_contacts *c)
{
    for (size_t i = 0; i < c->list.count; i++) {
        const tide_contact_constraint *t = &c->list.items[i];
        if (tide_contact_is_pair(t) && (t->kept.joined || !tide_contact_is_idle(&t->kept)))
            return true;
    }
    return false;
}

void tide_support_see(tide_support *s, const double x[3], double gap, const double slip[3],
                      const tide_friction *friction)
{
    s->gap = gap;
    s->friction = *friction;
    memcpy(s->seen, x, 3 * sizeof *x);
    memcpy(s->slip, slip, 3 * sizeof *slip);
}

static inline double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// Prepares the support by a contact of a particle at x. Returns false when the contact does not push.
static bool begin_support(tide_support *s, const tide_contact_constraint *t, const double x[3])
{
    const double *impulse = t->kept.accumulated;
    double moved[3], slip[3], along = dot(impulse, t->kept.normal);
    memcpy(s->normal, t->kept.normal, sizeof s->normal);
    memcpy(s->at, x, sizeof s->at);
    for (int k = 0; k < 3; k++) {
        moved[k] = x[k] - s->seen[k];
        slip[k] = s->slip[k] + moved[k];
    }
    double gap = s->gap + dot(moved, s->normal), slid = dot(slip, s->normal);
    double across = sqrt(fmax(dot(impulse, impulse) - along * along, 0));
    s->sticks = along > 0 && across < STICKS * s->friction.along * along;
    if (s->sticks && !tide_friction_is_round(&s->friction)) {
        double drag[3];
        for (int k = 0; k < 3; k++)
            drag[k] = impulse[k] - along * t->kept.normal[k];
        s->sticks = tide_friction_size(&s->friction, drag) < STICKS * along;
    }
    for (int k = 0; k < 3; k++)
        s->closing[k] = -gap * s->normal[k] - (s->sticks ? slip[k] - slid * s->normal[k] : 0);
    return along > 0;
}

// Steps with bounces have no supports: with them, a stiff body (3e6 N/m) gains energy where it bounces.
static bool any_bounces(const tide_contacts *c)
{
    for (size_t i = 0; i < c->near->contact_count; i++)
        if (tide_contact_of(c, &c->near->contacts[i])->kept.leave > 0)
            return true;
    return false;
}

bool tide_contacts_support(void *context, const double *x, tide_support_add *add, void *to)
{
    tide_contacts *c = context;
    bool any = false;
    if (any_pairs_push(c) || any_bounces(c))
        return false;
    for (size_t i = 0; i < c->near->contact_count; i++) {
        tide_collider_contact *own = &c->near->contacts[i];
        const tide_contact_constraint *t = tide_contact_of(c, own);
        tide_support *s = &own->support;
        s->strength = 0;
        memcpy(s->before, t->kept.accumulated, sizeof s->before);
        if (!may_support(c, own->point) || !begin_support(s, t, x + 3 * (size_t)own->point))
            continue;
        s->strength = add(to, own->point, s->sticks ? NULL : s->normal, s->closing);
        any |= s->strength > 0;
    }
    return any;
}

void tide_contacts_take_supports(tide_contacts *c, const double *x, double *y)
{
    for (size_t i = 0; i < c->near->contact_count; i++) {
        const tide_collider_contact *own = &c->near->contacts[i];
        tide_contact_constraint *t = tide_contact_of(c, own);
        const tide_support *s = &own->support;
        if (!(s->strength > 0))
            continue;
        double off[3], inverse_mass = c->surface->inverse_masses[own->point];
        for (size_t k = 0; k < 3; k++)
            off[k] = x[3 * (size_t)own->point + k] - s->at[k] - s->closing[k];
        double along = dot(off, s->normal);
        for (size_t k = 0; k < 3; k++) {
            double by = inverse_mass * s->strength * (s->sticks ? off[k] : along * s->normal[k]);
            t->kept.accumulated[k] -= by;
            y[3 * (size_t)own->point + k] -= by;
        }
    }
}

double tide_contacts_supported_change(tide_contacts *c)
{
    double most = 0;
    if (any_pairs_push(c))
        return HUGE_VAL;
    memset(c->compliance.others, 0, 3 * (size_t)c->particle_count * sizeof *c->compliance.others);
    for (size_t i = 0; i < c->near->contact_count; i++) {
        const tide_collider_contact *own = &c->near->contacts[i];
        const tide_contact_constraint *t = tide_contact_of(c, own);
        uint32_t particles[TIDE_BEARERS];
        double shares[TIDE_BEARERS], mass = tide_contact_unit(c, t);
        int bearers = tide_contact_bearers(c, own->point, particles, shares);
        for (int n = 0; n < bearers && isfinite(mass); n++)
            for (size_t k = 0; k < 3; k++)
                c->compliance.others[3 * (size_t)particles[n] + k] +=
                    shares[n] * mass * (t->kept.accumulated[k] - own->support.before[k]);
    }
    bool solved = c->inverse->solve(c->inverse, c->compliance.others, c->compliance.displacement);
    memset(c->compliance.others, 0, 3 * (size_t)c->particle_count * sizeof *c->compliance.others);
    for (size_t i = 0; i < 3 * (size_t)c->particle_count; i++)
        most = fmax(most, fabs(c->compliance.displacement[i]));
    return solved ? most : HUGE_VAL;
}

void tide_contacts_undo_supported(tide_contacts *c)
{
    for (size_t i = 0; i < c->list.count; i++) {
        tide_contact_constraint *t = &c->list.items[i];
        if (tide_contact_is_pair(t))
            memset(t->kept.accumulated, 0, sizeof t->kept.accumulated);
        else
            memcpy(t->kept.accumulated, c->near->contacts[t->found].support.before, sizeof t->kept.accumulated);
    }
}
