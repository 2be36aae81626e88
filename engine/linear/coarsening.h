// One step of smoothed aggregation (Vanek, Mandel and Brezina 1996): which unknowns of a matrix make one of a coarser
// matrix, and that matrix. Serial, in a fixed order.
#ifndef TIDE_LINEAR_COARSENING_H
#define TIDE_LINEAR_COARSENING_H

#include "linear/sparse.h"

#include <stdbool.h>
#include <stddef.h>

// A matrix row by row; rows of a symmetric one are stored whole.
typedef struct tide_rows {
    uint32_t count, columns;
    size_t *start;    // (count + 1)
    uint32_t *column; // (start[count])
    double *value;    // (start[count])
} tide_rows;          // { 0 } is empty

// Each false when there is no memory; what is made is then empty.
bool tide_rows_from_symmetric(const tide_sparse *lower, tide_rows *rows);
bool tide_rows_transpose(const tide_rows *rows, tide_rows *transposed);
bool tide_rows_multiply(const tide_rows *a, const tide_rows *b, tide_rows *product);
void tide_rows_free(tide_rows *rows);
size_t tide_rows_bytes(const tide_rows *rows);

// P = (1 - omega D^-1 A) P0, with P0 1 where an unknown (row) is in an aggregate (column) of unknowns that are strongly
// joined: |a_ij| >= strength sqrt(a_ii a_jj). Rows of unknowns that are joined to none have no entry in P0.
bool tide_coarsen(const tide_rows *a, double strength, double omega, tide_rows *prolongation);

#endif
