// Markdown (CommonMark with tables and formulas in dollars), read by the library md4c into a flat list of marks: the
// opening and closing of paragraphs, lists, links ... with the texts between them. Raw HTML is text.
//
//     tide_document *document;
//     TIDE_TRY(tide_markdown_read(bytes, size, &document, error));
//     for (size_t i = 0; i < document->count; i++)
//         draw(&document->marks[i]);
//     tide_document_free(document);
//
// Openings and closings are nested properly, and every opening is closed.
#ifndef TIDE_FORMATS_MARKDOWN_H
#define TIDE_FORMATS_MARKDOWN_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum tide_mark_kind {
    // without a closing
    TIDE_MARK_TEXT,
    TIDE_MARK_FORMULA, // LaTeX; `level` 1: on a line of its own
    TIDE_MARK_SOFT_BREAK,
    TIDE_MARK_HARD_BREAK,
    TIDE_MARK_RULE,
    // blocks
    TIDE_MARK_HEADING,   // `level` from 1 to 6
    TIDE_MARK_PARAGRAPH, // not in the items of a tight list
    TIDE_MARK_QUOTE,
    TIDE_MARK_LIST, // `level`: number of the first item; UINT32_MAX: bullets
    TIDE_MARK_ITEM,
    TIDE_MARK_CODE, // `text`: the language, or ""
    TIDE_MARK_TABLE,
    TIDE_MARK_ROW,
    TIDE_MARK_CELL, // `level` 1: of the head
    // spans
    TIDE_MARK_STRONG,
    TIDE_MARK_EMPHASIS,
    TIDE_MARK_LITERAL, // code within a line
    TIDE_MARK_LINK,    // `text`: where it leads
    TIDE_MARK_PICTURE, // `text`: its file; between opening and closing: the text in its place
} tide_mark_kind;

typedef struct tide_mark {
    tide_mark_kind kind;
    bool closes;
    uint32_t level;
    const char *text; // UTF-8 as far as the file was; never NULL
} tide_mark;

typedef struct tide_document {
    tide_mark *marks; // (count)
    size_t count;
    char *texts; // of the marks
} tide_document; // owns everything in it

tide_status tide_markdown_read(const char *bytes, size_t size, tide_document **document, tide_error *error);
void tide_document_free(tide_document *document); // NULL does nothing
// Returns the plain text of the first heading; "": there is none. Owned by the caller; NULL without memory.
char *tide_document_title(const tide_document *document);

#endif
