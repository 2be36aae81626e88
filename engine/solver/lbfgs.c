// L-BFGS on the objective of backward Euler with A^-1, the local/global method's, as the initial inverse Hessian.
#include "base/clock.h"
#include "base/memory.h"
#include "solver/descent.h"

#include <string.h>

#define OBJECT "solver \"lbfgs\""
#define CURVATURE 1e-10 // a pair with s'y below this part of |s| |y| is not kept
enum { MAX_HISTORY = 50 };

typedef struct options {
    tide_descent_options descent;
    int history;
} options;

static const tide_field fields[] = {
    TIDE_SOLVER_COMMON_FIELDS(tide_descent_options),
    TIDE_ITERATIONS_FIELD(tide_descent_options, iterations, 10, "quasi-Newton steps to take"),
    TIDE_TOLERANCE_FIELD(tide_descent_options, tolerance, 0),
    { .name = "history",
      .type = TIDE_FIELD_INTEGER,
      .offset = offsetof(options, history),
      .initial = { 5 },
      .minimum = 1,
      .maximum = MAX_HISTORY,
      .help = "past iterations of the timestep from which it learns the curvature" },
    TIDE_SOLVE_FIELD(tide_descent_options, solve, tide_solve_fields, TIDE_CHOLESKY_FAST, "first guesses of directions"),
    TIDE_DAMPING_FIELD(tide_descent_options, tide_damping_fields),
    { 0 },
};

// Pairs s (of positions) and y (of gradients) are in a ring.
typedef struct state {
    tide_descent descent;
    double *moves, *changes;          // (history * 3 * particle_count) s and y
    double curvatures[MAX_HISTORY];   // s'y
    uint32_t particle_count, history; // as made
    uint32_t count, next;             // pairs kept, and the slot of the next
} state;

static void free_pairs(state *s)
{
    tide_free(s->moves);
    tide_free(s->changes);
    s->moves = s->changes = NULL;
}

static tide_status make_pairs(state *s, uint32_t history, const tide_system *system, tide_error *error)
{
    if (s->changes && s->history == history && s->particle_count == system->particle_count)
        return TIDE_OK;
    free_pairs(s);
    size_t numbers = 3 * (size_t)system->particle_count;
    s->moves = tide_allocate_zeroed(numbers, history * sizeof *s->moves);
    s->changes = s->moves ? tide_allocate_zeroed(numbers, history * sizeof *s->changes) : NULL;
    s->history = history;
    s->particle_count = system->particle_count;
    return s->changes ? TIDE_OK : tide_fail_memory(error, OBJECT);
}

static tide_status prepare(tide_solver *solver, const tide_system *system, double h, const double *x,
                           uint32_t *bad_particle, tide_error *error)
{
    const options *o = solver->options;
    (void)x;
    tide_status status = make_pairs(solver->state, (uint32_t)o->history, system, error);
    return status ? status : tide_descent_prepare(solver, system, h, bad_particle, error);
}

static void add_multiple(double *a, double factor, const double *b, uint32_t particle_count)
{
    for (size_t i = 0; i < 3 * (size_t)particle_count; i++)
        a[i] += factor * b[i];
}

static uint32_t slot_of(const state *s, uint32_t age)
{
    return (s->next + s->history - 1 - age) % s->history;
}

// direction = -(inverse Hessian) gradient by the two-loop recursion.
static tide_status find_direction(tide_descent *descent, tide_report *report, tide_error *error)
{
    state *s = (state *)descent;
    const tide_system *system = descent->objective.system;
    double start = tide_clock_seconds(), factors[MAX_HISTORY], *d = descent->direction;
    size_t numbers = 3 * (size_t)s->particle_count;
    for (size_t i = 0; i < numbers; i++)
        d[i] = -descent->search.gradient[i];
    for (uint32_t age = 0; age < s->count; age++) {
        uint32_t slot = slot_of(s, age);
        factors[age] = tide_system_dot(system, s->moves + numbers * slot, d) / s->curvatures[slot];
        add_multiple(d, -factors[age], s->changes + numbers * slot, s->particle_count);
    }
    tide_status status = tide_global_step_solve(&descent->global, system, d, d, error);
    for (uint32_t age = s->count; age-- > 0 && !status;) {
        uint32_t slot = slot_of(s, age);
        double factor = tide_system_dot(system, s->changes + numbers * slot, d) / s->curvatures[slot];
        add_multiple(d, factors[age] - factor, s->moves + numbers * slot, s->particle_count);
    }
    report->global_seconds += tide_clock_seconds() - start;
    return status;
}

// Keeps the pair that comes of the move, when g is convex along it.
static bool move(tide_descent *descent)
{
    state *s = (state *)descent;
    const tide_system *system = descent->objective.system;
    size_t numbers = 3 * (size_t)s->particle_count;
    double *moved = s->moves + numbers * s->next, *changed = s->changes + numbers * s->next;
    bool full = s->count == s->history; // the slot is the oldest pair's
    memcpy(changed, descent->search.gradient, numbers * sizeof *changed);
    bool found = tide_line_search_move(&descent->search, &descent->objective, descent->direction, 1);
    s->count -= full;
    if (!found)
        return false;
    for (size_t i = 0; i < numbers; i++) {
        moved[i] = descent->search.length * descent->direction[i];
        changed[i] = descent->search.gradient[i] - changed[i];
    }
    double curvature = tide_system_dot(system, moved, changed);
    if (curvature > CURVATURE * tide_system_norm(system, moved) * tide_system_norm(system, changed)) {
        s->curvatures[s->next] = curvature;
        s->next = (s->next + 1) % s->history;
        s->count++;
    }
    return true;
}

static bool forget(tide_descent *descent)
{
    state *s = (state *)descent;
    bool any = s->count > 0;
    s->count = s->next = 0;
    return any;
}

static void destroy(tide_solver *solver)
{
    free_pairs(solver->state);
    tide_descent_destroy(solver);
}

static const tide_descent_method method = { find_direction, move, forget, .forgets_at_contact = false };

const tide_solver_kind tide_lbfgs = {
    .name = "lbfgs",
    .help = "implicit Euler by quasi-Newton steps, which begin as those of local_global and learn the curvature",
    .source = "Liu et al. 2017, Quasi-Newton methods for real-time simulation of hyperelastic materials: sec. 4",
    .fields = fields,
    .options_size = sizeof(options),
    .state_size = sizeof(state),
    .context = &method,
    .order = 1,
    .amplification = tide_backward_euler_amplification,
    .prepare = prepare,
    .step = tide_descent_step,
    .destroy = destroy,
    .describe = tide_descent_describe,
};
