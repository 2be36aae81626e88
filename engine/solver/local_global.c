// The local/global method of Liu et al. 2013 in the gradient form x <- x - A^-1 grad g(x) with A = M + h^2 L. The
// gradient holds the local step (each spring's direction), the solve is the global step.
#include "base/clock.h"
#include "base/memory.h"
#include "linear/cholesky.h"
#include "solver/solver.h"

#include <stdio.h>
#include <string.h>

#define OBJECT "solver \"local_global\""

typedef struct options {
    int iterations;
    double tolerance;
} options;

static const tide_field fields[] = {
    { .name = "iterations",
      .type = TIDE_FIELD_INTEGER,
      .offset = offsetof(options, iterations),
      .initial = { 10 },
      .minimum = 1,
      .maximum = 1e6,
      .help = "local and global steps to take in a timestep, at most" },
    { .name = "tolerance",
      .type = TIDE_FIELD_REAL,
      .offset = offsetof(options, tolerance),
      .initial = { 0 },
      .minimum = 0,
      .maximum = INFINITY,
      .help = "stop when |grad g(x)| <= tolerance * |grad g(y)|; 0 takes all iterations" },
    { 0 },
};

typedef struct state {
    tide_cholesky *cholesky; // of A
    uint32_t particle_count, free_count;
    double h;
    double *y, *gradient; // (3 * particle_count)
    double *correction;   // (3 * free_count) A^-1 grad g(x)
    bool ready;
} state;

static bool resize(double **numbers, uint32_t *have, uint32_t need)
{
    if (*numbers && *have == need)
        return true;
    tide_free(*numbers);
    *numbers = tide_allocate_zeroed(need, 3 * sizeof **numbers);
    *have = *numbers ? need : 0;
    return *numbers;
}

static tide_status make_workspaces(state *s, const tide_system *system, tide_error *error)
{
    if (!s->cholesky) {
        tide_status status = tide_cholesky_create(&s->cholesky, error);
        if (status)
            return status;
    }
    uint32_t y_count = s->particle_count;
    if (!resize(&s->y, &y_count, system->particle_count) ||
        !resize(&s->gradient, &s->particle_count, system->particle_count) ||
        !resize(&s->correction, &s->free_count, system->free_count))
        return tide_fail_memory(error, OBJECT);
    return TIDE_OK;
}

static tide_status factor(state *s, const tide_system *system, double h, uint32_t *bad_particle, tide_error *error)
{
    tide_sparse matrix = { 0 };
    tide_status status = tide_system_matrix(system, h, &matrix, error);
    if (status)
        return status;
    uint32_t bad_row = 0;
    status = tide_cholesky_factor(s->cholesky, &matrix, &bad_row, error);
    tide_sparse_free(&matrix);
    if (status != TIDE_ERROR_NUMERIC || bad_row >= system->free_count)
        return status;
    uint32_t particle = system->free_particles[bad_row];
    if (bad_particle)
        *bad_particle = particle;
    char value[32];
    snprintf(value, sizeof value, "%u", particle);
    return tide_fail(error, TIDE_ERROR_NUMERIC, OBJECT, "particle", value,
                     "the matrix M + h^2 L is not positive definite here; raise the particle's mass, or lower the "
                     "timestep or the stiffness of its springs (which must not be negative)");
}

static tide_status prepare(void *state_, const void *options_, const tide_system *system, double h,
                           uint32_t *bad_particle, tide_error *error)
{
    state *s = state_;
    (void)options_;
    s->ready = false;
    tide_status status = make_workspaces(s, system, error);
    if (!status)
        status = factor(s, system, h, bad_particle, error);
    if (!status) // the first solve makes the factor's workspace
        status = tide_cholesky_solve(s->cholesky, 3, s->correction, s->correction, error);
    if (status)
        return status;
    s->h = h;
    s->ready = true;
    return TIDE_OK;
}

// y = q + h v~ + h^2 M^-1 f_ext, the minimiser without springs; pinned particles where they are to be.
static void predict(const tide_step *step, double *y)
{
    const tide_system *system = step->system;
    for (uint32_t p = 0; p < system->particle_count; p++) {
        size_t i = 3 * (size_t)p;
        if (system->rows[p] == TIDE_PINNED) {
            memcpy(y + i, step->pinned + i, 3 * sizeof *y);
            continue;
        }
        double factor = step->h * step->h / system->masses[p];
        for (size_t end = i + 3; i < end; i++)
            y[i] = step->q[i] + step->h * step->velocity[i] + factor * step->force[i];
    }
}

// grad g at step->x; returns its norm.
static double local_phase(state *s, const tide_step *step, tide_report *report)
{
    double start = tide_clock_seconds();
    tide_system_objective_gradient(step->system, step->h, s->y, step->x, s->gradient);
    double norm = tide_system_norm(step->system, s->gradient);
    report->local_seconds += tide_clock_seconds() - start;
    return norm;
}

static tide_status global_phase(state *s, const tide_step *step, tide_report *report, tide_error *error)
{
    double start = tide_clock_seconds();
    const tide_system *system = step->system;
    tide_system_gather(system, s->gradient, s->correction);
    tide_status status = tide_cholesky_solve(s->cholesky, 3, s->correction, s->correction, error);
    if (status)
        return status;
    for (uint32_t row = 0; row < system->free_count; row++) {
        double *x = step->x + 3 * (size_t)system->free_particles[row];
        for (uint32_t k = 0; k < 3; k++)
            x[k] -= s->correction[3 * (size_t)row + k];
    }
    report->global_seconds += tide_clock_seconds() - start;
    return TIDE_OK;
}

static tide_status take_step(void *state_, const void *options_, const tide_step *step, tide_report *report,
                             tide_error *error)
{
    state *s = state_;
    const options *o = options_;
    const tide_system *system = step->system;
    if (!s->ready || s->particle_count != system->particle_count || s->free_count != system->free_count ||
        s->h != step->h)
        return tide_fail(error, TIDE_ERROR_STATE, OBJECT, NULL, NULL,
                         "it was not prepared for this system and timestep; prepare it after every change");
    size_t numbers = 3 * (size_t)system->particle_count;
    predict(step, s->y);
    memcpy(step->x, s->y, numbers * sizeof *s->y);
    double norm = local_phase(s, step, report), initial = norm;
    // A norm that is not a number stays so: the step has diverged, as the caller will see.
    while (report->iterations < (uint32_t)o->iterations && !(o->tolerance > 0 && norm <= o->tolerance * initial) &&
           !isnan(norm)) {
        tide_status status = global_phase(s, step, report, error);
        if (status)
            return status;
        norm = local_phase(s, step, report);
        report->iterations++;
    }
    for (size_t i = 0; i < numbers; i++)
        step->v[i] = (step->x[i] - step->q[i]) / step->h;
    double start = tide_clock_seconds();
    report->g = tide_system_objective(system, step->h, s->y, step->x);
    report->local_seconds += tide_clock_seconds() - start;
    report->initial_gradient_norm = initial;
    report->gradient_norm = norm;
    report->converged = norm <= o->tolerance * initial;
    return TIDE_OK;
}

static void destroy(void *state_)
{
    state *s = state_;
    tide_cholesky_destroy(s->cholesky);
    tide_free(s->y);
    tide_free(s->gradient);
    tide_free(s->correction);
}

static tide_cholesky_info describe(const void *state_)
{
    const state *s = state_;
    return s->cholesky ? tide_cholesky_describe(s->cholesky) : (tide_cholesky_info) { 0 };
}

const tide_solver_kind tide_local_global = {
    .name = "local_global",
    .help = "implicit Euler by local and global steps with a matrix factored once: stable at any timestep",
    .source = "Liu et al. 2013, Fast simulation of mass-spring systems: eq. 8 and 14, sec. 4",
    .fields = fields,
    .options_size = sizeof(options),
    .state_size = sizeof(state),
    .prepare = prepare,
    .step = take_step,
    .destroy = destroy,
    .describe = describe,
};
