#include "world/odd_solver.h"

#include <stdio.h>
#include <string.h>

odd_behaviour odd;

typedef struct odd_options {
    tide_solver_common common;
    double substep;
} odd_options;

typedef struct odd_state {
    double steps;
    bool prepared;
} odd_state;

static const tide_field fields[] = {
    TIDE_SOLVER_COMMON_FIELDS(odd_options),
    { .name = "substep",
      .type = TIDE_FIELD_REAL,
      .offset = offsetof(odd_options, substep),
      .initial = { 1 },
      .positive = true,
      .maximum = 10,
      .help = "does nothing" },
    { 0 },
};

static tide_status prepare(tide_solver *solver, const tide_system *system, double h, const double *x,
                           uint32_t *bad_particle, tide_error *error)
{
    (void)system, (void)h, (void)x, (void)bad_particle, (void)error;
    ((odd_state *)solver->state)->prepared = true;
    return TIDE_OK;
}

static void move(const tide_step *step, double by)
{
    for (uint32_t p = 0; p < step->system->particle_count; p++)
        for (size_t i = 3 * (size_t)p; i < 3 * (size_t)p + 3; i++) {
            bool pinned = step->system->rows[p] == TIDE_PINNED;
            step->x[i] = odd.diverges ? NAN : pinned ? step->pinned[i] : step->q[i] + step->h * step->velocity[i] + by;
            step->v[i] = odd.diverges ? NAN : step->velocity[i];
        }
}

static tide_status take_step(tide_solver *solver, const tide_step *step, tide_report *report, tide_error *error)
{
    odd_state *state = solver->state;
    state->steps++;
    report->suspect = odd.suspect;
    report->substep = odd.substep;
    report->stable_substep = odd.stable_substep;
    snprintf(report->warning, sizeof report->warning, "%s", odd.warning ? odd.warning : "");
    if (odd.within)
        odd.within(odd.context);
    if (odd.gives_up)
        return tide_fail(error, TIDE_ERROR_NUMERIC, "solver \"odd\"", NULL, NULL, "the odd matrix is singular");
    move(step, 1e-3 * state->steps);
    return TIDE_OK;
}

static void destroy(tide_solver *solver)
{
    (void)solver;
}

static size_t history_size(const tide_solver *solver)
{
    (void)solver;
    return sizeof(double);
}

static void save_history(const tide_solver *solver, void *bytes)
{
    memcpy(bytes, &((const odd_state *)solver->state)->steps, sizeof(double));
}

static tide_status load_history(tide_solver *solver, const void *bytes, size_t size, tide_error *error)
{
    odd_state *state = solver->state;
    if (!state->prepared || size != sizeof(double))
        return tide_fail(error, TIDE_ERROR_STATE, "solver \"odd\"", NULL, NULL, "no history of its own");
    memcpy(&state->steps, bytes, sizeof(double));
    return TIDE_OK;
}

const tide_solver_kind odd_solver = {
    .name = "odd",
    .help = "for tests",
    .source = "",
    .fields = fields,
    .options_size = sizeof(odd_options),
    .state_size = sizeof(odd_state),
    .prepare = prepare,
    .step = take_step,
    .destroy = destroy,
    .history_size = history_size,
    .save_history = save_history,
    .load_history = load_history,
};
