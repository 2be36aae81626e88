// Vectors of TIDE_LANES numbers in the compiler's generic notation. On x86-64 they have eight lanes, and code on them
// is written once and compiled for each width of the processor's vectors; a wider processor takes fewer instructions.
// Other processors have vectors of 128 bits. There more than two lanes would cost registers and code size for nothing.
// Lanes do not mix, so the result of an element does not depend on its neighbours, nor on the number of lanes. On
// x86-64, products and sums are contracted where the processor can, as spring_vectors.c does by hand: files that
// include this header allow it from here on. Vectors of 128 bits have no contracted operations there, and nothing is
// contracted on other processors, so that their bits are the same.
//
//     static inline void TIDE_WIDE_INLINE square(const tide_wide *x, tide_wide *out) { *out = *x * *x; }
//     TIDE_WIDE_DEFINE(square_wide, square, (const tide_wide *x, tide_wide *out), (x, out))
//     square_wide[tide_wide_variant()](&x, &out);
//
// Arguments are pointers: vectors wider than the processor's have no calling convention.
#ifndef TIDE_MODEL_WIDE_H
#define TIDE_MODEL_WIDE_H

#include "base/processor.h"
#include "base/unroll.h"
#include "model/element.h"

#include <stddef.h>

#if defined(__x86_64__) && !defined(__clang__)
#pragma GCC optimize("fp-contract=fast", "no-math-errno", "no-trapping-math")
#elif !defined(__clang__)
#pragma GCC optimize("no-math-errno", "no-trapping-math")
#endif

#if defined(__x86_64__)
#define TIDE_LANES 8
#else
#define TIDE_LANES 2
#endif
enum { TIDE_WIDE_VARIANTS = 3 };

typedef double tide_wide __attribute__((vector_size(TIDE_LANES * sizeof(double))));
typedef int64_t tide_wide_mask __attribute__((vector_size(TIDE_LANES * sizeof(int64_t)))); // -1: true

#define TIDE_WIDE_INLINE __attribute__((always_inline))

// Defines the variants of an inline function, NAME_128, NAME_256 and NAME_512, and lists them. Other processors have
// one.
#if defined(__x86_64__)
#define TIDE_WIDE_DEFINE(name, function, parameters, arguments)                                                        \
    static void name##_128 parameters                                                                                  \
    {                                                                                                                  \
        function arguments;                                                                                            \
    }                                                                                                                  \
    __attribute__((target("avx2,fma"))) static void name##_256 parameters                                              \
    {                                                                                                                  \
        function arguments;                                                                                            \
    }                                                                                                                  \
    __attribute__((target("avx512f,avx512dq,avx512vl,avx2,fma"))) static void name##_512 parameters                    \
    {                                                                                                                  \
        function arguments;                                                                                            \
    }
#define TIDE_WIDE_LIST(name)                                                                                           \
    {                                                                                                                  \
        name##_128, name##_256, name##_512                                                                             \
    }
#else
#define TIDE_WIDE_DEFINE(name, function, parameters, arguments)                                                        \
    static void name##_128 parameters                                                                                  \
    {                                                                                                                  \
        function arguments;                                                                                            \
    }
#define TIDE_WIDE_LIST(name)                                                                                           \
    {                                                                                                                  \
        name##_128, name##_128, name##_128                                                                             \
    }
#endif

static inline int tide_wide_variant(void)
{
    int bits = tide_vector_bits(0);
    return bits == 512 ? 2 : bits == 256 ? 1 : 0;
}

typedef double tide_quad __attribute__((vector_size(4 * sizeof(double))));

// A loop over elements begin ... end - 1. With `quads`, x and out are (4 * particle_count), each x, y, z, 0 of a
// particle, and gradients are added to out; otherwise x is (3 * particle_count) and out as that of `gradient` of a
// kind.
typedef struct tide_wide_loop {
    const tide_elements *elements;
    const double *x;
    bool quads;
    uint32_t begin, end;
    double *energy; // energies are added to it one after another; may be NULL
    double *out;    // may be NULL
} tide_wide_loop;

// Loads parameter `which` of elements e ... e + TIDE_LANES - 1. Lanes from `count` on repeat the last of `count`
// elements.
static inline void TIDE_WIDE_INLINE tide_wide_load(const tide_elements *elements, size_t which, uint32_t e,
                                                   uint32_t count, tide_wide *out)
{
    const double *from = elements->parameters + which * elements->count + e;
    if (count == TIDE_LANES)
        __builtin_memcpy(out, from, sizeof *out);
    else
        for (uint32_t lane = 0; lane < TIDE_LANES; lane++)
            (*out)[lane] = from[lane < count ? lane : count - 1];
}

static inline void TIDE_WIDE_INLINE tide_wide_load_point(const double *x, bool quads, uint32_t particle, tide_quad *out)
{
    if (quads)
        __builtin_memcpy(out, x + 4 * (size_t)particle, sizeof *out);
    else
        *out = (tide_quad) { x[3 * (size_t)particle], x[3 * (size_t)particle + 1], x[3 * (size_t)particle + 2], 0 };
}

#if TIDE_LANES == 8
// Transposes quads to vectors of x, y and z.
static inline void TIDE_WIDE_INLINE tide_wide_turn(const tide_quad q[TIDE_LANES], tide_wide out[3])
{
    tide_wide pairs[4], low[2], high[2];
    TIDE_UNROLL(4)
    for (int i = 0; i < 4; i++)
        pairs[i] = __builtin_shufflevector(q[i], q[i + 4], 0, 1, 2, 3, 4, 5, 6, 7);
    TIDE_UNROLL(2)
    for (int i = 0; i < 2; i++) {
        low[i] = __builtin_shufflevector(pairs[2 * i], pairs[2 * i + 1], 0, 8, 2, 10, 4, 12, 6, 14);
        high[i] = __builtin_shufflevector(pairs[2 * i], pairs[2 * i + 1], 1, 9, 3, 11, 5, 13, 7, 15);
    }
    out[0] = __builtin_shufflevector(low[0], low[1], 0, 1, 8, 9, 4, 5, 12, 13);
    out[1] = __builtin_shufflevector(high[0], high[1], 0, 1, 8, 9, 4, 5, 12, 13);
    out[2] = __builtin_shufflevector(low[0], low[1], 2, 3, 10, 11, 6, 7, 14, 15);
}

// Transposes vectors of x, y and z to quads x, y, z, 0, `stride` quads apart.
static inline void TIDE_WIDE_INLINE tide_wide_turn_back(const tide_wide v[3], tide_quad *out, size_t stride)
{
    const tide_wide zero = { 0 };
    tide_wide low[2], high[2], rows[4];
    low[0] = __builtin_shufflevector(v[0], v[1], 0, 8, 2, 10, 4, 12, 6, 14);
    high[0] = __builtin_shufflevector(v[0], v[1], 1, 9, 3, 11, 5, 13, 7, 15);
    low[1] = __builtin_shufflevector(v[2], zero, 0, 8, 2, 10, 4, 12, 6, 14);
    high[1] = __builtin_shufflevector(v[2], zero, 1, 9, 3, 11, 5, 13, 7, 15);
    rows[0] = __builtin_shufflevector(low[0], low[1], 0, 1, 8, 9, 4, 5, 12, 13);
    rows[1] = __builtin_shufflevector(high[0], high[1], 0, 1, 8, 9, 4, 5, 12, 13);
    rows[2] = __builtin_shufflevector(low[0], low[1], 2, 3, 10, 11, 6, 7, 14, 15);
    rows[3] = __builtin_shufflevector(high[0], high[1], 2, 3, 10, 11, 6, 7, 14, 15);
    TIDE_UNROLL(4)
    for (size_t i = 0; i < 4; i++) {
        out[i * stride] = __builtin_shufflevector(rows[i], rows[i], 0, 1, 2, 3);
        out[(i + 4) * stride] = __builtin_shufflevector(rows[i], rows[i], 4, 5, 6, 7);
    }
}

// Tells whether the mask is true in any lane.
static inline bool TIDE_WIDE_INLINE tide_wide_any(const tide_wide_mask *mask)
{
    tide_wide_mask any = *mask | __builtin_shufflevector(*mask, *mask, 4, 5, 6, 7, 0, 1, 2, 3);
    any |= __builtin_shufflevector(any, any, 2, 3, 0, 1, 6, 7, 4, 5);
    return any[0] | any[1];
}
#else
static inline void TIDE_WIDE_INLINE tide_wide_turn(const tide_quad q[TIDE_LANES], tide_wide out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = (tide_wide) { q[0][k], q[1][k] };
}

static inline void TIDE_WIDE_INLINE tide_wide_turn_back(const tide_wide v[3], tide_quad *out, size_t stride)
{
    for (int lane = 0; lane < TIDE_LANES; lane++)
        out[(size_t)lane * stride] = (tide_quad) { v[0][lane], v[1][lane], v[2][lane], 0 };
}

static inline bool TIDE_WIDE_INLINE tide_wide_any(const tide_wide_mask *mask)
{
    return (*mask)[0] | (*mask)[1];
}
#endif

// Computes the edges x_c - x_0 of elements e ... e + TIDE_LANES - 1, each as vectors of x, y and z, in lanes as
// tide_wide_load.
static inline void TIDE_WIDE_INLINE tide_wide_find_edges(const tide_wide_loop *loop, uint32_t corners, uint32_t e,
                                                         uint32_t count, tide_wide *out)
{
    const double *x = loop->x;
    const bool quads = loop->quads;
    const uint32_t *vertices = loop->elements->vertices + (size_t)corners * e;
    tide_quad origins[TIDE_LANES] = { { 0 } }, q[TIDE_LANES] = { { 0 } };
    const uint32_t *of[TIDE_LANES];
    TIDE_UNROLL(8)
    for (uint32_t lane = 0; lane < TIDE_LANES; lane++) {
        of[lane] = vertices + corners * (lane < count ? lane : count - 1);
        tide_wide_load_point(x, quads, *of[lane], &origins[lane]);
    }
    TIDE_UNROLL(3)
    for (uint32_t c = 1; c < corners; c++) {
        TIDE_UNROLL(8)
        for (uint32_t lane = 0; lane < TIDE_LANES; lane++) {
            tide_wide_load_point(x, quads, of[lane][c], &q[lane]);
            q[lane] -= origins[lane];
        }
        tide_wide_turn(q, out + 3 * (c - 1));
    }
}

// Writes the gradients of `count` elements from e on, one element after another: those of corners 1, 2, ... are given
// as vectors of x, y and z, and that of corner 0 is their negative sum.
static inline void TIDE_WIDE_INLINE tide_wide_store_gradients(const tide_wide_loop *loop, uint32_t corners, uint32_t e,
                                                              uint32_t count, const tide_wide *v)
{
    const uint32_t *vertices = loop->elements->vertices + (size_t)corners * e;
    const bool quads = loop->quads;
    double *out = quads ? loop->out : loop->out + 3 * (size_t)corners * (e - loop->begin);
    tide_quad rows[3 * TIDE_LANES];
    TIDE_UNROLL(3)
    for (uint32_t c = 1; c < corners; c++)
        tide_wide_turn_back(v + 3 * (c - 1), rows + c - 1, 3);
    for (uint32_t lane = 0; lane < count; lane++, vertices += corners) {
        const tide_quad *row = rows + 3 * lane;
        tide_quad first = -row[0];
        TIDE_UNROLL(2)
        for (uint32_t c = 2; c < corners; c++)
            first -= row[c - 1];
        TIDE_UNROLL(4)
        for (uint32_t c = 0; c < corners; c++) {
            tide_quad part = c ? row[c - 1] : first, sum;
            if (quads) {
                double *to = out + 4 * (size_t)vertices[c];
                __builtin_memcpy(&sum, to, sizeof sum);
                sum += part;
                __builtin_memcpy(to, &sum, sizeof sum);
            } else
                for (size_t k = 0; k < 3; k++)
                    *out++ = part[k];
        }
    }
}

// Returns a where the mask is true, else b.
#define TIDE_WIDE_CHOOSE(mask, a, b) ((tide_wide)(((mask) & (tide_wide_mask)(a)) | (~(mask) & (tide_wide_mask)(b))))

#endif
