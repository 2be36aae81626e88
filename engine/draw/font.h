// The stroke font of labels. It is rendered by distance to strokes, so that one design serves every size. Private to
// draw/, except for tide_draw_text_size in draw_list.h.
#ifndef TIDE_DRAW_FONT_H
#define TIDE_DRAW_FONT_H

#include <stddef.h>
#include <stdint.h>

// Units of the design: capitals are 20 high, small letters 14, descenders reach -6, lines are TIDE_FONT_LINE apart.
enum {
    TIDE_FONT_EM = 28,
    TIDE_FONT_LINE = 34,
    TIDE_FONT_CAPITAL = 20,
    TIDE_FONT_SMALL = 14,
    TIDE_FONT_MAX_STROKES = 128
};

typedef struct tide_font_stroke {
    float x0, y0, x1, y1; // y up from the baseline
} tide_font_stroke;

// Returns the next character of UTF-8 text and advances *text. Each malformed byte is read as U+FFFD.
uint32_t tide_font_next(const char **text);
// Writes a character's strokes (at most TIDE_FONT_MAX_STROKES) and its advance. Returns the number of strokes.
uint32_t tide_font_strokes(uint32_t character, tide_font_stroke *strokes, float *advance);

#endif
