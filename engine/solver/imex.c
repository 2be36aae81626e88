// Implicit-explicit Euler (Eberhardt et al. 2000; compared by Ahmad 2007, sec. 7.2). The force of springs is split as
// in Liu 2013, eq. 11, f(x) = -L x + J d(x): the linear part is evaluated at the end of the step, the directions d at
// its start, so that the matrix is constant:
//
//     A (x - q) = h M v~ + h^2 (f_ext + f(q)) - h^2 L p,    A = M + h^2 L
//
// with p the motion of the pinned particles alone. Rayleigh damping is split likewise: alpha L v and d0 M v at the end
// of the step, the rest, alpha (H(q) - L) v, at its start.
//
// For linear forces (an anchor, a spring with rest length 0) this is backward Euler. A spring resists rotation with k
// (1 - r/l) <= k, so every h is stable: on x'' = -c x, where A contains k >= c >= 0, the product of the eigenvalues is
// 1 / (1 + h^2 k) and their sum is 1 + (1 - h^2 c) / (1 + h^2 k). Angular momentum is not conserved (Desbrun 1999
// corrects it afterwards; this method does not).
#include "base/clock.h"
#include "base/memory.h"
#include "solver/global_step.h"

#include <string.h>

#define OBJECT "solver \"imex\""

typedef struct options {
    tide_solver_common common;
    tide_solve_options solve;
    tide_damping damping;
} options;

static const tide_field fields[] = {
    TIDE_SOLVER_COMMON_FIELDS(options),
    TIDE_SOLVE_FIELD(options, solve, tide_solve_once_fields, TIDE_CHOLESKY_DOUBLE, "steps"),
    TIDE_DAMPING_FIELD(options, tide_damping_fields),
    { 0 },
};

enum { GRADIENT, MOTION, PRODUCT, ARRAYS };

typedef struct state {
    tide_objective objective;
    tide_global_step global;
    tide_stiffness linear;  // h^2 L
    double *arrays[ARRAYS]; // (3 * particle_count)
    uint32_t particle_count;
} state;

static tide_status prepare(tide_solver *solver, const tide_system *system, double h, const double *x,
                           uint32_t *bad_particle, tide_error *error)
{
    state *s = solver->state;
    const options *o = solver->options;
    (void)x;
    tide_status status = tide_solver_arrays(s, s->arrays, ARRAYS, &s->particle_count, system, OBJECT, error);
    if (!status)
        status = tide_stiffness_prepare(&s->linear, system, error);
    if (!status)
        status = tide_objective_prepare(&s->objective, system, h, &o->damping, error);
    if (!status)
        status = tide_global_step_prepare(&s->global, &s->objective, &o->solve, OBJECT, bad_particle, error);
    if (status)
        s->objective.system = NULL;
    return status;
}

// Sets motion to that of pinned particles, and to `factor` times the velocity for free ones. Returns true if any is not
// 0.
static bool set_motion(state *s, const tide_step *step, double factor)
{
    bool any = factor != 0;
    for (uint32_t p = 0; p < s->particle_count; p++)
        for (size_t i = 3 * (size_t)p; i < 3 * (size_t)p + 3; i++)
            if (step->system->rows[p] == TIDE_PINNED) {
                s->arrays[MOTION][i] = step->pinned[i] - step->q[i];
                any = any || s->arrays[MOTION][i] != 0;
            } else
                s->arrays[MOTION][i] = factor * step->velocity[i];
    return any;
}

static void add_product(state *s, const tide_stiffness *stiffness)
{
    tide_stiffness_multiply(stiffness, s->arrays[MOTION], s->arrays[PRODUCT]);
    for (size_t i = 0; i < 3 * (size_t)s->particle_count; i++)
        s->arrays[GRADIENT][i] += s->arrays[PRODUCT][i];
}

// Adds the terms that grad g(q), with pins at their old positions, lacks: h^2 L p, and the part of Rayleigh damping at
// the start of the step, h alpha (H(q) - L) h v~. The objective contains the damping due to p.
static void add_pins_and_damping(state *s, const tide_damping *damping, const tide_step *step)
{
    double h = step->h, stiffness = damping->model == TIDE_DAMPING_RAYLEIGH ? damping->stiffness : 0;
    if (set_motion(s, step, -stiffness)) {
        tide_stiffness_evaluate(&s->linear, step->system, step->q, false, 0, h * h);
        add_product(s, &s->linear);
    }
    if (stiffness == 0)
        return;
    set_motion(s, step, h);
    for (uint32_t p = 0; p < s->particle_count; p++)
        if (step->system->rows[p] == TIDE_PINNED)
            memset(s->arrays[MOTION] + 3 * (size_t)p, 0, 3 * sizeof *s->arrays[MOTION]);
    add_product(s, &s->objective.resistance);
}

// Computes x = q - gradient; `gradient` holds the solution.
static void move(const state *s, const tide_step *step)
{
    for (uint32_t p = 0; p < s->particle_count; p++)
        for (size_t i = 3 * (size_t)p; i < 3 * (size_t)p + 3; i++)
            step->x[i] = step->system->rows[p] == TIDE_PINNED ? step->pinned[i] : step->q[i] - s->arrays[GRADIENT][i];
}

// Lets contacts change y, and x by the compliance, until they have converged.
static void touch(state *s, const tide_step *step, tide_report *report)
{
    double start = tide_method_seconds(report);
    tide_global_compliance compliance = tide_global_step_compliance(&s->global, step->system);
    compliance.base.of_lines = true;
    for (int round = 0; step->contact && round < TIDE_CONTACT_SOLVES; round++)
        if (tide_step_iterate_compliant(step, step->x, s->objective.y, step->h, &compliance.base, TIDE_ITERATION_LAST,
                                        report) <= TIDE_CONTACT_TOLERANCE)
            break;
    report->global_seconds += tide_method_seconds(report) - start;
}

static tide_status take_step(tide_solver *solver, const tide_step *step, tide_report *report, tide_error *error)
{
    state *s = solver->state;
    const options *o = solver->options;
    if (!tide_objective_is_for(&s->objective, step->system, step->h))
        return tide_solver_fail_unprepared(solver, error);
    double start = tide_clock_seconds(), solving;
    tide_objective_predict(&s->objective, step);
    tide_objective_begin(&s->objective, step->q);
    tide_objective_gradient(&s->objective, step->q, s->arrays[GRADIENT]);
    add_pins_and_damping(s, &o->damping, step);
    solving = tide_clock_seconds();
    report->local_seconds = solving - start;
    tide_status status =
        tide_global_step_solve(&s->global, step->system, s->arrays[GRADIENT], s->arrays[GRADIENT], error);
    report->global_seconds = tide_clock_seconds() - solving;
    if (status)
        return status;
    move(s, step);
    touch(s, step, report);
    tide_step_finish_velocities(step);
    report->iterations = 1;
    report->converged = true;
    report->g = report->gradient_norm = NAN;
    tide_global_step_tell(&s->global, report);
    return TIDE_OK;
}

static void destroy(tide_solver *solver)
{
    state *s = solver->state;
    tide_objective_free(&s->objective);
    tide_global_step_free(&s->global);
    tide_stiffness_free(&s->linear);
}

static tide_cholesky_info describe(const tide_solver *solver)
{
    const state *s = solver->state;
    return tide_global_step_describe(&s->global);
}

const tide_solver_kind tide_imex = {
    .name = "imex",
    .help = "IMEX Euler: the linear part of the forces implicit, with a matrix factored once, the rest explicit",
    .source = "Eberhardt et al. 2000, Implicit-explicit schemes for fast animation with particle systems; Ahmad et al. "
              "2007, sec. 7.2",
    .fields = fields,
    .options_size = sizeof(options),
    .state_size = sizeof(state),
    .order = 1,
    .amplification = tide_backward_euler_amplification,
    .prepare = prepare,
    .step = take_step,
    .destroy = destroy,
    .describe = describe,
};
