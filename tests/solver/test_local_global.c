#include "method_checks.h"
#include "motion.h"
#include "newton.h"

static void test_iterated_to_the_end_it_is_the_exact_minimiser(void **state)
{
    (void)state;
    for (int index = 0; index < 4; index++)
        for (uint64_t seed = 0; seed < 5; seed++) {
            sample s = stepping_sample(index);
            stepping run;
            method_start(&run, &s, stepping_solver("local_global", "iterations=1"), 1.0 / 30, seed);
            stepping_take(&run);
            char options[80];
            snprintf(options, sizeof options, "iterations=100000,tolerance=%.17g",
                     0.5e-10 / run.report.initial_gradient_norm);
            stepping_end(&run);

            method_start(&run, &s, stepping_solver("local_global", options), 1.0 / 30, seed);
            stepping_take(&run);
            assert_true(run.report.converged && run.report.gradient_norm < 1e-10);

            double y[STEPPING_NUMBERS], x[STEPPING_NUMBERS];
            stepping_predict(&run, &s, y);
            memcpy(x, y, sizeof x);
            newton n = { &s, run.h, y };
            assert_true(newton_minimise(&n, x) < 1e-12);
            for (uint32_t i = 0; i < 3 * s.particle_count; i++) {
                assert_near(run.x[i], x[i], 1e-8);
                assert_near(run.v[i], (x[i] - run.q[i]) / run.h, 1e-6);
            }
            assert_near(run.report.g, newton_objective(&n, x), 1e-12);
            stepping_end(&run);
        }
}

static void test_one_free_particle_follows_implicit_euler(void **state)
{
    (void)state;
    sample s = { .name = "particle" };
    sample_particle(&s, 0.7, 0.1, 0.2, 0.3);
    stepping run;
    const double h = 1.0 / 30, gravity[3] = { 0, -9.81, 0 }, v0[3] = { 1, 2, -0.5 };
    stepping_start(&run, &s, stepping_solver("local_global", ""), h);
    memcpy(run.velocity, v0, sizeof v0);
    for (int n = 1; n <= 60; n++) {
        stepping_take(&run);
        for (int k = 0; k < 3; k++)
            assert_near(run.x[k], s.x[k] + n * h * v0[k] + gravity[k] * h * h * n * (n + 1) / 2, 1e-12);
        stepping_go_on(&run);
    }
    stepping_end(&run);
}

// The iteration as the paper has it: d by the local step, then (M + h^2 L) x = M y + h^2 J d by dense algebra, pinned
// rows made x = target.
static void literal_iteration(const sample *s, double h, const double *y, double *x)
{
    static double a[SAMPLE_PARTICLES * SAMPLE_PARTICLES], copy[SAMPLE_PARTICLES * SAMPLE_PARTICLES];
    uint32_t n = s->particle_count;
    double rhs[3][SAMPLE_PARTICLES];
    memset(a, 0, sizeof a);
    for (uint32_t p = 0; p < n; p++) {
        a[p * n + p] = s->masses[p];
        for (uint32_t k = 0; k < 3; k++)
            rhs[k][p] = s->masses[p] * y[3 * p + k];
    }
    for (uint32_t e = 0; e < s->spring_count; e++) {
        uint32_t i = s->springs[e].i, j = s->springs[e].j;
        double k = h * h * s->springs[e].stiffness, length = sample_distance(x, i, j);
        a[i * n + i] += k;
        a[j * n + j] += k;
        a[i * n + j] -= k;
        a[j * n + i] -= k;
        for (uint32_t c = 0; c < 3; c++) {
            double d = s->springs[e].rest_length * (x[3 * i + c] - x[3 * j + c]) / length;
            rhs[c][i] += k * d;
            rhs[c][j] -= k * d;
        }
    }
    for (uint32_t b = 0; b < s->anchor_count; b++) {
        uint32_t i = s->anchors[b].i;
        a[i * n + i] += h * h * s->anchors[b].stiffness;
        for (uint32_t c = 0; c < 3; c++)
            rhs[c][i] += h * h * s->anchors[b].stiffness * s->anchors[b].at[c];
    }
    for (uint32_t p = 0; p < n; p++)
        if (s->pinned[p])
            for (uint32_t c = 0; c < 3; c++) {
                rhs[c][p] = y[3 * p + c];
                for (uint32_t q = 0; q < n; q++)
                    a[p * n + q] = p == q;
            }
    for (uint32_t c = 0; c < 3; c++) {
        memcpy(copy, a, sizeof copy);
        assert_true(dense_solve(n, copy, rhs[c]));
        for (uint32_t p = 0; p < n; p++)
            x[3 * p + c] = rhs[c][p];
    }
}

static void test_gradient_form_is_the_papers_iteration(void **state)
{
    (void)state;
    for (int index = 0; index < 4; index++) {
        sample s = stepping_sample(index);
        double y[STEPPING_NUMBERS], x[STEPPING_NUMBERS];
        for (int iterations = 1; iterations <= 8; iterations++) {
            char text[48]; // in double precision: to compare single solves, before iterating has corrected them
            snprintf(text, sizeof text, "solve=%s,iterations=%d", iterations % 2 ? "double" : "cholmod", iterations);
            stepping run;
            method_start(&run, &s, stepping_solver("local_global", text), 0.05, 7);
            if (iterations == 1) {
                stepping_predict(&run, &s, y);
                memcpy(x, y, sizeof x);
            }
            stepping_take(&run);
            assert_int_equal(run.report.iterations, iterations);
            literal_iteration(&s, run.h, y, x);
            for (uint32_t i = 0; i < 3 * s.particle_count; i++)
                assert_near(run.x[i], x[i], 1e-13);
            stepping_end(&run);
        }
    }
}

static void test_report_is_of_the_result(void **state)
{
    (void)state;
    for (int index = 0; index < 4; index++) {
        sample s = stepping_sample(index);
        double previous = INFINITY;
        for (int iterations = 1; iterations <= 32; iterations *= 2) {
            char text[32];
            snprintf(text, sizeof text, "iterations=%d", iterations);
            stepping run;
            method_start(&run, &s, stepping_solver("local_global", text), 1.0 / 30, 8);
            double y[STEPPING_NUMBERS], gradient[STEPPING_NUMBERS];
            stepping_predict(&run, &s, y);
            stepping_take(&run);
            assert_int_equal(run.report.iterations, iterations);
            assert_near(run.report.g, tide_system_objective(run.system, run.h, y, run.x), 1e-15);
            tide_system_objective_gradient(run.system, run.h, y, run.x, gradient);
            assert_near(run.report.gradient_norm, tide_system_norm(run.system, gradient), 1e-15);
            tide_system_objective_gradient(run.system, run.h, y, y, gradient);
            assert_near(run.report.initial_gradient_norm, tide_system_norm(run.system, gradient), 1e-15);
            assert_true(run.report.local_seconds > 0 && run.report.global_seconds > 0);
            assert_true(run.report.local_seconds + run.report.global_seconds <= run.report.step_seconds);
            assert_false(run.report.converged);
            assert_true(run.report.g <= previous + 1e-14); // coordinate descent never climbs
            previous = run.report.g;
            for (uint32_t i = 0; i < 3 * s.particle_count; i++) {
                assert_near(run.v[i], (run.x[i] - run.q[i]) / run.h, 1e-13);
                if (s.pinned[i / 3])
                    assert_true(run.x[i] == run.pinned[i]);
            }
            stepping_end(&run);
        }
    }
}

static void test_tolerance(void **state)
{
    (void)state;
    sample s = sample_graph(1);
    stepping run;
    method_start(&run, &s, stepping_solver("local_global", "tolerance=0.3"), 1.0 / 30, 9);
    stepping_take(&run);
    assert_true(run.report.converged && run.report.iterations >= 1 && run.report.iterations < 10);
    assert_true(run.report.gradient_norm <= 0.3 * run.report.initial_gradient_norm);
    stepping_end(&run);
    method_start(&run, &s, stepping_solver("local_global", "tolerance=1e-12"), 1.0 / 30, 9);
    stepping_take(&run);
    assert_true(!run.report.converged && run.report.iterations == 10);
    stepping_end(&run);
    method_start(&run, &s, stepping_solver("local_global", "tolerance=1"), 1.0 / 30, 9);
    stepping_take(&run); // y itself meets it
    assert_true(run.report.converged && run.report.iterations == 0);
    assert_true(run.report.gradient_norm == run.report.initial_gradient_norm);
    stepping_end(&run);
}

static void test_what_prepare_keeps(void **state)
{
    (void)state;
    tide_error error;
    sample s = sample_cloth(), pinned = s, stiffer = s;
    pinned.pinned[20] = true;
    for (uint32_t e = 0; e < s.spring_count; e++)
        stiffer.springs[e].stiffness *= 2;
    stepping run;
    stepping_start(&run, &s, stepping_solver("local_global", ""), 1.0 / 30);
    tide_cholesky_info info = tide_solver_describe(run.solver);
    assert_int_equal(info.rows, s.particle_count);
    assert_int_equal(info.factorizations, 1);
    uint64_t allocations = tide_memory_count().blocks;
    const struct {
        const sample *s;
        double h;
        uint64_t analyses, factorizations;
    } changes[] = { { &s, 1.0 / 30, 1, 1 },      { &stiffer, 1.0 / 30, 1, 2 }, { &stiffer, 0.01, 1, 3 },
                    { &pinned, 1.0 / 30, 1, 4 }, { &s, 1.0 / 30, 1, 5 },       { &s, 1.0 / 30, 1, 5 } };
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        tide_system *system = sample_system(changes[i].s);
        uint32_t bad;
        assert_ok(tide_solver_prepare(run.solver, system, changes[i].h, s.x, &bad, &error), error);
        info = tide_solver_describe(run.solver);
        assert_int_equal(info.analyses, changes[i].analyses);
        assert_int_equal(info.factorizations, changes[i].factorizations);
        tide_system_destroy(system);
    }
    assert_int_equal(tide_memory_count().blocks, allocations);
    stepping_end(&run);
}

static void test_matrix_not_positive_definite(void **state)
{
    (void)state;
    tide_error error;
    sample s = sample_chain(), bad = s;
    bad.springs[bad.spring_count++] = (sample_spring) { 4, 7, -1e5, 0.1 };
    tide_solver *solver = stepping_solver("local_global", "");
    tide_system *system = sample_system(&bad);
    uint32_t particle = 999;
    assert_fails(tide_solver_prepare(solver, system, 1.0 / 30, s.x, &particle, &error), error,
                 "M + h^2 L is not positive definite");
    assert_int_equal(error.status, TIDE_ERROR_NUMERIC);
    assert_string_equal(error.object, "solver \"local_global\"");
    assert_true(particle == 4 || particle == 7);
    assert_non_null(strstr(error.remedy, "stiffness"));
    double zero[STEPPING_NUMBERS] = { 0 }, x[STEPPING_NUMBERS], v[STEPPING_NUMBERS];
    tide_step step = { system, 1.0 / 30, zero, zero, zero, zero, x, v, NULL, 0, 1, NULL };
    tide_report report;
    assert_fails(tide_solver_step(solver, &step, &report, &error), error, "it was not prepared");
    assert_int_equal(error.status, TIDE_ERROR_STATE);
    tide_system_destroy(system);

    stepping run; // the solver is still good for a good system
    stepping_start(&run, &s, solver, 1.0 / 30);
    stepping_take(&run);
    for (uint32_t i = 0; i < 3 * s.particle_count; i++)
        assert_true(isfinite(run.x[i]));
    step.h = 0.02;
    step.system = run.system;
    assert_fails(tide_solver_step(solver, &step, &report, &error), error, "prepare it after every change");
    stepping_end(&run);
}

static void test_what_every_method_does(void **state)
{
    (void)state;
    method_check_momentum("local_global", "", 1e-12);
    method_check_allocates_nothing("local_global", "");
    method_check_threads("local_global", "");
    method_check_failing_allocations("local_global", "");
    method_check_reuse("local_global", "");
    method_check_report("local_global", "");
}

static void test_motion(void **state)
{
    (void)state;
    motion_assert_amplification("local_global", "iterations=2");
    sample s = motion_pendulum();
    double x[STEPPING_NUMBERS], v[STEPPING_NUMBERS] = { 0 };
    tide_damping none = { 0 };
    memcpy(x, s.x, sizeof x);
    motion_integrate(&s, &none, -9.81, 0.5, 4000, x, v);
    static const char options[] = "tolerance=1e-12,iterations=1000";
    double coarse = motion_error(&s, "local_global", options, 0.5, 1600, x);
    assert_near(log2(coarse / motion_error(&s, "local_global", options, 0.5, 3200, x)), 1, 0.1);
}

// Beside h^2 k = 1e12 kg a mass of 1e-12 kg is lost to rounding: a step would move the centre of mass at random.
static void test_masses_lost_to_rounding_are_refused(void **state)
{
    (void)state;
    tide_error error;
    uint32_t bad = UINT32_MAX;
    for (int k = 0; k < 2; k++) {
        sample s = sample_pair();
        s.springs[0].stiffness = 1e15;
        s.masses[0] = s.masses[1] = k == 0 ? 1e-12 : 1;
        s.pinned[0] = s.pinned[1] = false;
        tide_system *system = sample_system(&s);
        tide_solver *solver = stepping_solver("local_global", "");
        tide_status status = tide_solver_prepare(solver, system, 1.0 / 30, s.x, &bad, &error);
        if (k == 0) {
            assert_int_equal(status, TIDE_ERROR_NUMERIC);
            assert_fails(status, error, "is not positive definite here; raise the particle's mass");
            assert_in_range(bad, 0, 1);
        } else
            assert_ok(status, error); // 1 kg is a thousand times what rounding leaves
        tide_solver_destroy(solver);
        tide_system_destroy(system);
    }
}

static void test_a_diverged_step_ends_at_once(void **state)
{
    (void)state;
    sample s = sample_chain();
    stepping run;
    stepping_start(&run, &s, stepping_solver("local_global", "iterations=1000000"), 0.1);
    run.velocity[3 * (s.particle_count - 1)] = NAN;
    stepping_take(&run);
    assert_int_equal(run.report.iterations, 0);
    assert_false(run.report.converged);
    assert_true(isnan(run.x[3 * (s.particle_count - 1)]));
    stepping_end(&run);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_masses_lost_to_rounding_are_refused),
    cmocka_unit_test(test_a_diverged_step_ends_at_once),
    cmocka_unit_test(test_iterated_to_the_end_it_is_the_exact_minimiser),
    cmocka_unit_test(test_one_free_particle_follows_implicit_euler),
    cmocka_unit_test(test_gradient_form_is_the_papers_iteration),
    cmocka_unit_test(test_report_is_of_the_result),
    cmocka_unit_test(test_tolerance),
    cmocka_unit_test(test_what_prepare_keeps),
    cmocka_unit_test(test_matrix_not_positive_definite),
    cmocka_unit_test(test_what_every_method_does),
    cmocka_unit_test(test_motion),
};
TIDE_TEST_SUITE(solver_local_global, tests)
