// What the files of the software rasteriser share. Private to draw/.
//
// A frame goes through these stages: vertices are projected (raster_setup.c), what casts a shadow is drawn from the
// light (shadow_fit.c, raster_shadow.c), primitives are put in the bins of the tiles that they touch (raster_bins.c),
// and each tile finds what each of its samples sees (raster_tile.c, raster_solids.c), shades that (lanes_shade.h,
// lanes_ground.h), and draws lines and points of a width in pixels over it (raster_marks.c). Text comes last
// (raster_text.c).
//
// Positions are relative to the camera. The depth of a sample is 1/w, w being the distance along the viewing axis:
// linear on the screen, greater is nearer, 0 is infinitely far.
#ifndef TIDE_DRAW_RASTERIZER_PARTS_H
#define TIDE_DRAW_RASTERIZER_PARTS_H

#include "draw/rasterizer.h"
#include "draw/simd.h"

#include <math.h>

enum {
    TIDE_TILE_WIDTH = 64, // a multiple of 4
    TIDE_TILE_HEIGHT = 32,
    TIDE_TILE_PIXELS = TIDE_TILE_WIDTH * TIDE_TILE_HEIGHT,
    TIDE_SUBPIXELS = 256, // steps of screen coordinates in a pixel
    TIDE_CLIP_MAX = 8,    // corners of a triangle cut by the near plane and the four sides
    TIDE_LIGHT_SIZE = 1024,
    TIDE_LIGHT_STRIDE = TIDE_LIGHT_SIZE + 16, // rows a power of two apart would share the same few places of a cache
    TIDE_SUBTEXELS = 16,                      // steps of coordinates in a texel of a map
    TIDE_GROUND_LEVELS = 4,                   // of the pyramid of the ground's shadow
    TIDE_CASTER_NEAR = 12,  // texels of a level: casters that much lower count as one with the highest
    TIDE_CASTER_LEVELS = 4, // of the pyramid of casters: 1/2 to 1/16 of TIDE_LIGHT_SIZE
    TIDE_CONTACT_SIZE = 128,
    TIDE_MAJOR_CELLS = 10, // of the grid, from a stronger line to the next
    TIDE_BIN_CHUNKS = 16,
    TIDE_RASTER_KINDS = 3 // of primitives: triangles, solids, marks
};

// What a sample sees: a primitive's number times 2, plus 1 for the back of a triangle; or one of these
enum { TIDE_SEES_SKY = -1, TIDE_SEES_GROUND = -2 };

typedef struct tide_float3 {
    float x, y, z;
} tide_float3;

static inline tide_float3 tide_float3_load(const float *p)
{
    return (tide_float3) { p[0], p[1], p[2] };
}
static inline tide_float3 tide_float3_add(tide_float3 a, tide_float3 b)
{
    return (tide_float3) { a.x + b.x, a.y + b.y, a.z + b.z };
}
static inline tide_float3 tide_float3_subtract(tide_float3 a, tide_float3 b)
{
    return (tide_float3) { a.x - b.x, a.y - b.y, a.z - b.z };
}
static inline tide_float3 tide_float3_scale(tide_float3 a, float s)
{
    return (tide_float3) { a.x * s, a.y * s, a.z * s };
}
static inline float tide_float3_dot(tide_float3 a, tide_float3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
static inline tide_float3 tide_float3_cross(tide_float3 a, tide_float3 b)
{
    return (tide_float3) { a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x };
}

// Four vectors side by side
typedef struct tide_lanes3 {
    v4f x, y, z;
} tide_lanes3;

static inline v4f tide_lanes3_dot(tide_lanes3 a, tide_lanes3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
static inline v4f tide_lanes3_dot_float3(tide_lanes3 a, tide_float3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
static inline tide_lanes3 tide_lanes3_cross(tide_lanes3 a, tide_lanes3 b)
{
    return (tide_lanes3) { a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x };
}
static inline float tide_float3_length(tide_float3 a)
{
    return sqrtf(tide_float3_dot(a, a));
}
// Finite, and small enough that products of a few of them stay finite.
static inline bool tide_float_sane(float a)
{
    return fabsf(a) < 1e6f;
}
static inline bool tide_float3_sane(tide_float3 a)
{
    return tide_float_sane(a.x) && tide_float_sane(a.y) && tide_float_sane(a.z);
}

typedef struct tide_raster_view {
    tide_float3 position, right, up, forward;
    float focal, half_width, half_height; // pixels
    float centre_x, centre_y;             // the principal point: pixels from the top left
    float near_plane;                     // m
    // The ray through screen position (x, y), of depth 1: ray + x * ray_x + y * ray_y
    tide_float3 ray, ray_x, ray_y;
    float turn[3][3]; // rows of the matrix that makes the stage's up the picture's y; of what comes from the list
    bool is_turned;   // it is not the identity
} tide_raster_view;

static inline tide_float3 tide_raster_turn(const tide_raster_view *view, tide_float3 p)
{
    const float(*m)[3] = view->turn;
    if (!view->is_turned)
        return p;
    return (tide_float3) { m[0][0] * p.x + m[0][1] * p.y + m[0][2] * p.z, m[1][0] * p.x + m[1][1] * p.y + m[1][2] * p.z,
                           m[2][0] * p.x + m[2][1] * p.y + m[2][2] * p.z };
}

typedef struct tide_raster_vertex {
    int32_t x, y;    // screen, TIDE_SUBPIXELS a pixel
    float depth;     // 1/w
    uint32_t status; // tide_vertex_status
} tide_raster_vertex;
typedef enum tide_vertex_status { TIDE_VERTEX_ON_SCREEN, TIDE_VERTEX_CUT, TIDE_VERTEX_BAD } tide_vertex_status;

typedef struct tide_raster_attributes {
    float position[3], u, normal[3], v;
} tide_raster_attributes;

typedef struct tide_raster_surface {
    const tide_draw_surface *source;
    uint32_t first_vertex, first_triangle;
    float tones[4][3]; // linear: front, front of the other squares, back, back of the other squares
    float checkers;    // 0 for none
    bool mapped;       // coloured by the map at u
} tide_raster_surface;

// A lit tube with round ends, or a ball, where `along` is 0.
typedef struct tide_raster_solid {
    tide_float3 from, along;
    float radius;
    float colour[3]; // linear
    bool casts_shadow;
    bool thin; // narrower than a pixel: a mark is seen in its place
} tide_raster_solid;

// A line or a point of a width in pixels.
typedef struct tide_raster_mark {
    float x0, y0, x1, y1; // pixels
    float depth0, depth1;
    float radius;    // pixels
    float colour[4]; // sRGB, 0 to 255, and alpha in [0, 1]
    float dark[3];   // of a thin tube in shadow
    float normal[3]; // of a thin tube: unit, across it, towards the light as far as may be; else 0
} tide_raster_mark;

typedef struct tide_raster_bounds {
    uint16_t x0, y0, x1, y1; // tiles, inclusive; x0 > x1 for nothing
    uint32_t pixels;         // an upper bound of those that are tested
} tide_raster_bounds;

// Limits the pixels that the primitives of one kind may cost together (raster_budget.c). A state that has exploded has
// thousands of primitives as large as the screen. Primitives are grouped by size, in powers of two. When all of them
// cost more than the budget, the largest are left out.
enum { TIDE_BUDGET_SIZES = 33 };
typedef struct tide_raster_sizes {
    uint64_t pixels[TIDE_BUDGET_SIZES]; // of the primitives of each size
} tide_raster_sizes;
typedef struct tide_raster_limit {
    uint32_t size; // the smallest size of which not all are drawn
    uint64_t left; // pixels, in primitives of that size
} tide_raster_limit;

// Part of the screen around a segment: the tiles that a tube or a line touches
typedef struct tide_fat_segment {
    float x0, y0, x1, y1, reach_x, reach_y; // pixels
} tide_fat_segment;

// A point in a map that is drawn from the light or from below the ground: texels in sixteenths, and the greater value
// wins.
typedef struct tide_map_vertex {
    int32_t x, y;
    float value;
    bool bad;
} tide_map_vertex;

// Rows of a map to draw into: (stride * size) texels, of which `size` are used in a row
typedef struct tide_map_rows {
    float *texels;
    int32_t size, stride, begin, end;
} tide_map_rows;

typedef struct tide_shadow {
    bool cast;                 // something casts a shadow
    bool ready;                // the maps are there
    tide_float3 u, v, towards; // towards the light, and across
    float offset_u, offset_v;  // m; of the map's corner
    float texel;               // m
    float low, high;           // m towards the light of the casters farthest from it and nearest to it
    float *depth;              // (TIDE_LIGHT_STRIDE * TIDE_LIGHT_SIZE) m towards the light of what is nearest to it
    // Levels 1 to TIDE_CASTER_LEVELS of the light's map, from tide_caster_level on, with rows of tide_caster_stride. A
    // texel has the height of its highest caster, and the share of its area that casters near that height cover.
    float *caster, *cover;
    bool on_ground;                          // the rest is there
    float ground_offset, ground_u, ground_v; // height towards the light of the ground at a texel of level 0
    // Level k is TIDE_LIGHT_SIZE / 2 >> k square: the blurred share of a texel that is in shadow, and that share times
    // the distance of what casts it (m)
    // (level 0 first, at tide_ground_level)
    float *share, *distance, *scratch;
    bool has_contact;
    float contact_x, contact_z, contact_texel, reach; // m, relative to the camera; how high contact is felt
    float *contact;                                   // (TIDE_CONTACT_SIZE^2), 0 open to 1 touched
    tide_map_vertex *vertices;
    size_t vertex_capacity;
    bool limited; // primitives of most_texels and more are not drawn in the light's map
    uint32_t most_texels;
} tide_shadow;

// The texels of a row of level 1, 2 ... of the casters, and where the level begins
static inline int32_t tide_caster_stride(int32_t level)
{
    return (TIDE_LIGHT_SIZE >> level) + 4;
}
static inline int32_t tide_caster_level(int32_t level)
{
    int32_t first = 0;
    for (int32_t k = 1; k < level; k++)
        first += tide_caster_stride(k) * (TIDE_LIGHT_SIZE >> k);
    return first;
}

// Where a level of the pyramids begins; that of TIDE_GROUND_LEVELS is where they end
static inline uint32_t tide_ground_level(int level)
{
    uint32_t first = 0, size = TIDE_LIGHT_SIZE / 2;
    for (int k = 0; k < level; k++, size /= 2)
        first += size * size;
    return first;
}

typedef struct tide_raster_stage {
    float top[3], bottom[3], ground[3];                 // linear
    bool has_ground;                                    // and is seen from above
    float ground_y;                                     // m, relative to the camera
    float ground_depth, ground_depth_x, ground_depth_y; // its 1/w at (0, 0), and a pixel on
    float centre_x, centre_z, fade_radius;              // m, relative to the camera
    float grid;                                         // m; spacing of its lines
    float grid_x, grid_z;                               // m; a crossing, relative to the camera
    float major_x, major_z;                             // m; a crossing of the stronger lines
    float axis_x, axis_z;                               // m; the origin
    float colour_x[3], colour_z[3];                     // linear; of the axes along x and z
    float radius;                                       // m; of the scene
} tide_raster_stage;

// How open what is seen is to the sky, in a map of 1 / 2^shift of the picture's size. Ambient occlusion after Loos and
// Sloan, "Volumetric obscurance" (2010).
typedef struct tide_openness {
    int32_t width, height, stride, shift; // texels
    float radius;                         // m; how far away something may be to take light
    float *depth, *raw;                   // (stride * height) 1/w, and the openness before it is smoothed
    float *depth_memory, *raw_memory;     // where they lie, with room before them and behind
    // (stride * height) 1/w without its last 8 bits, which hold the openness: 0 to 255
    float *packed;
    size_t depth_capacity, raw_capacity, packed_capacity;
} tide_openness;

// The pixels of bare tiles, of frames with this view and stage.
typedef struct tide_raster_bare {
    uint32_t width, height;
    tide_raster_view view;
    tide_raster_stage stage;
    bool in_use;
    uint8_t *pixels; // (4 * TIDE_TILE_PIXELS * tiles), where drawn[tile]
    uint8_t *drawn;
    size_t pixel_capacity, drawn_capacity;
} tide_raster_bare;

// What a list holds, hashed
typedef struct tide_raster_print {
    uint64_t words[4];
} tide_raster_print;

typedef struct tide_raster_repeats {
    tide_raster_print last;
    uint32_t left;   // pictures that are still to be kept
    bool kept;       // the last is in `pixels`
    bool repeated;   // it was taken from there
    uint8_t *pixels; // (4 * width * height)
    size_t capacity;
} tide_raster_repeats;

typedef struct tide_raster_kernels tide_raster_kernels; // raster_kernels.h

struct tide_rasterizer {
    const tide_raster_kernels *kernels;
    const tide_draw_list *list;
    tide_image *image;
    tide_raster_view view;
    tide_raster_stage stage;
    tide_shadow shadow;
    tide_openness openness;
    float map[TIDE_MAP_COLOURS][3]; // linear; while a surface is mapped

    tide_raster_surface *surfaces;
    size_t surface_count, surface_capacity;
    tide_raster_vertex *vertices;
    size_t vertex_capacity;
    tide_raster_attributes *attributes;
    size_t attribute_capacity;
    tide_raster_solid *solids;
    size_t solid_capacity;
    tide_raster_mark *marks, *sorted_marks;
    size_t mark_capacity, sorted_capacity;
    uint64_t *mark_order;
    size_t order_capacity;
    // Primitives: triangles, then solids, then marks
    uint32_t vertex_count, triangle_count, solid_count, mark_count;
    tide_raster_cost cost; // of the last picture

    uint32_t tile_columns, tile_rows, bin_chunks, bin_grain;
    tide_raster_sizes sizes[TIDE_BIN_CHUNKS][TIDE_RASTER_KINDS];
    tide_raster_bounds *bounds;
    size_t bounds_capacity;
    uint32_t *counts; // (bin_chunks * tiles)
    size_t count_capacity;
    uint32_t *starts; // (tiles + 1)
    size_t start_capacity;
    uint32_t *items;
    size_t item_capacity;
    tide_raster_bare bare;
    tide_raster_repeats repeats;
    float *strip; // of a line of text
    size_t strip_capacity;
};

// A tile while it is drawn; lives on the stack of the thread that draws it.
typedef struct tide_tile {
    const tide_rasterizer *rasterizer;
    int32_t x, y, width, height; // pixels; within the image
    v4f depth[TIDE_TILE_PIXELS]; // a lane a sample
    v4i sees[TIDE_TILE_PIXELS];
    float red[TIDE_TILE_PIXELS], green[TIDE_TILE_PIXELS], blue[TIDE_TILE_PIXELS]; // linear
} tide_tile;

// The four samples of a pixel, of a rotated grid: no two share a row or a column.
static const v4f tide_sample_x = { 0.375f, 0.875f, 0.125f, 0.625f };
static const v4f tide_sample_y = { 0.125f, 0.375f, 0.625f, 0.875f };

// The light, linear: of the key light on what faces it, of the sky on what looks up, off the ground on what looks down
static const float tide_key_light[3] = { 0.80f, 0.775f, 0.735f };
static const float tide_sky_light[3] = { 0.345f, 0.375f, 0.42f };
static const float tide_ground_light[3] = { 0.205f, 0.195f, 0.185f };

// What share of a pixel the samples of a mask are
static const float tide_sample_shares[16] = { 0,     0.25f, 0.25f, 0.5f,  0.25f, 0.5f,  0.5f,  0.75f,
                                              0.25f, 0.5f,  0.5f,  0.75f, 0.5f,  0.75f, 0.75f, 1 };

// raster_setup.c
tide_status tide_raster_set_up(tide_rasterizer *rasterizer, tide_error *error);
// The corners of what is left of a triangle in front of the near plane and within so many pixels of the centre.
uint32_t tide_raster_clip_to(const tide_raster_view *view, float reach, const tide_raster_attributes *const corners[3],
                             tide_raster_vertex out[TIDE_CLIP_MAX]);
// The same within reach of screen coordinates.
uint32_t tide_raster_clip(const tide_raster_view *view, const tide_raster_attributes *const corners[3],
                          tide_raster_vertex out[TIDE_CLIP_MAX]);
const tide_raster_surface *tide_raster_surface_of(const tide_rasterizer *rasterizer, uint32_t triangle);
float tide_linear_of_srgb(float component);
// Of a mapped surface at u, linear
void tide_raster_map_colour(const tide_rasterizer *rasterizer, float u, float out[3]);

// raster_budget.c
uint32_t tide_raster_size_of(uint32_t pixels); // in [0, TIDE_BUDGET_SIZES); 0 costs too little to be left out
static inline void tide_raster_sizes_add(tide_raster_sizes *sizes, uint32_t pixels)
{
    sizes->pixels[tide_raster_size_of(pixels)] += pixels;
}
tide_raster_limit tide_raster_limit_of(const tide_raster_sizes *sizes, uint64_t budget);
// Whether a primitive is drawn; takes its pixels off what is left. Called in the order of the primitives.
bool tide_raster_limit_allows(tide_raster_limit *limit, uint32_t pixels);
tide_fat_segment tide_mark_segment(const tide_raster_mark *mark);
// False for a solid that reaches behind the near plane, which may be anywhere
bool tide_solid_segment(const tide_raster_view *view, const tide_raster_solid *solid, tide_fat_segment *out);
// Where the part of a segment between two heights lies on the screen; false when nothing is there
bool tide_fat_segment_span(const tide_fat_segment *segment, float top, float bottom, float *left, float *right);
// The pixels of a segment in the picture, at most
uint32_t tide_fat_segment_pixels(const tide_fat_segment *segment, float width, float height);
// Sets the limit of the light's map.
void tide_shadow_limit(tide_rasterizer *rasterizer);
uint32_t tide_map_texels(const tide_map_vertex *a, const tide_map_vertex *b, const tide_map_vertex *c);
uint32_t tide_solid_texels(const tide_shadow *shadow, const tide_raster_solid *solid);

// raster_bins.c: bounds of all primitives, without those that are left out (pixels is TIDE_LEFT_OUT); and the bins
#define TIDE_LEFT_OUT UINT32_MAX
tide_status tide_raster_measure(tide_rasterizer *rasterizer, tide_error *error);
tide_status tide_raster_bin(tide_rasterizer *rasterizer, tide_error *error);

// shadow_fit.c: sets all of the shadow but its maps; what it says of the ground and of contact holds where something
// casts a shadow
void tide_shadow_fit(tide_rasterizer *rasterizer);
void tide_shadow_place(const tide_shadow *shadow, tide_float3 p, float out[3]); // along u, v and towards the light
// Calls back for every triangle that casts a shadow and comes near the ground.
typedef void tide_shadow_visit(const float *const corners[3], void *context);
void tide_shadow_for_low(const tide_rasterizer *rasterizer, tide_shadow_visit *visit, void *context);

// raster_shadow.c, raster_light.c
void tide_shadow_free(tide_shadow *shadow);
tide_status tide_shadow_cast(tide_rasterizer *rasterizer, tide_error *error);
void tide_shadow_blur_ground(const tide_raster_kernels *kernels, tide_shadow *shadow);
void tide_blur(const tide_raster_kernels *kernels, float *map, float *scratch, int32_t size);

void tide_shadow_pool_casters(tide_shadow *shadow);

// raster_openness.c: sets its size and radius; draws it
void tide_openness_fit(tide_rasterizer *rasterizer);
tide_status tide_openness_draw(tide_rasterizer *rasterizer, tide_error *error);
void tide_openness_free(tide_openness *openness);

// raster_outline.c: samples of what an outline surrounds: those of these numbers that are about as near
typedef struct tide_outline {
    int32_t begin, end;
    float depth, depth_range;
} tide_outline;
// The share of a pixel that is within the outline; less than 0 where no straight edge passes
float tide_tile_outline(const tide_tile *tile, uint32_t pixel, const tide_outline *outline);

// raster_tile.c
void tide_raster_tiles(tide_rasterizer *rasterizer);

// raster_repeat.c: whether the list is the one before and its picture was kept, which is in the image then; and what is
// to be done with one that was drawn
bool tide_raster_repeat(tide_rasterizer *rasterizer);
void tide_raster_keep_picture(tide_rasterizer *rasterizer);

// raster_bare.c; recall and keep only while bare.in_use. Recall is false when the tile was not kept
void tide_raster_bare_begin(tide_rasterizer *rasterizer);
void tide_raster_bare_free(tide_raster_bare *bare);
bool tide_raster_is_bare(const tide_tile *tile); // of a tile without primitives; may say no to one that is
bool tide_raster_recall(const tide_tile *tile);
void tide_raster_keep(const tide_tile *tile);

// raster_solids.c: along one axis of the screen, where the planes through the eye touch a ball, which extends low and
// high; false when it reaches behind the near plane
bool tide_ball_extent(float across, float w, float radius, float near_plane, float *low, float *high);
// its rectangle on the screen, (x0, y0, x1, y1) in pixels, false when it is behind the camera; the
// samples that see it; and where and what is seen along one ray that hits it or passes close
bool tide_solid_extent(const tide_rasterizer *rasterizer, const tide_raster_solid *solid, float box[4]);
void tide_tile_solid(tide_tile *tile, uint32_t primitive);
void tide_solid_hit(const tide_raster_solid *solid, tide_float3 ray, tide_float3 *position, tide_float3 *normal);

// raster_thin.c: sets the colours of a mark that is seen in a thin tube's place; the share of the key light that
// arrives at a point of it, relative to the camera
void tide_thin_set_light(const tide_rasterizer *rasterizer, const tide_raster_solid *solid, tide_raster_mark *mark);
float tide_thin_light(const tide_shadow *shadow, tide_float3 place, tide_float3 normal);

// raster_marks.c
void tide_tile_mark(tide_tile *tile, const tide_raster_mark *mark);

// raster_text.c: boxes, then labels; TIDE_ERROR_MEMORY when a label had to be left out
tide_status tide_raster_labels(tide_rasterizer *rasterizer, tide_error *error);

#endif
