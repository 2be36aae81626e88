// Anderson acceleration of a descent x <- G(x) = x - A^-1 grad g(x) (Peng et al. 2018, Anderson acceleration for
// geometry optimization and physics simulation, alg. 1). It subtracts the linear combination of the last few steps that
// makes the next correction smallest, under the assumption that corrections change linearly. The caller checks that g
// decreases, and takes G(x) otherwise, which always decreases it.
#ifndef TIDE_SOLVER_ANDERSON_H
#define TIDE_SOLVER_ANDERSON_H

#include "model/system.h"

enum { TIDE_ANDERSON_MAX_WINDOW = 20 };

typedef struct tide_anderson {
    void *memory; // owns the arrays
    uint32_t window, particle_count;
    uint32_t count, newest; // number of differences kept, and the slot of the newest
    bool started;
    double *corrections, *results; // (window * 3 * particle_count) differences of successive corrections f = G(x) - x,
                                   // and of successive G(x)
    double *correction, *result, *gradient; // the newest of each; then the last change of the gradient
    double products[TIDE_ANDERSON_MAX_WINDOW * TIDE_ANDERSON_MAX_WINDOW]; // f' A f of all pairs of differences, by
                                                                          // slots
} tide_anderson;                                                          // { 0 } is empty

tide_status tide_anderson_prepare(tide_anderson *anderson, uint32_t window, const tide_system *system,
                                  tide_error *error);
void tide_anderson_free(tide_anderson *anderson);  // leaves { 0 }
void tide_anderson_begin(tide_anderson *anderson); // forgets all differences
// Computes the next iterate after x into `next`, from the gradient at x and `correction` = A^-1 grad g(x).
void tide_anderson_propose(tide_anderson *anderson, const double *x, const double *gradient, const double *correction,
                           double *next);

#endif
