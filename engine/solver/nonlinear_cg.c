// Nonlinear conjugate gradients on the objective of backward Euler, preconditioned by A: the directions are those of
// Polak and Ribiere, begun anew where they would not help.
#include "base/clock.h"
#include "base/memory.h"
#include "solver/global_step.h"
#include "solver/line_search.h"

#include <string.h>

#define OBJECT "solver \"nonlinear_cg\""

typedef struct options {
    tide_solver_common common;
    int iterations;
    double tolerance;
    tide_damping damping;
} options;

static const tide_field fields[] = {
    TIDE_SOLVER_COMMON_FIELDS(options),
    TIDE_ITERATIONS_FIELD(options, iterations, 10, "conjugate gradient steps to take"),
    TIDE_TOLERANCE_FIELD(options, tolerance, 0),
    TIDE_DAMPING_FIELD(options, tide_damping_fields),
    { 0 },
};

typedef struct state {
    tide_objective objective;
    tide_global_step global;
    tide_line_search search;
    double *direction, *descent; // (3 * particle_count) d, and z = A^-1 grad g
    uint32_t particle_count;
    double square; // grad' z, of the last iteration; 0: none
    double bound;  // d' A d
} state;

static tide_status make_arrays(state *s, const tide_system *system, tide_error *error)
{
    if (s->descent && s->particle_count == system->particle_count)
        return TIDE_OK;
    tide_free(s->direction);
    tide_free(s->descent);
    s->direction = tide_allocate_zeroed(system->particle_count, 3 * sizeof *s->direction);
    s->descent = s->direction ? tide_allocate_zeroed(system->particle_count, 3 * sizeof *s->descent) : NULL;
    s->particle_count = system->particle_count;
    return s->descent ? TIDE_OK : tide_fail_memory(error, OBJECT);
}

static tide_status prepare(tide_solver *solver, const tide_system *system, double h, const double *x,
                           uint32_t *bad_particle, tide_error *error)
{
    state *s = solver->state;
    const options *o = solver->options;
    (void)x;
    tide_status status = make_arrays(s, system, error);
    if (!status)
        status = tide_line_search_prepare(&s->search, system, error);
    if (!status)
        status = tide_objective_prepare(&s->objective, system, h, &o->damping, error);
    if (!status)
        status = tide_global_step_prepare(&s->global, &s->objective, OBJECT, bad_particle, error);
    if (status)
        s->objective.system = NULL;
    return status;
}

// d = -z + beta d with beta = grad' (z - z_before) / grad_before' z_before, when that is above 0. As A d is -grad +
// beta A d_before, d' A d comes without a product.
static tide_status find_direction(state *s, tide_report *report, tide_error *error)
{
    const tide_system *system = s->objective.system;
    const double *gradient = s->search.gradient;
    double start = tide_clock_seconds();
    double crossed = s->square > 0 ? tide_system_dot(system, gradient, s->descent) : 0;
    tide_status status = tide_global_step_solve(&s->global, system, gradient, s->descent, error);
    if (status)
        return status;
    double square = tide_system_dot(system, gradient, s->descent);
    double beta = s->square > 0 ? (square - crossed) / s->square : 0;
    double along = beta > 0 ? tide_system_dot(system, gradient, s->direction) : 0;
    if (!(beta > 0 && beta * along < square)) // else d would not descend
        beta = along = 0;
    for (size_t i = 0; i < 3 * (size_t)s->particle_count; i++)
        s->direction[i] = beta * s->direction[i] - s->descent[i];
    s->bound = square - 2 * beta * along + beta * beta * s->bound;
    if (beta == 0)
        s->bound = square;
    s->square = square;
    report->global_seconds += tide_clock_seconds() - start;
    return TIDE_OK;
}

// Where the slope along d would be 0 if it changed linearly, from a probe at the length that A, a bound on g's
// curvature from above, is sure of. (That length itself gives no more than local/global does: d2g/dx2 is far below A
// where springs are slack. The curvature at x, by a product with d2g/dx2, is as good as the probe and takes longer.)
static double first_length(state *s)
{
    const tide_system *system = s->objective.system;
    double slope = tide_system_dot(system, s->search.gradient, s->direction), sure = -slope / s->bound;
    for (size_t i = 0; i < 3 * (size_t)s->particle_count; i++)
        s->search.trial_x[i] = s->search.x[i] + sure * s->direction[i];
    tide_objective_gradient(&s->objective, s->search.trial_x, s->search.trial_gradient);
    double bend = tide_system_dot(system, s->search.trial_gradient, s->direction) - slope;
    return bend > 0 ? -slope / bend * sure : sure;
}

static bool move(state *s, tide_report *report)
{
    double start = tide_clock_seconds();
    bool moved = tide_line_search_move(&s->search, &s->objective, s->direction, first_length(s));
    report->line_searches += s->search.trials > 1 ? s->search.trials - 1 : 0;
    report->local_seconds += tide_clock_seconds() - start;
    return moved;
}

// One step; where it leads nowhere, one of local/global, which always descends but for rounding.
static tide_status improve(state *s, bool *moved, tide_report *report, tide_error *error)
{
    tide_status status = find_direction(s, report, error);
    *moved = !status && move(s, report);
    if (status || *moved)
        return status;
    s->square = 0;
    status = find_direction(s, report, error);
    *moved = !status && move(s, report);
    return status;
}

static tide_status take_step(tide_solver *solver, const tide_step *step, tide_report *report, tide_error *error)
{
    state *s = solver->state;
    const options *o = solver->options;
    if (!tide_objective_is_for(&s->objective, step->system, step->h))
        return tide_solver_fail_unprepared(solver, error);
    double start = tide_clock_seconds();
    tide_objective_predict(&s->objective, step);
    tide_objective_begin(&s->objective, step->q);
    tide_line_search_begin(&s->search, &s->objective, s->objective.y);
    report->local_seconds += tide_clock_seconds() - start;
    double initial = s->search.norm, target = tide_objective_target(&s->objective, o->tolerance, initial);
    s->square = 0;
    for (bool moved = true; moved && report->iterations < (uint32_t)o->iterations && s->search.norm > target;
         report->iterations++) {
        tide_status status = improve(s, &moved, report, error);
        if (status)
            return status;
    }
    memcpy(step->x, s->search.x, 3 * (size_t)s->particle_count * sizeof *step->x);
    tide_step_finish_velocities(step);
    tide_objective_report(&s->objective, step->x, initial, s->search.norm, o->tolerance, report);
    return TIDE_OK;
}

static void destroy(tide_solver *solver)
{
    state *s = solver->state;
    tide_objective_free(&s->objective);
    tide_global_step_free(&s->global);
    tide_line_search_free(&s->search);
    tide_free(s->direction);
    tide_free(s->descent);
}

static tide_cholesky_info describe(const tide_solver *solver)
{
    const state *s = solver->state;
    return tide_global_step_describe(&s->global);
}

const tide_solver_kind tide_nonlinear_cg = {
    .name = "nonlinear_cg",
    .help = "implicit Euler by nonlinear conjugate gradients, preconditioned with the matrix of local_global",
    .source = "Liu et al. 2013, sec. 6 (future work); Polak and Ribiere 1969; Hager and Zhang 2006, A survey of "
              "nonlinear conjugate gradient methods: sec. 7",
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
