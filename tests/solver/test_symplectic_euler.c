// Symplectic Euler by itself; what it shares with other explicit methods is in test_explicit.c.
#include "explicit_runs.h"

static sample spring_pendulum(void)
{
    sample s = { .name = "spring pendulum" };
    sample_particle(&s, 1, 0, 0, 0);
    sample_particle(&s, 0.5, 0.4, -0.3, 0.1);
    sample_join(&s, 0, 1, 40);
    s.pinned[0] = true;
    return s;
}

static double pendulum_energy(const sample *s, const double *x, const double *v)
{
    double stretch = sample_distance(x, 0, 1) - s->springs[0].rest_length;
    return 0.5 * s->masses[1] * (v[3] * v[3] + v[4] * v[4] + v[5] * v[5]) + 9.81 * s->masses[1] * x[4] +
           0.5 * s->springs[0].stiffness * stretch * stretch;
}

static void pendulum_rates(const sample *s, const double state[6], double rates[6])
{
    double length = sqrt(state[0] * state[0] + state[1] * state[1] + state[2] * state[2]);
    for (int k = 0; k < 3; k++) {
        rates[k] = state[3 + k];
        rates[3 + k] =
            -s->springs[0].stiffness * (length - s->springs[0].rest_length) * state[k] / length / s->masses[1] -
            (k == 1 ? 9.81 : 0);
    }
}

// Classical Runge-Kutta of order 4, with steps so short that its own error does not count.
static void reference(const sample *s, double duration, double state[6])
{
    enum { STEPS = 20000 };
    double h = duration / STEPS, k1[6], k2[6], k3[6], k4[6], middle[6];
    for (int k = 0; k < 6; k++)
        state[k] = k < 3 ? s->x[3 + k] : 0;
    for (int n = 0; n < STEPS; n++) {
        pendulum_rates(s, state, k1);
        for (int k = 0; k < 6; k++)
            middle[k] = state[k] + h / 2 * k1[k];
        pendulum_rates(s, middle, k2);
        for (int k = 0; k < 6; k++)
            middle[k] = state[k] + h / 2 * k2[k];
        pendulum_rates(s, middle, k3);
        for (int k = 0; k < 6; k++)
            middle[k] = state[k] + h * k3[k];
        pendulum_rates(s, middle, k4);
        for (int k = 0; k < 6; k++)
            state[k] += h / 6 * (k1[k] + 2 * k2[k] + 2 * k3[k] + k4[k]);
    }
}

static void test_order_of_accuracy_is_one(void **state)
{
    (void)state;
    sample s = spring_pendulum();
    double exact[6], errors[5], drifts[5];
    reference(&s, 1, exact);
    for (int level = 0; level < 5; level++) {
        int steps = 400 << level;
        stepping run;
        stepping_start(&run, &s, explicit_solver("symplectic_euler", "substep=1000"), 1.0 / steps);
        double start = pendulum_energy(&s, run.q, run.velocity);
        drifts[level] = 0;
        for (int n = 0; n < steps; n++) {
            stepping_take(&run);
            stepping_go_on(&run);
            drifts[level] = fmax(drifts[level], fabs(pendulum_energy(&s, run.q, run.velocity) - start));
        }
        errors[level] = 0;
        for (int k = 0; k < 3; k++)
            errors[level] += pow(run.q[3 + k] - exact[k], 2) + pow(run.velocity[3 + k] - exact[3 + k], 2);
        errors[level] = sqrt(errors[level]);
        stepping_end(&run);
    }
    for (int level = 1; level < 5; level++) {
        assert_near(errors[level - 1] / errors[level], 2, 0.1);
        assert_near(drifts[level - 1] / drifts[level], 2, 0.1);
    }
}

static void test_energy_stays_bounded(void **state)
{
    (void)state;
    sample s = spring_pendulum();
    stepping run;
    stepping_start(&run, &s, explicit_solver("symplectic_euler", "substep=1000"), 0.005);
    double start = pendulum_energy(&s, run.q, run.velocity);
    for (int n = 0; n < 20000; n++) {
        stepping_take(&run);
        stepping_go_on(&run);
        assert_near(pendulum_energy(&s, run.q, run.velocity), start, 0.15);
    }
    stepping_end(&run);
}

// The largest stable timestep is 2 / sqrt(k / m) (Shinya 2005, eq. 27).
static void test_stability_limit(void **state)
{
    (void)state;
    for (int beyond = 0; beyond < 2; beyond++) {
        sample s = { .name = "oscillator", .anchor_count = 1, .anchors = { { .stiffness = 90 } } };
        sample_particle(&s, 0.4, 0.1, 0, 0);
        stepping run;
        stepping_start(&run, &s, explicit_solver("symplectic_euler", "substep=1000"),
                       (beyond ? 1.01 : 0.99) * 2 / sqrt(90 / 0.4));
        double farthest = 0;
        for (int n = 0; n < 1000; n++) {
            stepping_take(&run);
            stepping_go_on(&run);
            farthest = fmax(farthest, fabs(run.q[0]));
        }
        assert_true(beyond ? farthest > 1e6 : farthest < 2);
        stepping_end(&run);
    }
}

// A given substep cuts the timestep; every part is the whole step of that length.
static void test_substeps(void **state)
{
    (void)state;
    sample s = sample_graph(1);
    stepping whole, parts;
    stepping_start(&whole, &s, explicit_solver("symplectic_euler", "substep=0.001"), 0.01);
    stepping_start(&parts, &s, explicit_solver("symplectic_euler", "substep=1"), 0.001);
    for (int n = 0; n < 5; n++) {
        stepping_take(&whole);
        assert_int_equal(whole.report.substeps, 10);
        for (int k = 0; k < 10; k++) {
            stepping_take(&parts);
            assert_int_equal(parts.report.substeps, 1);
            stepping_go_on(&parts);
        }
        stepping_go_on(&whole);
        for (uint32_t i = 0; i < 3 * s.particle_count; i++) {
            assert_near(whole.q[i], parts.q[i], 1e-12);
            assert_near(whole.velocity[i], parts.velocity[i], 1e-10);
        }
    }
    stepping_end(&whole);
    stepping_end(&parts);
}

// By hand: the new velocity moves the position; pins are where the substep starts.
static void test_a_step(void **state)
{
    (void)state;
    sample s = { .name = "pulled" };
    sample_particle(&s, 1, 0, 0, 0);
    sample_particle(&s, 2, 0, -1, 0);
    s.springs[s.spring_count++] = (sample_spring) { 0, 1, 300, 0 };
    s.pinned[0] = true;
    stepping run;
    const double h = 0.1, k = 300, m = 2;
    stepping_start(
        &run, &s,
        explicit_solver("symplectic_euler", "substep=0.02,damping=rayleigh,damping.mass=0.7,damping.stiffness=0.002"),
        h);
    run.pinned[1] = 0.5;
    stepping_take(&run);
    double y = -1, v = 0;
    for (int n = 0; n < 5; n++) {
        v += 0.02 * (-9.81 - k / m * (y - 0.1 * n) - 0.7 * v - 0.002 * k / m * (v - 5));
        y += 0.02 * v;
    }
    assert_near(run.x[4], y, 1e-13);
    assert_near(run.v[4], v, 1e-12);
    stepping_end(&run);
}

static void test_report(void **state)
{
    (void)state;
    sample s = sample_chain();
    stepping run;
    stepping_start(&run, &s, explicit_solver("symplectic_euler", NULL), 0.001);
    stepping_take(&run);
    assert_true(run.report.converged && isnan(run.report.g) && isnan(run.report.gradient_norm));
    assert_int_equal(run.report.iterations, 0);
    assert_true(run.report.local_seconds > 0 && run.report.local_seconds <= run.report.step_seconds);
    assert_int_equal(run.report.suspect, TIDE_NO_PARTICLE);
    assert_near(run.report.stable_substep, 2 / sqrt(run.report.largest_eigenvalue), 1e-9);
    assert_int_equal(tide_solver_describe(run.solver).factorizations, 0);
    stepping_end(&run);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_order_of_accuracy_is_one),
    cmocka_unit_test(test_energy_stays_bounded),
    cmocka_unit_test(test_stability_limit),
    cmocka_unit_test(test_substeps),
    cmocka_unit_test(test_a_step),
    cmocka_unit_test(test_report),
};
TIDE_TEST_SUITE(solver_symplectic_euler, tests)
