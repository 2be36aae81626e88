// Elements whose Hessian is constant (element.h), as one sparse matrix. As rows of L sum to 0,
//
//     dE/dx_i = sum_j w_ij (x_i - x_j),    E = 1/4 sum_ij w_ij |x_i - x_j|^2,    w_ij = -L_ij,
//
// where no rounding depends on where the body is. A row reads other particles and writes its own alone.
//
// Of a sheet that is flat or nearly so, E is the small difference of large terms: of hinges w |x_i - x_j|^2 is about
// their stiffness, N m, and E that times the square of their angle. Below TIDE_CONSTANT_LEAST of the stiffnesses the
// energies of the elements, which are squares, are to be summed instead. dE/dx keeps its digits.
#ifndef TIDE_MODEL_CONSTANT_ROWS_H
#define TIDE_MODEL_CONSTANT_ROWS_H

#include "model/system.h"

typedef struct tide_constant_rows {
    uint32_t *first;  // (particle_count + 1) entries of each particle
    uint32_t *others; // (entries) 4 times the particle j, ascending in a row
    double *weights;  // (entries) w, N/m
    double stiffness; // sum of the elements' stiffnesses
} tide_constant_rows;

#define TIDE_CONSTANT_LEAST 1e-5
enum { TIDE_CONSTANT_GRAIN = 4096 }; // particles in a chunk of a parallel loop

// Makes the rows of all groups with a constant Hessian. *out is NULL when there are none, or too many for 32 bits.
tide_status tide_constant_rows_make(const tide_system *system, tide_constant_rows **out, tide_error *error);
void tide_constant_rows_destroy(tide_constant_rows *rows); // NULL does nothing
// Takes over stiffnesses that were changed in place.
void tide_constant_rows_refresh(tide_constant_rows *rows, const tide_system *system);
// Returns the part of particles [begin, end) in E, J, and adds dE/dx to `out` unless it is NULL. Positions and `out`
// are (4 * particle_count), x, y, z, 0 of each particle.
double tide_constant_rows_add(const tide_constant_rows *rows, const double *quads, uint32_t begin, uint32_t end,
                              double *out);

#endif
