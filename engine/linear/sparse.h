// Sparse matrices in compressed columns, built from triplets.
//
//     tide_triplets triplets = { 0 };
//     tide_triplets_add(&triplets, 0, 0, 2);
//     tide_sparse matrix = { 0 };
//     status = tide_sparse_from_triplets(&triplets, rows, columns, false, &matrix, error);
//     tide_triplets_free(&triplets);
//
// Ownership: a matrix owns its arrays; tide_sparse_free frees them. Threads: reading a matrix is safe from any number
// of threads. Errors: a place out of range is TIDE_ERROR_ARGUMENT.
#ifndef TIDE_LINEAR_SPARSE_H
#define TIDE_LINEAR_SPARSE_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

// Row indices ascend within a column and are unique. A symmetric matrix stores its lower triangle only.
typedef struct tide_sparse {
    uint32_t rows, columns;
    bool symmetric;
    int32_t *column_start; // (columns + 1)
    int32_t *row;          // (column_start[columns])
    double *value;         // (column_start[columns])
    uint32_t block; // 3: rows 3k to 3k + 2 have the same pattern for every k, which makes products faster. Otherwise 0
                    // or 1
} tide_sparse;      // { 0 } is the empty matrix

typedef struct tide_triplet {
    uint32_t row, column;
    double value;
} tide_triplet;

typedef struct tide_triplets {
    tide_triplet *items;
    size_t count, capacity;
    bool failed; // an allocation failed
} tide_triplets; // { 0 } is empty

// Adds a triplet. Sets `failed` when there is no memory; tide_sparse_from_triplets then fails.
void tide_triplets_add(tide_triplets *triplets, uint32_t row, uint32_t column, double value);
void tide_triplets_free(tide_triplets *triplets);

// Makes a matrix and frees what *matrix held. Triplets at the same place are summed in the order in which they were
// added. With `symmetric`, triplets above the diagonal are skipped, so that a caller may add both halves.
tide_status tide_sparse_from_triplets(const tide_triplets *triplets, uint32_t rows, uint32_t columns, bool symmetric,
                                      tide_sparse *matrix, tide_error *error);
void tide_sparse_free(tide_sparse *matrix);
// Sets matrix->block. Needed only for a pattern made by hand: tide_sparse_from_triplets sets it itself.
void tide_sparse_find_blocks(tide_sparse *matrix);
// Return a hash of the shape and the pattern, and a hash of the values.
uint64_t tide_sparse_pattern_hash(const tide_sparse *matrix);
uint64_t tide_sparse_value_hash(const tide_sparse *matrix);
// Returns the index into `row` and `value` of the stored entry at this row and column, or -1 when there is none.
int32_t tide_sparse_find(const tide_sparse *matrix, uint32_t row, uint32_t column);
// Returns the entry at this row and column, of either triangle if the matrix is symmetric; 0 where none is stored.
double tide_sparse_get(const tide_sparse *matrix, uint32_t row, uint32_t column);

// Computes y = A x for `width` interleaved vectors: x (width * columns), y (width * rows). Serial; y must not be x.
void tide_sparse_multiply(const tide_sparse *matrix, uint32_t width, const double *x, double *y);

#endif
