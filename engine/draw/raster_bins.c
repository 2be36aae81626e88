// Which primitives touch which tile. Primitives are counted and then placed chunk by chunk, so that every tile lists
// its primitives in their order, whatever the number of threads.
#include "base/memory.h"
#include "base/parallel.h"
#include "draw/rasterizer_parts.h"

static const tide_raster_bounds nothing = { .x0 = 1, .x1 = 0 };

static tide_raster_bounds tiles_of(const tide_rasterizer *rasterizer, float x0, float y0, float x1, float y1)
{
    float width = (float)rasterizer->image->width, height = (float)rasterizer->image->height;
    if (!(x1 >= 0 && y1 >= 0 && x0 < width && y0 < height && x0 <= x1 && y0 <= y1))
        return nothing;
    return (tide_raster_bounds) { .x0 = (uint16_t)((uint32_t)tide_float_max(x0, 0) / TIDE_TILE_WIDTH),
                                  .y0 = (uint16_t)((uint32_t)tide_float_max(y0, 0) / TIDE_TILE_HEIGHT),
                                  .x1 = (uint16_t)((uint32_t)tide_float_min(x1, width - 1) / TIDE_TILE_WIDTH),
                                  .y1 = (uint16_t)((uint32_t)tide_float_min(y1, height - 1) / TIDE_TILE_HEIGHT) };
}

static int32_t least(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

static int32_t most(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

// The tiles of a box in subpixels
static tide_raster_bounds tiles_of_box(const tide_rasterizer *rasterizer, int32_t x0, int32_t y0, int32_t x1,
                                       int32_t y1)
{
    const int32_t width = (int32_t)rasterizer->image->width, height = (int32_t)rasterizer->image->height;
    if (x1 < 0 || y1 < 0 || x0 >= width * TIDE_SUBPIXELS || y0 >= height * TIDE_SUBPIXELS)
        return nothing;
    return (tide_raster_bounds) { .x0 = (uint16_t)(most(x0, 0) / (TIDE_SUBPIXELS * TIDE_TILE_WIDTH)),
                                  .y0 = (uint16_t)(most(y0, 0) / (TIDE_SUBPIXELS * TIDE_TILE_HEIGHT)),
                                  .x1 = (uint16_t)(least(x1 / TIDE_SUBPIXELS, width - 1) / TIDE_TILE_WIDTH),
                                  .y1 = (uint16_t)(least(y1 / TIDE_SUBPIXELS, height - 1) / TIDE_TILE_HEIGHT) };
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
        return tiles_of_box(rasterizer, least(a->x, least(b->x, c->x)), least(a->y, least(b->y, c->y)),
                            most(a->x, most(b->x, c->x)), most(a->y, most(b->y, c->y)));
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
    float box[4];
    return tide_solid_extent(rasterizer, solid, box) ? tiles_of(rasterizer, box[0], box[1], box[2], box[3]) : nothing;
}

static tide_raster_bounds mark_bounds(const tide_rasterizer *rasterizer, const tide_raster_mark *mark)
{
    float margin = mark->radius + 1;
    return tiles_of(rasterizer, tide_float_min(mark->x0, mark->x1) - margin,
                    tide_float_min(mark->y0, mark->y1) - margin, tide_float_max(mark->x0, mark->x1) + margin,
                    tide_float_max(mark->y0, mark->y1) + margin);
}

static void count_chunk(tide_rasterizer *rasterizer, uint32_t chunk)
{
    uint32_t columns = rasterizer->tile_columns, triangles = rasterizer->triangle_count;
    uint32_t primitive_count = triangles + rasterizer->solid_count + rasterizer->mark_count;
    uint32_t begin = chunk * rasterizer->bin_grain, end = begin + rasterizer->bin_grain;
    uint32_t *counts = rasterizer->counts + (size_t)chunk * columns * rasterizer->tile_rows;
    memset(counts, 0, sizeof *counts * columns * rasterizer->tile_rows);
    const tide_raster_surface *surface = NULL;
    for (uint32_t i = begin; i < end && i < primitive_count; i++) {
        tide_raster_bounds bounds;
        if (i < triangles) {
            if (!surface || i - surface->first_triangle >= surface->source->triangle_count)
                surface = tide_raster_surface_of(rasterizer, i);
            bounds = triangle_bounds(rasterizer, surface, i);
        } else if (i < triangles + rasterizer->solid_count)
            bounds = solid_bounds(rasterizer, &rasterizer->solids[i - triangles]);
        else
            bounds = mark_bounds(rasterizer, &rasterizer->sorted_marks[i - triangles - rasterizer->solid_count]);
        rasterizer->bounds[i] = bounds;
        if (bounds.x0 > bounds.x1)
            continue;
        for (uint32_t y = bounds.y0; y <= bounds.y1; y++)
            for (uint32_t x = bounds.x0; x <= bounds.x1; x++)
                counts[y * columns + x]++;
    }
}

static void place_chunk(tide_rasterizer *rasterizer, uint32_t chunk)
{
    uint32_t columns = rasterizer->tile_columns;
    uint32_t primitive_count = rasterizer->triangle_count + rasterizer->solid_count + rasterizer->mark_count;
    uint32_t begin = chunk * rasterizer->bin_grain, end = begin + rasterizer->bin_grain;
    uint32_t *places = rasterizer->counts + (size_t)chunk * columns * rasterizer->tile_rows;
    for (uint32_t i = begin; i < end && i < primitive_count; i++) {
        tide_raster_bounds bounds = rasterizer->bounds[i];
        if (bounds.x0 > bounds.x1)
            continue;
        for (uint32_t y = bounds.y0; y <= bounds.y1; y++)
            for (uint32_t x = bounds.x0; x <= bounds.x1; x++)
                rasterizer->items[places[y * columns + x]++] = i;
    }
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

tide_status tide_raster_bin(tide_rasterizer *rasterizer, tide_error *error)
{
    uint32_t columns = (rasterizer->image->width + TIDE_TILE_WIDTH - 1) / TIDE_TILE_WIDTH;
    uint32_t rows = (rasterizer->image->height + TIDE_TILE_HEIGHT - 1) / TIDE_TILE_HEIGHT;
    uint32_t tiles = columns * rows;
    uint32_t primitive_count = rasterizer->triangle_count + rasterizer->solid_count + rasterizer->mark_count;
    uint32_t grain = primitive_count / TIDE_BIN_CHUNKS + 1;
    rasterizer->bin_grain = grain < 1024 ? 1024 : grain;
    rasterizer->bin_chunks = (primitive_count + rasterizer->bin_grain - 1) / rasterizer->bin_grain;
    rasterizer->tile_columns = columns;
    rasterizer->tile_rows = rows;
    if (!tide_grow(&rasterizer->bounds, &rasterizer->bounds_capacity, primitive_count, sizeof *rasterizer->bounds) ||
        !tide_grow(&rasterizer->counts, &rasterizer->count_capacity, (size_t)tiles * rasterizer->bin_chunks,
                   sizeof *rasterizer->counts) ||
        !tide_grow(&rasterizer->starts, &rasterizer->start_capacity, (size_t)tiles + 1, sizeof *rasterizer->starts))
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
    if (!tide_grow(&rasterizer->items, &rasterizer->item_capacity, sum, sizeof *rasterizer->items))
        return tide_fail_memory(error, "picture");
    tide_parallel_for(rasterizer->bin_chunks, 1, place_chunks, rasterizer);
    return TIDE_OK;
}
