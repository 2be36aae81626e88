#include "../linear/failing.h"
#include "motion.h"

static void test_order(void **state)
{
    (void)state;
    motion_assert_order("implicit_midpoint", 2, 0.15);
}

static void test_amplification(void **state)
{
    (void)state;
    motion_assert_amplification("implicit_midpoint", "tolerance=1e-14");
}

// x1 = x0 + h u and v1 = v0 + h a at the midpoint (x0 + x1) / 2, where u = (v0 + v1) / 2.
static void test_is_the_midpoint_rule(void **state)
{
    (void)state;
    for (int model = 0; model < 2; model++) {
        sample s = sample_chain();
        tide_damping damping = { model ? TIDE_DAMPING_SPRINGS : TIDE_DAMPING_NONE, 1, 0.01 };
        stepping run;
        motion_start(&run, &s,
                     stepping_solver("implicit_midpoint",
                                     model ? "tolerance=1e-13,damping=springs,damping.mass=1,damping.stiffness=0.01"
                                           : "tolerance=1e-13"),
                     0.03, 2);
        stepping_take(&run);
        double middle[STEPPING_NUMBERS], u[STEPPING_NUMBERS], force[STEPPING_NUMBERS];
        for (uint32_t i = 0; i < 3 * s.particle_count; i++) {
            middle[i] = (run.q[i] + run.x[i]) / 2;
            u[i] = s.pinned[i / 3] ? run.v[i] : (run.velocity[i] + run.v[i]) / 2;
        }
        motion_forces(&s, &damping, middle, u, force);
        for (uint32_t i = 0; i < 3 * s.particle_count; i++) {
            assert_near(run.x[i], run.q[i] + run.h * u[i], 1e-14);
            if (s.pinned[i / 3])
                assert_true(run.x[i] == run.pinned[i]);
            else
                assert_near(run.v[i], run.velocity[i] + run.h * (force[i] + run.force[i]) / s.masses[i / 3], 1e-10);
        }
        stepping_end(&run);
    }
}

typedef struct invariants {
    double momentum[3], angular[3], energy;
} invariants;

static invariants measure(const sample *s, const double *x, const double *v)
{
    invariants sum = { 0 };
    for (uint32_t p = 0; p < s->particle_count; p++)
        for (uint32_t k = 0; k < 3; k++) {
            uint32_t i = 3 * p, a = i + (k + 1) % 3, b = i + (k + 2) % 3;
            sum.momentum[k] += s->masses[p] * v[i + k];
            sum.angular[k] += s->masses[p] * (x[a] * v[b] - x[b] * v[a]);
            sum.energy += 0.5 * s->masses[p] * v[i + k] * v[i + k];
        }
    for (uint32_t e = 0; e < s->spring_count; e++) {
        double stretch = sample_distance(x, s->springs[e].i, s->springs[e].j) - s->springs[e].rest_length;
        sum.energy += 0.5 * s->springs[e].stiffness * stretch * stretch;
    }
    return sum;
}

static void test_momenta_are_kept(void **state)
{
    (void)state;
    for (int index = 0; index < 3; index++) {
        sample s = stepping_sample(index);
        memset(s.pinned, 0, sizeof s.pinned);
        stepping run;
        motion_start(&run, &s, stepping_solver("implicit_midpoint", "tolerance=1e-14,iterations=50"), 1.0 / 60, 5);
        memset(run.force, 0, sizeof run.force);
        invariants before = measure(&s, run.q, run.velocity);
        for (int n = 0; n < 200; n++) {
            stepping_take(&run);
            stepping_go_on(&run);
        }
        invariants after = measure(&s, run.q, run.velocity);
        for (int k = 0; k < 3; k++) {
            assert_near(after.momentum[k], before.momentum[k], 1e-11);
            assert_near(after.angular[k], before.angular[k], 1e-11);
        }
        stepping_end(&run);
    }
}

// Over 10,000 steps the energy swings and does not drift; that of implicit Euler is soon gone.
static void test_energy_does_not_drift(void **state)
{
    (void)state;
    sample s = sample_pair();
    const char *const names[] = { "implicit_midpoint", "newton" };
    for (int method = 0; method < 2; method++) {
        stepping run;
        motion_start(&run, &s, stepping_solver(names[method], "tolerance=1e-13"), 0.01, 4);
        memset(run.force, 0, sizeof run.force);
        double first = measure(&s, run.q, run.velocity).energy, lowest[10], highest[10];
        for (int n = 0; n < 10000; n++) {
            stepping_take(&run);
            stepping_go_on(&run);
            double energy = measure(&s, run.q, run.velocity).energy;
            lowest[n / 1000] = n % 1000 ? fmin(lowest[n / 1000], energy) : energy;
            highest[n / 1000] = n % 1000 ? fmax(highest[n / 1000], energy) : energy;
        }
        if (method == 1) {
            assert_true(highest[9] < 0.9 * first); // what is left is that of the flight and of the rotation
        } else {
            assert_near(lowest[9], lowest[0], 1e-3 * first);
            assert_near(highest[9], highest[0], 1e-3 * first);
            assert_true(highest[0] - lowest[0] < 0.05 * first);
        }
        stepping_end(&run);
    }
}

static void test_pins_and_memory(void **state)
{
    (void)state;
    sample s = sample_cloth();
    stepping run;
    motion_start(&run, &s, stepping_solver("implicit_midpoint", "damping.stiffness=0.01"), 0.02, 1);
    stepping_take(&run);
    uint64_t allocations = tide_memory_count().allocations;
    for (int n = 0; n < 5; n++) {
        for (uint32_t i = 0; i < 3 * s.particle_count; i++)
            run.pinned[i] = run.q[i] + 0.01;
        stepping_take(&run);
        for (uint32_t i = 0; i < 3 * s.particle_count; i++)
            if (s.pinned[i / 3]) {
                assert_true(run.x[i] == run.pinned[i]);
                assert_near(run.v[i], 0.01 / run.h, 1e-11);
            }
        stepping_go_on(&run);
    }
    assert_int_equal(tide_memory_count().allocations, allocations);
    assert_int_equal(tide_solver_history_size(run.solver), 0);
    stepping_end(&run);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_order),
    cmocka_unit_test(test_amplification),
    cmocka_unit_test(test_is_the_midpoint_rule),
    cmocka_unit_test(test_momenta_are_kept),
    cmocka_unit_test(test_energy_does_not_drift),
    cmocka_unit_test(test_pins_and_memory),
};
TIDE_TEST_SUITE(solver_implicit_midpoint, tests)
