#include "gui/gui_glyphs.h"

#include "draw/font.h"

#include <math.h>
#include <stdbool.h>

// As for labels (draw/raster_text.c), slightly thinner: there is no outline.
static const float pen_width = 2.3f; // font units

uint32_t tide_gui_glyph_character(uint32_t index)
{
    enum { FIRST = ' ', LAST = '~', ASCII = LAST - FIRST + 1 };
    static const uint32_t others[] = {
        0xa0,   0xa7,   0xa8,   0xaf,   0xb0,   0xb1,   0xb2,   0xb3,   0xb5,   0xb7,   0xd7,   0xe4,   0xe9,   0xf6,
        0xfc,   0x2d9,  0x393,  0x394,  0x398,  0x39b,  0x39e,  0x3a0,  0x3a3,  0x3a6,  0x3a8,  0x3a9,  0x3b1,  0x3b2,
        0x3b3,  0x3b4,  0x3b5,  0x3b6,  0x3b7,  0x3b8,  0x3b9,  0x3ba,  0x3bb,  0x3bc,  0x3bd,  0x3be,  0x3c0,  0x3c1,
        0x3c3,  0x3c4,  0x3c6,  0x3c7,  0x3c8,  0x3c9,  0x2013, 0x2014, 0x2016, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022,
        0x2026, 0x2032, 0x2113, 0x2190, 0x2192, 0x21a6, 0x21d2, 0x21d4, 0x2200, 0x2202, 0x2207, 0x2208, 0x220f, 0x2211,
        0x2212, 0x2217, 0x2218, 0x221a, 0x221d, 0x221e, 0x222b, 0x223c, 0x2248, 0x2260, 0x2261, 0x2264, 0x2265, 0x226a,
        0x226b, 0x2282, 0x2297, 0x22a4, 0x22a5, 0x22ee, 0x22ef, 0x22f1, 0x27e8, 0x27e9, 0xfffd
    };
    if (index < ASCII)
        return FIRST + index;
    return index - ASCII < sizeof others / sizeof others[0] ? others[index - ASCII] : 0;
}

typedef struct face {
    float scale, small, capital; // pixels per font unit; heights of letters in whole pixels
    float pen;                   // half the stroke's width, pixels
} face;

static face face_of(float size)
{
    face f = { .scale = size / TIDE_FONT_EM };
    f.small = fmaxf(roundf(TIDE_FONT_SMALL * f.scale), 1);
    f.capital = fmaxf(roundf(TIDE_FONT_CAPITAL * f.scale), f.small + 1);
    f.pen = fmaxf(0.5f * pen_width * f.scale, 0.55f);
    return f;
}

// Maps a height so that the tops of letters are on whole pixels.
static float height_of(const face *f, float y)
{
    if (y <= 0)
        return y * f->scale;
    if (y <= TIDE_FONT_SMALL)
        return y * f->small / TIDE_FONT_SMALL;
    return f->small + (y - TIDE_FONT_SMALL) * (f->capital - f->small) / (float)(TIDE_FONT_CAPITAL - TIDE_FONT_SMALL);
}

float tide_gui_glyph_height(float y, float size)
{
    face f = face_of(size);
    return height_of(&f, y);
}

float tide_gui_line_height(float size)
{
    return roundf(TIDE_FONT_LINE * size / TIDE_FONT_EM);
}

static float baseline(const face *f)
{
    return roundf(25 * f->scale) + 0.5f; // on the centres of pixels
}

tide_gui_glyph tide_gui_glyph_measure(uint32_t character, float size)
{
    face f = face_of(size);
    tide_font_stroke strokes[TIDE_FONT_MAX_STROKES];
    float advance, x0 = INFINITY, y0 = INFINITY, x1 = -INFINITY, y1 = -INFINITY;
    uint32_t count = tide_font_strokes(character, strokes, &advance);
    for (uint32_t i = 0; i < count; i++) {
        const tide_font_stroke *s = &strokes[i];
        x0 = fminf(x0, f.scale * fminf(s->x0, s->x1));
        x1 = fmaxf(x1, f.scale * fmaxf(s->x0, s->x1));
        y0 = fminf(y0, baseline(&f) - height_of(&f, fmaxf(s->y0, s->y1)));
        y1 = fmaxf(y1, baseline(&f) - height_of(&f, fminf(s->y0, s->y1)));
    }
    tide_gui_glyph glyph = { .advance = fmaxf(roundf(advance * f.scale), 1) };
    if (!count)
        return glyph;
    float reach = 1.3f * f.pen + 0.5f;
    glyph.left = (int32_t)floorf(x0 - reach);
    glyph.top = (int32_t)floorf(y0 - reach);
    glyph.width = (uint32_t)((int32_t)ceilf(x1 + reach) - glyph.left);
    glyph.height = (uint32_t)((int32_t)ceilf(y1 + reach) - glyph.top);
    return glyph;
}

float tide_gui_stroke_distance(const tide_font_stroke *s, float x, float y)
{
    float dx = s->x1 - s->x0, dy = s->y1 - s->y0, square = dx * dx + dy * dy;
    float along = square > 0 ? ((x - s->x0) * dx + (y - s->y0) * dy) / square : 0;
    along = fminf(fmaxf(along, 0), 1);
    return hypotf(x - s->x0 - along * dx, y - s->y0 - along * dy);
}

void tide_gui_glyph_draw(uint32_t character, float size, uint8_t *cover, uint32_t stride)
{
    face f = face_of(size);
    tide_gui_glyph glyph = tide_gui_glyph_measure(character, size);
    tide_font_stroke strokes[TIDE_FONT_MAX_STROKES];
    float advance;
    uint32_t count = tide_font_strokes(character, strokes, &advance);
    for (uint32_t i = 0; i < count; i++)
        strokes[i] = (tide_font_stroke) { f.scale * strokes[i].x0, baseline(&f) - height_of(&f, strokes[i].y0),
                                          f.scale * strokes[i].x1, baseline(&f) - height_of(&f, strokes[i].y1) };
    for (uint32_t row = 0; row < glyph.height; row++)
        for (uint32_t column = 0; column < glyph.width; column++) {
            float x = (float)glyph.left + (float)column + 0.5f, y = (float)glyph.top + (float)row + 0.5f;
            float most = 0;
            for (uint32_t i = 0; i < count; i++) {
                bool dot = strokes[i].x0 == strokes[i].x1 && strokes[i].y0 == strokes[i].y1; // dots are slightly bolder
                most = fmaxf(most, (dot ? 1.3f : 1) * f.pen + 0.5f - tide_gui_stroke_distance(&strokes[i], x, y));
            }
            cover[(size_t)stride * row + column] = (uint8_t)(255 * fminf(most, 1) + 0.5f);
        }
}
