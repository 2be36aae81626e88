// Energies and gradients of springs in slices, in vectors, with the inertia term of an objective. They take most of the
// time of the local step of a large system. Results agree with those of tide_spring to rounding, a few 1e-16 of the
// summed forces; a spring longer than 1e150 m gives NaN.
#ifndef TIDE_MODEL_SPRING_VECTORS_H
#define TIDE_MODEL_SPRING_VECTORS_H

#include "model/spring_slices.h"

// An evaluation at the positions in slices->positions.
typedef struct tide_spring_job {
    const tide_spring_slices *slices;
    const double *y;      // (3 * particle_count) y of g(x); NULL: E(x) alone
    double squared;       // h^2 for g(x); 1 for E(x)
    const double *others; // (4 * particle_count) dE/dx of the other elements, as quads; NULL: there are none
    double *out;          // (3 * particle_count) the gradient, 0 for pinned particles
} tide_spring_job;

// Evaluations for the particles of slices [begin, end). Values are the springs' part of E(x) or g(x), J.
typedef struct tide_spring_vectors {
    void (*gradient)(const tide_spring_job *job, uint32_t begin, uint32_t end);
    double (*value)(const tide_spring_job *job, uint32_t begin, uint32_t end);
    double (*both)(const tide_spring_job *job, uint32_t begin, uint32_t end); // the same bits as the two above
} tide_spring_vectors;

// Returns the widest vectors of the processor: 256 (AVX2) or 512 (AVX-512) bits; NULL when it has neither. In the
// portable mode those of 128 bits. Results differ in the last bits between widths, but not between numbers of threads.
const tide_spring_vectors *tide_spring_vectors_choose(void);
// Those of 128 bits: nothing is contracted, so that the bits are the same on every processor.
const tide_spring_vectors *tide_spring_vectors_128(void);
// For tests: sets the widest vectors to use, in bits. 0, the default, sets no limit.
void tide_spring_vectors_limit(int bits);

// Copies particles [begin, end) of x (3 * particle_count) to quads (4 * particle_count), the layout of the slices'
// positions.
void tide_spread_quads(const double *x, uint32_t begin, uint32_t end, double *quads);

#endif
