// Explicit methods on samples, for tests: solvers with several options, motion about rest without forces.
#ifndef TIDE_TESTS_EXPLICIT_RUNS_H
#define TIDE_TESTS_EXPLICIT_RUNS_H

#include "solver/explicit.h"
#include "stepping.h"

#include <stdio.h>

// A solver with options as on a command line: "substep=0.01,damping=auto,filter.lambda=2".
static inline tide_solver *explicit_solver(const char *name, const char *options)
{
    tide_error error;
    tide_solver *solver = NULL;
    const tide_solver_kind *kind = tide_solver_kind_find(name, &error);
    assert_non_null(kind);
    _Alignas(16) char object[512];
    char text[256];
    assert_true(kind->options_size <= sizeof object);
    tide_fields_default(kind->fields, object);
    snprintf(text, sizeof text, "%s", options ? options : "");
    for (char *item = strtok(text, ","); item; item = strtok(NULL, ",")) {
        char *value = strchr(item, '=');
        assert_non_null(value);
        *value++ = '\0';
        assert_ok(tide_fields_parse(kind->fields, name, object, item, value, &error), error);
    }
    assert_ok(tide_solver_create(kind, object, &solver, &error), error);
    return solver;
}

static inline tide_solver *explicit_solver_with(const char *name, const char *format, double number)
{
    char options[256];
    snprintf(options, sizeof options, format, number);
    return explicit_solver(name, options);
}

static inline const char *const *explicit_names(void)
{
    enum { MOST = 16 };
    static const char *names[MOST];
    uint32_t count = 0;
    const tide_solver_kind *kind;
    for (uint32_t i = 0; (kind = tide_solver_kind_at(i)); i++)
        if (tide_field_find(kind->fields, "", "safety", NULL)) {
            assert_true(count + 1 < MOST);
            names[count++] = kind->name;
        }
    names[count] = NULL;
    return names;
}

// At rest and without gravity.
static inline void explicit_start(stepping *run, const sample *s, tide_solver *solver, double h)
{
    stepping_start(run, s, solver, h);
    memset(run->force, 0, sizeof run->force);
}

// One spring to a point in one dimension, with damping d0: x'' = -k x - d x'.
static inline sample explicit_oscillator(double k)
{
    sample s = { .name = "oscillator", .anchor_count = 1, .anchors = { { .stiffness = 0.4 * k } } };
    sample_particle(&s, 0.4, 0, 0, 0);
    return s;
}

// A random graph whose springs are all at rest, without anchors.
static inline sample explicit_graph(uint64_t seed)
{
    sample s = sample_graph(seed);
    s.anchor_count = 0;
    return s;
}

// A cloth of 4 x 4 particles with bending springs, two of them pinned.
static inline sample explicit_cloth(void)
{
    enum { SIDE = 4 };
    sample s = { .name = "small cloth" };
    for (uint32_t i = 0; i < SIDE * SIDE; i++)
        sample_particle(&s, 0.1, 0.2 * (i % SIDE), 0, 0.2 * (i / SIDE));
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        bool right = i % SIDE + 1 < SIDE, down = i / SIDE + 1 < SIDE;
        if (right)
            sample_join(&s, i, i + 1, 80);
        if (down)
            sample_join(&s, i, i + SIDE, 80);
        if (right && down)
            sample_join(&s, i, i + SIDE + 1, 80);
        if (i % SIDE + 2 < SIDE)
            sample_join(&s, i, i + 2, 20);
        if (i / SIDE + 2 < SIDE)
            sample_join(&s, i, i + 2 * SIDE, 20);
    }
    s.pinned[0] = s.pinned[SIDE - 1] = true;
    return s;
}

// k0 by Jacobi rotations on M^-1/2 K M^-1/2, K projected; `direction` (3 * particle_count): M^-1/2 of its eigenvector.
static inline double explicit_dense_eigenvalue(const sample *s, const double *x, double *direction)
{
    enum { MOST = 3 * SAMPLE_PARTICLES };
    static double dense[MOST * MOST], vectors[MOST * MOST];
    tide_error error;
    tide_system *system = sample_system(s);
    tide_sparse hessian = { 0 };
    assert_ok(tide_system_hessian(system, x, true, &hessian, &error), error);
    size_t n = 3 * (size_t)system->free_count, top = 0;
    dense_from_sparse(&hessian, dense);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            dense[i * n + j] /=
                sqrt(system->masses[system->free_particles[i / 3]] * system->masses[system->free_particles[j / 3]]);
    dense_eigen(n, dense, vectors);
    for (size_t i = 1; i < n; i++)
        if (dense[i * n + i] > dense[top * n + top])
            top = i;
    double value = dense[top * n + top];
    if (direction) {
        memset(direction, 0, 3 * (size_t)s->particle_count * sizeof *direction);
        for (size_t i = 0; i < n; i++) {
            uint32_t p = system->free_particles[i / 3];
            direction[3 * p + i % 3] = vectors[i * n + top] / sqrt(system->masses[p]);
        }
    }
    tide_sparse_free(&hessian);
    tide_system_destroy(system);
    return value;
}

// The largest distance that a coordinate is seen to have from rest, over the amplitude of the start, within `steps`
// substeps of h or until it is beyond 1e3. The solver's substep is h.
static inline double explicit_growth(const sample *s, tide_solver *solver, double h, const double *direction, int steps)
{
    const double amplitude = 1e-7;
    stepping run;
    tide_random random = tide_random_seed(11);
    enum { AT_ONCE = 5 };
    explicit_start(&run, s, solver, AT_ONCE * h);
    for (uint32_t i = 0; i < 3 * s->particle_count; i++)
        if (!s->pinned[i / 3])
            run.q[i] += amplitude * ((direction ? direction[i] : 0) + test_uniform(&random, -0.1, 0.1));
    double farthest = 0;
    for (int n = 0; n < steps && farthest < 1e3; n += AT_ONCE) {
        stepping_take(&run);
        stepping_go_on(&run);
        for (uint32_t i = 0; i < 3 * s->particle_count; i++)
            farthest = fmax(farthest, fabs(run.q[i] - s->x[i]) / amplitude);
        if (!isfinite(run.q[0] + run.q[3 * s->particle_count - 1]))
            farthest = INFINITY;
    }
    stepping_end(&run);
    return farthest;
}

#endif
