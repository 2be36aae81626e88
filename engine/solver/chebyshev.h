// The Chebyshev semi-iterative method on a descent x <- G(x) = x - A^-1 grad g(x) (Wang 2015, A Chebyshev
// semi-iterative approach for accelerating projective and position-based dynamics: eq. 9 to 11, alg. 1):
//
//     x_next = w (G(x) - x_before) + x_before,    w = 2 / (2 - rho^2), then 4 / (4 - rho^2 w)
//
// with rho the spectral radius of the iteration: how the corrections A^-1 grad g shrink, in the end. A rho that is too
// large would diverge; whoever uses it sees to it that g decreases, takes G(x) where it does not and restarts.
#ifndef TIDE_SOLVER_CHEBYSHEV_H
#define TIDE_SOLVER_CHEBYSHEV_H

#include "model/system.h"

typedef struct tide_chebyshev {
    double *before; // (3 * particle_count)
    uint32_t particle_count;
    double rho; // NAN: to be estimated
    double omega;
    uint32_t delay, iterations, since; // plain iterations before acceleration; iterations in all, and since a restart
    double size;                       // |A^-1 grad g| of the last, in the norm of A
} tide_chebyshev;                      // { 0 } is empty

tide_status tide_chebyshev_prepare(tide_chebyshev *chebyshev, const tide_system *system, tide_error *error);
void tide_chebyshev_free(tide_chebyshev *chebyshev); // leaves { 0 }
// `rho` may be TIDE_NOT_GIVEN: then it is taken from the ratio r of the last two corrections when acceleration begins.
// That is far below the spectral radius as long as the fast part of the error has not died out. So rho is what makes
// the accelerated iteration converge at the rate r, 2 r / (1 + r^2): never slower than what was seen, and as fast as it
// can be for what was not.
void tide_chebyshev_begin(tide_chebyshev *chebyshev, double rho, uint32_t delay);
// The next iterate after x, where the gradient and `correction` = A^-1 grad g(x) are these, to `next`.
void tide_chebyshev_propose(tide_chebyshev *chebyshev, const tide_system *system, const double *x,
                            const double *gradient, const double *correction, double *next);
// G(x) was taken instead of what was proposed last.
void tide_chebyshev_restart(tide_chebyshev *chebyshev);
// G(x) was taken from this x without a proposal.
void tide_chebyshev_skip(tide_chebyshev *chebyshev, const double *x);

#endif
