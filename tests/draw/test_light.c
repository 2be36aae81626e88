// The light on bodies: what the sky's light loses in corners, and edges of shadows.
#include "draw/scene.h"

#include <stdlib.h>

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

// How many pixels lie between light and shadow where a plate `above` m over a wall ends, lit from the front and left.
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

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_a_corner_is_darker_than_what_lies_open),
    cmocka_unit_test(test_what_is_far_in_front_does_not_darken),
    cmocka_unit_test(test_edges_of_shadows_on_bodies_widen_with_distance),
};
TIDE_TEST_SUITE(draw_light, tests)
