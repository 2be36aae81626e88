// What bounces. In methods whose answers come before velocities do, restitution is a part of the answer, Newton's law
// of impact as Moreau's time stepping has it (Moreau 1988, Unilateral contact and dry friction in finite freedom
// dynamics): at the end of the substep two sides part at no less than `leave`. What else holds their points then shares
// in the bounce as it does in the answer: a stiff body bounces as a whole, and springs that slow a point down within
// the substep are not given back what it came with. An implicit Euler step with energy
//
//     H(v) = 1/2 v' M v + E(q + h v),   A = M + h^2 K,   W = J A^-1 J'
//
// that starts at rest shape with the velocity of a rigid motion, changes H by -(1 - e) / 2 a' l by the impulses l = (1
// + e) W^-1 a of contacts that come at speeds a: nothing is gained for e up to 1. From any state of a quadratic E,
// contacts that part at speeds p where they would come at a without them as the step ends, and at b by A^-1 M v, change
// H by l' (p + a - 2 b) / 2 and what the step without them loses. Parting no faster than 2 b - a would gain nothing
// then; it is not asked for, as soft balls, whose points springs drive on at what they meet, would part at 0.06 of the
// speed at which two meet in place of 0.29 (semi_implicit, e = 1, 1/240 s). What trembles as it meets may gain by its
// points' speeds: a row of five balls 0.7 % (newton, e = 1, 1/60 s; less under others). And no bound is known where
// springs turn about within a step: a soft ball that falls by 48 mm a step on to cells of 50 mm has 1.39 times its
// energy for that step.
//
// In methods that push points one after another, and in explicit ones, velocities bounce when the substep is over.
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

// A bounce takes place where the substep begins, above the surface. On to the surface it would have come faster, and
// back from there slower: restitution's square is that of the energy at the surface, with v of the middle of a step in
// v^2 / 2, so that it is what the step keeps. `above` is the height at which the method's rule, which leads from there
// to the end at the new speed, begins.
static double leave_above(const tide_approach *impact, double h, double above)
{
    double half = h * impact->pull / 2, part = impact->leave / impact->approach, middle = impact->approach + half;
    double square = part * part * middle * middle + (1 - part * part) * (half * half - 2 * impact->pull * above);
    return fmax(0, sqrt(fmax(0, square)) - half);
}

double tide_contact_bounce_gap(const tide_contacts *c, tide_contact_sum *kept, const tide_approach *impact, double gap,
                               double way)
{
    kept->leave = 0;
    if (!c->bounces_within || !(impact->leave > 0))
        return gap;
    double back = (c->step->h - c->rule) * impact->approach;
    kept->leave = leave_above(impact, c->step->h, fmax(0, gap - way) - back);
    return kept->leave > 0 ? fmin(gap, way - (c->rule * kept->leave - back)) : gap;
}

void tide_contact_clear_bounce(tide_contact_sum *kept)
{
    if (kept->leave > 0)
        memset(kept->sum, 0, sizeof kept->sum);
}
