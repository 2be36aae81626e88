#include "method_checks.h"
#include "model/colouring.h"
#include "newton.h"

static void test_iterated_to_the_end_it_is_the_exact_minimiser(void **state)
{
    (void)state;
    for (int index = 0; index < STEPPING_SAMPLES; index++)
        for (uint64_t seed = 0; seed < 3; seed++) {
            sample s = stepping_sample(index);
            stepping run;
            method_start(&run, &s, stepping_solver("vbd", "iterations=20000,tolerance=1e-11"), 1.0 / 30, seed);
            stepping_take(&run);
            assert_true(run.report.converged && run.report.iterations < 20000);
            double y[STEPPING_NUMBERS], x[STEPPING_NUMBERS];
            stepping_predict(&run, &s, y);
            memcpy(x, y, sizeof x);
            newton n = { &s, run.h, y };
            assert_true(newton_minimise(&n, x) < 1e-12);
            double far = 0, off = 0;
            for (uint32_t i = 0; i < 3 * s.particle_count; i++) {
                far += (y[i] - x[i]) * (y[i] - x[i]);
                off += (run.x[i] - x[i]) * (run.x[i] - x[i]);
            }
            assert_true(sqrt(off) < 1e-8 * sqrt(far));
            assert_near(run.report.g, newton_objective(&n, x), 1e-12);
            stepping_end(&run);
        }
}

// One free particle on one spring to a pin: a sweep is one Newton step with the projected Hessian.
static void test_one_particle_takes_newtons_step(void **state)
{
    (void)state;
    sample s = sample_pair();
    s.pinned[0] = true;
    s.springs[0].rest_length *= 0.8; // stretched: nothing to project
    stepping run;
    method_start(&run, &s, stepping_solver("vbd", "iterations=1"), 1.0 / 30, 4);
    memcpy(run.pinned, run.q, sizeof run.pinned);
    double y[6], start[6], gradient[6], hessian[36];
    stepping_predict(&run, &s, y);
    newton n = { &s, run.h, y };
    for (int i = 0; i < 6; i++)
        start[i] = i < 3 ? run.pinned[i] : run.q[i] + run.h * run.velocity[i];
    newton_derivatives(&n, start, gradient, hessian);
    assert_true(sample_distance(start, 0, 1) > s.springs[0].rest_length);
    assert_true(dense_solve(6, hessian, gradient));
    stepping_take(&run);
    for (int i = 3; i < 6; i++)
        assert_near(run.x[i], start[i] - gradient[i], 1e-14);
    stepping_end(&run);
}

// From crumpled states, where the paper's steps overshoot.
static void test_g_never_rises(void **state)
{
    (void)state;
    const char *const damping[] = { "", ",rho=0.95", ",rho=0.9,damping=rayleigh,damping.mass=2,damping.stiffness=0.05",
                                    ",damping=springs,damping.stiffness=0.05" };
    for (int index = 0; index < STEPPING_SAMPLES; index++)
        for (int d = 0; d < 4; d++)
            for (uint64_t seed = 0; seed < 4; seed++) {
                double last = INFINITY;
                for (int iterations = 1; iterations <= 30; iterations++) {
                    sample s = stepping_sample(index);
                    char options[128];
                    snprintf(options, sizeof options, "iterations=%d%s", iterations, damping[d]);
                    stepping run;
                    method_start(&run, &s, stepping_solver("vbd", options), 0.1, seed);
                    tide_random random = tide_random_seed(seed + 10);
                    sample_disturb(run.q, s.particle_count, 0.2, &random);
                    sample_disturb(run.force, s.particle_count, 20, &random);
                    stepping_take(&run);
                    assert_true(run.report.g <= last + 1e-12 * fabs(last));
                    last = run.report.g;
                    stepping_end(&run);
                }
            }
}

// A particle at the end of a stiff spring in compression, pulled sideways by a long soft one: across the stiff spring
// H_i is the soft one's alone, and the step of the paper takes the particle far beyond.
static void test_a_step_that_overshoots_is_not_taken(void **state)
{
    (void)state;
    sample s = { .name = "overshoot", .pinned = { true, true } };
    sample_particle(&s, 1, 0, 0, 0);
    sample_particle(&s, 1, 0, 2, 0);
    sample_particle(&s, 1e-3, 0.09, 0, 0);
    s.springs[0] = (sample_spring) { 0, 2, 1e5, 0.1 };
    s.springs[1] = (sample_spring) { 1, 2, 100, 0.1 };
    s.spring_count = 2;
    double last = INFINITY;
    for (int iterations = 1; iterations <= 200; iterations++) {
        char options[32];
        snprintf(options, sizeof options, "iterations=%d", iterations);
        stepping run;
        stepping_start(&run, &s, stepping_solver("vbd", options), 1.0 / 30);
        double y[STEPPING_NUMBERS];
        stepping_predict(&run, &s, y);
        stepping_take(&run);
        if (iterations == 1)
            last = tide_system_objective(run.system, run.h, y, y);
        assert_true(run.report.g <= last * (1 + 1e-12));
        last = run.report.g;
        if (iterations == 200)
            assert_true(run.report.gradient_norm < 1e-6 * run.report.initial_gradient_norm);
        stepping_end(&run);
    }
}

static void test_damped_it_meets_the_damped_minimum(void **state)
{
    (void)state;
    const char *const damping[] = { "damping=rayleigh,damping.mass=2,damping.stiffness=0.05",
                                    "damping=springs,damping.mass=1,damping.stiffness=0.02" };
    for (int index = 0; index < STEPPING_SAMPLES; index++)
        for (int d = 0; d < 2; d++) {
            sample s = stepping_sample(index);
            stepping run, other;
            char options[160];
            snprintf(options, sizeof options, "iterations=20000,tolerance=1e-11,%s", damping[d]);
            method_start(&run, &s, stepping_solver("vbd", options), 1.0 / 30, 2);
            stepping_take(&run);
            assert_true(run.report.converged);
            method_start(&other, &s, stepping_solver("local_global", options), 1.0 / 30, 2);
            stepping_take(&other);
            assert_true(other.report.converged);
            for (uint32_t i = 0; i < 3 * s.particle_count; i++)
                assert_near(run.x[i], other.x[i], 1e-9);
            stepping_end(&run);
            stepping_end(&other);
        }
}

// Accelerated, it goes to the same place in fewer sweeps.
static void test_acceleration(void **state)
{
    (void)state;
    sample s = sample_cloth();
    for (uint32_t e = 0; e < s.spring_count; e++)
        s.springs[e].stiffness *= 100;
    const char *const options[] = { "iterations=100000,tolerance=1e-9", "iterations=100000,tolerance=1e-9,rho=0.95",
                                    "iterations=100000,tolerance=1e-9,rho=0.95,damping.stiffness=0.01",
                                    "iterations=100000,tolerance=1e-9,damping.stiffness=0.01" };
    stepping runs[4];
    for (int i = 0; i < 4; i++) {
        stepping_start(&runs[i], &s, stepping_solver("vbd", options[i]), 1.0 / 30);
        for (uint32_t k = 0; k < 3 * s.particle_count; k++)
            runs[i].velocity[k] = 0.1 * sin(k);
        stepping_take(&runs[i]);
        assert_true(runs[i].report.converged);
    }
    assert_true(2 * runs[1].report.iterations < runs[0].report.iterations);
    assert_true(2 * runs[2].report.iterations < runs[3].report.iterations);
    for (uint32_t k = 0; k < 3 * s.particle_count; k++) {
        assert_near(runs[0].x[k], runs[1].x[k], 1e-7);
        assert_near(runs[2].x[k], runs[3].x[k], 1e-7);
    }
    for (int i = 0; i < 4; i++)
        stepping_end(&runs[i]);
}

static void test_tolerance(void **state)
{
    (void)state;
    sample s = sample_cloth();
    stepping run;
    method_start(&run, &s, stepping_solver("vbd", "tolerance=0.1,iterations=1000"), 1.0 / 30, 9);
    stepping_take(&run);
    assert_true(run.report.converged && run.report.iterations > 0 && run.report.iterations < 1000);
    assert_true(run.report.gradient_norm <= 0.1 * run.report.initial_gradient_norm);
    stepping_end(&run);
    method_start(&run, &s, stepping_solver("vbd", "tolerance=1e-12,iterations=3"), 1.0 / 30, 9);
    stepping_take(&run);
    assert_true(!run.report.converged && run.report.iterations == 3);
    stepping_end(&run);
}

// One sweep of the paper, particle by particle in the order of colours, from q + h v.
static void sweep_plainly(const stepping *run, const double *y, double *x)
{
    const tide_system *system = run->system;
    tide_colouring colouring = { 0 };
    tide_incidence incidence = { 0 };
    tide_error error;
    assert_ok(tide_colour_particles(system, &colouring, &error), error);
    assert_ok(tide_incidence_make(system, &incidence, &error), error);
    for (uint32_t i = 0; i < 3 * system->particle_count; i++)
        x[i] = run->q[i] + run->h * run->velocity[i];
    for (uint32_t n = 0; n < colouring.count; n++) {
        uint32_t p = colouring.items[n];
        double all[9] = { 0 }, step[3];
        for (uint32_t k = 0; k < 3; k++) {
            all[4 * k] = system->masses[p];
            step[k] = system->masses[p] * (x[3 * p + k] - y[3 * p + k]);
        }
        for (uint32_t c = incidence.first[p]; c < incidence.first[p + 1]; c++) {
            const tide_corner *corner = &incidence.corners[c];
            const tide_elements *group = &system->groups[corner->group];
            double gradient[3], hessian[9];
            group->kind->corner(group, x, corner->element, corner->corner, gradient, hessian);
            for (uint32_t k = 0; k < 9; k++)
                all[k] += run->h * run->h * hessian[k];
            for (uint32_t k = 0; k < 3; k++)
                step[k] += run->h * run->h * gradient[k];
        }
        assert_true(dense_solve(3, all, step));
        for (uint32_t k = 0; k < 3; k++)
            x[3 * p + k] -= step[k];
    }
    tide_colouring_free(&colouring);
    tide_incidence_free(&incidence);
}

static void test_without_rigid_motions_it_is_as_published(void **state)
{
    (void)state;
    for (int index = 0; index < STEPPING_SAMPLES; index++) {
        sample s = stepping_sample(index);
        s.anchor_count = 0;
        memset(s.pinned, 0, sizeof s.pinned);
        double y[STEPPING_NUMBERS], x[STEPPING_NUMBERS], off[2] = { 0 }, momentum[2] = { 0 };
        for (int rigid = 0; rigid < 2; rigid++) {
            stepping run;
            method_start(&run, &s, stepping_solver("vbd", rigid ? "iterations=1" : "iterations=1,rigid=false"), 0.005,
                         5);
            stepping_predict(&run, &s, y);
            sweep_plainly(&run, y, x);
            stepping_take(&run);
            double sum[3] = { 0 };
            for (uint32_t i = 0; i < 3 * s.particle_count; i++) {
                off[rigid] = fmax(off[rigid], fabs(run.x[i] - x[i]));
                sum[i % 3] += s.masses[i / 3] * (run.x[i] - y[i]);
            }
            momentum[rigid] = fabs(sum[0]) + fabs(sum[1]) + fabs(sum[2]);
            stepping_end(&run);
        }
        assert_true(off[0] < 1e-14 && off[1] > 1e-9);
        assert_true(momentum[1] < 1e-14 && momentum[0] > 1e-9);
    }
}

static void test_what_every_method_must(void **state)
{
    (void)state;
    const char *const damped = "damping=rayleigh,damping.stiffness=0.01,rho=0.9";
    method_check_momentum("vbd", "", 1e-13);
    method_check_momentum("vbd", "iterations=1", 1e-13);
    method_check_momentum("vbd", "iterations=1,damping=springs,damping.stiffness=0.02", 1e-13);
    method_check_report("vbd", "");
    method_check_reuse("vbd", "");
    method_check_reuse("vbd", damped);
    method_check_reuse("vbd", "rigid=false");
    method_check_allocates_nothing("vbd", "");
    method_check_allocates_nothing("vbd", damped);
    method_check_failing_allocations("vbd", "");
    method_check_failing_allocations("vbd", damped);
    method_check_threads("vbd", "iterations=2");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_iterated_to_the_end_it_is_the_exact_minimiser),
    cmocka_unit_test(test_one_particle_takes_newtons_step),
    cmocka_unit_test(test_g_never_rises),
    cmocka_unit_test(test_a_step_that_overshoots_is_not_taken),
    cmocka_unit_test(test_damped_it_meets_the_damped_minimum),
    cmocka_unit_test(test_acceleration),
    cmocka_unit_test(test_tolerance),
    cmocka_unit_test(test_without_rigid_motions_it_is_as_published),
    cmocka_unit_test(test_what_every_method_must),
};
TIDE_TEST_SUITE(solver_vbd, tests)
