// Ambient occlusion: renders the scene's depths into a small map and computes the openness from them.
#include "base/memory.h"
#include "base/parallel.h"
#include "draw/raster_kernels.h"

enum {
    LARGEST = 640, // texels in each direction
    PADDING = 16,  // before the first texel and after each row
    OUTLINE = 12   // corners of a solid's outline
};
static const float reach = 0.11f; // radius of occlusion, as a fraction of the scene's radius
static const float pi = 3.14159265f;

void tide_openness_fit(tide_rasterizer *rasterizer)
{
    tide_openness *map = &rasterizer->openness;
    const int32_t width = (int32_t)rasterizer->image->width, height = (int32_t)rasterizer->image->height;
    map->shift = 1;
    while ((width > height ? width : height) >> map->shift > LARGEST)
        map->shift++;
    map->width = (width + (1 << map->shift) - 1) >> map->shift;
    map->height = (height + (1 << map->shift) - 1) >> map->shift;
    map->stride = (map->width + 2 * PADDING - 1) / PADDING * PADDING;
    map->radius = reach * rasterizer->stage.radius;
}

// --- depths -----------------------------------------------------------------------------------------------------

static tide_map_vertex map_vertex(const tide_openness *map, int32_t x, int32_t y, float depth)
{
    const int32_t step = TIDE_SUBPIXELS / TIDE_SUBTEXELS << map->shift;
    return (tide_map_vertex) { .x = x >= 0 ? x / step : -((step - 1 - x) / step),
                               .y = y >= 0 ? y / step : -((step - 1 - y) / step),
                               .value = depth };
}

// Returns whether the vertex is within the range of map coordinates
static bool near_map(const tide_rasterizer *rasterizer, const tide_raster_vertex *a)
{
    const int32_t most = TIDE_SUBPIXELS * (LARGEST << rasterizer->openness.shift);
    return a->status == TIDE_VERTEX_ON_SCREEN && a->x > -most && a->x < 2 * most && a->y > -most && a->y < 2 * most;
}

static void draw_triangle(const tide_rasterizer *rasterizer, const tide_raster_surface *surface, const uint32_t *index,
                          const tide_map_rows *rows)
{
    const tide_openness *map = &rasterizer->openness;
    const tide_raster_vertex *vertices = rasterizer->vertices + surface->first_vertex;
    const tide_raster_vertex *corners[3] = { vertices + index[0], vertices + index[1], vertices + index[2] };
    tide_raster_vertex cut[TIDE_CLIP_MAX];
    tide_map_vertex placed[TIDE_CLIP_MAX];
    uint32_t count = 3;
    bool whole = true;
    for (int k = 0; k < 3; k++) {
        if (corners[k]->status == TIDE_VERTEX_BAD)
            return;
        whole = whole && near_map(rasterizer, corners[k]);
        cut[k] = *corners[k];
    }
    if (!whole) {
        const tide_raster_attributes *attributes = rasterizer->attributes + surface->first_vertex;
        const tide_raster_attributes *const all[3] = { attributes + index[0], attributes + index[1],
                                                       attributes + index[2] };
        count = tide_raster_clip_to(&rasterizer->view, (float)(LARGEST << map->shift) * 0.9f, all, cut);
    }
    for (uint32_t k = 0; k < count; k++)
        placed[k] = map_vertex(map, cut[k].x, cut[k].y, cut[k].depth);
    for (uint32_t k = 2; k < count; k++)
        rasterizer->kernels->map_triangle(rows, &placed[0], &placed[k - 1], &placed[k]);
}

// Draws the outline of a tube or ball, which bulges towards the viewer
static void draw_solid(const tide_rasterizer *rasterizer, const tide_raster_solid *solid, const tide_map_rows *rows)
{
    const tide_raster_view *view = &rasterizer->view;
    const tide_float3 ends[2] = { solid->from, tide_float3_add(solid->from, solid->along) };
    float x[2], y[2], depth[2], size[2];
    if (solid->thin)
        return;
    for (int k = 0; k < 2; k++) {
        float w = tide_float3_dot(view->forward, ends[k]);
        if (w - solid->radius <= view->near_plane)
            return; // the viewer is inside
        depth[k] = 1 / w;
        x[k] = view->centre_x + view->focal * tide_float3_dot(view->right, ends[k]) * depth[k];
        y[k] = view->centre_y - view->focal * tide_float3_dot(view->up, ends[k]) * depth[k];
        size[k] = view->focal * solid->radius * depth[k];
        const float most = 0.9f * (float)(LARGEST << rasterizer->openness.shift);
        if (!(fabsf(x[k] - view->centre_x) + size[k] < most && fabsf(y[k] - view->centre_y) + size[k] < most))
            return;
    }
    float turn = atan2f(y[1] - y[0], x[1] - x[0]), middle = 0.5f * (depth[0] + depth[1]);
    tide_map_vertex corners[OUTLINE + 1];
    for (int i = 0; i <= OUTLINE; i++) {
        // the first half of the outline is around the far end
        int k = i < OUTLINE / 2;
        float angle = turn + pi * (((float)i + 0.5f) / (OUTLINE / 2) - 0.5f);
        corners[i] =
            map_vertex(&rasterizer->openness, tide_round_float((x[k] + size[k] * cosf(angle)) * TIDE_SUBPIXELS),
                       tide_round_float((y[k] + size[k] * sinf(angle)) * TIDE_SUBPIXELS), depth[k]);
    }
    corners[OUTLINE] =
        map_vertex(&rasterizer->openness, tide_round_float(0.5f * (x[0] + x[1]) * TIDE_SUBPIXELS),
                   tide_round_float(0.5f * (y[0] + y[1]) * TIDE_SUBPIXELS), middle / (1 - solid->radius * middle));
    for (int i = 0; i < OUTLINE; i++)
        rasterizer->kernels->map_triangle(rows, &corners[OUTLINE], &corners[i], &corners[(i + 1) % OUTLINE]);
}

typedef struct depth_work {
    tide_rasterizer *rasterizer;
    int32_t rows; // per band
} depth_work;

static void draw_band(const tide_rasterizer *rasterizer, int32_t begin, int32_t end)
{
    const tide_openness *map = &rasterizer->openness;
    const tide_map_rows rows = { map->depth, map->width, map->stride, begin, end };
    memset(map->depth + (size_t)begin * (size_t)map->stride, 0,
           sizeof *map->depth * (size_t)(end - begin) * (size_t)map->stride);
    for (size_t s = 0; s < rasterizer->surface_count; s++) {
        const tide_raster_surface *surface = &rasterizer->surfaces[s];
        const tide_draw_surface *source = surface->source;
        for (const uint32_t *index = source->triangles, *last = index + 3 * (size_t)source->triangle_count;
             index < last; index += 3)
            if (index[0] < source->vertex_count && index[1] < source->vertex_count && index[2] < source->vertex_count)
                draw_triangle(rasterizer, surface, index, &rows);
    }
    for (uint32_t i = 0; i < rasterizer->solid_count; i++)
        draw_solid(rasterizer, &rasterizer->solids[i], &rows);
}

static void draw_bands(void *context, uint32_t begin, uint32_t end)
{
    const depth_work *work = context;
    const int32_t height = work->rasterizer->openness.height;
    for (uint32_t band = begin; band < end; band++) {
        int32_t first = (int32_t)band * work->rows, last = first + work->rows;
        draw_band(work->rasterizer, first, last < height ? last : height);
    }
}

static void open_rows(void *context, uint32_t begin, uint32_t end)
{
    const tide_rasterizer *rasterizer = context;
    rasterizer->kernels->open_rows(rasterizer, (int32_t)begin, (int32_t)end);
}

static void smooth_rows(void *context, uint32_t begin, uint32_t end)
{
    const tide_rasterizer *rasterizer = context;
    rasterizer->kernels->smooth_rows(rasterizer, (int32_t)begin, (int32_t)end);
}

tide_status tide_openness_draw(tide_rasterizer *rasterizer, tide_error *error)
{
    tide_openness *map = &rasterizer->openness;
    tide_openness_fit(rasterizer);
    if (!rasterizer->triangle_count && !rasterizer->solid_count)
        return TIDE_OK;
    size_t texels = (size_t)map->stride * (size_t)(map->height + 1) + 2 * PADDING;
    if (!tide_grow_owned(rasterizer, &map->depth_memory, &map->depth_capacity, texels, sizeof *map->depth) ||
        !tide_grow_owned(rasterizer, &map->raw_memory, &map->raw_capacity, texels, sizeof *map->raw) ||
        !tide_grow_owned(rasterizer, &map->packed, &map->packed_capacity, texels, sizeof *map->packed))
        return tide_fail_memory(error, "picture");
    map->depth = map->depth_memory + PADDING;
    map->raw = map->raw_memory + PADDING;
    const uint32_t height = (uint32_t)map->height, most = tide_threads() > 1 ? 4 * (uint32_t)tide_threads() : 1;
    depth_work work = { rasterizer, (int32_t)((height + most - 1) / most) };
    tide_parallel_for((height + (uint32_t)work.rows - 1) / (uint32_t)work.rows, 1, draw_bands, &work);
    tide_parallel_for(height, 8, open_rows, rasterizer);
    tide_parallel_for(height, 8, smooth_rows, rasterizer);
    return TIDE_OK;
}
