// Upper bounds of the cost of a picture for any state, in tested pixels and texels.
#include "draw/scene.h"

#include "base/memory.h"
#include "base/random.h"

#include <math.h>
#include <string.h>

enum { WIDTH = 640, HEIGHT = 480, SIDE = 81 };

// Triangles, tubes and balls, marks: 48 + 6 + 12 pictures of at least 512 x 512 pixels, plus uncounted small ones
static const double most_pixels = 66.0 * WIDTH * HEIGHT;
static const double most_texels = 48.0 * 1024 * 1024 + 64.0 * 128 * 128;

static tide_raster_cost cost_of(const tide_draw_list *list, tide_image *image)
{
    tide_error error;
    tide_rasterizer *rasterizer;
    assert_false(list->failed);
    assert_ok(tide_image_resize(image, WIDTH, HEIGHT, &error), error);
    assert_ok(tide_rasterizer_create(&rasterizer, &error), error);
    assert_ok(tide_rasterizer_draw(rasterizer, list, image, &error), error);
    tide_raster_cost cost = tide_rasterizer_cost(rasterizer);
    tide_rasterizer_destroy(rasterizer);
    return cost;
}

typedef enum shape { EVERYWHERE, THROUGH_THE_CAMERA, ALL_ALIKE, NOT_FINITE, BEHIND, SHAPE_COUNT } shape;

static float coordinate(shape shape, float reach, tide_random *random, uint32_t i, int axis)
{
    float at = reach * (float)(2 * tide_random_uniform(random) - 1);
    switch (shape) {
    case THROUGH_THE_CAMERA:
        return axis == 2 ? 2 + (i & 1 ? reach : -reach) : 0.1f * at;
    case ALL_ALIKE: // three corners around the picture
        return axis == 2 ? 0 : 3 * (axis ? cosf(2.1f * (float)i) : sinf(2.1f * (float)i));
    case NOT_FINITE:
        return i % 7 ? at : i % 2 ? NAN : INFINITY;
    case BEHIND:
        return axis == 2 ? 2 + fabsf(at) : at;
    default:
        return at;
    }
}

static tide_draw_list exploded(shape shape, float reach, bool surfaces)
{
    enum { VERTICES = SIDE * SIDE, CELLS = (SIDE - 1) * (SIDE - 1) };
    static float positions[3 * VERTICES], normals[3 * VERTICES];
    static uint32_t triangles[6 * CELLS];
    tide_draw_list list = scene_plain();
    tide_random random = tide_random_seed(5);
    list.stage.has_ground = true;
    list.stage.ground_height = -1;
    for (uint32_t i = 0; i < VERTICES; i++)
        for (int axis = 0; axis < 3; axis++)
            positions[3 * i + (uint32_t)axis] = coordinate(shape, reach, &random, i, axis);
    for (uint32_t i = 0; i < CELLS; i++) {
        uint32_t a = i / (SIDE - 1) * SIDE + i % (SIDE - 1);
        memcpy(triangles + 6 * i, (const uint32_t[6]) { a, a + 1, a + SIDE, a + 1, a + SIDE, a + SIDE + 1 },
               6 * sizeof *triangles);
    }
    tide_draw_normals(positions, VERTICES, triangles, 2 * CELLS, normals);
    if (surfaces)
        tide_draw_add_surface(&list, &(tide_draw_surface) { .vertex_count = VERTICES,
                                                            .triangle_count = 2 * CELLS,
                                                            .positions = positions,
                                                            .normals = normals,
                                                            .triangles = triangles,
                                                            .front = scene_red,
                                                            .back = scene_blue,
                                                            .casts_shadow = true });
    for (uint32_t i = 0; !surfaces && i + 1 < VERTICES; i++) {
        tide_draw_line line = { .width = i & 1 ? 2 : -0.02f * reach, .colour = scene_blue, .casts_shadow = true };
        tide_draw_point point = { .size = i & 1 ? 900 : -0.4f * reach, .colour = scene_red };
        memcpy(line.from, positions + 3 * i, sizeof line.from);
        memcpy(line.to, positions + 3 * i + 3, sizeof line.to);
        memcpy(point.position, positions + 3 * i, sizeof point.position);
        tide_draw_add_line(&list, &line);
        tide_draw_add_point(&list, &point);
    }
    return list;
}

static void test_no_state_costs_more_than_the_budget(void **state)
{
    (void)state;
    static const float reaches[] = { 0.3f, 3, 40, 3e4f, 9e5f };
    tide_image image = { 0 };
    uint32_t left_out[2] = { 0, 0 };
    for (int shape = 0; shape < SHAPE_COUNT; shape++)
        for (size_t i = 0; i < sizeof reaches / sizeof reaches[0]; i++)
            for (int surfaces = 0; surfaces < 2; surfaces++) {
                if (tide_test_skips(7))
                    continue;
                tide_draw_list list = exploded((enum shape)shape, reaches[i], surfaces);
                tide_raster_cost cost = cost_of(&list, &image);
                uint64_t primitives = list.line_count + list.point_count + 2 * (SIDE - 1) * (SIDE - 1);
                assert_true((double)cost.pixels <= most_pixels + 64.0 * (double)primitives);
                assert_true((double)cost.texels <= most_texels + 64.0 * (double)primitives);
                left_out[surfaces] += cost.left_out;
                tide_draw_list_free(&list);
            }
    assert_true(left_out[0] > 10000 && left_out[1] > 10000); // they would have cost more
    tide_image_free(&image);
}

static void test_nothing_is_left_out_of_plain_pictures(void **state)
{
    (void)state;
    tide_draw_list list = { .stage = tide_draw_stage_default() };
    tide_image image = { 0 };
    scene_add_cloth(&list, SIDE, TIDE_PATTERN_CHECKER);
    for (uint32_t i = 0; i < 20000; i++) { // hair, and a wireframe
        float a = 0.01f * (float)i, b = a + 0.02f;
        tide_draw_line line = { .from = { cosf(a), 0.1f * sinf(9 * a), sinf(a) },
                                .to = { cosf(b), 0.1f * sinf(9 * b), sinf(b) },
                                .width = i & 1 ? 1.5f : -0.002f,
                                .colour = scene_blue,
                                .casts_shadow = true };
        tide_draw_add_line(&list, &line);
    }
    list.camera = tide_camera_frame(list.lower, list.upper, (float)WIDTH / HEIGHT);
    tide_raster_cost cost = cost_of(&list, &image);
    assert_int_equal(cost.left_out, 0);
    assert_true(cost.pixels > WIDTH * HEIGHT / 4 && cost.texels > 1024 * 1024 / 4);
    tide_draw_list_free(&list);
    tide_image_free(&image);
}

// The largest primitives are left out first: small ones stay visible.
static void test_small_things_stay(void **state)
{
    (void)state;
    tide_draw_list list = scene_plain();
    tide_image image = { 0 };
    const float huge[] = { -900, -900, -1, 900, -900, -1, 0, 900, -1 };
    const float small[] = { -0.1f, -0.1f, -1.5f, 0.1f, -0.1f, -1.5f, 0, 0.1f, -1.5f };
    for (int i = 0; i < 500; i++)
        scene_add_polygon(&list, huge, 3, scene_blue, scene_blue);
    scene_add_polygon(&list, small, 3, scene_red, scene_red); // behind them
    tide_raster_cost cost = cost_of(&list, &image);
    assert_in_range(cost.left_out, 400, 499);
    tide_pixel middle = scene_pixel(&image, WIDTH / 2, HEIGHT / 2);
    assert_true(middle.b > middle.r); // those that fit are drawn
    tide_draw_list_free(&list);

    list = scene_plain();
    for (int i = 0; i < 500; i++)
        scene_add_polygon(&list, small, 3, scene_red, scene_red);
    assert_int_equal(cost_of(&list, &image).left_out, 0);
    tide_draw_list_free(&list);
    tide_image_free(&image);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_no_state_costs_more_than_the_budget),
    cmocka_unit_test(test_nothing_is_left_out_of_plain_pictures),
    cmocka_unit_test(test_small_things_stay),
};
TIDE_TEST_SUITE(draw_rasterizer_budget, tests)
