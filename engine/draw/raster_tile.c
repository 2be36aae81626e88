// A tile of the picture: finds what each sample sees, computes the colours of pixels, and draws the marks.
#include "base/parallel.h"
#include "draw/raster_kernels.h"

// --- triangles --------------------------------------------------------------------------------------------------

// Values are relative to the tile's corner. The two triangles on an edge compute them by the same operations with
// opposite signs, so that every sample belongs to exactly one triangle.
static tide_tile_edge edge_of(const tide_tile *tile, const tide_raster_vertex *from, const tide_raster_vertex *to)
{
    int64_t a = (int64_t)from->y - to->y, b = (int64_t)to->x - from->x;
    int64_t value =
        a * ((int64_t)tile->x * TIDE_SUBPIXELS - from->x) + b * ((int64_t)tile->y * TIDE_SUBPIXELS - from->y);
    bool owns = a > 0 || (a == 0 && b > 0); // top-left rule: the triangle on this side owns samples on the edge
    tide_tile_edge edge = { .corner = (float)(owns ? value : value - 1),
                            .dx = (float)(a * TIDE_SUBPIXELS),
                            .dy = (float)(b * TIDE_SUBPIXELS) };
    edge.samples = edge.dx * tide_sample_x + edge.dy * tide_sample_y;
    return edge;
}

static tide_tile_plane plane_of(const tide_tile *tile, const tide_raster_vertex *a, const tide_raster_vertex *b,
                                const tide_raster_vertex *c, int64_t area)
{
    const double pixel = TIDE_SUBPIXELS;
    double bx = (double)(b->x - a->x), by = (double)(b->y - a->y), cx = (double)(c->x - a->x);
    double cy = (double)(c->y - a->y), b_depth = b->depth - a->depth, c_depth = c->depth - a->depth;
    double dx = (b_depth * cy - c_depth * by) / (double)area * pixel;
    double dy = (c_depth * bx - b_depth * cx) / (double)area * pixel;
    tide_tile_plane plane = { .corner =
                                  (float)(a->depth + dx * (tile->x - a->x / pixel) + dy * (tile->y - a->y / pixel)),
                              .dx = (float)dx,
                              .dy = (float)dy,
                              .least = tide_float_min(a->depth, tide_float_min(b->depth, c->depth)),
                              .most = tide_float_max(a->depth, tide_float_max(b->depth, c->depth)) };
    plane.samples = plane.dx * tide_sample_x + plane.dy * tide_sample_y;
    return plane;
}

// Returns whether the whole tile is outside of an edge, beyond rounding errors
static bool is_outside(const tide_tile *tile, const tide_tile_edge *edge)
{
    float most = edge->corner + tide_float_max(edge->dx * (float)tile->width, 0) +
                 tide_float_max(edge->dy * (float)tile->height, 0);
    return most + 1e-5f * fabsf(edge->corner) < 0;
}

static void fill_triangle(tide_tile *tile, const tide_raster_vertex *a, const tide_raster_vertex *b,
                          const tide_raster_vertex *c, uint32_t triangle)
{
    int64_t area = ((int64_t)b->x - a->x) * ((int64_t)c->y - a->y) - ((int64_t)b->y - a->y) * ((int64_t)c->x - a->x);
    if (!area)
        return;
    int32_t sees = (int32_t)(2 * triangle); // counter-clockwise is negative, since y points down
    if (area > 0)
        sees |= 1;
    else {
        const tide_raster_vertex *swap = b;
        b = c;
        c = swap;
        area = -area;
    }
    // the first and last pixels with a sample inside; samples are at 32 to 224 of 256
    const int32_t first = TIDE_SUBPIXELS / 8, last = TIDE_SUBPIXELS - first;
    int32_t left = tile->x * TIDE_SUBPIXELS, top = tile->y * TIDE_SUBPIXELS;
    int32_t x0 = tide_least_of_three(a->x, b->x, c->x) - left, y0 = tide_least_of_three(a->y, b->y, c->y) - top;
    int32_t x1 = tide_most_of_three(a->x, b->x, c->x) - left, y1 = tide_most_of_three(a->y, b->y, c->y) - top;
    if (x1 < first || y1 < first)
        return;
    int32_t box[4] = { x0 <= last ? 0 : (x0 - last + TIDE_SUBPIXELS - 1) / TIDE_SUBPIXELS,
                       y0 <= last ? 0 : (y0 - last + TIDE_SUBPIXELS - 1) / TIDE_SUBPIXELS,
                       (x1 - first) / TIDE_SUBPIXELS, (y1 - first) / TIDE_SUBPIXELS };
    box[2] = box[2] < tile->width - 1 ? box[2] : tile->width - 1;
    box[3] = box[3] < tile->height - 1 ? box[3] : tile->height - 1;
    if (box[0] > box[2] || box[1] > box[3])
        return;
    tide_tile_edge edges[3] = { edge_of(tile, b, c), edge_of(tile, c, a), edge_of(tile, a, b) };
    if (is_outside(tile, &edges[0]) || is_outside(tile, &edges[1]) || is_outside(tile, &edges[2]))
        return;
    tide_tile_plane plane = plane_of(tile, a, b, c, area);
    tile->rasterizer->kernels->fill(tile, edges, &plane, sees, box);
}

static void draw_triangle(tide_tile *tile, const tide_raster_surface *surface, uint32_t triangle)
{
    const tide_rasterizer *rasterizer = tile->rasterizer;
    const uint32_t *index = surface->source->triangles + 3 * (size_t)(triangle - surface->first_triangle);
    const tide_raster_vertex *vertices = rasterizer->vertices + surface->first_vertex;
    const tide_raster_vertex *a = vertices + index[0], *b = vertices + index[1], *c = vertices + index[2];
    if ((a->status | b->status | c->status) == TIDE_VERTEX_ON_SCREEN) {
        fill_triangle(tile, a, b, c, triangle);
        return;
    }
    const tide_raster_attributes *attributes = rasterizer->attributes + surface->first_vertex;
    const tide_raster_attributes *const corners[3] = { attributes + index[0], attributes + index[1],
                                                       attributes + index[2] };
    tide_raster_vertex cut[TIDE_CLIP_MAX];
    uint32_t count = tide_raster_clip(&rasterizer->view, corners, cut);
    for (uint32_t i = 2; i < count; i++)
        fill_triangle(tile, &cut[0], &cut[i - 1], &cut[i], triangle);
}

// --- colours ----------------------------------------------------------------------------------------------------

typedef struct shade_queue {
    tide_tile *tile;
    void (*shade)(tide_tile *tile, tide_shade_items *items);
    tide_shade_items items;
} shade_queue;

static void flush(shade_queue *queue)
{
    if (queue->items.count)
        queue->shade(queue->tile, &queue->items);
    queue->items.count = 0;
}

static void push(shade_queue *queue, int32_t sees, uint32_t pixel, float x, float y, float share)
{
    tide_shade_items *items = &queue->items;
    uint32_t i = items->count++;
    items->sees[i] = sees;
    items->pixel[i] = (int32_t)pixel;
    items->x[i] = x;
    items->y[i] = y;
    items->share[i] = share;
    if (items->count == TIDE_SHADE_ITEMS)
        flush(queue);
}

// cosine of the angle between normals at a sharp edge; those of one smooth part of a surface differ less in a pixel
static const float sharp = 0.75f;

// Returns whether a sharp edge of a solid is between two of its triangles.
static bool has_edge_between(const tide_rasterizer *rasterizer, const tide_raster_surface *surface, int32_t a,
                             int32_t b)
{
    if (a == b || !surface->source->solid)
        return false;
    const uint32_t *corners = surface->source->triangles;
    const tide_raster_attributes *vertices = rasterizer->attributes + surface->first_vertex;
    const uint32_t i = corners[3 * (size_t)(((uint32_t)a >> 1) - surface->first_triangle)];
    const uint32_t j = corners[3 * (size_t)(((uint32_t)b >> 1) - surface->first_triangle)];
    return tide_float3_dot(tide_float3_load(vertices[i].normal), tide_float3_load(vertices[j].normal)) < sharp;
}

// Returns whether two samples are shaded as one: adjacent triangles of a smooth surface in one pixel are.
static bool seen_as_one(const tide_tile *tile, int32_t a, int32_t b, float depth_a, float depth_b)
{
    if (a == b)
        return true;
    const tide_rasterizer *rasterizer = tile->rasterizer;
    if (b < 0 || ((a ^ b) & 1) || (uint32_t)b >> 1 >= rasterizer->triangle_count ||
        (uint32_t)a >> 1 >= rasterizer->triangle_count)
        return false;
    if (fabsf(depth_a - depth_b) * rasterizer->view.focal > 4 * depth_a)
        return false;
    const tide_raster_surface *surface = tide_raster_surface_of(rasterizer, (uint32_t)a >> 1);
    return (uint32_t)b >> 1 >= surface->first_triangle &&
           ((uint32_t)b >> 1) - surface->first_triangle < surface->source->triangle_count &&
           !has_edge_between(rasterizer, surface, a, b);
}

// largest depth difference of an outline's samples, in pixels at their distance
static const float outline_depth = 12;

// The mean position in a pixel of the samples of a mask
static const float mean_x[16] = { 0,      0.375f, 0.875f, 0.625f,     0.125f, 0.25f,      0.5f,       1.375f / 3,
                                  0.625f, 0.5f,   0.75f,  1.875f / 3, 0.375f, 1.125f / 3, 1.625f / 3, 0.5f };
static const float mean_y[16] = { 0,      0.125f, 0.375f, 0.25f,      0.625f, 0.375f,     0.5f,       1.125f / 3,
                                  0.875f, 0.5f,   0.625f, 1.375f / 3, 0.75f,  1.625f / 3, 1.875f / 3, 0.5f };

// Returns whether all samples of a pixel are shaded as one. This holds for most pixels in which triangles of a fine
// mesh meet.
static bool all_seen_as_one(const tide_tile *tile, v4i sees, v4f depth)
{
    const tide_rasterizer *rasterizer = tile->rasterizer;
    int32_t first = sees[0];
    v4f off = v4_abs(depth[0] - depth);
    if (first < 0 || (uint32_t)first >> 1 >= rasterizer->triangle_count ||
        v4_bits(off * rasterizer->view.focal > 4 * depth[0]))
        return false;
    const tide_raster_surface *surface = tide_raster_surface_of(rasterizer, (uint32_t)first >> 1);
    const uint32_t begin = surface->first_triangle, end = begin + surface->source->triangle_count;
    v4i other = ((sees ^ first) & 1) != 0;
    if (v4_bits(other | (sees < (int32_t)(2 * begin)) | (sees >= (int32_t)(2 * end))))
        return false;
    for (int k = 1; k < 4; k++)
        if (has_edge_between(rasterizer, surface, first, sees[k]))
            return false;
    return true;
}

static bool is_within(const tide_outline *outline, int32_t sees, float depth)
{
    return sees >= outline->begin && sees < outline->end && fabsf(depth - outline->depth) < outline->depth_range;
}

// Finds the outline of the first primitive in a pixel, and the factors of the coverage outside and inside that make it
// smooth. Applies the first one to ground and sky.
static void smooth_outline(tide_tile *tile, uint32_t pixel, tide_outline *outline, float scale[2])
{
    const tide_rasterizer *rasterizer = tile->rasterizer;
    const uint32_t triangles = rasterizer->triangle_count;
    uint32_t open = v4_bits(tile->sees[pixel]), first = (uint32_t)__builtin_ctz(~open), within = 0;
    const uint32_t primitive = (uint32_t)tile->sees[pixel][first] >> 1;
    uint32_t begin = triangles, end = triangles + rasterizer->solid_count;
    if (primitive < triangles) {
        const tide_raster_surface *surface = tide_raster_surface_of(rasterizer, primitive);
        begin = surface->first_triangle;
        end = begin + surface->source->triangle_count;
    }
    const float depth = tile->depth[pixel][first];
    *outline = (tide_outline) { (int32_t)(2 * begin), (int32_t)(2 * end), depth,
                                outline_depth * depth / rasterizer->view.focal };
    scale[0] = scale[1] = 1;
    for (uint32_t k = 0; k < 4; k++)
        within += is_within(outline, tile->sees[pixel][k], tile->depth[pixel][k]);
    float own = 0.25f * (float)within, share = within < 4 ? tide_tile_outline(tile, pixel, outline) : -1;
    if (!(share >= 0) || !within)
        return;
    scale[0] = (1 - share) / (1 - own);
    scale[1] = share / own;
    tile->red[pixel] *= scale[0];
    tile->green[pixel] *= scale[0];
    tile->blue[pixel] *= scale[0];
}

static void push_pixel(tide_tile *tile, uint32_t pixel, float x, float y, shade_queue queues[2])
{
    uint32_t triangles = tile->rasterizer->triangle_count;
    if (all_seen_as_one(tile, tile->sees[pixel], tile->depth[pixel])) {
        uint32_t own = v4_bits(tile->sees[pixel] == tile->sees[pixel][0]);
        push(&queues[0], tile->sees[pixel][0], pixel, x + mean_x[own], y + mean_y[own], 1);
        return;
    }
    float scale[2];
    tide_outline outline;
    smooth_outline(tile, pixel, &outline, scale);
    int32_t sees[4];
    float depth[4];
    memcpy(sees, &tile->sees[pixel], sizeof sees);
    memcpy(depth, &tile->depth[pixel], sizeof depth);
    uint32_t left = 15;
    for (uint32_t i = 0; i < 4; i++) {
        if (!(left >> i & 1) || sees[i] < 0)
            continue;
        // shades at its first sample: outside, the plane of a slender triangle may lead far away
        float sum_x = 0, sum_y = 0, own = 0, share = 0;
        for (uint32_t k = i; k < 4; k++)
            if (left >> k & 1 && seen_as_one(tile, sees[i], sees[k], depth[i], depth[k])) {
                left &= ~(1u << k);
                share += 0.25f * scale[is_within(&outline, sees[k], depth[k])];
                if (sees[k] == sees[i]) {
                    sum_x += tide_sample_x[k];
                    sum_y += tide_sample_y[k];
                    own++;
                }
            }
        push(&queues[(uint32_t)sees[i] >> 1 >= triangles], sees[i], pixel, x + sum_x / own, y + sum_y / own, share);
    }
}

static void colour_primitives(tide_tile *tile)
{
    const tide_raster_kernels *kernels = tile->rasterizer->kernels;
    const uint32_t triangles = tile->rasterizer->triangle_count;
    tide_tile_pixels pixels;
    shade_queue queues[2];
    for (int i = 0; i < 2; i++) {
        queues[i].tile = tile;
        queues[i].shade = i ? kernels->shade_solids : kernels->shade_triangles;
        queues[i].items.count = 0;
    }
    kernels->sort(tile, &pixels);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < pixels.whole_count; i++) {
        int32_t pixel = pixels.whole[i], sees = pixels.sees[i];
        pixels.whole[kept] = pixel;
        pixels.sees[kept] = sees;
        kept += (uint32_t)sees >> 1 < triangles;
        if ((uint32_t)sees >> 1 >= triangles)
            push(&queues[1], sees, (uint32_t)pixel, (float)(tile->x + pixel % TIDE_TILE_WIDTH) + 0.5f,
                 (float)(tile->y + pixel / TIDE_TILE_WIDTH) + 0.5f, 1);
    }
    pixels.whole_count = kept;
    kernels->shade_whole(tile, &pixels);
    for (uint32_t i = 0; i < pixels.mixed_count; i++) {
        int32_t pixel = pixels.mixed[i];
        push_pixel(tile, (uint32_t)pixel, (float)(tile->x + pixel % TIDE_TILE_WIDTH),
                   (float)(tile->y + pixel / TIDE_TILE_WIDTH), queues);
    }
    flush(&queues[0]);
    flush(&queues[1]);
}

// --- tiles ------------------------------------------------------------------------------------------------------

static void draw_tile(const tide_rasterizer *rasterizer, uint32_t index)
{
    const tide_raster_kernels *kernels = rasterizer->kernels;
    tide_tile tile;
    tile.rasterizer = rasterizer;
    tile.x = (int32_t)(index % rasterizer->tile_columns) * TIDE_TILE_WIDTH;
    tile.y = (int32_t)(index / rasterizer->tile_columns) * TIDE_TILE_HEIGHT;
    tile.width = (int32_t)rasterizer->image->width - tile.x;
    tile.height = (int32_t)rasterizer->image->height - tile.y;
    tile.width = tile.width < TIDE_TILE_WIDTH ? tile.width : TIDE_TILE_WIDTH;
    tile.height = tile.height < TIDE_TILE_HEIGHT ? tile.height : TIDE_TILE_HEIGHT;
    const uint32_t *item = rasterizer->items + rasterizer->starts[index];
    const uint32_t *end = rasterizer->items + rasterizer->starts[index + 1];
    const tide_raster_surface *surface = NULL;
    uint32_t first_mark = rasterizer->triangle_count + rasterizer->solid_count;
    bool alone = item == end || *item >= first_mark; // only ground and sky, with marks over them
    if (item < end)
        kernels->clear(&tile);
    for (; item < end && *item < rasterizer->triangle_count; item++) {
        if (!surface || *item - surface->first_triangle >= surface->source->triangle_count)
            surface = tide_raster_surface_of(rasterizer, *item);
        draw_triangle(&tile, surface, *item);
    }
    for (; item < end && *item < first_mark; item++)
        tide_tile_solid(&tile, *item);
    bool bare = alone && tide_raster_is_bare(&tile);
    if (!bare || !tide_raster_recall(&tile)) {
        kernels->surroundings(&tile, alone);
        if (!alone)
            colour_primitives(&tile);
        kernels->write(&tile);
        if (bare)
            tide_raster_keep(&tile);
    }
    for (; item < end; item++)
        tide_tile_mark(&tile, &rasterizer->sorted_marks[*item - first_mark]);
}

static uint32_t common_divisor(uint32_t a, uint32_t b)
{
    while (b) {
        uint32_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static void draw_tiles(void *context, uint32_t begin, uint32_t end)
{
    const tide_rasterizer *rasterizer = context;
    uint32_t count = rasterizer->tile_columns * rasterizer->tile_rows;
    // Tiles are taken in strides, so that every thread gets part of the crowded middle.
    uint32_t stride = (uint32_t)(0.618 * count) | 1;
    while (common_divisor(stride, count) != 1)
        stride += 2;
    for (uint32_t i = begin; i < end; i++)
        draw_tile(rasterizer, (uint32_t)((uint64_t)i * stride % count));
}

void tide_raster_tiles(tide_rasterizer *rasterizer)
{
    tide_parallel_for(rasterizer->tile_columns * rasterizer->tile_rows, 1, draw_tiles, rasterizer);
}
