// Vectors of 128 bits: SSE2, NEON, or what the compiler generates for four floats.

#pragma GCC diagnostic ignored "-Wpsabi" // vectors are passed within this file only, and inlined

#define LANES 4
#define TARGET
#define TITLE "4 numbers at a time"
#define TABLE tide_raster_kernels_128
#define MIN(a, b) v4_min(a, b)
#define MAX(a, b) v4_max(a, b)
#define ROOT(a) v4_sqrt(a)
#define BITS(mask) v4_bits(mask)
#define PAIRS(from, at, low, high)                                                                                     \
    (low = (vf) { (from)[(at)[0]], (from)[(at)[0] + 1], (from)[(at)[1]], (from)[(at)[1] + 1] },                        \
     high = (vf) { (from)[(at)[2]], (from)[(at)[2] + 1], (from)[(at)[3]], (from)[(at)[3] + 1] })
#define LOOK_UP_INT(from, at) ((vi) { (from)[(at)[0]], (from)[(at)[1]], (from)[(at)[2]], (from)[(at)[3]] })
#define QUARTERS(a, b, c, d) (a)
#define LANE_NUMBERS                                                                                                   \
    {                                                                                                                  \
        0, 1, 2, 3                                                                                                     \
    }
#define LANE_PIXELS                                                                                                    \
    {                                                                                                                  \
        0, 0, 0, 0                                                                                                     \
    }
#include "draw/lanes.h"
