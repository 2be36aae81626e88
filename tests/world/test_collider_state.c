// What may change of colliders while a world runs, as state; and worlds with other colliders that go on.
#include "world/fixture.h"

#include "base/memory.h"
#include "linear/failing.h"
#include "world/collider_state.h"

static tide_error error;

static tide_status add_box(tide_world *world, const char *name, double x, tide_error *out)
{
    tide_shape_box_def box;
    tide_collider_def def = tide_collider_def_default();
    tide_collider_id id;
    tide_shape_default(&tide_shape_box, &box);
    box.position[0] = x;
    box.position[1] = -0.6;
    def.name = name;
    def.shape = &tide_shape_box;
    def.definition = &box;
    return tide_world_add_collider(world, &def, &id, out);
}

static tide_status add_cloth(tide_world *world, const tide_mesh *mesh, tide_error *out)
{
    tide_body_id id;
    tide_body_def def = fixture_cloth("cloth", mesh);
    return tide_world_add_body(world, &def, &id, out);
}

static void test_numbers_out_of_range_and_stale_ids(void **state)
{
    (void)state;
    tide_world *world = fixture_world(NULL, NULL);
    assert_ok(add_box(world, "a", 0, &error), error);
    tide_collider_id id = tide_world_find_collider(world, "a"), stale = { id.index, id.generation + 1 };
    tide_collider_values values = { 0.5, 0.25, 0.125 };
    assert_ok(tide_world_set_collider_values(world, id, &values, &error), error);
    const tide_collider *a = tide_world_collider(world, id);
    assert_true(a->friction == 0.5 && a->restitution == 0.25 && a->thickness == 0.125);
    assert_fails(tide_world_set_collider_values(world, stale, &values, &error), error, "it is gone");
    values.friction = -1;
    assert_fails(tide_world_set_collider_values(world, id, &values, &error), error, "collider \"a\": friction = -1");
    values = (tide_collider_values) { 1, 2, 0 };
    assert_fails(tide_world_set_collider_values(world, id, &values, &error), error, "restitution = 2");
    values = (tide_collider_values) { 1, 1, INFINITY };
    assert_fails(tide_world_set_collider_values(world, id, &values, &error), error, "thickness");
    assert_true(a->friction == 0.5 && a->restitution == 0.25 && a->thickness == 0.125);
    tide_world_destroy(world);
}

static void test_a_snapshot_knows_colliders_by_name(void **state)
{
    (void)state;
    tide_snapshot *snapshot;
    tide_collider_values values = { 0.5, 0.25, 0.125 };
    tide_world *world = fixture_world(NULL, NULL), *other = fixture_world(NULL, NULL);
    const tide_mesh *mesh = fixture_grid(3, 3);
    assert_ok(add_cloth(world, mesh, &error), error);
    assert_ok(add_cloth(other, mesh, &error), error);
    tide_mesh_release(mesh);
    for (int i = 0; i < 3; i++) {
        static const char *const names[] = { "a", "b", "c" };
        assert_ok(add_box(world, names[i], i, &error), error);
        assert_ok(add_box(other, names[2 - i], 9 + i, &error), error);
    }
    tide_collider_id b = tide_world_find_collider(world, "b");
    assert_ok(tide_world_set_collider_values(world, b, &values, &error), error);
    assert_ok(tide_world_snapshot(world, &snapshot, &error), error);
    assert_ok(tide_world_restore(other, snapshot, &error), error);
    for (int i = 0; i < 3; i++) {
        const tide_collider *c = tide_world_collider(other, tide_world_collider_at(other, (uint32_t)i));
        assert_true(c->start.position[0] == 2 - i && c->end.position[0] == 2 - i);
        assert_true(c->friction == (i == 1 ? 0.5 : 0.3));
    }
    tide_snapshot_destroy(snapshot);
    tide_world_destroy(other);
    tide_world_destroy(world);
}

// A cloth on boxes; one is added after a snapshot, then the world is described anew with others.
static tide_status live(void *mesh, tide_error *out)
{
    tide_world *world = NULL, *next = NULL;
    tide_snapshot *snapshot = NULL;
    tide_reconciliation reconciliation;
    tide_world_settings settings = tide_world_settings_default();
    settings.contact.continuous = true;
    tide_status status = tide_world_create(&settings, NULL, &world, out);
    if (!status)
        status = add_cloth(world, mesh, out);
    if (!status)
        status = add_box(world, "a", 0, out);
    for (int i = 0; i < 12 && !status; i++)
        status = tide_world_step(world, out);
    if (!status)
        status = tide_world_snapshot(world, &snapshot, out);
    if (!status)
        status = add_box(world, "b", 5, out);
    if (!status)
        status = tide_world_restore(world, snapshot, out);
    if (!status)
        status = tide_world_create(&settings, world, &next, out);
    if (!status)
        status = add_cloth(next, mesh, out);
    if (!status)
        status = add_box(next, "c", 8, out);
    if (!status)
        status = add_box(next, "a", 0, out);
    if (!status)
        status = tide_world_reconcile(next, world, &reconciliation, out);
    if (!status)
        status = tide_world_step(next, out);
    tide_snapshot_destroy(snapshot);
    tide_world_destroy(next);
    tide_world_destroy(world);
    return status;
}

static void test_every_allocation_may_fail(void **state)
{
    (void)state;
    fixture_fail_allocations(fail_each_allocation_at_most, live);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_numbers_out_of_range_and_stale_ids),
    cmocka_unit_test(test_a_snapshot_knows_colliders_by_name),
    cmocka_unit_test(test_every_allocation_may_fail),
};
TIDE_TEST_SUITE(world_collider_state, tests)
