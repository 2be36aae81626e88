// Solves with three right-hand sides, or with one, by a Cholesky factor in panels (factor_panels.h), in single or
// double precision. Parallel over the tasks into which the elimination tree is cut, with the same result for any number
// of threads.
#ifndef TIDE_FACTOR_PANEL_SOLVE_H
#define TIDE_FACTOR_PANEL_SOLVE_H

#include "factor/fronts.h"
#include "factor/inverse_root.h"
#include "factor/sweeps.h"
#include "linear/sparse.h"

typedef struct tide_panel_solve {
    void *memory; // owns all arrays
    tide_panels panels;
    tide_fronts fronts;
    const tide_dense_kernel *kernel;
    int32_t *order;         // (columns) row k of L is row order[k] of the matrix
    const uint32_t *row_of; // (columns) where right-hand sides have each row of the matrix, UINT32_MAX for a spare row
                            // that they lack; not owned. NULL: where the matrix has it
    uint32_t rows;          // of right-hand sides
    int bits;
    uint32_t sides; // right-hand sides of a solve: 3, or 1 in double precision
    // For the current precision
    const tide_sweeps *sweeps;
    bool single;
    void *values; // (panels.value_count)
    void *work;   // (panels.positions + panels.slots) times 4 numbers, or times 1 for one right-hand side
    struct {
        void *values, *work;
    } kept[2];                      // in double and in single precision; NULL: not needed so far
    tide_scaled_row *scaled_rows;   // (panels.positions)
    double *scale;                  // (columns) scale of the factor's columns: about 1 / sqrt(diagonal)
    double *least;                  // (columns) lower bounds of pivots
    double *entries;                // (nonzeros of A) the factored values; NULL where fronts keep nothing
    bool *rescaled;                 // (columns) the scale has changed since the last factor
    bool factored, factored_single; // the factor of `entries` is valid; its precision
    double operations;              // of the last factorisation
    tide_inverse_root root;         // made when first needed
} tide_panel_solve;                 // { 0 } is empty

// Lays out everything for factors of this pattern and takes over its entries. `bits` limits the vectors (sweeps.h);
// `sides` is 3 or 1 right-hand sides. Returns false when there is no memory; *solve is then empty.
bool tide_panel_solve_make(tide_panel_solve *solve, tide_factor_pattern *pattern, const int32_t *order, int bits,
                           uint32_t sides);
void tide_panel_solve_free(tide_panel_solve *solve);
// Sets `row_of`, and `rows`, the number of rows of right-hand sides. Call it before the next factorisation.
void tide_panel_solve_map(tide_panel_solve *solve, const uint32_t *row_of, uint32_t rows);

// Factors a matrix of the pattern: L L' = P A P', with row order[k] of A in row k of L. The factorisation is in double
// precision; the following solves are in the precision given, `single` for three right-hand sides only. When few values
// have changed since the last time, only what depends on them is computed again, to the same bits. *bad_row is
// UINT32_MAX, or the row of right-hand sides of the first pivot that is below 0 or within 4 units of rounding of its
// diagonal entry. Returns false when there is no memory. From the second call with a precision on it allocates nothing,
// unless the workspace or the values in single precision exceed TIDE_PANEL_WORK_KEPT bytes: then only what is in use is
// kept.
bool tide_panel_solve_factor(tide_panel_solve *solve, const tide_sparse *matrix, bool single, uint32_t *bad_row);

// Solves A X = B for interleaved right-hand sides, (sides * rows), in place allowed. In single precision, columns of B
// below 1e-30 of the largest give 0. Allocates nothing.
void tide_panel_solve_run(tide_panel_solve *solve, const double *b, double *x);

// Returns the object that computes entries of A^-1 for the current factor; valid until the next factorisation. Returns
// NULL when the factor is not in single precision, and when there is no memory. Allocates the first time only.
tide_inverse_root *tide_panel_solve_root(tide_panel_solve *solve);

// Tests a factor for one right-hand side: solves one of its own and returns the residual r = b - A x relative to
// rounding: |S r| / (|S b| + |S^-1 x|), where S A S has a diagonal of 1 (backward error: Higham, Accuracy and stability
// of numerical algorithms, sec. 7.1). NAN on overflow. `work` is (3 * rows).
double tide_panel_solve_try_one(tide_panel_solve *solve, const tide_sparse *matrix, double *work);
// Tests a factor for three right-hand sides: solves three of its own. The solutions x have the errors e = A^-1
// (b - A x). Stores the largest |e| / |x| and the largest sqrt(e' A e / x' A x), NAN on overflow. `work` is (9 * rows).
void tide_panel_solve_try_three(tide_panel_solve *solve, const tide_sparse *matrix, double *work, double *error,
                                double *energy);

// Returns the bytes of the values and their work vectors, in the precisions used so far, and of the layout.
size_t tide_panel_solve_bytes(const tide_panel_solve *solve);
// Returns the bytes that factoring for double precision needs, with everything that is kept, computed from the layout
// alone.
size_t tide_panel_solve_most_bytes(const tide_panel_solve *solve);

#endif
