// Rigid bodies as blocks of vertex block descent (Chen et al. 2024): the four particles of a body move together, in six
// degrees of freedom. Single particles cannot: the stiff element that joins them holds each of them in its place, so a
// body that swings on a pin would stand still.
//
// One step of Newton's method for a shift t and a turn w of a body with centre c and arms r_i = x_i - c. With J_i = (I,
// -[r_i]x), the gradients G_i of g without the body's own element, and the Hessian H of the elements that join the body
// to others, made semidefinite,
//
//     (sum m_i J_i' J_i + s^2 sum J_i' H_ij J_j) (t, w) = -sum J_i' G_i
//
// x_i moves to c + t + R(w) r_i, halved until g falls.
#ifndef TIDE_SOLVER_RIGID_BLOCKS_H
#define TIDE_SOLVER_RIGID_BLOCKS_H

#include "model/colouring.h"
#include "solver/objective.h"

typedef struct tide_rigid_blocks {
    void *memory; // owns the arrays
    uint32_t count;
    const uint32_t **particles; // (count) the four of each body
    uint32_t *start;            // (count + 1)
    tide_corner *elements;      // those that join body n to others: elements[start[n]] ... elements[start[n + 1] - 1]
} tide_rigid_blocks;            // { 0 } is empty

// Finds the rigid bodies of a system, which must outlive *blocks. Frees what *blocks held.
tide_status tide_rigid_blocks_make(const tide_system *system, const tide_incidence *incidence,
                                   tide_rigid_blocks *blocks, tide_error *error);
void tide_rigid_blocks_free(tide_rigid_blocks *blocks); // leaves { 0 }
// Moves x (3 * particle_count) body after body. Damping is left out: the caller checks that g with damping falls.
void tide_rigid_blocks_move(const tide_rigid_blocks *blocks, const tide_objective *objective, double *x);

#endif
