// Lays out a formula.
#ifndef TIDE_GUI_PAGE_FORMULA_H
#define TIDE_GUI_PAGE_FORMULA_H

#include "formats/formula.h"
#include "gui/page_items.h"

typedef struct tide_page_box {
    float width, above, below; // pixels; of the baseline
} tide_page_box;

// Adds the formula's items, from x = 0 on with the baseline at y = 0. `size`: text height. `display`: on a line of its
// own.
tide_page_box tide_page_add_formula(tide_page_items *page, const tide_formula *formula, float size, bool display);

#endif
