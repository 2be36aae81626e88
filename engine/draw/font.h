// The font of labels: strokes, drawn by distance, so that one design serves every size. Private to draw/ but for
// tide_draw_text_size in draw_list.h.
#ifndef TIDE_DRAW_FONT_H
#define TIDE_DRAW_FONT_H

#include <stddef.h>
#include <stdint.h>

// Design units: capitals are 20 high, small letters 14, descenders reach to -6; a line is TIDE_FONT_LINE high.
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

// The next character of UTF-8 text; moves *text on. Malformed bytes are read one by one as U+FFFD.
uint32_t tide_font_next(const char **text);
// Writes a character's strokes (at most TIDE_FONT_MAX_STROKES), returns how many, and gives its advance.
uint32_t tide_font_strokes(uint32_t character, tide_font_stroke *strokes, float *advance);

#endif
