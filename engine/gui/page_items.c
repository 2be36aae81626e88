#include "gui/page_items.h"

#include "base/memory.h"
#include "draw/font.h"
#include "gui/gui_glyphs.h"

#include <math.h>
#include <string.h>

static const float pen_width = 2.3f, bold_width = 3.9f; // font units

// --- adding ----------------------------------------------------------------------------------------------------------

static void add(tide_page_items *page, tide_page_item item)
{
    if (tide_grow(&page->items, &page->capacity, page->count + 1, sizeof *page->items))
        page->items[page->count++] = item;
    else
        page->failed = true;
}

float tide_page_advance(uint32_t character, float size)
{
    tide_font_stroke strokes[TIDE_FONT_MAX_STROKES];
    float advance;
    tide_font_strokes(character, strokes, &advance);
    return advance * size / TIDE_FONT_EM;
}

static float pen_of(float size, bool bold)
{
    return fmaxf(0.5f * (bold ? bold_width : pen_width) * size / TIDE_FONT_EM, bold ? 0.8f : 0.52f);
}

float tide_page_add_glyph(tide_page_items *page, uint32_t character, float x, float y, float size, tide_page_ink ink,
                          bool bold, bool slanted)
{
    float scale = size / TIDE_FONT_EM;
    add(page, (tide_page_item) { .character = character,
                                 .x = x,
                                 .y = y,
                                 .across = scale,
                                 .down = scale,
                                 .size = size,
                                 .pen = pen_of(size, bold),
                                 .slanted = slanted,
                                 .snapped = true,
                                 .ink = ink });
    return tide_page_advance(character, size);
}

float tide_page_add_stretched(tide_page_items *page, uint32_t character, float x, float top, float bottom, float size,
                              tide_page_ink ink)
{
    tide_font_stroke strokes[TIDE_FONT_MAX_STROKES];
    float advance, low = INFINITY, high = -INFINITY;
    uint32_t count = tide_font_strokes(character, strokes, &advance);
    for (uint32_t i = 0; i < count; i++) {
        low = fminf(low, fminf(strokes[i].y0, strokes[i].y1));
        high = fmaxf(high, fmaxf(strokes[i].y0, strokes[i].y1));
    }
    float scale = size / TIDE_FONT_EM, down = high > low ? (bottom - top) / (high - low) : scale;
    float across = scale * fminf(fmaxf(0.25f + 0.75f * down / scale, 1), 1.8f);
    add(page, (tide_page_item) { .character = character,
                                 .x = x,
                                 .y = bottom + low * down,
                                 .across = across,
                                 .down = down,
                                 .size = size,
                                 .pen = pen_of(size, false),
                                 .ink = ink });
    return advance * across;
}

void tide_page_add_rectangle(tide_page_items *page, float x, float y, float width, float height, tide_page_ink ink)
{
    add(page, (tide_page_item) { .x = x, .y = y, .across = width, .down = height, .ink = ink });
}

void tide_page_move(tide_page_items *page, uint32_t from, uint32_t to, float dx, float dy)
{
    for (uint32_t i = from; i < to; i++) {
        page->items[i].x += dx;
        page->items[i].y += dy;
    }
}

// --- drawing ---------------------------------------------------------------------------------------------------------

static const uint8_t ground[3] = { 0x17, 0x1b, 0x22 };
static const uint8_t inks[][3] = {
    [TIDE_PAGE_PLAIN] = { 0xe8, 0xec, 0xf1 },   [TIDE_PAGE_QUIET] = { 0xaa, 0xb4, 0xc3 },
    [TIDE_PAGE_HEADING] = { 0x8f, 0xd0, 0xf5 }, [TIDE_PAGE_ACCENT] = { 0x56, 0xb4, 0xe9 },
    [TIDE_PAGE_LITERAL] = { 0xd3, 0xe6, 0xb8 }, [TIDE_PAGE_PLATE] = { 0x0d, 0x10, 0x15 },
    [TIDE_PAGE_RULE] = { 0x3d, 0x47, 0x55 },
};

static void blend(tide_image *picture, int32_t x, int32_t y, tide_page_ink ink, float cover)
{
    uint8_t *pixel = picture->pixels + 4 * ((size_t)y * picture->width + (size_t)x);
    for (int c = 0; c < 3; c++)
        pixel[c] = (uint8_t)((float)pixel[c] + ((float)inks[ink][c] - (float)pixel[c]) * cover + 0.5f);
}

static int32_t clamp(float value, uint32_t most)
{
    return (int32_t)fminf(fmaxf(value, 0), (float)most);
}

static void draw_rectangle(const tide_page_item *item, float top, tide_image *picture)
{
    int32_t x0 = clamp(roundf(item->x), picture->width), x1 = clamp(roundf(item->x + item->across), picture->width);
    float upper = roundf(item->y), lower = fmaxf(roundf(item->y + item->down), upper + 1);
    int32_t y0 = clamp(upper - top, picture->height), y1 = clamp(lower - top, picture->height);
    for (int32_t y = y0; y < y1; y++)
        for (int32_t x = x0; x < x1; x++)
            blend(picture, x, y, item->ink, 1);
}

// The glyph's strokes in the image.
static uint32_t place_strokes(const tide_page_item *item, float top, tide_font_stroke *strokes)
{
    float advance, base = floorf(item->y - top) + 0.5f; // on the centres of pixels
    uint32_t count = tide_font_strokes(item->character, strokes, &advance);
    if (!item->snapped)
        base = item->y - top;
    for (uint32_t i = 0; i < count; i++) {
        tide_font_stroke *s = &strokes[i];
        float lean = item->slanted ? tide_page_slant : 0;
        float x0 = s->x0 + lean * s->y0, x1 = s->x1 + lean * s->y1;
        float y0 = item->snapped ? tide_gui_glyph_height(s->y0, item->size) : s->y0 * item->down;
        float y1 = item->snapped ? tide_gui_glyph_height(s->y1, item->size) : s->y1 * item->down;
        *s = (tide_font_stroke) { item->x + item->across * x0, base - y0, item->x + item->across * x1, base - y1 };
    }
    return count;
}

static void draw_glyph(const tide_page_item *item, float top, tide_image *picture)
{
    tide_font_stroke strokes[TIDE_FONT_MAX_STROKES];
    uint32_t count = place_strokes(item, top, strokes);
    float x0 = INFINITY, y0 = INFINITY, x1 = -INFINITY, y1 = -INFINITY, reach = 1.3f * item->pen + 0.5f;
    for (uint32_t i = 0; i < count; i++) {
        x0 = fminf(x0, fminf(strokes[i].x0, strokes[i].x1) - reach);
        x1 = fmaxf(x1, fmaxf(strokes[i].x0, strokes[i].x1) + reach);
        y0 = fminf(y0, fminf(strokes[i].y0, strokes[i].y1) - reach);
        y1 = fmaxf(y1, fmaxf(strokes[i].y0, strokes[i].y1) + reach);
    }
    for (int32_t y = clamp(floorf(y0), picture->height); count && y < clamp(ceilf(y1), picture->height); y++)
        for (int32_t x = clamp(floorf(x0), picture->width); x < clamp(ceilf(x1), picture->width); x++) {
            float most = 0;
            for (uint32_t i = 0; i < count; i++) {
                const tide_font_stroke *s = &strokes[i];
                bool dot = s->x0 == s->x1 && s->y0 == s->y1; // dots are slightly bolder
                float distance = tide_gui_stroke_distance(s, (float)x + 0.5f, (float)y + 0.5f);
                most = fmaxf(most, (dot ? 1.3f : 1) * item->pen + 0.5f - distance);
            }
            if (most > 0)
                blend(picture, x, y, item->ink, fminf(most, 1));
        }
}

void tide_page_draw(const tide_page_items *page, float top, tide_image *picture)
{
    float bottom = top + (float)picture->height;
    for (size_t i = 0; i < (size_t)picture->width * picture->height; i++) {
        memcpy(picture->pixels + 4 * i, ground, 3);
        picture->pixels[4 * i + 3] = 255;
    }
    for (uint32_t i = 0; i < page->count; i++) {
        const tide_page_item *item = &page->items[i];
        float high = item->character ? 30 * item->down : 0, low = item->character ? 12 * item->down : item->down + 1;
        if (item->y + low < top || item->y - high > bottom)
            continue;
        if (item->character)
            draw_glyph(item, top, picture);
        else
            draw_rectangle(item, top, picture);
    }
}
