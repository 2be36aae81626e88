// Sparse matrices in compressed columns, built from triplets.
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
    uint32_t block; // 3: rows 3k to 3k + 2 have the same pattern, for every k, which multiplies faster; else 0 or 1
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

void tide_triplets_add(tide_triplets *triplets, uint32_t row, uint32_t column, double value);
void tide_triplets_free(tide_triplets *triplets);

// Sums the triplets that share a place, in the order in which they were added, into a new matrix. With `symmetric`,
// triplets above the diagonal are skipped (so that a caller may add both halves). Frees what *matrix held.
tide_status tide_sparse_from_triplets(const tide_triplets *triplets, uint32_t rows, uint32_t columns, bool symmetric,
                                      tide_sparse *matrix, tide_error *error);
void tide_sparse_free(tide_sparse *matrix);
bool tide_sparse_copy(const tide_sparse *matrix,
                      tide_sparse *copy); // false when there is no memory; *copy is then empty
// Sets matrix->block. Only for who made the pattern by hand: a matrix from triplets has it set.
void tide_sparse_find_blocks(tide_sparse *matrix);
uint64_t tide_sparse_pattern_hash(const tide_sparse *matrix);
uint64_t tide_sparse_value_hash(const tide_sparse *matrix);
// Where in `row` and `value` the entry that is stored in this row and column is; -1: none is.
int32_t tide_sparse_find(const tide_sparse *matrix, uint32_t row, uint32_t column);
double tide_sparse_get(const tide_sparse *matrix, uint32_t row, uint32_t column);

// y = A x, for `width` interleaved vectors: x (width * columns), y (width * rows). Serial; y and x differ.
void tide_sparse_multiply(const tide_sparse *matrix, uint32_t width, const double *x, double *y);

#endif
