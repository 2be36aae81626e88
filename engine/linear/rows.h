// Sparse matrices in compressed rows, for parallel products.
#ifndef TIDE_LINEAR_ROWS_H
#define TIDE_LINEAR_ROWS_H

#include "linear/sparse.h"

#include <stdbool.h>
#include <stddef.h>

// A symmetric matrix stores both triangles.
typedef struct tide_rows {
    uint32_t count, columns;
    size_t *start;    // (count + 1)
    uint32_t *column; // (start[count])
    double *value;    // (start[count])
} tide_rows;          // { 0 } is empty

// Each returns false when there is no memory; its output is then empty.
bool tide_rows_from_symmetric(const tide_sparse *lower, tide_rows *rows);
bool tide_rows_transpose(const tide_rows *rows, tide_rows *transposed);
// Allocates room for `entries` entries. All rows are empty at first.
bool tide_rows_make(tide_rows *rows, uint32_t count, uint32_t columns, size_t entries);
void tide_rows_free(tide_rows *rows);
size_t tide_rows_bytes(const tide_rows *rows);

enum { TIDE_ROWS_GRAIN = 2048 }; // rows in a chunk of a parallel loop

// Computes y = A x for three interleaved vectors: x (3 * columns), y (3 * count). Parallel, with the same bits for any
// number of threads.
void tide_rows_apply(const tide_rows *rows, const double *x, double *y);

typedef struct tide_triple {
    double v[3];
} tide_triple;

// Returns row i of the same product.
static inline tide_triple tide_rows_multiply_one(const tide_rows *rows, uint32_t i, const double *x)
{
    tide_triple sum = { { 0 } };
    for (size_t k = rows->start[i]; k < rows->start[i + 1]; k++) {
        const double *from = x + 3 * (size_t)rows->column[k];
        double value = rows->value[k];
        sum.v[0] += value * from[0];
        sum.v[1] += value * from[1];
        sum.v[2] += value * from[2];
    }
    return sum;
}

#endif
