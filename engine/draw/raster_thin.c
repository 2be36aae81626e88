// Lighting of tubes narrower than a pixel, which are drawn as marks.
#include "draw/rasterizer_parts.h"

static const float edge_width = 0.13f; // penumbra width per metre of distance, as on other bodies

static float srgb_byte(float linear)
{
    float c = linear > 0 ? linear < 1 ? linear : 1 : 0;
    return 255 * (c <= 0.0031308f ? 12.92f * c : 1.055f * powf(c, 1 / 2.4f) - 0.055f);
}

// The key light depends on the angle between the tube and the light.
void tide_thin_set_light(const tide_rasterizer *rasterizer, const tide_raster_solid *solid, tide_raster_mark *mark)
{
    const tide_float3 light = tide_float3_load(rasterizer->list->stage.light_direction), along = solid->along;
    const float square = tide_float3_dot(light, light) * tide_float3_dot(along, along);
    const float cosine = square > 0 ? tide_float3_dot(light, along) / sqrtf(square) : 0;
    const float key = 0.5f * sqrtf(tide_float_max(1 - cosine * cosine, 0));
    for (int i = 0; i < 3; i++) {
        float sky = 0.5f * (tide_sky_light[i] + tide_ground_light[i]) + 0.15f * tide_sky_light[i];
        mark->colour[i] = srgb_byte(solid->colour[i] * (tide_key_light[i] * key + sky));
        mark->dark[i] = srgb_byte(solid->colour[i] * sky);
    }
    mark->colour[3] = 1;
    const float share = tide_float3_dot(light, along) / tide_float_max(tide_float3_dot(along, along), 1e-20f);
    const tide_float3 across = tide_float3_subtract(tide_float3_scale(along, share), light);
    const float length = tide_float3_length(across);
    if (!(length > 1e-6f))
        return; // parallel to the light, which does not reach its sides
    mark->normal[0] = across.x / length;
    mark->normal[1] = across.y / length;
    mark->normal[2] = across.z / length;
}

// --- shadow -----------------------------------------------------------------------------------------------------

// Weights of a cubic B-spline for the four texels around
static v4f spline(float t)
{
    const float s = 1 - t, t2 = t * t, t3 = t2 * t;
    return (v4f) { s * s * s, 3 * t3 - 6 * t2 + 4, -3 * t3 + 3 * t2 + 3 * t + 1, t3 } / 6;
}

// Finds the first of the 4 x 4 texels around a place in a map; false if they are not all within it
static bool texels_around(float u, float v, float size, int32_t *column, int32_t *row, v4f *across, v4f *down)
{
    const float x = u - 0.5f, y = v - 0.5f;
    if (!(x > 2 && y > 2 && x < size - 3 && y < size - 3))
        return false;
    *column = (int32_t)x - 1;
    *row = (int32_t)y - 1;
    *across = spline(x - (float)(*column + 1));
    *down = spline(y - (float)(*row + 1));
    return true;
}

// Sums over casters above `height`: the weights, weight times height difference, and weight times its square; false if
// the texels are not all within the map
static bool casters_above(const tide_shadow *shadow, int32_t level, float u, float v, float height, float out[3])
{
    const float scale = 1 / (float)(1 << level);
    int32_t column, row;
    v4f across, down, sums[3] = { { 0 }, { 0 }, { 0 } };
    if (!texels_around(u * scale, v * scale, TIDE_LIGHT_SIZE * scale, &column, &row, &across, &down))
        return false;
    const int32_t stride = tide_caster_stride(level), first = tide_caster_level(level) + row * stride + column;
    for (int32_t j = 0; j < 4; j++) {
        v4f above = v4_max(v4_load(shadow->caster + first + j * stride) - height, v4_splat(0));
        v4f weight = v4_load(shadow->cover + first + j * stride) * across * down[j];
        weight = v4_select(above > 0, weight, v4_splat(0));
        sums[0] += weight;
        sums[1] += weight * above;
        sums[2] += weight * above * above;
    }
    for (int k = 0; k < 3; k++)
        out[k] = sums[k][0] + sums[k][1] + sums[k][2] + sums[k][3];
    return true;
}

// The fraction of the light that casters up to the height `top` let arrive
static float sharp_visibility(const tide_shadow *shadow, float u, float v, float height, float top)
{
    float sum = 0;
    int32_t column, row;
    v4f across, down;
    if (!texels_around(u, v, TIDE_LIGHT_SIZE, &column, &row, &across, &down))
        return 1;
    for (int32_t j = 0; j < 4; j++) {
        v4f depth = v4_load(shadow->depth + (row + j) * TIDE_LIGHT_STRIDE + column);
        v4f lit = v4_select((depth <= height) | (depth > top), across * down[j], v4_splat(0));
        sum += lit[0] + lit[1] + lit[2] + lit[3];
    }
    return sum;
}

// The same by the shadow map (level 0) or a level of the casters
static float visibility(const tide_shadow *shadow, int32_t level, float u, float v, float height, float rise)
{
    float sums[3];
    if (level == 0)
        return sharp_visibility(shadow, u, v, height, INFINITY);
    return casters_above(shadow, level, u, v, height + (float)(1 << level) * rise, sums) ? 1 - sums[0] : 1;
}

float tide_thin_light(const tide_shadow *shadow, tide_float3 place, tide_float3 normal)
{
    if (!shadow->cast)
        return 1;
    const float facing = tide_float3_dot(normal, shadow->towards);
    const float least = 0.6f + 2.2f * sqrtf(tide_float_max(1 - facing * facing, 0));
    float at[3], above[3];
    tide_shadow_place(shadow, tide_float3_add(place, tide_float3_scale(normal, least * shadow->texel)), at);
    const float u = (at[0] - shadow->offset_u) / shadow->texel, v = (at[1] - shadow->offset_v) / shadow->texel;
    const float height = at[2] + 0.8f * shadow->texel;
    const float rise = (least / tide_float_max(facing, 0.25f) + 0.8f) * shadow->texel;
    if (!casters_above(shadow, 3, u, v, height, above) || !(above[1] > 0))
        return 1;
    const float width = edge_width * above[2] / above[1] / shadow->texel; // texels
    const int32_t level = (width >= 2) + (width >= 4) + (width >= 8);
    const float part = tide_float_min(tide_float_max(width / (float)(1 << level) - 1, 0), 1);
    const float near = part < 1 ? visibility(shadow, level, u, v, height, rise) : 0;
    const float far = part > 0 ? visibility(shadow, level + 1, u, v, height, rise) : 0;
    const float light = near + part * (far - near);
    if (width <= 1)
        return light;
    // These levels do not see casters close above the surface, nor parts of inclined ones within the filter's radius of
    // two texels.
    const float top = height + (float)(2 << level) * (rise + 2 * shadow->texel);
    return tide_float_min(light, sharp_visibility(shadow, u, v, height, top));
}
