#include "tests.h"

#include "base/memory.h"
#include "draw/world_view.h"
#include "linear/failing.h"
#include "world/deform_state.h"

#include <math.h>
#include <string.h>

static tide_error error;

static tide_world *empty_world(void)
{
    tide_world *world;
    assert_ok(tide_world_create(NULL, NULL, &world, &error), error);
    return world;
}

static tide_collider_def def_of(const char *name, const tide_shape_kind *kind, const void *definition)
{
    tide_collider_def def = tide_collider_def_default();
    def.name = name;
    def.shape = kind;
    def.definition = definition;
    return def;
}

static tide_collider_id add(tide_world *world, const tide_collider_def *def)
{
    tide_collider_id id;
    assert_ok(tide_world_add_collider(world, def, &id, &error), error);
    return id;
}

static tide_collider_id add_sphere(tide_world *world, const char *name, double x, double radius)
{
    const tide_shape_sphere_def sphere = { .position = { x, 0, 0 }, .radius = radius };
    tide_collider_def def = def_of(name, &tide_shape_sphere, &sphere);
    return add(world, &def);
}

static tide_collider_id add_plane(tide_world *world, const char *name, double nx, double ny, double offset)
{
    const tide_shape_plane_def plane = { .normal = { nx, ny, 0 }, .offset = offset };
    tide_collider_def def = def_of(name, &tide_shape_plane, &plane);
    return add(world, &def);
}

static void draw(tide_draw_list *list, tide_world *world)
{
    const tide_view_settings settings = { .wireframe = false };
    tide_draw_list_clear(list);
    assert_ok(tide_draw_world(list, world, &settings, &error), error);
}

static void test_sphere_where_it_is(void **state)
{
    (void)state;
    tide_world *world = empty_world();
    tide_draw_list list = { 0 };
    tide_collider_id id = add_sphere(world, "ball", 1, 0.5);
    const tide_pose pose = { { 3, 4, 5 }, { 1, 0, 0, 0 } };
    for (int placed = 0; placed < 2; placed++) {
        const double middle[3] = { placed ? 3 : 1, placed ? 4 : 0, placed ? 5 : 0 };
        draw(&list, world);
        assert_int_equal(list.surface_count, 1);
        const tide_draw_surface *surface = &list.surfaces[0];
        assert_true(surface->casts_shadow && surface->triangle_count > 100);
        for (uint32_t i = 0; i < surface->vertex_count; i++) {
            double length = 0, along = 0;
            for (int k = 0; k < 3; k++) {
                double from = (double)surface->positions[3 * i + (uint32_t)k] - middle[k];
                length += from * from;
                along += from * (double)surface->normals[3 * i + (uint32_t)k];
            }
            assert_near(sqrt(length), 0.5, 1e-5);
            assert_near(along / sqrt(length), 1, 0.01);
        }
        for (int k = 0; k < 3; k++) {
            assert_near((double)list.lower[k], middle[k] - 0.5, 0.01);
            assert_near((double)list.upper[k], middle[k] + 0.5, 0.01);
        }
        assert_ok(tide_world_place_collider(world, id, &pose, &error), error);
    }
    tide_draw_list_free(&list);
    tide_world_destroy(world);
}

static void test_colour_and_visibility(void **state)
{
    (void)state;
    tide_world *world = empty_world();
    tide_draw_list list = { 0 };
    const tide_shape_box_def box = { .size = { 1, 1, 1 } };
    tide_collider_def def = def_of("seen", &tide_shape_box, &box);
    memcpy(def.colour, (const double[3]) { 0.25, 0.5, 0.75 }, sizeof def.colour);
    add(world, &def);
    def.name = "unseen";
    def.visible = false;
    add(world, &def);
    draw(&list, world);
    assert_int_equal(list.surface_count, 1);
    const tide_colour *front = &list.surfaces[0].front;
    assert_true(list.surfaces[0].solid);
    assert_near((double)front->r, 0.25, 1e-7);
    assert_near((double)front->g, 0.5, 1e-7);
    assert_near((double)front->b, 0.75, 1e-7);
    assert_near((double)front->a, 1, 0);
    tide_draw_list_free(&list);
    tide_world_destroy(world);
}

static tide_mesh *unit_cube(void)
{
    tide_mesh *mesh;
    const tide_mesh_box_def block = { .size = { 1, 1, 1 }, .cells = { 1, 1, 1 } };
    assert_ok(tide_mesh_box.build(&block, &mesh, &error), error);
    return mesh;
}

// A turned box of a mesh: each corner has three normals, one for each side.
static void test_mesh_keeps_its_edges(void **state)
{
    (void)state;
    tide_world *world = empty_world();
    tide_draw_list list = { 0 };
    tide_mesh *mesh = unit_cube();
    tide_shape_mesh_def rigid = { .mesh = mesh, .scale = 1, .rate = 30 };
    tide_quaternion_from_axis_angle((const double[3]) { 0, 0, 1 }, atan(1), rigid.rotation);
    tide_collider_def def = def_of("block", &tide_shape_mesh, &rigid);
    add(world, &def);
    draw(&list, world);
    assert_int_equal(list.surface_count, 1);
    assert_int_equal(list.surfaces[0].vertex_count, 24);
    assert_near((double)list.upper[0], sqrt(0.5), 1e-6);
    assert_near((double)list.upper[2], 0.5, 1e-6);
    for (uint32_t i = 0; i < 24; i++) {
        const float *n = list.surfaces[0].normals + 3 * i;
        double largest = fmax(fabs((double)n[0] + (double)n[1]), fabs((double)n[0] - (double)n[1])) / sqrt(2);
        assert_near(fmax(largest, fabs((double)n[2])), 1, 1e-5);
    }
    tide_draw_list_free(&list);
    tide_mesh_release(mesh);
    tide_world_destroy(world);
}

// A deforming mesh is drawn at its current vertices, not at the initial ones.
static void test_deformed_mesh(void **state)
{
    (void)state;
    tide_world *world = empty_world();
    tide_draw_list list = { 0 };
    tide_mesh *mesh = unit_cube();
    const tide_shape_mesh_def soft = { .mesh = mesh, .rotation = { 1 }, .scale = 1, .rate = 30, .deforms = true };
    tide_collider_def def = def_of("block", &tide_shape_mesh, &soft);
    tide_collider_id id = add(world, &def);
    draw(&list, world);
    assert_near((double)list.upper[1], 0.5, 1e-6);
    double *targets;
    uint32_t count;
    assert_ok(tide_world_deform_targets(world, id, &targets, &count, &error), error);
    assert_int_equal(count, 8);
    for (uint32_t i = 0; i < count; i++)
        targets[3 * i + 1] *= 3;
    tide_collider_end_motion((tide_collider *)tide_world_collider(world, id));
    draw(&list, world);
    assert_near((double)list.upper[1], 1.5, 1e-6);
    assert_near((double)list.upper[0], 0.5, 1e-6);
    tide_draw_list_free(&list);
    tide_mesh_release(mesh);
    tide_world_destroy(world);
}

static void test_floor_is_the_ground(void **state)
{
    (void)state;
    tide_world *world = empty_world();
    tide_draw_list list = { 0 };
    double height = 7;
    assert_false(tide_view_floor(world, true, &height));
    add_plane(world, "wall", 1, 0, -1);
    add_plane(world, "ceiling", 0, -1, -9);
    add_plane(world, "slope", 0.1, 1, 0);
    assert_false(tide_view_floor(world, true, &height));
    assert_near(height, 7, 0);
    add_plane(world, "low", 0, 1, -2);
    tide_collider_id id = add_plane(world, "floor", 0, 3, 0.5);
    assert_true(tide_view_floor(world, true, &height));
    assert_near(height, 0.5, 0);
    // The stage's ground stands for it, but for no other plane.
    list.stage = tide_draw_stage_default();
    list.stage.ground_height = 0.5f;
    draw(&list, world);
    assert_int_equal(list.surface_count, 4);
    list.stage.ground_height = 0.4f;
    draw(&list, world);
    assert_int_equal(list.surface_count, 5);
    list.stage.ground_height = 0.5f;
    list.stage.has_ground = false;
    draw(&list, world);
    assert_int_equal(list.surface_count, 5);
    const tide_pose raised = { { 0, 1.5, 0 }, { 1, 0, 0, 0 } };
    assert_ok(tide_world_place_collider(world, id, &raised, &error), error);
    assert_true(tide_view_floor(world, true, &height));
    assert_near(height, 1.5, 0);
    tide_draw_list_free(&list);
    tide_world_destroy(world);
}

static void test_planes_do_not_extend_the_bounds(void **state)
{
    (void)state;
    tide_world *world = empty_world();
    tide_draw_list list = { 0 };
    add_plane(world, "wall", 1, 0, -1);
    draw(&list, world);
    assert_int_equal(list.surface_count, 1);
    assert_false(list.surfaces[0].casts_shadow);
    for (int k = 0; k < 3; k++)
        assert_true(list.lower[k] == 0 && list.upper[k] == 0);
    add_sphere(world, "ball", 5, 0.5);
    draw(&list, world);
    assert_int_equal(list.surface_count, 2);
    assert_near((double)list.lower[0], 4.5, 0.01);
    assert_near((double)list.upper[0], 5.5, 0.01);
    tide_draw_list_free(&list);
    tide_world_destroy(world);
}

static void test_planes_are_as_large_as_the_world(void **state)
{
    (void)state;
    tide_world *world = empty_world();
    tide_draw_list list = { 0 };
    add_plane(world, "slope", 0.3, 1, -1);
    tide_collider_id ball = add_sphere(world, "ball", 5, 0.5);
    const double n = sqrt(1.09);
    float before[12];
    for (int moved = 0; moved < 2; moved++) {
        draw(&list, world);
        const tide_draw_surface *plane = &list.surfaces[1];
        assert_int_equal(plane->vertex_count, 4);
        double low = 1e9, high = -1e9;
        for (int i = 0; i < 4; i++) { // all on it, and the ball above it
            const float *p = plane->positions + 3 * i;
            assert_near((0.3 * (double)p[0] + (double)p[1]) / n, -1, 1e-5);
            low = fmin(low, (double)p[2]);
            high = fmax(high, (double)p[2]);
        }
        assert_true(low < -0.5 && high > 0.5 && high - low < 8);
        if (moved) // a little way: the plane stays
            assert_memory_equal(before, plane->positions, sizeof before);
        memcpy(before, plane->positions, sizeof before);
        const tide_pose aside = { { 5.05, 0, 0 }, { 1, 0, 0, 0 } };
        assert_ok(tide_world_place_collider(world, ball, &aside, &error), error);
    }
    tide_draw_list_free(&list);
    tide_world_destroy(world);
}

static void test_memory(void **state)
{
    (void)state;
    tide_world *world = empty_world();
    tide_draw_list list = { 0 };
    const tide_view_settings settings = { .wireframe = false };
    add_sphere(world, "ball", 0, 1);
    add_plane(world, "wall", 1, 0, -1);
    draw(&list, world);
    uint64_t before = tide_memory_count().allocations;
    draw(&list, world);
    assert_int_equal(tide_memory_count().allocations, before);
    tide_draw_list_free(&list);
    uint64_t blocks = tide_memory_count().blocks, n = 0;
    for (bool failed = true; failed; n += failed) {
        failing_allocation failing = { .left = n };
        tide_memory_set_failure_hook(fail_in_turn, &failing);
        tide_status status = tide_draw_world(&list, world, &settings, &error);
        tide_memory_set_failure_hook(NULL, NULL);
        failed = status != TIDE_OK;
        assert_int_equal(status, failed ? TIDE_ERROR_MEMORY : TIDE_OK);
        tide_draw_list_free(&list);
        assert_int_equal(tide_memory_count().blocks, blocks);
    }
    assert_true(n >= 2);
    tide_world_destroy(world);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_sphere_where_it_is),
    cmocka_unit_test(test_colour_and_visibility),
    cmocka_unit_test(test_mesh_keeps_its_edges),
    cmocka_unit_test(test_deformed_mesh),
    cmocka_unit_test(test_floor_is_the_ground),
    cmocka_unit_test(test_planes_do_not_extend_the_bounds),
    cmocka_unit_test(test_planes_are_as_large_as_the_world),
    cmocka_unit_test(test_memory),
};
TIDE_TEST_SUITE(draw_collider_view, tests)
