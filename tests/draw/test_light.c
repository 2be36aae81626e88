// The light on bodies: ambient occlusion in corners, and edges of shadows.
#include "draw/scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const tide_colour white = { 0.7f, 0.7f, 0.7f, 1 };

static int grey(const tide_image *image, uint32_t x, uint32_t y)
{
    tide_pixel p = scene_pixel(image, x, y);
    return p.r + p.g + p.b;
}

// Two faces that meet in a vertical edge at x = 0, which is `depth` behind their outer edges, lit from the front.
static void draw_fold(float depth, tide_image *image)
{
    tide_draw_list list = scene_plain();
    const float left[] = { -0.9f, -0.8f, 0, 0, -0.8f, -depth, 0, 0.8f, -depth, -0.9f, 0.8f, 0 };
    const float right[] = { 0, -0.8f, -depth, 0.9f, -0.8f, 0, 0.9f, 0.8f, 0, 0, 0.8f, -depth };
    list.stage.light_direction[0] = list.stage.light_direction[1] = 0;
    list.stage.light_direction[2] = -1;
    scene_add_polygon(&list, left, 4, white, white);
    scene_add_polygon(&list, right, 4, white, white);
    scene_draw(&list, image, 400, 400);
    tide_draw_list_free(&list);
}

static void test_a_corner_is_darker_than_what_lies_open(void **state)
{
    (void)state;
    tide_image image = { 0 };
    draw_fold(0.7f, &image);
    int corner = grey(&image, 197, 200), open = grey(&image, 120, 200);
    assert_true(corner < 0.95 * open);
    assert_true(abs(grey(&image, 203, 200) - corner) <= 9); // alike on both sides
    draw_fold(-0.7f, &image);                               // an edge that sticks out
    assert_true(grey(&image, 197, 200) > 0.97 * grey(&image, 130, 200));
    draw_fold(0, &image); // flat: the same everywhere
    assert_true(abs(grey(&image, 197, 200) - grey(&image, 120, 200)) <= 6);
    tide_image_free(&image);
}

// A dark thing far in front of a wall takes no sky light from it.
static void test_what_is_far_in_front_does_not_darken(void **state)
{
    (void)state;
    tide_image with = { 0 }, without = { 0 };
    for (int k = 0; k < 2; k++) {
        tide_draw_list list = scene_plain();
        const float wall[] = { -2, -2, -1, 2, -2, -1, 2, 2, -1, -2, 2, -1 };
        const float front[] = { -0.2f, -0.2f, 1, 0.2f, -0.2f, 1, 0.2f, 0.2f, 1, -0.2f, 0.2f, 1 };
        scene_add_polygon(&list, wall, 4, white, white);
        list.surfaces[0].casts_shadow = false;
        scene_add_polygon(&list, front, 4, scene_red, scene_red);
        list.surfaces[1].casts_shadow = false;
        list.surface_count -= (size_t)k;
        scene_draw(&list, k ? &without : &with, 400, 400);
        tide_draw_list_free(&list);
    }
    assert_true(abs(grey(&with, 285, 200) - grey(&without, 285, 200)) <= 6); // beside it
    assert_true(abs(grey(&with, 200, 200) - grey(&without, 200, 200)) > 60);
    tide_image_free(&with);
    tide_image_free(&without);
}

// Returns the width in pixels of the penumbra at the edge of a plate `above` m over a wall, lit from the front and
// left.
static uint32_t edge_of_shadow(float above)
{
    tide_draw_list list = scene_plain();
    tide_image image = { 0 };
    const float wall[] = { -1.5f, -1.5f, -1, 1.5f, -1.5f, -1, 1.5f, 1.5f, -1, -1.5f, 1.5f, -1 };
    float plate[] = { -1.5f, -0.6f, 0, -0.5f, -0.6f, 0, -0.5f, 0.6f, 0, -1.5f, 0.6f, 0 };
    for (int i = 0; i < 4; i++)
        plate[3 * i + 2] = above - 1;
    list.stage.light_direction[0] = 1;
    list.stage.light_direction[1] = 0;
    list.stage.light_direction[2] = -1;
    scene_add_polygon(&list, wall, 4, white, white);
    scene_add_polygon(&list, plate, 4, white, white);
    scene_draw(&list, &image, 400, 400);
    int lit = grey(&image, 360, 200), dark = lit;
    for (uint32_t x = 130; x < 360; x++)
        dark = grey(&image, x, 200) < dark ? grey(&image, x, 200) : dark;
    uint32_t between = 0;
    for (uint32_t x = 130; x < 360; x++) // right of the plate
        between += grey(&image, x, 200) > dark + (lit - dark) / 10 && grey(&image, x, 200) < lit - (lit - dark) / 10;
    tide_image_free(&image);
    tide_draw_list_free(&list);
    assert_true(dark < 0.8 * lit);
    return between;
}

static void test_edges_of_shadows_on_bodies_widen_with_distance(void **state)
{
    (void)state;
    uint32_t close = edge_of_shadow(0.08f), far = edge_of_shadow(0.35f);
    assert_true(close >= 3);
    assert_true(far >= 1.4 * close);
    assert_true(far < 60);
}

// Finds the least and the greatest grey of an area.
static void range_of(const tide_image *image, uint32_t x0, uint32_t x1, uint32_t y0, uint32_t y1, int range[2])
{
    range[0] = range[1] = grey(image, x0, y0);
    for (uint32_t y = y0; y < y1; y++)
        for (uint32_t x = x0; x < x1; x++) {
            const int g = grey(image, x, y);
            range[0] = g < range[0] ? g : range[0];
            range[1] = g > range[1] ? g : range[1];
        }
}

// A sheet that is lit from behind
static void test_no_light_passes_through_solids(void **state)
{
    (void)state;
    int range[2][2];
    for (int solid = 0; solid < 2; solid++) {
        tide_draw_list list = scene_plain();
        tide_image image = { 0 };
        scene_add_polygon(
            &list, (const float[]) { -0.3f, -0.3f, 0.2f, 0.3f, -0.3f, -0.2f, 0.3f, 0.3f, -0.2f, -0.3f, 0.3f, 0.2f }, 4,
            white, white);
        const float light[3] = { -0.2f, 0.3f, 1 };
        memcpy(list.stage.light_direction, light, sizeof light);
        list.surfaces[0].solid = solid != 0;
        scene_draw(&list, &image, 400, 400);
        range_of(&image, 170, 230, 170, 230, range[solid]);
        assert_true(range[solid][1] - range[solid][0] <= 5); // even, without a trace of the shadow map
        tide_image_free(&image);
        tide_draw_list_free(&list);
    }
    assert_true(range[0][0] > range[1][1] + 40);
}

// A box right below a plate that shades its faces. No light arrives between them.
static void test_shadows_begin_at_contact(void **state)
{
    (void)state;
    tide_draw_list list = scene_plain();
    tide_image image = { 0 };
    int range[2];
    scene_add_box(&list, (const float[]) { 0.8f, 0.8f, 0.8f }, -0.9f, true, white);
    scene_add_polygon(&list, (const float[]) { -1, 0.405f, 1, 1, 0.405f, 1, 1, 0.405f, -1, -1, 0.405f, -1 }, 4,
                      scene_red, scene_red);
    scene_draw(&list, &image, 800, 800);
    range_of(&image, 200, 350, 240, 330, range);
    assert_true(range[1] <= grey(&image, 270, 400) + 9);
    tide_image_free(&image);
    tide_draw_list_free(&list);
}

// What rows, which turn `up` to y, make p
static void turn_back(float p[3], const float rows[3][3])
{
    const float from[3] = { p[0], p[1], p[2] };
    for (int k = 0; k < 3; k++)
        p[k] = rows[0][k] * from[0] + rows[1][k] * from[1] + rows[2][k] * from[2];
}

// The same scene with y up and with another axis up is the same picture.
static void test_ground_and_light_go_with_up(void **state)
{
    (void)state;
    tide_image image = { 0 }, expected = { 0 };
    const float ups[3][3] = { { 0, 0, 1 }, { 0, 0, -1 }, { 1, 0, 0 } };
    for (int k = -1; k < 3; k++) {
        tide_draw_list list = { .stage = tide_draw_stage_default() };
        float rows[3][3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
        scene_add_cloth(&list, 30, TIDE_PATTERN_CHECKER);
        list.camera = (tide_draw_camera) { { 1, 1.4f, 2.6f }, { 0, 0.6f, 0 }, { 0, 1, 0 }, 0.7f, { 0 } };
        if (k >= 0) {
            memcpy(list.stage.up, ups[k], sizeof ups[k]);
            tide_camera_turn(ups[k], rows);
            float *arrays[] = { list.camera.position, list.camera.target, list.camera.up };
            for (size_t i = 0; i < 3; i++)
                turn_back(arrays[i], rows);
            for (uint32_t i = 0; i < list.surfaces[0].vertex_count; i++) {
                turn_back((float *)(uintptr_t)list.surfaces[0].positions + 3 * i, rows);
                turn_back((float *)(uintptr_t)list.surfaces[0].normals + 3 * i, rows);
            }
        }
        scene_draw(&list, k < 0 ? &expected : &image, 240, 180);
        uint32_t differing = 0;
        for (uint32_t i = 0; k >= 0 && i < 240 * 180; i++) // axes have other colours
            differing += abs(grey(&image, i % 240, i / 240) - grey(&expected, i % 240, i / 240)) > 24;
        assert_true(differing < 240 * 180 / 50);
        tide_draw_list_free(&list);
    }
    tide_image_free(&image);
    tide_image_free(&expected);
}

// x is red and z is blue, through the origin; with z up y is green. Far from them the ground is grey.
static void test_axes_of_the_ground(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        tide_draw_list list = { .stage = tide_draw_stage_default() };
        tide_image image = { 0 };
        list.camera = (tide_draw_camera) { { 0.5f, 2, 0.5f }, { 0.5f, 0, 0.5f }, { 0, 0, -1 }, 0.7f, { 0 } };
        if (k) {
            list.stage.up[1] = 0;
            list.stage.up[2] = 1;
            list.camera = (tide_draw_camera) { { 0.5f, -0.5f, 2 }, { 0.5f, -0.5f, 0 }, { 0, 1, 0 }, 0.7f, { 0 } };
        }
        scene_draw(&list, &image, 300, 300);
        uint32_t red = 0, blue = 0, green = 0;
        for (uint32_t i = 0; i < 300; i++) {
            tide_pixel across = scene_pixel(&image, 220, i), down = scene_pixel(&image, i, 220);
            red += across.r > across.g + 25 && across.r > across.b + 25;
            blue += down.b > down.r + 25 && down.b > down.g + 25;
            green += down.g > down.r + 20 && down.g > down.b + 20;
        }
        assert_in_range(red, 1, 4); // a thin line
        assert_in_range(k ? green : blue, 1, 4);
        assert_int_equal(k ? blue : green, 0);
        tide_image_free(&image);
        tide_draw_list_free(&list);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_a_corner_is_darker_than_what_lies_open),
    cmocka_unit_test(test_what_is_far_in_front_does_not_darken),
    cmocka_unit_test(test_edges_of_shadows_on_bodies_widen_with_distance),
    cmocka_unit_test(test_no_light_passes_through_solids),
    cmocka_unit_test(test_shadows_begin_at_contact),
    cmocka_unit_test(test_ground_and_light_go_with_up),
    cmocka_unit_test(test_axes_of_the_ground),
};
TIDE_TEST_SUITE(draw_light, tests)
