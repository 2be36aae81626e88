// The loop over the tetrahedra of a solid model, eight at a time. A model's file defines a function for the slopes of
// several blocks of eight and then
//
//     TIDE_SOLID_EVALUATE(find_slopes)    // defines evaluate_128, evaluate_256, evaluate_512
//
// A stage works on TIDE_SOLID_BLOCKS blocks before the next stage begins, so that iterations of one block run while
// another waits for its results.
#ifndef TIDE_MODEL_SOLID_BLOCK_H
#define TIDE_MODEL_SOLID_BLOCK_H

#include "model/solid.h"

#include <math.h>

enum { TIDE_SOLID_BLOCKS = 4 };
#define TIDE_SOLID_SMALL 0.25 // of |G|^2 / j

// Lanes without an element repeat the last one.
typedef struct tide_solid_block {
    tide_wide f[9], cofactors[9];
    tide_wide g[6]; // G as entries 00, 01, 02, 11, 12, 22
} tide_solid_block;

static inline void TIDE_WIDE_INLINE tide_solid_deform(const tide_wide_loop *loop, uint32_t e, uint32_t count,
                                                      tide_wide f[9])
{
    tide_wide edges[9], inverse[9];
    for (size_t i = 0; i < 9; i++)
        tide_wide_load(loop->elements, TIDE_SOLID_REST + i, e, count, &inverse[i]);
    tide_wide_find_edges(loop, 4, e, count, edges);
    for (int k = 0; k < 3; k++)
        for (int a = 0; a < 3; a++)
            f[3 * k + a] = edges[k] * inverse[a] + edges[3 + k] * inverse[3 + a] + edges[6 + k] * inverse[6 + a];
}

static inline void TIDE_WIDE_INLINE tide_solid_find_cofactors(const tide_wide f[9], tide_wide out[9])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            int r = (i + 1) % 3, s = (i + 2) % 3, c = (j + 1) % 3, d = (j + 2) % 3;
            out[3 * i + j] = f[3 * r + c] * f[3 * s + d] - f[3 * r + d] * f[3 * s + c];
        }
}

static inline void TIDE_WIDE_INLINE tide_solid_find_invariants(const tide_wide_loop *loop, uint32_t e, uint32_t count,
                                                               tide_solid_block *b, tide_solid_invariants *out)
{
    tide_wide f[9], g[6], cofactors[9];
    int next = 0;
    tide_solid_deform(loop, e, count, f);
    for (int i = 0; i < 3; i++)
        for (int j = i; j < 3; j++)
            g[next++] = 0.5 * (f[i] * f[j] + f[3 + i] * f[3 + j] + f[6 + i] * f[6 + j] - (i == j));
    tide_solid_find_cofactors(f, cofactors);
    tide_wide trace = g[0] + g[3] + g[5];
    tide_wide square = g[0] * g[0] + g[3] * g[3] + g[5] * g[5] + 2 * (g[1] * g[1] + g[2] * g[2] + g[4] * g[4]);
    tide_wide determinant =
        g[0] * (g[3] * g[5] - g[4] * g[4]) - g[1] * (g[1] * g[5] - g[4] * g[2]) + g[2] * (g[1] * g[4] - g[3] * g[2]);
    tide_wide j = f[0] * cofactors[0] + f[1] * cofactors[1] + f[2] * cofactors[2];
    // j^2 - 1 = det(I + 2 G) - 1
    tide_wide excess = (2 * trace + 2 * (trace * trace - square) + 8 * determinant) / (1 + j);
    out->i1 = 3 + 2 * trace;
    out->j = j;
    out->trace = trace;
    out->square = square;
    out->determinant = determinant;
    out->excess = TIDE_WIDE_CHOOSE(square < TIDE_SOLID_SMALL * j, excess, j - 1); // j > 0 there
    tide_wide_load(loop->elements, TIDE_SOLID_RATIO, e, count, &out->ratio);
    for (int i = 0; i < 9; i++) {
        b->f[i] = f[i];
        b->cofactors[i] = cofactors[i];
    }
    for (int i = 0; i < 6; i++)
        b->g[i] = g[i];
}

// Replaces P / mu and psi of the lanes with NAN as `a`.
static __attribute__((noinline)) void tide_solid_repair(const tide_wide_loop *loop, const tide_solid_block *b,
                                                        const tide_wide *ratio, tide_solid_slopes *slopes,
                                                        tide_wide stress[9])
{
    for (int lane = 0; lane < TIDE_LANES; lane++) {
        double f[9], exact[9];
        if (!isnan(slopes->a[lane]))
            continue;
        for (int i = 0; i < 9; i++)
            f[i] = b->f[i][lane];
        slopes->psi[lane] = tide_solid_solve(loop->elements, f, (*ratio)[lane], exact);
        for (int i = 0; i < 9; i++)
            stress[i][lane] = exact[i];
    }
}

// P / mu = F (m I + 2 b G) + c cof F with m = a + b, as F F' F = F + 2 F G.
static inline void TIDE_WIDE_INLINE tide_solid_find_stress(const tide_solid_block *b, const tide_solid_slopes *slopes,
                                                           tide_wide stress[9])
{
    static const int place[9] = { 0, 1, 2, 1, 3, 4, 2, 4, 5 };
    tide_wide twice = 2 * slopes->b, linear = slopes->a + slopes->b, m[6];
    for (int i = 0; i < 6; i++)
        m[i] = i == 0 || i == 3 || i == 5 ? linear + twice * b->g[i] : twice * b->g[i];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            stress[3 * i + j] = b->f[3 * i] * m[place[j]] + b->f[3 * i + 1] * m[place[3 + j]] +
                                b->f[3 * i + 2] * m[place[6 + j]] + slopes->c * b->cofactors[3 * i + j];
}

// Writes the gradients of a block, and its energies.
static inline void TIDE_WIDE_INLINE tide_solid_store(const tide_wide_loop *loop, uint32_t e, uint32_t count,
                                                     const tide_solid_block *b, const tide_wide *ratio,
                                                     tide_solid_slopes *slopes, tide_wide *energies)
{
    tide_wide stress[9], forces[9], inverse[9], factor, volume;
    tide_wide_mask bad = slopes->a != slopes->a;
    tide_wide_load(loop->elements, TIDE_SOLID_STIFFNESS, e, count, &factor);
    tide_wide_load(loop->elements, TIDE_SOLID_VOLUME, e, count, &volume);
    factor *= volume;
    tide_solid_find_stress(b, slopes, stress);
    if (tide_wide_any(&bad))
        tide_solid_repair(loop, b, ratio, slopes, stress);
    *energies = factor * slopes->psi;
    if (!loop->out)
        return;
    for (size_t i = 0; i < 9; i++) {
        tide_wide_load(loop->elements, TIDE_SOLID_REST + i, e, count, &inverse[i]);
        stress[i] *= factor;
    }
    for (int k = 0; k < 3; k++)
        for (int c = 0; c < 3; c++)
            forces[3 * c + k] = stress[3 * k] * inverse[3 * c] + stress[3 * k + 1] * inverse[3 * c + 1] +
                                stress[3 * k + 2] * inverse[3 * c + 2];
    tide_wide_store_gradients(loop, 4, e, count, forces);
}

// Defines the loop with the slopes of a model: slopes(in, energy, out) computes those of TIDE_SOLID_BLOCKS blocks, and
// psi if `energy`.
#define TIDE_SOLID_EVALUATE(slopes)                                                                                    \
    static inline void TIDE_WIDE_INLINE evaluate_range(const tide_wide_loop *given)                                    \
    {                                                                                                                  \
        enum { STEP = TIDE_SOLID_BLOCKS * TIDE_LANES };                                                                \
        const tide_wide_loop loop = *given;                                                                            \
        double sum = loop.energy ? *loop.energy : 0;                                                                   \
        for (uint32_t first = loop.begin; first < loop.end; first += STEP) {                                           \
            tide_solid_block blocks[TIDE_SOLID_BLOCKS];                                                                \
            tide_solid_invariants in[TIDE_SOLID_BLOCKS];                                                               \
            tide_solid_slopes out[TIDE_SOLID_BLOCKS];                                                                  \
            tide_wide energies;                                                                                        \
            uint32_t most = loop.end - first < STEP ? loop.end - first : STEP, e = 0, i = 0;                           \
            for (; e < most; e += TIDE_LANES, i++) {                                                                   \
                if (most - e >= TIDE_LANES)                                                                            \
                    tide_solid_find_invariants(&loop, first + e, TIDE_LANES, &blocks[i], &in[i]);                      \
                else                                                                                                   \
                    tide_solid_find_invariants(&loop, first + e, most - e, &blocks[i], &in[i]);                        \
            }                                                                                                          \
            for (; i < TIDE_SOLID_BLOCKS; i++)                                                                         \
                in[i] = in[0];                                                                                         \
            slopes(in, loop.energy != NULL, out);                                                                      \
            for (e = i = 0; e < most; e += TIDE_LANES, i++) {                                                          \
                uint32_t count = most - e < TIDE_LANES ? most - e : TIDE_LANES;                                        \
                if (count == TIDE_LANES)                                                                               \
                    tide_solid_store(&loop, first + e, TIDE_LANES, &blocks[i], &in[i].ratio, &out[i], &energies);      \
                else                                                                                                   \
                    tide_solid_store(&loop, first + e, count, &blocks[i], &in[i].ratio, &out[i], &energies);           \
                for (uint32_t lane = 0; loop.energy && lane < count; lane++)                                           \
                    sum += energies[lane];                                                                             \
            }                                                                                                          \
        }                                                                                                              \
        if (loop.energy)                                                                                               \
            *loop.energy = sum;                                                                                        \
    }                                                                                                                  \
    TIDE_WIDE_DEFINE(evaluate, evaluate_range, (const tide_wide_loop *loop), (loop))

#endif
