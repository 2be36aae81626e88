// Conservation of momentum in solves with A. Springs do not change the momentum of a part that nothing holds (no pin,
// no anchor): with 1 a translation of the part, A 1 = m, the masses, so 1' g = 1' A d = m' d for d = A^-1 g. A solve in
// single precision satisfies this only to 1e-7. Adding the translation (1' g - m' d) / (m' 1) to d satisfies it to
// double precision, and moves no particle by more than the largest error of the solve.
#ifndef TIDE_SOLVER_MOMENTUM_H
#define TIDE_SOLVER_MOMENTUM_H

#include "model/system.h"

typedef struct tide_momentum_part {
    double mass;      // of all particles of the part
    double wanted[3]; // 1' g
    double found[3];  // m' d
} tide_momentum_part;

// A range of consecutive particles of one part.
typedef struct tide_momentum_run {
    uint32_t begin, end, part;
    double mass; // of each particle; NAN: they differ
} tide_momentum_run;

typedef struct tide_momentum {
    void *memory; // owns the arrays
    uint32_t part_count, run_count, particle_count;
    tide_momentum_part *parts; // (part_count) parts that nothing holds
    tide_momentum_run *runs;   // (run_count) ascending
    double *masses;            // (3 * particle_count) each mass three times; set only for the particles of runs
} tide_momentum;               // { 0 } is empty: no momentum to conserve

// Finds the parts. Masses are the system's times `factor`. Returns false when there is no memory.
bool tide_momentum_find(tide_momentum *momentum, const tide_system *system, double factor);
void tide_momentum_free(tide_momentum *momentum); // leaves { 0 }

// Correct d = A^-1 g: call the first with g, then the second with d, both (3 * particle_count).
void tide_momentum_take(tide_momentum *momentum, const double *g);
void tide_momentum_give(tide_momentum *momentum, double *d);
// Subtracts the corrected d from x instead: x -= d for the first `particles` particles, of any part or none, with the
// same bits. With `momentum` NULL, d is not corrected. Returns the largest change of a coordinate; NaN where one is not
// finite.
double tide_momentum_subtract(tide_momentum *momentum, const double *d, uint32_t particles, double *x);

#endif
