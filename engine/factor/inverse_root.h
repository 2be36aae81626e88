// Selected inverse: computes entries of the inverse of a factored matrix for chosen rows, without whole columns of it.
//
// With Z = L^-1 P, A^-1 = Z' Z, so entry (i, j) is the dot product of columns i and j of Z. A column of Z is a forward
// sweep of a unit vector. It is nonzero only on the path from its row to the root of the elimination tree (Gilbert and
// Peierls 1988): some thousands of numbers, where a column of A^-1 is full. Two columns overlap from where their paths
// meet. Columns are stored from the root down, so the overlap is at the start of both.
#ifndef TIDE_FACTOR_INVERSE_ROOT_H
#define TIDE_FACTOR_INVERSE_ROOT_H

#include "factor/factor_panels.h"
#include "factor/sweeps.h"

enum { TIDE_ROOT_SWEEPS = 4 }; // sweeps at once

typedef struct tide_root_sweep {
    float *work;  // work vector of a sweep over all panels; zeros between sweeps
    bool *passed; // (panels) on the path of the sweep; all false between sweeps
} tide_root_sweep;

typedef struct tide_inverse_root {
    const tide_panels *panels;          // NULL: not made
    void *memory;                       // owns the arrays
    const tide_scaled_row *scaled_rows; // one for each position
    const float *values;                // values of the panels, in single precision
    const tide_sweeps *sweeps;
    uint32_t *panel_of; // (positions / 4) the panel of each four positions
    uint32_t *above;    // (panels) next panel on the path to the root, TIDE_ROOT_END at a root
    uint32_t *depth;    // (panels) numbers of a column from the root down to this panel, inclusive
    uint32_t *place;    // (rows, at most columns) the position of each row
    uint32_t most;      // length of the longest column
    tide_root_sweep sweeps_at_once[TIDE_ROOT_SWEEPS];
} tide_inverse_root;

#define TIDE_ROOT_END UINT32_MAX

// Prepares for a layout of panels. Row k of L is row order[k] of the factored matrix, which has row row_of[order[k]]
// here, of `rows`; with `row_of` NULL the same one. `owner` owns the arrays. Returns false when there is no memory.
bool tide_inverse_root_make(tide_inverse_root *root, const tide_panels *panels, const int32_t *order,
                            const uint32_t *row_of, uint32_t rows, void *owner);
// Takes other rows for the same layout.
void tide_inverse_root_place(tide_inverse_root *root, const int32_t *order, const uint32_t *row_of, uint32_t rows);

// Returns the panel in which the column of a row begins; the column has depth[panel] numbers.
uint32_t tide_inverse_root_panel(const tide_inverse_root *root, uint32_t row);
// Returns how many leading numbers two columns share that begin in panels a and b.
uint32_t tide_inverse_root_shared(const tide_inverse_root *root, uint32_t a, uint32_t b);

// Computes the columns of Z for `count` rows, into columns[i][0 ... depth - 1]. Faster when rows that are near in the
// tree are near in the list. A column has the same bits whatever the other rows are. Returns false when there is no
// memory; allocates only when more sweeps run at once than ever before.
bool tide_inverse_root_columns(tide_inverse_root *root, const uint32_t *rows, uint32_t count, float *const *columns);

// Computes products[i][j], the entry of A^-1 for the rows of columns[i] and others[j]. The columns begin in the given
// panels (TIDE_ROOT_END: a column of zeros) and are aligned to 64 bytes. A product has the same bits at any place.
// Faster when consecutive panels are equal.
void tide_inverse_root_products(const tide_inverse_root *root, const float *const columns[4], const uint32_t panels[4],
                                const float *const others[4], const uint32_t other_panels[4], float products[4][4]);

#endif
