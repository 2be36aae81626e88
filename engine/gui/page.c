#include "gui/page.h"

#include "base/memory.h"
#include "base/text.h"
#include "draw/font.h"
#include "formats/formula.h"
#include "gui/page_flow.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct tide_page {
    tide_page_items items;
    uint32_t width, height, strip_count;
    tide_image *strips; // (strip_count); empty until asked for
};

// What is open while the marks are read.
typedef struct setting {
    tide_page_flow flow;
    const tide_document *document;
    size_t at;
    uint32_t strong, emphasis, literal, link, picture, quote; // how many are open
    uint32_t list_depth;
    uint32_t next_item[16]; // of the open lists; UINT32_MAX: bullets
    float text;             // height of plain text
} setting;

static const float paragraph_gap = 0.6f, indent = 1.6f; // em

// --- within a line ---------------------------------------------------------------------------------------------------

static tide_page_look look_of(const setting *s, float size, bool heading)
{
    return (tide_page_look) { .size = size,
                              .ink = heading      ? TIDE_PAGE_HEADING
                                     : s->literal ? TIDE_PAGE_LITERAL
                                     : s->link    ? TIDE_PAGE_ACCENT
                                     : s->quote   ? TIDE_PAGE_QUIET
                                                  : TIDE_PAGE_PLAIN,
                              .bold = s->strong > 0 || heading,
                              .slanted = s->emphasis > 0 };
}

static void add_formula(setting *s, const tide_mark *mark, float size)
{
    tide_formula *formula;
    if (tide_formula_read(mark->text, &formula, NULL) != TIDE_OK) { // its text is better than nothing
        tide_page_look look = { .size = size, .ink = TIDE_PAGE_LITERAL };
        tide_page_flow_text(&s->flow, mark->text, &look);
        return;
    }
    if (mark->level)
        tide_page_flow_display(&s->flow, formula, size);
    else
        tide_page_flow_formula(&s->flow, formula, size);
    tide_formula_free(formula);
}

// Handles a mark within a line. Returns whether it is one.
static bool set_span(setting *s, const tide_mark *mark, float size, bool heading)
{
    uint32_t step = mark->closes ? UINT32_MAX : 1;
    tide_page_look look = look_of(s, size, heading);
    switch (mark->kind) {
    case TIDE_MARK_TEXT:
        tide_page_flow_text(&s->flow, mark->text, &look);
        return true;
    case TIDE_MARK_FORMULA:
        add_formula(s, mark, size);
        return true;
    case TIDE_MARK_SOFT_BREAK:
        tide_page_flow_space(&s->flow, &look);
        return true;
    case TIDE_MARK_HARD_BREAK:
        tide_page_flow_break(&s->flow);
        return true;
    case TIDE_MARK_STRONG:
        s->strong += step;
        return true;
    case TIDE_MARK_EMPHASIS:
        s->emphasis += step;
        return true;
    case TIDE_MARK_LITERAL:
        s->literal += step;
        return true;
    case TIDE_MARK_LINK:
        s->link += step;
        return true;
    case TIDE_MARK_PICTURE: // its words stand in its place
        s->picture += step;
        return true;
    default:
        return false;
    }
}

// --- blocks ----------------------------------------------------------------------------------------------------------

static const tide_mark *next_mark(setting *s)
{
    return s->at < s->document->count ? &s->document->marks[s->at++] : NULL;
}

static void set_heading(setting *s, uint32_t level)
{
    static const float sizes[] = { 1.5f, 1.5f, 1.22f, 1.08f, 1, 1, 1 };
    float size = roundf(sizes[level <= 6 ? level : 6] * s->text);
    tide_page_flow_gap(&s->flow, (level == 1 ? 0.4f : 1.1f) * s->text);
    for (const tide_mark *mark = next_mark(s); mark && mark->kind != TIDE_MARK_HEADING; mark = next_mark(s))
        set_span(s, mark, size, true);
    tide_page_flow_break(&s->flow);
    tide_page_flow_gap(&s->flow, 0.45f * s->text);
}

static void set_code(setting *s)
{
    tide_text text = { 0 };
    tide_page_look look = { .size = roundf(0.92f * s->text), .ink = TIDE_PAGE_LITERAL };
    for (const tide_mark *mark = next_mark(s); mark && mark->kind != TIDE_MARK_CODE; mark = next_mark(s))
        tide_text_add(&text, mark->kind == TIDE_MARK_SOFT_BREAK ? "\n" : mark->text, strlen(mark->text));
    tide_text_add(&text, "", 1);
    if (!text.failed)
        tide_page_flow_code(&s->flow, text.bytes, &look, 0.5f * s->text);
    tide_text_free(&text);
    tide_page_flow_gap(&s->flow, paragraph_gap * s->text);
}

enum { MOST_COLUMNS = 32 };

// The columns of a table: their widths, and the height of the text at which they fit.
typedef struct columns {
    uint32_t count;
    float width[MOST_COLUMNS], size;
} columns;

// What the columns need: the widest word, and the widest cell on one line.
typedef struct needs {
    float word[MOST_COLUMNS], line[MOST_COLUMNS];
} needs;

// Reads a cell, without its closing, into the flow.
static void read_cell(setting *s, const tide_mark *cell, float size)
{
    s->strong = cell->level ? 1 : 0;
    for (const tide_mark *mark = next_mark(s); mark && mark->kind != TIDE_MARK_CELL; mark = next_mark(s))
        set_span(s, mark, size, false);
    s->strong = 0;
}

// Reads the table from its first row on, and goes back to it.
static uint32_t measure(setting *s, float size, needs *need)
{
    size_t start = s->at;
    uint32_t column = 0, count = 1, items = s->flow.page->count;
    *need = (needs) { 0 };
    for (const tide_mark *mark = next_mark(s); mark && mark->kind != TIDE_MARK_TABLE; mark = next_mark(s)) {
        column = mark->kind == TIDE_MARK_ROW ? 0 : column;
        if (mark->kind != TIDE_MARK_CELL || mark->closes || column == MOST_COLUMNS)
            continue;
        float line = 0;
        read_cell(s, mark, size);
        for (uint32_t i = 0; i < s->flow.count; i++) {
            need->word[column] = fmaxf(need->word[column], s->flow.words[i].box.width);
            line += s->flow.words[i].space + s->flow.words[i].box.width;
        }
        need->line[column] = fmaxf(need->line[column], line);
        tide_page_flow_forget(&s->flow);
        count = ++column > count ? column : count;
    }
    s->flow.page->count = items;
    s->at = start;
    return count;
}

static float sum(const float *values, uint32_t count)
{
    float total = 0;
    for (uint32_t i = 0; i < count; i++)
        total += values[i];
    return total;
}

// Gives each column what its words need, and shares the rest by how much more its lines need.
static columns plan_columns(setting *s)
{
    const float margin = roundf(0.9f * s->text), smallest = 0.65f;
    float room = s->flow.right - s->flow.left;
    needs need;
    columns plan = { .size = s->text };
    for (;; plan.size -= 1) {
        plan.count = measure(s, plan.size, &need);
        if (sum(need.word, plan.count) + margin * (float)plan.count <= room || plan.size - 1 < smallest * s->text)
            break;
    }
    float words = sum(need.word, plan.count), lines = sum(need.line, plan.count);
    float rest = room - words - margin * (float)plan.count;
    float share = lines > words ? fminf(fmaxf(rest / (lines - words), 0), 1) : 0;
    for (uint32_t i = 0; i < plan.count; i++)
        plan.width[i] = need.word[i] + share * (need.line[i] - need.word[i]) + margin;
    float total = sum(plan.width, plan.count);
    for (uint32_t i = 0; i < plan.count && total > room; i++) // words are divided
        plan.width[i] *= room / total;
    return plan;
}

static void set_row(setting *s, const columns *plan)
{
    const tide_page_flow before = s->flow;
    float bottom = before.y, gap = roundf(0.2f * s->text), left = before.left;
    uint32_t column = 0;
    for (const tide_mark *mark = next_mark(s); mark && mark->kind != TIDE_MARK_ROW; mark = next_mark(s)) {
        if (mark->kind != TIDE_MARK_CELL || column == plan->count)
            continue;
        s->flow.y = before.y + gap;
        s->flow.left = left;
        s->flow.right = left + plan->width[column] - roundf(0.5f * s->text);
        read_cell(s, mark, plan->size);
        tide_page_flow_break(&s->flow);
        bottom = fmaxf(bottom, s->flow.y);
        left += plan->width[column++];
    }
    s->flow.left = before.left;
    s->flow.right = before.right;
    s->flow.y = bottom;
    tide_page_flow_rule(&s->flow);
}

static void set_table(setting *s)
{
    tide_page_flow_break(&s->flow);
    const columns plan = plan_columns(s);
    tide_page_flow_rule(&s->flow);
    for (const tide_mark *mark = next_mark(s); mark && mark->kind != TIDE_MARK_TABLE; mark = next_mark(s))
        if (mark->kind == TIDE_MARK_ROW && !mark->closes)
            set_row(s, &plan);
    tide_page_flow_gap(&s->flow, paragraph_gap * s->text);
}

static void set_list(setting *s, const tide_mark *mark)
{
    enum { DEEPEST = sizeof s->next_item / sizeof *s->next_item };
    tide_page_flow_break(&s->flow);
    if (mark->closes) {
        s->list_depth--;
        tide_page_flow_gap(&s->flow, (s->list_depth ? 0 : paragraph_gap) * s->text);
        return;
    }
    if (s->list_depth < DEEPEST)
        s->next_item[s->list_depth] = mark->level;
    s->list_depth++;
}

static void set_item(setting *s, const tide_mark *mark)
{
    enum { DEEPEST = sizeof s->next_item / sizeof *s->next_item };
    tide_page_flow_break(&s->flow);
    float shift = indent * s->text;
    s->flow.left += mark->closes ? -shift : shift;
    if (mark->closes) {
        tide_page_flow_gap(&s->flow, 0.25f * s->text);
        return;
    }
    char sign[24] = "\xE2\x80\xA2"; // a bullet
    uint32_t depth = s->list_depth <= DEEPEST ? s->list_depth - 1 : DEEPEST - 1;
    if (s->list_depth && s->next_item[depth] != UINT32_MAX)
        snprintf(sign, sizeof sign, "%u.", s->next_item[depth]++);
    tide_page_look look = { .size = s->text, .ink = TIDE_PAGE_QUIET };
    tide_page_flow_sign(&s->flow, sign, &look);
}

static void set_quote(setting *s, const tide_mark *mark)
{
    tide_page_flow_break(&s->flow);
    s->quote += mark->closes ? UINT32_MAX : 1;
    s->flow.left += (mark->closes ? -1 : 1) * s->text;
}

static void set_block(setting *s, const tide_mark *mark)
{
    switch (mark->kind) {
    case TIDE_MARK_HEADING:
        if (!mark->closes)
            set_heading(s, mark->level);
        break;
    case TIDE_MARK_PARAGRAPH:
        tide_page_flow_break(&s->flow);
        tide_page_flow_gap(&s->flow, mark->closes ? (s->list_depth ? 0.25f : paragraph_gap) * s->text : 0);
        break;
    case TIDE_MARK_CODE:
        tide_page_flow_break(&s->flow);
        set_code(s);
        break;
    case TIDE_MARK_TABLE:
        set_table(s);
        break;
    case TIDE_MARK_LIST:
        set_list(s, mark);
        break;
    case TIDE_MARK_ITEM:
        set_item(s, mark);
        break;
    case TIDE_MARK_QUOTE:
        set_quote(s, mark);
        break;
    case TIDE_MARK_RULE:
        tide_page_flow_rule(&s->flow);
        tide_page_flow_gap(&s->flow, paragraph_gap * s->text);
        break;
    default:
        break;
    }
}

// --- the page --------------------------------------------------------------------------------------------------------

tide_status tide_page_create(const tide_document *document, float width, float text, tide_page **out, tide_error *error)
{
    tide_page *page = tide_allocate_zeroed(1, sizeof *page);
    if (!page)
        return tide_fail_memory(error, "page");
    float margin = roundf(0.6f * text);
    setting s = { .document = document,
                  .text = text,
                  .flow = { .page = &page->items, .left = margin, .right = width - margin, .y = 0.4f * text } };
    for (const tide_mark *mark = next_mark(&s); mark; mark = next_mark(&s))
        if (!set_span(&s, mark, text, false))
            set_block(&s, mark);
    tide_page_flow_break(&s.flow);
    bool failed = page->items.failed || s.flow.failed;
    tide_page_flow_free(&s.flow);
    page->width = (uint32_t)fmaxf(width, 1);
    page->height = (uint32_t)ceilf(s.flow.y + 0.8f * text);
    page->strip_count = (page->height + TIDE_PAGE_STRIP - 1) / TIDE_PAGE_STRIP;
    page->strips = tide_allocate_zeroed(page->strip_count, sizeof *page->strips);
    if (failed || !page->strips) {
        tide_page_destroy(page);
        return tide_fail_memory(error, "page");
    }
    *out = page;
    return TIDE_OK;
}

void tide_page_destroy(tide_page *page)
{
    if (!page)
        return;
    for (uint32_t i = 0; page->strips && i < page->strip_count; i++)
        tide_image_free(&page->strips[i]);
    tide_free(page->strips);
    tide_free(page->items.items);
    tide_free(page);
}

uint32_t tide_page_height(const tide_page *page)
{
    return page->height;
}

uint32_t tide_page_strips(const tide_page *page)
{
    return page->strip_count;
}

const tide_image *tide_page_strip(tide_page *page, uint32_t index)
{
    tide_image *strip = &page->strips[index];
    uint32_t top = index * TIDE_PAGE_STRIP, rest = page->height - top;
    if (strip->width)
        return strip;
    if (tide_image_resize(strip, page->width, rest < TIDE_PAGE_STRIP ? rest : TIDE_PAGE_STRIP, NULL) != TIDE_OK)
        return NULL;
    tide_page_draw(&page->items, (float)top, strip);
    return strip;
}
