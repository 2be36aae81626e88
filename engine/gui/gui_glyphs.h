// The labels' font (draw/font.h) as small images of its characters, for widgets.
#ifndef TIDE_GUI_GUI_GLYPHS_H
#define TIDE_GUI_GUI_GLYPHS_H

#include "base/error.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tide_font_stroke;

typedef struct tide_gui_glyph {
    int32_t left, top;      // of the image, from the left of the pen and the top of the line, pixels
    uint32_t width, height; // pixels; 0 for a space
    float advance;          // whole pixels
} tide_gui_glyph;

// Returns the index-th character of the font, ascending (the last is the box for missing ones); 0 past the last.
uint32_t tide_gui_glyph_character(uint32_t index);
float tide_gui_line_height(float size); // pixels, whole
tide_gui_glyph tide_gui_glyph_measure(uint32_t character, float size);
// Writes the coverage of each pixel, (height rows, `stride` apart). The glyph's size is as measured.
void tide_gui_glyph_draw(uint32_t character, float size, uint8_t *cover, uint32_t stride);

// Returns a height above the baseline, pixels, of one in font units: the tops of letters are on whole pixels.
float tide_gui_glyph_height(float y, float size);
float tide_gui_stroke_distance(const struct tide_font_stroke *stroke, float x, float y); // from a point

#ifdef __cplusplus
}
#endif

#endif
