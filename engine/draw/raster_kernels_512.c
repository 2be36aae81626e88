// Vectors of 512 bits: AVX-512.
#if defined(__x86_64__)
#include <immintrin.h>

#define LANES 16
#define TARGET __attribute__((target("avx512f,avx512dq,avx512bw,avx512vl,avx2")))
#define TITLE "16 numbers at a time"
#define TABLE tide_raster_kernels_512
#define MIN(a, b) ((vf)_mm512_min_ps((__m512)(a), (__m512)(b)))
#define MAX(a, b) ((vf)_mm512_max_ps((__m512)(a), (__m512)(b)))
#define ROOT(a) ((vf)_mm512_sqrt_ps((__m512)(a)))
#define BITS(mask) ((uint32_t)_mm512_movepi32_mask((__m512i)(mask)))
#define TWO(a, b) __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7)
#define GATHER_PAIRS(from, eight) ((vf)_mm512_i32gather_pd(eight, from, 4))
#define PAIRS(from, at, low, high)                                                                                     \
    (low = GATHER_PAIRS(from, _mm512_castsi512_si256((__m512i)(at))),                                                  \
     high = GATHER_PAIRS(from, _mm512_extracti64x4_epi64((__m512i)(at), 1)))
#define LOOK_UP_INT(from, at) ((vi)_mm512_i32gather_epi32((__m512i)(at), from, 4))
#define QUARTERS(a, b, c, d)                                                                                           \
    __builtin_shufflevector(TWO(a, b), TWO(c, d), 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
#define LANE_NUMBERS                                                                                                   \
    {                                                                                                                  \
        0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15                                                           \
    }
#define LANE_PIXELS                                                                                                    \
    {                                                                                                                  \
        0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3                                                                 \
    }
#include "draw/lanes.h"

#endif
