// The software renderer: a draw list into an image in memory, by tiles, on all threads, with the same picture for any
// number of them. Needs no display.
#ifndef TIDE_DRAW_RASTERIZER_H
#define TIDE_DRAW_RASTERIZER_H

#include "draw/draw_list.h"
#include "draw/image.h"

typedef struct tide_rasterizer tide_rasterizer; // buffers kept from frame to frame

tide_status tide_rasterizer_create(tide_rasterizer **rasterizer, tide_error *error);
void tide_rasterizer_destroy(tide_rasterizer *rasterizer);

// Draws the list at the image's size: depth-buffered, four samples a pixel, smooth outlines, key light with a soft cast
// shadow, sky light.
tide_status tide_rasterizer_draw(tide_rasterizer *rasterizer, const tide_draw_list *list, tide_image *image,
                                 tide_error *error);
// What the last picture cost, at most. A picture of an exploded state would take many seconds: when primitives would
// cost more than a fixed number of pictures full of them, the largest are left out.
typedef struct tide_raster_cost {
    uint64_t pixels;   // tested for triangles, tubes, balls, lines and points
    uint64_t texels;   // tested in the maps of the shadows
    uint32_t left_out; // primitives
} tide_raster_cost;
tide_raster_cost tide_rasterizer_cost(const tide_rasterizer *rasterizer);

// A list like the one before may have its picture without being drawn: whether the last had. To forget has the next
// drawn whatever it holds, as for who measures it.
bool tide_rasterizer_repeated(const tide_rasterizer *rasterizer);
void tide_rasterizer_forget(tide_rasterizer *rasterizer);

#endif
