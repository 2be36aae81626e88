// The rasteriser's inner loops, in vectors of several widths, chosen when the program runs. All widths give the same
// bits: every pixel's numbers come from the same operations, whatever is computed beside them. Private to draw/.
#ifndef TIDE_DRAW_RASTER_KERNELS_H
#define TIDE_DRAW_RASTER_KERNELS_H

#include "draw/rasterizer_parts.h"

enum { TIDE_SHADE_ITEMS = 16 }; // a multiple of the numbers in any vector

// What is to be shaded and added to pixels: what groups of samples see.
typedef struct tide_shade_items {
    uint32_t count;                                 // at most TIDE_SHADE_ITEMS
    int32_t sees[TIDE_SHADE_ITEMS];                 // what tide_tile says
    int32_t pixel[TIDE_SHADE_ITEMS];                // of the tile
    float x[TIDE_SHADE_ITEMS], y[TIDE_SHADE_ITEMS]; // screen
    float share[TIDE_SHADE_ITEMS];                  // of the pixel
} tide_shade_items;

// The pixels of a tile all of whose samples see the same triangle or solid, with what they see, and those that see
// several things.
typedef struct tide_tile_pixels {
    uint32_t whole_count, mixed_count;
    // pixels, and (whole_count) what they see; with room past the last
    int32_t whole[TIDE_TILE_PIXELS + 16], sees[TIDE_TILE_PIXELS + 16], mixed[TIDE_TILE_PIXELS + 16];
} tide_tile_pixels;

// An edge function, positive on the inside: at the tile's corner, over a pixel, and what the samples add
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
    // All samples of the tile see the ground or the sky.
    void (*clear)(tide_tile *tile);
    // The samples within all edges that are nearer, in the pixels of the box (x0, y0, x1, y1; inclusive), see this.
    void (*fill)(tide_tile *tile, const tide_tile_edge edges[3], const tide_tile_plane *depth, int32_t sees,
                 const int32_t box[4]);
    // Colours of ground and sky in all pixels, by the share of their samples that sees them; `alone`: all do.
    void (*surroundings)(tide_tile *tile, bool alone);
    void (*sort)(const tide_tile *tile, tide_tile_pixels *pixels); // ascending; those that see ground or sky only: none
    // Adds what whole pixels see, of which only the first `whole_count` count and are all triangles.
    void (*shade_whole)(tide_tile *tile, tide_tile_pixels *pixels);
    // Adds what the items see to the tile's colours; writes into items past the last.
    void (*shade_triangles)(tide_tile *tile, tide_shade_items *items);
    void (*shade_solids)(tide_tile *tile, tide_shade_items *items);
    void (*write)(const tide_tile *tile); // into the image
    // Maps. The size is a multiple of 16. Triangles: the greater value wins; coordinates are within the map.
    void (*map_triangle)(const tide_map_rows *map, const tide_map_vertex *a, const tide_map_vertex *b,
                         const tide_map_vertex *c);
    void (*blur_rows)(const float *map, float *scratch, int32_t size, int32_t begin, int32_t end);
    void (*blur_columns)(const float *scratch, float *map, int32_t size, int32_t begin, int32_t end);
    void (*halve)(const float *from, float *to, int32_t size, int32_t begin, int32_t end); // to size * size
    void (*gather_ground)(tide_shadow *shadow, int32_t begin, int32_t end);
    // Rows of the openness: each texel by itself, then smoothed over 4 x 4.
    void (*open_rows)(const tide_rasterizer *rasterizer, int32_t begin, int32_t end);
    void (*smooth_rows)(const tide_rasterizer *rasterizer, int32_t begin, int32_t end);
};

// `bits`: the widest vectors to use, 128, 256 (AVX2) or 512 (AVX-512); 0 for no limit. What the processor has not is
// not used.
const tide_raster_kernels *tide_raster_kernels_choose(int bits);

extern const tide_raster_kernels tide_raster_kernels_128;
#if defined(__x86_64__)
extern const tide_raster_kernels tide_raster_kernels_256, tide_raster_kernels_512;
#endif

#endif
