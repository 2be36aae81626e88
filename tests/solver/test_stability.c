// The theory of Shinya 2005, and the methods held to it.
#include "explicit_runs.h"

// The spectral radius of the integrator itself, from the steps of (1, 0) and (0, 1).
static double measured_radius(const char *name, double X, double Y)
{
    double matrix[2][2]; // of (x, h v), by column
    sample s = explicit_oscillator(Y);
    for (int c = 0; c < 2; c++) {
        stepping run;
        char options[128];
        snprintf(options, sizeof options, "substep=1,damping=rayleigh,damping.mass=%.17g", X);
        explicit_start(&run, &s, explicit_solver(name, options), 1);
        run.q[0] = c == 0;
        run.velocity[0] = c == 1;
        stepping_take(&run);
        matrix[c][0] = run.x[0];
        matrix[c][1] = run.v[0];
        stepping_end(&run);
    }
    double middle = (matrix[0][0] + matrix[1][1]) / 2;
    double determinant = matrix[0][0] * matrix[1][1] - matrix[1][0] * matrix[0][1];
    double discriminant = middle * middle - determinant;
    return discriminant < 0 ? sqrt(determinant) : fabs(middle) + sqrt(discriminant);
}

static void test_amplification(void **state)
{
    (void)state;
    for (const char *const *name = explicit_names(); *name; name++) {
        const tide_solver_kind *kind = tide_solver_kind_find(*name, NULL);
        for (int i = 0; i <= 12; i++)
            for (int j = 1; j <= 12; j++) {
                double X = 0.37 * i, Y = 0.83 * j;
                assert_near(kind->amplification(X, Y), measured_radius(*name, X, Y), 1e-6);
            }
    }
}

// Shinya eq. 22 to 24, fig. 1 and 2, and the corner of every scheme's region.
static void test_stable_regions(void **state)
{
    (void)state;
    const tide_solver_kind *euler = tide_solver_kind_find("explicit_euler", NULL);
    for (int i = 0; i < 50; i++)
        for (int j = 0; j < 50; j++) {
            double X = 0.1 * i + 0.053, Y = 0.1 * j + 0.021;
            assert_int_equal(euler->amplification(X, Y) < 1, Y < X && Y > 2 * X - 4);
        }
    for (const char *const *name = explicit_names(); *name; name++) {
        const tide_solver_kind *kind = tide_solver_kind_find(*name, NULL);
        const tide_scheme *scheme = kind->context;
        for (int i = 1; i <= 200; i++) // the line of eq. 29 with d0 = 0
            assert_true(kind->amplification(scheme->x_max * i / 200, scheme->y_max * i / 200) < 1 + 1e-7);
        double highest = 0;
        for (int i = 0; i <= 500; i++)
            for (int j = 1; j <= 2000; j++)
                if (kind->amplification(0.01 * i, 0.005 * j) <= 1 + 1e-9)
                    highest = fmax(highest, 0.005 * j);
        assert_near(highest, scheme->y_max, 0.011);
    }
}

static void test_stable_substeps_in_theory(void **state)
{
    (void)state;
    const double k0 = 900;
    const struct {
        const char *name;
        double d0, alpha;
        bool automatic;
        double expected, tolerance;
    } cases[] = {
        { "symplectic_euler", 0, 0, false, 2.0 / 30, 1e-9 },
        { "symplectic_euler", 0, 0, true, 2.0 / 30, 1e-9 },
        { "verlet", 0, 0, false, 2.0 / 30, 1e-9 },
        { "verlet", 0, 0, true, 2.0 / 30, 1e-9 },
        { "explicit_euler", 0, 0, true, 2.0 / 30, 1e-9 }, // Shinya eq. 27
        { "explicit_euler", 0, 0, false, 0, 0 },          // it gains energy at every substep
        { "midpoint", 0, 0, false, 0, 0 },
        { "explicit_euler", 3, 0, true, 2.0 / 30, 1e-5 },
        { "explicit_euler", 40, 0, true, 0.05, 1e-5 },         // eq. 32: h d0 < 2
        { "explicit_euler", 9, 0, false, 0.01, 1e-6 },         // Y < X: h < d0 / k0
        { "explicit_euler", 0, 0.01, false, 0.01, 1e-6 },      // h < alpha
        { "rk4", 0, 0, true, 0.098601, 1e-6 },                 // eq. 33: sqrt(8.75 / k0)
        { "rk4", 0, 0, false, 2.8284271 / 30, 1e-6 },          // Y = 8
        { "midpoint", 0, 0, true, 2.1973682 / 30, 1e-6 },      // sqrt(2 + 2 sqrt(2))
        { "symplectic_euler", 12, 0, false, 0.0546536, 1e-6 }, // h^2 k0 + 2 h d0 = 4
        { "symplectic_euler", 0, 0.1, false, 0.0201850, 1e-6 } // (h^2 + 2 h alpha) k0 = 4
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_near(tide_explicit_stable_substep(tide_solver_kind_find(cases[i].name, NULL), k0, cases[i].d0,
                                                 cases[i].alpha, cases[i].automatic, 0),
                    cases[i].expected, cases[i].tolerance);
    const tide_solver_kind *euler = tide_solver_kind_find("symplectic_euler", NULL);
    assert_true(isinf(tide_explicit_stable_substep(euler, 0, 0, 0, false, 0)));
    assert_near(tide_explicit_stable_substep(euler, 0, 5, 0, false, 0), 0.4, 1e-6);
}

// Just below h_max stable for 10,000 steps, 5 % above it divergent.
static void test_limits(void **state)
{
    (void)state;
    const struct {
        const char *name, *damping;
    } cases[] = { { "explicit_euler", "auto" },

                  { "symplectic_euler", "none" },
                  { "symplectic_euler", "rayleigh,damping.mass=2,damping.stiffness=0.01" },
                  { "verlet", "none" },

                  { "midpoint", "auto" },

                  { "rk4", "none" },
                  { "rk4", "auto" },
                  { "linearized_explicit", "none" },
                  { "verlet", "rayleigh,damping.mass=2,damping.stiffness=0.01" } };
    sample samples[] = { explicit_graph(5), explicit_cloth(), sample_chain() };
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        double direction[STEPPING_NUMBERS], k0 = explicit_dense_eigenvalue(&samples[i], samples[i].x, direction);
        for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
            if (i == 0 && strcmp(cases[c].damping, "auto") == 0 && strcmp(cases[c].name, "rk4") == 0)
                continue; // slow, and on the others
            char options[192];
            stepping run;
            snprintf(options, sizeof options, "damping=%s", cases[c].damping);
            explicit_start(&run, &samples[i], explicit_solver(cases[c].name, options), 0.001);
            stepping_take(&run);
            double longest = run.report.stable_substep;
            assert_near(run.report.largest_eigenvalue / k0, 1, 1e-3);
            stepping_end(&run);
            for (int beyond = 0; beyond < 2; beyond++) {
                double h = (beyond ? 1.05 : 0.995) * longest;
                snprintf(options, sizeof options, "substep=%.17g,damping=%s", h, cases[c].damping);
                double growth =
                    explicit_growth(&samples[i], explicit_solver(cases[c].name, options), h, direction, 10000);
                assert_true(beyond ? growth >= 1000 : growth < 120);
            }
        }
    }
}

// Damping of the springs model has its own modes; the chosen substep is stable but not always the longest.
static void test_springs_damping_is_stable(void **state)
{
    (void)state;
    sample samples[] = { explicit_graph(5), explicit_cloth(), sample_chain() };
    for (const char *const *name = explicit_names(); *name; name++)
        for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
            stepping run;
            explicit_start(&run, &samples[i],
                           explicit_solver(*name, "damping=springs,damping.stiffness=0.005,safety=1"), 0.2);
            stepping_take(&run);
            double h = run.report.substep;
            assert_true(h > 0.5 * run.report.stable_substep);
            stepping_end(&run);
            assert_true(explicit_growth(&samples[i],
                                        explicit_solver(*name, "damping=springs,damping.stiffness=0.005,safety=1"), h,
                                        NULL, 4000) < 30);
        }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_amplification),
    cmocka_unit_test(test_stable_regions),
    cmocka_unit_test(test_stable_substeps_in_theory),
    cmocka_unit_test(test_limits),
    cmocka_unit_test(test_springs_damping_is_stable),
};
TIDE_TEST_SUITE(solver_stability, tests)
