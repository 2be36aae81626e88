// Solves symmetric positive definite systems with three right-hand sides by conjugate gradients, preconditioned by one
// V-cycle of algebraic multigrid with smoothed aggregation (Vanek, Mandel and Brezina 1996) and Chebyshev smoothing
// (Adams et al. 2003). It serves systems whose factor does not fit in memory; memory and time are linear in the
// matrix's size.
//
// It is designed for matrices M + h^2 L, where few directions besides the constant ones are slow to smooth. Double
// precision; parallel over rows, with the same result for any number of threads.
#ifndef TIDE_LINEAR_MULTIGRID_H
#define TIDE_LINEAR_MULTIGRID_H

#include "linear/iterative.h"
#include "linear/sparse.h"

#include <stddef.h>

typedef struct tide_multigrid tide_multigrid;

// A direct solver for the coarsest level, supplied by the caller (factor/cholesky.c). `create` factors the matrix and
// allocates all that solves with three right-hand sides need, so that `solve` cannot fail.
typedef struct tide_coarse_solver {
    tide_status (*create)(const tide_sparse *matrix, void **factor, tide_error *error);
    void (*solve)(void *factor, const double *b, double *x); // (3 * rows) each
    void (*destroy)(void *factor);                           // NULL does nothing
} tide_coarse_solver;

// Creates the hierarchy for a matrix and copies what it needs of the lower triangle. `coarse` must outlive the
// multigrid. Fails with TIDE_ERROR_NUMERIC when a diagonal entry is not above 0 (*bad_row is its row) and when the
// coarsest matrix is not positive definite (*bad_row is then the number of rows).
tide_status tide_multigrid_create(tide_multigrid **multigrid, const tide_sparse *matrix,
                                  const tide_coarse_solver *coarse, uint32_t *bad_row, tide_error *error);
void tide_multigrid_destroy(tide_multigrid *multigrid); // NULL does nothing

// Solves A X = B for three interleaved right-hand sides, (3 * rows), in place allowed, until |b - A x| <= tolerance |b|
// or for max_iterations. The residual in the result is that of the recurrence (iterative.h); it is NAN when b is not
// finite or A is not positive definite. Allocates nothing.
tide_iterative_result tide_multigrid_solve(tide_multigrid *multigrid, const double *b, double *x, double tolerance,
                                           uint32_t max_iterations);

uint32_t tide_multigrid_levels(const tide_multigrid *multigrid); // includes the finest level
size_t tide_multigrid_bytes(const tide_multigrid *multigrid);

#endif
