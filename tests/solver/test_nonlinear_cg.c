#include "descent.h"

static void test_iterated_to_the_end_it_is_the_minimiser(void **state)
{
    (void)state;
    descent_check_minimum("nonlinear_cg", "tolerance=1e-11,iterations=10000");
}

static void test_g_decreases(void **state)
{
    (void)state;
    descent_check_monotone("nonlinear_cg", "");
}

// d = -z + beta d, beta = max(grad' (z - z_before) / grad_before' z_before, 0), z = A^-1 grad by dense algebra; and how
// far it goes along d is to within a third where the slope is 0.
static void test_directions_are_those_of_polak_and_ribiere(void **state)
{
    (void)state;
    static descent_path path;
    for (int index = 0; index < STEPPING_SAMPLES; index++) {
        sample s = stepping_sample(index);
        descent_follow(&path, "nonlinear_cg", "solve=double", &s, 3); // directions to 1e-8
        double d[STEPPING_NUMBERS] = { 0 }, z[STEPPING_NUMBERS], before[STEPPING_NUMBERS] = { 0 }, square = 0;
        for (int k = 0; k + 1 < (index ? DESCENT_ITERATES : 2); k++) { // the pair is at its minimum at once
            descent_solve(&s, 0.05, path.gradient[k], z);
            double now = descent_dot(&s, path.gradient[k], z), crossed = descent_dot(&s, path.gradient[k], before);
            double beta = k ? fmax((now - crossed) / square, 0) : 0;
            for (uint32_t i = 0; i < 3 * s.particle_count; i++)
                d[i] = beta * d[i] - z[i];
            descent_assert_along(&path, k, &s, d);
            double slope = descent_dot(&s, path.gradient[k], d), after = descent_dot(&s, path.gradient[k + 1], d);
            assert_true(slope < 0 && fabs(after) < fabs(slope) / 3);
            memcpy(before, z, sizeof before);
            square = now;
        }
    }
}

static void test_fewer_iterations_than_local_global(void **state)
{
    (void)state;
    assert_true(2 * descent_iterations("nonlinear_cg", "", 1e-3) < descent_iterations("local_global", "", 1e-3));
    assert_true(3 * descent_iterations("nonlinear_cg", "", 1e-6) < descent_iterations("local_global", "", 1e-6));
}

static void test_tolerance(void **state)
{
    (void)state;
    descent_check_tolerance("nonlinear_cg");
}

static void test_what_every_method_does(void **state)
{
    (void)state;
    descent_check_like_every_method("nonlinear_cg");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_iterated_to_the_end_it_is_the_minimiser),
    cmocka_unit_test(test_g_decreases),
    cmocka_unit_test(test_directions_are_those_of_polak_and_ribiere),
    cmocka_unit_test(test_fewer_iterations_than_local_global),
    cmocka_unit_test(test_tolerance),
    cmocka_unit_test(test_what_every_method_does),
};
TIDE_TEST_SUITE(solver_nonlinear_cg, tests)
