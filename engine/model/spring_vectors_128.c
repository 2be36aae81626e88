// The loops of spring_vectors.h and spring_products.h in vectors of 128 bits, in the compilers' generic notation: SSE2,
// NEON, WebAssembly. Nothing is contracted.
#include "base/vectors_128.h"
#include "model/spring_products.h"
#include "model/spring_vectors.h"

#include <float.h>
#include <math.h>

#pragma GCC diagnostic ignored "-Wpsabi" // vectors are passed within this file only, and inlined

#define LANES 2
#define NAME(x) x##_128
#define TARGET
#define VEC tide_two_doubles
#define QUAD quad_128
#define V(x) x##_128
#define LOAD(from) loadu_128(from)
#define KEEP(bits, v) keep_128(bits, v)
#define BELOW(a, b) tide_signs_of_two((tide_two_masks)((a) < (b)))

typedef struct quad_128 {
    tide_two_doubles xy, z;
} quad_128;

#define INLINE static inline __attribute__((always_inline))

INLINE tide_two_doubles loadu_128(const double *from)
{
    tide_two_doubles v;
    __builtin_memcpy(&v, from, sizeof v);
    return v;
}

INLINE void storeu_128(double *to, tide_two_doubles v)
{
    __builtin_memcpy(to, &v, sizeof v);
}

INLINE tide_two_doubles setzero_128(void)
{
    return (tide_two_doubles) { 0 };
}

INLINE tide_two_doubles set1_128(double a)
{
    return (tide_two_doubles) { a, a };
}

#define OPERATION(name, result)                                                                                        \
    INLINE tide_two_doubles name##_128(tide_two_doubles a, tide_two_doubles b)                                         \
    {                                                                                                                  \
        return result;                                                                                                 \
    }
#define OPERATION_OF_THREE(name, result)                                                                               \
    INLINE tide_two_doubles name##_128(tide_two_doubles a, tide_two_doubles b, tide_two_doubles c)                     \
    {                                                                                                                  \
        return result;                                                                                                 \
    }
OPERATION(add, a + b)
OPERATION(sub, a - b)
OPERATION(mul, a *b)
OPERATION(div, a / b)
OPERATION(max, tide_larger_of_two(a, b))
OPERATION(min, tide_smaller_of_two(a, b))
OPERATION_OF_THREE(fmadd, a *b + c)
OPERATION_OF_THREE(fmsub, a *b - c)
OPERATION_OF_THREE(fnmadd, c - a * b)

INLINE tide_two_doubles sqrt_128(tide_two_doubles a)
{
    return tide_root_of_two(a);
}

INLINE tide_two_doubles keep_128(unsigned bits, tide_two_doubles v)
{
    static const tide_two_masks masks[4] = { { 0, 0 }, { -1, 0 }, { 0, -1 }, { -1, -1 } };
    return (tide_two_doubles)((tide_two_masks)v & masks[bits & 3]);
}

#include "model/spring_vectors_template.h"

#include "model/spring_products_template.h"

INLINE quad_128 load_quad_128(const double *from)
{
    return (quad_128) { loadu_128(from), loadu_128(from + 2) };
}

INLINE quad_128 load_three_128(const double *from)
{
    return (quad_128) { loadu_128(from), { from[2], 0 } };
}

INLINE tide_two_doubles inverse_root_128(tide_two_doubles s)
{
    return 1 / tide_root_of_two(s);
}

INLINE triple_128 turn_128(const quad_128 q[2])
{
    return (triple_128) { __builtin_shufflevector(q[0].xy, q[1].xy, 0, 2),
                          __builtin_shufflevector(q[0].xy, q[1].xy, 1, 3),
                          __builtin_shufflevector(q[0].z, q[1].z, 0, 2) };
}

INLINE void turn_back_128(triple_128 t, quad_128 q[2])
{
    const tide_two_doubles zero = { 0 };
    q[0] = (quad_128) { __builtin_shufflevector(t.x, t.y, 0, 2), __builtin_shufflevector(t.z, zero, 0, 2) };
    q[1] = (quad_128) { __builtin_shufflevector(t.x, t.y, 1, 3), __builtin_shufflevector(t.z, zero, 1, 3) };
}

INLINE void store_three_128(quad_128 quad, double *at)
{
    storeu_128(at, quad.xy);
    at[2] = quad.z[0];
}

const tide_spring_vectors *tide_spring_vectors_128(void)
{
    return &vectors_128;
}

const tide_product_vectors *tide_product_vectors_128(void)
{
    return &product_vectors_128;
}
