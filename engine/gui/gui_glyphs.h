// The labels' font (draw/font.h) as small pictures of its characters, for widgets.
#ifndef TIDE_GUI_GUI_GLYPHS_H
#define TIDE_GUI_GUI_GLYPHS_H

#include "base/error.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tide_gui_glyph {
    int32_t left, top;      // of the picture, from the left of the pen and the top of the line, pixels
    uint32_t width, height; // pixels; 0 of a space
    float advance;          // whole pixels
} tide_gui_glyph;

// The characters that the font has, ascending (the last is the box for all others); 0 past the last.
uint32_t tide_gui_glyph_character(uint32_t index);
float tide_gui_line_height(float size); // pixels, whole
tide_gui_glyph tide_gui_glyph_measure(uint32_t character, float size);
// What each pixel is covered by, (height rows, `stride` apart); the glyph is as measured.
void tide_gui_glyph_draw(uint32_t character, float size, uint8_t *cover, uint32_t stride);

#ifdef __cplusplus
}
#endif

#endif
