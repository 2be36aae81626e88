// Vectors of four floats for the rasteriser's inner loops: the compiler's vector types.
#ifndef TIDE_DRAW_SIMD_H
#define TIDE_DRAW_SIMD_H

#include "base/vectors_128.h"

#include <string.h>

typedef tide_four_floats v4f;
typedef tide_four_masks v4i;

// Return the second argument if one is NaN
static inline float tide_float_min(float a, float b)
{
    return a < b ? a : b;
}
static inline float tide_float_max(float a, float b)
{
    return a > b ? a : b;
}

static inline int32_t tide_least_of_three(int32_t a, int32_t b, int32_t c)
{
    int32_t least = a < b ? a : b;
    return c < least ? c : least;
}
static inline int32_t tide_most_of_three(int32_t a, int32_t b, int32_t c)
{
    int32_t most = a > b ? a : b;
    return c > most ? c : most;
}

static inline v4f v4_splat(float a)
{
    return (v4f) { a, a, a, a };
}
static inline v4i v4_splat_int(int32_t a)
{
    return (v4i) { a, a, a, a };
}
static inline v4f v4_load(const float *p)
{
    v4f a;
    memcpy(&a, p, sizeof a);
    return a;
}
static inline void v4_store(float *p, v4f a)
{
    memcpy(p, &a, sizeof a);
}
// a where the mask is all ones, b where it is 0
static inline v4f v4_select(v4i mask, v4f a, v4f b)
{
    return (v4f)((mask & (v4i)a) | (~mask & (v4i)b));
}
static inline v4i v4_select_int(v4i mask, v4i a, v4i b)
{
    return (mask & a) | (~mask & b);
}
static inline v4f v4_min(v4f a, v4f b)
{
    return tide_smaller_of_four(a, b);
}
static inline v4f v4_max(v4f a, v4f b)
{
    return tide_larger_of_four(a, b);
}
static inline v4f v4_clamp(v4f a, float low, float high)
{
    return v4_min(v4_max(a, v4_splat(low)), v4_splat(high));
}
static inline v4f v4_sqrt(v4f a)
{
    return tide_root_of_four(a);
}
static inline v4f v4_abs(v4f a)
{
    return (v4f)((v4i)a & v4_splat_int(0x7fffffff));
}
// One bit per lane, lane 0 lowest
static inline uint32_t v4_bits(v4i mask)
{
    return tide_signs_of_four(mask);
}
// Rounds to the nearest integer, for |a| < 2^31
static inline int32_t tide_round_float(float a)
{
#ifdef TIDE_BY_SSE2
    return _mm_cvtss_si32(_mm_set_ss(a));
#else
    return (int32_t)lrintf(a);
#endif
}

#endif
