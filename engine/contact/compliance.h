// The compliance of what contacts touch: W = (A^-1)_CC for the particles C that they act on, so that what a change of
// forces does to all their gaps is a product with a small dense matrix, and no solve with A.
//
// A column of W is of one of A^-1's, from a solve with a unit force on its particle: three at a time, since A does the
// same along each axis. Columns are kept as long as the matrix is (tide_yield, `serial`), so that a particle that comes
// to touch costs a third of a solve, once. What is kept from earlier changes nothing but time: each number of W comes
// from the column that it is in, whichever others there are.
#ifndef TIDE_CONTACT_COMPLIANCE_H
#define TIDE_CONTACT_COMPLIANCE_H

#include "solver/solver.h"

enum {
    TIDE_COMPLIANCE_MOST = 1024, // particles of C
    TIDE_COMPLIANCE_CHUNK = 32,  // columns that memory is had for at once
    TIDE_COMPLIANCE_LANES = 16
};
// Bytes of columns kept, at most. Where fewer than TIDE_COMPLIANCE_MOST fit, C may have no more; nor where so many are
// not worth while in a small system.
#define TIDE_COMPLIANCE_BYTES ((size_t)64 << 20)

typedef struct tide_compliance {
    uint32_t particle_count, limit; // of columns
    uint64_t serial;                // of the matrix that they are of
    // What is kept: columns of A^-1
    float *chunks[TIDE_COMPLIANCE_MOST / TIDE_COMPLIANCE_CHUNK]; // (TIDE_COMPLIANCE_CHUNK * particle_count) each
    uint32_t column_count;
    uint32_t *column_of;                        // (particle_count) index, or TIDE_NOT_TOUCHED
    uint32_t particle_of[TIDE_COMPLIANCE_MOST]; // (column_count)
    double *force, *moved;                      // (3 * particle_count) of a solve
    // C and W
    uint32_t *slots;                               // (particle_count) index in `touched`, or TIDE_NOT_TOUCHED
    uint32_t touched[TIDE_COMPLIANCE_MOST], count; // ascending
    float *matrix; // in blocks of TIDE_COMPLIANCE_LANES rows, each column by column; rows filled up with zeros
    size_t matrix_capacity;
    double advanced[3 * TIDE_COMPLIANCE_MOST]; // m: how far particles of C have been moved
    _Alignas(64) float forces[3][TIDE_COMPLIANCE_MOST], moves[3][TIDE_COMPLIANCE_MOST];
    void (*multiply)(const struct tide_compliance *compliance, float moves[3][TIDE_COMPLIANCE_MOST]);
} tide_compliance;

#define TIDE_NOT_TOUCHED UINT32_MAX

tide_compliance *tide_compliance_create(uint32_t particle_count); // NULL when there is no memory
void tide_compliance_destroy(tide_compliance *compliance);        // NULL does nothing

// Makes W that of `yield`'s matrix and of the particles in the set (64 to a word), and the moves 0. False, and C is
// empty, when they are too many, a solve fails, or there is no memory. Allocates only when there are more of them than
// ever before.
bool tide_compliance_take(tide_compliance *compliance, const tide_yield *yield, const uint64_t *set);

// sums[3 * p] = sum over q of W[p][q] * weights[3 * q], for p and q in C.
void tide_compliance_sum(tide_compliance *compliance, const double *weights, double *sums);
// Particles of C are moved in x and `also` from where they have been moved to, to where `force` (3 * particle_count, kg
// m) moves them. Returns the largest change of a coordinate.
double tide_compliance_move(tide_compliance *compliance, const double *force, double *x, double *also);
void tide_compliance_take_back(tide_compliance *compliance, double *x, double *also); // where it has moved them

#endif
