// The OpenGL renderer's pictures beside the software rasteriser's, by desktop OpenGL (draw_gl) and by OpenGL ES
// (draw_gles). Skipped where there is none.
#include "draw/scene.h"

#include "draw/gl_context.h"
#include "draw/gl_renderer.h"

#include "base/memory.h"
#include "linear/failing.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The differences between two pictures of one size
typedef struct difference {
    double mean;  // of all components, 0 to 255
    double share; // of pixels with a component that is off by more than 24
    int most;     // of all components
} difference;

static difference compare(const tide_image *a, const tide_image *b)
{
    difference difference = { 0 };
    assert_int_equal(a->width, b->width);
    assert_int_equal(a->height, b->height);
    size_t pixels = (size_t)a->width * a->height;
    for (size_t i = 0; i < pixels; i++) {
        int most = 0;
        for (size_t k = 4 * i; k < 4 * i + 3; k++) {
            int off = abs(a->pixels[k] - b->pixels[k]);
            most = off > most ? off : most;
            difference.mean += off;
        }
        assert_int_equal(b->pixels[4 * i + 3], 255);
        difference.share += most > 24;
        difference.most = most > difference.most ? most : difference.most;
    }
    difference.mean /= 3.0 * (double)pixels;
    difference.share /= (double)pixels;
    return difference;
}

// One renderer for most tests: making one takes the driver long.
static tide_gl *shared;
static tide_gl_host host;

static int set_up(tide_gl_host wanted)
{
    tide_error error;
    char text[1024];
    host = wanted;
    if (tide_gl_create(&shared, host, &error) != TIDE_OK) {
        print_message("# %s\n", tide_error_text(&error, text, sizeof text));
        shared = NULL;
    }
    return 0;
}

static int set_up_desktop(void **state)
{
    (void)state;
    return set_up(TIDE_GL_OFFSCREEN);
}

static int set_up_es(void **state)
{
    (void)state;
    return set_up(TIDE_GL_OFFSCREEN_ES);
}

static int tear_down(void **state)
{
    (void)state;
    tide_gl_destroy(shared);
    shared = NULL;
    return 0;
}

static void need_gl(void)
{
    if (!shared)
        skip();
}

// With SPRINGTIDE_PICTURES, a folder: writes both pictures there, side by side.
static void keep(const char *name, const tide_image *a, const tide_image *b)
{
    const char *folder = getenv("SPRINGTIDE_PICTURES");
    tide_image both = { 0 };
    tide_error error;
    char path[512];
    if (!folder)
        return;
    assert_ok(tide_image_resize(&both, 2 * a->width, a->height, &error), error);
    for (size_t y = 0; y < a->height; y++) {
        memcpy(both.pixels + 8 * y * a->width, a->pixels + 4 * y * a->width, 4 * (size_t)a->width);
        memcpy(both.pixels + 8 * y * a->width + 4 * (size_t)a->width, b->pixels + 4 * y * a->width,
               4 * (size_t)a->width);
    }
    snprintf(path, sizeof path, "%s/%s.png", folder, name);
    assert_ok(tide_image_write_png(&both, path, &error), error);
    tide_image_free(&both);
}

static difference both(const char *name, const tide_draw_list *list, uint32_t width, uint32_t height)
{
    tide_error error;
    tide_image software = { 0 }, opengl = { 0 };
    scene_draw(list, &software, width, height);
    assert_ok(tide_image_resize(&opengl, width, height, &error), error);
    memset(opengl.pixels, 77, 4 * (size_t)width * height);
    assert_ok(tide_gl_draw(shared, list, &opengl, &error), error);
    difference difference = compare(&software, &opengl);
    if (getenv("SPRINGTIDE_PICTURES"))
        print_message("%-12s mean %.3f, share over 24 %.5f, most %d\n", name, difference.mean, difference.share,
                      difference.most);
    keep(name, &software, &opengl);
    tide_image_free(&software);
    tide_image_free(&opengl);
    return difference;
}

static tide_draw_list staged(void)
{
    tide_draw_list list = { .stage = tide_draw_stage_default() };
    return list;
}

static void look(tide_draw_list *list)
{
    list->camera = tide_camera_frame(list->lower, list->upper, 4 / 3.0f);
}

static void test_nothing_but_the_stage(void **state)
{
    (void)state;
    need_gl();
    tide_draw_list list = staged();
    list.camera = (tide_draw_camera) {
        .position = { 1, 1.5f, 4 }, .target = { 0, 0.4f, 0 }, .up = { 0, 1, 0 }, .field_of_view = 0.7f
    };
    difference d = both("stage", &list, 320, 240);
    assert_true(d.mean < 0.06 && d.most <= 2);
    list.camera = (tide_draw_camera) {
        .position = { 3, 0.3f, 4 }, .target = { 0, 2, 0 }, .up = { 0.2f, 1, 0 }, .field_of_view = 1.2f
    };
    d = both("sky", &list, 317, 243);
    assert_true(d.mean < 0.06 && d.share < 0.001);
    list.stage.has_ground = false;
    d = both("no-ground", &list, 64, 700);
    assert_true(d.mean < 0.06 && d.most <= 2);
}

static void test_cloth(void **state)
{
    (void)state;
    need_gl();
    for (int pattern = 0; pattern < 2; pattern++) {
        tide_draw_list list = staged();
        scene_add_cloth(&list, 40, pattern ? TIDE_PATTERN_CHECKER : TIDE_PATTERN_PLAIN);
        look(&list);
        difference d = both(pattern ? "checker" : "cloth", &list, 480, 360);
        assert_true(d.mean < 0.2 && d.share < 0.001);
        list.camera.position[2] = -list.camera.position[2]; // its back
        d = both(pattern ? "checker-back" : "cloth-back", &list, 480, 360);
        assert_true(d.mean < 0.2 && d.share < 0.001);
        list.camera.shift[0] = 0.4f; // seen beside a panel
        list.camera.shift[1] = -0.15f;
        d = both(pattern ? "checker-beside" : "cloth-beside", &list, 480, 360);
        assert_true(d.mean < 0.2 && d.share < 0.001);
        tide_draw_list_free(&list);
    }
}

static void add_tube(tide_draw_list *list, float angle, float width, tide_colour colour)
{
    tide_draw_line tube = { .width = -width, .colour = colour, .casts_shadow = true };
    float last[3] = { 0.5f * cosf(angle), 1, 0.5f * sinf(angle) };
    for (int i = 1; i <= 12; i++) {
        float turn = angle + 0.35f * (float)i, away = 0.5f + 0.03f * (float)i;
        const float next[3] = { away * cosf(turn), 1 - 0.08f * (float)i, away * sinf(turn) };
        memcpy(tube.from, last, sizeof last);
        memcpy(tube.to, next, sizeof next);
        memcpy(last, next, sizeof next);
        tide_draw_add_line(list, &tube);
    }
}

static void test_tubes_and_balls(void **state)
{
    (void)state;
    need_gl();
    tide_draw_list list = staged();
    add_tube(&list, 0, 0.08f, scene_red);
    add_tube(&list, 2, 0.02f, scene_blue);
    add_tube(&list, 4, 0.004f, scene_red);
    tide_draw_add_point(&list, &(tide_draw_point) { .position = { 0, 0.3f, 0 }, .size = -0.6f, .colour = scene_blue });
    tide_draw_add_point(&list, &(tide_draw_point) { .position = { 0.5f, 0.1f, 0.4f }, .size = -0.2f, scene_red });
    tide_draw_add_point(&list, &(tide_draw_point) { .position = { -0.5f, 0.02f, 0.6f }, .size = -0.04f, scene_red });
    look(&list);
    difference d = both("tubes", &list, 640, 480);
    assert_true(d.mean < 0.2 && d.share < 0.001);
    tide_draw_list_free(&list);
}

static void test_marks_and_labels(void **state)
{
    (void)state;
    need_gl();
    tide_draw_list list = staged();
    scene_add_cloth(&list, 12, TIDE_PATTERN_PLAIN);
    look(&list);
    const tide_draw_surface *cloth = &list.surfaces[0];
    for (uint32_t i = 0; i < cloth->triangle_count; i++) {
        const float *a = cloth->positions + 3 * cloth->triangles[3 * i];
        const float *b = cloth->positions + 3 * cloth->triangles[3 * i + 1];
        tide_draw_add_line(&list, &(tide_draw_line) { .from = { a[0], a[1], a[2] },
                                                      .to = { b[0], b[1], b[2] },
                                                      .width = i % 3 ? 0.6f : 3,
                                                      .colour = { 0.1f, 0.2f, 0.3f, i % 2 ? 1 : 0.4f } });
    }
    for (int i = 0; i < 9; i++)
        tide_draw_add_point(&list, &(tide_draw_point) { .position = { 0.1f * (float)i - 0.4f, 0.5f, 0.1f },
                                                        .size = 1 + 2 * (float)i,
                                                        .colour = scene_blue });
    tide_draw_add_label(&list, &(tide_draw_label) { .position = { 10, 12, 0 },
                                                    .on_screen = true,
                                                    .size = 20,
                                                    .colour = scene_black,
                                                    .text = "A label\nof two lines" });
    tide_draw_add_label(
        &list,
        &(tide_draw_label) { .position = { 0, 1.2f, 0 }, .size = 14, .text = "in the world", .colour = scene_red });
    difference d = both("marks", &list, 480, 360);
    assert_true(d.mean < 0.2 && d.share < 0.001);
    tide_draw_list_free(&list);
}

// Triangles, tubes and marks that pass beside the camera and behind it
static void test_in_the_middle_of_it(void **state)
{
    (void)state;
    need_gl();
    tide_draw_list list = staged();
    scene_add_cloth(&list, 30, TIDE_PATTERN_CHECKER);
    add_tube(&list, 1, 0.05f, scene_blue);
    for (int i = 0; i < 20; i++)
        tide_draw_add_line(&list, &(tide_draw_line) { .from = { 0.05f * (float)i - 0.5f, 0.2f, 3 },
                                                      .to = { 0.05f * (float)i - 0.5f, 0.9f, -3 },
                                                      .width = 2,
                                                      .colour = scene_red });
    list.camera = (tide_draw_camera) {
        .position = { 0.05f, 0.6f, 0.12f }, .target = { 0.4f, 0.65f, 0 }, .up = { 0, 1, 0 }, .field_of_view = 1.4f
    };
    difference d = both("middle", &list, 320, 240);
    assert_true(d.mean < 0.4 && d.share < 0.01);
    tide_draw_list_free(&list);
}

// Many-coloured noise where a normal or a corner cannot be used would be seen as a difference, too.
static void test_bad_numbers_are_passed_over(void **state)
{
    (void)state;
    need_gl();
    tide_draw_list list = scene_plain();
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
    for (int i = 0; i < 4; i++) {
        const float width = i == 0 ? NAN : i == 1 ? -INFINITY : i == 2 ? -1e-30f : 3;
        const float place = i == 3 ? NAN : 0.2f;
        tide_draw_add_line(&list, &(tide_draw_line) { { place, 0, 0.2f }, { 0.4f, 0, 0.2f }, width, scene_blue, true });
        tide_draw_add_point(&list, &(tide_draw_point) { { 0, place, 0.3f }, width, scene_blue });
    }
    difference d = both("bad", &list, 100, 100);
    assert_true(d.mean < 0.2 && d.share < 0.002);
    tide_draw_list_free(&list);
}

static tide_draw_list everything(void)
{
    tide_draw_list list = staged();
    scene_add_cloth(&list, 60, TIDE_PATTERN_CHECKER);
    add_tube(&list, 0, 0.02f, scene_blue);
    tide_draw_add_point(&list, &(tide_draw_point) { .position = { 0.2f, 0.2f, 0.4f }, .size = 7, .colour = scene_red });
    tide_draw_add_label(&list, &(tide_draw_label) { .size = 16, .colour = scene_black, .text = "frame 12" });
    look(&list);
    return list;
}

static void draw_at(tide_gl *gl, const tide_draw_list *list, tide_image *image, uint32_t width, uint32_t height)
{
    tide_error error;
    assert_ok(tide_image_resize(image, width, height, &error), error);
    assert_ok(tide_gl_draw(gl, list, image, &error), error);
}

static void test_pictures_do_not_depend_on_those_before(void **state)
{
    (void)state;
    need_gl();
    tide_draw_list list = everything(), empty = staged(), bare = scene_plain();
    tide_image first = { 0 }, other = { 0 }, again = { 0 };
    empty.camera = list.camera;
    draw_at(shared, &list, &first, 300, 200);
    draw_at(shared, &empty, &other, 301, 199);
    draw_at(shared, &bare, &other, 64, 640);
    draw_at(shared, &list, &again, 300, 200);
    assert_memory_equal(first.pixels, again.pixels, 4 * 300 * 200);
    tide_draw_list_free(&list);
    tide_image_free(&first);
    tide_image_free(&other);
    tide_image_free(&again);
}

static void test_no_allocation_in_steady_frames(void **state)
{
    (void)state;
    need_gl();
    tide_draw_list list = everything();
    tide_image image = { 0 };
    draw_at(shared, &list, &image, 160, 120);
    uint64_t before = tide_memory_count().allocations;
    for (int frame = 0; frame < 3; frame++)
        draw_at(shared, &list, &image, 160, 120);
    assert_int_equal(tide_memory_count().allocations, before);
    tide_draw_list_free(&list);
    tide_image_free(&image);
}

static void test_size_is_asked_for(void **state)
{
    (void)state;
    need_gl();
    tide_error error;
    tide_draw_list list = scene_plain();
    tide_image image = { 0 };
    assert_fails(tide_gl_draw(shared, &list, &image, &error), error,
                 "picture: size = 0x0: give the image a size first");
}

// A tube narrower than a pixel, in the shadow of a plate in its middle
static void test_thin_tube_in_shadow(void **state)
{
    (void)state;
    need_gl();
    tide_draw_list list = scene_plain();
    scene_add_shaded_tube(&list, 0.018f);
    const difference difference = both("thin", &list, 100, 100);
    assert_true(difference.mean < 0.2 && difference.most < 40);
    tide_draw_list_free(&list);
}

// Each has its own context: one that goes takes nothing from the other.
static void test_two_renderers(void **state)
{
    (void)state;
    need_gl();
    tide_error error;
    tide_gl *second;
    tide_draw_list list = everything();
    tide_image a = { 0 }, b = { 0 };
    assert_ok(tide_gl_create(&second, host, &error), error);
    draw_at(shared, &list, &a, 160, 120);
    draw_at(second, &list, &b, 160, 120);
    assert_memory_equal(a.pixels, b.pixels, 4 * 160 * 120);
    tide_gl_destroy(second);
    draw_at(shared, &list, &b, 160, 120);
    assert_memory_equal(a.pixels, b.pixels, 4 * 160 * 120);
    assert_string_not_equal(tide_gl_name(shared), "");
    assert_true(tide_gl_is_emulator("llvmpipe (LLVM 15.0.6, 256 bits)"));
    assert_false(tide_gl_is_emulator("Mesa Intel(R) UHD Graphics 620 (KBL GT2)"));
    tide_draw_list_free(&list);
    tide_image_free(&a);
    tide_image_free(&b);
}

// In the context of another program part: the picture is the same, the context stays current, and leftover state does
// no harm.
static void test_a_context_of_others(void **state)
{
    (void)state;
    need_gl();
    tide_error error;
    tide_gl_context *context;
    const tide_gl_language language = host == TIDE_GL_OFFSCREEN_ES ? TIDE_GL_LANGUAGE_ES : TIDE_GL_LANGUAGE_DESKTOP;
    tide_gl *guest;
    tide_draw_list list = everything();
    tide_image a = { 0 }, b = { 0 };
    draw_at(shared, &list, &a, 160, 120);
    assert_ok(tide_gl_context_create(&context, language, &error), error);
    assert_ok(tide_gl_context_enter(context, &error), error);
    assert_ok(tide_gl_create(&guest, TIDE_GL_CURRENT, &error), error);
    draw_at(guest, &list, &b, 160, 120);
    assert_memory_equal(a.pixels, b.pixels, 4 * 160 * 120);
    draw_at(shared, &list, &b, 80, 60); // in between, in the other context
    draw_at(guest, &list, &b, 160, 120);
    assert_memory_equal(a.pixels, b.pixels, 4 * 160 * 120);
    tide_gl_destroy(guest);
    tide_gl_context_leave(context);
    tide_gl_context_destroy(context);
    tide_draw_list_free(&list);
    tide_image_free(&a);
    tide_image_free(&b);
}

static void test_each_allocation_fails(void **state)
{
    (void)state;
    need_gl();
    tide_draw_list list = everything();
    tide_image image = { 0 };
    tide_error error;
    assert_ok(tide_image_resize(&image, 32, 32, &error), error);
    int failures = 0;
    for (bool failed = true; failed; failures += failed) {
        tide_gl *gl = NULL;
        uint64_t blocks = tide_memory_count().blocks;
        failing_allocation failing = { .left = (uint64_t)failures };
        tide_memory_set_failure_hook(fail_in_turn, &failing);
        tide_status status = tide_gl_create(&gl, host, &error);
        if (!status)
            status = tide_gl_draw(gl, &list, &image, &error);
        tide_memory_set_failure_hook(NULL, NULL);
        failed = status != TIDE_OK;
        if (failed)
            assert_int_equal(error.status, TIDE_ERROR_MEMORY);
        if (gl) // what failed once works the next time
            assert_ok(tide_gl_draw(gl, &list, &image, &error), error);
        tide_gl_destroy(gl);
        assert_int_equal(tide_memory_count().blocks, blocks);
    }
    assert_true(failures > 8);
    tide_draw_list_free(&list);
    tide_image_free(&image);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_nothing_but_the_stage),
    cmocka_unit_test(test_cloth),
    cmocka_unit_test(test_tubes_and_balls),
    cmocka_unit_test(test_marks_and_labels),
    cmocka_unit_test(test_in_the_middle_of_it),
    cmocka_unit_test(test_bad_numbers_are_passed_over),
    cmocka_unit_test(test_pictures_do_not_depend_on_those_before),
    cmocka_unit_test(test_no_allocation_in_steady_frames),
    cmocka_unit_test(test_thin_tube_in_shadow),
    cmocka_unit_test(test_size_is_asked_for),
    cmocka_unit_test(test_two_renderers),
    cmocka_unit_test(test_a_context_of_others),
    cmocka_unit_test(test_each_allocation_fails),
};

static int run_draw_gl(void)
{
    return cmocka_run_group_tests_name("draw_gl", tests, set_up_desktop, tear_down);
}

static int run_draw_gles(void)
{
    return cmocka_run_group_tests_name("draw_gles", tests, set_up_es, tear_down);
}

__attribute__((constructor)) static void register_draw_gl(void)
{
    tide_test_register("draw_gl", run_draw_gl);
    tide_test_register("draw_gles", run_draw_gles);
}
