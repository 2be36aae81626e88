// The software renderer: a draw list into an image in memory, by tiles, on all threads, with the same picture for any
// number of them. Needs no display.
#ifndef TIDE_DRAW_RASTERIZER_H
#define TIDE_DRAW_RASTERIZER_H

#include "draw/draw_list.h"
#include "draw/image.h"

typedef struct tide_rasterizer tide_rasterizer; // buffers kept from frame to frame

tide_status tide_rasterizer_create(tide_rasterizer **rasterizer, tide_error *error);
void tide_rasterizer_destroy(tide_rasterizer *rasterizer);

// Draws the list at the image's size: depth-buffered, 2x2 samples a pixel, key light with a soft cast shadow, sky
// light.
tide_status tide_rasterizer_draw(tide_rasterizer *rasterizer, const tide_draw_list *list, tide_image *image,
                                 tide_error *error);
// A list like the one before may have its picture without being drawn: whether the last had. To forget has the next
// drawn whatever it holds, as for who measures it.
bool tide_rasterizer_repeated(const tide_rasterizer *rasterizer);
void tide_rasterizer_forget(tide_rasterizer *rasterizer);

#endif
