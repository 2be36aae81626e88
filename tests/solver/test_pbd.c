#include "method_checks.h"

static const int counts[] = { 1, 2, 7, 40 };

// Whatever the iterations, "auto" leaves of a lone spring's stretch what backward Euler leaves, and a number the rest
// of that share.
static void test_a_lone_spring_keeps_its_share(void **state)
{
    (void)state;
    const double stiffness[] = { -1, 0, 0.3, 1 };
    for (uint64_t seed = 0; seed < 3; seed++)
        for (int i = 0; i < 16; i++) {
            sample s = sample_pair();
            stepping run;
            char options[64], given[16];
            double share = stiffness[i / 4];
            snprintf(given, sizeof given, "%g", share);
            snprintf(options, sizeof options, "iterations=%d,stiffness=%s", counts[i % 4], share < 0 ? "auto" : given);
            method_start(&run, &s, stepping_solver("pbd", options), 1.0 / 30, seed);
            double y[6], w = 1 / s.masses[0] + 1 / s.masses[1], a = run.h * run.h * s.springs[0].stiffness * w;
            stepping_predict(&run, &s, y);
            stepping_take(&run);
            double l = sample_distance(y, 0, 1), r = s.springs[0].rest_length;
            double moved = (l - r) * (share < 0 ? a / (1 + a) : share);
            for (uint32_t k = 0; k < 3; k++) {
                double n = (y[3 + k] - y[k]) / l;
                assert_near(run.x[k], y[k] + moved * n / s.masses[0] / w, 1e-14);
                assert_near(run.x[3 + k], y[3 + k] - moved * n / s.masses[1] / w, 1e-14);
            }
            assert_int_equal(run.report.iterations, counts[i % 4]);
            if (share < 0)
                assert_true(run.report.gradient_norm < 1e-13);
            stepping_end(&run);
        }
}

// With one pass, both methods are one.
static void test_one_iteration_is_that_of_xpbd(void **state)
{
    (void)state;
    for (int index = 0; index < STEPPING_SAMPLES; index++) {
        sample s = stepping_sample(index);
        stepping one, other;
        method_start(&one, &s, stepping_solver("pbd", "iterations=1"), 1.0 / 30, 3);
        method_start(&other, &s, stepping_solver("xpbd", "iterations=1"), 1.0 / 30, 3);
        stepping_take(&one);
        stepping_take(&other);
        for (uint32_t i = 0; i < 3 * s.particle_count; i++)
            assert_near(one.x[i], other.x[i], 1e-14);
        stepping_end(&one);
        stepping_end(&other);
    }
}

// A chain that hangs at rest from its first particle: how far down its last one is.
static double sag(const char *name, const char *options)
{
    sample s = sample_chain();
    stepping run;
    stepping_start(&run, &s, stepping_solver(name, options), 1.0 / 30);
    for (int n = 0; n < 600; n++) {
        stepping_take(&run);
        stepping_go_on(&run);
        for (uint32_t i = 0; i < 3 * s.particle_count; i++)
            run.velocity[i] *= 0.9;
    }
    stepping_end(&run);
    return -run.x[3 * (s.particle_count - 1) + 1];
}

static void test_coupled_springs_come_out_softer(void **state)
{
    (void)state;
    double few = sag("pbd", "iterations=5"), many = sag("pbd", "iterations=200");
    double exact = sag("local_global", "iterations=100"), rest = 0.9;
    assert_near(few, many, 1e-3);
    // The theory's a' / a for the masses in the middle, h^2 k w = 1.5: 1.6; the ends are less coupled.
    assert_true((many - rest) / (exact - rest) > 1.3 && (many - rest) / (exact - rest) < 1.6);
    assert_near(sag("xpbd", "iterations=200"), exact, 1e-4);
    assert_near(sag("pbd", "iterations=200,stiffness=1"), rest, 1e-3);
}

static void test_options(void **state)
{
    (void)state;
    tide_error error;
    const tide_solver_kind *kind = tide_solver_kind_find("pbd", &error);
    _Alignas(16) char values[256];
    assert_non_null(kind);
    tide_fields_default(kind->fields, values);
    const tide_field *field = tide_field_find(kind->fields, "pbd", "stiffness", &error);
    assert_non_null(field);
    assert_fails(tide_field_parse(field, "pbd", values, "1.5", &error), error, "0 to 1");
    assert_fails(tide_field_parse(field, "pbd", values, "-0.1", &error), error, "0 to 1");
    assert_fails(tide_field_parse(field, "pbd", values, "stiff", &error), error, "\"auto\"");
}

static void test_what_every_method_must(void **state)
{
    (void)state;
    method_check_momentum("pbd", "", 1e-13);
    method_check_momentum("pbd", "stiffness=1", 1e-13);
    method_check_report("pbd", "");
    method_check_reuse("pbd", "");
    method_check_allocates_nothing("pbd", "");
    method_check_failing_allocations("pbd", "");
    method_check_threads("pbd", "iterations=3");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_a_lone_spring_keeps_its_share),   cmocka_unit_test(test_one_iteration_is_that_of_xpbd),
    cmocka_unit_test(test_coupled_springs_come_out_softer), cmocka_unit_test(test_options),
    cmocka_unit_test(test_what_every_method_must),
};
TIDE_TEST_SUITE(solver_pbd, tests)
