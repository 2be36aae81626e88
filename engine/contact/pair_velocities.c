// Velocities of points, edges and triangles that touch, and swept tests of them.
#include "contact/contacts_state.h"

#include "base/clock.h"
#include "base/vec3.h"

#include <string.h>

// The velocity of the first side relative to the second. Fixed points move with their collider.
static void velocity_of(const tide_contacts *c, const tide_contact_constraint *t, const double *v, double velocity[3])
{
    memset(velocity, 0, 3 * sizeof *velocity);
    for (int i = 0; i < tide_contact_corners(t->kind); i++) {
        uint32_t p = t->points[i];
        double is[3];
        for (size_t k = 0, n = 3 * (size_t)p; k < 3; k++, n++)
            is[k] = (c->to[n] - c->from[n]) / c->step->h;
        if (p < c->moving_count)
            tide_contact_place(c, v, p, is);
        for (int k = 0; k < 3; k++)
            velocity[k] += t->weights[i] * is[k];
    }
}

tide_approach tide_pair_impact(const tide_contacts *c, const tide_contact_constraint *t)
{
    double restitution = fmax(tide_pair_first_part(c->surface, t)->restitution,
                              tide_pair_second_part(c->surface, t)->restitution),
           v[3];
    if (!(restitution > 0))
        return (tide_approach) { 0 };
    velocity_of(c, t, c->step->velocity, v);
    return tide_contact_impact(c, t->points, t->weights, tide_contact_corners(t->kind), t->kept.normal, v, restitution);
}

// The work (J) of moving colliders and pins on the free points by an impulse (kg m/s) between the sides in the substep:
// the larger of the work over the paths of the fixed points and of the free ones.
static double gift_of(const tide_contacts *c, const tide_contact_constraint *t, const double impulse[3])
{
    double fixed = 0, free = 0;
    for (int i = 0; i < tide_contact_corners(t->kind); i++) {
        double work = 0;
        for (size_t k = 0, n = 3 * (size_t)t->points[i]; k < 3; k++, n++)
            work += impulse[k] * (c->to[n] - c->from[n]);
        *(c->surface->inverse_masses[t->points[i]] > 0 ? &free : &fixed) += t->weights[i] * work;
    }
    return fmax(0, fmax(-fixed, free)) / c->rule;
}

// Applies the bounce of one contact to velocities, in one pass over all. Contacts that bounce within the solves are
// exact already: from a row of five balls that touch (restitution 1, the first at 1 m/s) the first returns at 0.6 m/s
// and the others leave at 0.4 m/s together, which is Newton's law for simultaneous impacts. Where they bounce here,
// after positions have shared the impulse, the last leaves at 0.31 m/s, and a quarter of the energy is left.
static void bounce(tide_contacts *c, tide_contact_constraint *t, double *v)
{
    const double *n = t->kept.normal, *accumulated = t->kept.accumulated;
    double push = accumulated[0] * n[0] + accumulated[1] * n[1] + accumulated[2] * n[2], after[3], change[3];
    if (!(push > 0))
        return;
    double before = t->kept.impulse;
    t->kept.impulse += push / c->rule;
    for (int k = 0; k < 3; k++)
        t->kept.drag[k] += (accumulated[k] - push * n[k]) / c->rule;
    for (int k = 0; k < 3; k++) {
        t->kept.place[k] = 0;
        for (int i = 0; i < tide_contact_corners(t->kind); i++)
            if (t->weights[i] > 0)
                t->kept.place[k] += t->weights[i] * c->to[3 * (size_t)t->points[i] + (size_t)k];
    }
    double w = tide_contact_inverse_mass(c->surface, t), impulse[3];
    if (!(w > 0)) {
        c->statistics.work += gift_of(
            c, t, (const double[3]) { accumulated[0] / c->rule, accumulated[1] / c->rule, accumulated[2] / c->rule });
        return;
    }
    velocity_of(c, t, v, after);
    double leave = c->bounces_within ? t->kept.leave : tide_pair_impact(c, t).leave;
    tide_friction friction = tide_pair_friction(c, t);
    tide_contact_solve_velocity(n, after, leave, w, &friction, c->rule != c->step->h, change);
    double along = change[0] * n[0] + change[1] * n[1] + change[2] * n[2];
    t->kept.impulse += along;
    for (int k = 0; k < 3; k++) {
        t->kept.drag[k] += change[k] - along * n[k];
        impulse[k] = accumulated[k] / c->rule + change[k];
    }
    tide_rolling_note_pair(c, t->points[0], tide_pair_other(t->kind, t->points), n, t->kept.impulse - before);
    c->statistics.work += gift_of(c, t, impulse);
    for (int i = 0; i < tide_contact_corners(t->kind); i++) {
        double by[3], factor = t->weights[i] * c->surface->inverse_masses[t->points[i]];
        for (int k = 0; k < 3; k++)
            by[k] = factor * change[k];
        if (factor != 0)
            tide_contact_shift(c, v, t->points[i], by);
    }
    tide_contact_clear_bounce(&t->kept);
}

void tide_pair_contacts_bounce(tide_contacts *c, const double *x, double *v)
{
    tide_pair_contacts_follow(c, x);
    for (size_t i = 0; i < c->list.count; i++)
        if (tide_contact_is_pair(&c->list.items[i]))
            bounce(c, &c->list.items[i], v);
}

tide_status tide_pair_contacts_sweep(tide_contacts *c, double *x, double *v, bool *moved, tide_error *error)
{
    tide_continuous_report report = { 0 };
    tide_contact_phases *phases = &c->statistics.phases;
    double start = tide_clock_seconds();
    tide_pair_contacts_follow(c, x);
    tide_contact_work_measure(&c->work, c->surface, c->to);
    if (c->search.found != TIDE_PAIRS_NONE && !tide_pairs_move_frame(c))
        tide_continuous_know(c->continuous, c->search.skin_centres, c->search.skins);
    tide_status status = tide_continuous_resolve(c->continuous, c->from, c->to, &report, error);
    double seconds = tide_clock_seconds() - start;
    c->statistics.detect_seconds += report.detect_seconds;
    c->statistics.solve_seconds += seconds - report.detect_seconds;
    phases->continuous_seconds += seconds;
    phases->continuous_detect_seconds += report.detect_seconds;
    phases->swept_candidates += report.candidates;
    phases->unresolved = report.unresolved; // of the last sweep
    *moved = false;
    double work = 0; // total: impulses between points do no external work
    for (uint32_t p = 0; p < c->moving_count && status == TIDE_OK; p++) {
        double was[3], by[3], faster[3], inverse_mass = c->surface->inverse_masses[p];
        const double *from = c->from + 3 * (size_t)p, *to = c->to + 3 * (size_t)p;
        tide_contact_place(c, x, p, was);
        for (int k = 0; k < 3; k++) {
            by[k] = to[k] - was[k];
            faster[k] = by[k] / c->rule;
            work += inverse_mass > 0 ? faster[k] * (to[k] - from[k]) / inverse_mass : 0;
        }
        if (by[0] == 0 && by[1] == 0 && by[2] == 0)
            continue;
        *moved = true;
        c->search.paths[p] += tide_vec3_length(tide_vec3_load(by));
        tide_contact_shift(c, x, p, by);
        tide_contact_shift(c, v, p, faster);
    }
    c->statistics.work += fmax(0, work) / c->rule;
    return status;
}
