// Pyramids made from the shadow map: the ground's shadow in levels of increasing blur, and the casters in increasingly
// coarse texels.
#include "base/parallel.h"
#include "draw/raster_kernels.h"

typedef struct blur {
    const tide_raster_kernels *kernels;
    float *map, *scratch;
    int32_t size;
} blur;

static void blur_rows(void *context, uint32_t begin, uint32_t end)
{
    const blur *b = context;
    b->kernels->blur_rows(b->map, b->scratch, b->size, (int32_t)begin, (int32_t)end);
}

static void blur_columns(void *context, uint32_t begin, uint32_t end)
{
    const blur *b = context;
    b->kernels->blur_columns(b->scratch, b->map, b->size, (int32_t)begin, (int32_t)end);
}

// Blurs rows, then columns, with weights 1 4 6 4 1 over 16; 0 outside.
void tide_blur(const tide_raster_kernels *kernels, float *map, float *scratch, int32_t size)
{
    blur b = { kernels, map, scratch, size };
    tide_parallel_for((uint32_t)size, 128, blur_rows, &b);
    tide_parallel_for((uint32_t)size, 128, blur_columns, &b);
}

typedef struct gather {
    const tide_raster_kernels *kernels;
    tide_shadow *shadow;
} gather;

static void gather_ground(void *context, uint32_t begin, uint32_t end)
{
    const gather *g = context;
    g->kernels->gather_ground(g->shadow, (int32_t)begin, (int32_t)end);
}

void tide_shadow_blur_ground(const tide_raster_kernels *kernels, tide_shadow *shadow)
{
    gather g = { kernels, shadow };
    tide_parallel_for(TIDE_LIGHT_SIZE / 2, 16, gather_ground, &g);
    for (int k = 0; k < TIDE_GROUND_LEVELS; k++) {
        int32_t size = TIDE_LIGHT_SIZE / 2 >> k;
        float *share = shadow->share + tide_ground_level(k), *distance = shadow->distance + tide_ground_level(k);
        if (k) {
            kernels->halve(shadow->share + tide_ground_level(k - 1), share, size, 0, size);
            kernels->halve(shadow->distance + tide_ground_level(k - 1), distance, size, 0, size);
        }
        tide_blur(kernels, share, shadow->scratch, size);
        if (k >= 1) // distances are read only from blurred levels
            tide_blur(kernels, distance, shadow->scratch, size);
    }
}

// --- casters ----------------------------------------------------------------------------------------------------

typedef struct pool {
    const float *from, *from_cover; // from_cover NULL: 1 where there is a caster
    float *caster, *cover;
    int32_t from_stride, stride, size; // `stride` and `size` are of the result
    float near;                        // how far below the highest caster one merges with it, m
} pool;

static inline v4f pooled_cover(v4f height, v4f cover, v4f least)
{
    return (v4f)((height >= least) & (v4i)cover);
}

// Reduces two rows of eight texels to four texels
static void pool_four(const pool *p, const float *const rows[2], const float *const covers[2], float *caster,
                      float *cover)
{
    v4f heights[4], shares[4];
    for (int k = 0; k < 4; k++) {
        v4f low = v4_load(rows[k / 2]), high = v4_load(rows[k / 2] + 4);
        heights[k] =
            k % 2 ? __builtin_shufflevector(low, high, 1, 3, 5, 7) : __builtin_shufflevector(low, high, 0, 2, 4, 6);
        shares[k] = v4_splat(0.25f);
        if (!p->from_cover)
            continue;
        low = v4_load(covers[k / 2]);
        high = v4_load(covers[k / 2] + 4);
        shares[k] = 0.25f * (k % 2 ? __builtin_shufflevector(low, high, 1, 3, 5, 7)
                                   : __builtin_shufflevector(low, high, 0, 2, 4, 6));
    }
    v4f most = v4_max(v4_max(heights[0], heights[1]), v4_max(heights[2], heights[3])), sum = v4_splat(0);
    v4f least = v4_max(most - p->near, v4_splat(-1e29f)); // lower values are no casters
    for (int k = 0; k < 4; k++)
        sum += pooled_cover(heights[k], shares[k], least);
    v4_store(caster, most);
    v4_store(cover, sum);
}

static void pool_rows(void *context, uint32_t begin, uint32_t end)
{
    const pool *p = context;
    for (size_t y = begin; y < end; y++) {
        const size_t from = 2 * y * (size_t)p->from_stride;
        const float *rows[2] = { p->from + from, p->from + from + p->from_stride }, *covers[2] = { NULL, NULL };
        for (int k = 0; k < 2 && p->from_cover; k++)
            covers[k] = p->from_cover + from + (k ? p->from_stride : 0);
        float *caster = p->caster + y * (size_t)p->stride, *cover = p->cover + y * (size_t)p->stride;
        for (int32_t x = 0; x < p->size; x += 4) {
            const float *const row[2] = { rows[0] + 2 * x, rows[1] + 2 * x };
            const float *const share[2] = { covers[0] ? covers[0] + 2 * x : NULL,
                                            covers[1] ? covers[1] + 2 * x : NULL };
            pool_four(p, row, share, caster + x, cover + x);
        }
    }
}

void tide_shadow_pool_casters(tide_shadow *shadow)
{
    pool p = { .from = shadow->depth, .from_stride = TIDE_LIGHT_STRIDE };
    for (int32_t level = 1; level <= TIDE_CASTER_LEVELS; level++) {
        p.caster = shadow->caster + tide_caster_level(level);
        p.cover = shadow->cover + tide_caster_level(level);
        p.stride = tide_caster_stride(level);
        p.size = TIDE_LIGHT_SIZE >> level;
        p.near = (float)(TIDE_CASTER_NEAR << level) * shadow->texel;
        tide_parallel_for((uint32_t)p.size, 32, pool_rows, &p);
        p.from = p.caster;
        p.from_cover = p.cover;
        p.from_stride = p.stride;
    }
}
