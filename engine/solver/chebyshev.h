// The Chebyshev semi-iterative method on a descent x <- G(x) = x - A^-1 grad g(x) (Wang 2015, A Chebyshev
// semi-iterative approach for accelerating projective and position-based dynamics: eq. 9 to 11, alg. 1):
//
//     x_next = w (G(x) - x_before) + x_before,    w = 2 / (2 - rho^2), then 4 / (4 - rho^2 w)
//
// rho is the spectral radius of the iteration: the asymptotic ratio of successive corrections A^-1 grad g. Too large a
// rho makes the method diverge, so the caller checks that g decreases; where it does not, the caller takes G(x) and
// restarts.
#ifndef TIDE_SOLVER_CHEBYSHEV_H
#define TIDE_SOLVER_CHEBYSHEV_H

#include "model/system.h"

typedef struct tide_chebyshev {
    double *before; // (3 * particle_count)
    uint32_t particle_count;
    double rho; // NAN: not yet estimated
    double omega;
    uint32_t delay, iterations, since; // plain iterations before acceleration; all iterations; those since a restart
    double size;                       // the last |A^-1 grad g|, in the norm of A
} tide_chebyshev;                      // { 0 } is empty

tide_status tide_chebyshev_prepare(tide_chebyshev *chebyshev, const tide_system *system, tide_error *error);
void tide_chebyshev_free(tide_chebyshev *chebyshev); // leaves { 0 }
// Starts a step. `rho` may be TIDE_NOT_GIVEN: it is then estimated from the ratio r of the last two corrections when
// acceleration starts. r is far below the spectral radius until the fast part of the error has died out. So rho is
// chosen such that the accelerated iteration converges at the rate r: rho = 2 r / (1 + r^2). It is never slower than
// the observed rate, and optimal for the slower components.
void tide_chebyshev_begin(tide_chebyshev *chebyshev, double rho, uint32_t delay);
// Computes the next iterate after x into `next`, from the gradient at x and `correction` = A^-1 grad g(x).
void tide_chebyshev_propose(tide_chebyshev *chebyshev, const tide_system *system, const double *x,
                            const double *gradient, const double *correction, double *next);
// Tells that the caller took G(x) instead of the last proposal.
void tide_chebyshev_restart(tide_chebyshev *chebyshev);
// Tells that the caller took G(x) from this x without asking for a proposal.
void tide_chebyshev_skip(tide_chebyshev *chebyshev, const double *x);

#endif
