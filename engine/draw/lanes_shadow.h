// Part of lanes.h: reads the maps that were rendered from the light: soft shadows on surfaces, and shadows on the
// ground whose penumbra widens with the distance of the caster.
#ifndef TIDE_DRAW_LANES_SHADOW_H
#define TIDE_DRAW_LANES_SHADOW_H

static const float penumbra_slope = 0.11f; // penumbra width per metre of distance; the sun's is 0.009

// Which of the 4 x 4 texels from `at` on have no caster between these heights: bit 4 row + column
INLINE uint32_t lit_texels(const float *at, float height, float top)
{
    const v4f rows[4] = { v4_load(at), v4_load(at + TIDE_LIGHT_STRIDE), v4_load(at + 2 * TIDE_LIGHT_STRIDE),
                          v4_load(at + 3 * TIDE_LIGHT_STRIDE) };
#if LANES == 16
    const __m512 all = (__m512)QUARTERS(rows[0], rows[1], rows[2], rows[3]);
    return (uint32_t)_mm512_cmp_ps_mask(all, (__m512)splat(height), _CMP_LE_OQ) |
           (uint32_t)_mm512_cmp_ps_mask(all, (__m512)splat(top), _CMP_GT_OQ);
#else
    const v4f h = v4_splat(height), t = v4_splat(top);
    return v4_bits((rows[0] <= h) | (rows[0] > t)) | v4_bits((rows[1] <= h) | (rows[1] > t)) << 4 |
           v4_bits((rows[2] <= h) | (rows[2] > t)) << 8 | v4_bits((rows[3] <= h) | (rows[3] > t)) << 12;
#endif
}

// Weights of a cubic B-spline for the four texels around: a smooth filter of two texels to either side
INLINE void spline_weights(vf t, vf weights[4])
{
    const float sixth = 1.0f / 6;
    vf s = 1 - t, t2 = t * t, t3 = t2 * t;
    weights[0] = s * s * s * sixth;
    weights[1] = (3 * t3 - 6 * t2 + 4) * sixth;
    weights[2] = (-3 * t3 + 3 * t2 + 3 * t + 1) * sixth;
    weights[3] = t3 * sixth;
}

// The fraction of the light that casters up to the height `top` let arrive at map position (u, v) (texels) and `height`
// towards the light: 0 to 1; 1 in lanes that are not `wanted` (bits).
INLINE vf visibility(const tide_shadow *shadow, vf u, vf v, vf height, vf top, uint32_t wanted)
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
            lit[k] = (int32_t)lit_texels(shadow->depth + place[k], height[k], top[k]);
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
// tide_caster_level of each level
static const int32_t caster_firsts[TIDE_CASTER_LEVELS + 1] = { 0, 0, CASTER_COUNT(1), CASTER_COUNT(1) + CASTER_COUNT(2),
                                                               CASTER_COUNT(1) + CASTER_COUNT(2) + CASTER_COUNT(3) };
static const float all_dark = 1e6f;     // a distance that means full shadow
static const float least_light = 1e-4f; // less light counts as none
static const v4f third_shares = { 0, 1.0f / 3, 2.0f / 3, 1 };

// Reads of the casters' pyramid. Each one reads 4 x 4 texels of one level.
typedef struct caster_reads {
    int32_t first[2 * LANES], stride[2 * LANES]; // index of the first texel; row stride
    float x[2 * LANES], y[2 * LANES];            // position between the middle texels, 0 to 1
    float height[2 * LANES];                     // m towards the light
    uint32_t lane[2 * LANES];                    // the lane that it is for
    float result[2 * LANES];
    uint32_t count;
} caster_reads;

// Adds a read of a level, which starts at `begin`, for each wanted lane whose texels are all within the map. (u, v) are
// in texels of the shadow map
INLINE void add_reads(caster_reads *reads, vi level, vi begin, vf u, vf v, vf height, uint32_t wanted)
{
    vi size = splat_int(TIDE_LIGHT_SIZE) >> level;
    vf scale = (vf)((127 - level) << 23), last = from_int(size - 3); // 2^-level
    vf x = u * scale - 0.5f, y = v * scale - 0.5f;
    wanted &= BITS((x > 2) & (y > 2) & (x < last) & (y < last));
    vi i = whole(x), j = whole(y);
    int32_t first[LANES], strides[LANES];
    float xs[LANES], ys[LANES], heights[LANES];
    vi stride = size + 4, at = begin + (j - 1) * stride + (i - 1);
    memcpy(first, &at, sizeof at);
    memcpy(strides, &stride, sizeof stride);
    store(xs, x - from_int(i));
    store(ys, y - from_int(j));
    store(heights, height);
    for (; wanted; wanted &= wanted - 1) {
        const uint32_t k = (uint32_t)__builtin_ctz(wanted), to = reads->count++;
        reads->first[to] = first[k];
        reads->stride[to] = strides[k];
        reads->x[to] = xs[k];
        reads->y[to] = ys[k];
        reads->height[to] = heights[k];
        reads->lane[to] = k;
    }
}

// Fills the last vector with copies of the first read.
INLINE void pad_reads(caster_reads *reads)
{
    for (uint32_t k = reads->count; k % LANE_QUARTERS; k++) {
        reads->first[k] = reads->first[0];
        reads->stride[k] = reads->stride[0];
        reads->x[k] = reads->x[0];
        reads->y[k] = reads->y[0];
        reads->height[k] = reads->height[0];
    }
}

// A row of four texels of LANE_QUARTERS reads, concatenated
INLINE vf row_of_texels(const float *map, const caster_reads *reads, uint32_t at, int row)
{
    v4f part[4] = { { 0 } };
    for (uint32_t q = 0; q < LANE_QUARTERS; q++)
        part[q] = v4_load(map + reads->first[at + q] + row * reads->stride[at + q]);
    return QUARTERS(part[0], part[1], part[2], part[3]);
}

INLINE vf heights_of_reads(const caster_reads *reads, uint32_t at)
{
    v4f part[4] = { { 0 } };
    for (uint32_t q = 0; q < LANE_QUARTERS; q++)
        part[q] = v4_splat(reads->height[at + q]);
    return QUARTERS(part[0], part[1], part[2], part[3]);
}

// Weights of a cubic B-spline along a row, and for each row
INLINE void caster_weights(const caster_reads *reads, uint32_t at, vf *across, vf down[4])
{
    v4f part[4] = { { 0 } };
    for (uint32_t q = 0; q < LANE_QUARTERS; q++)
        part[q] = (v4f) { 1 - reads->x[at + q], reads->x[at + q], 1 - reads->y[at + q], reads->y[at + q] };
    // (1 - t)^3, 3 t^3 - 6 t^2 + 4, the same for 1 - t, and t^3, all over 6
    const float sixth = 1.0f / 6;
    vf t = QUARTERS(part[0], part[1], part[2], part[3]), t2 = t * t, t3 = t2 * t;
    vf outer = t3 * sixth, inner = (3 * t3 - 6 * t2 + 4) * sixth;
    *across = IN_QUARTERS(outer, inner, 0, LANES + 1, LANES + 0, 1);
    down[0] = IN_QUARTERS(outer, outer, 2, 2, 2, 2);
    down[1] = IN_QUARTERS(inner, inner, 3, 3, 3, 3);
    down[2] = IN_QUARTERS(inner, inner, 2, 2, 2, 2);
    down[3] = IN_QUARTERS(outer, outer, 3, 3, 3, 3);
}

// The sum of each quarter, in all its lanes
INLINE vf sums_of_quarters(vf a)
{
    vf pairs = a + IN_QUARTERS(a, a, 1, 0, 3, 2);
    return pairs + IN_QUARTERS(pairs, pairs, 2, 3, 0, 1);
}

INLINE void store_quarters(float *to, vf a)
{
    for (uint32_t q = 0; q < LANE_QUARTERS; q++)
        to[q] = a[4 * q];
}

// For each read: the mean height of the casters above the read point, weighted by that height, so that the surface's
// own slope has little effect. 0 without casters above; all_dark if they leave no gap
INLINE void read_distances(const tide_shadow *shadow, caster_reads *reads)
{
    const float near = (float)(TIDE_CASTER_NEAR << 3) * shadow->texel;
    pad_reads(reads);
    for (uint32_t at = 0; at < reads->count; at += LANE_QUARTERS) {
        vf casters[4], covers[4], weight = splat(0), sum = splat(0), across, down[4];
        const vf height = heights_of_reads(reads, at);
        for (int row = 0; row < 4; row++)
            casters[row] = row_of_texels(shadow->caster, reads, at, row);
        if (!BITS(MAX(MAX(casters[0], casters[1]), MAX(casters[2], casters[3])) > height)) {
            store_quarters(reads->result + at, weight);
            continue;
        }
        for (int row = 0; row < 4; row++)
            covers[row] = row_of_texels(shadow->cover, reads, at, row);
        vf least_cover = MIN(MIN(covers[0], covers[1]), MIN(covers[2], covers[3]));
        vf lowest = MIN(MIN(casters[0], casters[1]), MIN(casters[2], casters[3]));
        vf gap = choose((least_cover >= 1) & (lowest > height + near), splat(0), splat(1));
        vf dark = sums_of_quarters(gap);
        if (BITS(dark > 0)) {
            caster_weights(reads, at, &across, down);
            for (int row = 0; row < 4; row++) {
                vf above = MAX(casters[row] - height, splat(0)), moment = covers[row] * across * down[row] * above;
                weight += moment;
                sum += moment * above;
            }
        }
        vf all = sums_of_quarters(weight);
        vf distance = choose(all > 0, sums_of_quarters(sum) / MAX(all, splat(1e-30f)), splat(0));
        store_quarters(reads->result + at, choose(dark > 0, distance, splat(all_dark)));
    }
}

// For each read: the fraction of the light that arrives
INLINE void read_lights(const tide_shadow *shadow, caster_reads *reads)
{
    pad_reads(reads);
    for (uint32_t at = 0; at < reads->count; at += LANE_QUARTERS) {
        vf sum = splat(0), across, down[4];
        const vf height = heights_of_reads(reads, at);
        caster_weights(reads, at, &across, down);
        for (int row = 0; row < 4; row++) {
            vi above = row_of_texels(shadow->caster, reads, at, row) > height;
            sum += (vf)(above & (vi)row_of_texels(shadow->cover, reads, at, row)) * across * down[row];
        }
        store_quarters(reads->result + at, 1 - sums_of_quarters(sum));
    }
}

INLINE vf in_lanes(const caster_reads *reads, vf others)
{
    float result[LANES];
    store(result, others);
    for (uint32_t k = 0; k < reads->count; k++)
        result[reads->lane[k]] = reads->result[k];
    return load(result);
}

// For each four `wanted` lanes that are neighbours on a smooth surface, marks the middle two (bits): values read from
// the casters change little between the first and the last.
INLINE uint32_t lanes_between(const tide_shadow *shadow, vf u, vf v, vf height, uint32_t wanted)
{
    const float widest = 16, bend = 2; // texels
    const vf of_four[3] = { u, v, height / shadow->texel }, share = repeat(third_shares);
    vi uneven = lanes_of(~wanted);
    for (int i = 0; i < 3; i++) {
        vf first = IN_QUARTERS(of_four[i], of_four[i], 0, 0, 0, 0);
        vf span = IN_QUARTERS(of_four[i], of_four[i], 3, 3, 3, 3) - first;
        uneven |= (absolute(span) > widest) | (absolute(first + share * span - of_four[i]) > bend);
    }
    uint32_t odd = BITS(uneven), between = 0;
    for (uint32_t q = 0; q < LANES; q += 4)
        between |= odd >> q & 15 ? 0 : 6u << q;
    return between;
}

// The distances of casters. The middle two of four lanes are interpolated, unless full shadow begins between them.
INLINE vf caster_distances(const tide_shadow *shadow, vf u, vf v, vf height, uint32_t wanted, uint32_t between)
{
    const vi level = splat_int(3), begin = splat_int(caster_firsts[3]);
    caster_reads reads = { .count = 0 };
    add_reads(&reads, level, begin, u, v, height, wanted & ~between);
    read_distances(shadow, &reads);
    vf result = in_lanes(&reads, splat(0));
    if (!between)
        return result;
    vf first = IN_QUARTERS(result, result, 0, 0, 0, 0), last = IN_QUARTERS(result, result, 3, 3, 3, 3);
    vf mixed = choose(first == last, first, first + repeat(third_shares) * (last - first));
    result = choose(lanes_of(between), mixed, result);
    uint32_t ends = BITS((first == all_dark) != (last == all_dark)) & between;
    if (!ends)
        return result;
    reads.count = 0;
    add_reads(&reads, level, begin, u, v, height, ends);
    read_distances(shadow, &reads);
    return in_lanes(&reads, result);
}

// Bilinear interpolation; (u, v) in texels of level 0, `size` of the level in texels, `first` its start in the pyramid
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

// The fraction of the light that arrives on the ground in `wanted` lanes, which must be within the map.
INLINE vf ground_light(const tide_shadow *shadow, vf u, vf v, vi wanted)
{
    enum { LAST = TIDE_GROUND_LEVELS - 1 };
    const float *share = shadow->share, *distances = shadow->distance;
    vf wide = read_level(share, LAST, u, v);
    wanted &= wide >= 1e-4f;
    if (!BITS(wanted))
        return splat(1);
    // distance of the caster: of close casters, or of the wider surroundings if there are none
    const float close = 5;
    vf distance = close * read_level(distances, LAST - 1, u, v) + read_level(distances, LAST, u, v);
    distance /= close * read_level(share, LAST - 1, u, v) + wide;
    vf width = penumbra_slope * distance / (2 * shadow->texel); // in texels of level 0
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
