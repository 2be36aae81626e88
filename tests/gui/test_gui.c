// Widgets, and the rasteriser that draws them.
#include "base/memory.h"
#include "base/random.h"
#include "gui/gui.h"
#include "gui/gui_glyphs.h"
#include "gui/gui_numbers.h"
#include "gui/gui_raster.h"
#include "tests.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static tide_error error;

static tide_image grey(uint32_t width, uint32_t height)
{
    tide_image image = { 0 };
    assert_ok(tide_image_resize(&image, width, height, &error), error);
    memset(image.pixels, 100, 4 * (size_t)width * height);
    return image;
}

static uint8_t at(const tide_image *image, uint32_t x, uint32_t y, int c)
{
    return image->pixels[4 * ((size_t)y * image->width + x) + (size_t)c];
}

static const uint8_t solid[4] = { 255, 255, 255, 255 };
static const tide_gui_texture one_texel = { solid, 1, 1 };

static double side(const double *a, const double *b, double x, double y)
{
    return (b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]);
}

// Exactly the pixels inside are drawn, except for pixels whose centre lies almost on an edge.
static void test_triangles_cover_what_is_in_them(void **state)
{
    (void)state;
    tide_random random = tide_random_seed(5);
    for (int round = 0; round < 300; round++) {
        tide_image image = grey(24, 20);
        tide_gui_vertex v[3] = { 0 };
        double p[3][2];
        const uint16_t indices[] = { 0, 1, 2 };
        const float clip[4] = { 3, 2, 21, 17 };
        for (int i = 0; i < 3; i++) {
            p[i][0] = v[i].x = (float)(30 * tide_random_uniform(&random) - 3);
            p[i][1] = v[i].y = (float)(26 * tide_random_uniform(&random) - 3);
            memcpy(v[i].colour, (uint8_t[4]) { 200, 40, 250, 255 }, 4);
        }
        tide_gui_raster(&image, clip, v, indices, 3, &one_texel);
        for (uint32_t y = 0; y < 20; y++)
            for (uint32_t x = 0; x < 24; x++) {
                double s[3], least = INFINITY, most = -INFINITY;
                for (int i = 0; i < 3; i++) {
                    s[i] = side(p[i], p[(i + 1) % 3], x + 0.5, y + 0.5);
                    least = fmin(least, s[i]);
                    most = fmax(most, s[i]);
                }
                bool clipped = x < 3 || x >= 21 || y < 2 || y >= 17, inside = least > 0 || most < 0;
                if (fabs(s[0]) < 1e-3 || fabs(s[1]) < 1e-3 || fabs(s[2]) < 1e-3)
                    continue;
                assert_int_equal(at(&image, x, y, 0), inside && !clipped ? 200 : 100);
                assert_int_equal(at(&image, x, y, 2), inside && !clipped ? 250 : 100);
                assert_int_equal(at(&image, x, y, 3), 100);
            }
        tide_image_free(&image);
    }
}

// A fan of half-transparent triangles about a point: no pixel within is left out, none is drawn twice.
static void test_shared_edges_leave_no_seam(void **state)
{
    (void)state;
    enum { SPOKES = 13 };
    tide_image image = grey(64, 64);
    tide_gui_vertex v[SPOKES + 1] = { { .x = 32.3f, .y = 31.9f } };
    uint16_t indices[3 * SPOKES];
    for (int i = 0; i < SPOKES; i++) {
        double angle = 6.283185307179586 * i / SPOKES;
        v[i + 1] = (tide_gui_vertex) { .x = (float)(32 + 30 * cos(angle)), .y = (float)(32 + 30 * sin(angle)) };
        indices[3 * i] = 0;
        indices[3 * i + 1] = (uint16_t)(i + 1);
        indices[3 * i + 2] = (uint16_t)((i + 1) % SPOKES + 1);
    }
    for (int i = 0; i <= SPOKES; i++)
        memcpy(v[i].colour, (uint8_t[4]) { 255, 255, 255, 128 }, 4);
    tide_gui_raster(&image, (float[4]) { 0, 0, 64, 64 }, v, indices, 3 * SPOKES, &one_texel);
    uint8_t once = (uint8_t)lround(100 + 155 * 128 / 255.0);
    for (uint32_t y = 0; y < 64; y++)
        for (uint32_t x = 0; x < 64; x++) {
            double r = hypot(x + 0.5 - 32, y + 0.5 - 32);
            if (r < 28)
                assert_int_equal(at(&image, x, y, 1), once);
            else if (r > 30.1)
                assert_int_equal(at(&image, x, y, 1), 100);
        }
    tide_image_free(&image);
}

// The way for upright rectangles comes to what two triangles of the same corners do, texture and all.
static void test_rectangles_are_two_triangles(void **state)
{
    (void)state;
    uint8_t texels[8 * 4];
    tide_random random = tide_random_seed(9);
    for (size_t i = 0; i < sizeof texels; i++)
        texels[i] = (uint8_t)(255 * tide_random_uniform(&random));
    const tide_gui_texture texture = { texels, 8, 4 };
    for (int round = 0; round < 200; round++) {
        tide_image fast = grey(40, 30), slow = grey(40, 30);
        float x0 = (float)floor(30 * tide_random_uniform(&random) - 4),
              y0 = (float)floor(20 * tide_random_uniform(&random) - 4);
        bool flat = round % 2 == 0;
        float x1 = x0 + (flat ? 17.3f : 8), y1 = y0 + (flat ? 9.8f : 4), u1 = flat ? 0.3f : 1, v1 = flat ? 0.3f : 1;
        float u0 = flat ? 0.3f : 0, v0 = u0;
        tide_gui_vertex v[4] = { { x0, y0, u0, v0, { 10, 200, 60, 170 } },
                                 { x1, y0, u1, v0, { 10, 200, 60, 170 } },
                                 { x1, y1, u1, v1, { 10, 200, 60, 170 } },
                                 { x0, y1, u0, v1, { 10, 200, 60, 170 } } };
        const float clip[4] = { 1, 1, 39, 28 };
        tide_gui_raster(&fast, clip, v, (uint16_t[]) { 0, 1, 2, 0, 2, 3 }, 6, &texture);
        tide_gui_raster(&slow, clip, v, (uint16_t[]) { 1, 2, 0, 2, 3, 0 }, 6, &texture);
        for (size_t i = 0; i < 4 * 40 * 30; i++)
            assert_true(abs(fast.pixels[i] - slow.pixels[i]) <= 1);
        tide_image_free(&fast);
        tide_image_free(&slow);
    }
}

static void test_raster_refuses_nonsense(void **state)
{
    (void)state;
    tide_image image = grey(8, 8);
    tide_gui_vertex v[3] = { { .x = NAN }, { .x = 5 }, { .y = 5 } };
    const uint16_t indices[] = { 0, 1, 2 };
    for (int i = 0; i < 3; i++)
        memset(v[i].colour, 255, 4);
    tide_gui_raster(&image, (float[4]) { 0, 0, 8, 8 }, v, indices, 3, &one_texel);
    v[0].x = 1e30f;
    tide_gui_raster(&image, (float[4]) { 0, 0, 8, 8 }, v, indices, 3, &one_texel);
    v[0].x = 0;
    tide_gui_raster(&image, (float[4]) { NAN, 0, 8, 8 }, v, indices, 3, &one_texel);
    tide_gui_raster(&image, (float[4]) { -1e5f, -1e5f, 0, 0 }, v, indices, 3, &one_texel);
    for (size_t i = 0; i < 4 * 8 * 8; i++)
        assert_int_equal(image.pixels[i], 100);
    tide_gui_raster(&image, (float[4]) { -1e5f, -1e5f, 1e5f, 1e5f }, v, indices, 3, &one_texel);
    assert_int_equal(at(&image, 1, 1, 0), 255);
    tide_image_free(&image);
}

// For any size, the ink of a glyph lies within its picture, and there is some except for spaces.
static void test_glyphs(void **state)
{
    (void)state;
    static const float sizes[] = { 8, 15, 27, 96 };
    uint8_t *cover = tide_allocate(400 * 400);
    for (int s = 0; s < 4; s++)
        for (uint32_t i = 0, character; (character = tide_gui_glyph_character(i)); i++) {
            tide_gui_glyph glyph = tide_gui_glyph_measure(character, sizes[s]);
            assert_true(glyph.advance >= 1 && glyph.width < 400 && glyph.height < 400);
            if (character == ' ' || character == 0xa0) {
                assert_int_equal(glyph.width, 0);
                continue;
            }
            memset(cover, 7, 400 * 400);
            tide_gui_glyph_draw(character, sizes[s], cover, 400);
            unsigned most = 0, edge = 0;
            for (uint32_t y = 0; y < glyph.height; y++)
                for (uint32_t x = 0; x < glyph.width; x++) {
                    most = cover[400 * y + x] > most ? cover[400 * y + x] : most;
                    if (x == 0 || y == 0 || x + 1 == glyph.width || y + 1 == glyph.height)
                        edge = cover[400 * y + x] > edge ? cover[400 * y + x] : edge;
                }
            assert_true(most > 120);
            assert_true(edge < 255);
            assert_int_equal(cover[400 * glyph.height], 7);
            assert_int_equal(cover[glyph.width], 7);
        }
    tide_free(cover);
}

static void test_numbers_are_round(void **state)
{
    (void)state;
    assert_true(tide_gui_round(0.30000000000000004, 0, 1, false) == 0.3);
    assert_true(tide_gui_round(80.1234, 1, 1e4, true) == 80.1);
    assert_true(tide_gui_round(1234.5678, 1, 1e4, true) == 1230);
    assert_true(tide_gui_round(1.2345e-7, 1e-9, 1, true) == 1.23e-7);
    assert_true(tide_gui_round(9999.9, 0, 9999.9, false) == 9999.9);
    assert_true(tide_gui_round(-3, 0, 10, false) == 0);
    assert_true(tide_gui_round(5, 5, 5, false) == 5);
    assert_true(isfinite(tide_gui_round(1e300, -1e300, 1e300, false)));
    char format[16], text[64];
    snprintf(text, sizeof text, tide_gui_format("%.3g", "%", format, sizeof format), 12.0);
    assert_string_equal(text, "12 %");
    snprintf(text, sizeof text, tide_gui_format("%.3g", "%n%s%n%s%n%s", format, sizeof format), 12.0);
    assert_string_equal(text, "12 %n%s%n");
}

// --- widgets ---------------------------------------------------------------------------------------------------------

typedef struct demo {
    double number;
    bool checked;
    int chosen;
    unsigned acts, pressed;
    char text[16];
} demo;

static void frame(tide_gui *gui, tide_image *image, demo *d)
{
    static const char *const choices[] = { "one", "two", "three", NULL };
    assert_ok(tide_gui_begin(gui, image->width, image->height, 15, 1 / 60.0, &error), error);
    tide_gui_begin_side(gui, false, 300, 0, (float)image->height);
    if (tide_gui_begin_section(gui, "Things", true)) {
        d->acts |= tide_gui_slider(gui, "number", &d->number, 1, 1e4, true, "N/m");
        tide_gui_help(gui, "what it is");
        tide_gui_check(gui, "check", &d->checked);
        tide_gui_choice(gui, "choice", choices, &d->chosen);
        tide_gui_field(gui, "field", d->text, sizeof d->text);
        tide_gui_disable(gui, true);
        d->pressed += 100 * tide_gui_button(gui, "pale");
        tide_gui_enable(gui);
        d->pressed += tide_gui_button(gui, "press");
        tide_gui_end_section(gui);
    }
    tide_gui_end_side(gui);
    assert_ok(tide_gui_end(gui, image, &error), error);
}

static void click(tide_gui *gui, tide_image *image, demo *d, const char *label, float along)
{
    float box[4];
    assert_true(tide_gui_find(gui, label, box));
    tide_gui_mouse_at(gui, box[0] + along * (box[2] - box[0]), 0.5f * (box[1] + box[3]));
    frame(gui, image, d);
    assert_true(tide_gui_has_mouse(gui));
    tide_gui_mouse_button(gui, 0, true);
    tide_gui_mouse_button(gui, 0, false); // within one frame
    for (int i = 0; i < 4; i++)
        frame(gui, image, d);
}

static void press_key(tide_gui *gui, tide_image *image, demo *d, tide_gui_key key)
{
    tide_gui_key_change(gui, key, true);
    tide_gui_key_change(gui, key, false);
    for (int i = 0; i < 3; i++)
        frame(gui, image, d);
}

static void test_widgets_by_mouse_and_keys(void **state)
{
    (void)state;
    tide_memory_counts before = tide_memory_count();
    tide_gui *gui;
    tide_image image = grey(640, 360);
    demo d = { .number = 80, .text = "abc" };
    assert_ok(tide_gui_create(&gui, &error), error);
    frame(gui, &image, &d);
    frame(gui, &image, &d);
    assert_false(tide_gui_has_mouse(gui));
    assert_non_null(strstr(tide_gui_said(gui), "number: 80 N/m\n"));
    assert_int_not_equal(at(&image, 20, 60, 0), 100); // the panel is there
    assert_int_equal(at(&image, 500, 60, 0), 100);    // and the picture beside it
    click(gui, &image, &d, "check", 0.1f);
    assert_true(d.checked);
    click(gui, &image, &d, "press", 0.5f);
    click(gui, &image, &d, "pale", 0.5f);
    assert_int_equal(d.pressed, 1);
    click(gui, &image, &d, "number", 0.5f);
    assert_int_equal(d.acts & (TIDE_GUI_CHANGED | TIDE_GUI_TAKEN | TIDE_GUI_DONE), 7);
    assert_near(log10(d.number), 2, 0.1); // the middle of 1 to 10,000
    assert_true(d.number == tide_gui_round(d.number, 1, 1e4, true));
    click(gui, &image, &d, "choice", 0.5f);
    click(gui, &image, &d, "three", 0.5f);
    assert_int_equal(d.chosen, 2);
    assert_non_null(strstr(tide_gui_said(gui), "choice: three\n"));
    // a number that is typed counts when it is done
    tide_gui_modifiers(gui, true, false, false);
    click(gui, &image, &d, "number", 0.5f);
    tide_gui_modifiers(gui, false, false, false);
    assert_true(tide_gui_takes_text(gui) && tide_gui_has_keys(gui));
    d.acts = 0;
    tide_gui_type(gui, "321");
    frame(gui, &image, &d);
    frame(gui, &image, &d);
    assert_int_equal(d.acts & TIDE_GUI_CHANGED, 0);
    press_key(gui, &image, &d, TIDE_GUI_KEY_ENTER);
    assert_true(d.number == 321);
    assert_true(d.acts & TIDE_GUI_CHANGED && d.acts & TIDE_GUI_DONE);
    // by keys alone
    tide_gui_focus(gui, false);
    assert_true(tide_gui_has_keys(gui) && !tide_gui_is_on_right(gui));
    for (int i = 0; i < 4; i++)
        frame(gui, &image, &d);
    press_key(gui, &image, &d, TIDE_GUI_KEY_DOWN); // from the heading to the number, then to the check
    press_key(gui, &image, &d, TIDE_GUI_KEY_DOWN);
    press_key(gui, &image, &d, TIDE_GUI_KEY_SPACE);
    assert_false(d.checked);
    press_key(gui, &image, &d, TIDE_GUI_KEY_ESCAPE);
    assert_false(tide_gui_has_keys(gui));
    // a click beside the panel ends it, too
    tide_gui_focus(gui, false);
    frame(gui, &image, &d);
    tide_gui_mouse_at(gui, 600, 300);
    frame(gui, &image, &d);
    tide_gui_mouse_button(gui, 0, true);
    assert_false(tide_gui_has_keys(gui));
    click(gui, &image, &d, "Things", 0.5f);
    assert_null(strstr(tide_gui_said(gui), "number"));
    tide_gui_destroy(gui);
    tide_image_free(&image);
    tide_memory_counts after = tide_memory_count();
    assert_int_equal(after.blocks, before.blocks);
}

// A tile shows its picture, is clicked, and draws nothing outside of its page.
static void test_tiles_show_pictures(void **state)
{
    (void)state;
    tide_gui *gui;
    tide_image image = grey(400, 300), picture = grey(8, 5);
    bool clicked = false, seen[12] = { 0 };
    float box[4] = { 0 };
    for (size_t i = 0; i < 4 * 8 * 5; i++)
        picture.pixels[i] = (uint8_t)(i % 4 == 0 ? 250 : 10);
    assert_ok(tide_gui_create(&gui, &error), error);
    for (int frame = 0; frame < 6; frame++) {
        if (frame >= 3) {
            assert_true(tide_gui_find(gui, "one.lua", box));
            tide_gui_mouse_at(gui, 0.5f * (box[0] + box[2]), 0.5f * (box[1] + box[3]));
            tide_gui_mouse_button(gui, 0, frame == 3);
        }
        memset(image.pixels, 100, 4 * 400 * 300);
        assert_ok(tide_gui_begin(gui, 400, 300, 15, 0.02, &error), error);
        assert_true(tide_gui_begin_page(gui, "Tiles", 300, 0, 300));
        for (int i = 0; i < 12; i++) {
            char name[16];
            snprintf(name, sizeof name, i ? "%d.lua" : "one.lua", i);
            if (tide_gui_tile(gui, "Title", name, &picture, 200, &seen[i]))
                clicked = clicked || i == 0;
        }
        tide_gui_end_page(gui);
        assert_ok(tide_gui_end(gui, &image, &error), error);
    }
    assert_true(clicked);
    assert_true(seen[0] && !seen[11]); // only what is in sight
    assert_int_equal(at(&image, (uint32_t)box[0] + 100, (uint32_t)box[1] + 60, 0), 250);
    assert_int_equal(at(&image, (uint32_t)box[0] + 100, (uint32_t)box[1] + 60, 1), 10);
    for (uint32_t x = 0; x < 400; x++)
        assert_int_equal(at(&image, x, 298, 0), 100); // below the page
    tide_gui_destroy(gui);
    tide_image_free(&image);
    tide_image_free(&picture);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_triangles_cover_what_is_in_them),
    cmocka_unit_test(test_shared_edges_leave_no_seam),
    cmocka_unit_test(test_rectangles_are_two_triangles),
    cmocka_unit_test(test_raster_refuses_nonsense),
    cmocka_unit_test(test_glyphs),
    cmocka_unit_test(test_numbers_are_round),
    cmocka_unit_test(test_widgets_by_mouse_and_keys),
    cmocka_unit_test(test_tiles_show_pictures),
};
TIDE_TEST_SUITE(gui_gui, tests)
