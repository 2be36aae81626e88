// Entries of the inverse of a factored matrix, for rows that are asked for, without whole columns of it.
//
// With Z = L^-1 P, A^-1 = Z' Z: an entry (i, j) is the product of columns i and j of Z. A column of Z is a forward
// sweep of a unit vector, which has numbers only along the way from its row to the root of the elimination tree
// (Gilbert and Peierls 1988), some thousands where a column of A^-1 has all. Two columns have in common the way from
// where theirs meet. As columns are kept from the root down, what they have in common is at the start of both.
#ifndef TIDE_FACTOR_INVERSE_ROOT_H
#define TIDE_FACTOR_INVERSE_ROOT_H

#include "factor/factor_panels.h"
#include "factor/sweeps.h"

enum { TIDE_ROOT_SWEEPS = 4 }; // at once

typedef struct tide_root_sweep {
    float *work;  // of a sweep over all panels; zeros between sweeps
    bool *passed; // (panels) all false between sweeps
} tide_root_sweep;

typedef struct tide_inverse_root {
    const tide_panels *panels;
    const tide_seat *seats; // of positions
    const float *values;    // of the panels, in single precision
    const tide_sweeps *sweeps;
    uint32_t *panel_of; // (positions / 4) the panel of each four positions
    uint32_t *above;    // (panels) the next on the way to the root, TIDE_ROOT_END for those that have none
    uint32_t *depth;    // (panels) numbers of a column from the root down to it, with its own
    uint32_t *place;    // (columns) the position of each row of the matrix
    uint32_t most;      // numbers of a column
    tide_root_sweep sweeps_at_once[TIDE_ROOT_SWEEPS];
} tide_inverse_root; // { 0 } is empty

#define TIDE_ROOT_END UINT32_MAX

// What is needed of a layout of panels, with row order[k] of the matrix in row k of L. False when there is no memory;
// *root is then empty.
bool tide_inverse_root_make(tide_inverse_root *root, const tide_panels *panels, const int32_t *order);
void tide_inverse_root_free(tide_inverse_root *root);

// The panel that the column of a row begins in; the column has depth[panel] numbers.
uint32_t tide_inverse_root_panel(const tide_inverse_root *root, uint32_t row);
// How many numbers, the first, columns that begin in these panels have in common.
uint32_t tide_inverse_root_shared(const tide_inverse_root *root, uint32_t a, uint32_t b);

// Columns of Z for `count` rows, into columns[i][0 .. its number); faster where rows near in the tree are near in the
// list. Each is the same to the bit whatever the others are. False when there is no memory: allocates when more sweeps
// are needed at once than ever before.
bool tide_inverse_root_columns(tide_inverse_root *root, const uint32_t *rows, uint32_t count, float *const *columns);

// products[i][j] = the entry of A^-1 of the rows that columns[i] and others[j] are of, which begin in these panels
// (TIDE_ROOT_END: of zeros) and at multiples of 64 bytes. Each is the same to the bit in any place. Quicker where
// panels that follow one another are the same.
void tide_inverse_root_products(const tide_inverse_root *root, const float *const columns[4], const uint32_t panels[4],
                                const float *const others[4], const uint32_t other_panels[4], float products[4][4]);

#endif
