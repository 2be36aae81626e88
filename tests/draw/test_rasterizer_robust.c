// The rasteriser with hostile numbers, failing allocations, any number of threads, and frame after frame.
#include "draw/scene.h"

#include "base/hash.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/random.h"
#include "linear/failing.h"

#include <float.h>
#include <math.h>
#include <string.h>

static tide_draw_list everything(void)
{
    tide_draw_list list = { .stage = tide_draw_stage_default() };
    scene_add_cloth(&list, 60, TIDE_PATTERN_CHECKER);
    for (int i = 0; i < 300; i++) {
        float a = (float)i * 0.05f, b = a + 0.05f;
        tide_draw_line line = { .from = { cosf(a), 0.5f + 0.1f * a / 3, sinf(a) },
                                .to = { cosf(b), 0.5f + 0.1f * b / 3, sinf(b) },
                                .width = i & 1 ? 1.5f : -0.02f,
                                .colour = scene_blue,
                                .casts_shadow = true };
        tide_draw_add_line(&list, &line);
        tide_draw_add_point(&list, &(tide_draw_point) { .position = { 0.9f * cosf(a), 0.04f, 0.9f * sinf(a) },
                                                        .size = i % 3 ? -0.05f : 6,
                                                        .colour = scene_red });
    }
    tide_draw_add_label(&list, &(tide_draw_label) { .position = { 5, 5 },
                                                    .on_screen = true,
                                                    .size = 16,
                                                    .colour = scene_black,
                                                    .text = "frame 12\nE = 0.5 J" });
    list.camera = tide_camera_frame(list.lower, list.upper, 1.5f);
    return list;
}

static uint64_t picture_hash(const tide_image *image)
{
    return tide_hash_bytes(TIDE_HASH_START, image->pixels, 4 * (size_t)image->width * image->height);
}

static void test_same_picture_for_any_threads(void **state)
{
    (void)state;
    tide_draw_list list = everything();
    tide_image image = { 0 };
    uint64_t first = 0;
    int before = tide_threads();
    for (int threads = 1; threads <= 5; threads++) {
        tide_set_threads(threads);
        scene_draw(&list, &image, 397, 211);
        if (threads == 1)
            first = picture_hash(&image);
        assert_int_equal(picture_hash(&image), first);
    }
    tide_set_threads(before);
    tide_draw_list_free(&list);
    tide_image_free(&image);
}

static void test_no_allocation_in_steady_frames(void **state)
{
    (void)state;
    tide_error error;
    tide_rasterizer *rasterizer;
    tide_draw_list list = everything();
    tide_image image = { 0 };
    assert_ok(tide_rasterizer_create(&rasterizer, &error), error);
    assert_ok(tide_image_resize(&image, 320, 200, &error), error);
    uint64_t before = 0;
    for (int frame = 0; frame < 5; frame++) {
        if (frame == 2) // the second makes room for what stays as it is
            before = tide_memory_count().allocations;
        assert_ok(tide_rasterizer_draw(rasterizer, &list, &image, &error), error);
    }
    assert_int_equal(tide_memory_count().allocations, before);
    assert_true(tide_memory_count().bytes < 30e6);
    tide_rasterizer_destroy(rasterizer);
    tide_draw_list_free(&list);
    tide_image_free(&image);
}

// Data kept from earlier frames never shows: a sequence has the same pictures as single frames.
static void test_pictures_do_not_depend_on_those_before(void **state)
{
    (void)state;
    tide_error error;
    tide_rasterizer *rasterizer;
    tide_image image = { 0 }, alone = { 0 };
    assert_ok(tide_rasterizer_create(&rasterizer, &error), error);
    assert_ok(tide_image_resize(&image, 400, 300, &error), error);
    uint64_t first = 0;
    int different = 0;
    for (int frame = 0; frame < 24; frame++) {
        tide_draw_list list = { 0 };
        list.stage = tide_draw_stage_default();
        if (frame % 6) // without anything, then with more and more in ever other places
            scene_add_cloth(&list, (uint32_t)(4 * (frame % 6)), TIDE_PATTERN_CHECKER);
        if (frame % 4 == 3)
            tide_draw_add_point(&list, &(tide_draw_point) { .position = { 0.3f * (float)frame - 3, 0.2f, 1 },
                                                            .size = -0.3f,
                                                            .colour = scene_red });
        list.stage.has_ground = frame < 21;
        list.stage.ground_height = -0.5f;
        list.camera = (tide_draw_camera) {
            .position = { frame < 16 ? 1 : -1, 1, 4 }, .target = { 0, 0, 0 }, .up = { 0, 1, 0 }, .field_of_view = 0.9f
        };
        assert_ok(tide_rasterizer_draw(rasterizer, &list, &image, &error), error);
        scene_draw(&list, &alone, 400, 300);
        assert_int_equal(picture_hash(&image), picture_hash(&alone));
        if (frame == 0)
            first = picture_hash(&image);
        different += picture_hash(&image) != first;
        tide_draw_list_free(&list);
    }
    assert_true(different >= 16);
    tide_rasterizer_destroy(rasterizer);
    tide_image_free(&image);
    tide_image_free(&alone);
}

static void test_ground_keeps_still_while_bodies_move(void **state)
{
    (void)state;
    tide_draw_list list = { 0 };
    tide_image image = { 0 };
    list.stage = tide_draw_stage_default();
    list.camera = (tide_draw_camera) {
        .position = { 1, 1, 4 }, .target = { 0, 0.5f, 0 }, .up = { 0, 1, 0 }, .field_of_view = 0.7f
    };
    scene_draw(&list, &image, 200, 150);
    uint64_t first = picture_hash(&image);
    for (int i = 0; i < 3; i++) {
        list.lower[i] = -3;
        list.upper[i] = 5;
    }
    scene_draw(&list, &image, 200, 150);
    assert_int_equal(picture_hash(&image), first);
    tide_draw_list_free(&list);
    tide_image_free(&image);
}

static void test_each_allocation_fails(void **state)
{
    (void)state;
    tide_draw_list list = everything();
    tide_image image = { 0 };
    tide_error error;
    assert_ok(tide_image_resize(&image, 64, 64, &error), error);
    int failures = 0;
    for (bool failed = true; failed; failures += failed) {
        tide_rasterizer *rasterizer = NULL;
        uint64_t blocks = tide_memory_count().blocks;
        failing_allocation failing = { .left = (uint64_t)failures };
        tide_memory_set_failure_hook(fail_in_turn, &failing);
        tide_status status = tide_rasterizer_create(&rasterizer, &error);
        if (!status)
            status = tide_rasterizer_draw(rasterizer, &list, &image, &error);
        tide_memory_set_failure_hook(NULL, NULL);
        failed = status != TIDE_OK;
        if (failed) {
            assert_int_equal(status, TIDE_ERROR_MEMORY);
            assert_int_equal(error.status, TIDE_ERROR_MEMORY);
        }
        if (rasterizer) // what failed once works the next time
            assert_ok(tide_rasterizer_draw(rasterizer, &list, &image, &error), error);
        tide_rasterizer_destroy(rasterizer);
        assert_int_equal(tide_memory_count().blocks, blocks);
    }
    assert_true(failures > 15);
    tide_draw_list_free(&list);
    tide_image_free(&image);
}

static void test_bad_triangles_are_skipped(void **state)
{
    (void)state;
    tide_draw_list list = scene_plain();
    tide_image image = { 0 };
    // the good square shows as ever among triangles with bad numbers, no area and indices out of range
    const float positions[] = { -0.6f, -0.6f, 0,    0.6f, -0.6f, 0, 0.6f,     0.6f, 0,        -0.6f,   0.6f, 0,
                                NAN,   0.1f,  0.1f, 0.1f, 0.1f,  0, INFINITY, 0,    -FLT_MAX, FLT_MAX, 0 };
    const float normals[21] = { NAN, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 0 };
    const uint32_t triangles[] = { 4, 1, 2, 5, 6, 0, 0, 0, 1, 0, 1, 77, 0, 1, 2, 0, 2, 3, 6, 1, 3, UINT32_MAX, 1, 0 };
    tide_draw_add_surface(&list, &(tide_draw_surface) { .vertex_count = 7,
                                                        .triangle_count = 8,
                                                        .positions = positions,
                                                        .normals = normals,
                                                        .triangles = triangles,
                                                        .front = scene_red,
                                                        .back = scene_red,
                                                        .casts_shadow = true });
    scene_draw(&list, &image, 100, 100);
    assert_true(scene_pixel(&image, 50, 50).r > 2 * scene_pixel(&image, 50, 50).g);
    assert_true(scene_pixel(&image, 25, 75).r > 2 * scene_pixel(&image, 25, 75).g);
    assert_true(scene_is_white(scene_pixel(&image, 10, 10)));
    tide_draw_list_free(&list);
    tide_image_free(&image);
}

static float hostile(tide_random *random)
{
    static const float values[] = { 0,      -0.0f, NAN,   INFINITY, -INFINITY, FLT_MAX, -FLT_MAX, FLT_MIN,
                                    1e-30f, 1e6f,  -1e6f, 9e5f,     1e20f,     -1e9f,   1,        -1 };
    double pick = tide_random_uniform(random);
    return pick < 0.4 ? values[(size_t)(pick / 0.4 * 16)] : (float)(4 * tide_random_uniform(random) - 2);
}

static tide_colour hostile_colour(tide_random *random)
{
    return (tide_colour) { hostile(random), hostile(random), hostile(random), hostile(random) };
}

static void fill(tide_random *random, float *out, size_t count)
{
    for (size_t i = 0; i < count; i++)
        out[i] = hostile(random);
}

static void add_hostile(tide_draw_list *list, tide_random *random)
{
    float positions[30], normals[30], texture[20];
    uint32_t triangles[36];
    fill(random, positions, 30);
    fill(random, normals, 30);
    fill(random, texture, 20);
    for (int i = 0; i < 36; i++)
        triangles[i] = tide_random_next(random) % 11;
    tide_draw_add_surface(list, &(tide_draw_surface) { .vertex_count = 10,
                                                       .triangle_count = 12,
                                                       .positions = positions,
                                                       .normals = normals,
                                                       .texture = texture,
                                                       .triangles = triangles,
                                                       .front = hostile_colour(random),
                                                       .back = hostile_colour(random),
                                                       .pattern = TIDE_PATTERN_CHECKER,
                                                       .checkers = hostile(random),
                                                       .casts_shadow = true });
    for (int i = 0; i < 6; i++) {
        tide_draw_line line = { .width = hostile(random), .colour = hostile_colour(random), .casts_shadow = true };
        tide_draw_point point = { .size = hostile(random), .colour = hostile_colour(random) };
        tide_draw_label label = { .on_screen = i & 1,
                                  .size = hostile(random) * 20,
                                  .colour = hostile_colour(random),
                                  .text = "\xff text\n\xe2\x86" };
        fill(random, line.from, 3);
        fill(random, line.to, 3);
        fill(random, point.position, 3);
        fill(random, label.position, 3);
        tide_draw_add_line(list, &line);
        tide_draw_add_point(list, &point);
        tide_draw_add_label(list, &label);
    }
}

static void test_hostile_numbers(void **state)
{
    (void)state;
    tide_error error;
    tide_rasterizer *rasterizer;
    tide_image image = { 0 };
    tide_random random = tide_random_seed(11);
    assert_ok(tide_rasterizer_create(&rasterizer, &error), error);
    for (int round = 0; round < 400; round++) {
        tide_draw_list list = scene_plain();
        list.stage.has_ground = round % 3 != 0;
        add_hostile(&list, &random);
        if (round & 1)
            fill(&random, list.camera.position, 3);
        if (round & 2)
            fill(&random, list.camera.up, 3);
        if (round & 4) {
            fill(&random, list.stage.light_direction, 3);
            fill(&random, list.camera.target, 3);
        }
        if (round & 8) {
            list.camera.field_of_view = hostile(&random);
            list.stage.ground_height = hostile(&random);
            list.stage.ground = hostile_colour(&random);
        }
        if (round & 16)
            fill(&random, list.lower, 6);
        assert_ok(
            tide_image_resize(&image, 1 + tide_random_next(&random) % 90, 1 + tide_random_next(&random) % 70, &error),
            error);
        assert_ok(tide_rasterizer_draw(rasterizer, &list, &image, &error), error);
        tide_draw_list_free(&list);
    }
    tide_rasterizer_destroy(rasterizer);
    tide_image_free(&image);
}

static void test_any_size(void **state)
{
    (void)state;
    tide_draw_list list = everything();
    tide_image image = { 0 };
    static const uint32_t sizes[][2] = { { 1, 1 }, { 3, 2 }, { 65, 33 }, { 64, 32 }, { 1, 500 }, { 4000, 1 } };
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        scene_draw(&list, &image, sizes[i][0], sizes[i][1]);
        for (uint32_t y = 0; y < sizes[i][1]; y++)
            for (uint32_t x = 0; x < sizes[i][0]; x++)
                scene_pixel(&image, x, y); // every pixel was written: its alpha is 255
    }
    tide_draw_list_free(&list);
    tide_image_free(&image);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_same_picture_for_any_threads),
    cmocka_unit_test(test_no_allocation_in_steady_frames),
    cmocka_unit_test(test_pictures_do_not_depend_on_those_before),
    cmocka_unit_test(test_ground_keeps_still_while_bodies_move),
    cmocka_unit_test(test_each_allocation_fails),
    cmocka_unit_test(test_bad_triangles_are_skipped),
    cmocka_unit_test(test_hostile_numbers),
    cmocka_unit_test(test_any_size),
};
TIDE_TEST_SUITE(draw_rasterizer_robust, tests)
