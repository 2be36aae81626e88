// The upper triangle of a symmetric matrix in a factor's ordering, as CHOLMOD's row-by-row factorisation reads it. It
// is kept because CHOLMOD would make a new one for every factorisation.
#ifndef TIDE_FACTOR_ORDERED_H
#define TIDE_FACTOR_ORDERED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct tide_ordered {
    uint32_t rows;
    void *memory;          // owns the arrays
    int32_t *column_start; // (rows + 1)
    int32_t *row, *from;   // (nonzeros); `from`: index of the value in the caller's matrix
    double *value;         // (nonzeros)
} tide_ordered;            // { 0 } is empty

// Makes the pattern. `column_start` and `row` are the matrix's lower triangle; column k of the result is its column
// order[k]. Returns false when there is no memory; *ordered is then empty.
bool tide_ordered_make(uint32_t rows, const int32_t *column_start, const int32_t *row, const int32_t *order,
                       tide_ordered *ordered);
void tide_ordered_free(tide_ordered *ordered);
void tide_ordered_fill(tide_ordered *ordered, const double *value); // copies the values in

#endif
