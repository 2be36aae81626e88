// Products of springs' Hessians with vectors, by springs in slices (spring_slices.h): what conjugate gradients,
// explicit damping and the power method do most. Of a spring with ends p and q it keeps four numbers at each end, u and
// w of
//
//     a H + b L = B in the blocks of an end with itself, -B in the others,    B = w I +- u u'
//
// since a spring's Hessian is a multiple of I and one of the dyad of its direction (Choi and Ko 2002, eq. 10). Each
// particle adds up its own springs, so that there are no conflicts: the same bits for any number of threads, and for
// vectors of 256 and 512 bits. They agree with tide_spring's own to rounding.
#ifndef TIDE_MODEL_SPRING_PRODUCTS_H
#define TIDE_MODEL_SPRING_PRODUCTS_H

#include "model/spring_slices.h"

typedef struct tide_spring_products {
    const struct tide_product_vectors *vectors; // NULL: springs go one by one
    double *blocks;                             // (4 * 8 * slots) of each slot: eight of u's x, its y, its z, and of w
    uint8_t *negative;                          // (slots) bits: lanes where u u' is subtracted
    double *quads;                              // (4 * particle_count) of the vector: x, y, z, 0
    size_t slots, particles;                    // that there is room for
} tide_spring_products;                         // { 0 } is empty

// Makes room for a system's springs; allocates only when there is too little. `vectors` stays NULL where the system has
// no slices or the processor no vectors for them (tide_spring_vectors_choose).
tide_status tide_spring_products_prepare(tide_spring_products *products, const tide_system *system, tide_error *error);
void tide_spring_products_free(tide_spring_products *products); // leaves { 0 }

// The following need `vectors`, and the system prepared for. Nothing allocates.
// Takes a H(x) + b L at x (3 * particle_count); with `project`, each spring's nearest positive semidefinite H.
void tide_spring_products_linearise(tide_spring_products *products, const tide_system *system, const double *x,
                                    bool project, double a, double b);
// out = (m M + a H + b L) v + others, (3 * particle_count) each, 0 for pinned particles; `others` may be NULL.
void tide_spring_products_multiply(const tide_spring_products *products, const tide_system *system, double m,
                                   const double *v, const double *others, double *out);
// The 3 x 3 diagonal blocks of a H + b L, row-major, (9 * particle_count), 0 for pinned particles.
void tide_spring_products_diagonal(const tide_spring_products *products, const tide_system *system, double *out);

// Of the particles of slices [begin, end), for one width of vectors (spring_products_template.h).
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
    void (*linearise)(const tide_product_job *job, uint32_t begin, uint32_t end); // at the positions spread last
    void (*multiply)(const tide_product_job *job, uint32_t begin, uint32_t end);
    void (*diagonal)(const tide_product_job *job, uint32_t begin, uint32_t end);
} tide_product_vectors;
const tide_product_vectors *tide_product_vectors_choose(void); // as tide_spring_vectors_choose

#endif
