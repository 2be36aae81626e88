#include "model/spring_vectors.h"

#include "base/portable.h"
#include "base/processor.h"
#include "base/unroll.h"
#include "model/spring_products.h"

#include <float.h>
#include <math.h>

static int limit;

void tide_spring_vectors_limit(int bits)
{
    limit = bits;
}

void tide_spread_quads(const double *x, uint32_t begin, uint32_t end, double *quads)
{
    for (size_t p = begin; p < end; p++) {
        quads[4 * p] = x[3 * p];
        quads[4 * p + 1] = x[3 * p + 1];
        quads[4 * p + 2] = x[3 * p + 2];
    }
}

#if defined(__x86_64__)
#include <immintrin.h>

#define INLINE static inline __attribute__((always_inline))

#define LANES 4
#define NAME(x) x##_256
#define TARGET __attribute__((target("avx2,fma")))
#define VEC __m256d
#define QUAD __m256d
#define V(x) _mm256_##x##_pd
#define LOAD(from) _mm256_loadu_pd(from)
#define KEEP(bits, v) _mm256_and_pd(v, lanes_256(bits))
#define BELOW(a, b) (unsigned)_mm256_movemask_pd(_mm256_cmp_pd(a, b, _CMP_LT_OQ))

TARGET INLINE __m256d lanes_256(unsigned bits)
{
    const __m256i each = _mm256_setr_epi64x(1, 2, 4, 8);
    return _mm256_castsi256_pd(_mm256_cmpeq_epi64(_mm256_and_si256(_mm256_set1_epi64x(bits), each), each));
}

#include "model/spring_vectors_template.h"

#include "model/spring_products_template.h"

__attribute__((target("avx2,fma"))) INLINE __m256d load_quad_256(const double *from)
{
    return _mm256_loadu_pd(from);
}

__attribute__((target("avx2,fma"))) INLINE __m256d load_three_256(const double *from)
{
    return _mm256_maskload_pd(from, _mm256_setr_epi64x(-1, -1, -1, 0));
}

__attribute__((target("avx2,fma"))) INLINE __m256d inverse_root_256(__m256d s)
{
    return _mm256_div_pd(_mm256_set1_pd(1), _mm256_sqrt_pd(s));
}

__attribute__((target("avx2,fma"))) INLINE triple_256 turn_256(const __m256d q[4])
{
    __m256d xz01 = _mm256_unpacklo_pd(q[0], q[1]), xz23 = _mm256_unpacklo_pd(q[2], q[3]);
    __m256d y01 = _mm256_unpackhi_pd(q[0], q[1]), y23 = _mm256_unpackhi_pd(q[2], q[3]);
    return (triple_256) { _mm256_permute2f128_pd(xz01, xz23, 0x20), _mm256_permute2f128_pd(y01, y23, 0x20),
                          _mm256_permute2f128_pd(xz01, xz23, 0x31) };
}

__attribute__((target("avx2,fma"))) INLINE void store_three_256(__m256d quad, double *at)
{
    _mm_storeu_pd(at, _mm256_castpd256_pd128(quad));
    _mm_store_sd(at + 2, _mm256_extractf128_pd(quad, 1));
}

__attribute__((target("avx2,fma"))) INLINE void turn_back_256(triple_256 t, __m256d q[4])
{
    __m256d zero = _mm256_setzero_pd();
    __m256d xy02 = _mm256_unpacklo_pd(t.x, t.y), xy13 = _mm256_unpackhi_pd(t.x, t.y);
    __m256d z02 = _mm256_unpacklo_pd(t.z, zero), z13 = _mm256_unpackhi_pd(t.z, zero);
    q[0] = _mm256_permute2f128_pd(xy02, z02, 0x20);
    q[1] = _mm256_permute2f128_pd(xy13, z13, 0x20);
    q[2] = _mm256_permute2f128_pd(xy02, z02, 0x31);
    q[3] = _mm256_permute2f128_pd(xy13, z13, 0x31);
}

#define LANES 8
#define NAME(x) x##_512
#define TARGET __attribute__((target("avx512f,avx512dq,avx512vl,avx2,fma")))
#define VEC __m512d
#define QUAD __m256d
#define V(x) _mm512_##x##_pd
#define LOAD(from) _mm512_loadu_pd(from)
#define KEEP(bits, v) _mm512_maskz_mov_pd((__mmask8)(bits), v)
#define BELOW(a, b) _cvtmask8_u32(_mm512_cmp_pd_mask(a, b, _CMP_LT_OQ))

#include "model/spring_vectors_template.h"

#include "model/spring_products_template.h"

#define TARGET __attribute__((target("avx512f,avx512dq,avx512vl,avx2,fma")))

TARGET INLINE __m256d load_quad_512(const double *from)
{
    return _mm256_loadu_pd(from);
}

TARGET INLINE __m256d load_three_512(const double *from)
{
    return _mm256_maskload_pd(from, _mm256_setr_epi64x(-1, -1, -1, 0));
}

// Refines the 14 bits y of an estimate: s^-1/2 = y (1 - e)^-1/2 with e = 1 - s y^2, as a series. The first omitted term
// is that of e^4, below 2^-53. Faster than a square root and a division.
TARGET INLINE __m512d inverse_root_512(__m512d s)
{
    __m512d y = _mm512_rsqrt14_pd(s), e = _mm512_fnmadd_pd(_mm512_mul_pd(s, y), y, _mm512_set1_pd(1));
    __m512d series = _mm512_fmadd_pd(e, _mm512_set1_pd(5.0 / 16), _mm512_set1_pd(3.0 / 8));
    series = _mm512_fmadd_pd(series, e, _mm512_set1_pd(0.5));
    return _mm512_fmadd_pd(_mm512_mul_pd(y, e), series, y);
}

TARGET INLINE __m512d two(__m256d low, __m256d high)
{
    return _mm512_insertf64x4(_mm512_castpd256_pd512(low), high, 1);
}

TARGET INLINE triple_512 turn_512(const __m256d q[8])
{
    const __m512i low = _mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13),
                  high = _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15);
    __m512d q04 = two(q[0], q[4]), q15 = two(q[1], q[5]), q26 = two(q[2], q[6]), q37 = two(q[3], q[7]);
    __m512d xz01 = _mm512_unpacklo_pd(q04, q15), xz23 = _mm512_unpacklo_pd(q26, q37);
    __m512d y01 = _mm512_unpackhi_pd(q04, q15), y23 = _mm512_unpackhi_pd(q26, q37);
    return (triple_512) { _mm512_permutex2var_pd(xz01, low, xz23), _mm512_permutex2var_pd(y01, low, y23),
                          _mm512_permutex2var_pd(xz01, high, xz23) };
}

TARGET INLINE void store_three_512(__m256d quad, double *at)
{
    _mm256_mask_storeu_pd(at, 7, quad);
}

TARGET INLINE void turn_back_512(triple_512 t, __m256d q[8])
{
    const __m512i low = _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11),
                  high = _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15);
    __m512d zero = _mm512_setzero_pd();
    __m512d xy_even = _mm512_unpacklo_pd(t.x, t.y), xy_odd = _mm512_unpackhi_pd(t.x, t.y);
    __m512d z_even = _mm512_unpacklo_pd(t.z, zero), z_odd = _mm512_unpackhi_pd(t.z, zero);
    __m512d q02 = _mm512_permutex2var_pd(xy_even, low, z_even), q46 = _mm512_permutex2var_pd(xy_even, high, z_even);
    __m512d q13 = _mm512_permutex2var_pd(xy_odd, low, z_odd), q57 = _mm512_permutex2var_pd(xy_odd, high, z_odd);
    __m512d twos[4] = { q02, q13, q46, q57 };
    TIDE_UNROLL(4)
    for (int i = 0; i < 4; i++) {
        q[i / 2 * 4 + i % 2] = _mm512_castpd512_pd256(twos[i]);
        q[i / 2 * 4 + i % 2 + 2] = _mm512_extractf64x4_pd(twos[i], 1);
    }
}

#endif

// Without the portable mode, springs of vectors of 128 bits are processed one by one.
const tide_spring_vectors *tide_spring_vectors_choose(void)
{
    int bits = tide_vector_bits(limit);
#if defined(__x86_64__)
    if (bits > 128)
        return bits == 512 ? &vectors_512 : &vectors_256;
#endif
    return bits == 128 && tide_portable() ? tide_spring_vectors_128() : NULL;
}

const tide_product_vectors *tide_product_vectors_choose(void)
{
    int bits = tide_vector_bits(limit);
#if defined(__x86_64__)
    if (bits > 128)
        return bits == 512 ? &product_vectors_512 : &product_vectors_256;
#endif
    return bits == 128 && tide_portable() ? tide_product_vectors_128() : NULL;
}
