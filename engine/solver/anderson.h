// Anderson acceleration of a descent x <- G(x) = x - A^-1 grad g(x) (Peng et al. 2018, Anderson acceleration for
// geometry optimization and physics simulation, alg. 1): of the last few steps, the combination for which the next
// correction would be smallest if it changed linearly is taken off. Whoever uses it sees to it that g decreases, and
// else takes G(x), which always does.
#ifndef TIDE_SOLVER_ANDERSON_H
#define TIDE_SOLVER_ANDERSON_H

#include "model/system.h"

enum { TIDE_ANDERSON_MAX_WINDOW = 20 };

typedef struct tide_anderson {
    uint32_t window, particle_count;
    uint32_t count, newest; // differences kept, and the slot of the last
    bool started;
    double *corrections, *results; // (window * 3 * particle_count) differences of successive f = G(x) - x and of G(x)
    double *correction, *result, *gradient; // the last of each; then the last gradient's change
    double products[TIDE_ANDERSON_MAX_WINDOW * TIDE_ANDERSON_MAX_WINDOW]; // f' A f of differences, by slots
} tide_anderson;                                                          // { 0 } is empty

tide_status tide_anderson_prepare(tide_anderson *anderson, uint32_t window, const tide_system *system,
                                  tide_error *error);
void tide_anderson_free(tide_anderson *anderson);  // leaves { 0 }
void tide_anderson_begin(tide_anderson *anderson); // forgets all differences
// The next iterate after x, where the gradient and `correction` = A^-1 grad g(x) are these, to `next`.
void tide_anderson_propose(tide_anderson *anderson, const double *x, const double *gradient, const double *correction,
                           double *next);

#endif
