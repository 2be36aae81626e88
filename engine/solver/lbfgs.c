// L-BFGS on the objective of backward Euler. The initial inverse Hessian is A^-1, that of the local/global method.
#include "base/clock.h"
#include "base/memory.h"
#include "solver/descent.h"
#include "solver/secants.h"

#define OBJECT "solver \"lbfgs\""

typedef struct options {
    tide_descent_options descent;
    int history;
} options;

static const tide_field fields[] = {
    TIDE_SOLVER_COMMON_FIELDS(tide_descent_options),
    TIDE_ITERATIONS_FIELD(tide_descent_options, iterations, 10, "quasi-Newton steps to take"),
    TIDE_TOLERANCE_FIELD(tide_descent_options, tolerance, 0),
    { TIDE_MEMBER(options, history), .type = TIDE_FIELD_INTEGER, .initial = { 5 }, .minimum = 1,
      .maximum = TIDE_SECANTS_MAX, .help = "number of past iterations of the step that approximate the curvature" },
    TIDE_START_FIELD(tide_descent_options, start, ""),
    TIDE_SOLVE_FIELD(tide_descent_options, solve, tide_solve_fields, TIDE_CHOLESKY_FAST, "initial search directions"),
    TIDE_DAMPING_FIELD(tide_descent_options, tide_damping_fields),
    { 0 },
};

typedef struct state {
    tide_descent descent;
    tide_secants secants;
    double *solutions[2];    // (3 * particle_count) A^-1 of the gradient, and of that before the last move
    uint32_t particle_count; // of these arrays
    bool solved, moved;      // the first belongs to the current gradient; the last move is not yet in the pairs
} state;

static tide_status prepare(tide_solver *solver, const tide_system *system, double h, const double *x,
                           uint32_t *bad_particle, tide_error *error)
{
    const options *o = solver->options;
    state *s = solver->state;
    (void)x;
    tide_status status = tide_solver_arrays(s, s->solutions, 2, &s->particle_count, system, OBJECT, error);
    if (!status)
        status = tide_secants_prepare(&s->secants, (uint32_t)o->history, system->particle_count, error);
    return status ? status : tide_descent_prepare(solver, system, h, bad_particle, error);
}

static tide_status solve(state *s, tide_error *error)
{
    if (s->solved)
        return TIDE_OK;
    tide_descent *d = &s->descent;
    tide_status status =
        tide_global_step_solve(&d->global, d->objective.system, d->search.gradient, s->solutions[0], error);
    s->solved = status == TIDE_OK;
    return status;
}

// Adds the last move as a pair. The line search's trial arrays hold the state before it.
static tide_status learn(state *s, tide_error *error)
{
    tide_status status = s->moved ? solve(s, error) : TIDE_OK;
    if (status || !s->moved)
        return status;
    tide_line_search *search = &s->descent.search;
    tide_secants_add(&s->secants, search->length, s->descent.direction, search->gradient, search->trial_gradient,
                     s->solutions[0], s->solutions[1]);
    s->moved = false;
    return TIDE_OK;
}

static tide_status find_direction(tide_descent *descent, tide_report *report, tide_error *error)
{
    state *s = (state *)descent;
    double start = tide_clock_seconds();
    tide_status status = learn(s, error);
    if (!status)
        status = solve(s, error);
    if (!status)
        tide_secants_direct(&s->secants, descent->search.gradient, s->solutions[0], descent->direction);
    report->global_seconds += tide_clock_seconds() - start;
    return status;
}

static bool move(tide_descent *descent)
{
    state *s = (state *)descent;
    if (!tide_line_search_move(&descent->search, &descent->objective, descent->direction, 1))
        return false;
    double *before = s->solutions[0];
    s->solutions[0] = s->solutions[1];
    s->solutions[1] = before;
    s->solved = false;
    return s->moved = true;
}

static tide_status keep(tide_descent *descent, tide_report *report, tide_error *error)
{
    state *s = (state *)descent;
    double start = tide_clock_seconds();
    tide_status status = learn(s, error);
    tide_secants_renew(&s->secants);
    s->solved = false;
    report->global_seconds += tide_clock_seconds() - start;
    return status;
}

static bool forget(tide_descent *descent)
{
    state *s = (state *)descent;
    bool any = s->secants.count > 0;
    tide_secants_forget(&s->secants);
    s->solved = s->moved = false;
    return any;
}

static void destroy(tide_solver *solver)
{
    state *s = solver->state;
    tide_secants_free(&s->secants);
    tide_descent_destroy(solver);
}

static const tide_descent_method method = { find_direction, move, forget, .keep = keep };

const tide_solver_kind tide_lbfgs = {
    .name = "lbfgs",
    .help = "implicit Euler by L-BFGS: quasi-Newton steps with the matrix of local_global as initial Hessian",
    .source = "Liu et al. 2017, Quasi-Newton methods for real-time simulation of hyperelastic materials: sec. 4",
    .options_size = sizeof(options),
    .destroy = destroy,
    TIDE_DESCENT_FUNCTIONS,
};
