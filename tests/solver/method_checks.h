// Checks that every method must pass, called by its test; and moving samples under solvers given as on a command line.
#ifndef TIDE_TESTS_METHOD_CHECKS_H
#define TIDE_TESTS_METHOD_CHECKS_H

#include "../linear/failing.h"
#include "base/parallel.h"
#include "stepping.h"

#include <stdio.h>

static inline void method_start(stepping *run, const sample *s, tide_solver *solver, double h, uint64_t seed)
{
    stepping_start_moving(run, s, solver, h, 0.03, seed);
}

// A step changes the sum of m v by h times the sum of forces, when nothing is pinned or anchored.
static inline void method_check_momentum(const char *name, const char *options, double tolerance)
{
    for (int index = 0; index < STEPPING_SAMPLES; index++) {
        sample s = stepping_sample(index);
        s.anchor_count = 0;
        memset(s.pinned, 0, sizeof s.pinned);
        stepping run;
        method_start(&run, &s, stepping_solver(name, options), 0.02, 5);
        stepping_take(&run);
        double sum[3] = { 0 };
        for (uint32_t i = 0; i < 3 * s.particle_count; i++)
            sum[i % 3] += s.masses[i / 3] * (run.v[i] - run.velocity[i]) - run.h * run.force[i];
        for (int k = 0; k < 3; k++)
            assert_near(sum[k], 0, tolerance);
        stepping_end(&run);
    }
}

static inline void method_check_allocates_nothing(const char *name, const char *options)
{
    sample s = sample_cloth();
    for (int threads = 1; threads <= 2; threads++) {
        stepping run;
        tide_set_threads(threads);
        method_start(&run, &s, stepping_solver(name, options), 1.0 / 30, 1);
        uint64_t allocations = tide_memory_count().allocations;
        for (int n = 0; n < 20; n++) {
            stepping_take(&run);
            stepping_go_on(&run);
        }
        assert_int_equal(tide_memory_count().allocations, allocations);
        stepping_end(&run);
    }
    tide_set_threads(1);
}

// A large cloth, so that loops have more than one chunk; `q` are its positions.
static inline tide_system *method_large_system(uint32_t side, double *q)
{
    tide_error error;
    tide_system *system = NULL;
    uint32_t particles = side * side, count = 0,
             *vertices = tide_allocate_array(8 * (size_t)particles, sizeof *vertices);
    double *parameters = tide_allocate_array(8 * (size_t)particles, sizeof *parameters);
    bool *pinned = tide_allocate_zeroed(particles, sizeof *pinned);
    assert_true(vertices && parameters && pinned);
    for (uint32_t p = 0; p < particles; p++) {
        uint32_t c = p % side, r = p / side, ends[4] = { p + 1, p + side, p + side + 1, p + side - 1 };
        bool made[4] = { c + 1 < side, r + 1 < side, c + 1 < side && r + 1 < side, c > 0 && r + 1 < side };
        for (int e = 0; e < 4; e++)
            if (made[e]) {
                vertices[2 * count] = p;
                vertices[2 * count++ + 1] = ends[e];
            }
        q[3 * p] = 0.01 * c;
        q[3 * p + 1] = 0;
        q[3 * p + 2] = 0.01 * r;
    }
    for (uint32_t e = 0; e < count; e++) {
        parameters[TIDE_SPRING_STIFFNESS * count + e] = 100;
        parameters[TIDE_SPRING_REST_LENGTH * count + e] = sample_distance(q, vertices[2 * e], vertices[2 * e + 1]);
    }
    assert_ok(tide_system_create(particles, &system, &error), error);
    for (uint32_t p = 0; p < particles; p++)
        system->masses[p] = 1e-3;
    pinned[0] = pinned[side - 1] = true;
    assert_ok(tide_system_add(system, &tide_spring, count, vertices, parameters, &error), error);
    assert_ok(tide_system_set_pinned(system, pinned, &error), error);
    assert_ok(tide_system_finish(system, &error), error);
    tide_free(pinned);
    tide_free(vertices);
    tide_free(parameters);
    return system;
}

// One and two threads give the same bits.
static inline void method_check_threads(const char *name, const char *options)
{
    enum { SIDE = 150, NUMBERS = 3 * SIDE * SIDE };
    tide_error error;
    tide_report reports[2];
    double *numbers = tide_allocate_zeroed(6 * NUMBERS, sizeof *numbers), *q = numbers, *velocity = q + NUMBERS;
    double *force = velocity + NUMBERS, *x = force + NUMBERS, *v = x + 2 * NUMBERS;
    assert_non_null(numbers);
    tide_random random = tide_random_seed(1);
    for (uint32_t i = 0; i < NUMBERS; i++) {
        velocity[i] = test_uniform(&random, -0.2, 0.2);
        force[i] = test_uniform(&random, -0.01, 0.01);
    }
    for (int threads = 1; threads <= 2; threads++) {
        tide_set_threads(threads);
        tide_system *system = method_large_system(SIDE, q);
        tide_solver *solver = stepping_solver(name, options);
        uint32_t bad;
        assert_ok(tide_solver_prepare(solver, system, 0.02, q, &bad, &error), error);
        double *result = x + (threads - 1) * NUMBERS;
        tide_step step = { system, 0.02, q, velocity, force, q, result, v, NULL, 0, 1, NULL };
        assert_ok(tide_solver_step(solver, &step, &reports[threads - 1], &error), error);
        tide_solver_destroy(solver);
        tide_system_destroy(system);
    }
    tide_set_threads(1);
    assert_memory_equal(x, x + NUMBERS, NUMBERS * sizeof *x);
    assert_true(reports[0].g == reports[1].g && reports[0].gradient_norm == reports[1].gradient_norm);
    tide_free(numbers);
}

typedef struct method_life {
    const char *name, *options;
    const tide_system *system;
    const double *x;
} method_life;

static inline tide_status method_whole_life(void *context, tide_error *error)
{
    const method_life *life = context;
    tide_solver *solver = NULL;
    uint32_t bad;
    tide_status status = stepping_try_solver(life->name, life->options, &solver, error);
    if (!status)
        status = tide_solver_prepare(solver, life->system, 0.1, life->x, &bad, error);
    tide_solver_destroy(solver);
    return status;
}

// Each allocation of a whole life failing; and a solver whose preparation failed for want of memory works again when
// there is some.
static inline void method_check_failing_allocations(const char *name, const char *options)
{
    sample s = sample_graph(1), smaller = sample_chain();
    tide_system *system = sample_system(&s);
    method_life life = { name, options, system, s.x };
    uint64_t count = fail_each_allocation(method_whole_life, &life);
    assert_true(count > 3);
    stepping fresh;
    stepping_start(&fresh, &s, stepping_solver(name, options), 0.1);
    stepping_take(&fresh);
    for (uint64_t n = 0; n < count; n++) {
        stepping run;
        failing_allocation failing = { .left = n };
        uint32_t bad;
        tide_error error;
        stepping_start(&run, &s, stepping_solver(name, options), 0.1);
        tide_system *other = sample_system(&smaller);
        tide_memory_set_failure_hook(fail_in_turn, &failing);
        tide_status status = tide_solver_prepare(run.solver, other, 0.1, smaller.x, &bad, &error);
        tide_memory_set_failure_hook(NULL, NULL);
        assert_int_equal(status, failing.failed ? TIDE_ERROR_MEMORY : TIDE_OK);
        tide_step step = {
            run.system, 0.1, run.q, run.velocity, run.force, run.pinned, run.x, run.v, NULL, 0, 1, NULL
        };
        assert_fails(tide_solver_step(run.solver, &step, &run.report, &error), error, "it was not prepared");
        assert_int_equal(error.status, TIDE_ERROR_STATE);
        assert_ok(tide_solver_prepare(run.solver, run.system, 0.1, run.q, &bad, &error), error);
        stepping_take(&run);
        assert_memory_equal(run.x, fresh.x, 3 * s.particle_count * sizeof *run.x);
        tide_system_destroy(other);
        stepping_end(&run);
    }
    stepping_end(&fresh);
    tide_system_destroy(system);
}

// One solver, prepared again for systems of any size, gives the results of a fresh one; without free particles only
// pins move.
static inline void method_check_reuse(const char *name, const char *options)
{
    const int order[] = { 0, 2, 1, 3, 0, 3, 2 };
    tide_solver *solver = stepping_solver(name, options);
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
        sample s = stepping_sample(order[i]);
        stepping fresh, run;
        method_start(&fresh, &s, stepping_solver(name, options), 0.02, 3);
        method_start(&run, &s, solver, 0.02, 3);
        stepping_take(&fresh);
        stepping_take(&run);
        assert_memory_equal(run.x, fresh.x, 3 * s.particle_count * sizeof *run.x);
        assert_true(run.report.substeps == 1 && run.report.iterations > 0 && isfinite(run.report.g));
        stepping_end(&fresh);
        tide_system_destroy(run.system);
    }
    tide_solver_destroy(solver);
    for (uint32_t count = 0; count <= 2; count++) {
        sample s = { .name = "pinned", .pinned = { true, true } };
        for (uint32_t p = 0; p < count; p++)
            sample_particle(&s, 1, p, 0, 0);
        if (count == 2)
            sample_join(&s, 0, 1, 10);
        stepping run;
        stepping_start(&run, &s, stepping_solver(name, options), 0.1);
        run.pinned[1] = 0.5;
        stepping_take(&run);
        assert_true(run.x[1] == (count ? 0.5 : 0) && run.report.gradient_norm == 0 && run.report.converged);
        assert_near(run.v[1], count ? 5 : 0, 1e-14);
        stepping_end(&run);
    }
}

// g and the norms of the report are those of the system's objective at the result and at y.
static inline void method_check_report(const char *name, const char *options)
{
    for (int index = 0; index < STEPPING_SAMPLES; index++) {
        sample s = stepping_sample(index);
        stepping run;
        method_start(&run, &s, stepping_solver(name, options), 1.0 / 30, 8);
        double y[STEPPING_NUMBERS], gradient[STEPPING_NUMBERS];
        stepping_predict(&run, &s, y);
        stepping_take(&run);
        assert_near(run.report.g, tide_system_objective(run.system, run.h, y, run.x), 1e-14);
        tide_system_objective_gradient(run.system, run.h, y, run.x, gradient);
        assert_near(run.report.gradient_norm, tide_system_norm(run.system, gradient), 1e-14);
        tide_system_objective_gradient(run.system, run.h, y, y, gradient);
        assert_near(run.report.initial_gradient_norm, tide_system_norm(run.system, gradient), 1e-14);
        for (uint32_t i = 0; i < 3 * s.particle_count; i++)
            assert_near(run.v[i], (run.x[i] - run.q[i]) / run.h, 1e-12);
        stepping_end(&run);
    }
}

#endif
