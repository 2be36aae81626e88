// The momentum that a solve with A has to keep. Where nothing holds a part of the system (no pin, no anchor), springs
// add nothing to its momentum: with 1 the part's translations A 1 = m, the masses, and so 1' g = 1' A d = m' d for
// d = A^-1 g. A solve in single precision keeps that to 1e-7 only; adding the translation (1' g - m' d) / (m' 1) to d
// keeps it to double precision. That moves no particle by more than the solve's largest error.
#ifndef TIDE_SOLVER_MOMENTUM_H
#define TIDE_SOLVER_MOMENTUM_H

#include "model/system.h"

typedef struct tide_momentum_part {
    double mass;      // of all its particles
    double wanted[3]; // 1' g
    double found[3];  // m' d
} tide_momentum_part;

// Neighbouring particles of one part.
typedef struct tide_momentum_run {
    uint32_t begin, end, part;
    double mass; // of each of them; NAN: they differ
} tide_momentum_run;

typedef struct tide_momentum {
    uint32_t part_count, run_count, particle_count;
    tide_momentum_part *parts; // (part_count) those that nothing holds
    tide_momentum_run *runs;   // (run_count) ascending
    double *masses;            // (3 * particle_count) of each particle, three times; only those of the runs are set
} tide_momentum;               // { 0 } is empty: nothing to keep

// Finds the parts; masses are the system's times `factor`. False when there is no memory.
bool tide_momentum_find(tide_momentum *momentum, const tide_system *system, double factor);
void tide_momentum_free(tide_momentum *momentum); // leaves { 0 }

// To be called with g and then with d, (3 * particle_count) both.
void tide_momentum_take(tide_momentum *momentum, const double *g);
void tide_momentum_give(tide_momentum *momentum, double *d);
// Instead of giving it to d: x -= d as it would be then, of `particles`, which need not be any part's; the same bits.
// Without momentum to keep, NULL, x -= d. Returns the largest change of a coordinate; NaN where one is not finite.
double tide_momentum_subtract(tide_momentum *momentum, const double *d, uint32_t particles, double *x);

#endif
