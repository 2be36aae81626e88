// L-BFGS on the objective of backward Euler with A^-1, the local/global method's, as the initial inverse Hessian.
#include "base/clock.h"
#include "base/memory.h"
#include "solver/global_step.h"
#include "solver/line_search.h"

#include <string.h>

#define OBJECT "solver \"lbfgs\""
#define CURVATURE 1e-10 // a pair with s'y below this part of |s| |y| is not kept
enum { MAX_HISTORY = 50 };

typedef struct options {
    tide_solver_common common;
    int iterations;
    double tolerance;
    int history;
    tide_damping damping;
} options;

static const tide_field fields[] = {
    TIDE_SOLVER_COMMON_FIELDS(options),
    TIDE_ITERATIONS_FIELD(options, iterations, 10, "quasi-Newton steps to take"),
    TIDE_TOLERANCE_FIELD(options, tolerance, 0),
    { .name = "history",
      .type = TIDE_FIELD_INTEGER,
      .offset = offsetof(options, history),
      .initial = { 5 },
      .minimum = 1,
      .maximum = MAX_HISTORY,
      .help = "past iterations of the timestep from which it learns the curvature" },
    TIDE_DAMPING_FIELD(options, tide_damping_fields),
    { 0 },
};

// Pairs s (of positions) and y (of gradients) are in a ring.
typedef struct state {
    tide_objective objective;
    tide_global_step global;
    tide_line_search search;
    double *direction;                // (3 * particle_count)
    double *moves, *changes;          // (history * 3 * particle_count) s and y
    double curvatures[MAX_HISTORY];   // s'y
    uint32_t particle_count, history; // as made
    uint32_t count, next;             // pairs kept, and the slot of the next
} state;

static void free_arrays(state *s)
{
    tide_free(s->direction);
    tide_free(s->moves);
    tide_free(s->changes);
    s->direction = s->moves = s->changes = NULL;
}

static tide_status make_arrays(state *s, uint32_t history, const tide_system *system, tide_error *error)
{
    if (s->changes && s->history == history && s->particle_count == system->particle_count)
        return TIDE_OK;
    free_arrays(s);
    size_t numbers = 3 * (size_t)system->particle_count;
    s->direction = tide_allocate_zeroed(numbers, sizeof *s->direction);
    s->moves = tide_allocate_zeroed(numbers, history * sizeof *s->moves);
    s->changes = s->direction && s->moves ? tide_allocate_zeroed(numbers, history * sizeof *s->changes) : NULL;
    s->history = history;
    s->particle_count = system->particle_count;
    return s->changes ? TIDE_OK : tide_fail_memory(error, OBJECT);
}

static tide_status prepare(tide_solver *solver, const tide_system *system, double h, const double *x,
                           uint32_t *bad_particle, tide_error *error)
{
    state *s = solver->state;
    const options *o = solver->options;
    (void)x;
    tide_status status = make_arrays(s, (uint32_t)o->history, system, error);
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
static tide_status find_direction(state *s, tide_report *report, tide_error *error)
{
    const tide_system *system = s->objective.system;
    double start = tide_clock_seconds(), factors[MAX_HISTORY], *d = s->direction;
    size_t numbers = 3 * (size_t)s->particle_count;
    for (size_t i = 0; i < numbers; i++)
        d[i] = -s->search.gradient[i];
    for (uint32_t age = 0; age < s->count; age++) {
        uint32_t slot = slot_of(s, age);
        factors[age] = tide_system_dot(system, s->moves + numbers * slot, d) / s->curvatures[slot];
        add_multiple(d, -factors[age], s->changes + numbers * slot, s->particle_count);
    }
    tide_status status = tide_global_step_solve(&s->global, system, d, d, error);
    for (uint32_t age = s->count; age-- > 0 && !status;) {
        uint32_t slot = slot_of(s, age);
        double factor = tide_system_dot(system, s->changes + numbers * slot, d) / s->curvatures[slot];
        add_multiple(d, factors[age] - factor, s->moves + numbers * slot, s->particle_count);
    }
    report->global_seconds += tide_clock_seconds() - start;
    return status;
}

// Moves along the direction and keeps the pair that comes of it, when g is convex along it.
static bool move(state *s, tide_report *report)
{
    double start = tide_clock_seconds();
    const tide_system *system = s->objective.system;
    size_t numbers = 3 * (size_t)s->particle_count;
    double *moved = s->moves + numbers * s->next, *changed = s->changes + numbers * s->next;
    bool full = s->count == s->history; // the slot is the oldest pair's
    memcpy(changed, s->search.gradient, numbers * sizeof *changed);
    bool found = tide_line_search_move(&s->search, &s->objective, s->direction, 1);
    report->line_searches += s->search.trials > 1 ? s->search.trials - 1 : 0;
    s->count -= full;
    for (size_t i = 0; found && i < numbers; i++) {
        moved[i] = s->search.length * s->direction[i];
        changed[i] = s->search.gradient[i] - changed[i];
    }
    double curvature = found ? tide_system_dot(system, moved, changed) : 0;
    if (found && curvature > CURVATURE * tide_system_norm(system, moved) * tide_system_norm(system, changed)) {
        s->curvatures[s->next] = curvature;
        s->next = (s->next + 1) % s->history;
        s->count++;
    }
    report->local_seconds += tide_clock_seconds() - start;
    return found;
}

// One step; where what was learnt leads nowhere, one of local/global, which always descends but for rounding.
static tide_status improve(state *s, bool *moved, tide_report *report, tide_error *error)
{
    tide_status status = find_direction(s, report, error);
    *moved = !status && move(s, report);
    if (status || *moved || s->count == 0)
        return status;
    s->count = 0;
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
    s->count = s->next = 0;
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
    free_arrays(s);
}

static tide_cholesky_info describe(const tide_solver *solver)
{
    const state *s = solver->state;
    return tide_global_step_describe(&s->global);
}

const tide_solver_kind tide_lbfgs = {
    .name = "lbfgs",
    .help = "implicit Euler by quasi-Newton steps, which begin as those of local_global and learn the curvature",
    .source = "Liu et al. 2017, Quasi-Newton methods for real-time simulation of hyperelastic materials: sec. 4",
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
