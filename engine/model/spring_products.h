// Products of springs' Hessians with vectors, using spring slices (spring_slices.h): the most frequent operation of
// conjugate gradients, explicit damping and the power method. For each end of a spring it stores u and w, four numbers,
// of
//
//     a H + b L = B in the blocks of an end with itself, -B in the others,    B = w I +- u u'
//
// because a spring's Hessian is a multiple of I plus a multiple of the dyad of its direction (Choi and Ko 2002,
// eq. 10). Each particle sums its own springs, so there are no write conflicts: the same bits for any number of
// threads, and for vectors of 256 and 512 bits. Results agree with those of tide_spring to rounding.
#ifndef TIDE_MODEL_SPRING_PRODUCTS_H
#define TIDE_MODEL_SPRING_PRODUCTS_H

#include "model/spring_slices.h"

typedef struct tide_spring_products {
    const struct tide_product_vectors *vectors; // NULL: springs are processed one by one
    double *blocks;                             // (4 * 8 * slots) for each slot the x of eight u, their y, their z, and
                                                // eight w
    uint8_t *negative;                          // (slots) bits: lanes where u u' is subtracted
    double *quads;                              // (4 * particle_count) the input vector: x, y, z, 0
    size_t slots, particles;                    // allocated sizes
} tide_spring_products;                         // { 0 } is empty

// Allocates for a system's springs when there is too little room. `vectors` stays NULL when the system has no slices or
// the processor has no suitable vectors (tide_spring_vectors_choose).
tide_status tide_spring_products_prepare(tide_spring_products *products, const tide_system *system, tide_error *error);
void tide_spring_products_free(tide_spring_products *products); // leaves { 0 }

// The following need `vectors` and the system of the preparation. They allocate nothing. Stores a H(x) + b L at x
// (3 * particle_count); with `project`, H of each spring is replaced by the nearest positive semidefinite matrix.
void tide_spring_products_linearise(tide_spring_products *products, const tide_system *system, const double *x,
                                    bool project, double a, double b);
// Computes out = (m M + a H + b L) v + others, (3 * particle_count) each, 0 for pinned particles. `others` may be NULL.
void tide_spring_products_multiply(const tide_spring_products *products, const tide_system *system, double m,
                                   const double *v, const double *others, double *out);
// Computes the 3 x 3 diagonal blocks of a H + b L, row-major, (9 * particle_count), 0 for pinned particles.
void tide_spring_products_diagonal(const tide_spring_products *products, const tide_system *system, double *out);

// Arguments of the loops over slices [begin, end), which exist for each vector width (spring_products_template.h).
typedef struct tide_product_job {
    const tide_spring_slices *slices;
    double *blocks;
    uint8_t *negative;
    bool project;
    double a, b, m;
    const double *quads, *others;
    double *out;
} tide_product_job;

typedef struct tide_product_vectors {
    void (*linearise)(const tide_product_job *job, uint32_t begin, uint32_t end); // at the positions in `quads`
    void (*multiply)(const tide_product_job *job, uint32_t begin, uint32_t end);
    void (*diagonal)(const tide_product_job *job, uint32_t begin, uint32_t end);
} tide_product_vectors;
const tide_product_vectors *tide_product_vectors_choose(void); // as tide_spring_vectors_choose
const tide_product_vectors *tide_product_vectors_128(void);

#endif
