// Iterative methods on operators: conjugate gradients, and the power method for the largest eigenvalue.
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
    bool negative; // of a solution: A, or what preconditions it, is not positive definite in a direction that was taken
} tide_iterative_result;

// Solves A x = b for a positive definite A, from the x given, until |b - A x| <= tolerance |b|. `precondition` (may be
// NULL) applies an approximate inverse. `work` is (4 * size).
// Stops short, not converged, where A is not positive definite and where rounding allows no smaller residual. Where |b|
// is beyond 1e154 or below 1e-154 (its square overflows or vanishes) or not a number, it leaves x and reports a
// residual of NAN.
tide_iterative_result tide_conjugate_gradient(tide_operator *apply, tide_operator *precondition, void *context,
                                              uint32_t size, const double *b, double *x, double tolerance,
                                              uint32_t max_iterations, double *work);
// The same, but the residual that the iteration updates decides, and is in the result. Near rounding it may be smaller
// than |b - A x|, which is not computed again.
tide_iterative_result tide_conjugate_gradient_by_recurrence(tide_operator *apply, tide_operator *precondition,
                                                            void *context, uint32_t size, const double *b, double *x,
                                                            double tolerance, uint32_t max_iterations, double *work);

// The eigenvalue of largest magnitude and, in `vector`, its unit eigenvector (its content is the start; all zero, or
// a vector that A makes zero, means a fixed pseudorandom start), by the power method. Stops when the changes that are
// still to come, should they go on to shrink as they do, are at most `tolerance` relative to the eigenvalue: clustered
// eigenvalues take some 1 / tolerance iterations. `work` is (size). Finds neither of two eigenvalues that are opposite.
tide_iterative_result tide_largest_eigenvalue(tide_operator *apply, void *context, uint32_t size, double *vector,
                                              double tolerance, uint32_t max_iterations, double *eigenvalue,
                                              double *work);

// The same by the power method with momentum (De Sa et al. 2018): x <- A x - (s / 2)^2 x_before, which lets what has
// eigenvalues below s in magnitude grow no more. s is the largest growth |A x| / |x| seen, so that eigenvalues above it
// come out. Takes some 4 / sqrt(tolerance) iterations, which also make it sure: it stops when this many have not
// raised s by more than half the tolerance, after which an eigenvalue beyond the tolerance would have grown by e^4 or
// more next to all below s. The residual is |A x - eigenvalue x| / |eigenvalue|. `work` is (2 * size).
tide_iterative_result tide_largest_eigenvalue_momentum(tide_operator *apply, void *context, uint32_t size,
                                                       double *vector, double tolerance, uint32_t max_iterations,
                                                       double *eigenvalue, double *work);

// A power of two that brings the largest of `count` numbers near 1, so that squares neither overflow nor vanish; NAN
// where one is not finite, 0 where all are 0.
double tide_iterative_scale(const double *b, size_t count);

#endif
