// Vectors of 512 bits: AVX-512.
#if defined(__x86_64__)
#include "factor/sweeps.h"

#include <immintrin.h>

#define QUARTER(v, i) __builtin_shufflevector(v, v, 4 * (i), 4 * (i) + 1, 4 * (i) + 2, 4 * (i) + 3)
#define TWO(a, b) __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7)
#define AVX512 __attribute__((target("avx512f,avx512dq,avx512vl,avx2,fma")))

AVX512 static inline __m512d two_rows(const tide_scaled_row *scaled_rows, const double *b)
{
    __m256d one = _mm256_maskz_loadu_pd(7, b + 3 * (size_t)scaled_rows[0].row);
    __m256d other = _mm256_maskz_loadu_pd(7, b + 3 * (size_t)scaled_rows[1].row);
    return _mm512_insertf64x4(_mm512_castpd256_pd512(one), other, 1);
}

AVX512 static inline void set_two_rows(const tide_scaled_row *scaled_rows, __m512d v, double *x)
{
    _mm256_mask_storeu_pd(x + 3 * (size_t)scaled_rows[1].row, 7, _mm512_extractf64x4_pd(v, 1));
    _mm256_mask_storeu_pd(x + 3 * (size_t)scaled_rows[0].row, 7, _mm512_castpd512_pd256(v));
}

AVX512 static inline __m512 four_scales(const tide_scaled_row *scaled_rows)
{
    const __m512i spread = _mm512_setr_epi32(1, 1, 1, 1, 3, 3, 3, 3, 5, 5, 5, 5, 7, 7, 7, 7);
    return _mm512_permutexvar_ps(spread, _mm512_castps256_ps512(_mm256_loadu_ps((const float *)scaled_rows)));
}

AVX512 static inline __m512 take_four(const tide_scaled_row *scaled_rows, double scale, const double *b)
{
    __m256 low = _mm512_cvtpd_ps(two_rows(scaled_rows, b) * scale),
           high = _mm512_cvtpd_ps(two_rows(scaled_rows + 2, b) * scale);
    return _mm512_insertf32x8(_mm512_castps256_ps512(low), high, 1) * four_scales(scaled_rows);
}

AVX512 static inline void give_four(const tide_scaled_row *scaled_rows, double scale, __m512 v, double *x)
{
    v *= four_scales(scaled_rows);
    set_two_rows(scaled_rows + 2, _mm512_cvtps_pd(_mm512_extractf32x8_ps(v, 1)) * scale, x);
    set_two_rows(scaled_rows, _mm512_cvtps_pd(_mm512_castps512_ps256(v)) * scale, x);
}

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
#define TAKE_ROWS take_four
#define GIVE_ROWS(scaled_rows, scale, v, x) give_four(scaled_rows, scale, (__m512)(v), x)
#include "factor/sweeps_template.h"

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
#include "factor/sweeps_template.h"

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
#include "factor/sweeps_template.h"

#endif
