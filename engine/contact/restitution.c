// Restitution. For methods that solve contacts before they compute velocities, it is part of the solve: Newton's law of
// impact in the form of Moreau's time stepping (Moreau 1988, Unilateral contact and dry friction in finite freedom
// dynamics). At the end of the substep two sides part at no less than the speed `leave`. Everything that holds their
// points then shares in the bounce: a stiff body bounces as a whole, and springs that slow a point down within the
// substep do not return its speed. An implicit Euler step with energy
//
//     H(v) = 1/2 v' M v + E(q + h v),   A = M + h^2 K,   W = J A^-1 J'
//
// that starts at rest shape with the velocity of a rigid motion changes H by -(1 - e) / 2 a' l, for the impulses l = (1
// + e) W^-1 a of contacts that approach at speeds a: no energy is gained for e up to 1. From any state of a quadratic
// E, let contacts part at speeds p, where without them they would approach at a at the end of the step, and at b by
// A^-1 M v. They change H by l' (p + a - 2 b) / 2, apart from the loss of the step without contacts. Parting no faster
// than 2 b - a would gain nothing. This is not required: soft balls, whose springs drive points on towards each other,
// would part at 0.06 of the speed of approach in place of 0.29 (semi_implicit, e = 1, 1/240 s). A body that vibrates as
// it meets another may gain energy from its vibration: a row of five balls 0.7 % (newton, e = 1, 1/60 s; less for
// others). No bound is known where springs reverse within a step: a soft ball that falls by 48 mm a step, with cells of
// 50 mm, has 1.39 times its energy for that step.
//
// In methods that move points one after another, and in explicit ones, velocities bounce when the substep is over.
#include "contact/contacts_state.h"

#include "base/vec3.h"

#include <string.h>

tide_approach tide_contact_impact(const tide_contacts *c, const uint32_t *points, const double *weights, int count,
                                  const double normal[3], const double velocity[3], double restitution)
{
    double fastest = 0, force[3];
    tide_approach impact = { 0 };
    for (int k = 0; k < 3; k++)
        impact.approach -= velocity[k] * normal[k];
    for (int i = 0; i < count; i++) {
        if (points[i] >= c->moving_count)
            continue;
        tide_contact_place(c, c->step->force, points[i], force);
        double inverse_mass = c->surface->inverse_masses[points[i]];
        fastest = fmax(fastest, inverse_mass * tide_vec3_length(tide_vec3_load(force)));
        for (int k = 0; k < 3; k++)
            impact.pull -= weights[i] * inverse_mass * force[k] * normal[k];
    }
    impact.leave = impact.approach > 2 * c->step->h * fastest ? restitution * impact.approach : 0;
    return impact;
}

// The speed at which sides part from the height where the substep begins. The approach would have been faster at the
// surface, and the way back is slower. e^2 is the ratio of kinetic energies at the surface, with the velocity v at the
// middle of a step in v^2 / 2, so that the step conserves it. `above` is the height from which the method's rule leads
// to the end of the step at the new speed.
static double leave_above(const tide_approach *impact, double h, double above)
{
    double half = h * impact->pull / 2, part = impact->leave / impact->approach, middle = impact->approach + half;
    double square = part * part * middle * middle + (1 - part * part) * (half * half - 2 * impact->pull * above);
    return fmax(0, sqrt(fmax(0, square)) - half);
}

double tide_contact_bounce_gap(const tide_contacts *c, tide_contact_impulse *kept, const tide_approach *impact,
                               double gap, double separation)
{
    kept->leave = 0;
    if (!c->bounces_within || !(impact->leave > 0))
        return gap;
    double back = (c->step->h - c->rule) * impact->approach;
    kept->leave = leave_above(impact, c->step->h, fmax(0, gap - separation) - back);
    return kept->leave > 0 ? fmin(gap, separation - (c->rule * kept->leave - back)) : gap;
}

void tide_contact_clear_bounce(tide_contact_impulse *kept)
{
    if (kept->leave > 0)
        memset(kept->accumulated, 0, sizeof kept->accumulated);
}
