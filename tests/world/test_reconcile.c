#include "world/fixture.h"

#include "base/memory.h"
#include "linear/failing.h"

#include <string.h>

static tide_error error;

static tide_reconciliation reconcile(tide_world *world, tide_world *old)
{
    tide_reconciliation reconciliation;
    assert_ok(tide_world_reconcile(world, old, &reconciliation, &error), error);
    tide_world_destroy(old);
    return reconciliation;
}

static tide_body_id add(tide_world *world, const char *name, int side, double stiffness)
{
    const tide_mesh *mesh = fixture_grid(side, side);
    tide_body_def def = fixture_cloth(name, mesh);
    def.stiffness = stiffness;
    tide_body_id id;
    assert_ok(tide_world_add_body(world, &def, &id, &error), error);
    tide_mesh_release(mesh);
    return id;
}

static void test_the_same_description_changes_nothing(void **state)
{
    (void)state;
    tide_world *old = fixture_curtain(9, NULL);
    fixture_step(old, 7);
    uint64_t now = fixture_hash(old);
    tide_world *world = fixture_curtain(9, old);
    tide_reconciliation reconciliation = reconcile(world, old);
    assert_int_equal(reconciliation.kept, 1);
    assert_false(reconciliation.refactored);
    assert_int_equal(fixture_hash(world), now);
    fixture_step(world, 7);
    uint64_t reloaded = fixture_hash(world);
    tide_world_destroy(world);
    world = fixture_curtain(9, NULL);
    fixture_step(world, 14);
    assert_int_equal(fixture_hash(world), reloaded);
    tide_world_destroy(world);
}

static void test_what_stays_what_is_rebuilt_what_goes(void **state)
{
    (void)state;
    tide_world *old = fixture_world(NULL, NULL);
    tide_body_id kept = add(old, "kept", 5, 80), resized = add(old, "resized", 5, 80), gone = add(old, "gone", 3, 80);
    fixture_step(old, 5);
    double positions[75];
    memcpy(positions, tide_world_positions(old, kept), sizeof positions);

    tide_world *world = fixture_world(NULL, old);
    tide_body_id added = add(world, "new", 4, 80), resized_again = add(world, "resized", 6, 80);
    tide_body_id kept_again = add(world, "kept", 5, 200);
    tide_reconciliation reconciliation = reconcile(world, old);
    assert_int_equal(reconciliation.kept, 1);
    assert_int_equal(reconciliation.rebuilt, 1);
    assert_int_equal(reconciliation.added, 1);
    assert_int_equal(reconciliation.removed, 1);
    assert_true(reconciliation.refactored);
    assert_memory_equal(&kept, &kept_again, sizeof kept);
    assert_memory_equal(&resized, &resized_again, sizeof resized);
    assert_memory_equal(tide_world_positions(world, kept), positions, sizeof positions);
    assert_int_equal(tide_world_frame(world), 5);
    assert_null(tide_world_positions(world, gone));
    assert_near(tide_world_positions(world, added)[1], 0, 0);
    fixture_step(world, 3);

    // The freed slot is used again under another generation: the old id stays stale.
    tide_world *third = fixture_world(NULL, world);
    add(third, "kept", 5, 80);
    tide_body_id late = add(third, "late", 3, 80);
    reconcile(third, world);
    assert_int_equal(late.index, gone.index);
    assert_int_not_equal(late.generation, gone.generation);
    assert_null(tide_world_positions(third, gone));
    assert_null(tide_world_positions(third, added));
    tide_world_destroy(third);
}

static void test_pins_go_on_where_they_were_moved(void **state)
{
    (void)state;
    double target[3] = { 0.1, 0.2, 0.3 };
    tide_world *old = fixture_curtain(5, NULL);
    tide_body_id id = tide_world_find_body(old, "curtain");
    assert_ok(tide_world_move_pin(old, id, 0, target, &error), error);
    fixture_step(old, 10);
    double free_corner[3];
    memcpy(free_corner, tide_world_positions(old, id) + 3 * 24, sizeof free_corner);

    tide_world *world = fixture_curtain(5, old);
    assert_ok(tide_world_pin(world, id, 24, TIDE_NOT_GIVEN, &error), error); // new: holds the vertex where it is
    reconcile(world, old);
    fixture_step(world, 1);
    assert_memory_equal(tide_world_positions(world, id), target, sizeof target);
    assert_memory_equal(tide_world_positions(world, id) + 3 * 24, free_corner, sizeof free_corner);
    tide_world_destroy(world);
}

static void test_reset_goes_to_the_new_description(void **state)
{
    (void)state;
    tide_world *old = fixture_curtain(5, NULL);
    uint64_t start = fixture_hash(old);
    fixture_step(old, 10);
    tide_world *world = fixture_curtain(5, old);
    reconcile(world, old);
    fixture_step(world, 1);
    assert_ok(tide_world_reset(world, &error), error);
    assert_int_equal(fixture_hash(world), start);
    assert_int_equal(tide_world_frame(world), 0);
    tide_world_destroy(world);
}

static void test_a_failed_reconciliation_leaves_the_old_world(void **state)
{
    (void)state;
    tide_world *old = fixture_curtain(5, NULL);
    fixture_step(old, 5);
    uint64_t now = fixture_hash(old);
    tide_world *twin;
    assert_ok(tide_world_fork(old, &twin, &error), error);

    tide_world *world = fixture_singular(old);
    tide_reconciliation reconciliation;
    assert_fails(tide_world_reconcile(world, old, &reconciliation, &error), error, "not positive definite");
    tide_world_destroy(world);
    assert_int_equal(fixture_hash(old), now);
    fixture_step(old, 5);
    fixture_step(twin, 5);
    assert_int_equal(fixture_hash(old), fixture_hash(twin));
    tide_world_destroy(old);
    tide_world_destroy(twin);
}

static void test_restore_refuses_other_bodies(void **state)
{
    (void)state;
    tide_world *a = fixture_curtain(5, NULL), *b = fixture_curtain(6, NULL);
    tide_snapshot *snapshot;
    assert_ok(tide_world_snapshot(a, &snapshot, &error), error);
    uint64_t before = fixture_hash(b);
    assert_fails(tide_world_restore(b, snapshot, &error), error, "snapshot: it is of other bodies");
    assert_int_equal(fixture_hash(b), before);
    tide_snapshot_destroy(snapshot);
    tide_world_destroy(a);
    tide_world_destroy(b);
}

// --- every allocation fails in turn -----------------------------------------------------------------------------

// Builds, pins, steps, forks, snapshots and reloads a small world; everything is destroyed whatever happens.
static tide_status live(void *mesh, tide_error *out)
{
    tide_world *world = NULL, *fork = NULL, *next = NULL;
    tide_snapshot *snapshot = NULL;
    tide_body_id id;
    tide_reconciliation reconciliation;
    tide_body_def def = fixture_cloth("cloth", mesh);
    tide_status status = tide_world_create(NULL, NULL, &world, out);
    if (!status)
        status = tide_world_add_body(world, &def, &id, out);
    if (!status)
        status = tide_world_pin(world, id, 0, TIDE_NOT_GIVEN, out);
    if (!status)
        status = tide_world_pin(world, id, 2, 100, out);
    if (!status)
        status = tide_world_step(world, out);
    if (!status)
        status = tide_world_snapshot(world, &snapshot, out);
    if (!status)
        status = tide_world_fork(world, &fork, out);
    if (!status)
        status = tide_world_step(fork, out);
    if (!status)
        status = tide_world_restore(world, snapshot, out);
    if (!status)
        status = tide_world_create(NULL, world, &next, out);
    def.stiffness = 300;
    if (!status)
        status = tide_world_add_body(next, &def, &id, out);
    if (!status)
        status = tide_world_reconcile(next, world, &reconciliation, out);
    if (!status)
        status = tide_world_step(next, out);
    tide_snapshot_destroy(snapshot);
    tide_world_destroy(fork);
    tide_world_destroy(next);
    tide_world_destroy(world);
    return status;
}

static void test_every_allocation_may_fail(void **state)
{
    (void)state;
    fixture_fail_allocations(fail_each_allocation, live);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_the_same_description_changes_nothing),
    cmocka_unit_test(test_what_stays_what_is_rebuilt_what_goes),
    cmocka_unit_test(test_pins_go_on_where_they_were_moved),
    cmocka_unit_test(test_reset_goes_to_the_new_description),
    cmocka_unit_test(test_a_failed_reconciliation_leaves_the_old_world),
    cmocka_unit_test(test_restore_refuses_other_bodies),
    cmocka_unit_test(test_every_allocation_may_fail),
};
TIDE_TEST_SUITE(world_reconcile, tests)
