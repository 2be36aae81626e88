// Worlds whose pins and springs change as they go: the analysis of their matrix stays, and what they do does not depend
// on how they came to have these pins.
#include "fixture.h"
#include "solver/solver.h"
#include "world/cuts.h"

static tide_body_id curtain_of(tide_world *world)
{
    return tide_world_body_at(world, 0);
}

// The change before each step of a run.
static void change(tide_world *world, int step)
{
    tide_error error;
    tide_body_id body = curtain_of(world);
    uint32_t vertex = (uint32_t)(37 * step) % 400, springs[] = { (uint32_t)(11 * step), (uint32_t)(13 * step + 1) };
    if (step % 2)
        assert_ok(tide_world_pin(world, body, vertex, step % 3 ? TIDE_NOT_GIVEN : 50, &error), error);
    else
        assert_ok(tide_world_unpin(world, body, (uint32_t)(37 * (step - 1)) % 400, &error), error);
    if (step % 4 == 1)
        assert_ok(tide_world_cut(world, body, springs, 2, &error), error);
}

static void test_pins_and_cuts_keep_the_analysis(void **state)
{
    (void)state;
    static const char *const solvers[] = { "local_global", "lbfgs", "imex" };
    for (int i = 0; i < 3; i++) {
        tide_world *world = fixture_curtain(20, NULL);
        fixture_use(world, solvers[i], NULL, NULL);
        fixture_step(world, 1);
        for (int step = 1; step < 12; step++) {
            change(world, step);
            fixture_step(world, 1);
            tide_cholesky_info info = tide_solver_describe(tide_world_solver(world));
            assert_int_equal(info.rows, 400);
            assert_int_equal(info.analyses, 1);
            assert_true(info.redone <= 1);
        }
        tide_world_destroy(world);
    }
}

static void test_going_back_over_changes_gives_the_same_bits(void **state)
{
    (void)state;
    tide_error error;
    tide_world *world = fixture_curtain(20, NULL), *fork = NULL;
    tide_snapshot *snapshot = NULL;
    uint64_t hashes[2];
    fixture_step(world, 2);
    for (int step = 1; step < 6; step++) {
        change(world, step);
        fixture_step(world, 1);
    }
    assert_ok(tide_world_snapshot(world, &snapshot, &error), error);
    assert_ok(tide_world_fork(world, &fork, &error), error);
    for (int step = 6; step < 14; step++) {
        change(fork, step);
        fixture_step(fork, 1);
    }
    for (int round = 0; round < 2; round++) {
        for (int step = 6; step < 14; step++) {
            change(world, step);
            fixture_step(world, 1);
        }
        hashes[round] = fixture_hash(world);
        if (round == 0)
            assert_ok(tide_world_restore(world, snapshot, &error), error);
    }
    assert_int_equal(hashes[0], hashes[1]);
    assert_int_equal(hashes[0], fixture_hash(fork));
    tide_world_destroy(fork);
    tide_snapshot_destroy(snapshot);
    tide_world_destroy(world);
}

static void attach(tide_world *world, uint32_t a, uint32_t b)
{
    tide_error error;
    tide_body_id body = curtain_of(world);
    tide_attach_def spring = { .stiffness = 30, .keep_distance = true };
    assert_ok(tide_world_attach(world, body, a, body, b, &spring, &error), error);
}

static tide_cholesky_info describe(tide_world *world)
{
    return tide_solver_describe(tide_world_solver(world));
}

// The ordering is made for the description before the first step; later elements join it, in forks as well, and with
// pins and cuts in between.
static void test_springs_added_later_join_the_order(void **state)
{
    (void)state;
    tide_error error;
    tide_world *world = fixture_curtain(20, NULL), *fork = NULL;
    attach(world, 0, 210);
    fixture_step(world, 1);
    assert_false(describe(world).grafted);
    for (uint32_t step = 1; step < 9; step++) {
        attach(world, 40 * step, 398 - 17 * step);
        if (step == 4)
            assert_ok(tide_world_fork(world, &fork, &error), error);
        if (step > 4)
            attach(fork, 40 * step, 398 - 17 * step);
        for (int k = 0; k < (fork ? 2 : 1); k++) {
            change(k ? fork : world, (int)step);
            fixture_step(k ? fork : world, 2);
            assert_true(describe(k ? fork : world).grafted);
        }
        assert_true(!fork || fixture_hash(world) == fixture_hash(fork));
    }
    tide_world_destroy(fork);
    tide_world_destroy(world);
}

// The same springs in a world that has had them from the start: another order of the same matrix.
static void test_springs_added_later_pull_as_others(void **state)
{
    (void)state;
    tide_world *late = fixture_curtain(20, NULL), *early = fixture_curtain(20, NULL);
    for (int k = 0; k < 2; k++)
        fixture_use(k ? late : early, "local_global", "solve", "double");
    tide_error error;
    fixture_step(late, 1);
    assert_ok(tide_world_reset(late, &error), error);
    for (uint32_t i = 0; i < 5; i++) {
        attach(late, 31 * i, 399 - 50 * i);
        attach(early, 31 * i, 399 - 50 * i);
    }
    fixture_step(late, 10);
    fixture_step(early, 10);
    assert_true(describe(late).grafted && !describe(early).grafted);
    const double *a = tide_world_all_positions(late), *b = tide_world_all_positions(early);
    for (int i = 0; i < 3 * 400; i++)
        assert_near(a[i], b[i], 1e-11);
    tide_world_destroy(late);
    tide_world_destroy(early);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_pins_and_cuts_keep_the_analysis),
    cmocka_unit_test(test_going_back_over_changes_gives_the_same_bits),
    cmocka_unit_test(test_springs_added_later_join_the_order),
    cmocka_unit_test(test_springs_added_later_pull_as_others),
};
TIDE_TEST_SUITE(world_updates, tests)
