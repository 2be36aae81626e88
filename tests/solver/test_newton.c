#include "../linear/failing.h"
#include "base/parallel.h"
#include "motion.h"
#include "newton.h"

static const char *const ways[] = { "", "definite=shifted", "linear=cholmod", "linear=pcg",
                                    "linear=pcg,definite=shifted" };
enum { WAYS = sizeof ways / sizeof ways[0] };

static tide_solver *exact(const char *way)
{
    char options[128];
    snprintf(options, sizeof options, "tolerance=1e-13,iterations=60%s%s", *way ? "," : "", way);
    return stepping_solver("newton", options);
}

static void test_finds_what_an_independent_newton_finds(void **state)
{
    (void)state;
    for (int index = 0; index < 4; index++)
        for (uint64_t seed = 0; seed < 4; seed++) {
            double y[STEPPING_NUMBERS], x[STEPPING_NUMBERS];
            sample s = stepping_sample(index);
            for (size_t way = 0; way < WAYS; way++) {
                stepping run;
                motion_start(&run, &s, exact(ways[way]), 1.0 / 30, seed);
                newton n = { &s, run.h, y };
                if (way == 0) {
                    stepping_predict(&run, &s, y);
                    memcpy(x, y, sizeof x);
                    assert_true(newton_minimise(&n, x) < 1e-12);
                }
                stepping_take(&run);
                assert_true(run.report.converged && run.report.iterations > 0);
                assert_true((run.report.linear_iterations > 0) == (strstr(ways[way], "pcg") != NULL));
                assert_near(run.report.g, newton_objective(&n, x), 1e-13);
                for (uint32_t i = 0; i < 3 * s.particle_count; i++) {
                    assert_near(run.x[i], x[i], 1e-10);
                    assert_near(run.v[i], (x[i] - run.q[i]) / run.h, 1e-8);
                    if (s.pinned[i / 3])
                        assert_true(run.x[i] == run.pinned[i]);
                }
                stepping_end(&run);
            }
        }
}

// Compressed springs make the Hessian indefinite: each way still goes down to a minimum.
static void test_crumpled_cloth(void **state)
{
    (void)state;
    for (size_t way = 0; way < WAYS; way++)
        for (uint64_t seed = 0; seed < 6; seed++) {
            sample s = sample_cloth();
            stepping run;
            tide_random random = tide_random_seed(seed);
            motion_start(&run, &s, exact(ways[way]), 0.1, seed);
            sample_disturb(run.q, s.particle_count, 0.3, &random);
            double y[STEPPING_NUMBERS];
            stepping_predict(&run, &s, y);
            newton n = { &s, run.h, y };
            stepping_take(&run);
            assert_true(run.report.converged && run.report.g < newton_objective(&n, y));
            static double hessian[NEWTON_MAX * NEWTON_MAX]; // positive definite: a minimum, no saddle
            enum { SIZE = 3 * 36 };
            double gradient[SIZE];
            newton_derivatives(&n, run.x, gradient, hessian);
            assert_true(newton_length(SIZE, gradient) <= 1e-12 * run.report.initial_gradient_norm);
            assert_true(dense_cholesky_solve(SIZE, hessian, gradient));
            stepping_end(&run);
        }
}

static void test_convergence_is_quadratic(void **state)
{
    (void)state;
    sample s = sample_cloth();
    double norms[12];
    int last = 0;
    for (int iterations = 1; iterations < 12; iterations++) {
        char options[64];
        snprintf(options, sizeof options, "tolerance=0,iterations=%d", iterations);
        stepping run;
        motion_start(&run, &s, stepping_solver("newton", options), 1.0 / 30, 2);
        stepping_take(&run);
        assert_true(run.report.iterations <= (uint32_t)iterations);
        assert_false(run.report.converged);
        norms[iterations] = run.report.gradient_norm / run.report.initial_gradient_norm;
        if (norms[iterations] > 1e-12)
            last = iterations;
        stepping_end(&run);
    }
    assert_in_range(last, 2, 8);
    assert_true(norms[last + 1] < 100 * norms[last] * norms[last] + 1e-13);
}

static void test_warm_start(void **state)
{
    (void)state;
    sample s = sample_cloth();
    stepping cold, warm;
    motion_start(&cold, &s, exact(""), 1.0 / 30, 4);
    motion_start(&warm, &s, exact("warm_start=2000"), 1.0 / 30, 4);
    stepping_take(&cold);
    stepping_take(&warm);
    assert_true(warm.report.iterations < cold.report.iterations);
    assert_true(warm.report.initial_gradient_norm == cold.report.initial_gradient_norm); // at y for both
    for (uint32_t i = 0; i < 3 * s.particle_count; i++)
        assert_near(warm.x[i], cold.x[i], 1e-10);
    stepping_end(&cold);
    stepping_end(&warm);
}

// Far from the origin only rounding errors are left to solve: no useless iterations and no warning.
static void test_free_fall_has_converged(void **state)
{
    (void)state;
    sample s = sample_graph(2);
    memset(s.pinned, 0, sizeof s.pinned);
    s.anchor_count = 0;
    for (uint32_t i = 0; i < 3 * s.particle_count; i++)
        s.x[i] += 100;
    stepping run;
    stepping_start(&run, &s, stepping_solver("newton", ""), 1.0 / 30);
    stepping_take(&run);
    assert_true(run.report.converged && run.report.iterations == 0);
    for (uint32_t i = 0; i < 3 * s.particle_count; i++)
        assert_near(run.v[i], i % 3 == 1 ? -9.81 / 30 : 0, 1e-10);
    run.q[0] += 0.1; // and the tolerance can be reached from rounding's side
    stepping_end(&run);
    stepping_start(&run, &s, stepping_solver("newton", "tolerance=1e-30,iterations=60"), 1.0 / 30);
    run.q[0] += 0.1;
    stepping_take(&run);
    assert_true(run.report.converged && run.report.iterations < 60);
    stepping_end(&run);
}

static void test_order(void **state)
{
    (void)state;
    motion_assert_order("newton", 1, 0.1);
}

static void test_amplification(void **state)
{
    (void)state;
    motion_assert_amplification("newton", "tolerance=1e-14");
}

static void test_momentum_is_kept(void **state)
{
    (void)state;
    sample s = sample_cloth();
    memset(s.pinned, 0, sizeof s.pinned);
    stepping run;
    motion_start(&run, &s, stepping_solver("newton", "tolerance=1e-13,damping.stiffness=0.01"), 1.0 / 30, 5);
    memset(run.force, 0, sizeof run.force);
    double momentum[3] = { 0 };
    for (uint32_t i = 0; i < 3 * s.particle_count; i++)
        momentum[i % 3] += s.masses[i / 3] * run.velocity[i];
    for (int n = 0; n < 50; n++) {
        stepping_take(&run);
        stepping_go_on(&run);
    }
    for (uint32_t i = 0; i < 3 * s.particle_count; i++)
        momentum[i % 3] -= s.masses[i / 3] * run.velocity[i];
    for (int k = 0; k < 3; k++)
        assert_near(momentum[k], 0, 1e-11);
    stepping_end(&run);
}

static void test_steps_allocate_nothing(void **state)
{
    (void)state;
    sample s = sample_cloth();
    for (size_t way = 0; way < WAYS; way++) {
        stepping run;
        motion_start(&run, &s, exact(ways[way]), 0.1, 1);
        sample_disturb(run.q, s.particle_count, 0.3, &(tide_random) { 1 });
        stepping_take(&run);
        uint64_t allocations = tide_memory_count().allocations;
        for (int n = 0; n < 5; n++) {
            stepping_take(&run);
            stepping_go_on(&run);
        }
        assert_int_equal(tide_memory_count().allocations, allocations);
        stepping_end(&run);
    }
}

// A chain long enough for parallel loops to have two chunks.
static void test_same_bits_for_one_and_two_threads(void **state)
{
    (void)state;
    enum { PARTICLES = 33000, NUMBERS = 3 * PARTICLES };
    double *numbers = tide_allocate_zeroed(6 * NUMBERS, sizeof *numbers);
    double *parameters = tide_allocate_array(2 * PARTICLES, sizeof *parameters);
    uint32_t *vertices = tide_allocate_array(2 * PARTICLES, sizeof *vertices);
    assert_true(numbers && parameters && vertices);
    double *q = numbers, *velocity = q + NUMBERS, *force = velocity + NUMBERS, *x = force + NUMBERS;
    tide_random random = tide_random_seed(1);
    for (uint32_t i = 0; i < PARTICLES; i++) {
        q[3 * i] = 0.01 * i;
        velocity[3 * i + 1] = test_uniform(&random, -1, 1);
        force[3 * i + 2] = test_uniform(&random, -1, 1);
    }
    for (uint32_t e = 0; e + 1 < PARTICLES; e++) {
        vertices[2 * e] = e;
        vertices[2 * e + 1] = e + 1;
        parameters[e] = 100;
        parameters[PARTICLES - 1 + e] = 0.01;
    }
    tide_error error;
    for (int pcg = 0; pcg < 2; pcg++) {
        tide_report reports[2];
        for (int threads = 1; threads <= 2; threads++) {
            tide_set_threads(threads);
            tide_system *system = NULL;
            uint32_t bad;
            tide_solver *solver = stepping_solver("newton", pcg ? "linear=pcg,iterations=2" : "iterations=2");
            assert_ok(tide_system_create(PARTICLES, &system, &error), error);
            assert_ok(tide_system_add(system, &tide_spring, PARTICLES - 1, vertices, parameters, &error), error);
            assert_ok(tide_system_finish(system, &error), error);
            assert_ok(tide_solver_prepare(solver, system, 0.02, q, &bad, &error), error);
            tide_step step = { system,          0.02, q, velocity, force, q, x + (threads - 1) * NUMBERS,
                               x + 2 * NUMBERS, NULL, 0, 1,        NULL };
            assert_ok(tide_solver_step(solver, &step, &reports[threads - 1], &error), error);
            tide_solver_destroy(solver);
            tide_system_destroy(system);
        }
        tide_set_threads(1);
        assert_memory_equal(x, x + NUMBERS, NUMBERS * sizeof *x);
        assert_true(reports[0].g == reports[1].g && reports[0].gradient_norm == reports[1].gradient_norm);
        assert_true(reports[0].iterations == 2);
    }
    tide_free(numbers);
    tide_free(parameters);
    tide_free(vertices);
}

static void test_errors(void **state)
{
    (void)state;
    tide_error error;
    sample s = sample_chain();
    stepping run;
    stepping_start(&run, &s, stepping_solver("newton", ""), 0.1);
    double zero[STEPPING_NUMBERS] = { 0 };
    tide_step step = { run.system, 0.2, zero, zero, zero, zero, run.x, run.v, NULL, 0, 1, NULL };
    assert_fails(tide_solver_step(run.solver, &step, &run.report, &error), error, "it was not prepared");
    run.velocity[20] = NAN;
    stepping_take(&run);
    assert_int_equal(run.report.iterations, 0);
    assert_true(!run.report.converged && isnan(run.x[20]));
    tide_cholesky_info info = tide_solver_describe(run.solver);
    assert_int_equal(info.rows, 27);
    stepping_end(&run);
    stepping_start(&run, &s, stepping_solver("newton", "linear=pcg"), 0.1);
    assert_int_equal(tide_solver_describe(run.solver).rows, s.particle_count);
    stepping_end(&run);

    const tide_solver_kind *kind = tide_solver_kind_find("newton", &error);
    _Alignas(16) char options[512];
    tide_fields_default(kind->fields, options);
    assert_fails(tide_fields_parse(kind->fields, "solver", options, "tolerance", "-1", &error), error, "at least 0");
    assert_fails(tide_fields_parse(kind->fields, "solver", options, "linear", "qr", &error), error, "cholesky");
    assert_fails(tide_fields_parse(kind->fields, "solver", options, "cg_tolerance", "0", &error), error,
                 "greater than 0");

    sample bad = s; // M + h^2 L is not definite, and the particle at fault is named
    bad.springs[bad.spring_count++] = (sample_spring) { 4, 7, -1e5, 0.1 };
    tide_system *system = sample_system(&bad);
    tide_solver *solver = stepping_solver("newton", "");
    uint32_t particle = 999;
    assert_fails(tide_solver_prepare(solver, system, 1.0 / 30, bad.x, &particle, &error), error,
                 "is not positive definite");
    assert_true(particle == 4 || particle == 7);
    tide_solver_destroy(solver);
    tide_system_destroy(system);
}

static void test_no_free_particles(void **state)
{
    (void)state;
    for (size_t way = 0; way < WAYS; way++)
        for (uint32_t count = 0; count <= 2; count++) {
            sample s = { .name = "pinned", .pinned = { true, true } };
            for (uint32_t p = 0; p < count; p++)
                sample_particle(&s, 1, p, 0, 0);
            if (count == 2)
                sample_join(&s, 0, 1, 10);
            stepping run;
            stepping_start(&run, &s, stepping_solver("newton", ways[way]), 0.1);
            run.pinned[1] = 0.5;
            stepping_take(&run);
            assert_true(run.x[1] == (count ? 0.5 : 0) && run.report.gradient_norm == 0 && run.report.converged);
            stepping_end(&run);
        }
}

static void test_one_solver_for_systems_of_any_size(void **state)
{
    (void)state;
    const int order[] = { 0, 2, 1, 3, 0, 3, 2 };
    for (size_t way = 0; way < WAYS; way++) {
        tide_solver *solver = exact(ways[way]);
        for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
            sample s = stepping_sample(order[i]);
            stepping fresh, run;
            motion_start(&fresh, &s, exact(ways[way]), 0.02, 3);
            motion_start(&run, &s, solver, 0.02, 3);
            stepping_take(&fresh);
            stepping_take(&run);
            assert_memory_equal(run.x, fresh.x, 3 * s.particle_count * sizeof *run.x);
            stepping_end(&fresh);
            tide_system_destroy(run.system);
        }
        tide_solver_destroy(solver);
    }
}

static tide_status whole_life(void *context, tide_error *error)
{
    const stepping *run = context;
    uint32_t bad;
    tide_solver *solver = NULL;
    tide_status status =
        tide_solver_create(tide_solver_kind_of(run->solver), tide_solver_options(run->solver), &solver, error);
    if (!status)
        status = tide_solver_prepare(solver, run->system, run->h, run->q, &bad, error);
    tide_solver_destroy(solver);
    return status;
}

static void test_allocation_failures(void **state)
{
    (void)state;
    const char *const names[] = { "newton", "bdf2", "implicit_midpoint" };
    for (size_t k = 0; k < 3; k++)
        for (int pcg = 0; pcg < 2; pcg++) {
            sample s = sample_graph(1);
            stepping run;
            const char *options = pcg ? "linear=pcg,damping.stiffness=0.1" : "damping.stiffness=0.1";
            stepping_start(&run, &s, stepping_solver(names[k], options), 0.1);
            assert_true(fail_each_allocation(whole_life, &run) > 20);
            stepping_end(&run);
            // A solver of which a preparation failed works again when there is memory.
            for (uint64_t n = 0; n < 80; n += 3) {
                sample smaller = sample_chain();
                stepping_start(&run, &s, stepping_solver(names[k], options), 0.1);
                tide_system *system = sample_system(&smaller);
                failing_allocation failing = { .left = n };
                tide_error error;
                uint32_t bad;
                tide_memory_set_failure_hook(fail_in_turn, &failing);
                tide_status status = tide_solver_prepare(run.solver, system, 0.1, smaller.x, &bad, &error);
                tide_memory_set_failure_hook(NULL, NULL);
                assert_int_equal(status, failing.failed ? TIDE_ERROR_MEMORY : TIDE_OK);
                assert_ok(tide_solver_prepare(run.solver, run.system, 0.1, run.q, &bad, &error), error);
                stepping_take(&run);
                tide_system_destroy(system);
                stepping_end(&run);
            }
        }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_finds_what_an_independent_newton_finds),
    cmocka_unit_test(test_crumpled_cloth),
    cmocka_unit_test(test_convergence_is_quadratic),
    cmocka_unit_test(test_warm_start),
    cmocka_unit_test(test_free_fall_has_converged),
    cmocka_unit_test(test_order),
    cmocka_unit_test(test_amplification),
    cmocka_unit_test(test_momentum_is_kept),
    cmocka_unit_test(test_steps_allocate_nothing),
    cmocka_unit_test(test_same_bits_for_one_and_two_threads),
    cmocka_unit_test(test_errors),
    cmocka_unit_test(test_no_free_particles),
    cmocka_unit_test(test_one_solver_for_systems_of_any_size),
    cmocka_unit_test(test_allocation_failures),
};
TIDE_TEST_SUITE(solver_newton, tests)
