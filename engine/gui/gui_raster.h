// Rasterises lists of textured triangles, as immediate-mode widgets make them, onto an image in memory.
#ifndef TIDE_GUI_GUI_RASTER_H
#define TIDE_GUI_GUI_RASTER_H

#include "draw/image.h"

#ifdef __cplusplus
extern "C" {
#endif

// Colours are R, G, B, A bytes in this order in memory, not premultiplied.
typedef struct tide_gui_vertex {
    float x, y; // pixels
    float u, v; // in the texture, [0, 1]
    uint8_t colour[4];
} tide_gui_vertex;

// Alpha only: the coverage.
typedef struct tide_gui_texture {
    const uint8_t *alpha; // (width * height)
    uint32_t width, height;
} tide_gui_texture;

// Blends triangles (3 indices each), clipped to the rectangle (x0, y0, x1, y1; pixels), onto the picture in order. The
// picture's own alpha stays. A pixel belongs to the triangle that contains its centre, so that triangles with a common
// edge leave no seam and draw no pixel twice. Textures are sampled at the nearest texel. Triangles with coordinates
// that are not finite, or over 1e6 pixels away, are skipped.
void tide_gui_raster(tide_image *onto, const float clip[4], const tide_gui_vertex *vertices, const uint16_t *indices,
                     uint32_t index_count, const tide_gui_texture *texture);

#ifdef __cplusplus
}
#endif

#endif
