// The history that a solver keeps from step to step: in snapshots, after undone steps, and when solvers change.
#include "world/fixture.h"
#include "world/odd_solver.h"

#include "linear/failing.h"

#include <string.h>

static tide_error error;

static int setup(void **state)
{
    (void)state;
    odd = (odd_behaviour) { .suspect = TIDE_NO_PARTICLE };
    return 0;
}

static void use(tide_world *world, const tide_solver_kind *kind)
{
    assert_ok(tide_world_set_solver(world, kind, NULL, &error), error);
}

static tide_world *remembering(void)
{
    tide_world *world = fixture_curtain(5, NULL);
    use(world, &odd_solver);
    return world;
}

static tide_snapshot *snapshot_of(tide_world *world)
{
    tide_snapshot *snapshot;
    assert_ok(tide_world_snapshot(world, &snapshot, &error), error);
    return snapshot;
}

static void test_restore_fork_and_reset_repeat_the_same_bits(void **state)
{
    (void)state;
    tide_world *world = remembering(), *fork;
    uint64_t start = fixture_hash(world);
    fixture_step(world, 3);
    tide_snapshot *third = snapshot_of(world);
    uint64_t middle = fixture_hash(world);
    fixture_step(world, 3);
    uint64_t end = fixture_hash(world);
    assert_ok(tide_world_restore(world, third, &error), error);
    assert_int_equal(fixture_hash(world), middle);
    assert_ok(tide_world_fork(world, &fork, &error), error); // what it awaits, too
    assert_int_equal(fixture_hash(fork), middle);
    fixture_step(world, 3);
    fixture_step(fork, 3);
    assert_int_equal(fixture_hash(world), end);
    assert_int_equal(fixture_hash(fork), end);
    // Before the first step there was no history.
    assert_ok(tide_world_reset(world, &error), error);
    assert_int_equal(fixture_hash(world), start);
    fixture_step(world, 6);
    assert_int_equal(fixture_hash(world), end);
    assert_ok(tide_world_reset(fork, &error), error);
    assert_int_equal(fixture_hash(fork), start);
    fixture_step(fork, 6);
    assert_int_equal(fixture_hash(fork), end);
    tide_snapshot_destroy(third);
    tide_world_destroy(fork);
    tide_world_destroy(world);
}

static void test_an_undone_step_leaves_the_history(void **state)
{
    (void)state;
    tide_world *world = remembering(), *other = remembering();
    for (int n = 0; n < 4; n++) {
        odd.diverges = n % 2 == 0;
        odd.gives_up = n % 2 == 1;
        uint64_t before = fixture_hash(world);
        assert_int_equal(tide_world_step(world, &error), TIDE_ERROR_NUMERIC);
        assert_int_equal(fixture_hash(world), before);
        odd.diverges = odd.gives_up = false;
        fixture_step(world, 1);
        fixture_step(other, 1);
        assert_int_equal(fixture_hash(world), fixture_hash(other));
    }
    tide_world_destroy(other);
    tide_world_destroy(world);
}

static void test_what_was_kept_has_its_history(void **state)
{
    (void)state;
    tide_world *world = remembering(), *other = remembering();
    tide_snapshot *start = snapshot_of(world);
    for (int switches = 0; switches < 2; switches++) {
        fixture_step(world, 2);
        fixture_step(other, 2);
        assert_ok(tide_world_keep(world, &error), error);
        if (switches) { // the solver that comes back is a new one
            use(world, tide_solver_kind_at(0));
            use(world, &odd_solver);
        } else
            assert_ok(tide_world_restore(world, start, &error), error);
        odd.diverges = true;
        assert_int_equal(tide_world_step(world, &error), TIDE_ERROR_NUMERIC);
        odd.diverges = false;
        tide_world_undo(world);
        assert_int_equal(fixture_hash(world), fixture_hash(other));
        fixture_step(world, 1);
        fixture_step(other, 1);
        assert_int_equal(fixture_hash(world), fixture_hash(other));
    }
    tide_snapshot_destroy(start);
    tide_world_destroy(other);
    tide_world_destroy(world);
}

// Switching keeps positions and velocities; one who comes back starts without a history.
static void test_switching_there_and_back(void **state)
{
    (void)state;
    tide_world *world = remembering();
    tide_body_id id = tide_world_find_body(world, "curtain");
    fixture_step(world, 3);
    tide_snapshot *third = snapshot_of(world);
    double x[75], v[75];
    memcpy(x, tide_world_positions(world, id), sizeof x);
    memcpy(v, tide_world_velocities(world, id), sizeof v);
    use(world, tide_solver_kind_at(0));
    assert_memory_equal(tide_world_positions(world, id), x, sizeof x);
    assert_memory_equal(tide_world_velocities(world, id), v, sizeof v);
    use(world, &odd_solver);
    fixture_step(world, 1);
    double expected = x[3 * 12] + v[3 * 12] / 30 + 1e-3;
    assert_near(tide_world_positions(world, id)[3 * 12], expected, 1e-15);
    // The snapshot is of a solver that has taken three steps, which another one may restore.
    use(world, tide_solver_kind_at(0));
    assert_ok(tide_world_restore(world, third, &error), error);
    assert_memory_equal(tide_world_positions(world, id), x, sizeof x);
    assert_memory_equal(tide_world_velocities(world, id), v, sizeof v);
    fixture_step(world, 1);
    use(world, &odd_solver);
    fixture_step(world, 2);
    assert_ok(tide_world_restore(world, third, &error), error);
    fixture_step(world, 1);
    expected = x[3 * 12] + v[3 * 12] / 30 + 4e-3;
    assert_near(tide_world_positions(world, id)[3 * 12], expected, 1e-15);
    tide_snapshot_destroy(third);
    tide_world_destroy(world);
}

// The same under every solver there is: a snapshot of each restored under each, then steps that agree with a world that
// never did anything else.
static void test_every_solver_takes_a_snapshot_of_every_other(void **state)
{
    (void)state;
    for (uint32_t a = 0; tide_solver_kind_at(a); a++)
        for (uint32_t b = 0; tide_solver_kind_at(b); b++) {
            tide_world *world = fixture_curtain(5, NULL);
            use(world, tide_solver_kind_at(a));
            fixture_step(world, 3);
            tide_snapshot *third = snapshot_of(world);
            fixture_step(world, 1);
            uint64_t end = fixture_hash(world);
            use(world, tide_solver_kind_at(b));
            fixture_step(world, 2);
            assert_ok(tide_world_restore(world, third, &error), error);
            fixture_step(world, 1);
            use(world, tide_solver_kind_at(a));
            fixture_step(world, 1);
            if (a == b) {
                assert_ok(tide_world_restore(world, third, &error), error);
                fixture_step(world, 1);
                if (fixture_hash(world) != end)
                    fail_msg("%s does not repeat its step after a restore", tide_solver_kind_at(a)->name);
            }
            tide_snapshot_destroy(third);
            tide_world_destroy(world);
        }
}

static void test_every_solver_repeats_itself_after_reset_and_fork(void **state)
{
    (void)state;
    for (uint32_t a = 0; tide_solver_kind_at(a); a++) {
        tide_world *world = fixture_curtain(5, NULL), *fork;
        use(world, tide_solver_kind_at(a));
        fixture_step(world, 4);
        assert_ok(tide_world_fork(world, &fork, &error), error);
        fixture_step(world, 2);
        fixture_step(fork, 2);
        uint64_t end = fixture_hash(world);
        if (fixture_hash(fork) != end)
            fail_msg("a fork under %s goes another way", tide_solver_kind_at(a)->name);
        assert_ok(tide_world_reset(world, &error), error);
        fixture_step(world, 6);
        if (fixture_hash(world) != end)
            fail_msg("%s goes another way after a reset", tide_solver_kind_at(a)->name);
        tide_world_destroy(fork);
        tide_world_destroy(world);
    }
}

static void test_reload_carries_the_history_of_the_same_bodies(void **state)
{
    (void)state;
    for (int restored = 0; restored < 2; restored++) {
        tide_world *world = remembering();
        fixture_step(world, 3);
        tide_snapshot *third = snapshot_of(world);
        fixture_step(world, 1);
        uint64_t end = fixture_hash(world);
        assert_ok(tide_world_restore(world, third, &error), error);
        if (!restored) { // the solver has its history, rather than awaits it
            fixture_step(world, 1);
            end = fixture_hash(world);
            fixture_step(world, 1);
            uint64_t later = fixture_hash(world);
            assert_ok(tide_world_restore(world, third, &error), error);
            fixture_step(world, 1);
            assert_int_equal(fixture_hash(world), end);
            end = later;
        }
        tide_world *fresh = fixture_curtain(5, world);
        use(fresh, &odd_solver);
        tide_reconciliation reconciliation;
        assert_ok(tide_world_reconcile(fresh, world, &reconciliation, &error), error);
        tide_world_destroy(world);
        fixture_step(fresh, 1);
        assert_int_equal(fixture_hash(fresh), end);
        tide_snapshot_destroy(third);
        tide_world_destroy(fresh);
    }
}

typedef struct fork_and_go_on {
    tide_world *world;
    tide_snapshot *second;
    uint64_t end;
} fork_and_go_on;

static tide_status call_fork_and_go_on(void *context, tide_error *out)
{
    fork_and_go_on *what = context;
    tide_world *fork = NULL;
    tide_status status = tide_world_fork(what->world, &fork, out);
    if (status == TIDE_OK)
        status = tide_world_restore(fork, what->second, out);
    if (status == TIDE_OK)
        status = tide_world_keep(fork, out);
    if (status == TIDE_OK)
        status = tide_world_step(fork, out);
    if (status == TIDE_OK)
        status = tide_world_hash(fork, &what->end, out);
    tide_world_destroy(fork);
    return status;
}

static void test_failing_allocations_leave_the_state(void **state)
{
    (void)state;
    fork_and_go_on what = { .world = remembering() };
    fixture_step(what.world, 2);
    what.second = snapshot_of(what.world);
    fixture_step(what.world, 1);
    uint64_t third = fixture_hash(what.world);
    assert_true(fail_each_allocation(call_fork_and_go_on, &what) > 10);
    assert_int_equal(what.end, third);
    assert_int_equal(fixture_hash(what.world), third);
    tide_snapshot_destroy(what.second);
    tide_world_destroy(what.world);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup(test_restore_fork_and_reset_repeat_the_same_bits, setup),
    cmocka_unit_test_setup(test_an_undone_step_leaves_the_history, setup),
    cmocka_unit_test_setup(test_what_was_kept_has_its_history, setup),
    cmocka_unit_test_setup(test_switching_there_and_back, setup),
    cmocka_unit_test_setup(test_every_solver_takes_a_snapshot_of_every_other, setup),
    cmocka_unit_test_setup(test_every_solver_repeats_itself_after_reset_and_fork, setup),
    cmocka_unit_test_setup(test_reload_carries_the_history_of_the_same_bodies, setup),
    cmocka_unit_test_setup(test_failing_allocations_leave_the_state, setup),
};
TIDE_TEST_SUITE(world_history, tests)
