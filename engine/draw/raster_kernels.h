// The rasteriser's inner loops, in vectors of several widths, chosen at run time. All widths give the same bits: each
// pixel goes through the same operations, whatever its neighbours. Private to draw/.
#ifndef TIDE_DRAW_RASTER_KERNELS_H
#define TIDE_DRAW_RASTER_KERNELS_H

#include "draw/rasterizer_parts.h"

enum { TIDE_SHADE_ITEMS = 16 }; // a multiple of every vector's lane count

// A batch of samples' contents to shade and add to pixels.
typedef struct tide_shade_items {
    uint32_t count;                                 // at most TIDE_SHADE_ITEMS
    int32_t sees[TIDE_SHADE_ITEMS];                 // primitives, as in tide_tile
    int32_t pixel[TIDE_SHADE_ITEMS];                // index in the tile
    float x[TIDE_SHADE_ITEMS], y[TIDE_SHADE_ITEMS]; // screen
    float share[TIDE_SHADE_ITEMS];                  // of the pixel, [0, 1]
} tide_shade_items;

// The pixels of a tile, sorted: whole ones, all of whose samples see the same triangle or solid, and mixed ones.
typedef struct tide_tile_pixels {
    uint32_t whole_count, mixed_count;
    // indices of pixels, and (whole_count) what they see; with padding
    int32_t whole[TIDE_TILE_PIXELS + 16], sees[TIDE_TILE_PIXELS + 16], mixed[TIDE_TILE_PIXELS + 16];
} tide_tile_pixels;

// An edge function, positive inside: its value at the tile's corner, its steps per pixel, and the samples' offsets
typedef struct tide_tile_edge {
    float corner, dx, dy;
    v4f samples;
} tide_tile_edge;

typedef struct tide_tile_plane {
    float corner, dx, dy, least, most;
    v4f samples;
} tide_tile_plane;

struct tide_raster_kernels {
    const char *name;
    int bits;
    // Makes all samples of the tile see the ground or the sky.
    void (*clear)(tide_tile *tile);
    // Makes samples see `sees` if they are inside all edges and nearer than before, in the box (x0, y0, x1, y1;
    // inclusive).
    void (*fill)(tide_tile *tile, const tide_tile_edge edges[3], const tide_tile_plane *depth, int32_t sees,
                 const int32_t box[4]);
    // Colours all pixels with ground and sky, weighted by the fraction of their samples that see them; `alone`: all
    // samples do.
    void (*surroundings)(tide_tile *tile, bool alone);
    void (*sort)(const tide_tile *tile, tide_tile_pixels *pixels); // ascending; omits pixels of ground and sky only
    // Shades and adds whole pixels, of which the first `whole_count` are valid and all see triangles.
    void (*shade_whole)(tide_tile *tile, tide_tile_pixels *pixels);
    // Shade items and add them to the tile's colours. Write padding past the last item.
    void (*shade_triangles)(tide_tile *tile, tide_shade_items *items);
    void (*shade_solids)(tide_tile *tile, tide_shade_items *items);
    void (*write)(const tide_tile *tile); // into the image
    // Maps; the size is a multiple of 16. Triangles keep the greater value; their coordinates are within the map.
    void (*map_triangle)(const tide_map_rows *map, const tide_map_vertex *a, const tide_map_vertex *b,
                         const tide_map_vertex *c);
    void (*blur_rows)(const float *map, float *scratch, int32_t size, int32_t begin, int32_t end);
    void (*blur_columns)(const float *scratch, float *map, int32_t size, int32_t begin, int32_t end);
    void (*halve)(const float *from, float *to, int32_t size, int32_t begin, int32_t end); // to size * size
    void (*gather_ground)(tide_shadow *shadow, int32_t begin, int32_t end);
    // Rows of the openness map: raw values, then smoothing over 4 x 4 texels.
    void (*open_rows)(const tide_rasterizer *rasterizer, int32_t begin, int32_t end);
    void (*smooth_rows)(const tide_rasterizer *rasterizer, int32_t begin, int32_t end);
};

// Returns the kernels for the widest vectors that the processor has, up to `bits`: 128, 256 (AVX2) or 512 (AVX-512); 0:
// no limit.
const tide_raster_kernels *tide_raster_kernels_choose(int bits);

extern const tide_raster_kernels tide_raster_kernels_128;
#if defined(__x86_64__)
extern const tide_raster_kernels tide_raster_kernels_256, tide_raster_kernels_512;
#endif

#endif
