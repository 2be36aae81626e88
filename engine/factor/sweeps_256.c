// Vectors of 256 bits: AVX2 with fused multiply-add.
#if defined(__x86_64__)
#include "factor/sweeps.h"

#include <immintrin.h>

#define HALF(v, i) __builtin_shufflevector(v, v, 4 * (i), 4 * (i) + 1, 4 * (i) + 2, 4 * (i) + 3)
#define TWO(a, b) __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7)
#define AVX2 __attribute__((target("avx2,fma")))

AVX2 static inline __m128 one_row(const tide_scaled_row *row, double scale, const double *b)
{
    const __m256i three = _mm256_setr_epi64x(-1, -1, -1, 0);
    return _mm256_cvtpd_ps(_mm256_maskload_pd(b + 3 * (size_t)row->row, three) * scale);
}

AVX2 static inline void set_one_row(const tide_scaled_row *row, double scale, __m128 v, double *x)
{
    __m256d numbers = _mm256_cvtps_pd(v) * scale;
    _mm_storeu_pd(x + 3 * (size_t)row->row, _mm256_castpd256_pd128(numbers));
    _mm_store_sd(x + 3 * (size_t)row->row + 2, _mm256_extractf128_pd(numbers, 1));
}

AVX2 static inline __m256 two_scales(const tide_scaled_row *scaled_rows)
{
    __m256 both = _mm256_castps128_ps256(_mm_loadu_ps((const float *)scaled_rows));
    return _mm256_permutevar8x32_ps(both, _mm256_setr_epi32(1, 1, 1, 1, 3, 3, 3, 3));
}

AVX2 static inline __m256 take_two(const tide_scaled_row *scaled_rows, double scale, const double *b)
{
    __m256 low = _mm256_castps128_ps256(one_row(scaled_rows, scale, b));
    return _mm256_insertf128_ps(low, one_row(scaled_rows + 1, scale, b), 1) * two_scales(scaled_rows);
}

AVX2 static inline void give_two(const tide_scaled_row *scaled_rows, double scale, __m256 v, double *x)
{
    v *= two_scales(scaled_rows);
    set_one_row(scaled_rows + 1, scale, _mm256_extractf128_ps(v, 1), x);
    set_one_row(scaled_rows, scale, _mm256_castps256_ps128(v), x);
}

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
#define TAKE_ROWS take_two
#define GIVE_ROWS(scaled_rows, scale, v, x) give_two(scaled_rows, scale, (__m256)(v), x)
#include "factor/sweeps_template.h"

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
#include "factor/sweeps_template.h"

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
#include "factor/sweeps_template.h"

#endif
