// Sparse Cholesky factorisation A = P' L L' P and solves, by CHOLMOD's simplicial LL' with an AMD ordering.
//
// The only file that knows CHOLMOD is cholesky.c. Factoring and solving are serial and deterministic.
#ifndef TIDE_LINEAR_CHOLESKY_H
#define TIDE_LINEAR_CHOLESKY_H

#include "linear/sparse.h"

#include <stddef.h>

typedef struct tide_cholesky tide_cholesky;

tide_status tide_cholesky_create(tide_cholesky **cholesky, tide_error *error);
void tide_cholesky_destroy(tide_cholesky *cholesky); // NULL does nothing

// Makes the factor be that of `matrix` (symmetric, positive definite). What is kept: everything when the matrix is the
// one factored last; the ordering and symbolic analysis when its pattern is. When the matrix is not positive definite
// in double precision (a pivot is below 0, or within 4 units of rounding of its row's diagonal entry), fails with
// TIDE_ERROR_NUMERIC and stores in *bad_row (may be NULL) the row of `matrix` where the pivot failed. After any failure
// there is no factor to solve with; but unless memory ran out the analysis stays, so that the same matrix with a larger
// diagonal may be tried. Allocates nothing from the second matrix of a pattern on, even if the first was not definite.
tide_status tide_cholesky_factor(tide_cholesky *cholesky, const tide_sparse *matrix, uint32_t *bad_row,
                                 tide_error *error);

// Solves A X = B for `width` interleaved right-hand sides, (width * rows) each, in place allowed. Allocates nothing
// from the second call of a width on.
tide_status tide_cholesky_solve(tide_cholesky *cholesky, uint32_t width, const double *b, double *x, tide_error *error);

typedef struct tide_cholesky_info {
    uint32_t rows;
    size_t nonzeros;                        // of L
    double analyse_seconds, factor_seconds; // of the last time each was done
    uint64_t analyses, factorizations;      // how often; those that failed do not count
} tide_cholesky_info;
tide_cholesky_info tide_cholesky_describe(const tide_cholesky *cholesky);

#endif
