// The outlines of surfaces, tubes and balls against the exact share of each pixel that they cover.
#include "draw/scene.h"

#include <math.h>

enum { SIZE = 100 };

static double linear_of(int component)
{
    double c = component / 255.0;
    return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

// The sum of the squares of the outlines' errors, and which shares they have, in steps of 0.02
typedef struct outline_error {
    double squares;
    int count;
    bool shares[256];
} outline_error;

typedef bool covers(double x, double y, const double *figure); // at a place in pixels

static void compare(const tide_image *image, covers *inside, const double *figure, outline_error *error)
{
    const double dark = linear_of(scene_pixel(image, SIZE / 2, SIZE / 2).g);
    for (uint32_t y = 0; y < SIZE; y++)
        for (uint32_t x = 0; x < SIZE; x++) {
            int hits = 0;
            for (int k = 0; k < 32 * 32; k++)
                hits += inside(x + (k % 32 + 0.5) / 32, y + (k / 32 + 0.5) / 32, figure);
            const int component = scene_pixel(image, x, y).g;
            const double exact = hits / 1024.0, share = (1 - linear_of(component)) / (1 - dark);
            if (exact <= 0 || exact >= 1)
                continue;
            error->squares += (share - exact) * (share - exact);
            error->count++;
            error->shares[(int)(fmin(fmax(share, 0), 1) * 50)] = true;
        }
}

static int levels(const outline_error *error)
{
    int count = 0;
    for (int i = 0; i < 256; i++)
        count += error->shares[i];
    return count;
}

static bool in_square(double x, double y, const double *figure)
{
    const double along = (x - 50) * cos(figure[0]) + (y - 50) * sin(figure[0]);
    const double across = (y - 50) * cos(figure[0]) - (x - 50) * sin(figure[0]);
    return fabs(along) < figure[1] && fabs(across) < figure[1];
}

// Draws the list, compares it with the figure, and frees it.
static void draw_and_compare(tide_draw_list *list, covers *inside, const double *figure, outline_error *error)
{
    tide_image image = { 0 };
    scene_draw(list, &image, SIZE, SIZE);
    compare(&image, inside, figure, error);
    tide_image_free(&image);
    tide_draw_list_free(list);
}

static void assert_smooth(const outline_error *error)
{
    assert_true(sqrt(error->squares / error->count) < 0.08);
    assert_true(levels(error) >= 20);
}

static void test_straight_outlines_are_smooth(void **state)
{
    (void)state;
    outline_error error = { 0 };
    for (int turn = 0; turn < 12; turn++) {
        const double figure[2] = { 0.033 + 0.12 * turn, 30 + 0.21 * turn };
        const float c = (float)(cos(figure[0]) * figure[1] / 50), s = (float)(sin(figure[0]) * figure[1] / 50);
        tide_draw_list list = scene_plain();
        // y is upwards in the scene
        const float corners[] = { -c - s, s - c, 0, c - s, -s - c, 0, c + s, c - s, 0, s - c, s + c, 0 };
        scene_add_polygon(&list, corners, 4, scene_black, scene_black);
        draw_and_compare(&list, in_square, figure, &error);
    }
    assert_smooth(&error);
}

static bool in_circle(double x, double y, const double *figure)
{
    return hypot(x - 50, y - 50) < figure[0];
}

static void test_round_outlines_are_smooth(void **state)
{
    (void)state;
    outline_error error = { 0 };
    for (int k = 0; k < 8; k++) {
        const double radius = 0.2 + 0.06 * k;
        const double figure[1] = { 50 * 2 * radius / sqrt(4 - radius * radius) };
        tide_draw_list list = scene_plain();
        tide_draw_add_point(&list, &(tide_draw_point) { .size = (float)(-2 * radius), .colour = scene_black });
        draw_and_compare(&list, in_circle, figure, &error);
    }
    assert_smooth(&error);
}

// A slanted edge between a lit and a dark face of one solid: most of its rows have a pixel of a shade in between.
static void test_edges_within_a_solid_are_smooth(void **state)
{
    (void)state;
    tide_draw_list list = scene_plain();
    tide_image image = { 0 };
    list.camera.up[0] = 0.3f;
    scene_add_box(&list, (const float[]) { 0.8f, 0.8f, 0.8f }, -0.9f, true, scene_red);
    scene_draw(&list, &image, 200, 200);
    int between = 0;
    for (uint32_t y = 80; y < 120; y++) {
        const int lit = scene_pixel(&image, 70, y).r, dark = scene_pixel(&image, 125, y).r, part = (lit - dark) / 5;
        assert_true(part > 5);
        bool found = false;
        for (uint32_t x = 71; x < 125; x++) {
            const int r = scene_pixel(&image, x, y).r;
            found = found || (r > dark + part && r < lit - part);
        }
        between += found;
    }
    assert_true(between >= 20);
    tide_image_free(&image);
    tide_draw_list_free(&list);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_edges_within_a_solid_are_smooth),
    cmocka_unit_test(test_straight_outlines_are_smooth),
    cmocka_unit_test(test_round_outlines_are_smooth),
};
TIDE_TEST_SUITE(draw_outline, tests)
