// Limits the cost of pictures. An exploded state has thousands of primitives as large as the screen: one full picture
// would take many seconds. Primitives are grouped by size; if they exceed the budget, the largest are left out.
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
