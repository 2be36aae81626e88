// Operations on vectors of 128 bits for which the compilers' generic notation has no operator. The bits are the same
// for SSE2, NEON, WebAssembly and processors without vectors.
#ifndef TIDE_BASE_VECTORS_128_H
#define TIDE_BASE_VECTORS_128_H

#include <math.h>
#include <stdint.h>

#if defined(TIDE_VECTORS_WITHOUT_INSTRUCTIONS) // for tests: what other processors get
#elif defined(__SSE2__)
#include <emmintrin.h>
#define TIDE_BY_SSE2
#elif defined(__aarch64__)
#include <arm_neon.h>
#define TIDE_BY_NEON
#elif defined(__wasm_simd128__)
#include <wasm_simd128.h>
#define TIDE_BY_WASM
#endif

typedef float tide_four_floats __attribute__((vector_size(16)));
typedef int32_t tide_four_masks __attribute__((vector_size(16))); // -1: true
typedef double tide_two_doubles __attribute__((vector_size(16)));
typedef int64_t tide_two_masks __attribute__((vector_size(16)));

// The lanes of `yes` where the mask is -1, and those of `no` where it is 0.
static inline tide_two_doubles tide_select_of_two(tide_two_masks mask, tide_two_doubles yes, tide_two_doubles no)
{
    return (tide_two_doubles)((mask & (tide_two_masks)yes) | (~mask & (tide_two_masks)no));
}

static inline tide_four_floats tide_root_of_four(tide_four_floats a)
{
#if defined(TIDE_BY_SSE2)
    return (tide_four_floats)_mm_sqrt_ps((__m128)a);
#elif defined(TIDE_BY_NEON)
    return (tide_four_floats)vsqrtq_f32((float32x4_t)a);
#elif defined(TIDE_BY_WASM)
    return (tide_four_floats)wasm_f32x4_sqrt((v128_t)a);
#else
    return (tide_four_floats) { sqrtf(a[0]), sqrtf(a[1]), sqrtf(a[2]), sqrtf(a[3]) };
#endif
}

static inline tide_two_doubles tide_root_of_two(tide_two_doubles a)
{
#if defined(TIDE_BY_SSE2)
    return (tide_two_doubles)_mm_sqrt_pd((__m128d)a);
#elif defined(TIDE_BY_NEON)
    return (tide_two_doubles)vsqrtq_f64((float64x2_t)a);
#elif defined(TIDE_BY_WASM)
    return (tide_two_doubles)wasm_f64x2_sqrt((v128_t)a);
#else
    return (tide_two_doubles) { sqrt(a[0]), sqrt(a[1]) };
#endif
}

// The smaller and the larger of each lane; b where one is NaN, and where both are 0.
static inline tide_four_floats tide_smaller_of_four(tide_four_floats a, tide_four_floats b)
{
#if defined(TIDE_BY_SSE2)
    return (tide_four_floats)_mm_min_ps((__m128)a, (__m128)b);
#elif defined(TIDE_BY_WASM)
    return (tide_four_floats)wasm_f32x4_pmin((v128_t)b, (v128_t)a);
#else
    tide_four_masks mask = a < b;
    return (tide_four_floats)((mask & (tide_four_masks)a) | (~mask & (tide_four_masks)b));
#endif
}

static inline tide_four_floats tide_larger_of_four(tide_four_floats a, tide_four_floats b)
{
#if defined(TIDE_BY_SSE2)
    return (tide_four_floats)_mm_max_ps((__m128)a, (__m128)b);
#elif defined(TIDE_BY_WASM)
    return (tide_four_floats)wasm_f32x4_pmax((v128_t)b, (v128_t)a);
#else
    tide_four_masks mask = a > b;
    return (tide_four_floats)((mask & (tide_four_masks)a) | (~mask & (tide_four_masks)b));
#endif
}

static inline tide_two_doubles tide_smaller_of_two(tide_two_doubles a, tide_two_doubles b)
{
#if defined(TIDE_BY_SSE2)
    return (tide_two_doubles)_mm_min_pd((__m128d)a, (__m128d)b);
#elif defined(TIDE_BY_WASM)
    return (tide_two_doubles)wasm_f64x2_pmin((v128_t)b, (v128_t)a);
#else
    return tide_select_of_two(a < b, a, b);
#endif
}

static inline tide_two_doubles tide_larger_of_two(tide_two_doubles a, tide_two_doubles b)
{
#if defined(TIDE_BY_SSE2)
    return (tide_two_doubles)_mm_max_pd((__m128d)a, (__m128d)b);
#elif defined(TIDE_BY_WASM)
    return (tide_two_doubles)wasm_f64x2_pmax((v128_t)b, (v128_t)a);
#else
    return tide_select_of_two(a > b, a, b);
#endif
}

// The sign of each lane as a bit, that of lane 0 lowest.
static inline uint32_t tide_signs_of_four(tide_four_masks a)
{
#if defined(TIDE_BY_SSE2)
    return (uint32_t)_mm_movemask_ps((__m128)a);
#elif defined(TIDE_BY_WASM)
    return (uint32_t)wasm_i32x4_bitmask((v128_t)a);
#else
    tide_four_masks bits = (a < 0) & (tide_four_masks) { 1, 2, 4, 8 };
    return (uint32_t)(bits[0] | bits[1] | bits[2] | bits[3]);
#endif
}

static inline uint32_t tide_signs_of_two(tide_two_masks a)
{
#if defined(TIDE_BY_SSE2)
    return (uint32_t)_mm_movemask_pd((__m128d)a);
#elif defined(TIDE_BY_WASM)
    return (uint32_t)wasm_i64x2_bitmask((v128_t)a);
#else
    return (uint32_t)(a[0] < 0) | (uint32_t)(a[1] < 0) << 1;
#endif
}

#endif
