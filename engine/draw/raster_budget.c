// Limits the cost of pictures. An exploded state has thousands of primitives as large as the screen: one full picture
// would take many seconds. Primitives are grouped by size; if they exceed the budget, the largest are left out. Also
// bounds the tiles of diagonal lines and tubes.
#include "draw/rasterizer_parts.h"

enum { NEGLIGIBLE = 64 };                    // pixels; smaller primitives cost no more than those of a fine mesh
static const uint64_t most_shadow_maps = 48; // the budget: maps full of casters

uint32_t tide_raster_size_of(uint32_t pixels)
{
    return pixels <= NEGLIGIBLE ? 0 : 32 - (uint32_t)__builtin_clz(pixels);
}

tide_raster_limit tide_raster_limit_of(const tide_raster_sizes *sizes, uint64_t budget)
{
    tide_raster_limit limit = { .size = 1, .left = budget };
    while (limit.size < TIDE_BUDGET_SIZES && sizes->pixels[limit.size] <= limit.left)
        limit.left -= sizes->pixels[limit.size++];
    return limit;
}

bool tide_raster_limit_allows(tide_raster_limit *limit, uint32_t pixels)
{
    uint32_t size = tide_raster_size_of(pixels);
    if (size < limit->size)
        return true;
    if (size > limit->size || pixels > limit->left)
        return false;
    limit->left -= pixels;
    return true;
}

// --- lines and tubes --------------------------------------------------------------------------------------------

tide_fat_segment tide_mark_segment(const tide_raster_mark *mark)
{
    float reach = tide_float_max(mark->radius, 0.5f) + 1;
    return (tide_fat_segment) { mark->x0, mark->y0, mark->x1, mark->y1, reach, reach };
}

bool tide_solid_segment(const tide_raster_view *view, const tide_raster_solid *solid, tide_fat_segment *out)
{
    float middle[2][2], reach[2] = { 0, 0 };
    for (int end = 0; end < 2; end++) {
        tide_float3 p = end ? tide_float3_add(solid->from, solid->along) : solid->from;
        float w = tide_float3_dot(view->forward, p), low[2] = { INFINITY, INFINITY },
              high[2] = { -INFINITY, -INFINITY };
        if (!tide_ball_extent(tide_float3_dot(view->right, p), w, solid->radius, view->near_plane, &low[0], &high[0]) ||
            !tide_ball_extent(-tide_float3_dot(view->up, p), w, solid->radius, view->near_plane, &low[1], &high[1]))
            return false;
        for (int i = 0; i < 2; i++) {
            middle[end][i] = (i ? view->centre_y : view->centre_x) + view->focal * 0.5f * (low[i] + high[i]);
            reach[i] = tide_float_max(reach[i], view->focal * 0.5f * (high[i] - low[i]) + 1);
        }
    }
    *out = (tide_fat_segment) { middle[0][0], middle[0][1], middle[1][0], middle[1][1], reach[0], reach[1] };
    return fabsf(out->x0) < 1e7f && fabsf(out->y0) < 1e7f && fabsf(out->x1) < 1e7f && fabsf(out->y1) < 1e7f;
}

bool tide_fat_segment_span(const tide_fat_segment *s, float top, float bottom, float *left, float *right)
{
    float dy = s->y1 - s->y0, from = 0, to = 1;
    top -= s->reach_y;
    bottom += s->reach_y;
    if (fabsf(dy) > 1e-3f) {
        float a = (top - s->y0) / dy, b = (bottom - s->y0) / dy;
        from = tide_float_max(from, tide_float_min(a, b));
        to = tide_float_min(to, tide_float_max(a, b));
    } else if (tide_float_min(s->y0, s->y1) > bottom || tide_float_max(s->y0, s->y1) < top)
        return false;
    if (from > to)
        return false;
    // slightly more than the reach, for rounding errors
    float dx = s->x1 - s->x0, a = s->x0 + from * dx, b = s->x0 + to * dx, slack = s->reach_x + 1e-5f * fabsf(dx);
    *left = tide_float_min(a, b) - slack;
    *right = tide_float_max(a, b) + slack;
    return true;
}

uint32_t tide_fat_segment_pixels(const tide_fat_segment *s, float width, float height)
{
    float x0 = tide_float_max(tide_float_min(s->x0, s->x1) - s->reach_x, 0);
    float y0 = tide_float_max(tide_float_min(s->y0, s->y1) - s->reach_y, 0);
    float wide = tide_float_min(tide_float_max(s->x0, s->x1) + s->reach_x, width) - x0;
    float high = tide_float_min(tide_float_max(s->y0, s->y1) + s->reach_y, height) - y0;
    if (!(wide > 0 && high > 0))
        return 0;
    // each row has the reach on both sides, and the segment's sideways motion over as many rows
    float slope = fabsf(s->x1 - s->x0) / tide_float_max(fabsf(s->y1 - s->y0), 1);
    float row = 2 * s->reach_x + (2 * s->reach_y + 1) * slope + 4;
    return (uint32_t)(high * tide_float_min(row, wide)) + 1;
}

// --- shadow map -------------------------------------------------------------------------------------------------

// Cost of a triangle within the map: its area and the ends of its rows
uint32_t tide_map_texels(const tide_map_vertex *a, const tide_map_vertex *b, const tide_map_vertex *c)
{
    const float scale = 1.0f / TIDE_SUBTEXELS;
    if (a->bad || b->bad || c->bad)
        return 0;
    float ux = (float)(b->x - a->x) * scale, uy = (float)(b->y - a->y) * scale;
    float vx = (float)(c->x - a->x) * scale, vy = (float)(c->y - a->y) * scale;
    float wide = (float)(tide_most_of_three(a->x, b->x, c->x) - tide_least_of_three(a->x, b->x, c->x)) * scale + 1;
    float high = (float)(tide_most_of_three(a->y, b->y, c->y) - tide_least_of_three(a->y, b->y, c->y)) * scale + 1;
    return (uint32_t)tide_float_min(wide * high, 0.5f * fabsf(ux * vy - uy * vx) + 16 * high + 2 * wide);
}

// The outline is drawn as ten triangles, which cover it once.
uint32_t tide_solid_texels(const tide_shadow *shadow, const tide_raster_solid *solid)
{
    float most = 2 * TIDE_LIGHT_SIZE, radius = tide_float_min(solid->radius / shadow->texel, most);
    float wide = tide_float_min(fabsf(tide_float3_dot(shadow->u, solid->along)) / shadow->texel, most);
    float high = tide_float_min(fabsf(tide_float3_dot(shadow->v, solid->along)) / shadow->texel, most);
    return (uint32_t)tide_float_min((wide + high + 2 * radius) * (2 * radius + 1) + 24 * (high + 2 * radius + 1),
                                    TIDE_LIGHT_SIZE * TIDE_LIGHT_SIZE);
}

void tide_shadow_limit(tide_rasterizer *rasterizer)
{
    tide_shadow *shadow = &rasterizer->shadow;
    tide_raster_sizes sizes = { { 0 } };
    for (size_t s = 0; s < rasterizer->surface_count; s++) {
        const tide_raster_surface *surface = &rasterizer->surfaces[s];
        const tide_draw_surface *source = surface->source;
        const tide_map_vertex *vertices = shadow->vertices + surface->first_vertex;
        for (uint32_t t = 0; source->casts_shadow && t < source->triangle_count; t++) {
            const uint32_t *index = source->triangles + 3 * (size_t)t;
            if (index[0] < source->vertex_count && index[1] < source->vertex_count && index[2] < source->vertex_count)
                tide_raster_sizes_add(&sizes,
                                      tide_map_texels(vertices + index[0], vertices + index[1], vertices + index[2]));
        }
    }
    for (uint32_t i = 0; i < rasterizer->solid_count; i++)
        if (rasterizer->solids[i].casts_shadow)
            tide_raster_sizes_add(&sizes, tide_solid_texels(shadow, &rasterizer->solids[i]));
    tide_raster_limit limit = tide_raster_limit_of(&sizes, most_shadow_maps * TIDE_LIGHT_SIZE * TIDE_LIGHT_SIZE);
    shadow->limited = limit.size < TIDE_BUDGET_SIZES;
    shadow->most_texels = shadow->limited ? UINT32_C(1) << (limit.size - 1) : UINT32_MAX;
    for (uint32_t i = 0; i < limit.size && i < TIDE_BUDGET_SIZES; i++)
        rasterizer->cost.texels += sizes.pixels[i];
}
