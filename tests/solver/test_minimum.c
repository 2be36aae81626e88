// Methods that minimise g, iterated to the end, reach the same minimum from a start where it is unique.
#include "motion.h"
#include "newton.h"

static const struct {
    const char *name, *options;
} methods[] = {
    { "newton", "tolerance=1e-13,iterations=100" },   { "local_global", "tolerance=1e-11,iterations=100000" },
    { "lbfgs", "tolerance=1e-11,iterations=100000" }, { "nonlinear_cg", "tolerance=1e-11,iterations=100000" },
    { "vbd", "tolerance=1e-11,iterations=100000" },
};

static void test_all_reach_the_same_minimum(void **state)
{
    (void)state;
    for (int index = 0; index < 4; index++)
        for (int damped = 0; damped < 2; damped++) {
            sample s = stepping_sample(index);
            double x[STEPPING_NUMBERS], g = NAN, size = 0;
            for (size_t m = 0; m < sizeof methods / sizeof methods[0]; m++) {
                tide_error error;
                if (!tide_solver_kind_find(methods[m].name, &error))
                    continue;
                char options[128];
                snprintf(options, sizeof options, "%s%s", methods[m].options,
                         damped ? ",damping.mass=1,damping.stiffness=0.01" : "");
                stepping run;
                motion_start(&run, &s, stepping_solver(methods[m].name, options), 1.0 / 30, 1);
                stepping_take(&run);
                if (m == 0) {
                    memcpy(x, run.x, sizeof x);
                    g = run.report.g;
                    for (uint32_t i = 0; i < 3 * s.particle_count; i++)
                        size = fmax(size, fabs(run.x[i] - run.q[i]));
                }
                if (!run.report.converged)
                    fail_msg("%s did not converge on the %s: |grad g| is %g of %g", methods[m].name, s.name,
                             run.report.gradient_norm, run.report.initial_gradient_norm);
                assert_near(run.report.g, g, 1e-8 * fabs(g));
                for (uint32_t i = 0; i < 3 * s.particle_count; i++)
                    if (!(fabs(run.x[i] - x[i]) <= 1e-8 * size))
                        fail_msg("%s stops on the %s at %g from the minimum", methods[m].name, s.name,
                                 fabs(run.x[i] - x[i]));
                stepping_end(&run);
            }
        }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_all_reach_the_same_minimum),
};
TIDE_TEST_SUITE(solver_minimum, tests)
