#include "descent.h"

static void test_iterated_to_the_end_it_is_the_minimiser(void **state)
{
    (void)state;
    descent_check_minimum("lbfgs", "tolerance=1e-11,iterations=10000");
    descent_check_minimum("lbfgs", "tolerance=1e-11,iterations=10000,history=1");
    descent_check_minimum("lbfgs", "tolerance=1e-11,iterations=10000,history=20");
}

static void test_g_decreases(void **state)
{
    (void)state;
    descent_check_monotone("lbfgs", "");
    descent_check_monotone("lbfgs", "history=2");
}

// H <- (I - s y'/y's) H (I - y s'/y's) + s s'/y's on a vector, by recursion from A^-1 (Nocedal and Wright, eq. 6.17).
static void bfgs_product(const descent_path *path, const sample *s, int from, int to, const double *v, double *out)
{
    if (from == to) {
        descent_solve(s, 0.05, v, out);
        return;
    }
    double move[STEPPING_NUMBERS], change[STEPPING_NUMBERS], inner[STEPPING_NUMBERS];
    for (uint32_t i = 0; i < 3 * s->particle_count; i++) {
        move[i] = path->x[to][i] - path->x[to - 1][i];
        change[i] = path->gradient[to][i] - path->gradient[to - 1][i];
    }
    double curvature = descent_dot(s, move, change), along = descent_dot(s, move, v) / curvature;
    for (uint32_t i = 0; i < 3 * s->particle_count; i++)
        inner[i] = v[i] - along * change[i];
    bfgs_product(path, s, from, to - 1, inner, out);
    double factor = along - descent_dot(s, change, out) / curvature;
    for (uint32_t i = 0; i < 3 * s->particle_count; i++)
        out[i] += factor * move[i];
}

static void test_directions_are_those_of_bfgs(void **state)
{
    (void)state;
    static descent_path path;
    for (int index = 1; index < STEPPING_SAMPLES; index++)
        for (int history = 1; history <= 5; history += 2) {
            sample s = stepping_sample(index);
            char options[48];
            snprintf(options, sizeof options, "solve=double,history=%d", history); // directions to 1e-8
            descent_follow(&path, "lbfgs", options, &s, 3);
            for (int k = 0; k + 1 < DESCENT_ITERATES; k++) {
                double d[STEPPING_NUMBERS];
                bfgs_product(&path, &s, k > history ? k - history : 0, k, path.gradient[k], d);
                for (uint32_t i = 0; i < 3 * s.particle_count; i++)
                    d[i] = -d[i];
                assert_true(descent_assert_along(&path, k, &s, d) < 1 + 1e-6);
            }
        }
}

static void test_begins_as_local_global(void **state)
{
    (void)state;
    sample s = sample_cloth();
    double x[STEPPING_NUMBERS], other[STEPPING_NUMBERS];
    descent_after("lbfgs", "", &s, 2, 1, x);
    descent_after("local_global", "", &s, 2, 1, other);
    for (uint32_t i = 0; i < 3 * s.particle_count; i++)
        assert_near(x[i], other[i], 1e-14);
}

static void test_start(void **state)
{
    (void)state;
    descent_check_start("lbfgs", "");
}

static void test_fewer_iterations_than_local_global(void **state)
{
    (void)state;
    uint32_t plain = descent_iterations("local_global", "", 1e-3);
    assert_true(2 * descent_iterations("lbfgs", "", 1e-3) < plain);
    assert_true(3 * descent_iterations("lbfgs", "", 1e-6) < descent_iterations("local_global", "", 1e-6));
}

static void test_tolerance_and_options(void **state)
{
    (void)state;
    tide_error error;
    tide_solver *solver;
    descent_check_tolerance("lbfgs");
    struct {
        char bytes[256];
    } options;
    const tide_solver_kind *kind = tide_solver_kind_find("lbfgs", &error);
    tide_fields_default(kind->fields, &options);
    assert_fails(tide_fields_parse(kind->fields, "lbfgs", &options, "history", "0", &error), error, "history");
    assert_ok(tide_solver_create(kind, &options, &solver, &error), error);
    tide_solver_destroy(solver);
}

static void test_what_every_method_does(void **state)
{
    (void)state;
    descent_check_like_every_method("lbfgs");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_iterated_to_the_end_it_is_the_minimiser),
    cmocka_unit_test(test_g_decreases),
    cmocka_unit_test(test_directions_are_those_of_bfgs),
    cmocka_unit_test(test_begins_as_local_global),
    cmocka_unit_test(test_start),
    cmocka_unit_test(test_fewer_iterations_than_local_global),
    cmocka_unit_test(test_tolerance_and_options),
    cmocka_unit_test(test_what_every_method_does),
};
TIDE_TEST_SUITE(solver_lbfgs, tests)
