// Conjugate gradients on a symmetric positive definite matrix with three right-hand sides, preconditioned by one
// V-cycle of algebraic multigrid by smoothed aggregation (Vanek, Mandel and Brezina 1996; smoothed by Chebyshev
// polynomials: Adams et al. 2003): for systems whose factor would not fit. Memory and time grow as the matrix does.
//
// Made for matrices M + h^2 L, of which few directions but the constant ones are slow to smooth. In double precision;
// parallel over rows, with the same result for any number of threads.
#ifndef TIDE_LINEAR_MULTIGRID_H
#define TIDE_LINEAR_MULTIGRID_H

#include "linear/iterative.h"
#include "linear/sparse.h"

#include <stddef.h>

typedef struct tide_multigrid tide_multigrid;

// A direct solver for the coarsest level; the caller brings it (factor/cholesky.c). `create` factors the matrix and
// makes room for solves with three right-hand sides, so that `solve` cannot fail.
typedef struct tide_coarse_solver {
    tide_status (*create)(const tide_sparse *matrix, void **factor, tide_error *error);
    void (*solve)(void *factor, const double *b, double *x); // (3 * rows) each
    void (*destroy)(void *factor);                           // NULL does nothing
} tide_coarse_solver;

// Copies what it needs of the lower triangle; `coarse` must outlive the multigrid. Fails with TIDE_ERROR_NUMERIC where
// an entry of the diagonal, which is stored in *bad_row, is not above 0, and where the coarsest matrix is not positive
// definite (*bad_row is the number of rows then).
tide_status tide_multigrid_create(tide_multigrid **multigrid, const tide_sparse *matrix,
                                  const tide_coarse_solver *coarse, uint32_t *bad_row, tide_error *error);
void tide_multigrid_destroy(tide_multigrid *multigrid); // NULL does nothing

// Solves A X = B for three interleaved right-hand sides (3 * rows), in place allowed, until |b - A x| <= tolerance |b|
// or for max_iterations. The residual of the result is that of the recurrence (iterative.h), NAN where b is not finite
// or A is not positive definite. Allocates nothing.
tide_iterative_result tide_multigrid_solve(tide_multigrid *multigrid, const double *b, double *x, double tolerance,
                                           uint32_t max_iterations);

uint32_t tide_multigrid_levels(const tide_multigrid *multigrid); // with the finest
size_t tide_multigrid_bytes(const tide_multigrid *multigrid);

#endif
