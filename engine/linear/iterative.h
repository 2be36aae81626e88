// Iterative methods on operators: conjugate gradients, and the power method for the largest eigenvalue. Arrays are the
// caller's; nothing is allocated. Safe from several threads if the operator is.
#ifndef TIDE_LINEAR_ITERATIVE_H
#define TIDE_LINEAR_ITERATIVE_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// y = A x for vectors of `size` numbers; A must be symmetric.
typedef void tide_operator(void *context, const double *x, double *y);

typedef struct tide_iterative_result {
    uint32_t iterations;
    double residual; // |b - A x| / |b|, or the relative change of the eigenvalue
    bool converged;
    bool negative; // a linear solve met a direction in which A or the preconditioner is not positive definite
} tide_iterative_result;

// Solves A x = b for a positive definite A, starting from the given x, until |b - A x| <= tolerance |b|. `precondition`
// (may be NULL) applies an approximate inverse. `work` is (4 * size). Stops without convergence where A is not positive
// definite and where rounding allows no smaller residual. When |b| is above 1e154 or below 1e-154 (its square overflows
// or vanishes) or not a number, x stays unchanged and the residual is NAN.
tide_iterative_result tide_conjugate_gradient(tide_operator *apply, tide_operator *precondition, void *context,
                                              uint32_t size, const double *b, double *x, double tolerance,
                                              uint32_t max_iterations, double *work);
// Solves like tide_conjugate_gradient, but tests and reports the residual that the recurrence updates. Near rounding it
// may be smaller than the true |b - A x|, which is not computed again.
tide_iterative_result tide_conjugate_gradient_by_recurrence(tide_operator *apply, tide_operator *precondition,
                                                            void *context, uint32_t size, const double *b, double *x,
                                                            double tolerance, uint32_t max_iterations, double *work);

// Finds the eigenvalue of largest magnitude and its unit eigenvector by the power method. `vector` holds the start and
// receives the eigenvector; a start that is zero, or that A maps to zero, is replaced by a fixed pseudorandom one.
// Stops when the remaining change, extrapolated from the current rate of decrease, is at most `tolerance` relative to
// the eigenvalue. Clustered eigenvalues take about 1 / tolerance iterations. `work` is (size). Does not converge when
// the two largest eigenvalues are opposite.
tide_iterative_result tide_largest_eigenvalue(tide_operator *apply, void *context, uint32_t size, double *vector,
                                              double tolerance, uint32_t max_iterations, double *eigenvalue,
                                              double *work);

// Finds the same eigenvalue by the power method with momentum (De Sa et al. 2018): x <- A x - (s / 2)^2 x_before.
// Components whose eigenvalues are below s in magnitude then do not grow. s is the largest growth |A x| / |x| seen so
// far, so eigenvalues above it emerge. Takes about 4 / sqrt(tolerance) iterations. It stops when this many iterations
// have not raised s by more than half the tolerance: an eigenvalue that exceeds s by more than the tolerance would by
// then have grown by at least e^4 relative to all those below s. The residual is |A x - eigenvalue x| / |eigenvalue|.
// `work` is (2 * size).
tide_iterative_result tide_largest_eigenvalue_momentum(tide_operator *apply, void *context, uint32_t size,
                                                       double *vector, double tolerance, uint32_t max_iterations,
                                                       double *eigenvalue, double *work);

// Returns a power of two that scales the largest of `count` numbers to near 1, so that squares neither overflow nor
// vanish. Returns NAN where one is not finite, and 0 where all are 0.
double tide_iterative_scale(const double *b, size_t count);

#endif
