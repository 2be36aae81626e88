// Vectors of 512 bits: AVX-512.
#if defined(__x86_64__)
#include <immintrin.h>

#define QUARTER(v, i) __builtin_shufflevector(v, v, 4 * (i), 4 * (i) + 1, 4 * (i) + 2, 4 * (i) + 3)
#define TWO(a, b) __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7)
#define AVX512 __attribute__((target("avx512f,avx512dq,avx512vl,avx2,fma")))

#define REAL float
#define SIDES 3
#define KEEP(v) __asm__("" : "+v"(v))
#define ROWS 4
#define NAME(x) x##_single
#define TABLE tide_sweeps_single_512
#define TITLE "single precision, 16 numbers at a time"
#define TARGET AVX512
#define FMA(a, b, c) ((vec)_mm512_fmadd_ps((__m512)(a), (__m512)(b), (__m512)(c)))
#define SPLAT(q) ((vec)_mm512_broadcast_f32x4((__m128)(q)))
#define PAIR(x, rows, i)                                                                                               \
    _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_load_ps((x) + 4 * (size_t)(rows)[i])),                             \
                         _mm_load_ps((x) + 4 * (size_t)(rows)[(i) + 1]), 1)
#define JOIN(x, rows) ((vec)_mm512_insertf32x8(_mm512_castps256_ps512(PAIR(x, rows, 0)), PAIR(x, rows, 2), 1))
#define PART(v, i) QUARTER(v, i)
#include "linear/sweeps_template.h"

#define REAL double
#define SIDES 3
#define KEEP(v) __asm__("" : "+v"(v))
#define ROWS 2
#define NAME(x) x##_double
#define TABLE tide_sweeps_double_512
#define TITLE "double precision, 8 numbers at a time"
#define TARGET AVX512
#define FMA(a, b, c) ((vec)_mm512_fmadd_pd((__m512d)(a), (__m512d)(b), (__m512d)(c)))
#define SPLAT(q) ((vec)_mm512_broadcast_f64x4((__m256d)(q)))
#define JOIN(x, rows) TWO(load_four((x) + 4 * (size_t)(rows)[0]), load_four((x) + 4 * (size_t)(rows)[1]))
#define PART(v, i) QUARTER(v, i)
#include "linear/sweeps_template.h"

#define REAL double
#define SIDES 1
#define ROWS 2
#define NAME(x) x##_one
#define TABLE tide_sweeps_one_512
#define TITLE "double precision, 8 numbers at a time"
#define TARGET AVX512
#define FMA(a, b, c) ((vec)_mm512_fmadd_pd((__m512d)(a), (__m512d)(b), (__m512d)(c)))
#define SPLAT(q) ((vec)_mm512_broadcast_f64x4((__m256d)(q)))
#define PART(v, i) QUARTER(v, i)
#include "linear/sweeps_template.h"

#endif
