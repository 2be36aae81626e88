// The compliance of what contacts touch: W = (A^-1)_CC for the particles C that they act on, so that what a change of
// forces does to all their gaps is a product with a small dense matrix, and no solve with A.
//
// A number of W is the product of two columns of A^-1's root (factor/inverse_root.h), whose lengths are those of the
// ways to the root of the elimination tree. Columns and products are kept as long as the matrix is
// (tide_compliance_operator, `serial`), so that a particle that comes to touch costs a part of a forward sweep, and
// products with the others, once. What is kept from earlier changes nothing but time: each number of W is the same
// whichever others there are.
#ifndef TIDE_CONTACT_COMPLIANCE_H
#define TIDE_CONTACT_COMPLIANCE_H

#include "solver/solver.h"

enum {
    TIDE_COMPLIANCE_MOST = 4096, // particles of C
    TIDE_COMPLIANCE_CHUNK = 32,  // columns of one allocation
    TIDE_COMPLIANCE_LANES = 16,
    TIDE_COMPLIANCE_ROW = TIDE_COMPLIANCE_MOST + TIDE_COMPLIANCE_LANES // products with a column; the last are 0
};
// Most bytes of columns that are kept. C is smaller than TIDE_COMPLIANCE_MOST where fewer columns fit, and in small
// systems, where solves are faster.
#define TIDE_COMPLIANCE_BYTES ((size_t)256 << 20)

// TIDE_COMPLIANCE_CHUNK columns of A^-1's root, and their products with all kept.
typedef struct tide_compliance_chunk {
    float *columns;  // (TIDE_COMPLIANCE_CHUNK * stride)
    float *products; // (TIDE_COMPLIANCE_CHUNK * TIDE_COMPLIANCE_ROW); with columns before: NAN, not made so far
} tide_compliance_chunk;

typedef struct tide_compliance {
    uint32_t particle_count;
    uint32_t limit, most; // of columns: for this matrix, for any
    uint64_t serial;      // of the matrix that they are of
    // What is kept
    tide_compliance_chunk chunks[TIDE_COMPLIANCE_MOST / TIDE_COMPLIANCE_CHUNK];
    uint32_t stride; // entries of a column, as allocated
    uint32_t column_count;
    uint32_t *column_of;                        // (particle_count) index, or TIDE_NOT_TOUCHED
    uint32_t particle_of[TIDE_COMPLIANCE_MOST]; // (column_count)
    uint32_t panel_of[TIDE_COMPLIANCE_MOST];    // (column_count) that it begins in; TIDE_ROOT_END: pinned, of zeros
    // Of what is asked for
    uint32_t incoming[TIDE_COMPLIANCE_MOST], incoming_count; // ascending
    uint32_t missing[TIDE_COMPLIANCE_MOST][2];               // panel, particle
    uint32_t order[TIDE_COMPLIANCE_ROW];
    float *columns[TIDE_COMPLIANCE_MOST];
    // C and W
    uint32_t *slots;                               // (particle_count) index in `touched`, or TIDE_NOT_TOUCHED
    uint32_t touched[TIDE_COMPLIANCE_MOST], count; // ascending
    float *matrix; // in blocks of TIDE_COMPLIANCE_LANES rows, each column by column; rows filled up with zeros
    size_t matrix_capacity;
    double advanced[3 * TIDE_COMPLIANCE_MOST]; // m: how far particles of C have been moved
    _Alignas(64) float forces[3][TIDE_COMPLIANCE_MOST], moves[3][TIDE_COMPLIANCE_MOST];
    const struct tide_compliance_kernel *kernel;
} tide_compliance;

#define TIDE_NOT_TOUCHED UINT32_MAX

tide_compliance *tide_compliance_create(uint32_t particle_count); // NULL when there is no memory

// Makes W that of `inverse`'s matrix and of the particles in the set (64 to a word). Where C `stays`, the set has all
// of it in it, and its moves stay; else they are 0. False, C as it was if it stays and else empty, when they are too
// many, or there is no memory. Allocates only when there are more of them than ever before.
bool tide_compliance_take(tide_compliance *compliance, const tide_compliance_operator *inverse, const uint64_t *set,
                          bool stays);

// sums[3 * p] = sum over q of W[p][q] * weights[3 * q], for p and q in C; in place allowed.
void tide_compliance_sum(tide_compliance *compliance, const double *weights, double *sums);
// Particles of C are moved in x and `also` from where they have been moved to, to where `force` (3 * particle_count, kg
// m) moves them. Returns the largest change of a coordinate.
double tide_compliance_move(tide_compliance *compliance, const double *force, double *x, double *also);
void tide_compliance_take_back(tide_compliance *compliance, double *x, double *also); // where it has moved them

#endif
