// The vertices of a mesh collider that deforms as a part of snapshots, and worlds with one when memory runs out.
#include "world/fixture.h"

#include "base/memory.h"
#include "linear/failing.h"
#include "world/deform_state.h"
#include "world/snapshot.h"

#include <string.h>

static tide_error error;

static tide_status add_sheet(tide_world *world, const tide_mesh *mesh, tide_collider_id *id, tide_error *out)
{
    tide_shape_mesh_def sheet;
    tide_shape_default(&tide_shape_mesh, &sheet);
    sheet.mesh = mesh;
    sheet.sheet = sheet.deforms = true;
    sheet.position[1] = -0.1;
    tide_collider_def def = tide_collider_def_default();
    def.name = "sheet";
    def.shape = &tide_shape_mesh;
    def.definition = &sheet;
    return tide_world_add_collider(world, &def, id, out);
}

static tide_status add_cloth(tide_world *world, const tide_mesh *mesh, tide_error *out)
{
    tide_body_id id;
    tide_body_def def = fixture_cloth("cloth", mesh);
    return tide_world_add_body(world, &def, &id, out);
}

static void refuse(const tide_world *world, const void *bytes, size_t size)
{
    tide_snapshot *read = NULL;
    assert_true(tide_snapshot_read(world, bytes, size, &read, &error) != TIDE_OK);
    assert_null(read);
}

// The vertices are at the end of the bytes: a header of two numbers, then start and end.
static void test_bytes_from_outside(void **state)
{
    (void)state;
    const tide_mesh *mesh = fixture_grid(3, 3);
    tide_world *world = fixture_world(NULL, NULL);
    tide_collider_id id;
    double *targets;
    uint32_t count;
    assert_ok(add_cloth(world, mesh, &error), error);
    assert_ok(add_sheet(world, mesh, &id, &error), error);
    assert_ok(tide_world_deform_targets(world, id, &targets, &count, &error), error);
    assert_int_equal(count, 9);
    targets[3 * 4 + 1] = 0.25;
    tide_snapshot *snapshot, *read;
    assert_ok(tide_world_snapshot(world, &snapshot, &error), error);
    size_t size, array = 3 * (size_t)count * sizeof(double);
    const void *bytes = tide_snapshot_bytes(snapshot, &size);
    assert_int_equal(tide_world_deform_size(world), 16 + 2 * array);
    assert_ok(tide_snapshot_read(world, bytes, size, &read, &error), error);
    targets[3 * 4 + 1] = 7;
    assert_ok(tide_world_restore(world, read, &error), error);
    assert_near(targets[3 * 4 + 1], 0.25, 0);
    unsigned char *copy = tide_copy_bytes(bytes, size);
    for (size_t cut = 1; cut < 16 + 2 * array; cut++)
        refuse(world, copy, size - cut);
    const double nowhere[] = { NAN, INFINITY, 1e10 };
    for (int i = 0; i < 3; i++) {
        memcpy(copy, bytes, size);
        memcpy(copy + size - sizeof(double), &nowhere[i], sizeof(double));
        refuse(world, copy, size);
    }
    const uint64_t counts[] = { 8, 10, UINT64_MAX, UINT64_MAX / 48 + 2 };
    for (int i = 0; i < 4; i++) {
        memcpy(copy, bytes, size);
        memcpy(copy + size - 2 * array - sizeof(uint64_t), &counts[i], sizeof(uint64_t));
        refuse(world, copy, size);
    }
    tide_free(copy);
    tide_snapshot_destroy(read);
    tide_snapshot_destroy(snapshot);
    tide_world_destroy(world);
    tide_mesh_release(mesh);
}

static tide_status live(void *context, tide_error *out)
{
    const tide_mesh *mesh = context;
    tide_world *world = NULL, *fork = NULL;
    tide_collider_id id;
    tide_status status = tide_world_create(NULL, NULL, &world, out);
    if (!status)
        status = add_cloth(world, mesh, out);
    if (!status)
        status = add_sheet(world, mesh, &id, out);
    if (!status)
        status = tide_world_fork(world, &fork, out);
    if (!status)
        status = tide_world_step(fork, out);
    tide_world_destroy(fork);
    tide_world_destroy(world);
    return status;
}

static void test_every_allocation_may_fail(void **state)
{
    (void)state;
    fixture_fail_allocations(fail_each_allocation_at_most, live);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_bytes_from_outside),
    cmocka_unit_test(test_every_allocation_may_fail),
};
TIDE_TEST_SUITE(world_deform_state, tests)
