// Blends one colour over rectangles of pixels, in vectors as wide as the processor has. All widths give the same bytes.
//
// A pixel is four bytes; the last one (alpha) is kept. `stride` is the distance of rows in bytes. Blending a colour c
// with alpha a over a pixel p gives (c a + p (255 - a)) / 255, rounded.
#ifndef TIDE_DRAW_PIXELS_H
#define TIDE_DRAW_PIXELS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tide_pixel_block {
    uint8_t *pixels; // the first
    size_t stride;
    uint32_t width, height; // pixels
} tide_pixel_block;

void tide_pixels_tint(const tide_pixel_block *block, const uint8_t colour[4]);
// Blends with alpha times coverage / 255, rounded. `cover` has one byte per pixel and rows `cover_stride` bytes apart.
void tide_pixels_stamp(const tide_pixel_block *block, const uint8_t colour[4], const uint8_t *cover,
                       size_t cover_stride);

// For tests: sets the widest vectors to use, bits; 0: no limit, the default.
void tide_pixels_limit(int bits);

#ifdef __cplusplus
}
#endif

#endif
