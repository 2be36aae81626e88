// Boxes in single precision, four numbers at a time by GCC's vectors. Private to the searches.
#ifndef TIDE_COLLISION_FLOAT_BOXES_H
#define TIDE_COLLISION_FLOAT_BOXES_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#define WIDER 1.2e-7f // relative; more than the error of rounding to a float
#define LEAST 1e-37f

// Bounds of the number that was rounded to f: no more than it, and no less.
static inline float round_down(float f)
{
    return f - (fabsf(f) * WIDER + LEAST);
}
static inline float round_up(float f)
{
    return f + (fabsf(f) * WIDER + LEAST);
}

typedef float four __attribute__((vector_size(16)));
typedef int32_t four_bools __attribute__((vector_size(16)));
typedef int64_t two __attribute__((vector_size(16)));

static inline four load(const float *numbers)
{
    four loaded;
    memcpy(&loaded, numbers, sizeof loaded);
    return loaded;
}

#endif
