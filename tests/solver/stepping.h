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

// A solver with options "a=1,b=2"; "" for the defaults.
static inline tide_status stepping_try_solver(const char *name, const char *options, tide_solver **solver,
                                              tide_error *error)
{
    const tide_solver_kind *kind = tide_solver_kind_find(name, error);
    assert_non_null(kind);
    _Alignas(16) char values[512], text[256];
    assert_true(kind->options_size <= sizeof values && strlen(options) < sizeof text);
    tide_fields_default(kind->fields, values);
    strcpy(text, options);
    for (char *next, *option = text; *option; option = next) {
        size_t length = strcspn(option, ",");
        next = option + length + (option[length] == ',');
        option[length] = '\0';
        char *value = strchr(option, '=');
        assert_non_null(value);
        *value = '\0';
        assert_ok(tide_fields_parse(kind->fields, name, values, option, value + 1, error), *error);
    }
    return tide_solver_create(kind, values, solver, error);
}

static inline tide_solver *stepping_solver(const char *name, const char *options)
{
    tide_error error;
    tide_solver *solver = NULL;
    assert_ok(stepping_try_solver(name, options, &solver, &error), error);
    return solver;
}

enum { STEPPING_SAMPLES = 4 };
static inline sample stepping_sample(int index)
{
    return index == 0 ? sample_pair() : index == 1 ? sample_chain() : index == 2 ? sample_cloth() : sample_graph(1);
}

// Positions (by `distance`) and velocities disturbed, forces of all directions, pins on their way.
static inline void stepping_start_moving(stepping *run, const sample *s, tide_solver *solver, double h, double distance,
                                         uint64_t seed)
{
    tide_random random = tide_random_seed(seed);
    stepping_start(run, s, solver, h);
    sample_disturb(run->q, s->particle_count, distance, &random);
    sample_disturb(run->velocity, s->particle_count, 1, &random);
    sample_disturb(run->force, s->particle_count, 0.3, &random);
    memcpy(run->pinned, run->q, sizeof run->pinned);
    sample_disturb(run->pinned, s->particle_count, 0.02, &random);
}

static inline tide_step stepping_step(stepping *run)
{
    return (tide_step) { run->system, run->h, run->q, run->velocity, run->force, run->pinned, run->x, run->v,
                         NULL,        0,      1,      NULL };
}

static inline void stepping_take(stepping *run)
{
    tide_error error;
    tide_step step = stepping_step(run);
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
