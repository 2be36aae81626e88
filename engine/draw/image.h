// Pictures in memory, and PNG files.
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

// Makes the image this size (1 to TIDE_IMAGE_MAX_SIDE each way); keeps its memory where that is enough.
tide_status tide_image_resize(tide_image *image, uint32_t width, uint32_t height, tide_error *error);
void tide_image_free(tide_image *image);
// Writes beside `path` and then renames, so that a half-written picture is never found there. Opaque pictures are
// written without alpha. The folder must be there.
tide_status tide_image_write_png(const tide_image *image, const char *path, tide_error *error);
// Reads a PNG file of this size at most, as R, G, B, A.
tide_status tide_image_read_png(tide_image *image, const char *path, uint32_t most_width, uint32_t most_height,
                                tide_error *error);

#endif
