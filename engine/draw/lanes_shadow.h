// Part of lanes.h: reading the maps drawn from the light. Soft shadow on surfaces, and on the ground a shadow whose
// edge widens with the distance of what casts it.
#ifndef TIDE_DRAW_LANES_SHADOW_H
#define TIDE_DRAW_LANES_SHADOW_H

static const float penumbra_slope = 0.11f; // width of a penumbra for a metre of distance; the sun's is 0.009

// Which of the 4 x 4 texels from `at` on are no nearer to the light than `height`: bit 4 row + column
INLINE uint32_t lit_texels(const float *at, float height)
{
    const v4f rows[4] = { v4_load(at), v4_load(at + TIDE_LIGHT_STRIDE), v4_load(at + 2 * TIDE_LIGHT_STRIDE),
                          v4_load(at + 3 * TIDE_LIGHT_STRIDE) };
#if LANES == 16
    return (uint32_t)_mm512_cmp_ps_mask((__m512)QUARTERS(rows[0], rows[1], rows[2], rows[3]), (__m512)splat(height),
                                        _CMP_LE_OQ);
#else
    const v4f h = v4_splat(height);
    return v4_bits(rows[0] <= h) | v4_bits(rows[1] <= h) << 4 | v4_bits(rows[2] <= h) << 8 |
           v4_bits(rows[3] <= h) << 12;
#endif
}

// The weights of a cubic B-spline at the four texels around: a smooth filter two texels to either side
INLINE void spline_weights(vf t, vf weights[4])
{
    const float sixth = 1.0f / 6;
    vf s = 1 - t, t2 = t * t, t3 = t2 * t;
    weights[0] = s * s * s * sixth;
    weights[1] = (3 * t3 - 6 * t2 + 4) * sixth;
    weights[2] = (-3 * t3 + 3 * t2 + 3 * t + 1) * sixth;
    weights[3] = t3 * sixth;
}

// The share of the light that arrives at map position (u, v) (texels) and `height` towards the light: 0 to 1; 1 where
// it is not wanted (a bit a lane).
INLINE vf visibility(const tide_shadow *shadow, vf u, vf v, vf height, uint32_t wanted)
{
    vf x = u - 0.5f, y = v - 0.5f;
    vi in = (x > 2) & (y > 2) & (x < TIDE_LIGHT_SIZE - 3) & (y < TIDE_LIGHT_SIZE - 3);
    uint32_t inside = BITS(in), partly = 0;
    x = clamp(x, 0, TIDE_LIGHT_SIZE);
    y = clamp(y, 0, TIDE_LIGHT_SIZE);
    vi i = whole(x), j = whole(y), place = (j - 1) * TIDE_LIGHT_STRIDE + (i - 1);
    int32_t lit[LANES];
    for (uint32_t k = 0; k < LANES; k++) {
        lit[k] = 0xffff;
        if (wanted & inside & (1u << k))
            lit[k] = (int32_t)lit_texels(shadow->depth + place[k], height[k]);
        partly |= (lit[k] != 0xffff && lit[k] != 0) ? 1u << k : 0;
    }
    vi texels = load_int(lit);
    vf result = choose(texels == 0xffff, splat(1), splat(0));
    if (!partly)
        return result;
    vf wx[4], wy[4], sum = splat(0);
    spline_weights(x - from_int(i), wx);
    spline_weights(y - from_int(j), wy);
    for (int column = 0; column < 4; column++) {
        vf part = splat(0);
        for (int row = 0; row < 4; row++)
            part += (vf)(((texels & splat_int(1 << (4 * row + column))) != 0) & (vi)wx[column]) * wy[row];
        sum += part;
    }
    return choose((texels == 0xffff) | (texels == 0), result, sum);
}

#define CASTER_STRIDE(level) ((TIDE_LIGHT_SIZE >> (level)) + 4)
#define CASTER_COUNT(level) (CASTER_STRIDE(level) * (TIDE_LIGHT_SIZE >> (level)))
// tide_caster_level and tide_caster_stride of each level; one over the size of its texels
static const int32_t caster_firsts[TIDE_CASTER_LEVELS + 1] = { 0, 0, CASTER_COUNT(1), CASTER_COUNT(1) + CASTER_COUNT(2),
                                                               CASTER_COUNT(1) + CASTER_COUNT(2) + CASTER_COUNT(3) };
static const int32_t caster_strides[TIDE_CASTER_LEVELS + 1] = { 0, CASTER_STRIDE(1), CASTER_STRIDE(2), CASTER_STRIDE(3),
                                                                CASTER_STRIDE(4) };
static const float caster_scales[TIDE_CASTER_LEVELS + 1] = { 1, 0.5f, 0.25f, 0.125f, 0.0625f };
static const float all_dark = 1e6f; // a distance, where no light arrives

// Casters around a place in one level of their pyramid: the place in it, and its first texel of 4 x 4
typedef struct caster_lanes {
    float x, y;                  // between the middle texels, 0 to 1
    const float *caster, *cover; // of the first texel
    int32_t stride;
} caster_lanes;

// False where the texels are not all within the map. (u, v) in texels of the light's map
INLINE bool find_casters(const tide_shadow *shadow, int32_t level, float u, float v, caster_lanes *out)
{
    const float scale = caster_scales[level], last = TIDE_LIGHT_SIZE * scale - 3;
    const float x = u * scale - 0.5f, y = v * scale - 0.5f;
    if (!(x > 2 && y > 2 && x < last && y < last))
        return false;
    const int32_t i = (int32_t)x, j = (int32_t)y, stride = caster_strides[level];
    const int32_t first = caster_firsts[level] + (j - 1) * stride + (i - 1);
    *out = (caster_lanes) { x - (float)i, y - (float)j, shadow->caster + first, shadow->cover + first, stride };
    return true;
}

// The weights of a cubic B-spline along the rows, and along the columns
INLINE void caster_weights(const caster_lanes *at, v4f *across, v4f *down)
{
    // (1 - t)^3, 3 t^3 - 6 t^2 + 4, the same of 1 - t, and t^3, over 6
    const float sixth = 1.0f / 6;
    const v4f t = { 1 - at->x, at->x, 1 - at->y, at->y }, t2 = t * t, t3 = t2 * t;
    const v4f outer = t3 * sixth, inner = (3 * t3 - 6 * t2 + 4) * sixth;
    *across = (v4f) { outer[0], inner[1], inner[0], outer[1] };
    *down = (v4f) { outer[2], inner[3], inner[2], outer[3] };
}

INLINE float sum_of_four(v4f a)
{
    return (a[0] + a[1]) + (a[2] + a[3]);
}

// The mean height above `height` of the casters around that are above it, weighted by itself, so that the surface's own
// slope counts little; 0 when there are none, all_dark where they leave no gap
INLINE float caster_distance(const tide_shadow *shadow, float u, float v, float height)
{
    caster_lanes at;
    if (!find_casters(shadow, 3, u, v, &at))
        return 0;
    const v4f casters[4] = { v4_load(at.caster), v4_load(at.caster + at.stride), v4_load(at.caster + 2 * at.stride),
                             v4_load(at.caster + 3 * at.stride) };
    if (!v4_bits(v4_max(v4_max(casters[0], casters[1]), v4_max(casters[2], casters[3])) > height))
        return 0;
    const v4f covers[4] = { v4_load(at.cover), v4_load(at.cover + at.stride), v4_load(at.cover + 2 * at.stride),
                            v4_load(at.cover + 3 * at.stride) };
    const v4f least_cover = v4_min(v4_min(covers[0], covers[1]), v4_min(covers[2], covers[3]));
    const v4f lowest = v4_min(v4_min(casters[0], casters[1]), v4_min(casters[2], casters[3]));
    const float near = (float)(TIDE_CASTER_NEAR << 3) * shadow->texel;
    if (v4_bits((least_cover >= 1) & (lowest > height + near)) == 15)
        return all_dark;
    v4f weight = v4_splat(0), sum = v4_splat(0), across, down;
    caster_weights(&at, &across, &down);
    for (int row = 0; row < 4; row++) {
        const v4f above = casters[row] - height;
        const v4f share = (v4f)((above > 0) & (v4i)(covers[row] * across * down[row]));
        const v4f moment = share * v4_max(above, v4_splat(0));
        weight += moment;
        sum += moment * v4_max(above, v4_splat(0));
    }
    const float all = sum_of_four(weight);
    return all > 0 ? sum_of_four(sum) / all : 0;
}

// The share of the light that arrives, in a level of the casters
INLINE float level_visibility(const tide_shadow *shadow, int32_t level, float u, float v, float height)
{
    caster_lanes at;
    if (!find_casters(shadow, level, u, v, &at))
        return 1;
    v4f sum = v4_splat(0), across, down;
    caster_weights(&at, &across, &down);
    for (int row = 0; row < 4; row++) {
        const v4i above = v4_load(at.caster + row * at.stride) > height;
        sum += (v4f)(above & (v4i)v4_load(at.cover + row * at.stride)) * across * down[row];
    }
    return 1 - sum_of_four(sum);
}

// Bilinear; (u, v) in texels of level 0, `size` the level's in texels and `first` its first in the pyramid
INLINE vf read_texels(const float *map, vi first, vi size, vf scale, vf u, vf v)
{
    vf x = u * scale - 0.5f, y = v * scale - 0.5f, most = from_int(size) - 1.01f;
    x = MIN(MAX(x, splat(0)), most);
    y = MIN(MAX(y, splat(0)), most);
    vi i = whole(x), j = whole(y), at = first + j * size + i;
    vf fx = x - from_int(i), fy = y - from_int(j);
    vf a0, a1, b0, b1;
    look_up_two(map, at, &a0, &a1);
    look_up_two(map, at + size, &b0, &b1);
    vf a = a0 + fx * (a1 - a0), b = b0 + fx * (b1 - b0);
    return a + fy * (b - a);
}

INLINE vf read_level(const float *map, int level, vf u, vf v)
{
    return read_texels(map, splat_int((int32_t)tide_ground_level(level)), splat_int(TIDE_LIGHT_SIZE / 2 >> level),
                       splat(1 / (float)(1 << level)), u, v);
}

// The share of the light that arrives on the ground where `wanted`, which is within the map.
INLINE vf ground_light(const tide_shadow *shadow, vf u, vf v, vi wanted)
{
    enum { LAST = TIDE_GROUND_LEVELS - 1 };
    const float *share = shadow->share, *distances = shadow->distance;
    vf wide = read_level(share, LAST, u, v);
    wanted &= wide >= 1e-4f;
    if (!BITS(wanted))
        return splat(1);
    // the distance of what casts the shadow: of what is close, and where nothing is, of the wider surroundings
    const float close = 5;
    vf distance = close * read_level(distances, LAST - 1, u, v) + read_level(distances, LAST, u, v);
    distance /= close * read_level(share, LAST - 1, u, v) + wide;
    vf width = penumbra_slope * distance / (2 * shadow->texel); // in level 0 texels
    vi one = width >= 2, two = width >= 4;
    vi level = -one - two, size = splat_int(TIDE_LIGHT_SIZE / 2) >> level;
    vi first = (one & splat_int((int32_t)tide_ground_level(1))) +
               (two & splat_int((int32_t)(tide_ground_level(2) - tide_ground_level(1))));
    vf low = from_int(splat_int(1) << level), scale = 1 / low, blend = MAX(width - low, splat(0)) / low;
    vf a = read_texels(share, first, size, scale, u, v);
    vf b = read_texels(share, first + size * size, size >> 1, 0.5f * scale, u, v);
    vf blurred = a + MIN(blend, splat(1)) * (b - a);
    return choose(wanted, 1 - choose(width >= 1 << LAST, wide, blurred), splat(1));
}

#endif
