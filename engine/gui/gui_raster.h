// Draws lists of textured triangles, as immediate widgets make them, onto a picture in memory.
#ifndef TIDE_GUI_GUI_RASTER_H
#define TIDE_GUI_GUI_RASTER_H

#include "draw/image.h"

#ifdef __cplusplus
extern "C" {
#endif

// Colours are R, G, B, A bytes in this order in memory, not multiplied by alpha.
typedef struct tide_gui_vertex {
    float x, y; // pixels
    float u, v; // of the texture, [0, 1]
    uint8_t colour[4];
} tide_gui_vertex;

// Alpha only: what it covers.
typedef struct tide_gui_texture {
    const uint8_t *alpha; // (width * height)
    uint32_t width, height;
} tide_gui_texture;

// Blends triangles (3 indices each) within the clip rectangle (x0, y0, x1, y1; pixels) onto the picture, one after
// another, over what is there; the picture's own alpha stays. Pixels belong to the triangle that their middle is in, so
// that triangles with an edge in common leave no seam and draw no pixel twice. The texture is read at the nearest
// texel. What is not finite, or over 1e6 pixels away, is left out.
void tide_gui_raster(tide_image *onto, const float clip[4], const tide_gui_vertex *vertices, const uint16_t *indices,
                     uint32_t index_count, const tide_gui_texture *texture);

#ifdef __cplusplus
}
#endif

#endif
