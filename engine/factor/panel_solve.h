// Solves with three right-hand sides, or with one, by a Cholesky factor that is kept in panels (panels.h) in single or
// double precision; parallel over the tasks that the elimination tree is cut into, with the same result for any number
// of threads.
#ifndef TIDE_FACTOR_PANEL_SOLVE_H
#define TIDE_FACTOR_PANEL_SOLVE_H

#include "factor/fronts.h"
#include "factor/inverse_root.h"
#include "factor/sweeps.h"
#include "linear/sparse.h"

typedef struct tide_panel_solve {
    tide_panels panels;
    tide_fronts fronts;
    const tide_dense_kernel *kernel;
    int32_t *order; // (columns) row k of L is row order[k] of the matrix
    int bits;
    uint32_t sides; // right-hand sides of a solve: 3, or 1 in double precision
    // Of the precision in use
    const tide_sweeps *sweeps;
    bool single;
    void *values; // (panels.value_count)
    void *work;   // (panels.positions + panels.slots) times 4 numbers, or 1 of one side
    struct {
        void *values, *work;
    } kept[2];                      // in double and in single precision; NULL: not needed so far
    tide_seat *seats;               // (panels.positions)
    double *scale;                  // (columns) of the factor's columns: about 1 / sqrt(diagonal)
    double *least;                  // (columns) what pivots must be above
    double *entries;                // (nonzeros of A) the values that are factored; NULL where fronts keep nothing
    bool *rescaled;                 // (columns) whose scale is another than in the factor before
    bool factored, factored_single; // the factor of `entries` is there, in this precision
    double operations;              // that the last factorisation took
    struct tide_panel_progress *progress;
    tide_inverse_root root; // where it was asked for
} tide_panel_solve;         // { 0 } is empty

// Lays out what factors of this pattern need, taking its entries over, with vectors of `bits` (sweeps.h), for solves
// with 3 or 1 right-hand `sides`. False when there is no memory; *solve is then empty.
bool tide_panel_solve_make(tide_panel_solve *solve, tide_factor_pattern *pattern, const int32_t *order, int bits,
                           uint32_t sides);
void tide_panel_solve_free(tide_panel_solve *solve);

// Factors a matrix of the pattern, to be solved with in this precision from then on: L L' = P A P', with row order[k]
// of A in row k of L, in double precision in any case. Where few of the values have changed since the last time, only
// what depends on them is done anew, to the same bits. *bad_row is UINT32_MAX, or the row of A where the first pivot is
// that is below 0 or within 4 units of rounding of its diagonal entry. False when there is no memory. From the second
// time in a precision on it allocates nothing, unless the work it takes, or the values in single precision, are beyond
// TIDE_PANEL_WORK_KEPT bytes: then only what is in use is kept. `single` is for three right-hand sides only.
bool tide_panel_solve_factor(tide_panel_solve *solve, const tide_sparse *matrix, bool single, uint32_t *bad_row);

// A X = B for the right-hand sides, interleaved (sides * rows), in place allowed. In single precision, columns of B
// that are below 1e-30 of the largest come out as 0. Allocates nothing.
void tide_panel_solve_run(tide_panel_solve *solve, const double *b, double *x);

// What entries of A^-1 are had by, of the factor that there is, until it is another. NULL: it is not in single
// precision, or there is no memory. Allocates the first time only.
tide_inverse_root *tide_panel_solve_root(tide_panel_solve *solve);

// Of one right-hand side: solves for one of its own and returns the residual, r = b - A x, against what rounding
// leaves: |S r| / (|S b| + |S^-1 x|), with S A S the matrix whose diagonal is 1 (backward error: Higham, Accuracy and
// stability of numerical algorithms, sec. 7.1). NAN where there is an overflow. `work` is (3 * rows).
double tide_panel_solve_try_one(tide_panel_solve *solve, const tide_sparse *matrix, double *work);
// Of three: solves for some of its own. The solutions x have errors e = A^-1 (b - A x); stores the largest |e| / |x|
// and the largest root of e' A e / x' A x, NAN where there is an overflow. `work` is (9 * rows).
void tide_panel_solve_try_three(tide_panel_solve *solve, const tide_sparse *matrix, double *work, double *error,
                                double *energy);

// Bytes kept for the values and all that goes with them, in the precisions that were needed.
size_t tide_panel_solve_bytes(const tide_panel_solve *solve);
// Bytes that factoring for double precision takes with all that is kept, told from the layout alone.
size_t tide_panel_solve_most_bytes(const tide_panel_solve *solve);

#endif
