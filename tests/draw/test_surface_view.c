// The fine surface that a body carries is drawn in the place of its own.
#include "draw/scene.h"

#include "base/memory.h"
#include "draw/world_view.h"
#include "linear/failing.h"

#include <math.h>
#include <string.h>

static tide_error error;

static const tide_mesh *built(const tide_mesh_builder *builder, const void *definition)
{
    tide_mesh *mesh;
    assert_ok(builder->build(definition, &mesh, &error), error);
    return mesh;
}

static const tide_mesh *block(double size, int cells)
{
    return built(&tide_mesh_box,
                 &(tide_mesh_box_def) { .size = { size, size, size }, .cells = { cells, cells, cells } });
}

static const tide_mesh *ball(void)
{
    return built(&tide_mesh_sphere, &(tide_mesh_sphere_def) { .radius = 0.3, .subdivisions = 3 });
}

// A block of 0.8 m around the origin that carries `surface`, which is released.
static tide_world *world_with(const tide_mesh *surface, tide_body_id *id)
{
    tide_world *world;
    tide_body_def def = tide_body_def_default();
    def.name = "thing";
    def.mesh = block(0.8, 3);
    def.surface = surface;
    def.stiffness = 100;
    def.pattern = TIDE_PATTERN_PLAIN;
    memcpy(def.colour, (const double[3]) { 0.8, 0.1, 0.1 }, sizeof def.colour);
    assert_ok(tide_world_create(NULL, NULL, &world, &error), error);
    assert_ok(tide_world_add_body(world, &def, id, &error), error);
    tide_mesh_release(def.mesh);
    tide_mesh_release(surface);
    return world;
}

static void draw(tide_draw_list *list, tide_world *world, bool wireframe)
{
    tide_draw_list_clear(list);
    const tide_view_settings settings = { .wireframe = wireframe, .pins = true };
    assert_ok(tide_draw_world(list, world, &settings, &error), error);
}

static void move(tide_world *world, tide_body_id id, double x)
{
    for (uint32_t v = 0; v < 64; v++)
        tide_world_positions(world, id)[3 * v] += x;
}

static void test_the_list_has_the_fine_surface(void **state)
{
    (void)state;
    tide_body_id id;
    tide_draw_list list = { 0 };
    tide_world *world = world_with(ball(), &id);
    move(world, id, 0.5);
    draw(&list, world, false);
    assert_int_equal(list.surface_count, 1);
    assert_int_equal(list.line_count, 0);
    assert_int_equal(list.point_count, 0);
    const tide_draw_surface *s = &list.surfaces[0];
    const tide_mesh *fine = tide_world_surface(world, id);
    assert_int_equal(s->triangle_count, 1280);
    assert_int_equal(s->vertex_count, 642); // nowhere sharp
    for (uint32_t i = 0; i < s->vertex_count; i++) {
        const float *p = s->positions + 3 * (size_t)i, *n = s->normals + 3 * (size_t)i;
        double out[3] = { ((double)p[0] - 0.5) / 0.3, (double)p[1] / 0.3, (double)p[2] / 0.3 };
        assert_near(sqrt(out[0] * out[0] + out[1] * out[1] + out[2] * out[2]), 1, 1e-5);
        for (int k = 0; k < 3; k++)
            assert_near((double)n[k], out[k], 0.02);
        assert_near((double)s->texture[2 * i], fine->texture[2 * i], 1e-6);
        assert_near((double)s->texture[2 * i + 1], fine->texture[2 * i + 1], 1e-6);
    }
    assert_near((double)list.upper[0], 0.8, 1e-3); // the bounds are its own
    assert_near((double)list.lower[1], -0.3, 1e-3);
    draw(&list, world, true);
    assert_int_equal(list.surface_count, 0); // springs
    assert_true(list.line_count > 100);
    tide_draw_list_free(&list);
    tide_world_destroy(world);
}

static void test_sharp_edges_of_it_stay_sharp(void **state)
{
    (void)state;
    tide_body_id id;
    tide_draw_list list = { 0 };
    tide_world *world = world_with(block(0.4, 2), &id);
    draw(&list, world, false);
    assert_int_equal(list.surfaces[0].triangle_count, 48);
    assert_int_equal(list.surfaces[0].vertex_count, 6 * 9);
    tide_draw_list_free(&list);
    tide_world_destroy(world);
}

static bool is_red(const tide_image *image, double x, double y)
{
    tide_pixel pixel = scene_pixel(image, (uint32_t)(50 + 50 * x), (uint32_t)(50 - 50 * y));
    return pixel.r > 1.5 * pixel.g && pixel.r > 1.5 * pixel.b;
}

static bool is_white(const tide_image *image, double x, double y)
{
    return scene_is_white(scene_pixel(image, (uint32_t)(50 + 50 * x), (uint32_t)(50 - 50 * y)));
}

static void test_the_picture_shows_it_where_the_body_takes_it(void **state)
{
    (void)state;
    tide_body_id id;
    tide_image image = { 0 };
    tide_world *world = world_with(ball(), &id);
    for (int n = 0; n < 2; n++) {
        double x = n ? 0.4 : 0;
        tide_draw_list list = scene_plain();
        const tide_view_settings settings = { .pins = true };
        assert_ok(tide_draw_world(&list, world, &settings, &error), error);
        scene_draw(&list, &image, 100, 100);
        assert_true(is_red(&image, x, 0) && is_red(&image, x - 0.27, 0) && is_red(&image, x, 0.27));
        // the block's corners and sides are not there
        assert_true(is_white(&image, x + 0.35, 0.35) && is_white(&image, x - 0.36, 0) && is_white(&image, x, -0.36));
        assert_true(is_white(&image, n ? -0.2 : 0.6, 0));
        tide_draw_list_free(&list);
        move(world, id, 0.4);
    }
    tide_image_free(&image);
    tide_world_destroy(world);
}

static void test_memory(void **state)
{
    (void)state;
    tide_body_id id;
    tide_world *world = world_with(ball(), &id);
    tide_draw_list list = { 0 };
    draw(&list, world, false);
    uint64_t before = tide_memory_count().allocations, n = 0;
    draw(&list, world, false); // frames after the first allocate nothing
    assert_int_equal(tide_memory_count().allocations, before);
    tide_draw_list_free(&list);
    uint64_t blocks = tide_memory_count().blocks;
    for (bool failed = true; failed; n += failed) {
        list = (tide_draw_list) { 0 };
        failing_allocation failing = { .left = n };
        tide_memory_set_failure_hook(fail_in_turn, &failing);
        tide_status status = tide_draw_world(&list, world, &(tide_view_settings) { 0 }, &error);
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
    cmocka_unit_test(test_the_list_has_the_fine_surface),
    cmocka_unit_test(test_sharp_edges_of_it_stay_sharp),
    cmocka_unit_test(test_the_picture_shows_it_where_the_body_takes_it),
    cmocka_unit_test(test_memory),
};
TIDE_TEST_SUITE(draw_surface_view, tests)
