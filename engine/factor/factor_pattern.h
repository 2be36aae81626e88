// The pattern of the Cholesky factor L of P A P', found from that of A: L L' = P A P', no entry taken for 0 by chance.
//
// Columns j and j + 1 of which the second has the first one's rows but for its diagonal share one list of rows, so that
// what is stored is a small part of L's nonzeros (compressed subscripts: Sherman 1975).
#ifndef TIDE_FACTOR_FACTOR_PATTERN_H
#define TIDE_FACTOR_FACTOR_PATTERN_H

#include "factor/supernodes.h"

#include <stddef.h>

typedef struct tide_factor_pattern {
    tide_factor_view view; // of the arrays below
    int32_t *start, *length;
    int32_t *row; // (row_count)
    size_t row_count;
    double nonzeros, operations; // of L; multiplications and additions that a factorisation takes
    // A's lower triangle in the order of L: of column j those at [entry_start[j], entry_start[j + 1])
    int32_t *entry_start;  // (columns + 1)
    int32_t *entry_row;    // (nonzeros of A) rows of L, in no order
    int32_t *entry_source; // (nonzeros of A) which of A's values it is
} tide_factor_pattern;     // { 0 } is empty

// `column_start` and `row` are A's lower triangle, its diagonal stored; row k of L is row order[k] of A; counts[k] are
// the entries of L's column k, the diagonal with it. `order` is a postordering of the elimination tree. False when
// there is no memory, or when rows are more than an int32_t counts; *pattern is then empty.
bool tide_factor_pattern_make(uint32_t columns, const int32_t *column_start, const int32_t *row, const int32_t *order,
                              const int32_t *counts, tide_factor_pattern *pattern);
void tide_factor_pattern_free(tide_factor_pattern *pattern);

#endif
