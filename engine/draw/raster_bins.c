// Puts primitives into the bins of the tiles that they touch. Counts them and then stores them chunk by chunk, so that
// every tile lists its primitives in order for any number of threads. First leaves out the largest ones if all would
// cost too much.
#include "base/memory.h"
#include "base/parallel.h"
#include "draw/rasterizer_parts.h"

static const tide_raster_bounds nothing = { .x0 = 1, .x1 = 0 };

// The budget of each kind of primitives, in full pictures. A pixel of a solid takes about ten times as long as one of a
// triangle. Ordinary pictures stay far below all budgets.
static const uint64_t least_picture = 512 * 512; // pixels; smaller pictures have the budget of this size
static const uint64_t most_pictures[TIDE_RASTER_KINDS] = { 48, 6, 12 };

static tide_raster_bounds tiles_of(const tide_rasterizer *rasterizer, float x0, float y0, float x1, float y1)
{
    float width = (float)rasterizer->image->width, height = (float)rasterizer->image->height;
    if (!(x1 >= 0 && y1 >= 0 && x0 < width && y0 < height && x0 <= x1 && y0 <= y1))
        return nothing;
    x0 = tide_float_max(x0, 0);
    y0 = tide_float_max(y0, 0);
    x1 = tide_float_min(x1, width - 1);
    y1 = tide_float_min(y1, height - 1);
    return (tide_raster_bounds) { .x0 = (uint16_t)((uint32_t)x0 / TIDE_TILE_WIDTH),
                                  .y0 = (uint16_t)((uint32_t)y0 / TIDE_TILE_HEIGHT),
                                  .x1 = (uint16_t)((uint32_t)x1 / TIDE_TILE_WIDTH),
                                  .y1 = (uint16_t)((uint32_t)y1 / TIDE_TILE_HEIGHT),
                                  .pixels = (uint32_t)((x1 - x0 + 1) * (y1 - y0 + 1)) };
}

static int32_t least(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

static int32_t most(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

// Returns the tiles of a box in subpixels
static tide_raster_bounds tiles_of_box(const tide_rasterizer *rasterizer, int32_t x0, int32_t y0, int32_t x1,
                                       int32_t y1)
{
    const int32_t width = (int32_t)rasterizer->image->width, height = (int32_t)rasterizer->image->height;
    if (x1 < 0 || y1 < 0 || x0 >= width * TIDE_SUBPIXELS || y0 >= height * TIDE_SUBPIXELS)
        return nothing;
    x0 = most(x0, 0) / TIDE_SUBPIXELS;
    y0 = most(y0, 0) / TIDE_SUBPIXELS;
    x1 = least(x1 / TIDE_SUBPIXELS, width - 1);
    y1 = least(y1 / TIDE_SUBPIXELS, height - 1);
    return (tide_raster_bounds) { .x0 = (uint16_t)(x0 / TIDE_TILE_WIDTH),
                                  .y0 = (uint16_t)(y0 / TIDE_TILE_HEIGHT),
                                  .x1 = (uint16_t)(x1 / TIDE_TILE_WIDTH),
                                  .y1 = (uint16_t)(y1 / TIDE_TILE_HEIGHT),
                                  .pixels = (uint32_t)(x1 - x0 + 1) * (uint32_t)(y1 - y0 + 1) };
}

// Bounds a triangle on the screen. Its cost is its area within the picture, the ends of its rows, and its tiles: for a
// sliver much less than its box.
static tide_raster_bounds bounds_on_screen(const tide_rasterizer *rasterizer, const tide_raster_vertex *a,
                                           const tide_raster_vertex *b, const tide_raster_vertex *c)
{
    enum { SMALL = 256 };
    const float scale = 1.0f / TIDE_SUBPIXELS, image_wide = (float)rasterizer->image->width;
    int32_t x0 = tide_least_of_three(a->x, b->x, c->x), x1 = tide_most_of_three(a->x, b->x, c->x);
    int32_t y0 = tide_least_of_three(a->y, b->y, c->y), y1 = tide_most_of_three(a->y, b->y, c->y);
    tide_raster_bounds bounds = tiles_of_box(rasterizer, x0, y0, x1, y1);
    if (bounds.x0 > bounds.x1 || bounds.pixels <= SMALL)
        return bounds;
    float ux = (float)(b->x - a->x) * scale, uy = (float)(b->y - a->y) * scale;
    float vx = (float)(c->x - a->x) * scale, vy = (float)(c->y - a->y) * scale, area = 0.5f * fabsf(ux * vy - uy * vx);
    float longest = tide_float_max((float)(x1 - x0), (float)(y1 - y0)) * scale;
    float wide = tide_float_min((float)(x1 - x0) * scale, image_wide);
    float high = tide_float_min((float)(y1 - y0) * scale, (float)rasterizer->image->height);
    float tiles = (float)(bounds.x1 - bounds.x0 + 1) * (float)(bounds.y1 - bounds.y0 + 1);
    float in = tide_float_min(area, 2 * area / tide_float_max(longest, 1) * (wide + high));
    float cost = in + 6 * high + 2 * wide + 32 * tiles;
    if (cost < (float)bounds.pixels)
        bounds.pixels = (uint32_t)cost;
    return bounds;
}

static tide_raster_bounds bounds_of_corners(const tide_rasterizer *rasterizer, const tide_raster_vertex *corners,
                                            uint32_t count)
{
    if (count < 3)
        return nothing;
    int32_t x0 = corners[0].x, x1 = x0, y0 = corners[0].y, y1 = y0;
    for (uint32_t i = 1; i < count; i++) {
        x0 = least(x0, corners[i].x);
        x1 = most(x1, corners[i].x);
        y0 = least(y0, corners[i].y);
        y1 = most(y1, corners[i].y);
    }
    return tiles_of_box(rasterizer, x0, y0, x1, y1);
}

static tide_raster_bounds triangle_bounds(const tide_rasterizer *rasterizer, const tide_raster_surface *surface,
                                          uint32_t triangle)
{
    const uint32_t *index = surface->source->triangles + 3 * (size_t)(triangle - surface->first_triangle);
    uint32_t count = surface->source->vertex_count;
    if (index[0] >= count || index[1] >= count || index[2] >= count)
        return nothing;
    const tide_raster_vertex *vertices = rasterizer->vertices + surface->first_vertex;
    const tide_raster_vertex *a = vertices + index[0], *b = vertices + index[1], *c = vertices + index[2];
    uint32_t worst = a->status > b->status ? a->status : b->status;
    worst = c->status > worst ? c->status : worst;
    if (worst == TIDE_VERTEX_ON_SCREEN)
        return bounds_on_screen(rasterizer, a, b, c);
    if (worst == TIDE_VERTEX_BAD)
        return nothing;
    const tide_raster_attributes *attributes = rasterizer->attributes + surface->first_vertex;
    const tide_raster_attributes *const whole[3] = { attributes + index[0], attributes + index[1],
                                                     attributes + index[2] };
    tide_raster_vertex corners[TIDE_CLIP_MAX];
    uint32_t corner_count = tide_raster_clip(&rasterizer->view, whole, corners);
    return bounds_of_corners(rasterizer, corners, corner_count);
}

static tide_raster_bounds solid_bounds(const tide_rasterizer *rasterizer, const tide_raster_solid *solid)
{
    if (solid->thin)
        return nothing;
    float box[4];
    tide_fat_segment segment;
    if (!tide_solid_extent(rasterizer, solid, box))
        return nothing;
    tide_raster_bounds bounds = tiles_of(rasterizer, box[0], box[1], box[2], box[3]);
    if (bounds.x0 <= bounds.x1 && tide_solid_segment(&rasterizer->view, solid, &segment))
        bounds.pixels =
            tide_fat_segment_pixels(&segment, (float)rasterizer->image->width, (float)rasterizer->image->height);
    return bounds;
}

static tide_raster_bounds mark_bounds(const tide_rasterizer *rasterizer, const tide_raster_mark *mark)
{
    float margin = mark->radius + 1;
    tide_fat_segment segment = tide_mark_segment(mark);
    tide_raster_bounds bounds =
        tiles_of(rasterizer, tide_float_min(mark->x0, mark->x1) - margin, tide_float_min(mark->y0, mark->y1) - margin,
                 tide_float_max(mark->x0, mark->x1) + margin, tide_float_max(mark->y0, mark->y1) + margin);
    if (bounds.x0 <= bounds.x1)
        bounds.pixels =
            tide_fat_segment_pixels(&segment, (float)rasterizer->image->width, (float)rasterizer->image->height);
    return bounds;
}

typedef enum primitive_kind { TRIANGLE, SOLID, MARK } primitive_kind;

static primitive_kind kind_of(const tide_rasterizer *rasterizer, uint32_t primitive)
{
    uint32_t triangles = rasterizer->triangle_count;
    return primitive < triangles ? TRIANGLE : primitive < triangles + rasterizer->solid_count ? SOLID : MARK;
}

static uint32_t primitive_count_of(const tide_rasterizer *rasterizer)
{
    return rasterizer->triangle_count + rasterizer->solid_count + rasterizer->mark_count;
}

static const tide_raster_solid *solid_at(const tide_rasterizer *rasterizer, uint32_t primitive)
{
    return &rasterizer->solids[primitive - rasterizer->triangle_count];
}

static const tide_raster_mark *mark_at(const tide_rasterizer *rasterizer, uint32_t primitive)
{
    return &rasterizer->sorted_marks[primitive - rasterizer->triangle_count - rasterizer->solid_count];
}

static void measure_chunk(tide_rasterizer *rasterizer, uint32_t chunk)
{
    uint32_t begin = chunk * rasterizer->bin_grain, end = begin + rasterizer->bin_grain;
    uint32_t primitive_count = primitive_count_of(rasterizer);
    tide_raster_sizes *sizes = rasterizer->sizes[chunk];
    memset(sizes, 0, sizeof rasterizer->sizes[chunk]);
    const tide_raster_surface *surface = NULL;
    for (uint32_t i = begin; i < end && i < primitive_count; i++) {
        primitive_kind kind = kind_of(rasterizer, i);
        tide_raster_bounds bounds;
        if (kind == TRIANGLE) {
            if (!surface || i - surface->first_triangle >= surface->source->triangle_count)
                surface = tide_raster_surface_of(rasterizer, i);
            bounds = triangle_bounds(rasterizer, surface, i);
        } else
            bounds = kind == SOLID ? solid_bounds(rasterizer, solid_at(rasterizer, i))
                                   : mark_bounds(rasterizer, mark_at(rasterizer, i));
        rasterizer->bounds[i] = bounds;
        tide_raster_sizes_add(&sizes[kind], bounds.pixels);
    }
}

// Leaves out primitives beyond the budget, in their order, so that the picture is the same for any number of threads.
static void leave_out(tide_rasterizer *rasterizer)
{
    const uint64_t image = (uint64_t)rasterizer->image->width * rasterizer->image->height;
    const uint64_t pixels = image < least_picture ? least_picture : image;
    tide_raster_limit limits[TIDE_RASTER_KINDS];
    bool all = true;
    for (uint32_t kind = 0; kind < TIDE_RASTER_KINDS; kind++) {
        tide_raster_sizes sum = { { 0 } };
        for (uint32_t chunk = 0; chunk < rasterizer->bin_chunks; chunk++)
            for (uint32_t i = 0; i < TIDE_BUDGET_SIZES; i++) {
                sum.pixels[i] += rasterizer->sizes[chunk][kind].pixels[i];
                rasterizer->cost.pixels += rasterizer->sizes[chunk][kind].pixels[i];
            }
        limits[kind] = tide_raster_limit_of(&sum, most_pictures[kind] * pixels);
        all = all && limits[kind].size == TIDE_BUDGET_SIZES;
    }
    for (uint32_t i = 0; !all && i < primitive_count_of(rasterizer); i++) {
        uint32_t cost = rasterizer->bounds[i].pixels;
        if (tide_raster_limit_allows(&limits[kind_of(rasterizer, i)], cost))
            continue;
        rasterizer->bounds[i] = nothing;
        rasterizer->bounds[i].pixels = TIDE_LEFT_OUT;
        rasterizer->cost.pixels -= cost;
        rasterizer->cost.left_out++;
    }
}

// The tiles of a primitive, row by row: a diagonal line or tube has fewer than its box.
typedef struct tile_rows {
    tide_raster_bounds bounds;
    tide_fat_segment segment;
    bool slants;
} tile_rows;

static tile_rows rows_of(const tide_rasterizer *rasterizer, uint32_t primitive)
{
    tile_rows rows = { .bounds = rasterizer->bounds[primitive] };
    primitive_kind kind = kind_of(rasterizer, primitive);
    if (kind == TRIANGLE || rows.bounds.x0 >= rows.bounds.x1 || rows.bounds.y0 >= rows.bounds.y1)
        return rows;
    rows.slants = true;
    if (kind == MARK)
        rows.segment = tide_mark_segment(mark_at(rasterizer, primitive));
    else
        rows.slants = tide_solid_segment(&rasterizer->view, solid_at(rasterizer, primitive), &rows.segment);
    return rows;
}

static tide_raster_bounds row_at(const tile_rows *rows, uint32_t y)
{
    float left, right, top = (float)(y * TIDE_TILE_HEIGHT);
    tide_raster_bounds row = rows->bounds;
    if (!rows->slants)
        return row;
    if (!tide_fat_segment_span(&rows->segment, top, top + TIDE_TILE_HEIGHT, &left, &right) || right < 0)
        return nothing;
    float first = floorf(tide_float_max(left, 0) / TIDE_TILE_WIDTH), last = floorf(right / TIDE_TILE_WIDTH);
    row.x0 = first > row.x0 ? first <= row.x1 ? (uint16_t)first : (uint16_t)(row.x1 + 1) : row.x0;
    row.x1 = last < row.x1 ? (uint16_t)last : row.x1;
    return row;
}

static void count_chunk(tide_rasterizer *rasterizer, uint32_t chunk)
{
    uint32_t columns = rasterizer->tile_columns, primitive_count = primitive_count_of(rasterizer);
    uint32_t begin = chunk * rasterizer->bin_grain, end = begin + rasterizer->bin_grain;
    uint32_t *counts = rasterizer->counts + (size_t)chunk * columns * rasterizer->tile_rows;
    memset(counts, 0, sizeof *counts * columns * rasterizer->tile_rows);
    for (uint32_t i = begin; i < end && i < primitive_count; i++) {
        if (rasterizer->bounds[i].x0 > rasterizer->bounds[i].x1)
            continue;
        tile_rows rows = rows_of(rasterizer, i);
        for (uint32_t y = rows.bounds.y0; y <= rows.bounds.y1; y++) {
            tide_raster_bounds row = row_at(&rows, y);
            for (uint32_t x = row.x0; x <= row.x1; x++)
                counts[y * columns + x]++;
        }
    }
}

static void place_chunk(tide_rasterizer *rasterizer, uint32_t chunk)
{
    uint32_t columns = rasterizer->tile_columns, primitive_count = primitive_count_of(rasterizer);
    uint32_t begin = chunk * rasterizer->bin_grain, end = begin + rasterizer->bin_grain;
    uint32_t *places = rasterizer->counts + (size_t)chunk * columns * rasterizer->tile_rows;
    for (uint32_t i = begin; i < end && i < primitive_count; i++) {
        if (rasterizer->bounds[i].x0 > rasterizer->bounds[i].x1)
            continue;
        tile_rows rows = rows_of(rasterizer, i);
        for (uint32_t y = rows.bounds.y0; y <= rows.bounds.y1; y++) {
            tide_raster_bounds row = row_at(&rows, y);
            for (uint32_t x = row.x0; x <= row.x1; x++)
                rasterizer->items[places[y * columns + x]++] = i;
        }
    }
}

static void measure_chunks(void *context, uint32_t begin, uint32_t end)
{
    for (uint32_t chunk = begin; chunk < end; chunk++)
        measure_chunk(context, chunk);
}

static void count_chunks(void *context, uint32_t begin, uint32_t end)
{
    for (uint32_t chunk = begin; chunk < end; chunk++)
        count_chunk(context, chunk);
}

static void place_chunks(void *context, uint32_t begin, uint32_t end)
{
    for (uint32_t chunk = begin; chunk < end; chunk++)
        place_chunk(context, chunk);
}

tide_status tide_raster_measure(tide_rasterizer *rasterizer, tide_error *error)
{
    uint32_t primitive_count = primitive_count_of(rasterizer), grain = primitive_count / TIDE_BIN_CHUNKS + 1;
    rasterizer->bin_grain = grain < 1024 ? 1024 : grain;
    rasterizer->bin_chunks = (primitive_count + rasterizer->bin_grain - 1) / rasterizer->bin_grain;
    if (!tide_grow_owned(rasterizer, &rasterizer->bounds, &rasterizer->bounds_capacity, primitive_count,
                         sizeof *rasterizer->bounds))
        return tide_fail_memory(error, "picture");
    tide_parallel_for(rasterizer->bin_chunks, 1, measure_chunks, rasterizer);
    leave_out(rasterizer);
    return TIDE_OK;
}

tide_status tide_raster_bin(tide_rasterizer *rasterizer, tide_error *error)
{
    uint32_t columns = (rasterizer->image->width + TIDE_TILE_WIDTH - 1) / TIDE_TILE_WIDTH;
    uint32_t rows = (rasterizer->image->height + TIDE_TILE_HEIGHT - 1) / TIDE_TILE_HEIGHT;
    uint32_t tiles = columns * rows;
    TIDE_TRY(tide_raster_measure(rasterizer, error));
    rasterizer->tile_columns = columns;
    rasterizer->tile_rows = rows;
    if (!tide_grow_owned(rasterizer, &rasterizer->counts, &rasterizer->count_capacity,
                         (size_t)tiles * rasterizer->bin_chunks, sizeof *rasterizer->counts) ||
        !tide_grow_owned(rasterizer, &rasterizer->starts, &rasterizer->start_capacity, (size_t)tiles + 1,
                         sizeof *rasterizer->starts))
        return tide_fail_memory(error, "picture");
    tide_parallel_for(rasterizer->bin_chunks, 1, count_chunks, rasterizer);

    uint64_t sum = 0;
    for (uint32_t tile = 0; tile < tiles; tile++) {
        rasterizer->starts[tile] = (uint32_t)sum;
        for (uint32_t chunk = 0; chunk < rasterizer->bin_chunks; chunk++) {
            uint32_t *count = &rasterizer->counts[(size_t)chunk * tiles + tile];
            uint32_t here = *count;
            *count = (uint32_t)sum;
            sum += here;
        }
        if (sum > UINT32_MAX)
            return tide_fail(error, TIDE_ERROR_ARGUMENT, "picture", NULL, NULL,
                             "too many large triangles for a picture of this size; make it smaller");
    }
    rasterizer->starts[tiles] = (uint32_t)sum;
    if (!tide_grow_owned(rasterizer, &rasterizer->items, &rasterizer->item_capacity, sum, sizeof *rasterizer->items))
        return tide_fail_memory(error, "picture");
    tide_parallel_for(rasterizer->bin_chunks, 1, place_chunks, rasterizer);
    return TIDE_OK;
}
