// The panels over a picture. The program is no library: its source is taken in here.
#include "draw/overlay.c"

#include "tests.h"

static tide_error error;

static tide_image white(uint32_t width, uint32_t height)
{
    tide_image image = { 0 };
    assert_ok(tide_image_resize(&image, width, height, &error), error);
    memset(image.pixels, 255, 4 * (size_t)width * height);
    return image;
}

static bool is_white(const tide_image *image, uint32_t x, uint32_t y)
{
    const uint8_t *pixel = image->pixels + 4 * ((size_t)y * image->width + x);
    return pixel[0] == 255 && pixel[1] == 255 && pixel[2] == 255;
}

// Rows and columns that something was drawn on: x0, y0, x1, y1
static void drawn(const tide_image *image, uint32_t box[4])
{
    box[0] = image->width;
    box[1] = image->height;
    box[2] = box[3] = 0;
    for (uint32_t y = 0; y < image->height; y++)
        for (uint32_t x = 0; x < image->width; x++)
            if (!is_white(image, x, y)) {
                box[0] = x < box[0] ? x : box[0];
                box[1] = y < box[1] ? y : box[1];
                box[2] = x > box[2] ? x : box[2];
                box[3] = y > box[3] ? y : box[3];
            }
}

static void test_long_message_fits(void **state)
{
    (void)state;
    char message[1100];
    for (size_t i = 0; i < sizeof message; i++)
        message[i] = i % 7 ? 'o' : ' ';
    message[sizeof message - 1] = '\0';
    tide_overlay overlay;
    assert_ok(tide_overlay_create(&overlay, &error), error);
    tide_image image = white(320, 240);
    assert_ok(tide_overlay_panel(&overlay, &image, TIDE_PANEL_CENTRE, message, true, &error), error);
    uint32_t box[4];
    drawn(&image, box);
    assert_true(box[1] > 20 && box[3] > 225 && box[3] < 240); // at the bottom
    assert_near(overlay.text_size, 15, 0);
    tide_image_free(&image);
    tide_overlay_free(&overlay);
}

static void test_notices_stay_to_be_read(void **state)
{
    (void)state;
    char text[600];
    memset(text, 'o', sizeof text);
    text[sizeof text - 1] = '\0';
    assert_true(tide_notice_seconds("reloaded", false) >= 6);
    assert_true(tide_notice_seconds("reloaded", true) >= 1.5 * tide_notice_seconds("reloaded", false));
    assert_true(tide_notice_seconds(text, false) > 30);
}

static void test_legend(void **state)
{
    (void)state;
    tide_overlay overlay;
    assert_ok(tide_overlay_create(&overlay, &error), error);
    tide_image image = white(640, 360);
    assert_ok(tide_overlay_legend(&overlay, &image, &error), error);
    uint32_t box[4];
    drawn(&image, box);
    assert_true(box[0] > 320 && box[2] < 640 && box[3] < 120);
    // from blue over grey to orange
    bool blue = false, orange = false;
    uint32_t blue_x = 0, orange_x = 0;
    for (uint32_t x = box[0]; x <= box[2]; x++)
        for (uint32_t y = box[1]; y <= box[3]; y++) {
            const uint8_t *p = image.pixels + 4 * ((size_t)y * image.width + x);
            if (p[2] > p[0] + 150)
                blue = true, blue_x = x;
            if (p[0] > p[2] + 150)
                orange = true, orange_x = orange_x ? orange_x : x;
        }
    assert_true(blue && orange && blue_x < orange_x);
    tide_image_free(&image);
    image = white(100, 60);
    assert_ok(tide_overlay_legend(&overlay, &image, &error), error); // too small: nothing
    drawn(&image, box);
    assert_int_equal(box[0], 100);
    tide_image_free(&image);
    tide_overlay_free(&overlay);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_long_message_fits),
    cmocka_unit_test(test_notices_stay_to_be_read),
    cmocka_unit_test(test_legend),
};
TIDE_TEST_SUITE(draw_overlay, tests)
