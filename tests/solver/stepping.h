// Steps of a sample under a solver, for tests.
#ifndef TIDE_TESTS_STEPPING_H
#define TIDE_TESTS_STEPPING_H

#include "../model/samples.h"
#include "solver/solver.h"

enum { STEPPING_NUMBERS = 3 * SAMPLE_PARTICLES };

typedef struct stepping {
    tide_system *system;
    tide_solver *solver;
    double h;
    double q[STEPPING_NUMBERS], velocity[STEPPING_NUMBERS], force[STEPPING_NUMBERS], pinned[STEPPING_NUMBERS];
    double x[STEPPING_NUMBERS], v[STEPPING_NUMBERS];
    tide_report report;
} stepping;

// A solver with one option set as on a command line (NULL: none).
static inline tide_solver *stepping_solver(const char *name, const char *option, const char *value)
{
    tide_error error;
    tide_solver *solver = NULL;
    const tide_solver_kind *kind = tide_solver_kind_find(name, &error);
    assert_non_null(kind);
    _Alignas(16) char options[256];
    assert_true(kind->options_size <= sizeof options);
    tide_fields_default(kind->fields, options);
    if (option) {
        const tide_field *field = tide_field_find(kind->fields, name, option, &error);
        assert_non_null(field);
        assert_ok(tide_field_parse(field, name, options, value, &error), error);
    }
    assert_ok(tide_solver_create(kind, options, &solver, &error), error);
    return solver;
}

// At the sample's positions, at rest, under gravity, its pins staying.
static inline void stepping_start(stepping *run, const sample *s, tide_solver *solver, double h)
{
    tide_error error;
    uint32_t bad;
    *run = (stepping) { .system = sample_system(s), .solver = solver, .h = h };
    memcpy(run->q, s->x, sizeof run->q);
    memcpy(run->pinned, s->x, sizeof run->pinned);
    for (uint32_t p = 0; p < s->particle_count; p++)
        run->force[3 * p + 1] = -9.81 * s->masses[p];
    assert_ok(tide_solver_prepare(solver, run->system, h, run->q, &bad, &error), error);
}

static inline void stepping_take(stepping *run)
{
    tide_error error;
    tide_step step = { run->system, run->h, run->q, run->velocity, run->force, run->pinned, run->x, run->v,
                       NULL,        0,      1,      NULL };
    assert_ok(tide_solver_step(run->solver, &step, &run->report, &error), error);
}

// Makes the result the start of the next step.
static inline void stepping_go_on(stepping *run)
{
    memcpy(run->q, run->x, sizeof run->q);
    memcpy(run->velocity, run->v, sizeof run->velocity);
}

static inline void stepping_end(stepping *run)
{
    tide_solver_destroy(run->solver);
    tide_system_destroy(run->system);
}

// y = q + h v + h^2 M^-1 f, and the pins' targets.
static inline void stepping_predict(const stepping *run, const sample *s, double *y)
{
    for (uint32_t i = 0; i < 3 * s->particle_count; i++)
        y[i] = s->pinned[i / 3]
                   ? run->pinned[i]
                   : run->q[i] + run->h * run->velocity[i] + run->h * run->h * run->force[i] / s->masses[i / 3];
}

#endif
