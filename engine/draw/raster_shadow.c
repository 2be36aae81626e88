// Renders the maps that shadow_fit.c fits: the shadow map from the light, the ground's shadow, and where bodies touch
// the ground, seen from below.
#include "base/memory.h"
#include "base/parallel.h"
#include "draw/raster_kernels.h"

enum { TUBE_SIDES = 12, MOST_CONTACT_MAPS = 64 }; // the budget: maps full of triangles near the ground
static const float no_caster = -1e30f;
static const float pi = 3.14159265f;

// --- from the light ---------------------------------------------------------------------------------------------

static tide_map_vertex map_vertex(const tide_shadow *shadow, tide_float3 p)
{
    float at[3];
    tide_shadow_place(shadow, p, at);
    float x = (at[0] - shadow->offset_u) / shadow->texel, y = (at[1] - shadow->offset_v) / shadow->texel;
    bool in = x >= 0 && x < TIDE_LIGHT_SIZE && y >= 0 && y < TIDE_LIGHT_SIZE;
    return (tide_map_vertex) { .x = in ? tide_round_float(x * TIDE_SUBTEXELS) : 0,
                               .y = in ? tide_round_float(y * TIDE_SUBTEXELS) : 0,
                               .value = at[2],
                               .bad = !in };
}

// Draws the outline of a tube or ball seen from the light, as triangles
static void draw_solid(const tide_rasterizer *rasterizer, const tide_raster_solid *solid, const tide_map_rows *rows)
{
    const tide_shadow *shadow = &rasterizer->shadow;
    tide_float3 to = tide_float3_add(solid->from, solid->along);
    float along_u = tide_float3_dot(shadow->u, solid->along), along_v = tide_float3_dot(shadow->v, solid->along);
    float turn = along_u * along_u + along_v * along_v > 0 ? atan2f(along_v, along_u) : 0;
    float radius = tide_float_max(solid->radius, 0.7f * shadow->texel); // a thinner one would have gaps
    tide_map_vertex corners[TUBE_SIDES];
    for (int i = 0; i < TUBE_SIDES; i++) {
        // the first half of the outline is around the far end
        float angle = turn + pi * (((float)i + 0.5f) / (TUBE_SIDES / 2) - 0.5f);
        tide_float3 middle = i < TUBE_SIDES / 2 ? to : solid->from;
        corners[i] = map_vertex(
            shadow, tide_float3_add(middle, tide_float3_add(tide_float3_scale(shadow->u, radius * cosf(angle)),
                                                            tide_float3_scale(shadow->v, radius * sinf(angle)))));
    }
    for (int i = 2; i < TUBE_SIDES; i++)
        rasterizer->kernels->map_triangle(rows, &corners[0], &corners[i - 1], &corners[i]);
}

struct light_work {
    tide_rasterizer *rasterizer;
    uint32_t bands;
};

static void draw_band(tide_rasterizer *rasterizer, int32_t row_begin, int32_t row_end)
{
    const tide_shadow *shadow = &rasterizer->shadow;
    const tide_raster_kernels *kernels = rasterizer->kernels;
    const tide_map_rows rows = { shadow->depth, TIDE_LIGHT_SIZE, TIDE_LIGHT_STRIDE, row_begin, row_end };
    for (size_t i = (size_t)row_begin * TIDE_LIGHT_STRIDE; i < (size_t)row_end * TIDE_LIGHT_STRIDE; i++)
        shadow->depth[i] = no_caster;
    for (size_t s = 0; s < rasterizer->surface_count; s++) {
        const tide_raster_surface *surface = &rasterizer->surfaces[s];
        const tide_draw_surface *source = surface->source;
        if (!source->casts_shadow)
            continue;
        const tide_map_vertex *vertices = shadow->vertices + surface->first_vertex;
        for (const uint32_t *index = source->triangles, *end = index + 3 * (size_t)source->triangle_count; index < end;
             index += 3)
            if (index[0] < source->vertex_count && index[1] < source->vertex_count && index[2] < source->vertex_count)
                if (!shadow->limited || tide_map_texels(vertices + index[0], vertices + index[1], vertices + index[2]) <
                                            shadow->most_texels)
                    kernels->map_triangle(&rows, vertices + index[0], vertices + index[1], vertices + index[2]);
    }
    for (uint32_t i = 0; i < rasterizer->solid_count; i++)
        if (rasterizer->solids[i].casts_shadow &&
            (!shadow->limited || tide_solid_texels(shadow, &rasterizer->solids[i]) < shadow->most_texels))
            draw_solid(rasterizer, &rasterizer->solids[i], &rows);
}

static void draw_bands(void *context, uint32_t begin, uint32_t end)
{
    const struct light_work *work = context;
    for (uint32_t band = begin; band < end; band++) {
        // neighbouring bands go to different threads, since most casters are in the middle
        uint32_t half = (work->bands + 1) / 2, place = band < half ? 2 * band : 2 * (band - half) + 1;
        draw_band(work->rasterizer, (int32_t)(place * TIDE_LIGHT_SIZE / work->bands),
                  (int32_t)((place + 1) * TIDE_LIGHT_SIZE / work->bands));
    }
}

static void set_light_vertices(void *context, uint32_t begin, uint32_t end)
{
    tide_rasterizer *rasterizer = context;
    for (uint32_t i = begin; i < end; i++) {
        if (rasterizer->vertices[i].status == TIDE_VERTEX_BAD)
            rasterizer->shadow.vertices[i] = (tide_map_vertex) { .bad = true };
        else
            rasterizer->shadow.vertices[i] =
                map_vertex(&rasterizer->shadow, tide_float3_load(rasterizer->attributes[i].position));
    }
}

// --- from below: where bodies touch the ground ------------------------------------------------------------------

static tide_map_vertex contact_vertex(const tide_rasterizer *rasterizer, const float at[3])
{
    const tide_shadow *shadow = &rasterizer->shadow;
    float x = (at[0] - shadow->contact_x) / shadow->contact_texel;
    float y = (at[2] - shadow->contact_z) / shadow->contact_texel;
    bool in = x >= 0 && x < TIDE_CONTACT_SIZE && y >= 0 && y < TIDE_CONTACT_SIZE;
    return (tide_map_vertex) { .x = in ? tide_round_float(x * TIDE_SUBTEXELS) : 0,
                               .y = in ? tide_round_float(y * TIDE_SUBTEXELS) : 0,
                               .value = 1 - (at[1] - rasterizer->stage.ground_y) / shadow->reach,
                               .bad = !in };
}

struct contact_work {
    tide_rasterizer *rasterizer;
    uint64_t most_texels; // limit of rasterizer->cost for this map
};

static void draw_low(const float *const corners[3], void *context)
{
    const struct contact_work *work = context;
    tide_rasterizer *rasterizer = work->rasterizer;
    tide_map_vertex a = contact_vertex(rasterizer, corners[0]), b = contact_vertex(rasterizer, corners[1]);
    tide_map_vertex c = contact_vertex(rasterizer, corners[2]);
    const tide_map_rows rows = { rasterizer->shadow.contact, TIDE_CONTACT_SIZE, TIDE_CONTACT_SIZE, 0,
                                 TIDE_CONTACT_SIZE };
    uint32_t texels = tide_map_texels(&a, &b, &c);
    if (rasterizer->cost.texels + texels > work->most_texels)
        return;
    rasterizer->cost.texels += texels;
    rasterizer->kernels->map_triangle(&rows, &a, &b, &c);
}

static void draw_contact(tide_rasterizer *rasterizer)
{
    tide_shadow *shadow = &rasterizer->shadow;
    enum { COUNT = TIDE_CONTACT_SIZE * TIDE_CONTACT_SIZE };
    memset(shadow->contact, 0, sizeof(float) * COUNT);
    struct contact_work work = { rasterizer, rasterizer->cost.texels + (uint64_t)MOST_CONTACT_MAPS * COUNT };
    tide_shadow_for_low(rasterizer, draw_low, &work);
    for (int i = 0; i < COUNT; i++) {
        float near_ground = tide_float_min(shadow->contact[i], 1);
        shadow->contact[i] = near_ground * near_ground;
    }
    // blurred to about the reach, so that it spreads slightly beyond the body
    int passes = 1 + (int)(0.6f * shadow->reach / shadow->contact_texel);
    for (int i = 0; i < passes && i < 8; i++)
        tide_blur(rasterizer->kernels, shadow->contact, shadow->scratch, TIDE_CONTACT_SIZE);
}

// --- all of it --------------------------------------------------------------------------------------------------

// Allocates the maps when something first casts a shadow.
static tide_status make_maps(tide_rasterizer *rasterizer, tide_error *error)
{
    tide_shadow *shadow = &rasterizer->shadow;
    if (shadow->ready)
        return TIDE_OK;
    const size_t texels = (size_t)TIDE_LIGHT_SIZE * TIDE_LIGHT_STRIDE, levels = tide_ground_level(TIDE_GROUND_LEVELS);
    const size_t half = (size_t)TIDE_LIGHT_SIZE * TIDE_LIGHT_SIZE / 4;
    const size_t pooled = (size_t)tide_caster_level(TIDE_CASTER_LEVELS + 1);
    struct {
        float **map;
        size_t count;
    } const maps[] = { { &shadow->depth, texels },
                       { &shadow->scratch, half },
                       { &shadow->contact, TIDE_CONTACT_SIZE * TIDE_CONTACT_SIZE },
                       { &shadow->share, levels },
                       { &shadow->distance, levels },
                       { &shadow->caster, pooled },
                       { &shadow->cover, pooled } };
    bool made = true;
    for (size_t i = 0; i < sizeof maps / sizeof maps[0]; i++)
        made = (*maps[i].map || (*maps[i].map = tide_own_array(rasterizer, maps[i].count, sizeof(float)))) && made;
    shadow->ready = made;
    return made ? TIDE_OK : tide_fail_memory(error, "picture");
}

tide_status tide_shadow_cast(tide_rasterizer *rasterizer, tide_error *error)
{
    tide_shadow *shadow = &rasterizer->shadow;
    tide_shadow_fit(rasterizer);
    if (!shadow->cast)
        return TIDE_OK;
    TIDE_TRY(make_maps(rasterizer, error));
    if (!tide_grow_owned(rasterizer, &shadow->vertices, &shadow->vertex_capacity, rasterizer->vertex_count,
                         sizeof *shadow->vertices))
        return tide_fail_memory(error, "picture");
    tide_parallel_for(rasterizer->vertex_count, 4096, set_light_vertices, rasterizer);
    tide_shadow_limit(rasterizer);
    struct light_work work = { rasterizer, tide_threads() > 1 ? 4 * (uint32_t)tide_threads() : 1 };
    work.bands = work.bands > TIDE_LIGHT_SIZE / 16 ? TIDE_LIGHT_SIZE / 16 : work.bands;
    tide_parallel_for(work.bands, 1, draw_bands, &work);
    tide_shadow_pool_casters(shadow);
    if (shadow->on_ground)
        tide_shadow_blur_ground(rasterizer->kernels, shadow);
    if (shadow->has_contact)
        draw_contact(rasterizer);
    return TIDE_OK;
}
