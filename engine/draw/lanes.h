// The rasteriser's inner loops for one vector width. The including file defines
//   LANES                lanes of a vector: 4, 8 or 16
//   TARGET               attributes of every function
//   TITLE, TABLE         the name in the table, and the table's identifier
//   MIN, MAX(a, b)       b if one of them is NaN
//   ROOT(a)              square root of each lane
//   BITS(mask)           one bit per lane, lane 0 lowest
//   LOOK_UP_INT(from, at)
//                        gathers from[at]
//   PAIRS(from, at, low, high)
//                        gathers from[at] and from[at + 1] interleaved: low for the lower half of the indices, high for
//                        the upper half
//   QUARTERS(a, b, c, d) concatenates as many vectors of four as fit, the first in the lowest lanes
//   LANE_NUMBERS         0 to LANES - 1
//   LANE_PIXELS          LANE_NUMBERS / 4, rounded down
// Every operation rounds the same in all widths. Operations do not mix lanes unless their comment says so.
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

// The mask of a bit set, one bit per lane, lane 0 lowest
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

// Truncates, for |a| < 2^31
INLINE vi whole(vf a)
{
    return __builtin_convertvector(a, vi);
}

INLINE vf from_int(vi a)
{
    return __builtin_convertvector(a, vf);
}

// Floor, for |a| < 2^31
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

// Repeats the four numbers in each quarter
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

// Lanes i, j, k and l of each quarter; indices from LANES on select from b
#if LANES == 16
#define IN_QUARTERS(a, b, i, j, k, l)                                                                                  \
    __builtin_shufflevector(a, b, i, j, k, l, i + 4, j + 4, k + 4, l + 4, i + 8, j + 8, k + 8, l + 8, i + 12, j + 12,  \
                            k + 12, l + 12)
#elif LANES == 8
#define IN_QUARTERS(a, b, i, j, k, l) __builtin_shufflevector(a, b, i, j, k, l, i + 4, j + 4, k + 4, l + 4)
#else
#define IN_QUARTERS(a, b, i, j, k, l) __builtin_shufflevector(a, b, i, j, k, l)
#endif

// Gathers from[at] and from[at + 1]
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
