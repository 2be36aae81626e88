// Energies and gradients of springs in slices, in vectors, and what an objective adds to them: what counts most in the
// local step of a large system. They agree with tide_spring's own to rounding, a few 1e-16 of the forces that are
// added; a spring longer than 1e150 m gives NaN.
#ifndef TIDE_MODEL_SPRING_VECTORS_H
#define TIDE_MODEL_SPRING_VECTORS_H

#include "model/spring_slices.h"

// What is wanted, at the positions that were spread last.
typedef struct tide_spring_job {
    const tide_spring_slices *slices;
    const double *y;      // (3 * particle_count) of g(x); NULL: of E(x) alone
    double squared;       // h^2 of g(x); 1 of E(x)
    const double *others; // (3 * particle_count) what other elements add to dE/dx; NULL: there are none
    double *out;          // (3 * particle_count) the gradient, 0 of pinned particles
} tide_spring_job;

// Of the particles of slices [begin, end). Values are the springs' part of E(x) or g(x), J.
typedef struct tide_spring_vectors {
    void (*gradient)(const tide_spring_job *job, uint32_t begin, uint32_t end);
    double (*value)(const tide_spring_job *job, uint32_t begin, uint32_t end);
    double (*both)(const tide_spring_job *job, uint32_t begin, uint32_t end); // the same bits as each alone
} tide_spring_vectors;

// As wide as the processor has them: 256 (AVX2) or 512 (AVX-512) bits; NULL where it has neither. Results differ in the
// last bits between widths, but not between threads.
const tide_spring_vectors *tide_spring_vectors_choose(void);
// For tests: the widest vectors to use, in bits; 0: no limit, as at first.
void tide_spring_vectors_limit(int bits);

// Numbers (3 * particle_count) of particles [begin, end) to quads (4 * particle_count), as the slices' positions are.
void tide_spread_quads(const double *x, uint32_t begin, uint32_t end, double *quads);

#endif
