// Vectors of 256 bits: AVX2 with fused multiply-add.
#if defined(__x86_64__)
#include <immintrin.h>

#define HALF(v, i) __builtin_shufflevector(v, v, 4 * (i), 4 * (i) + 1, 4 * (i) + 2, 4 * (i) + 3)
#define TWO(a, b) __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7)
#define AVX2 __attribute__((target("avx2,fma")))

#define REAL float
#define SIDES 3
#define KEEP(v) __asm__("" : "+x"(v))
#define ROWS 2
#define NAME(x) x##_single
#define TABLE tide_sweeps_single_256
#define TITLE "single precision, 8 numbers at a time"
#define TARGET AVX2
#define FMA(a, b, c) ((vec)_mm256_fmadd_ps((__m256)(a), (__m256)(b), (__m256)(c)))
#define SPLAT(q) ((vec)_mm256_insertf128_ps(_mm256_castps128_ps256((__m128)(q)), (__m128)(q), 1))
#define JOIN(x, rows) TWO(load_four((x) + 4 * (size_t)(rows)[0]), load_four((x) + 4 * (size_t)(rows)[1]))
#define PART(v, i) HALF(v, i)
#include "linear/sweeps_template.h"

#define REAL double
#define SIDES 3
#define KEEP(v) __asm__("" : "+x"(v))
#define ROWS 1
#define NAME(x) x##_double
#define TABLE tide_sweeps_double_256
#define TITLE "double precision, 4 numbers at a time"
#define TARGET AVX2
#define FMA(a, b, c) ((vec)_mm256_fmadd_pd((__m256d)(a), (__m256d)(b), (__m256d)(c)))
#define SPLAT(q) (q)
#define JOIN(x, rows) load_four((x) + 4 * (size_t)(rows)[0])
#define PART(v, i) (v)
#include "linear/sweeps_template.h"

#define REAL double
#define SIDES 1
#define ROWS 1
#define NAME(x) x##_one
#define TABLE tide_sweeps_one_256
#define TITLE "double precision, 4 numbers at a time"
#define TARGET AVX2
#define FMA(a, b, c) ((vec)_mm256_fmadd_pd((__m256d)(a), (__m256d)(b), (__m256d)(c)))
#define SPLAT(q) (q)
#define PART(v, i) (v)
#include "linear/sweeps_template.h"

#endif
