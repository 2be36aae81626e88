// local_global accelerated by Anderson's and by Chebyshev's method.
#include "descent.h"
#include "solver/anderson.h"
#include "solver/chebyshev.h"

static const char *const ways[] = { "acceleration=anderson",
                                    "acceleration=anderson,window=1",
                                    "acceleration=anderson,window=20",
                                    "acceleration=chebyshev",
                                    "acceleration=chebyshev,delay=1",
                                    "acceleration=chebyshev,rho=0.9",
                                    "acceleration=chebyshev,rho=0.99999,delay=1" };
enum { WAYS = sizeof ways / sizeof ways[0] };

// --- the mathematics, on 1/2 x' H x - b' x with A the unit matrix and a diagonal H -----------------------------------

enum { PARTICLES = 4, NUMBERS = 3 * PARTICLES };

static tide_system *free_particles(void)
{
    tide_error error;
    tide_system *system;
    assert_ok(tide_system_create(PARTICLES, &system, &error), error);
    assert_ok(tide_system_finish(system, &error), error);
    return system;
}

static void gradient_at(const double *h, const double *x, double *gradient)
{
    for (int i = 0; i < NUMBERS; i++)
        gradient[i] = h[i] * (x[i] - 0.1 * i);
}

// With as many differences as H has other eigenvalues, Anderson's method ends (as GMRES does); with fewer, not.
static void test_anderson_ends_on_linear_problems(void **state)
{
    (void)state;
    static const double eigenvalues[] = { 0.9, 0.4, 0.1, 0.02 };
    tide_error error;
    tide_system *system = free_particles();
    double h[NUMBERS], x[NUMBERS], gradient[NUMBERS], next[NUMBERS];
    for (int i = 0; i < NUMBERS; i++)
        h[i] = eigenvalues[i % 4];
    for (uint32_t window = 1; window <= 6; window++) {
        tide_anderson anderson = { 0 };
        assert_ok(tide_anderson_prepare(&anderson, window, system, &error), error);
        for (int again = 0; again < 2; again++) {
            tide_anderson_begin(&anderson);
            for (int i = 0; i < NUMBERS; i++)
                x[i] = cos(i + again);
            for (int k = 0; k < 5; k++) {
                gradient_at(h, x, gradient);
                tide_anderson_propose(&anderson, x, gradient, gradient, next);
                memcpy(x, next, sizeof x);
            }
            gradient_at(h, x, gradient);
            assert_true((tide_system_norm(system, gradient) < 1e-8) == (window >= 4));
            for (int k = 0; k < 20; k++) { // differences of nothing but rounding do no harm
                gradient_at(h, x, gradient);
                tide_anderson_propose(&anderson, x, gradient, gradient, next);
                memcpy(x, next, sizeof x);
            }
            gradient_at(h, x, gradient);
            assert_true(window < 4 || tide_system_norm(system, gradient) < 1e-11);
        }
        tide_anderson_free(&anderson);
    }
    tide_system_destroy(system);
}

// The next correction, were it linear, is the smallest that two differences can make: no other weights do better.
static void test_anderson_is_least_squares(void **state)
{
    (void)state;
    tide_error error;
    tide_system *system = free_particles();
    tide_anderson anderson = { 0 };
    assert_ok(tide_anderson_prepare(&anderson, 2, system, &error), error);
    tide_anderson_begin(&anderson);
    double a[NUMBERS], h[NUMBERS], x[4][NUMBERS], gradient[NUMBERS], correction[NUMBERS], f[3][NUMBERS];
    for (int i = 0; i < NUMBERS; i++) {
        a[i] = 1 + 0.3 * i; // A, and H below it
        h[i] = a[i] * (0.05 + 0.9 * fabs(sin(i)));
        x[0][i] = cos(i);
    }
    for (int k = 0; k < 3; k++) {
        gradient_at(h, x[k], gradient);
        for (int i = 0; i < NUMBERS; i++) {
            correction[i] = gradient[i] / a[i];
            f[k][i] = -correction[i];
        }
        tide_anderson_propose(&anderson, x[k], gradient, correction, x[k + 1]);
    }
    double best = INFINITY, next[NUMBERS], weights[2] = { 0 };
    for (double u = -3; u <= 3; u += 0.01)
        for (double v = -3; v <= 3; v += 0.01) {
            double sum = 0;
            for (int i = 0; i < NUMBERS; i++) {
                double left = f[2][i] - u * (f[2][i] - f[1][i]) - v * (f[1][i] - f[0][i]);
                sum += a[i] * left * left;
            }
            if (sum < best) {
                best = sum;
                weights[0] = u;
                weights[1] = v;
            }
        }
    for (int i = 0; i < NUMBERS; i++) {
        double g[3];
        for (int k = 0; k < 3; k++)
            g[k] = x[k][i] + f[k][i];
        next[i] = g[2] - weights[0] * (g[2] - g[1]) - weights[1] * (g[1] - g[0]);
        assert_near(x[3][i], next[i], 0.02);
    }
    tide_anderson_free(&anderson);
    tide_system_destroy(system);
}

// The error of every mode of the iteration, with factor m a step, is T_k(m / rho) / T_k(1 / rho) of that at the start.
static void test_chebyshev_makes_the_polynomials(void **state)
{
    (void)state;
    tide_error error;
    tide_system *system = free_particles();
    tide_chebyshev chebyshev = { 0 };
    assert_ok(tide_chebyshev_prepare(&chebyshev, system, &error), error);
    const double rho = 0.95;
    double h[NUMBERS], x[NUMBERS], start[NUMBERS], gradient[NUMBERS], next[NUMBERS], before[NUMBERS], now[NUMBERS];
    for (int i = 0; i < NUMBERS; i++) {
        h[i] = 1 - rho * i / NUMBERS;
        start[i] = x[i] = 0.1 * i + 1 + sin(i);
        before[i] = 1;
        now[i] = (1 - h[i]) / rho;
    }
    double below = 1, scale = 1 / rho;
    tide_chebyshev_begin(&chebyshev, rho, 1);
    for (int k = 1; k <= 12; k++) {
        gradient_at(h, x, gradient);
        tide_chebyshev_propose(&chebyshev, system, x, gradient, gradient, next);
        memcpy(x, next, sizeof x);
        for (int i = 0; i < NUMBERS; i++) {
            assert_near(x[i] - 0.1 * i, now[i] / scale * (start[i] - 0.1 * i), 1e-13);
            double after = 2 * (1 - h[i]) / rho * now[i] - before[i];
            before[i] = now[i];
            now[i] = after;
        }
        double higher = 2 / rho * scale - below;
        below = scale;
        scale = higher;
    }
    tide_chebyshev_free(&chebyshev);
    tide_system_destroy(system);
}

static void test_chebyshev_waits_and_estimates(void **state)
{
    (void)state;
    tide_error error;
    tide_system *system = free_particles();
    tide_chebyshev chebyshev = { 0 };
    assert_ok(tide_chebyshev_prepare(&chebyshev, system, &error), error);
    double h[NUMBERS], x[NUMBERS], gradient[NUMBERS], next[NUMBERS], sizes[9];
    for (int i = 0; i < NUMBERS; i++) {
        h[i] = 0.1 + 0.07 * i;
        x[i] = 1 + i;
    }
    tide_chebyshev_begin(&chebyshev, TIDE_NOT_GIVEN, 4);
    for (int k = 0; k < 6; k++) {
        gradient_at(h, x, gradient);
        sizes[k] = tide_system_norm(system, gradient);
        assert_int_equal(tide_given(chebyshev.rho), k > 4);
        tide_chebyshev_propose(&chebyshev, system, x, gradient, gradient, next);
        for (int i = 0; i < NUMBERS; i++)
            assert_true((next[i] == x[i] - gradient[i]) == (k < 4));
        memcpy(x, next, sizeof x);
    }
    double ratio = sizes[4] / sizes[3], root = sqrt(1 - chebyshev.rho * chebyshev.rho);
    assert_true(ratio > 0.5 && ratio < 0.9 && chebyshev.rho > ratio);
    assert_near(chebyshev.rho / (1 + root), ratio, 1e-12); // the rate at which it converges in the end
    tide_chebyshev_restart(&chebyshev);
    assert_true(chebyshev.since == 0);
    tide_chebyshev_free(&chebyshev);
    tide_system_destroy(system);
}

// --- the solver -----------------------------------------------------------------------------------------------------

static void test_iterated_to_the_end_it_is_the_minimiser(void **state)
{
    (void)state;
    for (int way = 0; way < WAYS; way++) {
        char options[128];
        snprintf(options, sizeof options, "tolerance=1e-11,iterations=20000,%s", ways[way]);
        descent_check_minimum("local_global", options);
    }
}

static void test_g_decreases(void **state)
{
    (void)state;
    for (int way = 0; way < WAYS; way++)
        descent_check_monotone("local_global", ways[way]);
}

// Far from the minimum, most ways make proposals that are refused; all stay below where they were.
static void test_a_bad_proposal_is_not_taken(void **state)
{
    (void)state;
    for (int way = 0; way < WAYS; way++) {
        uint32_t refused = 0;
        for (uint64_t seed = 0; seed < 10; seed++) {
            sample s = sample_cloth();
            tide_random random = tide_random_seed(seed);
            stepping run;
            char options[128];
            snprintf(options, sizeof options, "iterations=100,%s", ways[way]);
            method_start(&run, &s, stepping_solver("local_global", options), 0.1, seed);
            sample_disturb(run.q, s.particle_count, 0.3, &random);
            double y[STEPPING_NUMBERS];
            stepping_predict(&run, &s, y);
            stepping_take(&run);
            refused += run.report.line_searches;
            assert_int_equal(run.report.iterations, 100);
            assert_true(run.report.g < tide_system_objective(run.system, run.h, y, y));
            stepping_end(&run);
        }
        assert_true(refused > 0 || way == 4 || way == 5);
    }
}

static void test_fewer_iterations(void **state)
{
    (void)state;
    uint32_t rough = descent_iterations("local_global", "", 1e-3);
    uint32_t fine = descent_iterations("local_global", "", 1e-6);
    assert_true(2 * descent_iterations("local_global", "acceleration=anderson", 1e-3) < rough);
    assert_true(3 * descent_iterations("local_global", "acceleration=anderson", 1e-6) < fine);
    assert_true(descent_iterations("local_global", "acceleration=chebyshev", 1e-3) < rough);
    assert_true(3 * descent_iterations("local_global", "acceleration=chebyshev", 1e-6) < 2 * fine);
    assert_true(2 * descent_iterations("local_global", "acceleration=chebyshev,rho=0.995", 1e-6) < fine);
}

static void test_options_of_no_acceleration_change_nothing(void **state)
{
    (void)state;
    sample s = sample_cloth();
    double x[STEPPING_NUMBERS], other[STEPPING_NUMBERS];
    descent_after("local_global", "", &s, 1, 12, x);
    descent_after("local_global", "acceleration=none,window=9,rho=0.5,delay=2", &s, 1, 12, other);
    assert_memory_equal(x, other, 3 * s.particle_count * sizeof *x);
    descent_after("local_global", "acceleration=chebyshev,delay=12", &s, 1, 12, other); // is yet to begin
    for (uint32_t i = 0; i < 3 * s.particle_count; i++)
        assert_near(x[i], other[i], 1e-14);
}

static void test_refused_options(void **state)
{
    (void)state;
    tide_error error;
    char options[256];
    const tide_solver_kind *kind = tide_solver_kind_at(0);
    tide_fields_default(kind->fields, options);
    static const char *const bad[][2] = { { "rho", "1" },      { "rho", "0" },   { "rho", "fast" },
                                          { "window", "0" },   { "delay", "0" }, { "acceleration", "andersen" },
                                          { "window", "1000" } };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_fails(tide_fields_parse(kind->fields, kind->name, options, bad[i][0], bad[i][1], &error), error,
                     bad[i][0]);
    assert_ok(tide_fields_parse(kind->fields, kind->name, options, "rho", "auto", &error), error);
}

// Prepared with another acceleration, it does as a fresh one, and keeps no arrays of the last.
static void test_change_of_acceleration(void **state)
{
    (void)state;
    sample s = sample_cloth();
    stepping run;
    method_start(&run, &s, stepping_solver("local_global", ""), 0.05, 6);
    uint64_t blocks = tide_memory_count().blocks;
    for (int round = 0; round < 2 * WAYS; round++) {
        tide_error error;
        uint32_t bad;
        stepping fresh;
        method_start(&fresh, &s, stepping_solver("local_global", ways[round % WAYS]), 0.05, 6);
        tide_solver_set_options(run.solver, tide_solver_options(fresh.solver));
        assert_ok(tide_solver_prepare(run.solver, run.system, run.h, run.q, &bad, &error), error);
        stepping_take(&fresh);
        stepping_take(&run);
        assert_memory_equal(run.x, fresh.x, 3 * s.particle_count * sizeof *run.x);
        stepping_end(&fresh);
    }
    assert_int_equal(tide_solver_describe(run.solver).factorizations, 1);
    assert_true(tide_memory_count().blocks <= blocks + 3); // two for a proposal, one for Chebyshev
    stepping_end(&run);
}

static void test_what_every_method_does(void **state)
{
    (void)state;
    for (int way = 0; way < WAYS; way += 3) {
        method_check_momentum("local_global", ways[way], 1e-12);
        method_check_allocates_nothing("local_global", ways[way]);
        method_check_failing_allocations("local_global", ways[way]);
        method_check_reuse("local_global", ways[way]);
        method_check_report("local_global", ways[way]);
    }
    method_check_threads("local_global", "acceleration=anderson,iterations=4");
    method_check_threads("local_global", "acceleration=chebyshev,delay=2,iterations=4");
}

static void test_start(void **state)
{
    (void)state;
    descent_check_start("local_global", "acceleration=anderson");
    descent_check_start("local_global", "acceleration=chebyshev");
}

static void test_a_diverged_step_ends_at_once(void **state)
{
    (void)state;
    for (int way = 0; way < WAYS; way++) {
        char options[128];
        snprintf(options, sizeof options, "iterations=1000000,%s", ways[way]);
        sample s = sample_chain();
        stepping run;
        stepping_start(&run, &s, stepping_solver("local_global", options), 0.1);
        run.velocity[3 * (s.particle_count - 1)] = NAN;
        stepping_take(&run);
        assert_int_equal(run.report.iterations, 0);
        stepping_end(&run);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_anderson_ends_on_linear_problems),
    cmocka_unit_test(test_anderson_is_least_squares),
    cmocka_unit_test(test_chebyshev_makes_the_polynomials),
    cmocka_unit_test(test_chebyshev_waits_and_estimates),
    cmocka_unit_test(test_iterated_to_the_end_it_is_the_minimiser),
    cmocka_unit_test(test_g_decreases),
    cmocka_unit_test(test_a_bad_proposal_is_not_taken),
    cmocka_unit_test(test_fewer_iterations),
    cmocka_unit_test(test_options_of_no_acceleration_change_nothing),
    cmocka_unit_test(test_refused_options),
    cmocka_unit_test(test_change_of_acceleration),
    cmocka_unit_test(test_what_every_method_does),
    cmocka_unit_test(test_start),
    cmocka_unit_test(test_a_diverged_step_ends_at_once),
};
TIDE_TEST_SUITE(solver_acceleration, tests)
