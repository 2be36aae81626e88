#include "gui/page_flow.h"

#include "base/memory.h"
#include "draw/font.h"

#include <math.h>
#include <string.h>

static const float code_advance = 0.56f;                                          // of all letters of code, em
static const float text_above = 0.76f, text_below = 0.24f, between_lines = 0.34f; // em

void tide_page_flow_free(tide_page_flow *flow)
{
    tide_free(flow->words);
    flow->words = NULL;
    flow->count = 0;
    flow->capacity = 0;
}

// --- words -----------------------------------------------------------------------------------------------------------

// Returns the word that goes on, or begins one. NULL without memory.
static tide_page_word *open_word(tide_page_flow *flow)
{
    if (flow->open)
        return &flow->words[flow->count - 1];
    if (!tide_grow(&flow->words, &flow->capacity, flow->count + 1, sizeof *flow->words)) {
        flow->failed = true;
        return NULL;
    }
    uint32_t at = flow->page->count;
    flow->words[flow->count] = (tide_page_word) { .from = at, .to = at, .space = flow->count ? flow->space : 0 };
    flow->open = true;
    flow->space = 0;
    return &flow->words[flow->count++];
}

void tide_page_flow_space(tide_page_flow *flow, const tide_page_look *look)
{
    flow->open = false;
    flow->space = fmaxf(flow->space, roundf(0.28f * look->size));
}

void tide_page_flow_text(tide_page_flow *flow, const char *text, const tide_page_look *look)
{
    while (*text && !flow->failed) {
        uint32_t character = tide_font_next(&text);
        if (character == ' ' || character == '\n' || character == '\t') {
            tide_page_flow_space(flow, look);
            continue;
        }
        tide_page_word *word = open_word(flow);
        if (!word)
            return;
        if (word->box.width + look->size > flow->right - flow->left) { // too long for a line: it is divided
            flow->open = false;
            word = open_word(flow);
        }
        if (!word)
            return;
        float advance = tide_page_add_glyph(flow->page, character, word->box.width, 0, look->size, look->ink,
                                            look->bold, look->slanted);
        word->box.width += roundf(advance);
        word->box.above = fmaxf(word->box.above, text_above * look->size);
        word->box.below = fmaxf(word->box.below, text_below * look->size);
        word->to = flow->page->count;
    }
}

// Adds a formula, or what comes before `space` of it, at the origin: smaller than `size` if it is wider than `room`.
static tide_page_box add_fitting(tide_page_flow *flow,
                                 tide_page_box (*add)(tide_page_flow *, const tide_formula *, const tide_formula *,
                                                      float),
                                 const tide_formula *formula, const tide_formula *space, float size, float room)
{
    enum { TRIES = 6 };
    uint32_t from = flow->page->count;
    tide_page_box box = add(flow, formula, space, size);
    for (int i = 0; i < TRIES && box.width > room; i++) {
        size *= fmaxf(0.98f * room / box.width, 0.3f);
        flow->page->count = from;
        box = add(flow, formula, space, size);
    }
    return box;
}

static tide_page_box add_in_line(tide_page_flow *flow, const tide_formula *formula, const tide_formula *space,
                                 float size)
{
    (void)space;
    return tide_page_add_formula(flow->page, formula, size, false);
}

void tide_page_flow_formula(tide_page_flow *flow, const tide_formula *formula, float size)
{
    float column = flow->right - flow->left;
    tide_page_word *word = open_word(flow);
    if (!word)
        return;
    uint32_t from = flow->page->count;
    tide_page_box box = add_fitting(flow, add_in_line, formula, NULL, size, column - 2);
    if (word->box.width + box.width > column - 2 && word->to > word->from) { // the word before it stays on its line
        flow->open = false;
        word = open_word(flow);
        if (!word)
            return;
        word->from = from;
    }
    tide_page_move(flow->page, from, flow->page->count, word->box.width, 0);
    word->box = (tide_page_box) { ceilf(word->box.width + box.width), fmaxf(word->box.above, box.above),
                                  fmaxf(word->box.below, box.below) };
    word->to = flow->page->count;
}

// --- lines -----------------------------------------------------------------------------------------------------------

// Sets words[first .. last-1] as one line, which is shrunk to the column if a word is wider.
static void set_line(tide_page_flow *flow, uint32_t first, uint32_t last)
{
    float x = flow->left, above = 0, below = 0;
    for (uint32_t i = first; i < last; i++) {
        above = fmaxf(above, flow->words[i].box.above);
        below = fmaxf(below, flow->words[i].box.below);
    }
    float base = roundf(flow->y + above);
    for (uint32_t i = first; i < last; i++) {
        const tide_page_word *word = &flow->words[i];
        x += i > first ? word->space : 0;
        tide_page_move(flow->page, word->from, word->to, roundf(x), base);
        x += word->box.width;
    }
    flow->y = ceilf(base + below);
}

void tide_page_flow_forget(tide_page_flow *flow)
{
    flow->count = 0;
    flow->open = false;
    flow->space = 0;
}

void tide_page_flow_break(tide_page_flow *flow)
{
    float used = 0, column = flow->right - flow->left;
    uint32_t first = 0, count = flow->count;
    for (uint32_t i = 0; i < count; i++) {
        const tide_page_word *word = &flow->words[i];
        float more = (i > first ? word->space : 0) + word->box.width;
        if (i > first && used + more > column) {
            set_line(flow, first, i);
            flow->y += roundf(between_lines * 0.8f * (flow->words[i].box.above + flow->words[i].box.below));
            first = i;
            used = word->box.width;
        } else
            used += more;
    }
    if (count > first) {
        set_line(flow, first, count);
        flow->y += 4;
    }
    tide_page_flow_forget(flow);
}

void tide_page_flow_gap(tide_page_flow *flow, float height)
{
    flow->y += roundf(height);
}

void tide_page_flow_rule(tide_page_flow *flow)
{
    tide_page_flow_break(flow);
    tide_page_add_rectangle(flow->page, flow->left, flow->y, flow->right - flow->left, 1, TIDE_PAGE_RULE);
    flow->y += 4;
}

void tide_page_flow_sign(tide_page_flow *flow, const char *sign, const tide_page_look *look)
{
    float x = 0;
    uint32_t from = flow->page->count;
    while (*sign)
        x += roundf(tide_page_add_glyph(flow->page, tide_font_next(&sign), x, 0, look->size, look->ink, false, false));
    float end = flow->left - 0.4f * look->size;
    tide_page_move(flow->page, from, flow->page->count, roundf(end - x), roundf(flow->y + text_above * look->size));
}

// --- formulas on lines of their own ----------------------------------------------------------------------------------

// Returns the wide space that is the index-th one of the row, at which it may be divided; NULL: there are fewer.
static tide_formula *division(const tide_formula *row, uint32_t index)
{
    for (tide_formula *part = row->child; part; part = part->next)
        if (part->kind == TIDE_FORMULA_SPACE && part->space >= 1 && part != row->child && !index--)
            return part;
    return NULL;
}

// Adds the row up to a wide space; NULL: all of it.
static tide_page_box add_up_to(tide_page_flow *flow, const tide_formula *row, const tide_formula *space, float size)
{
    tide_formula *before = row->child;
    while (space && before->next != space)
        before = before->next;
    if (!space)
        return tide_page_add_formula(flow->page, row, size, true);
    tide_formula *after = before->next;
    before->next = NULL; // for the time of this call
    tide_page_box box = tide_page_add_formula(flow->page, row, size, true);
    before->next = after;
    return box;
}

// Sets what was added since `from` in the middle of a line. Returns its width.
static void set_display(tide_page_flow *flow, uint32_t from, tide_page_box box)
{
    float column = flow->right - flow->left, x = flow->left + fmaxf(0.5f * (column - box.width), 0);
    float base = roundf(flow->y + box.above);
    tide_page_move(flow->page, from, flow->page->count, roundf(x), base);
    flow->y = ceilf(base + box.below);
}

// Sets as much of the row as fits on a line, and at least what comes before its first wide space, which is made smaller
// if need be. Leaves the rest in the row.
static void set_some(tide_page_flow *flow, tide_formula *row, float size)
{
    float column = flow->right - flow->left;
    uint32_t from = flow->page->count, parts = 0;
    while (division(row, parts))
        parts++;
    tide_formula *space = NULL;
    tide_page_box box = add_up_to(flow, row, space, size);
    while (box.width > column && parts) {
        space = division(row, --parts);
        flow->page->count = from;
        box = add_up_to(flow, row, space, size);
    }
    if (box.width > column) {
        flow->page->count = from;
        box = add_fitting(flow, add_up_to, row, space, size, column);
    }
    set_display(flow, from, box);
    row->child = space ? space->next : NULL;
}

void tide_page_flow_display(tide_page_flow *flow, const tide_formula *formula, float size)
{
    tide_formula row = *formula;
    tide_page_flow_break(flow);
    flow->y += roundf(0.35f * size);
    do {
        set_some(flow, &row, size);
        flow->y += roundf(0.45f * size);
    } while (row.child);
}

// --- code ------------------------------------------------------------------------------------------------------------

// Adds the letters of a line of code. A line that is too long goes on in the next one, indented.
static void set_code_line(tide_page_flow *flow, const char *line, const char *end, const tide_page_look *look,
                          float margin)
{
    float advance = roundf(code_advance * look->size), x = flow->left + margin, step = roundf(1.25f * look->size);
    float base = roundf(flow->y + text_above * look->size);
    while (line < end) {
        uint32_t character = tide_font_next(&line);
        if (x + advance > flow->right - margin) {
            x = flow->left + margin + 4 * advance;
            base += step;
        }
        if (character != ' ') {
            float inset = roundf(0.5f * (advance - tide_page_advance(character, look->size)));
            tide_page_add_glyph(flow->page, character, x + inset, base, look->size, look->ink, false, false);
        }
        x += advance;
    }
    flow->y = roundf(base - text_above * look->size) + step;
}

void tide_page_flow_code(tide_page_flow *flow, const char *text, const tide_page_look *look, float margin)
{
    uint32_t plate = flow->page->count;
    float top = flow->y;
    tide_page_add_rectangle(flow->page, flow->left, top, flow->right - flow->left, 1, TIDE_PAGE_PLATE);
    flow->y += margin;
    for (const char *line = text; *line;) {
        const char *end = line + strcspn(line, "\n");
        set_code_line(flow, line, end, look, margin);
        line = *end ? end + 1 : end;
    }
    flow->y += margin;
    if (plate < flow->page->count)
        flow->page->items[plate].down = flow->y - top;
}
