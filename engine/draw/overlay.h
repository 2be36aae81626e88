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
    // The last centred panel: its lines and their place in the picture
    tide_text lines;
    float lines_left, lines_top, lines_width, lines_height; // pixels; of all lines together
} tide_overlay;                                             // { 0 } is empty

typedef enum tide_panel_place {
    TIDE_PANEL_BOTTOM,
    TIDE_PANEL_TOP_LEFT,
    TIDE_PANEL_BOTTOM_LEFT,
    TIDE_PANEL_CENTRE // centred at the bottom
} tide_panel_place;

tide_status tide_overlay_create(tide_overlay *overlay, tide_error *error);
void tide_overlay_free(tide_overlay *overlay);

// Blends a panel with the text onto the picture. Lines end in '\n'; long ones are wrapped at spaces. TIDE_PANEL_BOTTOM
// is a bar as wide as the picture; the others are as large as their text. A centred text that does not fit is made
// smaller, and so is a bar that would exceed two fifths of the picture's height. `alert` makes it red.
tide_status tide_overlay_panel(tide_overlay *overlay, tide_image *onto, tide_panel_place place, const char *text,
                               bool alert, tide_error *error);

// Returns how long a notice stays, s: long enough to be read, at least 6; twice as long for a failure.
double tide_notice_seconds(const char *text, bool failed);

// Returns the height that the panel would take, pixels.
uint32_t tide_overlay_height(tide_overlay *overlay, const tide_image *onto, tide_panel_place place, const char *text);

// Returns the line of the last centred panel at a place in its picture, up to its '\n' or end; NULL: no line is there.
const char *tide_overlay_line_at(const tide_overlay *overlay, double x, double y);
void tide_overlay_forget_lines(tide_overlay *overlay); // after the panel is gone

// Draws the legend of the springs' colours at the top right; nothing if the picture has no room for it.
tide_status tide_overlay_legend(tide_overlay *overlay, tide_image *onto, tide_error *error);

#endif
