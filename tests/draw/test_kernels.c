// The rasteriser's inner loops: the same picture for every width of vectors and every number of threads.
#include "draw/raster_kernels.h"

#include "base/parallel.h"
#include "base/random.h"
#include "draw/pixels.h"
#include "draw/scene.h"

#include <stdlib.h>
#include <string.h>

static tide_error error;

static void draw(const tide_draw_list *list, int bits, int threads, tide_image *image)
{
    tide_rasterizer *rasterizer;
    assert_ok(tide_image_resize(image, 333, 221, &error), error);
    assert_ok(tide_rasterizer_create(&rasterizer, &error), error);
    rasterizer->kernels = tide_raster_kernels_choose(bits);
    assert_true(rasterizer->kernels->bits <= bits);
    tide_set_threads(threads);
    for (int frame = 0; frame < 3; frame++) { // the last with what is kept of the first
        memset(image->pixels, 77, 4 * 333 * 221);
        tide_rasterizer_forget(rasterizer);
        assert_ok(tide_rasterizer_draw(rasterizer, list, image, &error), error);
    }
    tide_set_threads(1);
    tide_rasterizer_destroy(rasterizer);
}

static void assert_same_for_all(const tide_draw_list *list)
{
    tide_image plain = { 0 }, image = { 0 };
    const int widths[] = { 128, 256, 512 }, threads[] = { 1, 2, 4 };
    assert_false(list->failed);
    draw(list, 128, 1, &plain);
    for (int w = 0; w < 3; w++)
        for (int t = 0; t < 3; t++) {
            draw(list, widths[w], threads[t], &image);
            for (size_t i = 0; i < 4 * 333 * 221; i++)
                if (image.pixels[i] != plain.pixels[i]) {
                    print_error("%d bits, %d threads: byte %d of pixel (%d, %d) is %d, not %d\n", widths[w], threads[t],
                                (int)(i % 4), (int)(i / 4 % 333), (int)(i / 4 / 333), image.pixels[i], plain.pixels[i]);
                    fail();
                }
        }
    tide_image_free(&plain);
    tide_image_free(&image);
}

static tide_draw_list scene_on_ground(void)
{
    tide_draw_list list = { .stage = tide_draw_stage_default() };
    list.camera = (tide_draw_camera) {
        .position = { 0.7f, 1.1f, 1.7f }, .target = { 0, 0.55f, 0 }, .up = { 0, 1, 0 }, .field_of_view = 0.8f
    };
    return list;
}

static void test_cloth_with_shadow(void **state)
{
    (void)state;
    tide_draw_list list = scene_on_ground();
    scene_add_cloth(&list, 40, TIDE_PATTERN_CHECKER);
    assert_same_for_all(&list);
    list.stage.light_direction[1] = -0.2f; // a long shadow
    assert_same_for_all(&list);
    list.camera.position[1] = 0.05f; // sky above it
    assert_same_for_all(&list);
    tide_draw_list_free(&list);
}

static void test_surfaces_and_solids_side_by_side(void **state)
{
    (void)state;
    tide_draw_list list = scene_on_ground();
    tide_colour map[TIDE_MAP_COLOURS];
    for (int i = 0; i < TIDE_MAP_COLOURS; i++)
        map[i] = (tide_colour) { (float)i / TIDE_MAP_COLOURS, 0.5f, 1 - (float)i / TIDE_MAP_COLOURS, 1 };
    tide_draw_set_map(&list, map);
    scene_add_cloth(&list, 25, TIDE_PATTERN_MAP);
    scene_add_polygon(&list, (const float[]) { -0.4f, 0.3f, 0.3f, 0.6f, 0.1f, 0.1f, 0.3f, 1.3f, 0 }, 3, scene_blue,
                      scene_red);
    tide_random random = tide_random_seed(11);
    for (int i = 0; i < 60; i++) {
        float p[6];
        for (int k = 0; k < 6; k++)
            p[k] = (float)tide_random_uniform(&random) - (k % 3 == 1 ? 0 : 0.5f);
        tide_draw_add_line(&list, &(tide_draw_line) { .from = { p[0], p[1], p[2] },
                                                      .to = { p[3], p[4], p[5] },
                                                      .width = i % 3 ? 1.5f : -0.02f,
                                                      .colour = scene_black,
                                                      .casts_shadow = true });
        tide_draw_add_point(
            &list,
            &(tide_draw_point) { .position = { p[3], p[1], p[5] }, .size = i % 2 ? 4 : -0.05f, .colour = scene_red });
    }
    assert_same_for_all(&list);
    tide_draw_list_free(&list);
}

static void test_what_touches_the_ground(void **state)
{
    (void)state;
    tide_draw_list list = scene_on_ground();
    for (int i = 0; i < 5; i++)
        tide_draw_add_point(&list, &(tide_draw_point) { .position = { 0.2f * (float)i - 0.4f, 0.1f, 0.1f * (float)i },
                                                        .size = -0.2f,
                                                        .colour = scene_blue });
    list.camera.target[1] = 0.1f;
    assert_same_for_all(&list);
    tide_draw_list_free(&list);
}

static void test_slivers_and_what_passes_the_camera(void **state)
{
    (void)state;
    tide_draw_list list = scene_on_ground();
    tide_random random = tide_random_seed(5);
    for (int i = 0; i < 40; i++) {
        float corners[9];
        for (int k = 0; k < 9; k++)
            corners[k] = (i % 4 ? 1 : 30) * ((float)tide_random_uniform(&random) - 0.5f);
        scene_add_polygon(&list, corners, 3, scene_red, scene_blue);
    }
    assert_same_for_all(&list);
    tide_draw_list_free(&list);
}

// --- pictures like the one before ------------------------------------------------------------------------------------

static void draw_by(tide_rasterizer *rasterizer, const tide_draw_list *list, tide_image *image)
{
    tide_image alone = { 0 };
    scene_draw(list, &alone, 333, 221);
    memset(image->pixels, 77, 4 * 333 * 221);
    assert_ok(tide_rasterizer_draw(rasterizer, list, image, &error), error);
    assert_memory_equal(image->pixels, alone.pixels, 4 * 333 * 221);
    tide_image_free(&alone);
}

static void change(tide_draw_list *list, int what)
{
    float *positions = (float *)(uintptr_t)list->surfaces[0].positions;
    switch (what) {
    case 0:
        positions[3 * 200 + 1] += 1e-6f;
        break;
    case 1:
        list->camera.field_of_view += 0.01f;
        break;
    case 2:
        list->stage.ground_height -= 0.01f;
        break;
    case 3:
        list->stage.has_ground = false;
        break;
    case 4:
        list->lines[0].casts_shadow = false;
        break;
    case 5:
        list->lines[0].to[2] += 0.1f;
        break;
    case 6:
        list->points[0].colour.g = 0.7f;
        break;
    case 7:
        list->labels[0].text = "other";
        break;
    case 8:
        list->labels[0].on_screen = false;
        break;
    case 9:
        list->boxes[0].width = 30;
        break;
    case 10:
        list->surfaces[0].casts_shadow = false;
        break;
    case 11:
        list->surfaces[0].pattern = TIDE_PATTERN_PLAIN;
        break;
    case 12:
        list->surfaces[0].triangle_count -= 7;
        break;
    case 13:
        list->point_count = 0;
        break;
    default:
        list->surfaces[0].back.b = 0.3f;
    }
}

static void test_pictures_alike_are_drawn_once(void **state)
{
    (void)state;
    tide_rasterizer *rasterizer;
    tide_image image = { 0 };
    tide_draw_list list = scene_on_ground();
    scene_add_cloth(&list, 20, TIDE_PATTERN_CHECKER);
    tide_draw_add_line(&list, &(tide_draw_line) { .to = { 0.5f, 1, 0.5f }, .width = -0.03f, .casts_shadow = true });
    tide_draw_add_point(&list, &(tide_draw_point) { .position = { -0.4f, 0.3f, 0.3f }, .size = -0.2f });
    tide_draw_add_label(&list,
                        &(tide_draw_label) { .position = { 20, 20 }, .on_screen = true, .size = 20, .text = "one" });
    tide_draw_add_box(&list, &(tide_draw_box) { 5, 5, 20, 10, scene_red });
    assert_ok(tide_image_resize(&image, 333, 221, &error), error);
    assert_ok(tide_rasterizer_create(&rasterizer, &error), error);
    for (int what = 0; what < 15; what++) {
        draw_by(rasterizer, &list, &image);
        draw_by(rasterizer, &list, &image);
        assert_int_equal(tide_rasterizer_repeated(rasterizer), what > 0); // the first time nothing was kept
        rasterizer->vertex_count = 0;                                     // which drawing would find again
        draw_by(rasterizer, &list, &image);
        assert_int_equal(rasterizer->vertex_count, 0);
        assert_true(tide_rasterizer_repeated(rasterizer));
        change(&list, what);
        draw_by(rasterizer, &list, &image);
    }
    assert_ok(tide_image_resize(&image, 221, 333, &error), error); // as many pixels
    tide_image alone = { 0 };
    scene_draw(&list, &alone, 221, 333);
    assert_ok(tide_rasterizer_draw(rasterizer, &list, &image, &error), error);
    assert_memory_equal(image.pixels, alone.pixels, 4 * 333 * 221);
    tide_rasterizer_destroy(rasterizer);
    tide_draw_list_free(&list);
    tide_image_free(&image);
    tide_image_free(&alone);
}

// --- rectangles of pixels --------------------------------------------------------------------------------------------

enum { WIDE = 53, HIGH = 5, STRIDE = 4 * WIDE + 12 };

static int blended(int ink, int paper, int alpha)
{
    return (int)((ink * alpha + paper * (255 - alpha)) / 255.0 + 0.5);
}

static void test_pixels_are_drawn_over(void **state)
{
    (void)state;
    tide_random random = tide_random_seed(2);
    uint8_t before[HIGH * STRIDE], cover[HIGH * (WIDE + 3)];
    for (int round = 0; round < 60; round++) {
        uint8_t colour[4], pixels[3][HIGH * STRIDE];
        for (int i = 0; i < 4; i++)
            colour[i] = (uint8_t)(256 * tide_random_uniform(&random));
        for (size_t i = 0; i < sizeof before; i++)
            before[i] = (uint8_t)(256 * tide_random_uniform(&random));
        for (size_t i = 0; i < sizeof cover; i++)
            cover[i] = (uint8_t)(256 * tide_random_uniform(&random));
        uint32_t width = (uint32_t)(round % WIDE) + 1;
        for (int bits = 128, k = 0; bits <= 512; bits *= 2, k++) {
            tide_pixels_limit(bits);
            memcpy(pixels[k], before, sizeof before);
            tide_pixel_block block = { pixels[k], STRIDE, width, HIGH };
            if (round % 2)
                tide_pixels_tint(&block, colour);
            else
                tide_pixels_stamp(&block, colour, cover, WIDE + 3);
        }
        tide_pixels_limit(0);
        assert_memory_equal(pixels[1], pixels[0], sizeof before);
        assert_memory_equal(pixels[2], pixels[0], sizeof before);
        for (uint32_t y = 0; y < HIGH; y++)
            for (uint32_t i = 0; i < STRIDE; i++) {
                uint32_t at = STRIDE * y + i;
                bool within = i < 4 * width && i % 4 < 3;
                int alpha = round % 2 ? colour[3] : blended(colour[3], 0, cover[(WIDE + 3) * y + i / 4]);
                int expected = within ? blended(colour[i % 4], before[at], alpha) : before[at];
                assert_int_equal(pixels[0][at], expected);
            }
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_cloth_with_shadow),
    cmocka_unit_test(test_surfaces_and_solids_side_by_side),
    cmocka_unit_test(test_what_touches_the_ground),
    cmocka_unit_test(test_slivers_and_what_passes_the_camera),
    cmocka_unit_test(test_pictures_alike_are_drawn_once),
    cmocka_unit_test(test_pixels_are_drawn_over),
};
TIDE_TEST_SUITE(draw_kernels, tests)
