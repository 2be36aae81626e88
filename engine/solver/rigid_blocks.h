// Rigid bodies as blocks of vertex block descent (Chen et al. 2024): the four particles of a body move together, in six
// degrees of freedom. Single particles cannot: the stiff element that joins them holds each of them in its place, so a
// body that swings on a pin would stand still.
//
// Bodies that links join move as one block of six degrees of freedom each: a link without a stiffness is so stiff that
// a body moved alone would stay where the other one holds it.
//
// One step of Newton's method for a shift t and a turn w of each body with centre c and arms r_i = x_i - c. With J_i =
// (I, -[r_i]x), the gradients G_i of g without the bodies' own elements, and the Hessian H of the elements that join
// them to each other and to the rest, made semidefinite,
//
//     (sum m_i J_i' J_i + s^2 sum J_i' H_ij J_j) (t, w) = -sum J_i' G_i
//
// x_i moves to c + t + R(w) r_i, halved until g falls.
#ifndef TIDE_SOLVER_RIGID_BLOCKS_H
#define TIDE_SOLVER_RIGID_BLOCKS_H

#include "base/vec3.h"
#include "model/colouring.h"
#include "solver/objective.h"

// A rigid body in a block, while the block is moved.
typedef struct tide_rigid_block_body {
    const uint32_t *particles; // its four
    double shape[12];          // m, at rest, relative to the centre
    tide_vec3 centre;
    tide_vec3 arms[4]; // of the rigid shape that is nearest to the particles, relative to the centre
} tide_rigid_block_body;

typedef struct tide_rigid_blocks {
    void *memory; // owns the arrays
    uint32_t count, body_count;
    tide_rigid_block_body *bodies; // (body_count), block after block
    uint32_t *first;               // (count + 1): block n has the bodies first[n] ... first[n + 1] - 1
    uint32_t *body_of;             // (particle_count): the body of a particle; UINT32_MAX: none
    uint32_t *start;               // (count + 1)
    tide_corner *elements;         // those of block n: elements[start[n]] ... elements[start[n + 1] - 1]
    // Scratch for the largest block, of side 6 times its bodies.
    double *matrix, *slopes, *step;
    uint32_t *nonzero; // the first column of each row of the matrix that is not 0
} tide_rigid_blocks;   // { 0 } is empty

// Finds the rigid bodies of a system, which must outlive *blocks. Frees what *blocks held.
tide_status tide_rigid_blocks_make(const tide_system *system, const tide_incidence *incidence,
                                   tide_rigid_blocks *blocks, tide_error *error);
void tide_rigid_blocks_free(tide_rigid_blocks *blocks); // leaves { 0 }
// Moves x (3 * particle_count) block after block. Damping is left out: the caller checks that g with damping falls. One
// caller at a time.
void tide_rigid_blocks_move(const tide_rigid_blocks *blocks, const tide_objective *objective, double *x);

#endif
