#include "explicit_runs.h"

// Linearised at every substep it is symplectic Euler.
static void test_against_symplectic_euler(void **state)
{
    (void)state;
    const char *dampings[] = { "none", "rayleigh,damping.mass=0.5,damping.stiffness=1e-3",
                               "springs,damping.mass=0.5,damping.stiffness=1e-3" };
    sample s = sample_cloth();
    for (int c = 0; c < 3; c++) {
        stepping plain, linear;
        char options[160];
        snprintf(options, sizeof options, "substep=0.002,damping=%s", dampings[c]);
        stepping_start(&plain, &s, explicit_solver("symplectic_euler", options), 0.02);
        snprintf(options, sizeof options, "substep=0.002,relinearize=1e-6,damping=%s", dampings[c]);
        stepping_start(&linear, &s, explicit_solver("linearized_explicit", options), 0.02);
        for (int n = 0; n < 25; n++) {
            stepping_take(&plain);
            stepping_take(&linear);
            assert_int_equal(linear.report.iterations, 10);
            assert_int_equal(linear.report.rejected, 0);
            stepping_go_on(&plain);
            stepping_go_on(&linear);
        }
        for (uint32_t i = 0; i < 3 * s.particle_count; i++)
            assert_near(plain.q[i], linear.q[i], 1e-10);
        stepping_end(&plain);
        stepping_end(&linear);
    }
}

// Anchors alone are linear: one linearisation is as good as many.
static void test_linear_forces_are_exact(void **state)
{
    (void)state;
    sample s = explicit_oscillator(50);
    s.anchors[0].at[1] = 0.4;
    stepping plain, linear;
    stepping_start(&plain, &s, explicit_solver("symplectic_euler", "substep=0.01"), 1);
    stepping_start(&linear, &s, explicit_solver("linearized_explicit", "substep=0.01,relinearize=10"), 1);
    plain.velocity[0] = linear.velocity[0] = 1;
    stepping_take(&plain);
    stepping_take(&linear);
    assert_int_equal(linear.report.iterations, 1 + linear.report.rejected);
    for (int i = 0; i < 3; i++) {
        assert_near(plain.x[i], linear.x[i], 1e-13);
        assert_near(plain.v[i], linear.v[i], 1e-12);
    }
    stepping_end(&plain);
    stepping_end(&linear);
}

// The error of linearising falls with the interval, in proportion at least.
static void test_convergence_in_the_interval(void **state)
{
    (void)state;
    sample s = sample_cloth();
    double errors[4];
    stepping plain;
    stepping_start(&plain, &s, explicit_solver("symplectic_euler", "substep=0.0005"), 0.064);
    for (int n = 0; n < 4; n++) {
        stepping_take(&plain);
        stepping_go_on(&plain);
    }
    for (int level = 0; level < 4; level++) {
        stepping linear;
        char options[96];
        snprintf(options, sizeof options, "substep=0.0005,threshold=1e6,relinearize=%g", 0.032 / (1 << level));
        stepping_start(&linear, &s, explicit_solver("linearized_explicit", options), 0.064);
        for (int n = 0; n < 4; n++) {
            stepping_take(&linear);
            assert_int_equal(linear.report.iterations, 2 << level);
            stepping_go_on(&linear);
        }
        errors[level] = 0;
        for (uint32_t i = 0; i < 3 * s.particle_count; i++)
            errors[level] = fmax(errors[level], fabs(plain.q[i] - linear.q[i]));
        stepping_end(&linear);
    }
    for (int level = 1; level < 4; level++)
        assert_true(errors[level] < 0.6 * errors[level - 1]);
    assert_true(errors[3] > 0);
    stepping_end(&plain);
}

// A speed beyond the threshold discards the substep, unless the linearisation is new.
static void test_divergence_check(void **state)
{
    (void)state;
    sample s = explicit_oscillator(50);
    stepping run;
    stepping_start(&run, &s, explicit_solver("linearized_explicit", "substep=0.01,relinearize=1,threshold=0.2"), 0.1);
    stepping_take(&run); // falls: 9.81 n 0.01 m/s is beyond 0.2 from the third substep on
    assert_int_equal(run.report.rejected, 8);
    assert_int_equal(run.report.iterations, 9);
    assert_int_equal(run.report.substeps, 10);
    stepping_end(&run);
    stepping_start(&run, &s, explicit_solver("linearized_explicit", "substep=0.01,relinearize=1"), 0.1);
    stepping_take(&run);
    assert_int_equal(run.report.rejected, 0);
    stepping_end(&run);
}

static void test_options(void **state)
{
    (void)state;
    tide_error error;
    const tide_solver_kind *kind = tide_solver_kind_find("linearized_explicit", &error);
    _Alignas(16) char options[512];
    tide_fields_default(kind->fields, options);
    const char *refused[][2] = { { "relinearize", "0" },
                                 { "relinearize", "-1" },
                                 { "threshold", "0" },
                                 { "threshold", "none" },
                                 { "substep", "-2" } };
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++)
        assert_fails(tide_fields_parse(kind->fields, kind->name, options, refused[i][0], refused[i][1], &error), error,
                     refused[i][0]);
    assert_ok(tide_fields_parse(kind->fields, kind->name, options, "threshold", "auto", &error), error);
    assert_ok(tide_fields_parse(kind->fields, kind->name, options, "damping.mass", "2", &error), error);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_against_symplectic_euler),
    cmocka_unit_test(test_linear_forces_are_exact),
    cmocka_unit_test(test_convergence_in_the_interval),
    cmocka_unit_test(test_divergence_check),
    cmocka_unit_test(test_options),
};
TIDE_TEST_SUITE(solver_linearized_explicit, tests)
