// What the files of the software rasteriser share. Private to draw/.
//
// Stages of a frame: raster_setup.c projects the vertices. shadow_fit.c and raster_shadow.c render shadow casters from
// the light. raster_bins.c puts primitives into the bins of the tiles that they touch. For each tile, raster_tile.c and
// raster_solids.c find what each sample sees, lanes_shade.h and lanes_ground.h shade it, and raster_marks.c draws lines
// and points with a width in pixels over it. raster_text.c draws the text last.
//
// Positions are relative to the camera. The depth of a sample is 1/w, where w is the distance along the viewing axis:
// linear on the screen, greater is nearer, 0 is at infinity.
#ifndef TIDE_DRAW_RASTERIZER_PARTS_H
#define TIDE_DRAW_RASTERIZER_PARTS_H

#include "draw/rasterizer.h"
#include "draw/simd.h"

#include <math.h>

enum {
    TIDE_TILE_WIDTH = 64, // a multiple of 4
    TIDE_TILE_HEIGHT = 32,
    TIDE_TILE_PIXELS = TIDE_TILE_WIDTH * TIDE_TILE_HEIGHT,
    TIDE_SUBPIXELS = 256, // subdivisions of a pixel in screen coordinates
    TIDE_CLIP_MAX = 8,    // most corners of a triangle clipped by the near plane and four sides
    TIDE_LIGHT_SIZE = 1024,
    TIDE_LIGHT_STRIDE = TIDE_LIGHT_SIZE + 16, // padded: rows a power of two apart would conflict in the cache
    TIDE_SUBTEXELS = 16,                      // subdivisions of a texel in a map's coordinates
    TIDE_GROUND_LEVELS = 4,                   // of the pyramid of ground shadows
    TIDE_CASTER_NEAR = 12,  // texels of a level: casters less than this below the highest one merge with it
    TIDE_CASTER_LEVELS = 4, // of the casters' pyramid: 1/2 to 1/16 of TIDE_LIGHT_SIZE
    TIDE_CONTACT_SIZE = 128,
    TIDE_MAJOR_CELLS = 10, // of the grid, between stronger lines
    TIDE_BIN_CHUNKS = 16,
    TIDE_RASTER_KINDS = 3 // of primitives: triangles, solids, marks
};

// What a sample sees: 2 * the primitive's index, + 1 for the back of a triangle; or one of these
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

// Four vectors in lanes
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
static inline float tide_float3_length(tide_float3 a)
{
    return sqrtf(tide_float3_dot(a, a));
}
// Returns whether the number is finite, and small enough that products of a few such numbers stay finite.
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
    float turn[3][3]; // rows of the rotation from the list's coordinates to those where the stage's up is y
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
    int32_t x, y;    // screen coordinates, in 1 / TIDE_SUBPIXELS pixel
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
    float tones[4][3]; // linear colours: front, front's other squares, back, back's other squares
    float checkers;    // 0 for none
    float through;     // fraction of the key light transmitted from behind
    bool mapped;       // u indexes the list's map
} tide_raster_surface;

// A lit tube with round ends; a ball if `along` is 0.
typedef struct tide_raster_solid {
    tide_float3 from, along;
    float radius;
    float colour[3]; // linear
    bool casts_shadow;
    bool thin; // narrower than a pixel: drawn as a mark
} tide_raster_solid;

// A line or a point with a width in pixels.
typedef struct tide_raster_mark {
    float x0, y0, x1, y1; // pixels
    float depth0, depth1;
    float radius;    // pixels
    float colour[4]; // sRGB, 0 to 255, and alpha in [0, 1]
    float dark[3];   // colour of a thin tube in shadow
    float normal[3]; // thin tube: unit vector across it, as close to the light's direction as possible; else 0
} tide_raster_mark;

typedef struct tide_raster_bounds {
    uint16_t x0, y0, x1, y1; // tiles, inclusive; x0 > x1: none
    uint32_t pixels;         // upper bound of the pixels that are tested
} tide_raster_bounds;

// Limits the total pixels of the primitives of one kind (raster_budget.c). An exploded state has thousands of
// primitives as large as the screen. Primitives are grouped by size, in powers of two. If all of them exceed the
// budget, the largest are left out.
enum { TIDE_BUDGET_SIZES = 33 };
typedef struct tide_raster_sizes {
    uint64_t pixels[TIDE_BUDGET_SIZES]; // of the primitives of each size class
} tide_raster_sizes;
typedef struct tide_raster_limit {
    uint32_t size; // the smallest size class that is not drawn completely
    uint64_t left; // pixels that are left for primitives of this class
} tide_raster_limit;

// The part of the screen around a segment, to find the tiles that a tube or line touches
typedef struct tide_fat_segment {
    float x0, y0, x1, y1, reach_x, reach_y; // pixels
} tide_fat_segment;

// A vertex in a map that is rendered from the light or from below the ground: coordinates in sixteenths of a texel; the
// greatest value is kept.
typedef struct tide_map_vertex {
    int32_t x, y;
    float value;
    bool bad;
} tide_map_vertex;

// Rows of a map to render into: (stride * size) texels, of which each row uses `size`
typedef struct tide_map_rows {
    float *texels;
    int32_t size, stride, begin, end;
} tide_map_rows;

typedef struct tide_shadow {
    bool cast;                 // something casts a shadow
    bool ready;                // the maps are allocated
    tide_float3 u, v, towards; // unit axes: `towards` points to the light, u and v are perpendicular to it
    float offset_u, offset_v;  // of the map's corner, m
    float texel;               // m
    float low, high;           // smallest and largest height of casters towards the light, m
    float *depth; // (TIDE_LIGHT_STRIDE * TIDE_LIGHT_SIZE) height towards the light of the nearest surface to it, m
    // Levels 1 to TIDE_CASTER_LEVELS of the shadow map, each from tide_caster_level on, in rows of tide_caster_stride.
    // A texel has the height of its highest caster, and the fraction of its area that casters near that height cover.
    float *caster, *cover;
    bool on_ground;                          // the members below are valid
    float ground_offset, ground_u, ground_v; // height of the ground towards the light, linear in the texel
    // Level k is TIDE_LIGHT_SIZE / 2 >> k square, from tide_ground_level on, level 0 first: the blurred fraction of a
    // texel in shadow, and that fraction times the distance of the caster (m)
    float *share, *distance, *scratch;
    bool has_contact;
    float contact_x, contact_z, contact_texel, reach; // m, relative to the camera; height that darkens the ground
    float *contact;                                   // (TIDE_CONTACT_SIZE^2), 0 open to 1 in contact
    tide_map_vertex *vertices;
    size_t vertex_capacity;
    bool limited; // primitives of `most_texels` or more are not rendered into the shadow map
    uint32_t most_texels;
} tide_shadow;

// The row length of level 1, 2 ... of the casters, and the index where the level begins
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

// The index where a level of the ground pyramids begins; for TIDE_GROUND_LEVELS, their end
static inline uint32_t tide_ground_level(int level)
{
    uint32_t first = 0, size = TIDE_LIGHT_SIZE / 2;
    for (int k = 0; k < level; k++, size /= 2)
        first += size * size;
    return first;
}

typedef struct tide_raster_stage {
    float top[3], bottom[3], ground[3];                 // linear
    bool has_ground;                                    // and the camera is above it
    float ground_y;                                     // m, relative to the camera
    float ground_depth, ground_depth_x, ground_depth_y; // 1/w of the ground at pixel (0, 0), and its change per pixel
    float centre_x, centre_z, fade_radius;              // m, relative to the camera
    float grid;                                         // spacing of the grid's lines, m
    float grid_x, grid_z;                               // a crossing of lines, relative to the camera, m
    float major_x, major_z;                             // a crossing of stronger lines, m
    float axis_x, axis_z;                               // the origin, m
    float colour_x[3], colour_z[3];                     // linear colours of the axes along x and z
    float radius;                                       // of the scene, m
} tide_raster_stage;

// Ambient occlusion on the screen, in a map of 1 / 2^shift of the picture's size, after Loos and Sloan, "Volumetric
// obscurance" (2010). Openness is 1 - occlusion.
typedef struct tide_openness {
    int32_t width, height, stride, shift; // texels
    float radius;                         // of occlusion, m
    float *depth, *raw;                   // (stride * height) 1/w, and the openness before smoothing
    float *depth_memory, *raw_memory;     // allocations of `depth` and `raw`, with padding before and after
    // (stride * height) 1/w, whose lowest 8 bits are replaced by the openness: 0 to 255
    float *packed;
    size_t depth_capacity, raw_capacity, packed_capacity;
} tide_openness;

// A cache of the pixels of bare tiles (without primitives), for frames with this view and stage.
typedef struct tide_raster_bare {
    uint32_t width, height;
    tide_raster_view view;
    tide_raster_stage stage;
    bool in_use;
    uint8_t *pixels; // (4 * TIDE_TILE_PIXELS * tiles), valid where drawn[tile] is set
    uint8_t *drawn;
    size_t pixel_capacity, drawn_capacity;
} tide_raster_bare;

// Hashes of a list's contents
typedef struct tide_raster_print {
    uint64_t words[4];
} tide_raster_print;

typedef struct tide_raster_repeats {
    tide_raster_print last;
    uint32_t left;   // number of pictures that will still be kept
    bool kept;       // the last picture is in `pixels`
    bool repeated;   // the last picture came from there
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
    float map[TIDE_MAP_COLOURS][3]; // linear; valid while a surface is mapped

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
    // Numbering of primitives: triangles, then solids, then marks
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
    float *strip; // scratch memory for a line of text
    size_t strip_capacity;
};

// A tile being drawn; on the stack of the thread that draws it.
typedef struct tide_tile {
    const tide_rasterizer *rasterizer;
    int32_t x, y, width, height; // pixels, within the image
    v4f depth[TIDE_TILE_PIXELS]; // a lane per sample
    v4i sees[TIDE_TILE_PIXELS];
    float red[TIDE_TILE_PIXELS], green[TIDE_TILE_PIXELS], blue[TIDE_TILE_PIXELS]; // linear
} tide_tile;

// The four samples of a pixel, on a rotated grid: no two share a row or a column.
static const v4f tide_sample_x = { 0.375f, 0.875f, 0.125f, 0.625f };
static const v4f tide_sample_y = { 0.125f, 0.375f, 0.625f, 0.875f };

// Linear light: key light on surfaces that face it, sky light from above, ground light from below
static const float tide_key_light[3] = { 0.80f, 0.775f, 0.735f };
static const float tide_sky_light[3] = { 0.345f, 0.375f, 0.42f };
static const float tide_ground_light[3] = { 0.205f, 0.195f, 0.185f };

// The fraction of a pixel that a mask of samples covers
static const float tide_sample_shares[16] = { 0,     0.25f, 0.25f, 0.5f,  0.25f, 0.5f,  0.5f,  0.75f,
                                              0.25f, 0.5f,  0.5f,  0.75f, 0.5f,  0.75f, 0.75f, 1 };

// raster_setup.c
tide_status tide_raster_set_up(tide_rasterizer *rasterizer, tide_error *error);
// Clips a triangle to the near plane and to `reach` pixels around the centre. Returns the count of corners.
uint32_t tide_raster_clip_to(const tide_raster_view *view, float reach, const tide_raster_attributes *const corners[3],
                             tide_raster_vertex out[TIDE_CLIP_MAX]);
// Clips a triangle to the range of screen coordinates.
uint32_t tide_raster_clip(const tide_raster_view *view, const tide_raster_attributes *const corners[3],
                          tide_raster_vertex out[TIDE_CLIP_MAX]);
const tide_raster_surface *tide_raster_surface_of(const tide_rasterizer *rasterizer, uint32_t triangle);
float tide_linear_of_srgb(float component);
// The linear colour of a mapped surface at u
void tide_raster_map_colour(const tide_rasterizer *rasterizer, float u, float out[3]);

// raster_budget.c
uint32_t tide_raster_size_of(uint32_t pixels); // in [0, TIDE_BUDGET_SIZES); class 0 is never left out
static inline void tide_raster_sizes_add(tide_raster_sizes *sizes, uint32_t pixels)
{
    sizes->pixels[tide_raster_size_of(pixels)] += pixels;
}
tide_raster_limit tide_raster_limit_of(const tide_raster_sizes *sizes, uint64_t budget);
// Returns whether a primitive is drawn, and subtracts its pixels. To be called in the order of primitives.
bool tide_raster_limit_allows(tide_raster_limit *limit, uint32_t pixels);
// Sets the limit of the shadow map.
void tide_shadow_limit(tide_rasterizer *rasterizer);
uint32_t tide_map_texels(const tide_map_vertex *a, const tide_map_vertex *b, const tide_map_vertex *c);
uint32_t tide_solid_texels(const tide_shadow *shadow, const tide_raster_solid *solid);

// raster_bins.c: bounds of all primitives (pixels is TIDE_LEFT_OUT for those left out), and the bins
#define TIDE_LEFT_OUT UINT32_MAX
tide_status tide_raster_measure(tide_rasterizer *rasterizer, tide_error *error);
tide_status tide_raster_bin(tide_rasterizer *rasterizer, tide_error *error);

// shadow_fit.c: sets all of the shadow but its maps. The members about ground and contact are valid if anything casts a
// shadow.
void tide_shadow_fit(tide_rasterizer *rasterizer);
void tide_shadow_place(const tide_shadow *shadow, tide_float3 p, float out[3]); // along u, v and towards the light
// Calls back for every shadow-casting triangle near the ground.
typedef void tide_shadow_visit(const float *const corners[3], void *context);
void tide_shadow_for_low(const tide_rasterizer *rasterizer, tide_shadow_visit *visit, void *context);

// raster_shadow.c, raster_light.c
tide_status tide_shadow_cast(tide_rasterizer *rasterizer, tide_error *error);
void tide_shadow_blur_ground(const tide_raster_kernels *kernels, tide_shadow *shadow);
void tide_blur(const tide_raster_kernels *kernels, float *map, float *scratch, int32_t size);

void tide_shadow_pool_casters(tide_shadow *shadow);

// raster_openness.c: sets size and radius of the map, and renders it
void tide_openness_fit(tide_rasterizer *rasterizer);
tide_status tide_openness_draw(tide_rasterizer *rasterizer, tide_error *error);

// raster_outline.c: the samples of an outlined object: indices from begin to end, with similar depth
typedef struct tide_outline {
    int32_t begin, end;
    float depth, depth_range;
} tide_outline;
// Returns the fraction of the pixel that is within the outline; negative if no straight edge passes
float tide_tile_outline(const tide_tile *tile, uint32_t pixel, const tide_outline *outline);

// raster_tile.c
void tide_raster_tiles(tide_rasterizer *rasterizer);

// raster_repeat.c: tide_raster_repeat returns whether the list equals the last one and its picture was kept, and then
// copies it to the image. tide_raster_keep_picture handles a picture that was drawn.
bool tide_raster_repeat(tide_rasterizer *rasterizer);
void tide_raster_keep_picture(tide_rasterizer *rasterizer);

// raster_bare.c: recall and keep only while bare.in_use. Recall returns false if the tile was not kept
void tide_raster_bare_begin(tide_rasterizer *rasterizer);
bool tide_raster_is_bare(const tide_tile *tile); // for a tile without primitives; may be false for a bare tile
bool tide_raster_recall(const tide_tile *tile);
void tide_raster_keep(const tide_tile *tile);

// raster_segments.c
// Computes, along one screen axis, the range between the tangent planes of a ball through the eye; false if it reaches
// behind the near plane
bool tide_ball_extent(float across, float w, float radius, float near_plane, float *low, float *high);
tide_fat_segment tide_mark_segment(const tide_raster_mark *mark);
// Returns false for a solid that reaches behind the near plane and has no bounds on the screen
bool tide_solid_segment(const tide_raster_view *view, const tide_raster_solid *solid, tide_fat_segment *out);
// Computes the horizontal range of the part of a segment between two heights; false if it is empty
bool tide_fat_segment_span(const tide_fat_segment *segment, float top, float bottom, float *left, float *right);
// Returns an upper bound of a segment's pixels in the picture
uint32_t tide_fat_segment_pixels(const tide_fat_segment *segment, float width, float height);

// raster_solids.c: the solid's rectangle on the screen, (x0, y0, x1, y1) in pixels, false if it is behind the camera;
// the samples that see it; and the point and normal that a ray sees, even if it misses the solid slightly
bool tide_solid_extent(const tide_rasterizer *rasterizer, const tide_raster_solid *solid, float box[4]);
void tide_tile_solid(tide_tile *tile, uint32_t primitive);
void tide_solid_hit(const tide_raster_solid *solid, tide_float3 ray, tide_float3 *position, tide_float3 *normal);

// raster_thin.c: sets the colours of the mark that replaces a thin tube; the fraction of the key light at a point of
// it, relative to the camera
void tide_thin_set_light(const tide_rasterizer *rasterizer, const tide_raster_solid *solid, tide_raster_mark *mark);
float tide_thin_light(const tide_shadow *shadow, tide_float3 place, tide_float3 normal);

// raster_marks.c
void tide_tile_mark(tide_tile *tile, const tide_raster_mark *mark);

// raster_text.c: draws boxes, then labels; TIDE_ERROR_MEMORY if a label was left out
tide_status tide_raster_labels(tide_rasterizer *rasterizer, tide_error *error);

#endif
