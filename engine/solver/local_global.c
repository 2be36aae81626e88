// The local/global method of Liu et al. 2013 in the gradient form x <- G(x) = x - A^-1 grad g(x) with A = M + h^2 L.
// The gradient contains the local step (each spring's direction); the solve is the global step.
//
// As d2g/dx2 <= A, g(G(x)) <= g(x) - 1/2 grad' A^-1 grad. Accelerations are safeguarded by this: where a proposal does
// not decrease g, the method takes G(x) instead, so no choice of options makes it diverge. For elements whose Hessian
// may exceed L, as solids, d2g/dx2 <= A does not hold: the step is then halved until g decreases (Liu et al. 2017,
// sec. 3.2).
//
// The published method descends from y alone. Where y has inverted springs, it ends in a minimum on the other side with
// too much energy: a ball of 1 kg and 3e6 N/m, of which a part stands while the rest moves at 2 m/s, 1.2 J, has
// 81,000 J after a step of 1/60 s. With an acceleration it restarts from q (tide_objective_raises_energy), as lbfgs
// does. A few plain iterations from y leave as much energy in springs that are merely stiff, so the two cases cannot be
// told apart then.
#include "base/clock.h"
#include "base/memory.h"
#include "base/stop.h"
#include "solver/anderson.h"
#include "solver/chebyshev.h"
#include "solver/global_step.h"

#include <string.h>

#define OBJECT "solver \"local_global\""
#define ROUNDING 1e-10 // relative to g: smaller differences are rounding
enum { MOST_HALVINGS = 40 };

enum { NONE, ANDERSON, CHEBYSHEV }; // acceleration
static const char *const accelerations[] = { "none", "anderson", "chebyshev", NULL };

typedef struct options {
    tide_solver_common common;
    int iterations;
    double tolerance;
    int acceleration, window;
    double rho; // NAN: "auto"
    int delay;
    int start;
    tide_solve_options solve;
    tide_damping damping;
} options;

static const tide_field fields[] = {
    TIDE_SOLVER_COMMON_FIELDS(options),
    TIDE_ITERATIONS_FIELD(options, iterations, 10, "local and global steps to take"),
    TIDE_TOLERANCE_FIELD(options, tolerance, 0),
    { TIDE_MEMBER(options, acceleration), .type = TIDE_FIELD_CHOICE, .choices = accelerations,
      .help = "extrapolation from past iterations; a proposal that does not decrease g is rejected, and none is made "
              "while contacts move particles" },
    { TIDE_MEMBER(options, window), .type = TIDE_FIELD_INTEGER, .initial = { 5 }, .minimum = 1,
      .maximum = TIDE_ANDERSON_MAX_WINDOW, .help = "with \"anderson\": number of past iterations that it combines" },
    { TIDE_MEMBER(options, rho), .type = TIDE_FIELD_REAL, .word = "auto", .minimum = 0, .positive = true,
      .maximum = 0.99999,
      .help = "with \"chebyshev\": spectral radius of the plain iteration; \"auto\" estimates it from the corrections "
              "during the delay" },
    { TIDE_MEMBER(options, delay), .type = TIDE_FIELD_INTEGER, .initial = { 5 }, .minimum = 1, .maximum = 1e6,
      .help = "with \"chebyshev\": number of plain iterations before the acceleration starts (10 in Wang 2015)" },
    TIDE_START_FIELD(options, start, "with an acceleration: "),
    TIDE_SOLVE_FIELD(options, solve, tide_solve_fields, TIDE_CHOLESKY_FAST, "global steps"),
    TIDE_DAMPING_FIELD(options, tide_damping_fields),
    { 0 },
};

typedef struct state {
    tide_objective objective;
    tide_global_step global;
    double *gradient, *correction; // (3 * particle_count); A^-1 grad g(x)
    uint32_t particle_count;
    tide_anderson anderson;
    tide_chebyshev chebyshev;
    double *proposal, *proposal_gradient; // (3 * particle_count) used with an acceleration
    uint32_t proposal_count;
    bool searches; // the Hessian may exceed A: steps are shortened until g decreases
} state;

// --- preparation ----------------------------------------------------------------------------------------------------

static tide_status make_pair(state *s, double **a, double **b, uint32_t *count, const tide_system *system,
                             tide_error *error)
{
    double *arrays[] = { *a, *b };
    tide_status status = tide_solver_arrays(s, arrays, 2, count, system, OBJECT, error);
    *a = arrays[0];
    *b = arrays[1];
    return status;
}

// Prepares the selected acceleration and frees the other one.
static tide_status prepare_acceleration(state *s, const options *o, const tide_system *system, tide_error *error)
{
    if (o->acceleration != ANDERSON)
        tide_anderson_free(&s->anderson);
    if (o->acceleration != CHEBYSHEV)
        tide_chebyshev_free(&s->chebyshev);
    s->searches = tide_system_exceeds_laplacian(system);
    if (o->acceleration == NONE && !s->searches)
        return TIDE_OK;
    TIDE_TRY(make_pair(s, &s->proposal, &s->proposal_gradient, &s->proposal_count, system, error));
    if (o->acceleration == NONE)
        return TIDE_OK;
    return o->acceleration == ANDERSON ? tide_anderson_prepare(&s->anderson, (uint32_t)o->window, system, error)
                                       : tide_chebyshev_prepare(&s->chebyshev, system, error);
}

static tide_status prepare(tide_solver *solver, const tide_system *system, double h, const double *x,
                           uint32_t *bad_particle, tide_error *error)
{
    state *s = solver->state;
    const options *o = solver->options;
    (void)x;
    tide_status status = make_pair(s, &s->gradient, &s->correction, &s->particle_count, system, error);
    if (!status)
        status = prepare_acceleration(s, o, system, error);
    if (!status)
        status = tide_objective_prepare(&s->objective, system, h, &o->damping, error);
    if (!status)
        status = tide_global_step_prepare(&s->global, &s->objective, &o->solve, OBJECT, bad_particle, error);
    if (status)
        s->objective.system = NULL;
    return status;
}

// --- the step -------------------------------------------------------------------------------------------------------

// The state of an iteration.
typedef struct progress {
    double value, norm; // g, NAN: not known; norm of its gradient
    double touched;     // m: largest displacement by contacts
    int left;           // iterations left
    bool lost;          // x is not finite
    bool stuck;         // no shorter step decreases g: x is its minimum up to rounding
} progress;

// Computes grad g at x. The norm and g are computed only where the tolerance or the report needs them.
static void local_phase(state *s, const options *o, const double *x, bool last, progress *at, tide_report *report)
{
    double start = tide_clock_seconds();
    at->value = NAN;
    if (last)
        at->value = tide_objective_evaluate(&s->objective, x, s->gradient, &at->norm);
    else if (o->tolerance > 0)
        at->norm = tide_objective_gradient(&s->objective, x, s->gradient);
    else
        tide_objective_find_gradient(&s->objective, x, s->gradient);
    report->local_seconds += tide_clock_seconds() - start;
}

static tide_status global_phase(state *s, const options *o, const tide_step *step, double *most, tide_report *report,
                                tide_error *error)
{
    double start = tide_clock_seconds();
    const tide_system *system = step->system;
    tide_status status =
        o->acceleration != NONE || s->searches
            ? tide_global_step_solve(&s->global, system, s->gradient, s->correction, error)
            : tide_global_step_descend(&s->global, system, s->gradient, s->correction, step->x, most, error);
    report->global_seconds += tide_clock_seconds() - start;
    return status;
}

static void begin_acceleration(state *s, const options *o)
{
    if (o->acceleration == ANDERSON)
        tide_anderson_begin(&s->anderson);
    if (o->acceleration == CHEBYSHEV)
        tide_chebyshev_begin(&s->chebyshev, o->rho, (uint32_t)o->delay);
}

static void propose(state *s, const options *o, const tide_step *step, tide_report *report)
{
    double start = tide_clock_seconds();
    if (o->acceleration == ANDERSON)
        tide_anderson_propose(&s->anderson, step->x, s->gradient, s->correction, s->proposal);
    else
        tide_chebyshev_propose(&s->chebyshev, step->system, step->x, s->gradient, s->correction, s->proposal);
    report->global_seconds += tide_clock_seconds() - start;
}

// Returns true if g is smaller at the proposal; its gradient is then known too. A decrease hidden by rounding is judged
// by the slopes at both ends.
static bool decreases(state *s, const tide_step *step, double before, double *after, double *norm, tide_report *report)
{
    double start = tide_clock_seconds();
    double reached;
    *after = tide_objective_evaluate(&s->objective, s->proposal, s->proposal_gradient, &reached);
    report->local_seconds += tide_clock_seconds() - start;
    double change = *after - before;
    if (!(change <= ROUNDING * fabs(before)))
        return false;
    *norm = reached;
    if (change < -ROUNDING * fabs(before))
        return true;
    double sum = 0;
    for (size_t i = 0; i < 3 * (size_t)s->particle_count; i++)
        sum += (s->gradient[i] + s->proposal_gradient[i]) * (s->proposal[i] - step->x[i]);
    return sum < 0;
}

static void swap(double **a, double **b)
{
    double *c = *a;
    *a = *b;
    *b = c;
}

static void take_proposal(state *s, const tide_step *step, progress *at, double value)
{
    memcpy(step->x, s->proposal, 3 * (size_t)s->particle_count * sizeof *step->x);
    swap(&s->gradient, &s->proposal_gradient);
    at->value = value;
}

// Takes the longest of the steps A^-1 grad g, 1/2 of it, 1/4 of it, ... that decreases g. Stays where none does.
static void take_shortened(state *s, const tide_step *step, progress *at, tide_report *report)
{
    double length = 1, after;
    for (int halving = 0; halving < MOST_HALVINGS; halving++, length /= 2) {
        for (size_t i = 0; i < 3 * (size_t)s->particle_count; i++)
            s->proposal[i] = step->x[i] - length * s->correction[i];
        if (decreases(s, step, at->value, &after, &at->norm, report)) {
            take_proposal(s, step, at, after);
            return;
        }
        report->line_searches++;
    }
    at->stuck = true;
}

// Takes x <- G(x), and evaluates g and its gradient there.
static void take_plain(state *s, const tide_step *step, progress *at, tide_report *report)
{
    if (s->searches) {
        take_shortened(s, step, at, report);
        return;
    }
    for (size_t i = 0; i < 3 * (size_t)s->particle_count; i++)
        step->x[i] -= s->correction[i];
    double start = tide_clock_seconds();
    at->value = tide_objective_evaluate(&s->objective, step->x, s->gradient, &at->norm);
    report->local_seconds += tide_clock_seconds() - start;
}

// Moves x to the proposal, or else to G(x), and evaluates g and its gradient there. While contacts move x, an iteration
// is G(x) alone: an extrapolation from iterations with other contact forces would push against the contacts and gain
// energy.
static void accelerate(state *s, const options *o, const tide_step *step, progress *at, tide_report *report)
{
    if (at->touched > 0) {
        if (o->acceleration == CHEBYSHEV)
            tide_chebyshev_skip(&s->chebyshev, step->x);
        take_plain(s, step, at, report);
        report->plain_iterations++;
        return;
    }
    propose(s, o, step, report);
    double after;
    if (decreases(s, step, at->value, &after, &at->norm, report)) {
        take_proposal(s, step, at, after);
        return;
    }
    report->line_searches++;
    if (o->acceleration == CHEBYSHEV)
        tide_chebyshev_restart(&s->chebyshev);
    take_plain(s, step, at, report);
}

static void restart_acceleration(state *s, const options *o)
{
    if (o->acceleration == ANDERSON)
        tide_anderson_begin(&s->anderson);
    if (o->acceleration == CHEBYSHEV)
        tide_chebyshev_restart(&s->chebyshev);
}

// Solves contacts. If they moved x, which changes g, evaluates g again and restarts the acceleration, whose history
// belongs to another g. `most` is the largest displacement of the iteration, 0: not known.
static void touch(state *s, const options *o, const tide_step *step, double most, bool last, progress *at,
                  tide_report *report)
{
    tide_global_compliance compliance = tide_global_step_compliance(&s->global, step->system);
    compliance.base.moved = most;
    at->touched = tide_step_iterate_compliant(step, step->x, s->objective.y, step->h, &compliance.base,
                                              last ? TIDE_ITERATION_LAST : TIDE_ITERATION_BETWEEN, report);
    if (at->touched > 0 && (o->acceleration != NONE || s->searches)) {
        restart_acceleration(s, o);
        at->stuck = false;
        at->value = tide_objective_evaluate(&s->objective, step->x, s->gradient, &at->norm);
    }
}

static tide_status iterate(state *s, const options *o, const tide_step *step, progress *at, tide_report *report,
                           tide_error *error)
{
    double most = 0;
    TIDE_TRY(global_phase(s, o, step, &most, report, error));
    bool last = --at->left == 0;
    report->iterations++;
    if (o->acceleration != NONE || s->searches) {
        if (o->acceleration != NONE)
            accelerate(s, o, step, at, report);
        else
            take_plain(s, step, at, report);
        touch(s, o, step, 0, last, at, report);
        return TIDE_OK;
    }
    at->lost = isnan(most);
    touch(s, o, step, most, last, at, report);
    local_phase(s, o, step->x, last || at->lost, at, report);
    return TIDE_OK;
}

static void begin_lower(state *s, const tide_step *step, progress *at, tide_report *report)
{
    double start = tide_clock_seconds();
    if (tide_global_step_begin_lower(&s->global, step, &s->objective, s->proposal, s->proposal_gradient, &at->value,
                                     &at->norm)) {
        memcpy(step->x, s->proposal, 3 * (size_t)s->particle_count * sizeof *step->x);
        swap(&s->gradient, &s->proposal_gradient);
    }
    report->local_seconds += tide_clock_seconds() - start;
}

// Starts the step at y with contacts, and evaluates g and its gradient there.
static progress begin(state *s, const options *o, const tide_step *step, tide_report *report)
{
    progress at = { .value = NAN };
    tide_objective_predict(&s->objective, step);
    tide_objective_begin(&s->objective, step->q);
    memcpy(step->x, s->objective.y, 3 * (size_t)s->particle_count * sizeof *step->x);
    tide_global_compliance compliance = tide_global_step_compliance(&s->global, step->system);
    at.touched = tide_step_iterate_compliant(step, step->x, s->objective.y, step->h, &compliance.base,
                                             TIDE_ITERATION_FIRST, report);
    double start = tide_clock_seconds();
    if (o->acceleration != NONE || s->searches)
        at.value = tide_objective_evaluate(&s->objective, step->x, s->gradient, &at.norm);
    else
        at.norm = tide_objective_gradient(&s->objective, step->x, s->gradient);
    report->local_seconds += tide_clock_seconds() - start;
    return at;
}

static tide_status descend(state *s, const options *o, const tide_step *step, double target, progress *at,
                           tide_report *report, tide_error *error)
{
    at->left = o->iterations;
    begin_acceleration(s, o);
    // A norm that is NaN stays NaN: the step has diverged, which the caller detects.
    while (at->left > 0 && !isnan(at->norm) && !at->lost && !at->stuck && !tide_stop_requested() &&
           !(o->tolerance > 0 && at->norm <= target && at->touched <= TIDE_CONTACT_TOLERANCE)) {
        tide_status status = iterate(s, o, step, at, report, error);
        if (status)
            return status;
    }
    if (isnan(at->value)) {
        double start = tide_clock_seconds();
        at->value = tide_objective_value(&s->objective, step->x);
        report->local_seconds += tide_clock_seconds() - start;
    }
    return TIDE_OK;
}

static tide_status take_step(tide_solver *solver, const tide_step *step, tide_report *report, tide_error *error)
{
    state *s = solver->state;
    const options *o = solver->options;
    if (!tide_objective_is_for(&s->objective, step->system, step->h))
        return tide_solver_fail_unprepared(solver, error);
    progress at = begin(s, o, step, report);
    double initial = at.norm;
    if (o->acceleration != NONE && at.touched == 0 && o->start == TIDE_START_LOWEST)
        begin_lower(s, step, &at, report);
    report->accelerates = o->acceleration != NONE;
    double target = tide_objective_target(&s->objective, o->tolerance, initial);
    TIDE_TRY(descend(s, o, step, target, &at, report, error));
    if (o->acceleration != NONE &&
        tide_objective_raises_energy(&s->objective, step, report, step->x, at.value, s->correction)) {
        memcpy(step->x, s->correction, 3 * (size_t)s->particle_count * sizeof *step->x);
        at.value = tide_objective_evaluate(&s->objective, step->x, s->gradient, &at.norm);
        TIDE_TRY(descend(s, o, step, target, &at, report, error));
    }
    tide_step_finish_velocities(step);
    double start = tide_clock_seconds();
    tide_objective_report(&s->objective, at.value, initial, at.norm, o->tolerance, report);
    tide_global_step_tell(&s->global, report);
    report->local_seconds += tide_clock_seconds() - start;
    return TIDE_OK;
}

static void destroy(tide_solver *solver)
{
    state *s = solver->state;
    tide_objective_free(&s->objective);
    tide_global_step_free(&s->global);
    tide_anderson_free(&s->anderson);
    tide_chebyshev_free(&s->chebyshev);
}

static tide_cholesky_info describe(const tide_solver *solver)
{
    const state *s = solver->state;
    return tide_global_step_describe(&s->global);
}

const tide_solver_kind tide_local_global = {
    .name = "local_global",
    .help = "implicit Euler by local and global steps with a matrix factored once; stable at any timestep",
    .source = "Liu et al. 2013, Fast simulation of mass-spring systems: eq. 8 and 14, sec. 4; accelerated: Peng et al. "
              "2018, alg. 1; Wang 2015, alg. 1",
    .fields = fields,
    .options_size = sizeof(options),
    .state_size = sizeof(state),
    .order = 1,
    .rigid_stiffness = 5,
    .rigid_place = 1,
    .amplification = tide_backward_euler_amplification,
    .prepare = prepare,
    .step = take_step,
    .destroy = destroy,
    .describe = describe,
};
