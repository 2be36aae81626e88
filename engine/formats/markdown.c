#include "formats/markdown.h"

#include "base/memory.h"
#include "base/text.h"

#include <md4c.h>
#include <string.h>

// Marks and texts while they grow; a mark's `text` is set at the end.
typedef struct reading {
    tide_mark *marks;
    size_t *places; // in `texts`, one for each mark
    size_t count, capacity, place_capacity;
    tide_text texts;
    bool failed;
} reading;

static int add(reading *r, tide_mark_kind kind, bool closes, uint32_t level, const char *text, size_t size)
{
    if (!tide_grow(&r->marks, &r->capacity, r->count + 1, sizeof *r->marks) ||
        !tide_grow(&r->places, &r->place_capacity, r->count + 1, sizeof *r->places)) {
        r->failed = true;
        return 1;
    }
    r->places[r->count] = r->texts.length;
    r->marks[r->count++] = (tide_mark) { .kind = kind, .closes = closes, .level = level };
    tide_text_add(&r->texts, text, size);
    tide_text_add(&r->texts, "", 1);
    return r->texts.failed;
}

// --- what md4c tells -------------------------------------------------------------------------------------------------

static bool kind_of_block(MD_BLOCKTYPE type, tide_mark_kind *kind)
{
    switch (type) {
    case MD_BLOCK_QUOTE:
        *kind = TIDE_MARK_QUOTE;
        return true;
    case MD_BLOCK_UL:
    case MD_BLOCK_OL:
        *kind = TIDE_MARK_LIST;
        return true;
    case MD_BLOCK_LI:
        *kind = TIDE_MARK_ITEM;
        return true;
    case MD_BLOCK_H:
        *kind = TIDE_MARK_HEADING;
        return true;
    case MD_BLOCK_CODE:
        *kind = TIDE_MARK_CODE;
        return true;
    case MD_BLOCK_P:
        *kind = TIDE_MARK_PARAGRAPH;
        return true;
    case MD_BLOCK_TABLE:
        *kind = TIDE_MARK_TABLE;
        return true;
    case MD_BLOCK_TR:
        *kind = TIDE_MARK_ROW;
        return true;
    case MD_BLOCK_TH:
    case MD_BLOCK_TD:
        *kind = TIDE_MARK_CELL;
        return true;
    default: // the document, the head and the body of a table
        return false;
    }
}

static int change_block(reading *r, MD_BLOCKTYPE type, void *detail, bool closes)
{
    tide_mark_kind kind;
    uint32_t level = type == MD_BLOCK_TH;
    if (type == MD_BLOCK_HR)
        return closes ? 0 : add(r, TIDE_MARK_RULE, false, 0, "", 0);
    if (!kind_of_block(type, &kind))
        return 0;
    if (type == MD_BLOCK_H)
        level = ((MD_BLOCK_H_DETAIL *)detail)->level;
    else if (type == MD_BLOCK_UL)
        level = UINT32_MAX;
    else if (type == MD_BLOCK_OL)
        level = ((MD_BLOCK_OL_DETAIL *)detail)->start;
    else if (type == MD_BLOCK_CODE) {
        const MD_ATTRIBUTE *language = &((MD_BLOCK_CODE_DETAIL *)detail)->lang;
        return add(r, kind, closes, 0, language->text ? language->text : "", language->size);
    }
    return add(r, kind, closes, level, "", 0);
}

static int enter_block(MD_BLOCKTYPE type, void *detail, void *context)
{
    return change_block(context, type, detail, false);
}

static int leave_block(MD_BLOCKTYPE type, void *detail, void *context)
{
    return change_block(context, type, detail, true);
}

static int change_span(reading *r, MD_SPANTYPE type, void *detail, bool closes)
{
    const MD_ATTRIBUTE *target = NULL;
    tide_mark_kind kind;
    switch (type) {
    case MD_SPAN_EM:
        kind = TIDE_MARK_EMPHASIS;
        break;
    case MD_SPAN_STRONG:
        kind = TIDE_MARK_STRONG;
        break;
    case MD_SPAN_CODE:
        kind = TIDE_MARK_LITERAL;
        break;
    case MD_SPAN_A:
        kind = TIDE_MARK_LINK;
        target = &((MD_SPAN_A_DETAIL *)detail)->href;
        break;
    case MD_SPAN_IMG:
        kind = TIDE_MARK_PICTURE;
        target = &((MD_SPAN_IMG_DETAIL *)detail)->src;
        break;
    case MD_SPAN_LATEXMATH:
    case MD_SPAN_LATEXMATH_DISPLAY: // the texts in it are added to this mark
        return closes ? 0 : add(r, TIDE_MARK_FORMULA, false, type == MD_SPAN_LATEXMATH_DISPLAY, "", 0);
    default:
        return 0;
    }
    return add(r, kind, closes, 0, target && target->text ? target->text : "", target ? target->size : 0);
}

static int enter_span(MD_SPANTYPE type, void *detail, void *context)
{
    return change_span(context, type, detail, false);
}

static int leave_span(MD_SPANTYPE type, void *detail, void *context)
{
    return change_span(context, type, detail, true);
}

// Continues the last mark's text.
static int append(reading *r, const char *text, size_t size)
{
    r->texts.length--; // the zero
    tide_text_add(&r->texts, text, size);
    tide_text_add(&r->texts, "", 1);
    return r->texts.failed;
}

static int add_text(MD_TEXTTYPE type, const MD_CHAR *text, MD_SIZE size, void *context)
{
    static const struct {
        const char *entity, *text;
    } entities[] = { { "&amp;", "&" }, { "&lt;", "<" }, { "&gt;", ">" }, { "&quot;", "\"" }, { "&nbsp;", "\xC2\xA0" } };
    reading *r = context;
    const tide_mark *last = r->count ? &r->marks[r->count - 1] : NULL;
    if (type == MD_TEXT_LATEXMATH && last && last->kind == TIDE_MARK_FORMULA)
        return append(r, text, size);
    if (type == MD_TEXT_BR || type == MD_TEXT_SOFTBR) {
        if (last && last->kind == TIDE_MARK_FORMULA)
            return append(r, " ", 1);
        return add(r, type == MD_TEXT_BR ? TIDE_MARK_HARD_BREAK : TIDE_MARK_SOFT_BREAK, false, 0, "", 0);
    }
    if (type == MD_TEXT_NULLCHAR) {
        text = "\xEF\xBF\xBD";
        size = 3;
    }
    for (size_t i = 0; type == MD_TEXT_ENTITY && i < sizeof entities / sizeof *entities; i++)
        if (size == strlen(entities[i].entity) && memcmp(text, entities[i].entity, size) == 0) {
            text = entities[i].text;
            size = (MD_SIZE)strlen(text);
            break;
        }
    return last && last->kind == TIDE_MARK_TEXT ? append(r, text, size) : add(r, TIDE_MARK_TEXT, false, 0, text, size);
}

// --- the document ----------------------------------------------------------------------------------------------------

void tide_document_free(tide_document *document)
{
    if (!document)
        return;
    tide_free(document->marks);
    tide_free(document->texts);
    tide_free(document);
}

static tide_status finish(reading *r, tide_document **out, tide_error *error)
{
    tide_document *document = tide_allocate_zeroed(1, sizeof *document);
    if (!document)
        return tide_fail_memory(error, "document");
    for (size_t i = 0; i < r->count; i++)
        r->marks[i].text = r->texts.bytes + r->places[i];
    *document = (tide_document) { .marks = r->marks, .count = r->count, .texts = r->texts.bytes };
    r->marks = NULL;
    r->texts = (tide_text) { 0 };
    *out = document;
    return TIDE_OK;
}

tide_status tide_markdown_read(const char *bytes, size_t size, tide_document **document, tide_error *error)
{
    enum { MOST = 4 << 20 };
    if (size > MOST)
        return tide_fail(error, TIDE_ERROR_FORMAT, "document", NULL, NULL, "it has more than 4 MB; divide it");
    static const MD_PARSER parser = { .flags = MD_FLAG_TABLES | MD_FLAG_NOHTML | MD_FLAG_LATEXMATHSPANS,
                                      .enter_block = enter_block,
                                      .leave_block = leave_block,
                                      .enter_span = enter_span,
                                      .leave_span = leave_span,
                                      .text = add_text };
    reading r = { 0 };
    bool done = md_parse(bytes, (MD_SIZE)size, &parser, &r) == 0 && !r.failed && !r.texts.failed;
    tide_status status = done ? finish(&r, document, error) : tide_fail_memory(error, "document");
    tide_free(r.marks);
    tide_free(r.places);
    tide_text_free(&r.texts);
    return status;
}

char *tide_document_title(const tide_document *document)
{
    tide_text title = { 0 };
    bool within = false;
    for (size_t i = 0; i < document->count; i++) {
        const tide_mark *mark = &document->marks[i];
        if (mark->kind == TIDE_MARK_HEADING && mark->closes)
            break;
        within = within || mark->kind == TIDE_MARK_HEADING;
        if (within && (mark->kind == TIDE_MARK_TEXT || mark->kind == TIDE_MARK_FORMULA))
            tide_text_add(&title, mark->text, strlen(mark->text));
    }
    tide_text_add(&title, "", 1);
    char *copy = title.failed ? NULL : tide_copy_string(title.bytes);
    tide_text_free(&title);
    return copy;
}
