// Rectangles of pixels, drawn over with one colour in vectors as wide as the processor has: the same bytes for any
// width.
//
// A pixel is four bytes, the last of which (its alpha) stays. `stride` is the bytes from a row to the next. A colour c
// over a pixel p with alpha a, of 255, is (c a + p (255 - a)) / 255, rounded.
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

void tide_pixels_wash(const tide_pixel_block *block, const uint8_t colour[4]);
// By its alpha times the cover of 255, rounded: a byte for each pixel, with `cover_stride` bytes from a row to the
// next.
void tide_pixels_stamp(const tide_pixel_block *block, const uint8_t colour[4], const uint8_t *cover,
                       size_t cover_stride);
// Copies to `to` (4 * width * height) bytes with the first and third of each pixel exchanged.
void tide_pixels_swap(const tide_pixel_block *block, uint8_t *to, size_t to_stride);

// For tests: the widest vectors to use, in bits; 0: no limit, as at first.
void tide_pixels_limit(int bits);

#ifdef __cplusplus
}
#endif

#endif
