// The upper triangle of a symmetric matrix in a factor's ordering, as CHOLMOD's factorisation by rows reads it: kept,
// since CHOLMOD would make a new one for every factorisation.
#ifndef TIDE_FACTOR_ORDERED_H
#define TIDE_FACTOR_ORDERED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct tide_ordered {
    uint32_t rows;
    int32_t *column_start; // (rows + 1)
    int32_t *row, *from;   // (nonzeros); `from`: which of the caller's values this one is
    double *value;         // (nonzeros)
} tide_ordered;            // { 0 } is empty

// `column_start` and `row` are the matrix's lower triangle; column k is to be its column order[k]. False when there is
// no memory; *ordered is then empty.
bool tide_ordered_make(uint32_t rows, const int32_t *column_start, const int32_t *row, const int32_t *order,
                       tide_ordered *ordered);
void tide_ordered_free(tide_ordered *ordered);
void tide_ordered_fill(tide_ordered *ordered, const double *value); // takes the values over

#endif
