// A sheet of pictures of one size, in rows, each with a caption below, to compare results side by side.
#ifndef TIDE_DRAW_PICTURE_SHEET_H
#define TIDE_DRAW_PICTURE_SHEET_H

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

// Makes a white sheet with room for captions of `caption_lines` lines. `title` may be NULL. On failure nothing needs to
// be freed.
tide_status tide_sheet_create(tide_sheet *sheet, uint32_t columns, uint32_t rows, uint32_t width, uint32_t height,
                              uint32_t caption_lines, const char *title, tide_error *error);
void tide_sheet_free(tide_sheet *sheet);

// Fills a rectangle of the picture at `index`, counted row by row; red, green and blue are in [0, 1].
void tide_sheet_fill(tide_sheet *sheet, uint32_t index, const uint32_t corner[2], const uint32_t size[2],
                     const double colour[3]);
// Copies a picture of the right size to `index`.
void tide_sheet_place(tide_sheet *sheet, uint32_t index, const tide_image *picture);
// Sets a caption. A caption that is too long is drawn smaller.
void tide_sheet_caption(tide_sheet *sheet, uint32_t index, const char *text);

// Draws the text and writes a PNG file.
tide_status tide_sheet_save(tide_sheet *sheet, const char *path, tide_error *error);

#endif
