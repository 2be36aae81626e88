// Fills lines from top to bottom of a page: words, formulas, code. Private to the pages.
#ifndef TIDE_GUI_PAGE_FLOW_H
#define TIDE_GUI_PAGE_FLOW_H

#include "gui/page_formula.h"
#include "gui/page_items.h"

typedef struct tide_page_look {
    float size;
    tide_page_ink ink;
    bool bold, slanted;
} tide_page_look;

// A piece of a line that is not divided, laid out at the origin.
typedef struct tide_page_word {
    uint32_t from, to; // items
    tide_page_box box;
    float space; // before it
} tide_page_word;

typedef struct tide_page_flow {
    tide_page_items *page;
    float left, right, y;  // the column, and where the next line begins
    tide_page_word *words; // of the paragraph so far
    uint32_t count;
    size_t capacity;
    float space;  // that comes before the next word
    bool open;    // the last word goes on
    bool failed;  // an allocation failed
} tide_page_flow; // { .page, .left, .right } is an empty one

void tide_page_flow_free(tide_page_flow *flow);
void tide_page_flow_text(tide_page_flow *flow, const char *text, const tide_page_look *look);
void tide_page_flow_space(tide_page_flow *flow, const tide_page_look *look);
void tide_page_flow_formula(tide_page_flow *flow, const tide_formula *formula, float size);
void tide_page_flow_break(tide_page_flow *flow);  // sets the words so far into lines
void tide_page_flow_forget(tide_page_flow *flow); // drops the words so far; their items stay

// On lines of their own.
void tide_page_flow_display(tide_page_flow *flow, const tide_formula *formula, float size);
void tide_page_flow_code(tide_page_flow *flow, const char *text, const tide_page_look *look, float margin);
void tide_page_flow_rule(tide_page_flow *flow);
void tide_page_flow_gap(tide_page_flow *flow, float height);
// Sets the sign of an item to the left of the column, on the next line.
void tide_page_flow_sign(tide_page_flow *flow, const char *sign, const tide_page_look *look);

#endif
