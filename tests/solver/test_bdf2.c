#include "../linear/failing.h"
#include "motion.h"

static void test_order(void **state)
{
    (void)state;
    motion_assert_order("bdf2", 2, 0.15);
}

static void test_amplification(void **state)
{
    (void)state;
    motion_assert_amplification("bdf2", "tolerance=1e-14");
}

static stepping steps(const sample *s, const char *options, int count)
{
    stepping run;
    motion_start(&run, s, stepping_solver("bdf2", options), 0.02, 1);
    memcpy(run.pinned, run.q, sizeof run.pinned);
    for (int n = 0; n < count; n++) {
        stepping_take(&run);
        stepping_go_on(&run);
    }
    return run;
}

// The formulas themselves, of three steps.
static void test_is_the_two_step_rule(void **state)
{
    (void)state;
    for (int model = 0; model < 2; model++) {
        sample s = sample_chain();
        uint32_t size = 3 * s.particle_count;
        stepping run = steps(
            &s, model ? "tolerance=1e-13,damping=springs,damping.mass=1,damping.stiffness=0.01" : "tolerance=1e-13", 0);
        tide_damping damping = { model ? TIDE_DAMPING_SPRINGS : TIDE_DAMPING_NONE, 1, 0.01 };
        double q[2][STEPPING_NUMBERS], v[2][STEPPING_NUMBERS], force[STEPPING_NUMBERS], at_start[STEPPING_NUMBERS];
        for (int n = 0; n < 4; n++) {
            double h = run.h;
            memcpy(q[0], q[1], sizeof q[0]);
            memcpy(v[0], v[1], sizeof v[0]);
            memcpy(q[1], run.q, sizeof q[0]);
            memcpy(v[1], run.velocity, sizeof v[0]);
            stepping_take(&run);
            motion_forces(&s, &damping, run.x, run.v, force);
            motion_forces(&s, &damping, q[1], v[1], at_start);
            for (uint32_t i = 0; i < size; i++) {
                double a = (force[i] + run.force[i]) / s.masses[i / 3],
                       a0 = (at_start[i] + run.force[i]) / s.masses[i / 3];
                if (s.pinned[i / 3])
                    continue;
                double x =
                    n ? (4 * q[1][i] - q[0][i] + 2 * h * run.v[i]) / 3 : q[1][i] + h * (v[1][i] + 2 * run.v[i]) / 3;
                double u = n ? (4 * v[1][i] - v[0][i] + 2 * h * a) / 3 : v[1][i] + h * (a0 + 2 * a) / 3;
                assert_near(run.x[i], x, 1e-12);
                assert_near(run.v[i], u, 1e-10);
            }
            stepping_go_on(&run);
        }
        stepping_end(&run);
    }
}

static void take(stepping *run, const double *undamped)
{
    tide_error error;
    tide_step step = { run->system, run->h, run->q, run->velocity, run->force, run->pinned, run->x, run->v,
                       undamped,    0,      1,      NULL };
    assert_ok(tide_solver_step(run->solver, &step, &run->report, &error), error);
}

// A step that does not go on from the last one is taken as if it were the first.
static void test_starts_again_when_something_moved(void **state)
{
    (void)state;
    sample s = sample_cloth();
    for (int change = 0; change < 4; change++) {
        stepping run = steps(&s, "tolerance=1e-13", 5), fresh = steps(&s, "tolerance=1e-13", 0);
        if (change == 1)
            run.q[40] = nextafter(run.q[40], 1);
        if (change == 2)
            run.velocity[40] = nextafter(run.velocity[40], 100);
        if (change == 3) {
            tide_error error;
            uint32_t bad;
            assert_ok(tide_solver_prepare(run.solver, run.system, run.h, run.q, &bad, &error), error);
        }
        memcpy(fresh.q, run.q, sizeof run.q);
        memcpy(fresh.velocity, run.velocity, sizeof run.q);
        take(&run, run.velocity);
        take(&fresh, fresh.velocity);
        assert_int_equal(memcmp(run.x, fresh.x, 3 * s.particle_count * sizeof *run.x) == 0, change != 0);
        stepping_end(&run);
        stepping_end(&fresh);
    }
}

// In free fall a step changes the velocity by h g, whatever drag took before it.
static void test_drag_shifts_the_earlier_velocity(void **state)
{
    (void)state;
    sample s = { .name = "free" };
    sample_particle(&s, 2, 0, 0, 0);
    stepping run;
    stepping_start(&run, &s, stepping_solver("bdf2", ""), 0.1);
    for (int n = 0; n < 20; n++) {
        double undamped[3];
        memcpy(undamped, run.v, sizeof undamped);
        for (int k = 0; k < 3; k++)
            run.velocity[k] = 0.5 * undamped[k];
        take(&run, undamped);
        memcpy(run.q, run.x, sizeof run.q);
        if (n == 0)
            assert_near(run.v[1], -9.81 * 0.1, 1e-14);
    }
    assert_near(run.v[1], -2 * 9.81 * 0.1, 1e-5); // v = v / 2 + h g
    stepping_end(&run);
}

static void test_history_is_saved(void **state)
{
    (void)state;
    tide_error error;
    sample s = sample_cloth();
    stepping run = steps(&s, "tolerance=1e-13", 0);
    assert_int_equal(tide_solver_history_size(run.solver), 0);
    stepping_end(&run);
    run = steps(&s, "tolerance=1e-13", 5);
    size_t size = tide_solver_history_size(run.solver);
    assert_int_equal(size, 4 * 3 * 36 * sizeof(double));
    double bytes[4 * 3 * 36];
    tide_solver_save_history(run.solver, bytes);

    stepping other = steps(&s, "tolerance=1e-13", 2);
    assert_ok(tide_solver_load_history(other.solver, bytes, size, &error), error);
    memcpy(other.q, run.q, sizeof run.q);
    memcpy(other.velocity, run.velocity, sizeof run.q);
    for (int n = 0; n < 3; n++) {
        stepping_take(&run);
        stepping_take(&other);
        assert_memory_equal(run.x, other.x, 3 * 36 * sizeof *run.x);
        stepping_go_on(&run);
        stepping_go_on(&other);
    }
    assert_fails(tide_solver_load_history(other.solver, bytes, size - 8, &error), error, "the snapshot is of another");
    assert_ok(tide_solver_load_history(other.solver, bytes, 0, &error), error);
    assert_int_equal(tide_solver_history_size(other.solver), 0);
    stepping_end(&run);
    stepping_end(&other);
}

// Substeps are steps: each goes on from the one before.
static void test_substeps(void **state)
{
    (void)state;
    sample s = sample_cloth();
    stepping whole, parts;
    motion_start(&whole, &s, stepping_solver("bdf2", "tolerance=1e-13"), 0.01, 1);
    motion_start(&parts, &s, stepping_solver("bdf2", "tolerance=1e-13,substeps=4"), 0.04, 1);
    memcpy(whole.pinned, whole.q, sizeof whole.q);
    memcpy(parts.pinned, parts.q, sizeof parts.q);
    for (int n = 0; n < 8; n++) {
        stepping_take(&whole);
        stepping_go_on(&whole);
        if (n % 4 == 3) {
            stepping_take(&parts);
            stepping_go_on(&parts);
            for (uint32_t i = 0; i < 3 * s.particle_count; i++)
                assert_near(parts.x[i], whole.x[i], 1e-12);
        }
    }
    stepping_end(&whole);
    stepping_end(&parts);
}

static void test_momentum_is_kept_and_steps_allocate_nothing(void **state)
{
    (void)state;
    sample s = sample_cloth();
    memset(s.pinned, 0, sizeof s.pinned);
    stepping run = steps(&s, "tolerance=1e-13,damping.stiffness=0.01", 0);
    memset(run.force, 0, sizeof run.force);
    double momentum[3] = { 0 };
    for (uint32_t i = 0; i < 3 * s.particle_count; i++)
        momentum[i % 3] += s.masses[i / 3] * run.velocity[i];
    uint64_t allocations = tide_memory_count().allocations;
    for (int n = 0; n < 50; n++) {
        stepping_take(&run);
        stepping_go_on(&run);
    }
    assert_int_equal(tide_memory_count().allocations, allocations);
    for (uint32_t i = 0; i < 3 * s.particle_count; i++)
        momentum[i % 3] -= s.masses[i / 3] * run.velocity[i];
    for (int k = 0; k < 3; k++)
        assert_near(momentum[k], 0, 1e-11);
    stepping_end(&run);
}

// Pinned particles on a straight way have its velocity, from the first step on.
static void test_moving_pins(void **state)
{
    (void)state;
    sample s = sample_chain();
    stepping run = steps(&s, "", 0);
    for (int n = 0; n < 4; n++) {
        for (int k = 0; k < 3; k++)
            run.pinned[k] = run.q[k] + 0.01 * (k + 1);
        stepping_take(&run);
        for (int k = 0; k < 3; k++) {
            assert_true(run.x[k] == run.pinned[k]);
            assert_near(run.v[k], 0.01 * (k + 1) / run.h, 1e-11);
        }
        stepping_go_on(&run);
    }
    stepping_end(&run);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_order),
    cmocka_unit_test(test_amplification),
    cmocka_unit_test(test_is_the_two_step_rule),
    cmocka_unit_test(test_starts_again_when_something_moved),
    cmocka_unit_test(test_drag_shifts_the_earlier_velocity),
    cmocka_unit_test(test_history_is_saved),
    cmocka_unit_test(test_substeps),
    cmocka_unit_test(test_momentum_is_kept_and_steps_allocate_nothing),
    cmocka_unit_test(test_moving_pins),
};
TIDE_TEST_SUITE(solver_bdf2, tests)
