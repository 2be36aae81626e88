// Lines, points, tubes, balls and text.
#include "draw/scene.h"

#include <math.h>
#include <string.h>

static void test_line_in_pixels(void **state)
{
    (void)state;
    tide_draw_list list = scene_plain();
    tide_image image = { 0 };
    // along the middle of row 49, from pixel 20 to 80
    tide_draw_add_line(
        &list,
        &(tide_draw_line) { .from = { -0.6f, 0.01f, 0 }, .to = { 0.6f, 0.01f, 0 }, .width = 3, .colour = scene_black });
    scene_draw(&list, &image, 100, 100);
    for (uint32_t x = 25; x < 75; x++) {
        for (uint32_t y = 48; y <= 50; y++)
            assert_true(scene_pixel(&image, x, y).r < 3);
        assert_true(scene_is_white(scene_pixel(&image, x, 46)) && scene_is_white(scene_pixel(&image, x, 52)));
    }
    assert_true(scene_is_white(scene_pixel(&image, 15, 49)) && scene_is_white(scene_pixel(&image, 85, 49)));
    assert_near(scene_black_area(&image), 60 * 3 + 3.14159 * 1.5 * 1.5, 3); // with round ends
    // slanting and half a pixel wide: as much ink as its area
    list.lines[0] =
        (tide_draw_line) { .from = { -0.6f, -0.3f, 0 }, .to = { 0.6f, 0.4f, 0 }, .width = 0.5f, .colour = scene_black };
    scene_draw(&list, &image, 100, 100);
    assert_near(scene_black_area(&image), 0.5 * hypot(60, 35), 3);
    tide_draw_list_free(&list);
    tide_image_free(&image);
}

static void test_line_is_hidden_behind_and_shows_on_a_surface(void **state)
{
    (void)state;
    tide_image image = { 0 };
    for (int i = 0; i < 3; i++) {
        tide_draw_list list = scene_plain();
        scene_add_polygon(&list, (const float[]) { -0.5f, -0.5f, 0, 0.5f, -0.5f, 0, 0.5f, 0.5f, 0, -0.5f, 0.5f, 0 }, 4,
                          scene_red, scene_red);
        float z = i == 0 ? -0.1f : i == 1 ? 0 : 0.1f;
        tide_draw_add_line(
            &list,
            &(tide_draw_line) { .from = { -0.9f, 0, z }, .to = { 0.9f, 0, z }, .width = 4, .colour = scene_black });
        scene_draw(&list, &image, 100, 100);
        assert_true(scene_pixel(&image, 15, 50).r < 30); // beside the square
        assert_true(i == 0 ? scene_pixel(&image, 50, 50).r > 60 : scene_pixel(&image, 50, 50).r < 30);
        tide_draw_list_free(&list);
    }
    tide_image_free(&image);
}

static void test_line_through_the_near_plane(void **state)
{
    (void)state;
    tide_draw_list list = scene_plain();
    tide_image image = { 0 };
    // from behind the camera, under it, to far ahead: from the bottom to the middle of the picture
    tide_draw_add_line(
        &list,
        &(tide_draw_line) { .from = { 0, -0.5f, 50 }, .to = { 0, -0.5f, -900 }, .width = 3, .colour = scene_black });
    scene_draw(&list, &image, 101, 101);
    for (uint32_t y = 53; y < 101; y++)
        assert_true(scene_pixel(&image, 50, y).r < 30);
    for (uint32_t y = 0; y < 48; y++)
        assert_true(scene_is_white(scene_pixel(&image, 50, y)));
    tide_draw_list_free(&list);
    tide_image_free(&image);
}

static void test_near_lines_are_over_far_ones(void **state)
{
    (void)state;
    tide_draw_list list = scene_plain();
    tide_image image = { 0 };
    tide_draw_add_line(&list, &(tide_draw_line) { { -0.5f, 0, 0.2f }, { 0.5f, 0, 0.2f }, 6, scene_red, false });
    tide_draw_add_line(&list, &(tide_draw_line) { { 0, -0.5f, -0.2f }, { 0, 0.5f, -0.2f }, 6, scene_blue, false });
    scene_draw(&list, &image, 100, 100);
    tide_pixel pixel = scene_pixel(&image, 50, 50);
    assert_near(pixel.r, 204, 2);
    assert_near(pixel.b, 26, 2);
    tide_draw_list_free(&list);
    tide_image_free(&image);
}

static void test_point_in_pixels(void **state)
{
    (void)state;
    tide_draw_list list = scene_plain();
    tide_image image = { 0 };
    tide_draw_add_point(&list, &(tide_draw_point) { .position = { 0.4f, 0.2f, 0 }, .size = 11, .colour = scene_black });
    scene_draw(&list, &image, 100, 100);
    assert_true(scene_pixel(&image, 70, 40).r < 3);
    assert_true(scene_is_white(scene_pixel(&image, 77, 40)) && scene_is_white(scene_pixel(&image, 70, 47)));
    assert_near(scene_black_area(&image), 3.14159 * 5.5 * 5.5, 2);
    // half transparent
    list.points[0].colour.a = 0.5f;
    scene_draw(&list, &image, 100, 100);
    assert_near(scene_pixel(&image, 70, 40).r, 128, 1);
    tide_draw_list_free(&list);
    tide_image_free(&image);
}

static double dark_pixels(const tide_image *image)
{
    double count = 0;
    for (uint32_t y = 0; y < image->height; y++)
        for (uint32_t x = 0; x < image->width; x++)
            count += scene_pixel(image, x, y).g < 200;
    return count;
}

static void test_ball_and_tube_in_metres(void **state)
{
    (void)state;
    tide_draw_list list = scene_plain();
    tide_image image = { 0 };
    tide_draw_add_point(&list, &(tide_draw_point) { .size = -0.8f, .colour = scene_red });
    scene_draw(&list, &image, 200, 200);
    // a ball's outline is where rays touch it: tan of its half angle is r / sqrt(d^2 - r^2)
    double radius = 200 * 0.4 / sqrt(4 - 0.16);
    assert_near(dark_pixels(&image), 3.14159 * radius * radius, 0.01 * 3.14159 * radius * radius + 60);
    assert_true(scene_pixel(&image, 100, 100 - (uint32_t)radius + 2).g < 200);
    assert_true(scene_is_white(scene_pixel(&image, 100, 100 - (uint32_t)radius - 3)));
    tide_draw_list_clear(&list);
    tide_draw_add_line(&list, &(tide_draw_line) {
                                  .from = { -0.5f, 0, 0 }, .to = { 0.5f, 0, 0 }, .width = -0.2f, .colour = scene_red });
    scene_draw(&list, &image, 200, 200);
    assert_near(dark_pixels(&image), 100 * 20 + 3.14159 * 100, 60);
    assert_true(scene_pixel(&image, 45, 100).g < 200); // the round end
    assert_true(scene_is_white(scene_pixel(&image, 36, 100)));
    // the top of a tube is lit, its underside is not
    memcpy(list.stage.light_direction, (const float[3]) { 0, -1, -0.2f }, 3 * sizeof(float));
    scene_draw(&list, &image, 200, 200);
    assert_true(scene_pixel(&image, 100, 93).r > scene_pixel(&image, 100, 107).r + 30);
    tide_draw_list_free(&list);
    tide_image_free(&image);
}

static void test_ball_meets_surface_at_its_depth(void **state)
{
    (void)state;
    // a plane through a ball's middle: what shows of the ball is its outline there
    tide_draw_list list = scene_plain();
    tide_image image = { 0 };
    tide_draw_add_point(&list,
                        &(tide_draw_point) { .position = { 0, 0, -0.25f }, .size = -0.8f, .colour = scene_blue });
    scene_add_polygon(&list, (const float[]) { -0.9f, -0.9f, 0, 0.9f, -0.9f, 0, 0.9f, 0.9f, 0, -0.9f, 0.9f, 0 }, 4,
                      scene_red, scene_red);
    scene_draw(&list, &image, 200, 200);
    double blue = 0, radius = 100 * sqrt(0.4 * 0.4 - 0.25 * 0.25);
    for (uint32_t y = 0; y < 200; y++)
        for (uint32_t x = 0; x < 200; x++)
            blue += scene_pixel(&image, x, y).b > scene_pixel(&image, x, y).r;
    assert_near(blue, 3.14159 * radius * radius, 0.03 * 3.14159 * radius * radius);
    tide_draw_list_free(&list);
    tide_image_free(&image);
}

// The bounding box of the pixels that are not background
static void ink_box(const tide_image *image, uint32_t box[4])
{
    box[0] = box[1] = UINT32_MAX;
    box[2] = box[3] = 0;
    for (uint32_t y = 0; y < image->height; y++)
        for (uint32_t x = 0; x < image->width; x++)
            if (scene_pixel(image, x, y).r < 128) {
                box[0] = x < box[0] ? x : box[0];
                box[1] = y < box[1] ? y : box[1];
                box[2] = x > box[2] ? x : box[2];
                box[3] = y > box[3] ? y : box[3];
            }
}

static void test_text_is_where_it_should_be(void **state)
{
    (void)state;
    for (float size = 12; size <= 40; size += 7) {
        tide_draw_list list = scene_plain();
        tide_image image = { 0 };
        tide_draw_add_label(
            &list,
            &(tide_draw_label) {
                .position = { 30, 20 }, .on_screen = true, .size = size, .colour = scene_black, .text = "Height" });
        scene_draw(&list, &image, 300, 100);
        float width, height;
        uint32_t box[4];
        tide_draw_text_size("Height", size, &width, &height);
        ink_box(&image, box);
        assert_true(box[0] >= 30 && (float)box[0] <= 30 + 0.2f * size);
        assert_true((float)box[2] <= 30 + width && (float)box[2] >= 30 + width - 0.25f * size);
        assert_true(box[1] >= 20 && (float)box[3] <= 20 + height);
        assert_near(box[3] - box[1] + 1, size, 0.15 * (double)size + 1);
        tide_draw_list_free(&list);
        tide_image_free(&image);
    }
}

static void test_label_in_the_world(void **state)
{
    (void)state;
    tide_draw_list list = scene_plain();
    tide_image image = { 0 };
    tide_draw_add_label(
        &list, &(tide_draw_label) { .position = { 0.5f, 0, 0 }, .size = 20, .colour = scene_black, .text = "MMM" });
    scene_draw(&list, &image, 200, 200);
    uint32_t box[4];
    ink_box(&image, box);
    assert_near(0.5 * (box[0] + box[2]), 150, 2); // centred
    assert_true(box[3] < 100 && box[3] > 80);     // a little above
    list.labels[0].position[2] = 3;               // behind the camera
    scene_draw(&list, &image, 200, 200);
    assert_near(scene_black_area(&image), 0, 0);
    tide_draw_list_free(&list);
    tide_image_free(&image);
}

static void test_every_glyph_differs(void **state)
{
    (void)state;
    static const char *const more[] = {
        "\xc2\xb0",     "\xc2\xb1",     "\xc2\xb2",     "\xc2\xb3",     "\xc2\xb5",
        "\xc2\xb7",     "\xc3\x97",     "\xce\x94",     "\xe2\x80\x94", "\xe2\x80\xa6",
        "\xe2\x86\x92", "\xe2\x88\x92", "\xe2\x89\xa4", "\xe2\x89\xa5", "\xe4\xb8\xad"
    };
    enum { ASCII = '~' - ' ', SIZE = 40 };
    static uint8_t pictures[ASCII + 15][4 * SIZE * SIZE];
    tide_image image = { 0 };
    for (size_t i = 0; i < ASCII + 15; i++) {
        const char ascii[2] = { (char)('!' + i), '\0' };
        tide_draw_list list = scene_plain();
        tide_draw_add_label(&list, &(tide_draw_label) { .position = { 8, 4 },
                                                        .on_screen = true,
                                                        .size = 24,
                                                        .colour = scene_black,
                                                        .text = i < ASCII ? ascii : more[i - ASCII] });
        scene_draw(&list, &image, SIZE, SIZE);
        assert_true(scene_black_area(&image) > 3);
        memcpy(pictures[i], image.pixels, sizeof pictures[i]);
        for (size_t k = 0; k < i; k++)
            assert_memory_not_equal(pictures[i], pictures[k], sizeof pictures[i]);
        tide_draw_list_free(&list);
    }
    tide_image_free(&image);
}

static void test_text_size(void **state)
{
    (void)state;
    float width, height, one_width, one_height;
    tide_draw_text_size("abc", 20, &one_width, &one_height);
    tide_draw_text_size("abc\nabcabc\n", 20, &width, &height);
    assert_near(width, 2 * one_width, 0);
    assert_near(height, 3 * one_height, 0);
    tide_draw_text_size("", 20, &width, &height);
    assert_near(width, 0, 0);
    // one character, and malformed bytes: a box each
    tide_draw_text_size("\xc2\xb5", 28, &width, &height);
    assert_near(width, 15, 0);
    tide_draw_text_size("\xff\xc2", 28, &width, &height);
    assert_near(width, 28, 0);
    tide_draw_text_size("\xe4\xb8\xad", 28, &width, &height);
    assert_near(width, 14, 0);
}

// Tubes narrower than a pixel cover as much as they are wide, wherever they lie, and where they meet, too.
static void test_thin_tube_covers_as_much_as_it_is_wide(void **state)
{
    (void)state;
    const float widths[] = { 0.002f, 0.004f, 0.008f, 0.016f }; // m; a pixel is 0.02
    for (int k = 0; k < 4; k++)
        for (int place = 0; place < 5; place++) {
            tide_draw_list list = scene_plain();
            tide_image image = { 0 };
            for (int piece = 0; piece < 8; piece++) {
                const float x = -0.8f + 0.2f * (float)piece, y = 0.004f * (float)place;
                tide_draw_add_line(&list, &(tide_draw_line) { .from = { x, y + 0.1f * x, 0 },
                                                              .to = { x + 0.2f, y + 0.1f * (x + 0.2f), 0 },
                                                              .width = -widths[k],
                                                              .colour = scene_black });
            }
            scene_draw(&list, &image, 100, 100);
            double expected = 1.6 * sqrt(1.01) * (double)widths[k] / (0.02 * 0.02);
            assert_near(scene_black_area(&image), expected, 0.15 * expected + 0.6);
            tide_image_free(&image);
            tide_draw_list_free(&list);
        }
}

// A tube that is narrower than a pixel lies in shadow where a wide one does.
static void test_thin_tube_receives_shadow(void **state)
{
    (void)state;
    const float diameters[] = { 0.06f, 0.018f, 0.008f }; // m; a pixel is 0.02
    for (int k = 0; k < 3; k++) {
        tide_draw_list list = scene_plain();
        tide_image image = { 0 };
        scene_add_shaded_tube(&list, diameters[k]);
        scene_draw(&list, &image, 100, 100);
        const tide_pixel shaded = scene_pixel(&image, 50, 49), lit = scene_pixel(&image, 85, 49);
        const double cover = (255 - lit.g) / 255.0;
        assert_true(lit.r - shaded.r > 40 * cover);
        assert_near(scene_pixel(&image, 12, 49).r, lit.r, 4);
        tide_image_free(&image);
        tide_draw_list_free(&list);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_line_in_pixels),
    cmocka_unit_test(test_line_is_hidden_behind_and_shows_on_a_surface),
    cmocka_unit_test(test_line_through_the_near_plane),
    cmocka_unit_test(test_near_lines_are_over_far_ones),
    cmocka_unit_test(test_point_in_pixels),
    cmocka_unit_test(test_ball_and_tube_in_metres),
    cmocka_unit_test(test_ball_meets_surface_at_its_depth),
    cmocka_unit_test(test_text_is_where_it_should_be),
    cmocka_unit_test(test_label_in_the_world),
    cmocka_unit_test(test_every_glyph_differs),
    cmocka_unit_test(test_text_size),
    cmocka_unit_test(test_thin_tube_covers_as_much_as_it_is_wide),
    cmocka_unit_test(test_thin_tube_receives_shadow),
};
TIDE_TEST_SUITE(draw_marks, tests)
