// A document (formats/markdown.h) laid out for reading, as images in memory: strips, one below another, that are drawn
// when they are first asked for. Formulas are set as in print.
#ifndef TIDE_GUI_PAGE_H
#define TIDE_GUI_PAGE_H

#include "draw/image.h"
#include "formats/markdown.h"

typedef struct tide_page tide_page;

enum { TIDE_PAGE_STRIP = 256 }; // pixels, the height of a strip; the last one is lower

// Lays a document out, `width` pixels wide, with text of this height.
tide_status tide_page_create(const tide_document *document, float width, float text, tide_page **page,
                             tide_error *error);
void tide_page_destroy(tide_page *page); // NULL does nothing

uint32_t tide_page_height(const tide_page *page); // pixels
uint32_t tide_page_strips(const tide_page *page);
// Returns a strip, which stays the page's own; NULL without memory.
const tide_image *tide_page_strip(tide_page *page, uint32_t index);

#endif
