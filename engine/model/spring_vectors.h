// Gradients and energies of springs in vectors of four numbers, with the bits of tide_spring's own: what counts most in
// the local step of a large system. Positions and sums are (4 * particle_count): x, y, z and one more, 0 in positions.
#ifndef TIDE_MODEL_SPRING_VECTORS_H
#define TIDE_MODEL_SPRING_VECTORS_H

#include "model/system.h"

// Whether the processor has what the others need: AVX2.
bool tide_spring_vectors(void);
// The positions x (3 * particle_count) of particles [begin, end) as the others want them.
void tide_spring_vectors_spread(const double *x, uint32_t begin, uint32_t end, double *positions);
// Adds each spring's dE/dx to its particles' sums, in the order of the springs. `ends`: 4 times the particles of each
// (2 * count).
void tide_spring_vectors_add(const tide_elements *springs, const uint32_t *ends, const double *positions, double *sums);
// out (3 * particle_count) = the plan's sums or, with y not NULL, M (x - y) + h^2 sums; 0 for pinned particles.
void tide_spring_vectors_collect(const tide_system *system, double h, const double *y, const double *x, double *out);
// Each spring's dE/dx as tide_spring's `gradient` lays it out, (6 * (end - begin)).
void tide_spring_vectors_gradient(const tide_elements *springs, const double *positions, uint32_t begin, uint32_t end,
                                  double *out);
// The sum of energies, J.
double tide_spring_vectors_energy(const tide_elements *springs, const double *positions, uint32_t begin, uint32_t end);

#endif
