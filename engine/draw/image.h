// Pictures in memory, and PNG files.
//
//     tide_image image = { 0 };
//     status = tide_image_resize(&image, 1280, 720, error);
//     status = tide_rasterizer_draw(rasterizer, &list, &image, error);
//     status = tide_image_write_png(&image, "picture.png", error);
//     tide_image_free(&image);
//
// Units: pixels. Ownership: the image owns its pixels. Errors: TIDE_ERROR_ARGUMENT for a size out of range,
// TIDE_ERROR_FILE and TIDE_ERROR_FORMAT for files. Threads: different images may be used by different threads.
#ifndef TIDE_DRAW_IMAGE_H
#define TIDE_DRAW_IMAGE_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

typedef struct tide_image {
    uint32_t width, height;
    uint8_t *pixels; // (4 * width * height) sRGB R, G, B, A; row 0 at the top
    size_t capacity; // bytes
} tide_image;        // { 0 } is the empty image

enum { TIDE_IMAGE_MAX_SIDE = 16384 };

// Sets the size (1 to TIDE_IMAGE_MAX_SIDE each way). Keeps the memory if it is large enough. The pixels are undefined.
tide_status tide_image_resize(tide_image *image, uint32_t width, uint32_t height, tide_error *error);
void tide_image_free(tide_image *image);
// Writes a temporary file beside `path` and renames it, so that `path` never has an incomplete picture. Opaque pictures
// are written without alpha. The folder must exist.
tide_status tide_image_write_png(const tide_image *image, const char *path, tide_error *error);
// Reads a PNG file of at most this size, as R, G, B, A.
tide_status tide_image_read_png(tide_image *image, const char *path, uint32_t most_width, uint32_t most_height,
                                tide_error *error);

#endif
