// Reading the maps drawn from the light: soft shadow on surfaces, and on the ground a shadow whose edge widens with
// the distance of what casts it.
#include "base/parallel.h"
#include "draw/rasterizer_parts.h"

static const float penumbra_slope = 0.11f; // width of a penumbra for a metre of distance; the sun's is 0.009

// --- blurring ---------------------------------------------------------------------------------------------------

struct blur {
    float *map, *scratch;
    int32_t size;
};

static void blur_rows(void *context, uint32_t begin, uint32_t end)
{
    const struct blur *blur = context;
    const v4f w0 = v4_splat(0.375f), w1 = v4_splat(0.25f), w2 = v4_splat(0.0625f);
    for (uint32_t y = begin; y < end; y++) {
        const float *row = blur->map + (size_t)y * (size_t)blur->size;
        float *to = blur->scratch + (size_t)y * (size_t)blur->size;
        v4f before = v4_splat(0), here = v4_load(row);
        for (int32_t x = 0; x < blur->size; x += 4) {
            v4f after = x + 4 < blur->size ? v4_load(row + x + 4) : v4_splat(0);
            v4f left2 = { before[2], before[3], here[0], here[1] }, left1 = { before[3], here[0], here[1], here[2] };
            v4f right1 = { here[1], here[2], here[3], after[0] }, right2 = { here[2], here[3], after[0], after[1] };
            v4_store(to + x, here * w0 + (left1 + right1) * w1 + (left2 + right2) * w2);
            before = here;
            here = after;
        }
    }
}

static void blur_columns(void *context, uint32_t begin, uint32_t end)
{
    const struct blur *blur = context;
    const v4f w0 = v4_splat(0.375f), w1 = v4_splat(0.25f), w2 = v4_splat(0.0625f), zero = v4_splat(0);
    const int32_t size = blur->size;
    for (int32_t y = (int32_t)begin; y < (int32_t)end; y++) {
        const float *rows[5];
        for (int k = 0; k < 5; k++) {
            int32_t from = y + k - 2;
            rows[k] = from >= 0 && from < size ? blur->scratch + (size_t)from * (size_t)size : NULL;
        }
        float *to = blur->map + (size_t)y * (size_t)size;
        for (int32_t x = 0; x < size; x += 4) {
            v4f a = rows[0] ? v4_load(rows[0] + x) : zero, b = rows[1] ? v4_load(rows[1] + x) : zero;
            v4f d = rows[3] ? v4_load(rows[3] + x) : zero, e = rows[4] ? v4_load(rows[4] + x) : zero;
            v4_store(to + x, v4_load(rows[2] + x) * w0 + (b + d) * w1 + (a + e) * w2);
        }
    }
}

// One pass along the rows and one along the columns with the weights 1 4 6 4 1 of 16; outside is 0.
void tide_blur(float *map, float *scratch, int32_t size)
{
    struct blur blur = { map, scratch, size };
    tide_parallel_for((uint32_t)size, 128, blur_rows, &blur);
    tide_parallel_for((uint32_t)size, 128, blur_columns, &blur);
}

// The mean of two by two
static void halve(const float *from, float *to, int32_t size)
{
    for (int32_t y = 0; y < size; y++) {
        const float *a = from + (size_t)(2 * y) * (size_t)(2 * size), *b = a + 2 * size;
        for (int32_t x = 0; x < size; x++)
            to[y * size + x] = 0.25f * (a[2 * x] + a[2 * x + 1] + b[2 * x] + b[2 * x + 1]);
    }
}

static void gather_ground(void *context, uint32_t begin, uint32_t end)
{
    tide_shadow *shadow = context;
    enum { SIZE = TIDE_LIGHT_SIZE / 2 };
    for (uint32_t y = begin; y < end; y++) {
        const float *a = shadow->depth + (size_t)(2 * y) * TIDE_LIGHT_SIZE, *b = a + TIDE_LIGHT_SIZE;
        float *share = shadow->share[0] + (size_t)y * SIZE, *distance = shadow->distance[0] + (size_t)y * SIZE;
        float row = shadow->ground_offset + shadow->ground_v * ((float)y + 0.5f);
        for (uint32_t x = 0; x < SIZE; x += 4) {
            v4f ground = row + shadow->ground_u * ((float)x + (v4f) { 0.5f, 1.5f, 2.5f, 3.5f });
            v4f count = v4_splat(0), sum = v4_splat(0);
            for (int k = 0; k < 2; k++) {
                const float *from = (k ? b : a) + 2 * x;
                v4f low = v4_load(from), high = v4_load(from + 4);
                v4f above[2] = { (v4f) { low[0], low[2], high[0], high[2] } - ground,
                                 (v4f) { low[1], low[3], high[1], high[3] } - ground };
                for (int i = 0; i < 2; i++) {
                    count += (v4f)((above[i] > 0) & (v4i)v4_splat(0.25f));
                    sum += 0.25f * v4_max(above[i], v4_splat(0));
                }
            }
            v4_store(share + x, count);
            v4_store(distance + x, sum);
        }
    }
}

void tide_shadow_blur_ground(tide_shadow *shadow)
{
    tide_parallel_for(TIDE_LIGHT_SIZE / 2, 16, gather_ground, shadow);
    for (int k = 0; k < TIDE_GROUND_LEVELS; k++) {
        int32_t size = TIDE_LIGHT_SIZE / 2 >> k;
        if (k) {
            halve(shadow->share[k - 1], shadow->share[k], size);
            halve(shadow->distance[k - 1], shadow->distance[k], size);
        }
        tide_blur(shadow->share[k], shadow->scratch, size);
        if (k >= 1) // distances are only read where they are blurred
            tide_blur(shadow->distance[k], shadow->scratch, size);
    }
}

// --- reading ----------------------------------------------------------------------------------------------------

// Bilinear; (u, v) in level 0 texels
static float read_level(const float *map, int level, float u, float v)
{
    int32_t size = TIDE_LIGHT_SIZE / 2 >> level;
    float scale = 1 / (float)(1 << level), x = u * scale - 0.5f, y = v * scale - 0.5f;
    x = tide_float_min(tide_float_max(x, 0), (float)size - 1.01f);
    y = tide_float_min(tide_float_max(y, 0), (float)size - 1.01f);
    int32_t i = (int32_t)x, j = (int32_t)y;
    float fx = x - (float)i, fy = y - (float)j;
    const float *at = map + j * size + i;
    float a = at[0] + fx * (at[1] - at[0]), b = at[size] + fx * (at[size + 1] - at[size]);
    return a + fy * (b - a);
}

float tide_shadow_ground(const tide_shadow *shadow, float u, float v)
{
    enum { LAST = TIDE_GROUND_LEVELS - 1 };
    float size = TIDE_LIGHT_SIZE / 2;
    if (!(u > 0 && v > 0 && u < size && v < size))
        return 1;
    float wide = read_level(shadow->share[LAST], LAST, u, v);
    if (wide < 1e-4f)
        return 1;
    // the distance of what casts the shadow: of what is close, and where nothing is, of the wider surroundings
    const float close = 5;
    float distance =
        close * read_level(shadow->distance[LAST - 1], LAST - 1, u, v) + read_level(shadow->distance[LAST], LAST, u, v);
    distance /= close * read_level(shadow->share[LAST - 1], LAST - 1, u, v) + wide;
    float width = penumbra_slope * distance / (2 * shadow->texel); // in level 0 texels
    if (width >= 1 << LAST)
        return 1 - wide;
    int level = width < 2 ? 0 : width < 4 ? 1 : 2;
    float low = (float)(1 << level), blend = tide_float_max(0, width - low) / low;
    float a = read_level(shadow->share[level], level, u, v);
    float b = read_level(shadow->share[level + 1], level + 1, u, v);
    return 1 - (a + tide_float_min(blend, 1) * (b - a));
}

// The weights of a cubic B-spline at the four texels around: a smooth filter two texels to either side
static v4f spline_weights(float t)
{
    float s = 1 - t, t2 = t * t, t3 = t2 * t;
    return (v4f) { s * s * s, 3 * t3 - 6 * t2 + 4, -3 * t3 + 3 * t2 + 3 * t + 1, t3 } * v4_splat(1.0f / 6);
}

float tide_shadow_visibility(const tide_shadow *shadow, float u, float v, float height)
{
    float x = u - 0.5f, y = v - 0.5f;
    if (!(x > 2 && y > 2 && x < TIDE_LIGHT_SIZE - 3 && y < TIDE_LIGHT_SIZE - 3))
        return 1;
    int32_t i = (int32_t)x, j = (int32_t)y;
    const float *at = shadow->depth + (size_t)(j - 1) * TIDE_LIGHT_SIZE + (size_t)(i - 1);
    v4f h = v4_splat(height);
    v4i lit0 = v4_load(at) <= h, lit1 = v4_load(at + TIDE_LIGHT_SIZE) <= h;
    v4i lit2 = v4_load(at + 2 * TIDE_LIGHT_SIZE) <= h, lit3 = v4_load(at + 3 * TIDE_LIGHT_SIZE) <= h;
    if (v4_bits(lit0 & lit1 & lit2 & lit3) == 15)
        return 1;
    if (!v4_bits(lit0 | lit1 | lit2 | lit3))
        return 0;
    v4f wx = spline_weights(x - (float)i), wy = spline_weights(y - (float)j);
    v4f sum = (v4f)(lit0 & (v4i)wx) * wy[0] + (v4f)(lit1 & (v4i)wx) * wy[1] + (v4f)(lit2 & (v4i)wx) * wy[2] +
              (v4f)(lit3 & (v4i)wx) * wy[3];
    return sum[0] + sum[1] + sum[2] + sum[3];
}
