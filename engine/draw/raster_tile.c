// A tile of the picture: what each sample sees, the colours of its pixels, and then its marks.
#include "base/parallel.h"
#include "draw/rasterizer_parts.h"

// --- triangles --------------------------------------------------------------------------------------------------

// An edge function: positive on the inside. All values are relative to the tile's corner and computed by the same
// operations for the two triangles on an edge, with signs changed, so that every sample belongs to exactly one.
struct tile_edge {
    float corner, dx, dy; // at the tile's corner, and over a pixel
    v4f samples;          // what the samples' places in a pixel add
};

static struct tile_edge edge_of(const tide_tile *tile, const tide_raster_vertex *from, const tide_raster_vertex *to)
{
    int64_t a = (int64_t)from->y - to->y, b = (int64_t)to->x - from->x;
    int64_t value =
        a * ((int64_t)tile->x * TIDE_SUBPIXELS - from->x) + b * ((int64_t)tile->y * TIDE_SUBPIXELS - from->y);
    bool owns = a > 0 || (a == 0 && b > 0); // of two triangles, the one on this side has the samples on the edge
    struct tile_edge edge = { .corner = (float)(owns ? value : value - 1),
                              .dx = (float)(a * TIDE_SUBPIXELS),
                              .dy = (float)(b * TIDE_SUBPIXELS) };
    edge.samples = edge.dx * tide_sample_x + edge.dy * tide_sample_y;
    return edge;
}

struct depth_plane {
    float corner, dx, dy, least, most;
    v4f samples;
};

static struct depth_plane plane_of(const tide_tile *tile, const tide_raster_vertex *a, const tide_raster_vertex *b,
                                   const tide_raster_vertex *c, int64_t area)
{
    const double pixel = TIDE_SUBPIXELS;
    double bx = (double)(b->x - a->x), by = (double)(b->y - a->y), cx = (double)(c->x - a->x);
    double cy = (double)(c->y - a->y), b_depth = b->depth - a->depth, c_depth = c->depth - a->depth;
    double dx = (b_depth * cy - c_depth * by) / (double)area * pixel;
    double dy = (c_depth * bx - b_depth * cx) / (double)area * pixel;
    struct depth_plane plane = { .corner =
                                     (float)(a->depth + dx * (tile->x - a->x / pixel) + dy * (tile->y - a->y / pixel)),
                                 .dx = (float)dx,
                                 .dy = (float)dy,
                                 .least = tide_float_min(a->depth, tide_float_min(b->depth, c->depth)),
                                 .most = tide_float_max(a->depth, tide_float_max(b->depth, c->depth)) };
    plane.samples = plane.dx * tide_sample_x + plane.dy * tide_sample_y;
    return plane;
}

static int32_t least_of(int32_t a, int32_t b, int32_t c)
{
    int32_t least = a < b ? a : b;
    return c < least ? c : least;
}

static int32_t most_of(int32_t a, int32_t b, int32_t c)
{
    int32_t most = a > b ? a : b;
    return c > most ? c : most;
}

static void fill_pixels(tide_tile *tile, const struct tile_edge edges[3], const struct depth_plane *plane, int32_t sees,
                        const int32_t box[4])
{
    const v4i mark = v4_splat_int(sees);
    for (int32_t y = box[1]; y <= box[3]; y++) {
        float fy = (float)y;
        v4f row[3];
        for (int i = 0; i < 3; i++)
            row[i] = edges[i].corner + edges[i].dy * fy + edges[i].samples;
        v4f depth_row = plane->corner + plane->dy * fy + plane->samples;
        float fx = (float)box[0];
        for (int32_t x = box[0]; x <= box[2]; x++, fx += 1) {
            v4f e0 = row[0] + edges[0].dx * fx, e1 = row[1] + edges[1].dx * fx, e2 = row[2] + edges[2].dx * fx;
            v4i in = v4_min(v4_min(e0, e1), e2) >= 0;
            if (!v4_bits(in))
                continue;
            v4f depth = v4_clamp(depth_row + plane->dx * fx, plane->least, plane->most);
            int32_t place = y * TIDE_TILE_WIDTH + x;
            v4f old = tile->depth[place];
            in &= depth > old;
            tile->depth[place] = v4_select(in, depth, old);
            tile->sees[place] = v4_select_int(in, mark, tile->sees[place]);
        }
    }
}

static void fill_triangle(tide_tile *tile, const tide_raster_vertex *a, const tide_raster_vertex *b,
                          const tide_raster_vertex *c, uint32_t triangle)
{
    int64_t area = ((int64_t)b->x - a->x) * ((int64_t)c->y - a->y) - ((int64_t)b->y - a->y) * ((int64_t)c->x - a->x);
    if (!area)
        return;
    int32_t sees = (int32_t)(2 * triangle); // counter-clockwise is negative here, where y points down
    if (area > 0)
        sees |= 1;
    else {
        const tide_raster_vertex *swap = b;
        b = c;
        c = swap;
        area = -area;
    }
    // the first and last pixels with a sample within; samples are at 32 to 224 of 256
    const int32_t first = TIDE_SUBPIXELS / 8, last = TIDE_SUBPIXELS - first;
    int32_t left = tile->x * TIDE_SUBPIXELS, top = tile->y * TIDE_SUBPIXELS;
    int32_t x0 = least_of(a->x, b->x, c->x) - left, y0 = least_of(a->y, b->y, c->y) - top;
    int32_t x1 = most_of(a->x, b->x, c->x) - left, y1 = most_of(a->y, b->y, c->y) - top;
    if (x1 < first || y1 < first)
        return;
    int32_t box[4] = { x0 <= last ? 0 : (x0 - last + TIDE_SUBPIXELS - 1) / TIDE_SUBPIXELS,
                       y0 <= last ? 0 : (y0 - last + TIDE_SUBPIXELS - 1) / TIDE_SUBPIXELS,
                       (x1 - first) / TIDE_SUBPIXELS, (y1 - first) / TIDE_SUBPIXELS };
    box[2] = box[2] < tile->width - 1 ? box[2] : tile->width - 1;
    box[3] = box[3] < tile->height - 1 ? box[3] : tile->height - 1;
    if (box[0] > box[2] || box[1] > box[3])
        return;
    struct tile_edge edges[3] = { edge_of(tile, b, c), edge_of(tile, c, a), edge_of(tile, a, b) };
    struct depth_plane plane = plane_of(tile, a, b, c, area);
    fill_pixels(tile, edges, &plane, sees, box);
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

// --- samples ----------------------------------------------------------------------------------------------------

static void clear_samples(tide_tile *tile)
{
    const tide_raster_stage *stage = &tile->rasterizer->stage;
    const v4i ground = v4_splat_int(TIDE_SEES_GROUND), sky = v4_splat_int(TIDE_SEES_SKY);
    v4f samples = stage->ground_depth_x * tide_sample_x + stage->ground_depth_y * tide_sample_y;
    for (int32_t y = 0; y < tile->height; y++)
        for (int32_t x = 0; x < tile->width; x++) {
            int32_t place = y * TIDE_TILE_WIDTH + x;
            v4f depth = v4_splat(0);
            if (stage->has_ground)
                depth = stage->ground_depth + stage->ground_depth_x * (float)(tile->x + x) +
                        stage->ground_depth_y * (float)(tile->y + y) + samples;
            tile->sees[place] = v4_select_int(depth > 0, ground, sky);
            tile->depth[place] = v4_max(depth, v4_splat(0));
        }
}

// --- colours ----------------------------------------------------------------------------------------------------

struct shade_queue {
    tide_tile *tile;
    void (*shade)(tide_tile *tile, const tide_shade_item *items, uint32_t count);
    uint32_t count;
    tide_shade_item items[4];
};

static void flush(struct shade_queue *queue)
{
    if (queue->count)
        queue->shade(queue->tile, queue->items, queue->count);
    queue->count = 0;
}

static void push(struct shade_queue *queue, int32_t sees, uint32_t pixel, float x, float y, float share)
{
    queue->items[queue->count++] = (tide_shade_item) { sees, pixel, x, y, share };
    if (queue->count == 4)
        flush(queue);
}

// Neighbouring triangles of a smooth surface are shaded as one where they share a pixel.
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
    return rasterizer->surface_count == 1 ||
           tide_raster_surface_of(rasterizer, (uint32_t)a >> 1) == tide_raster_surface_of(rasterizer, (uint32_t)b >> 1);
}

static void push_pixel(tide_tile *tile, uint32_t pixel, float x, float y, struct shade_queue queues[2])
{
    int32_t sees[4];
    float depth[4];
    memcpy(sees, &tile->sees[pixel], sizeof sees);
    memcpy(depth, &tile->depth[pixel], sizeof depth);
    uint32_t triangles = tile->rasterizer->triangle_count;
    uint32_t left = 15;
    for (uint32_t i = 0; i < 4; i++) {
        if (!(left >> i & 1) || sees[i] < 0)
            continue;
        // where the first of them is seen: beside it, in its plane, may be far along a slender triangle
        float sum_x = 0, sum_y = 0, own = 0, count = 0;
        for (uint32_t k = i; k < 4; k++)
            if (left >> k & 1 && seen_as_one(tile, sees[i], sees[k], depth[i], depth[k])) {
                left &= ~(1u << k);
                count++;
                if (sees[k] == sees[i]) {
                    sum_x += tide_sample_x[k];
                    sum_y += tide_sample_y[k];
                    own++;
                }
            }
        push(&queues[(uint32_t)sees[i] >> 1 >= triangles], sees[i], pixel, x + sum_x / own, y + sum_y / own,
             0.25f * count);
    }
}

// The share of each of four pixels that sees ground or sky, the numbers of which are negative
static v4f open_shares(const tide_tile *tile, uint32_t place)
{
    const v4i *sees = &tile->sees[place];
    v4i any = sees[0] | sees[1] | sees[2] | sees[3], all = sees[0] & sees[1] & sees[2] & sees[3];
    if (v4_bits(all) == 15)
        return v4_splat(1);
    if (!v4_bits(any))
        return v4_splat(0);
    v4f open;
    for (int k = 0; k < 4; k++)
        open[k] = tide_sample_shares[v4_bits(sees[k])];
    return open;
}

static void colour_surroundings(tide_tile *tile, bool alone)
{
    for (int32_t y = 0; y < tile->height; y++)
        for (int32_t x = 0; x < tile->width; x += 4) {
            uint32_t place = (uint32_t)(y * TIDE_TILE_WIDTH + x);
            v4f open = alone ? v4_splat(1) : open_shares(tile, place), colour[3] = { open, open, open };
            if (v4_bits(open > 0)) {
                tide_shade_ground(tile->rasterizer, (float)(tile->x + x) + 0.5f, (float)(tile->y + y) + 0.5f, colour);
                for (int i = 0; i < 3; i++)
                    colour[i] *= open;
            }
            v4_store(tile->red + place, colour[0]);
            v4_store(tile->green + place, colour[1]);
            v4_store(tile->blue + place, colour[2]);
        }
}

static void colour_primitives(tide_tile *tile)
{
    struct shade_queue queues[2] = { { .tile = tile, .shade = tide_shade_triangles },
                                     { .tile = tile, .shade = tide_shade_solids } };
    uint32_t triangles = tile->rasterizer->triangle_count;
    for (int32_t y = 0; y < tile->height; y++)
        for (int32_t x = 0; x < tile->width; x++) {
            uint32_t place = (uint32_t)(y * TIDE_TILE_WIDTH + x);
            v4i sees = tile->sees[place];
            if (v4_bits(sees) == 15)
                continue;
            float left = (float)(tile->x + x), top = (float)(tile->y + y);
            int32_t first = sees[0];
            if (v4_bits(sees == first) == 15)
                push(&queues[(uint32_t)first >> 1 >= triangles], first, place, left + 0.5f, top + 0.5f, 1);
            else
                push_pixel(tile, place, left, top, queues);
        }
    flush(&queues[0]);
    flush(&queues[1]);
}

// Thresholds of an ordered dither, which hides the steps of smooth gradients; kept off 0 and 1 so that flat colours
// stay flat.
static const float dither[4][4] = { { 0.08f, 0.53f, 0.19f, 0.64f },
                                    { 0.75f, 0.30f, 0.86f, 0.42f },
                                    { 0.25f, 0.70f, 0.14f, 0.58f },
                                    { 0.92f, 0.47f, 0.81f, 0.36f } };

// sRGB, 0 to 255, of linear components in [0, 1]: the straight part near black, and above it a fit within 0.04
static v4f encode(v4f c)
{
    v4f root = v4_sqrt(c), fourth = v4_sqrt(root);
    v4f curve = 226.751483f * root + 67.7270055f * fourth + c * (3.4800615f * c - 24.5739165f) - 18.3504885f;
    return v4_min(v4_select(c <= 0.0031308f, 3294.6f * c, curve), v4_splat(255));
}

static void write_pixels(const tide_tile *tile)
{
    const tide_image *image = tile->rasterizer->image;
    for (int32_t y = 0; y < tile->height; y++) {
        uint8_t *to = image->pixels + 4 * ((size_t)(tile->y + y) * image->width + (size_t)tile->x);
        v4f threshold = v4_load(dither[y & 3]);
        for (int32_t x = 0; x < tile->width; x += 4) {
            int32_t place = y * TIDE_TILE_WIDTH + x;
            v4i red = v4_truncate(encode(v4_clamp(v4_load(tile->red + place), 0, 1)) + threshold);
            v4i green = v4_truncate(encode(v4_clamp(v4_load(tile->green + place), 0, 1)) + threshold);
            v4i blue = v4_truncate(encode(v4_clamp(v4_load(tile->blue + place), 0, 1)) + threshold);
            int32_t wide = tile->width - x < 4 ? tile->width - x : 4;
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
            v4i packed = red | green << 8 | blue << 16 | v4_splat_int((int32_t)0xff000000u);
#else
            v4i packed = red << 24 | green << 16 | blue << 8 | v4_splat_int(255);
#endif
            if (wide == 4)
                memcpy(to + 4 * x, &packed, 16);
            else
                memcpy(to + 4 * x, &packed, 4 * (size_t)wide);
        }
    }
}

// --- tiles ------------------------------------------------------------------------------------------------------

static void draw_tile(const tide_rasterizer *rasterizer, uint32_t index)
{
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
    bool alone = item == end || *item >= first_mark; // nothing but ground and sky, and marks over it
    if (item < end)
        clear_samples(&tile);
    for (; item < end && *item < rasterizer->triangle_count; item++) {
        if (!surface || *item - surface->first_triangle >= surface->source->triangle_count)
            surface = tide_raster_surface_of(rasterizer, *item);
        draw_triangle(&tile, surface, *item);
    }
    for (; item < end && *item < first_mark; item++)
        tide_tile_solid(&tile, *item);
    bool bare = alone && tide_raster_is_bare(&tile);
    if (!bare || !tide_raster_recall(&tile)) {
        colour_surroundings(&tile, alone);
        if (!alone)
            colour_primitives(&tile);
        write_pixels(&tile);
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
    // Tiles are taken in strides, so that each thread gets its share of the crowded middle.
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
