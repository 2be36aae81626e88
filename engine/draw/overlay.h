// Text panels over a finished picture: the status line, the keys, messages.
#ifndef TIDE_DRAW_OVERLAY_H
#define TIDE_DRAW_OVERLAY_H

#include "base/text.h"
#include "draw/rasterizer.h"

typedef struct tide_overlay {
    tide_rasterizer *rasterizer;
    tide_draw_list list;
    tide_image image;
    float text_size; // pixels
    // The last panel in the centre: its lines and where they are on the picture
    tide_text lines;
    float lines_left, lines_top, lines_width, lines_height; // pixels; of all lines
} tide_overlay;                                             // { 0 } is empty

typedef enum tide_panel_place {
    TIDE_PANEL_BOTTOM,
    TIDE_PANEL_TOP_LEFT,
    TIDE_PANEL_BOTTOM_LEFT,
    TIDE_PANEL_CENTRE // of the width, at the bottom
} tide_panel_place;

tide_status tide_overlay_create(tide_overlay *overlay, tide_error *error);
void tide_overlay_free(tide_overlay *overlay);

// Blends a panel with the text (lines end in '\n'; too long ones are broken at spaces) onto the picture. At the bottom
// it is a bar as wide as the picture, elsewhere as large as its text; in the centre (and where the bar would take over
// two fifths of the picture) the text is smaller where it would not fit. `alert` makes it red.
tide_status tide_overlay_panel(tide_overlay *overlay, tide_image *onto, tide_panel_place place, const char *text,
                               bool alert, tide_error *error);

// How long a notice stays, in seconds: at least 6, and as long as it takes to read it; of a failure twice as long.
double tide_notice_seconds(const char *text, bool failed);

// The pixels that it would take of the height.
uint32_t tide_overlay_height(tide_overlay *overlay, const tide_image *onto, tide_panel_place place, const char *text);

// The line of the last panel in the centre at this place of the picture it was put on, up to its '\n' or end; NULL:
// there is none.
const char *tide_overlay_line_at(const tide_overlay *overlay, double x, double y);
void tide_overlay_forget_lines(tide_overlay *overlay); // the panel is gone

// A panel in the middle with two columns, line by line beside each other; smaller where it would not fit.
tide_status tide_overlay_table(tide_overlay *overlay, tide_image *onto, const char *left, const char *right,
                               tide_error *error);

// What the colours of springs mean, at the top right; nothing where the picture has no room for it.
tide_status tide_overlay_legend(tide_overlay *overlay, tide_image *onto, tide_error *error);

#endif
