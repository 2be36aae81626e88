// The pattern of the Cholesky factor L L' = P A P', found from that of A under the assumption that nothing cancels to
// 0.
//
// Columns j and j + 1 share one list of rows when the rows of j + 1 are those of j without its diagonal. What is stored
// is then a small part of L's nonzeros (compressed subscripts: Sherman 1975).
#ifndef TIDE_FACTOR_FACTOR_PATTERN_H
#define TIDE_FACTOR_FACTOR_PATTERN_H

#include "factor/supernodes.h"

#include <stddef.h>

typedef struct tide_factor_pattern {
    tide_factor_view view; // view of the arrays below
    void *memory;          // owns the arrays
    int32_t *start, *length;
    int32_t *row; // (row_count)
    size_t row_count;
    double nonzeros, operations; // of L; multiplications and additions of a factorisation
    // A's lower triangle in the order of L: the entries of column j are [entry_start[j], entry_start[j + 1])
    int32_t *entry_start;  // (columns + 1)
    int32_t *entry_row;    // (nonzeros of A) rows of L, unsorted
    int32_t *entry_source; // (nonzeros of A) index of the value in A
} tide_factor_pattern;     // { 0 } is empty

// Makes the pattern. `column_start` and `row` are A's lower triangle with its diagonal stored. Row k of L is row
// order[k] of A; `order` is a postordering of the elimination tree. counts[k] is the number of entries of L's column k
// with the diagonal. Returns false when there is no memory, or when the number of rows exceeds an int32_t; *pattern is
// then empty.
bool tide_factor_pattern_make(uint32_t columns, const int32_t *column_start, const int32_t *row, const int32_t *order,
                              const int32_t *counts, tide_factor_pattern *pattern);
void tide_factor_pattern_free(tide_factor_pattern *pattern);

#endif
