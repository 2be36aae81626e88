// What a page of text consists of once it is laid out: glyphs and rectangles with their places, and the drawing of them
// into images in memory. Coordinates are pixels, y down from the top of the page.
#ifndef TIDE_GUI_PAGE_ITEMS_H
#define TIDE_GUI_PAGE_ITEMS_H

#include "draw/image.h"

#include <stdbool.h>

static const float tide_page_slant = 0.2f; // of slanted glyphs: to the right, for each unit of height

typedef enum tide_page_ink {
    TIDE_PAGE_PLAIN,
    TIDE_PAGE_QUIET,
    TIDE_PAGE_HEADING,
    TIDE_PAGE_ACCENT,
    TIDE_PAGE_LITERAL,
    TIDE_PAGE_PLATE, // behind code
    TIDE_PAGE_RULE
} tide_page_ink;

typedef struct tide_page_item {
    uint32_t character;    // 0: a rectangle from (x, y), `across` wide and `down` high
    float x, y;            // of a glyph: the pen on the baseline
    float across, down;    // of a glyph: pixels per font unit, along x and along y
    float size, pen;       // of a glyph: text height; half the stroke's width
    bool slanted, snapped; // of a glyph; snapped: the tops of letters are on whole pixels
    tide_page_ink ink;
} tide_page_item;

typedef struct tide_page_items {
    tide_page_item *items; // (count)
    uint32_t count;
    size_t capacity;
    bool failed; // an allocation failed
} tide_page_items;

// Adds a glyph; `bold` has a thicker pen. Returns its advance, pixels.
float tide_page_add_glyph(tide_page_items *page, uint32_t character, float x, float y, float size, tide_page_ink ink,
                          bool bold, bool slanted);
// Adds a glyph that is stretched to reach from `top` to `bottom`. Returns its advance.
float tide_page_add_stretched(tide_page_items *page, uint32_t character, float x, float top, float bottom, float size,
                              tide_page_ink ink);
void tide_page_add_rectangle(tide_page_items *page, float x, float y, float width, float height, tide_page_ink ink);
void tide_page_move(tide_page_items *page, uint32_t from, uint32_t to, float dx, float dy); // those from..to-1
float tide_page_advance(uint32_t character, float size);

// Draws the part from `top` on that the image shows, on the ground of pages. `picture` has its size.
void tide_page_draw(const tide_page_items *page, float top, tide_image *picture);

#endif
