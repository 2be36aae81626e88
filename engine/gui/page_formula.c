#include "gui/page_formula.h"

#include "base/memory.h"
#include "draw/font.h"

#include <math.h>
#include <string.h>

typedef struct setter {
    tide_page_items *page;
    float text; // the height of the formula's own text; scripts are smaller
    bool display;
} setter;

static const float script = 0.72f, smallest = 0.52f; // sizes of scripts, relative
static const float axis = 9.0f / TIDE_FONT_EM;       // height of the minus sign, em

static tide_page_box place(setter *s, const tide_formula *formula, float x, float size);

static float script_size(const setter *s, float size)
{
    return fmaxf(script * size, smallest * s->text);
}

static bool is_empty(const tide_formula *formula)
{
    return formula->kind == TIDE_FORMULA_ROW && !formula->child;
}

static tide_page_box join(tide_page_box a, tide_page_box b)
{
    return (tide_page_box) { a.width + b.width, fmaxf(a.above, b.above), fmaxf(a.below, b.below) };
}

// --- symbols ---------------------------------------------------------------------------------------------------------

static tide_page_box extent_of(uint32_t character, float size)
{
    tide_font_stroke strokes[TIDE_FONT_MAX_STROKES];
    float advance, low = 0, high = 0, scale = size / TIDE_FONT_EM;
    uint32_t count = tide_font_strokes(character, strokes, &advance);
    for (uint32_t i = 0; i < count; i++) {
        low = fminf(low, fminf(strokes[i].y0, strokes[i].y1));
        high = fmaxf(high, fmaxf(strokes[i].y0, strokes[i].y1));
    }
    return (tide_page_box) { advance * scale, high * scale, -low * scale };
}

static tide_page_box place_text(setter *s, const tide_formula *symbol, float x, float size)
{
    tide_page_box box = { 0 };
    bool slanted = symbol->symbol == TIDE_SYMBOL_VARIABLE;
    for (const char *text = symbol->text; *text;) {
        uint32_t character = tide_font_next(&text);
        tide_page_add_glyph(s->page, character, x + box.width, 0, size, TIDE_PAGE_PLAIN, symbol->bold, slanted);
        box = join(box, extent_of(character, size));
    }
    if (slanted) // its upper end leans over what follows
        box.width += fmaxf(tide_page_slant * box.above - 2 * size / TIDE_FONT_EM, 0);
    return box;
}

// In a display, sums are larger, and centred on the axis.
static tide_page_box place_large(setter *s, const tide_formula *symbol, float x, float size)
{
    float factor = s->display && size == s->text ? 1.5f : 1.1f, drop = (factor - 1) * axis * size;
    uint32_t from = s->page->count;
    tide_page_box box = place_text(s, symbol, x, factor * size);
    tide_page_move(s->page, from, s->page->count, 0, drop);
    return (tide_page_box) { box.width, box.above - drop, box.below + drop };
}

// Space before and after a symbol, em. Scripts have none around operators.
static void spaces(const setter *s, tide_symbol_class symbol, float size, float *before, float *after)
{
    static const float widths[][2] = {
        [TIDE_SYMBOL_FUNCTION] = { 0.1f, 0.17f },  [TIDE_SYMBOL_OPERATOR] = { 0.2f, 0.2f },
        [TIDE_SYMBOL_RELATION] = { 0.26f, 0.26f }, [TIDE_SYMBOL_PUNCTUATION] = { 0, 0.2f },
        [TIDE_SYMBOL_LARGE] = { 0.1f, 0.12f },
    };
    bool tight = size < 0.9f * s->text && symbol != TIDE_SYMBOL_FUNCTION;
    *before = tight ? 0 : widths[symbol][0] * size;
    *after = tight ? 0 : widths[symbol][1] * size;
}

static tide_page_box place_symbol(setter *s, const tide_formula *symbol, float x, float size)
{
    float before, after;
    spaces(s, symbol->symbol, size, &before, &after);
    tide_page_box box = symbol->symbol == TIDE_SYMBOL_LARGE ? place_large(s, symbol, x + before, size)
                                                            : place_text(s, symbol, x + before, size);
    box.width += before + after;
    return box;
}

// --- parts -----------------------------------------------------------------------------------------------------------

static tide_page_box place_row(setter *s, const tide_formula *row, float x, float size)
{
    tide_page_box box = { 0, 0.1f * size, 0 };
    for (const tide_formula *part = row->child; part; part = part->next)
        box = join(box, place(s, part, x + box.width, size));
    return box;
}

// Places a part whose baseline is `rise` above that of the row.
static tide_page_box place_raised(setter *s, const tide_formula *part, float x, float size, float rise)
{
    uint32_t from = s->page->count;
    tide_page_box box = place(s, part, x, size);
    tide_page_move(s->page, from, s->page->count, 0, -rise);
    return (tide_page_box) { box.width, box.above + rise, box.below - rise };
}

// A part that is laid out at the origin, to be moved to its place.
typedef struct loose {
    uint32_t from, to; // items
    tide_page_box box;
} loose;

static loose lay(setter *s, const tide_formula *part, float size)
{
    loose laid = { .from = s->page->count };
    laid.box = place(s, part, 0, size);
    laid.to = s->page->count;
    return laid;
}

// Moves a part to the middle of `width`, with its lower edge (or its upper one) at a height above the baseline.
static tide_page_box settle(setter *s, const loose *part, float x, float width, float height, bool hangs)
{
    float rise = hangs ? height - part->box.above : height + part->box.below;
    tide_page_move(s->page, part->from, part->to, x + fmaxf(0.5f * (width - part->box.width), 0), -rise);
    return (tide_page_box) { part->box.width, part->box.above + rise, part->box.below - rise };
}

static tide_page_box place_fraction(setter *s, const tide_formula *fraction, float x, float size)
{
    float inner = s->display && size == s->text ? size : fmaxf(0.8f * size, smallest * s->text);
    float margin = 0.12f * size, gap = 0.14f * size, bar = fmaxf(roundf(0.07f * size), 1);
    bool display = s->display;
    s->display = false; // in a fraction, a fraction is small
    loose upper = lay(s, fraction->child, inner), lower = lay(s, fraction->child->next, inner);
    s->display = display;
    float width = fmaxf(upper.box.width, lower.box.width) + 0.16f * size;
    tide_page_add_rectangle(s->page, x + margin, -axis * size - 0.5f * bar, width, bar, TIDE_PAGE_PLAIN);
    tide_page_box over = settle(s, &upper, x + margin, width, axis * size + gap, false);
    tide_page_box under = settle(s, &lower, x + margin, width, axis * size - gap, true);
    return (tide_page_box) { width + 2 * margin, over.above, under.below };
}

static tide_page_box place_root(setter *s, const tide_formula *root, float x, float size)
{
    enum { ROOT = 0x221a };
    uint32_t from = s->page->count;
    tide_page_box inner = place(s, root->child, x, size);
    float top = fmaxf(inner.above, 0.5f * size) + 0.2f * size, bottom = inner.below + 0.06f * size;
    uint32_t to = s->page->count;
    float bar = fmaxf(roundf(0.07f * size), 1);
    float sign = tide_page_add_stretched(s->page, ROOT, x, -top, bottom, size, TIDE_PAGE_PLAIN);
    tide_page_move(s->page, from, to, sign, 0);
    tide_page_add_rectangle(s->page, x + sign - 0.04f * size, -top - 0.5f * bar, inner.width + 0.08f * size, bar,
                            TIDE_PAGE_PLAIN);
    return (tide_page_box) { sign + inner.width + 0.1f * size, top + 0.08f * size, bottom };
}

static tide_page_box place_accent(setter *s, const tide_formula *accent, float x, float size)
{
    const char *text = accent->text;
    uint32_t character = tide_font_next(&text);
    tide_page_box inner = place(s, accent->child, x, size);
    tide_font_stroke strokes[TIDE_FONT_MAX_STROKES];
    float advance, low = INFINITY, small = 0.75f * size, lean = 0.06f * size;
    uint32_t count = tide_font_strokes(character, strokes, &advance);
    for (uint32_t i = 0; i < count; i++)
        low = fminf(low, fminf(strokes[i].y0, strokes[i].y1));
    float width = advance * small / TIDE_FONT_EM, height = inner.above + 0.12f * size;
    if (strcmp(accent->text, "¯") == 0)
        tide_page_add_rectangle(s->page, x + lean, -height, fmaxf(inner.width - lean, 0.3f * size),
                                fmaxf(roundf(0.07f * size), 1), TIDE_PAGE_PLAIN);
    else
        tide_page_add_glyph(s->page, character, x + 0.5f * (inner.width - width) + lean,
                            -(height - low * small / TIDE_FONT_EM), small, TIDE_PAGE_PLAIN, false, false);
    inner.above = height + 0.2f * size;
    return inner;
}

// --- scripts ---------------------------------------------------------------------------------------------------------

static bool takes_limits(const setter *s, const tide_formula *base, float size)
{
    static const char *const below[] = { "min", "max", "lim", "arg" };
    bool shown = s->display && size == s->text && base->kind == TIDE_FORMULA_SYMBOL;
    if (!shown || base->symbol == TIDE_SYMBOL_LARGE)
        return shown && strcmp(base->text, "∫") != 0;
    for (size_t i = 0; i < sizeof below / sizeof *below; i++)
        if (base->symbol == TIDE_SYMBOL_FUNCTION && strcmp(base->text, below[i]) == 0)
            return true;
    return false;
}

static tide_page_box place_limits(setter *s, const tide_formula *scripts, float x, float size)
{
    const tide_formula *base = scripts->child, *lower = base->next, *upper = lower->next;
    float small = script_size(s, size), gap = 0.12f * size;
    loose middle = lay(s, base, size), under = lay(s, lower, small), over = lay(s, upper, small);
    float width = fmaxf(middle.box.width, fmaxf(under.box.width, over.box.width));
    tide_page_box box = settle(s, &middle, x, width, -middle.box.below, false);
    float top = box.above + gap, bottom = -box.below - gap;
    box.width = width;
    if (!is_empty(upper))
        box.above = settle(s, &over, x, width, top, false).above;
    if (!is_empty(lower))
        box.below = settle(s, &under, x, width, bottom, true).below;
    return box;
}

static tide_page_box place_scripts(setter *s, const tide_formula *scripts, float x, float size)
{
    const tide_formula *base = scripts->child, *lower = base->next, *upper = lower->next;
    if (takes_limits(s, base, size))
        return place_limits(s, scripts, x, size);
    tide_page_box box = place(s, base, x, size), above = { 0 }, below = { 0 };
    float small = script_size(s, size), start = x + box.width + 0.02f * size;
    bool slanted = base->kind == TIDE_FORMULA_SYMBOL && base->symbol == TIDE_SYMBOL_VARIABLE;
    float rise = fmaxf(0.36f * size, box.above - 0.4f * small), drop = fmaxf(0.16f * size, box.below + 0.05f * size);
    if (!is_empty(upper))
        above = place_raised(s, upper, start + (slanted ? 0.04f * size : 0), small, rise);
    if (!is_empty(lower))
        below = place_raised(s, lower, start, small, -drop);
    box = join(box, (tide_page_box) { fmaxf(above.width, below.width), fmaxf(above.above, below.above),
                                      fmaxf(above.below, below.below) });
    box.width += 0.05f * size;
    return box;
}

// --- fences and matrices ---------------------------------------------------------------------------------------------

static float place_fence(setter *s, const char *fence, float x, float size, float half)
{
    if (!fence[0])
        return 0;
    uint32_t character = tide_font_next(&fence);
    if (half < 0.55f * size)
        return tide_page_add_glyph(s->page, character, x, 0, size, TIDE_PAGE_PLAIN, false, false);
    return tide_page_add_stretched(s->page, character, x, -axis * size - half, -axis * size + half, size,
                                   TIDE_PAGE_PLAIN);
}

static tide_page_box place_fenced(setter *s, const tide_formula *fenced, float x, float size)
{
    uint32_t from = s->page->count;
    tide_page_box box = place(s, fenced->child, x, size);
    uint32_t to = s->page->count;
    float half = fmaxf(box.above - axis * size, box.below + axis * size) + 0.05f * size;
    float left = place_fence(s, fenced->text, x, size, half);
    tide_page_move(s->page, from, to, left, 0);
    float right = place_fence(s, fenced->closing, x + left + box.width, size, half);
    return (tide_page_box) { left + box.width + right, fmaxf(box.above, half + axis * size),
                             fmaxf(box.below, half - axis * size) };
}

static uint32_t count_cells(const tide_formula *matrix)
{
    uint32_t count = 0;
    for (const tide_formula *one = matrix->child; one; one = one->next)
        count++;
    return count;
}

// Moves the cells, which are placed at the origin, into rows and columns.
static tide_page_box arrange(setter *s, const tide_formula *matrix, const loose *cells, uint32_t count, float x,
                             float size)
{
    uint32_t columns = matrix->columns, rows = (count + columns - 1) / columns;
    float height = 0, between = matrix->aligned ? 0 : 0.8f * size, gap = 0.25f * size, width = 0;
    for (uint32_t row = 0; row < rows; row++) {
        float above = 0.5f * size, below = 0.15f * size;
        for (uint32_t i = row * columns; i < (row + 1) * columns && i < count; i++) {
            above = fmaxf(above, cells[i].box.above);
            below = fmaxf(below, cells[i].box.below);
        }
        for (uint32_t i = row * columns; i < (row + 1) * columns && i < count; i++)
            tide_page_move(s->page, cells[i].from, cells[i].to, 0, height + above);
        height += above + below + (row + 1 < rows ? gap : 0);
    }
    for (uint32_t column = 0; column < columns; column++) {
        float widest = 0;
        for (uint32_t i = column; i < count; i += columns)
            widest = fmaxf(widest, cells[i].box.width);
        for (uint32_t i = column; i < count; i += columns) {
            float free = widest - cells[i].box.width;
            float shift = matrix->left ? 0 : !matrix->aligned ? 0.5f * free : column % 2 ? 0 : free;
            tide_page_move(s->page, cells[i].from, cells[i].to, x + width + shift, 0);
        }
        width += widest + (column + 1 < columns ? between : 0);
    }
    float top = 0.5f * height + axis * size; // centred on the axis
    tide_page_move(s->page, cells[0].from, cells[count - 1].to, 0, -top);
    return (tide_page_box) { width, top, height - top };
}

static tide_page_box place_matrix(setter *s, const tide_formula *matrix, float x, float size)
{
    uint32_t count = count_cells(matrix), i = 0;
    bool display = s->display;
    loose *cells = tide_allocate_array(count + 1, sizeof *cells);
    if (!cells) {
        s->page->failed = true;
        return (tide_page_box) { 0 };
    }
    s->display = s->display && matrix->aligned;
    for (const tide_formula *one = matrix->child; one; one = one->next)
        cells[i++] = lay(s, one, size);
    s->display = display;
    tide_page_box box = count ? arrange(s, matrix, cells, count, x, size) : (tide_page_box) { 0 };
    tide_free(cells);
    return box;
}

// --- all -------------------------------------------------------------------------------------------------------------

static tide_page_box place(setter *s, const tide_formula *formula, float x, float size)
{
    switch (formula->kind) {
    case TIDE_FORMULA_SYMBOL:
        return place_symbol(s, formula, x, size);
    case TIDE_FORMULA_SPACE:
        return (tide_page_box) { formula->space * size, 0, 0 };
    case TIDE_FORMULA_FRACTION:
        return place_fraction(s, formula, x, size);
    case TIDE_FORMULA_ROOT:
        return place_root(s, formula, x, size);
    case TIDE_FORMULA_SCRIPTS:
        return place_scripts(s, formula, x, size);
    case TIDE_FORMULA_ACCENT:
        return place_accent(s, formula, x, size);
    case TIDE_FORMULA_FENCED:
        return place_fenced(s, formula, x, size);
    case TIDE_FORMULA_MATRIX:
        return place_matrix(s, formula, x, size);
    default:
        return place_row(s, formula, x, size);
    }
}

tide_page_box tide_page_add_formula(tide_page_items *page, const tide_formula *formula, float size, bool display)
{
    setter s = { .page = page, .text = size, .display = display };
    return place(&s, formula, 0, size);
}
