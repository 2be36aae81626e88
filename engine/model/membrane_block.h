// The loop over the triangles of a membrane's law, eight at a time. The file of a law defines inline functions `stress`
// and `energy` (membrane.h) and then
//
//     TIDE_MEMBRANE_EVALUATE(stress, energy)    // defines evaluate_128, evaluate_256, evaluate_512
//
// They are written for one triangle, and the compiler makes vectors of the loops over lanes.
#ifndef TIDE_MODEL_MEMBRANE_BLOCK_H
#define TIDE_MODEL_MEMBRANE_BLOCK_H

#include "model/membrane.h"

enum { TIDE_MEMBRANE_MOST_LAW = 3 }; // parameters of a law

// Eight triangles, in arrays for loops over lanes.
typedef struct tide_membrane_block {
    double stiffness[TIDE_LANES], law[TIDE_MEMBRANE_MOST_LAW][TIDE_LANES];
    double c11[TIDE_LANES], c22[TIDE_LANES], c12[TIDE_LANES], det[TIDE_LANES];
    double s11[TIDE_LANES], s22[TIDE_LANES], s12[TIDE_LANES], energy[TIDE_LANES];
    tide_wide f[2][3], inverse[4], area;
} tide_membrane_block;

static inline void TIDE_WIDE_INLINE tide_membrane_keep(const tide_wide *v, double *to)
{
    __builtin_memcpy(to, v, sizeof *v);
}

static inline void TIDE_WIDE_INLINE tide_membrane_load(const tide_wide_loop *loop, uint32_t e, uint32_t count,
                                                       tide_membrane_block *b)
{
    const tide_elements *elements = loop->elements;
    tide_wide edges[6], number;
    tide_wide_find_edges(loop, 3, e, count, edges);
    for (size_t i = 0; i < 4; i++)
        tide_wide_load(elements, TIDE_MEMBRANE_INVERSE + i, e, count, &b->inverse[i]);
    tide_wide_load(elements, TIDE_MEMBRANE_AREA, e, count, &b->area);
    tide_wide_load(elements, TIDE_MEMBRANE_STIFFNESS, e, count, &number);
    tide_membrane_keep(&number, b->stiffness);
    for (size_t i = 0; i < elements->kind->parameter_count - TIDE_MEMBRANE_LAW; i++) {
        tide_wide_load(elements, TIDE_MEMBRANE_LAW + i, e, count, &number);
        tide_membrane_keep(&number, b->law[i]);
    }
    for (int a = 0; a < 2; a++)
        for (int k = 0; k < 3; k++)
            b->f[a][k] = edges[k] * b->inverse[a] + edges[3 + k] * b->inverse[2 + a];
    const tide_wide *f = b->f[0], *g = b->f[1];
    tide_wide n0 = f[1] * g[2] - f[2] * g[1], n1 = f[2] * g[0] - f[0] * g[2], n2 = f[0] * g[1] - f[1] * g[0];
    tide_wide c11 = f[0] * f[0] + f[1] * f[1] + f[2] * f[2], c22 = g[0] * g[0] + g[1] * g[1] + g[2] * g[2];
    tide_wide c12 = f[0] * g[0] + f[1] * g[1] + f[2] * g[2], det = n0 * n0 + n1 * n1 + n2 * n2;
    tide_membrane_keep(&c11, b->c11);
    tide_membrane_keep(&c22, b->c22);
    tide_membrane_keep(&c12, b->c12);
    tide_membrane_keep(&det, b->det);
}

static inline void TIDE_WIDE_INLINE tide_membrane_store(const tide_wide_loop *loop, uint32_t e, uint32_t count,
                                                        const tide_membrane_block *b)
{
    tide_wide s11, s22, s12, forces[6];
    __builtin_memcpy(&s11, b->s11, sizeof s11);
    __builtin_memcpy(&s22, b->s22, sizeof s22);
    __builtin_memcpy(&s12, b->s12, sizeof s12);
    s11 *= b->area;
    s22 *= b->area;
    s12 *= b->area;
    for (int k = 0; k < 3; k++) {
        tide_wide p1 = b->f[0][k] * s11 + b->f[1][k] * s12, p2 = b->f[0][k] * s12 + b->f[1][k] * s22;
        forces[k] = p1 * b->inverse[0] + p2 * b->inverse[1];
        forces[3 + k] = p1 * b->inverse[2] + p2 * b->inverse[3];
    }
    tide_wide_store_gradients(loop, 3, e, count, forces);
}

// Defines the loop with the functions of a law.
#define TIDE_MEMBRANE_EVALUATE(stress_of, energy_of)                                                                   \
    static inline void TIDE_WIDE_INLINE evaluate_block(const tide_wide_loop *loop, uint32_t e, uint32_t count,         \
                                                       double *sum)                                                    \
    {                                                                                                                  \
        tide_membrane_block b;                                                                                         \
        tide_membrane_load(loop, e, count, &b);                                                                        \
        if (loop->energy) {                                                                                            \
            for (int i = 0; i < TIDE_LANES; i++) {                                                                     \
                tide_membrane_strain c = { b.c11[i], b.c22[i], b.c12[i], b.det[i] };                                   \
                b.energy[i] = energy_of(b.stiffness[i], &b.law[0][i], TIDE_LANES, c);                                  \
            }                                                                                                          \
            tide_wide energies;                                                                                        \
            __builtin_memcpy(&energies, b.energy, sizeof energies);                                                    \
            energies *= b.area;                                                                                        \
            for (uint32_t i = 0; i < count; i++)                                                                       \
                *sum += energies[i];                                                                                   \
        }                                                                                                              \
        if (!loop->out)                                                                                                \
            return;                                                                                                    \
        for (int i = 0; i < TIDE_LANES; i++) {                                                                         \
            tide_membrane_strain c = { b.c11[i], b.c22[i], b.c12[i], b.det[i] };                                       \
            tide_membrane_stress s = stress_of(b.stiffness[i], &b.law[0][i], TIDE_LANES, c);                           \
            b.s11[i] = s.s11;                                                                                          \
            b.s22[i] = s.s22;                                                                                          \
            b.s12[i] = s.s12;                                                                                          \
        }                                                                                                              \
        tide_membrane_store(loop, e, count, &b);                                                                       \
    }                                                                                                                  \
    static inline void TIDE_WIDE_INLINE evaluate_range(const tide_wide_loop *given)                                    \
    {                                                                                                                  \
        const tide_wide_loop loop = *given;                                                                            \
        double sum = loop.energy ? *loop.energy : 0;                                                                   \
        uint32_t e = loop.begin;                                                                                       \
        for (; loop.end - e >= TIDE_LANES; e += TIDE_LANES)                                                            \
            evaluate_block(&loop, e, TIDE_LANES, &sum);                                                                \
        if (e < loop.end)                                                                                              \
            evaluate_block(&loop, e, loop.end - e, &sum);                                                              \
        if (loop.energy)                                                                                               \
            *loop.energy = sum;                                                                                        \
    }                                                                                                                  \
    TIDE_WIDE_DEFINE(evaluate, evaluate_range, (const tide_wide_loop *loop), (loop))

#endif
