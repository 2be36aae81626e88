// The rasteriser's inner loops for one width of vectors. Included by the files that define
//   LANES                numbers in a vector: 4, 8 or 16
//   TARGET               attributes of every function
//   TITLE, TABLE         what the table says of itself, and its name
//   MIN, MAX(a, b)       the second where one is not a number
//   ROOT(a)              of each number
//   BITS(mask)           one bit a lane, lane 0 lowest
//   LOOK_UP_INT(from, at)
//                        from[at] of each index
//   PAIRS(from, at, low, high)
//                        low, high = from[at] and from[at + 1] in turn, of the lower half of the indices and of the
//                        other
//   QUARTERS(a, b, c, d) as many of the vectors of four as there is room for, the first in the lowest lanes
//   LANE_NUMBERS         0 to LANES - 1
//   LANE_PIXELS          the same over 4, rounded down
// No operation here rounds otherwise in one width than in another, and none mixes lanes but where it says so.
#ifndef TIDE_DRAW_LANES_H
#define TIDE_DRAW_LANES_H

#include "draw/raster_kernels.h"

#define INLINE static inline __attribute__((always_inline)) TARGET
#define KERNEL static TARGET

enum { ALL_LANES = (1 << LANES) - 1, LANE_QUARTERS = LANES / 4 };

typedef float vf __attribute__((vector_size(4 * LANES)));
typedef int32_t vi __attribute__((vector_size(4 * LANES)));

typedef struct vf3 {
    vf x, y, z;
} vf3;

INLINE vf splat(float a)
{
    return a - (vf) { 0 };
}

INLINE vi splat_int(int32_t a)
{
    return a - (vi) { 0 };
}

INLINE vf load(const float *from)
{
    vf a;
    memcpy(&a, from, sizeof a);
    return a;
}

INLINE void store(float *to, vf a)
{
    memcpy(to, &a, sizeof a);
}

INLINE vi load_int(const int32_t *from)
{
    vi a;
    memcpy(&a, from, sizeof a);
    return a;
}

// a where the mask is all ones, b where it is 0
INLINE vf choose(vi mask, vf a, vf b)
{
    return (vf)((mask & (vi)a) | (~mask & (vi)b));
}

INLINE vi choose_int(vi mask, vi a, vi b)
{
    return (mask & a) | (~mask & b);
}

// A mask of bits, one a lane, lane 0 lowest
INLINE vi lanes_of(uint32_t bits)
{
    return (splat_int((int32_t)bits) & (splat_int(1) << (vi)LANE_NUMBERS)) != 0;
}

INLINE vf clamp(vf a, float low, float high)
{
    return MIN(MAX(a, splat(low)), splat(high));
}

INLINE vf absolute(vf a)
{
    return (vf)((vi)a & splat_int(0x7fffffff));
}

// Towards 0, for |a| < 2^31
INLINE vi whole(vf a)
{
    return __builtin_convertvector(a, vi);
}

INLINE vf from_int(vi a)
{
    return __builtin_convertvector(a, vf);
}

// For |a| < 2^31
INLINE vf floor_of(vf a)
{
    vf low = from_int(whole(a));
    return low - (vf)((vi)(low > a) & (vi)splat(1));
}

INLINE vf dot(vf3 a, vf3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

INLINE vf dot_one(vf3 a, tide_float3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

INLINE vf3 cross(vf3 a, vf3 b)
{
    return (vf3) { a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x };
}

// The four numbers in each quarter
INLINE vf repeat(v4f a)
{
    return QUARTERS(a, a, a, a);
}

#if LANES == 16
#define EVEN_OF(a, b) __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30)
#define ODD_OF(a, b) __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31)
#elif LANES == 8
#define EVEN_OF(a, b) __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14)
#define ODD_OF(a, b) __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15)
#else
#define EVEN_OF(a, b) __builtin_shufflevector(a, b, 0, 2, 4, 6)
#define ODD_OF(a, b) __builtin_shufflevector(a, b, 1, 3, 5, 7)
#endif

// Numbers i, j, k and l of each quarter; those of b are counted from LANES on.
#if LANES == 16
#define IN_QUARTERS(a, b, i, j, k, l)                                                                                  \
    __builtin_shufflevector(a, b, i, j, k, l, i + 4, j + 4, k + 4, l + 4, i + 8, j + 8, k + 8, l + 8, i + 12, j + 12,  \
                            k + 12, l + 12)
#elif LANES == 8
#define IN_QUARTERS(a, b, i, j, k, l) __builtin_shufflevector(a, b, i, j, k, l, i + 4, j + 4, k + 4, l + 4)
#else
#define IN_QUARTERS(a, b, i, j, k, l) __builtin_shufflevector(a, b, i, j, k, l)
#endif

// from[at] and from[at + 1]
INLINE void look_up_two(const float *from, vi at, vf *first, vf *second)
{
    vf low, high;
    PAIRS(from, at, low, high);
    *first = EVEN_OF(low, high);
    *second = ODD_OF(low, high);
}

#include "draw/lanes_shadow.h"

#include "draw/lanes_ground.h"
#include "draw/lanes_maps.h"
#include "draw/lanes_openness.h"
#include "draw/lanes_shade.h"
#include "draw/lanes_tile.h"

const tide_raster_kernels TABLE = {
    .name = TITLE,
    .bits = 32 * LANES,
    .clear = clear,
    .fill = fill,
    .surroundings = surroundings,
    .sort = sort_pixels,
    .shade_whole = shade_whole,
    .shade_triangles = shade_triangles,
    .shade_solids = shade_solids,
    .write = write_pixels,
    .map_triangle = map_triangle,
    .blur_rows = blur_rows,
    .blur_columns = blur_columns,
    .halve = halve,
    .gather_ground = gather_ground,
    .open_rows = open_rows,
    .smooth_rows = smooth_rows,
};

#endif
