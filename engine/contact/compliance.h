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
    TIDE_COMPLIANCE_MOST = 65536, // particles of C
    TIDE_COMPLIANCE_CHUNK = 32,   // columns of one allocation
    TIDE_COMPLIANCE_LANES = 16
};
// Most bytes of columns that are kept. C is smaller than TIDE_COMPLIANCE_MOST where fewer columns fit, and in small
// systems, where solves are faster.
#define TIDE_COMPLIANCE_BYTES ((size_t)256 << 20)

// A part of the system that no spring joins to another one: a tree of the factor. W has no entries between parts.
typedef struct tide_compliance_part {
    // What is kept
    uint32_t column_count, capacity;
    float *products; // (capacity * (capacity + 1)) of its columns with each other; NAN: not made so far; the last of a
                     // row is 0
    // C
    uint32_t count, first_row; // its particles in C, and their first row
    uint32_t tally;            // of what is being counted
    size_t matrix;             // index of its first number in `matrix`
} tide_compliance_part;

typedef struct tide_compliance {
    uint32_t particle_count;
    uint32_t limit, most; // of columns: for this matrix, for any
    double area;          // limit of the entries of W, and of those of all columns that are kept
    uint64_t serial;      // of the matrix that they are of
    // The parts
    uint32_t part_count;
    size_t part_capacity, panel_capacity;
    tide_compliance_part *parts; // (part_count)
    uint32_t *part_of;           // (panels)
    // What is kept. Arrays of columns are (most).
    float **chunks;  // of TIDE_COMPLIANCE_CHUNK columns of A^-1's root each, (TIDE_COMPLIANCE_CHUNK * stride)
    uint32_t stride; // entries of a column, as allocated
    uint32_t column_count;
    uint32_t *column_of;   // (particle_count) index, or TIDE_NOT_TOUCHED
    uint32_t *particle_of; // of each column
    uint32_t *panel_of;    // that each column begins in; TIDE_ROOT_END: pinned, of zeros
    uint32_t *place_of;    // of each column among those of its part
    // Of what is asked for
    uint32_t *incoming, incoming_count; // ascending
    uint32_t (*missing)[2];             // panel, particle
    uint32_t *rows;                     // of the system, of those missing
    float **columns;
    // C and W. Rows of W are those of the parts, one after another; each part begins at a multiple of
    // TIDE_COMPLIANCE_LANES, and rows in between are of no particle.
    uint32_t *slots;          // (particle_count) index in `touched`, or TIDE_NOT_TOUCHED
    uint32_t *touched, count; // ascending
    uint32_t *row_of;         // of each particle of C
    uint32_t *order;          // (rows) columns, or places of columns
    uint32_t *part_of_block;  // of TIDE_COMPLIANCE_LANES rows
    uint32_t block_count;
    size_t row_capacity;
    float *matrix; // part by part, in blocks of TIDE_COMPLIANCE_LANES rows, each column by column; other rows are 0
    size_t matrix_capacity;
    double *advanced;            // (3 * count) m: how far particles of C have been moved
    float *forces[3], *moves[3]; // (rows)
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
