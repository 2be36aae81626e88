// Second-order backward differences:
//
//     x1 = 4/3 x0 - 1/3 x_ + s v1,    v1 = 4/3 v0 - 1/3 v_ + s M^-1 f(x1),    s = 2/3 h
//
// with x_, v_ one step before x0, v0. A step without a predecessor is one of the theta method with theta = 2/3, which
// has the same s and so the same matrices:
//
//     x1 = x0 + (h - s) v0 + s v1,    v1 = v0 + (h - s) M^-1 f(x0) + s M^-1 f(x1).
//
// Contacts apply impulses. An impulse belongs entirely to its step and must not be extrapolated, so its part is taken
// out of the velocity difference that the next step uses. Otherwise bodies would rebound from a force that is over. A
// body at rest is held by the same impulse in each step.
//
// Where there are solids, contacts use the compliance of the Hessian as under newton, since the points of a solid must
// not be pushed into it one by one: without it, a stiff ball dropped on a floor at 1/60 s (2 J, 3e6 N/m) had 1,869 J
// for a step. (Stiff blocks that collide and tumble need more than 20 iterations: 1.1 J become 2.2 J with 20, and less
// with 200.)
//
// For cloths alone contacts do not use a compliance. Where a contact stops a motion within a step, the rule's slope
// over two steps turns the stop into a rebound of up to half of the speed. This also affects what the contact moves by
// springs alone, which no contact law then slows down. A cloth that crumples may gain energy by it (200 g, 300 N/m, at
// 1/60 s: 1.77 to 2.37 J; not at 1/120 s).
#include "solver/implicit_steps.h"

#include <complex.h>
#include <string.h>

#define OBJECT "solver \"bdf2\""

// Arrays, (3 * particle_count). LAST_X and LAST_V are the results of the last step: history is used only by a step that
// continues from them. AHEAD is where damping is evaluated. SMOOTH is the final velocity without the impulses of
// contacts.
enum { EARLIER_X, EARLIER_V, LAST_X, LAST_V, HISTORY, AHEAD = HISTORY, SMOOTH, ARRAYS };

_Static_assert((int)ARRAYS <= (int)TIDE_IMPLICIT_STEP_ARRAYS, "room for the arrays");

typedef struct state {
    tide_implicit_step own;
    bool has_history;
} state;

static size_t array_size(const state *s)
{
    return 3 * (size_t)s->own.particle_count * sizeof(double);
}

static tide_status prepare(tide_solver *solver, const tide_system *system, double h, const double *x,
                           uint32_t *bad_particle, tide_error *error)
{
    state *s = solver->state;
    (void)x;
    s->has_history = false;
    return tide_implicit_step_prepare(solver, system, 2 * h / 3, ARRAYS, bad_particle, error);
}

static bool goes_on(const state *s, const tide_step *step)
{
    return s->has_history && memcmp(s->own.arrays[LAST_X], step->q, array_size(s)) == 0 &&
           memcmp(s->own.arrays[LAST_V], step->undamped, array_size(s)) == 0;
}

// Damping is evaluated at q + h v, which is the end of the step up to O(h^2). Evaluated at q, the method would lose its
// second order.
static void look_ahead(state *s, const tide_step *step)
{
    double *ahead = s->own.arrays[AHEAD];
    for (uint32_t p = 0; p < s->own.particle_count; p++)
        for (size_t i = 3 * (size_t)p; i < 3 * (size_t)p + 3; i++)
            ahead[i] =
                step->system->rows[p] == TIDE_PINNED ? step->pinned[i] : step->q[i] + step->h * step->velocity[i];
}

// Sets y of pinned particles, and the origin such that the rule gives the velocity of their motion.
static void predict_pinned(state *s, const tide_step *step, bool from_two)
{
    const double *earlier_x = s->own.arrays[EARLIER_X];
    double fraction = s->own.objective.s / step->h;
    for (uint32_t p = 0; p < s->own.particle_count; p++)
        for (size_t i = 3 * (size_t)p; i < 3 * (size_t)p + 3 && step->system->rows[p] == TIDE_PINNED; i++) {
            s->own.objective.y[i] = step->pinned[i];
            s->own.objective.origin[i] = from_two ? (4 * step->q[i] - earlier_x[i]) / 3
                                                  : step->pinned[i] - fraction * (step->pinned[i] - step->q[i]);
        }
}

// Drag between the steps changed v0. v_ is changed by the same amount, so that their difference is still due to the
// forces of the step.
static void predict_from_two(state *s, const tide_step *step)
{
    const tide_system *system = step->system;
    const double *earlier_x = s->own.arrays[EARLIER_X], *earlier_v = s->own.arrays[EARLIER_V];
    double rule = s->own.objective.s;
    for (uint32_t row = 0; row < system->free_count; row++) {
        size_t p = system->free_particles[row];
        double factor = rule * rule / system->masses[p];
        for (size_t i = 3 * p; i < 3 * p + 3; i++) {
            double v = earlier_v[i] + (step->velocity[i] - step->undamped[i]);
            s->own.objective.origin[i] = (4 * step->q[i] - earlier_x[i]) / 3;
            s->own.objective.y[i] =
                s->own.objective.origin[i] + rule * ((4 * step->velocity[i] - v) / 3) + factor * step->force[i];
        }
    }
}

static void predict_from_one(state *s, const tide_step *step)
{
    const tide_system *system = step->system;
    double rule = s->own.objective.s, rest = step->h - rule;
    double *gradient = s->own.newton.work, *resistance = s->own.newton.direction;
    tide_system_gradient(system, step->q, gradient);
    tide_objective_resistance(&s->own.objective, step->velocity, resistance);
    for (uint32_t row = 0; row < system->free_count; row++) {
        size_t p = system->free_particles[row];
        for (size_t i = 3 * p; i < 3 * p + 3; i++) {
            double start = (step->force[i] - gradient[i] - resistance[i]) / system->masses[p];
            s->own.objective.origin[i] = step->q[i] + rest * step->velocity[i];
            s->own.objective.y[i] = s->own.objective.origin[i] + rule * (step->velocity[i] + rest * start) +
                                    rule * rule / system->masses[p] * step->force[i];
        }
    }
}

static void finish(state *s, const tide_step *step)
{
    const double *origin = s->own.objective.origin;
    for (size_t i = 0; i < 3 * (size_t)s->own.particle_count; i++)
        step->v[i] = (step->x[i] - origin[i]) / s->own.objective.s;
    memcpy(s->own.arrays[EARLIER_X], step->q, array_size(s));
    memcpy(s->own.arrays[EARLIER_V], step->velocity, array_size(s));
    memcpy(s->own.arrays[LAST_X], step->x, array_size(s));
    memcpy(s->own.arrays[LAST_V], step->v, array_size(s));
    s->has_history = true;
}

static void after_contacts(tide_solver *solver, const tide_step *step)
{
    state *s = solver->state;
    for (size_t i = 0; i < 3 * (size_t)s->own.particle_count; i++)
        s->own.arrays[EARLIER_V][i] += step->v[i] - s->own.arrays[SMOOTH][i];
    memcpy(s->own.arrays[LAST_X], step->x, array_size(s));
    memcpy(s->own.arrays[LAST_V], step->v, array_size(s));
}

static tide_status take_step(tide_solver *solver, const tide_step *step, tide_report *report, tide_error *error)
{
    state *s = solver->state;
    const tide_implicit_step_options *o = solver->options;
    if (!tide_objective_is_for(&s->own.objective, step->system, 2 * step->h / 3))
        return tide_solver_fail_unprepared(solver, error);
    s->own.objective.system = step->system;
    bool from_two = goes_on(s, step);
    look_ahead(s, step);
    predict_pinned(s, step, from_two);
    tide_objective_begin(&s->own.objective, s->own.arrays[AHEAD]);
    if (from_two)
        predict_from_two(s, step);
    else
        predict_from_one(s, step);
    tide_objective_set_inertial(&s->own.objective);
    s->has_history = false;
    memcpy(step->x, s->own.objective.y, array_size(s));
    memcpy(s->own.arrays[SMOOTH], s->own.objective.y, array_size(s));
    tide_step followed = *step;
    tide_contact_response contact = step->contact ? *step->contact : (tide_contact_response) { 0 };
    if (!contact.any_solids)
        contact.iterate_compliant = NULL;
    followed.contact = step->contact ? &contact : NULL;
    tide_status status =
        tide_newton_minimise(&s->own.newton, &o->newton, &s->own.objective, &followed, step->x, report, error);
    if (!status)
        finish(s, step);
    for (size_t i = 0; i < 3 * (size_t)s->own.particle_count && !status; i++) // y contains the contacts' displacements
        s->own.arrays[SMOOTH][i] = step->v[i] - (s->own.objective.y[i] - s->own.arrays[SMOOTH][i]) / s->own.objective.s;
    return status;
}

static size_t history_size(const tide_solver *solver)
{
    const state *s = solver->state;
    return s->has_history ? HISTORY * array_size(s) : 0;
}

static void save_history(const tide_solver *solver, void *bytes)
{
    const state *s = solver->state;
    for (int i = 0; i < HISTORY && s->has_history; i++)
        memcpy((char *)bytes + (size_t)i * array_size(s), s->own.arrays[i], array_size(s));
}

static tide_status load_history(tide_solver *solver, const void *bytes, size_t size, tide_error *error)
{
    state *s = solver->state;
    if (size != 0 && size != HISTORY * array_size(s))
        return tide_fail(error, TIDE_ERROR_STATE, OBJECT, "history", NULL,
                         "it has %zu bytes, and this system needs %zu: the snapshot is of another one", size,
                         HISTORY * array_size(s));
    for (int i = 0; i < HISTORY && size; i++)
        memcpy(s->own.arrays[i], (const char *)bytes + (size_t)i * array_size(s), array_size(s));
    s->has_history = size != 0;
    return TIDE_OK;
}

// x'' = -k x - d x' as w1 = 4/3 w0 - 1/3 w_ + 2/3 m w1, where m is an eigenvalue of h [0 1; -k -d]: m^2 + X m + Y = 0,
// and (1 - 2/3 m) z^2 - 4/3 z + 1/3 = 0.
static double amplification(double X, double Y)
{
    double largest = 0;
    for (int i = 0; i < 4; i++) {
        double complex m = 0.5 * (-X + (i % 2 ? 1 : -1) * csqrt(X * X - 4 * Y)), a = 1 - 2 * m / 3;
        double complex root = csqrt(16.0 / 9 - 4 * a / 3);
        largest = fmax(largest, cabs((4.0 / 3 + (i / 2 ? root : -root)) / (2 * a)));
    }
    return largest;
}

const tide_solver_kind tide_bdf2 = {
    .name = "bdf2",
    .help = "BDF2: backward differences over two steps, implicit, of order 2, solved like newton; damps far less than "
            "implicit Euler",
    .source = "Choi and Ko 2002, Stable but responsive cloth: sec. 4.2; the start: theta method",
    .fields = tide_implicit_step_fields,
    .options_size = sizeof(tide_implicit_step_options),
    .state_size = sizeof(state),
    .order = 2,
    .amplification = amplification,
    .prepare = prepare,
    .step = take_step,
    .destroy = tide_implicit_step_destroy,
    .describe = tide_implicit_step_describe,
    .history_size = history_size,
    .save_history = save_history,
    .load_history = load_history,
    .after_contacts = after_contacts,
};
