// The ground's shadow in levels of more and more blur, from the light's map.
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

// One pass along the rows and one along the columns with the weights 1 4 6 4 1 of 16; outside is 0.
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
        if (k >= 1) // distances are only read where they are blurred
            tide_blur(kernels, distance, shadow->scratch, size);
    }
}
