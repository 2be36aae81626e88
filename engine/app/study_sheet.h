// A sheet of pictures, all of one size, in rows, each with a caption under it: for looking at results side by side.
#ifndef TIDE_APP_STUDY_SHEET_H
#define TIDE_APP_STUDY_SHEET_H

#include "draw/image.h"

enum { TIDE_SHEET_TEXT_SIZE = 400 };

typedef struct tide_sheet {
    tide_image image;
    uint32_t columns, rows, width, height; // pictures each way; pixels of one
    uint32_t title_height, caption_height; // pixels
    float text_size;                       // of captions, pixels
    char title[TIDE_SHEET_TEXT_SIZE];
    char (*captions)[TIDE_SHEET_TEXT_SIZE]; // (columns * rows)
} tide_sheet;                               // { 0 } is empty

// A white sheet with room for captions of so many lines; `title` may be NULL. On failure there is nothing to free.
tide_status tide_sheet_create(tide_sheet *sheet, uint32_t columns, uint32_t rows, uint32_t width, uint32_t height,
                              uint32_t caption_lines, const char *title, tide_error *error);
void tide_sheet_free(tide_sheet *sheet);

// Where the picture at `index`, counted row by row, has its top left pixel; (4 * image.width) bytes further is the one
// below.
uint8_t *tide_sheet_pixels(const tide_sheet *sheet, uint32_t index);
// Copies a picture of the right size there.
void tide_sheet_place(tide_sheet *sheet, uint32_t index, const tide_image *picture);
// `format` as printf. What is too long for its room is drawn smaller.
__attribute__((format(printf, 3, 4))) void tide_sheet_caption(tide_sheet *sheet, uint32_t index, const char *format,
                                                              ...);

// Draws the text and writes FOLDER/NAME.
tide_status tide_sheet_save(tide_sheet *sheet, const char *folder, const char *name, tide_error *error);

#endif
