#include "draw/picture_sheet.h"

#include "base/memory.h"
#include "draw/rasterizer.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MARGIN = 12, GAP = 8 };

tide_status tide_sheet_create(tide_sheet *sheet, uint32_t columns, uint32_t rows, uint32_t width, uint32_t height,
                              uint32_t caption_lines, const char *title, tide_error *error)
{
    *sheet = (tide_sheet) { .columns = columns, .rows = rows, .width = width, .height = height };
    sheet->text_size = fminf(fmaxf(roundf((float)width / 20), 13), 16);
    uint32_t title_lines = 1;
    for (const char *c = title; c && *c; c++)
        title_lines += *c == '\n';
    sheet->title_height = title ? (uint32_t)(1.3f * (sheet->text_size + 1) * (float)title_lines) + GAP : 0;
    sheet->caption_height = (uint32_t)(1.3f * sheet->text_size * (float)caption_lines) + GAP;
    snprintf(sheet->title, sizeof sheet->title, "%s", title ? title : "");
    sheet->captions = tide_allocate_zeroed((size_t)columns * rows, sizeof *sheet->captions);
    if (!sheet->captions)
        return tide_fail_memory(error, "sheet of pictures");
    uint64_t whole_width = 2 * MARGIN + (uint64_t)columns * (width + GAP) - GAP;
    uint64_t whole_height = 2 * MARGIN + sheet->title_height + (uint64_t)rows * (height + sheet->caption_height);
    uint32_t largest = TIDE_IMAGE_MAX_SIDE + 1;
    tide_status status = tide_image_resize(&sheet->image, whole_width < largest ? (uint32_t)whole_width : largest,
                                           whole_height < largest ? (uint32_t)whole_height : largest, error);
    if (status != TIDE_OK) {
        tide_sheet_free(sheet);
        return status;
    }
    memset(sheet->image.pixels, 255, 4 * (size_t)sheet->image.width * sheet->image.height);
    return TIDE_OK;
}

void tide_sheet_free(tide_sheet *sheet)
{
    tide_image_free(&sheet->image);
    tide_free(sheet->captions);
    *sheet = (tide_sheet) { 0 };
}

static void place_of(const tide_sheet *sheet, uint32_t index, size_t *x, size_t *y)
{
    *x = MARGIN + (size_t)(index % sheet->columns) * (sheet->width + GAP);
    *y = MARGIN + sheet->title_height + (size_t)(index / sheet->columns) * (sheet->height + sheet->caption_height);
}

static uint8_t *pixels_of(const tide_sheet *sheet, uint32_t index)
{
    size_t x, y;
    place_of(sheet, index, &x, &y);
    return sheet->image.pixels + 4 * (y * sheet->image.width + x);
}

void tide_sheet_place(tide_sheet *sheet, uint32_t index, const tide_image *picture)
{
    uint8_t *to = pixels_of(sheet, index);
    for (size_t row = 0; row < sheet->height; row++)
        memcpy(to + 4 * row * sheet->image.width, picture->pixels + 4 * row * picture->width, 4 * (size_t)sheet->width);
}

static uint8_t shade(double value)
{
    return (uint8_t)lround(255 * fmin(fmax(value, 0), 1));
}

void tide_sheet_fill(tide_sheet *sheet, uint32_t index, const uint32_t corner[2], const uint32_t size[2],
                     const double colour[3])
{
    const uint8_t bytes[3] = { shade(colour[0]), shade(colour[1]), shade(colour[2]) };
    uint8_t *from = pixels_of(sheet, index);
    for (uint32_t y = corner[1]; y < corner[1] + size[1] && y < sheet->height; y++)
        for (uint32_t x = corner[0]; x < corner[0] + size[0] && x < sheet->width; x++)
            memcpy(from + 4 * ((size_t)y * sheet->image.width + x), bytes, 3);
}

void tide_sheet_caption(tide_sheet *sheet, uint32_t index, const char *text)
{
    snprintf(sheet->captions[index], sizeof sheet->captions[index], "%s", text);
}

// Adds a text, centred in its room.
static void add_text(tide_draw_list *list, const char *text, float size, size_t x, size_t y, size_t room)
{
    float width, height;
    tide_draw_text_size(text, size, &width, &height);
    if (width > (float)room)
        size = fmaxf(floorf(size * (float)room / width), 6);
    for (const char *end; *text; text = *end ? end + 1 : end) {
        end = text + strcspn(text, "\n");
        char line[TIDE_SHEET_TEXT_SIZE];
        snprintf(line, sizeof line, "%.*s", (int)(end - text), text);
        tide_draw_text_size(line, size, &width, &height);
        tide_draw_add_label(list,
                            &(tide_draw_label) { .position = { (float)x + 0.5f * ((float)room - width), (float)y },
                                                 .on_screen = true,
                                                 .size = size,
                                                 .colour = { 0.1f, 0.12f, 0.15f, 1 },
                                                 .text = line });
        y += (size_t)height;
    }
}

static void list_text(const tide_sheet *sheet, tide_draw_list *list)
{
    const tide_colour white = { 1, 1, 1, 1 };
    list->camera = (tide_draw_camera) { .position = { 0, 0, 1 }, .up = { 0, 1, 0 }, .field_of_view = 1 };
    list->stage = tide_draw_stage_default();
    list->stage.has_ground = false;
    list->stage.background_top = list->stage.background_bottom = white;
    if (sheet->title[0])
        add_text(list, sheet->title, sheet->text_size + 1, MARGIN, MARGIN, sheet->image.width - 2 * MARGIN);
    for (uint32_t i = 0; i < sheet->columns * sheet->rows; i++) {
        size_t x, y;
        place_of(sheet, i, &x, &y);
        add_text(list, sheet->captions[i], sheet->text_size, x, y + sheet->height + GAP / 2, sheet->width);
    }
}

// Draws the text on a separate white sheet, and copies that except where the pictures are.
static tide_status draw_text(tide_sheet *sheet, tide_error *error)
{
    tide_draw_list list = { 0 };
    tide_image text = { 0 };
    tide_rasterizer *rasterizer = NULL;
    list_text(sheet, &list);
    tide_status status = list.failed ? tide_fail_memory(error, "sheet of pictures") : TIDE_OK;
    if (status == TIDE_OK)
        status = tide_image_resize(&text, sheet->image.width, sheet->image.height, error);
    if (status == TIDE_OK)
        status = tide_rasterizer_create(&rasterizer, error);
    if (status == TIDE_OK)
        status = tide_rasterizer_draw(rasterizer, &list, &text, error);
    for (uint32_t i = 0; status == TIDE_OK && i < sheet->columns * sheet->rows; i++) {
        size_t offset = (size_t)(pixels_of(sheet, i) - sheet->image.pixels), stride = 4 * (size_t)text.width;
        for (size_t row = 0; row < sheet->height; row++)
            memcpy(text.pixels + offset + row * stride, sheet->image.pixels + offset + row * stride,
                   4 * (size_t)sheet->width);
    }
    tide_rasterizer_destroy(rasterizer);
    tide_draw_list_free(&list);
    if (status == TIDE_OK) {
        tide_image_free(&sheet->image);
        sheet->image = text;
    } else
        tide_image_free(&text);
    return status;
}

tide_status tide_sheet_save(tide_sheet *sheet, const char *path, tide_error *error)
{
    tide_status status = draw_text(sheet, error);
    return status == TIDE_OK ? tide_image_write_png(&sheet->image, path, error) : status;
}
