// Vectors of 256 bits: AVX2.
#if defined(__x86_64__)
#include <immintrin.h>

#define LANES 8
#define TARGET __attribute__((target("avx2")))
#define TITLE "8 numbers at a time"
#define TABLE tide_raster_kernels_256
#define MIN(a, b) ((vf)_mm256_min_ps((__m256)(a), (__m256)(b)))
#define MAX(a, b) ((vf)_mm256_max_ps((__m256)(a), (__m256)(b)))
#define ROOT(a) ((vf)_mm256_sqrt_ps((__m256)(a)))
#define BITS(mask) ((uint32_t)_mm256_movemask_ps((__m256)(mask)))
#define GATHER_PAIRS(from, four) ((vf)_mm256_i32gather_pd((const double *)(from), four, 4))
#define PAIRS(from, at, low, high)                                                                                     \
    (low = GATHER_PAIRS(from, _mm256_castsi256_si128((__m256i)(at))),                                                  \
     high = GATHER_PAIRS(from, _mm256_extracti128_si256((__m256i)(at), 1)))
#define LOOK_UP_INT(from, at) ((vi)_mm256_i32gather_epi32(from, (__m256i)(at), 4))
#define QUARTERS(a, b, c, d) __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7)
#define LANE_NUMBERS                                                                                                   \
    {                                                                                                                  \
        0, 1, 2, 3, 4, 5, 6, 7                                                                                         \
    }
#define LANE_PIXELS                                                                                                    \
    {                                                                                                                  \
        0, 0, 0, 0, 1, 1, 1, 1                                                                                         \
    }
#include "draw/lanes.h"

#endif
