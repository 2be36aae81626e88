// Velocities of points that touch colliders.
#include "contact/collider_near.h"

#include <string.h>

tide_approach tide_collider_impact(const tide_contacts *c, uint32_t point, const tide_collider *collider,
                                   const double normal[3], const double motion[3])
{
    double restitution = fmax(c->surface->parts[c->surface->part_of[point]].restitution, collider->restitution), v[3];
    if (!(restitution > 0))
        return (tide_approach) { 0 };
    tide_contact_place(c, c->step->velocity, point, v);
    for (int k = 0; k < 3; k++)
        v[k] -= motion[k] / c->step->h;
    return tide_contact_impact(c, &point, (double[1]) { 1 }, 1, normal, v, restitution);
}

// The work (J) that a collider does on a point by an impulse (kg m/s) in the substep: the larger of the work over the
// path of the collider and over that of the point. A collider at rest does no work, except on a point that leaves its
// inside.
static double gift_of(const tide_contacts *c, uint32_t point, const double impulse[3], const double motion[3],
                      const double *x)
{
    double at[3], collider = 0, own = 0;
    const double *from = c->from + 3 * (size_t)point;
    tide_contact_place(c, x, point, at);
    for (int k = 0; k < 3; k++) {
        collider += impulse[k] * motion[k];
        own += impulse[k] * (at[k] - from[k]);
    }
    return fmax(0, fmax(collider, own)) / c->rule;
}

static void bounce(tide_contacts *c, tide_contact_constraint *t, const double *x, double *v)
{
    const tide_collider *collider = c->colliders[t->collider];
    const double *n = t->kept.normal, *accumulated = t->kept.accumulated;
    double push = accumulated[0] * n[0] + accumulated[1] * n[1] + accumulated[2] * n[2], h = c->step->h, motion[3],
           after[3];
    if (!(push > 0))
        return;
    double mass = tide_contact_unit(c, t);
    double before = t->kept.impulse;
    t->kept.impulse += push / c->rule * mass;
    double risen = fmin(t->inside, push) / c->rule; // leaving an initial penetration adds no velocity
    const tide_collider_path *path = &c->near->paths[t->collider];
    memset(motion, 0, sizeof motion);
    if (collider->moving)
        tide_collider_motion_in(collider, &path->from, &path->to, t->kept.place,
                                c->near->pairs[(size_t)t->points[0] * c->collider_count + t->collider].hint, motion);
    tide_contact_place(c, v, t->points[0], after);
    double relative[3], change[3];
    for (int k = 0; k < 3; k++)
        relative[k] = after[k] - risen * n[k] - motion[k] / h;
    double leave = c->bounces_within ? t->kept.leave : tide_collider_impact(c, t->points[0], collider, n, motion).leave;
    tide_friction friction = { 0 };
    if (t->allowed_depth == 0)
        friction = tide_collider_friction(c, t->points[0], t->collider, n);
    tide_contact_solve_velocity(n, relative, leave, 1, &friction, c->rule != h, change);
    double along = change[0] * n[0] + change[1] * n[1] + change[2] * n[2], impulse[3];
    for (int k = 0; k < 3; k++) {
        t->kept.impulse += change[k] * n[k] * mass;
        t->kept.drag[k] += mass * ((accumulated[k] - push * n[k]) / c->rule + change[k] - along * n[k]);
        change[k] -= risen * n[k];
        impulse[k] = mass * (accumulated[k] / c->rule + change[k]);
    }
    tide_rolling_note_collider(c, t->points[0], t->collider, n, t->kept.impulse - before);
    c->statistics.work += gift_of(c, t->points[0], impulse, motion, x);
    tide_contact_shift(c, v, t->points[0], change);
    tide_contact_clear_bounce(&t->kept);
}

void tide_collider_contacts_bounce(tide_contacts *c, const double *x, double *v)
{
    for (size_t i = 0; i < c->near->contact_count; i++) {
        tide_contact_constraint *t = tide_contact_of(c, &c->near->contacts[i]);
        if (t->evaluated)
            bounce(c, t, x, v);
    }
}
