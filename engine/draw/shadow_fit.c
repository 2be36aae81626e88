// Fits the shadow map and the ground's contact map to the scene, for both renderers.
#include "draw/rasterizer_parts.h"

static const float map_margin = 0.07f; // fraction of the map on each side, for the blur

typedef struct extent {
    float low[3], high[3];
} extent;

static const extent nothing = { { INFINITY, INFINITY, INFINITY }, { -INFINITY, -INFINITY, -INFINITY } };

static void extend(extent *extent, const float at[3], float radius)
{
    for (int i = 0; i < 3; i++) {
        extent->low[i] = tide_float_min(extent->low[i], at[i] - radius);
        extent->high[i] = tide_float_max(extent->high[i], at[i] + radius);
    }
}

void tide_shadow_place(const tide_shadow *shadow, tide_float3 p, float out[3])
{
    out[0] = tide_float3_dot(shadow->u, p);
    out[1] = tide_float3_dot(shadow->v, p);
    out[2] = tide_float3_dot(shadow->towards, p);
}

static void set_axes(tide_shadow *shadow, const float direction[3])
{
    tide_float3 d = tide_float3_load(direction);
    float length = tide_float3_length(d);
    if (!tide_float3_sane(d) || !(length > 1e-6f)) {
        tide_draw_stage stage = tide_draw_stage_default();
        d = tide_float3_load(stage.light_direction);
        length = tide_float3_length(d);
    }
    shadow->towards = tide_float3_scale(d, -1 / length);
    tide_float3 side = fabsf(shadow->towards.y) < 0.9f ? (tide_float3) { 0, 1, 0 } : (tide_float3) { 1, 0, 0 };
    tide_float3 u = tide_float3_cross(side, shadow->towards);
    shadow->u = tide_float3_scale(u, 1 / tide_float3_length(u));
    shadow->v = tide_float3_cross(shadow->towards, shadow->u);
}

static extent extent_of_casters(const tide_rasterizer *rasterizer)
{
    extent extent = nothing;
    float at[3];
    for (size_t s = 0; s < rasterizer->surface_count; s++) {
        const tide_raster_surface *surface = &rasterizer->surfaces[s];
        if (!surface->source->casts_shadow)
            continue;
        for (uint32_t i = 0; i < surface->source->vertex_count; i++) {
            uint32_t vertex = surface->first_vertex + i;
            if (rasterizer->vertices[vertex].status == TIDE_VERTEX_BAD)
                continue;
            tide_shadow_place(&rasterizer->shadow, tide_float3_load(rasterizer->attributes[vertex].position), at);
            extend(&extent, at, 0);
        }
    }
    for (uint32_t i = 0; i < rasterizer->solid_count; i++) {
        const tide_raster_solid *solid = &rasterizer->solids[i];
        if (!solid->casts_shadow)
            continue;
        tide_shadow_place(&rasterizer->shadow, solid->from, at);
        extend(&extent, at, solid->radius);
        tide_shadow_place(&rasterizer->shadow, tide_float3_add(solid->from, solid->along), at);
        extend(&extent, at, solid->radius);
    }
    return extent;
}

void tide_shadow_for_low(const tide_rasterizer *rasterizer, tide_shadow_visit *visit, void *context)
{
    float top = rasterizer->stage.ground_y + rasterizer->shadow.reach;
    for (size_t s = 0; s < rasterizer->surface_count; s++) {
        const tide_raster_surface *surface = &rasterizer->surfaces[s];
        const tide_draw_surface *source = surface->source;
        if (!source->casts_shadow)
            continue;
        const tide_raster_attributes *attributes = rasterizer->attributes + surface->first_vertex;
        const tide_raster_vertex *vertices = rasterizer->vertices + surface->first_vertex;
        for (size_t t = 0; t < source->triangle_count; t++) {
            const uint32_t *index = source->triangles + 3 * t;
            const float *corners[3];
            bool sane = true, low = false;
            for (int k = 0; k < 3 && sane; k++) {
                sane = index[k] < source->vertex_count && vertices[index[k]].status != TIDE_VERTEX_BAD;
                corners[k] = sane ? attributes[index[k]].position : NULL;
                low = low || (sane && corners[k][1] < top);
            }
            if (sane && low)
                visit(corners, context);
        }
    }
    for (uint32_t i = 0; i < rasterizer->solid_count; i++) {
        // a tube or ball touches with the line or point at its bottom, represented by a narrow band
        const tide_raster_solid *solid = &rasterizer->solids[i];
        float half = 0.6f * solid->radius, y = solid->from.y - solid->radius, y1 = y + solid->along.y;
        if (!solid->casts_shadow || tide_float_min(y, y1) >= top)
            continue;
        tide_float3 along = solid->along;
        float length = sqrtf(along.x * along.x + along.z * along.z);
        float x = length > 0 ? along.x / length * half : half, z = length > 0 ? along.z / length * half : 0;
        tide_float3 a = solid->from, b = tide_float3_add(a, along);
        const float q[4][3] = { { a.x - x - z, y, a.z - z + x },
                                { a.x - x + z, y, a.z - z - x },
                                { b.x + x + z, y1, b.z + z - x },
                                { b.x + x - z, y1, b.z + z + x } };
        visit((const float *const[3]) { q[0], q[1], q[2] }, context);
        visit((const float *const[3]) { q[0], q[2], q[3] }, context);
    }
}

static void extend_low(const float *const corners[3], void *context)
{
    for (int k = 0; k < 3; k++)
        extend(context, corners[k], 0);
}

static void fit_contact(tide_rasterizer *rasterizer)
{
    tide_shadow *shadow = &rasterizer->shadow;
    shadow->reach = 0.22f * rasterizer->stage.radius;
    extent extent = nothing;
    tide_shadow_for_low(rasterizer, extend_low, &extent);
    float wide = tide_float_max(extent.high[0] - extent.low[0], extent.high[2] - extent.low[2]);
    shadow->has_contact = extent.low[1] < rasterizer->stage.ground_y + shadow->reach && tide_float_sane(wide);
    if (!shadow->has_contact)
        return;
    wide += 2 * shadow->reach;
    shadow->contact_texel = wide / (TIDE_CONTACT_SIZE - 1);
    shadow->contact_x = 0.5f * (extent.low[0] + extent.high[0] - wide);
    shadow->contact_z = 0.5f * (extent.low[2] + extent.high[2] - wide);
}

// Computes the ground's height towards the light, ground_offset + ground_u u + ground_v v, u and v in texels of level
// 0.
static void fit_ground(tide_rasterizer *rasterizer)
{
    tide_shadow *shadow = &rasterizer->shadow;
    float y = shadow->towards.y, step = 2 * shadow->texel;
    shadow->ground_u = -shadow->u.y / y * step;
    shadow->ground_v = -shadow->v.y / y * step;
    shadow->ground_offset =
        (rasterizer->stage.ground_y - shadow->u.y * shadow->offset_u - shadow->v.y * shadow->offset_v) / y;
}

void tide_shadow_fit(tide_rasterizer *rasterizer)
{
    tide_shadow *shadow = &rasterizer->shadow;
    set_axes(shadow, rasterizer->list->stage.light_direction);
    shadow->has_contact = shadow->on_ground = false;
    extent extent = extent_of_casters(rasterizer);
    float wide = tide_float_max(extent.high[0] - extent.low[0], extent.high[1] - extent.low[1]);
    shadow->cast = wide > 1e-7f && wide < 1e6f;
    if (!shadow->cast)
        return;
    wide /= 1 - 2 * map_margin;
    shadow->texel = wide / TIDE_LIGHT_SIZE;
    shadow->offset_u = 0.5f * (extent.low[0] + extent.high[0] - wide);
    shadow->offset_v = 0.5f * (extent.low[1] + extent.high[1] - wide);
    shadow->low = extent.low[2];
    shadow->high = extent.high[2];
    // A light from below or nearly parallel to the ground casts no shadow on it
    shadow->on_ground = rasterizer->stage.has_ground && shadow->towards.y > 0.05f;
    if (shadow->on_ground)
        fit_ground(rasterizer);
    if (rasterizer->stage.has_ground)
        fit_contact(rasterizer);
}
