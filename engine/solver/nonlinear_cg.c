// Nonlinear conjugate gradients on the objective of backward Euler, preconditioned by A. Directions are those of Polak
// and Ribiere, restarted where they would not descend.
#include "base/clock.h"
#include "base/memory.h"
#include "solver/descent.h"

#include <math.h>

#define OBJECT "solver \"nonlinear_cg\""

static const tide_field fields[] = {
    TIDE_SOLVER_COMMON_FIELDS(tide_descent_options),
    TIDE_ITERATIONS_FIELD(tide_descent_options, iterations, 10, "conjugate gradient steps to take"),
    TIDE_TOLERANCE_FIELD(tide_descent_options, tolerance, 0),
    TIDE_START_FIELD(tide_descent_options, start, ""),
    TIDE_SOLVE_FIELD(tide_descent_options, solve, tide_solve_fields, TIDE_CHOLESKY_FAST, "preconditioned gradients"),
    TIDE_DAMPING_FIELD(tide_descent_options, tide_damping_fields),
    { 0 },
};

typedef struct state {
    tide_descent descent;
    double *steepest; // (3 * particle_count) z = A^-1 grad g; `direction` is d
    uint32_t particle_count;
    double square; // grad' z of the last iteration; 0: none
    double bound;  // d' A d
} state;

static tide_status prepare(tide_solver *solver, const tide_system *system, double h, const double *x,
                           uint32_t *bad_particle, tide_error *error)
{
    state *s = solver->state;
    (void)x;
    tide_status status = tide_solver_arrays(s, &s->steepest, 1, &s->particle_count, system, OBJECT, error);
    return status ? status : tide_descent_prepare(solver, system, h, bad_particle, error);
}

// Computes d = -z + beta d with beta = grad' (z - z_before) / grad_before' z_before where this is above 0. As A d is
// -grad + beta A d_before, d' A d needs no product.
static tide_status find_direction(tide_descent *descent, tide_report *report, tide_error *error)
{
    state *s = (state *)descent;
    const tide_system *system = descent->objective.system;
    const double *gradient = descent->search.gradient;
    double start = tide_clock_seconds();
    double crossed = s->square > 0 ? tide_system_dot(system, gradient, s->steepest) : 0;
    TIDE_TRY(tide_global_step_solve(&descent->global, system, gradient, s->steepest, error));
    double square = tide_system_dot(system, gradient, s->steepest);
    double beta = s->square > 0 ? (square - crossed) / s->square : 0;
    double along = beta > 0 ? tide_system_dot(system, gradient, descent->direction) : 0;
    if (!(beta > 0 && beta * along < square)) // otherwise d would not descend
        beta = along = 0;
    for (size_t i = 0; i < 3 * (size_t)s->particle_count; i++)
        descent->direction[i] = beta * descent->direction[i] - s->steepest[i];
    s->bound = square - 2 * beta * along + beta * beta * s->bound;
    if (beta == 0)
        s->bound = square;
    s->square = square;
    report->global_seconds += tide_clock_seconds() - start;
    return TIDE_OK;
}

// Returns the length at which the slope along d would be 0 if it changed linearly, found by a probe at a safe length:
// that of A, which bounds g's curvature from above. (The safe length itself gives no more than local/global does:
// d2g/dx2 is far below A where springs are slack. The curvature at x, by a product with d2g/dx2, is as good as the
// probe and slower.) The length is at most that of inertia alone, because slopes of a system at rest are only rounding.
// Where contacts have just moved x it is the safe length, since contacts use the compliance A^-1: a length three times
// as large would push three times too far and scatter a stack of cloths.
static double first_length(tide_descent *descent)
{
    const state *s = (const state *)descent;
    tide_line_search *search = &descent->search;
    const tide_system *system = descent->objective.system;
    double slope = tide_system_dot(system, search->gradient, descent->direction), sure = -slope / s->bound;
    if (descent->in_contact)
        return sure;
    for (size_t i = 0; i < 3 * (size_t)s->particle_count; i++)
        search->trial_x[i] = search->x[i] + sure * descent->direction[i];
    tide_objective_gradient(&descent->objective, search->trial_x, search->trial_gradient);
    double bend = tide_system_dot(system, search->trial_gradient, descent->direction) - slope;
    double inertia = tide_system_mass_dot(system, descent->direction, descent->direction);
    double least = sure * (tide_objective_mass_factor(&descent->objective) * inertia);
    return bend > 0 ? -slope / fmax(bend, least) * sure : sure;
}

static bool move(tide_descent *descent)
{
    return tide_line_search_move(&descent->search, &descent->objective, descent->direction, first_length(descent));
}

// Returns true also without earlier directions: the direction is then tried once more, as only rounding makes it fail.
static bool forget(tide_descent *descent)
{
    state *s = (state *)descent;
    s->square = 0;
    return true;
}

static const tide_descent_method method = { find_direction, move, forget, .forgets_at_contact = true };

const tide_solver_kind tide_nonlinear_cg = {
    .name = "nonlinear_cg",
    .help = "implicit Euler by nonlinear conjugate gradients, preconditioned with the matrix of local_global",
    .source = "Liu et al. 2013, sec. 6 (future work); Polak and Ribiere 1969; Hager and Zhang 2006, A survey of "
              "nonlinear conjugate gradient methods: sec. 7",
    .options_size = sizeof(tide_descent_options),
    .destroy = tide_descent_destroy,
    TIDE_DESCENT_FUNCTIONS,
};
