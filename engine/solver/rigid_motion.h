// Rigid motions of free sets: particles that elements join and nothing else holds. No elastic energy resists such a
// motion, so the one that minimises g follows from masses alone. Methods that move particles one after another reach it
// last, since each particle is held back by its neighbours. Applying it at once makes momenta exact for any number of
// sweeps.
//
// One step of Newton's method in the six degrees of freedom of a set with centre c, gradients G_i of g and offsets r_i
// = x_i - c:
//
//     t = -sum G_i / (f sum m_i),    w = -(f sum m_i (|r_i|^2 I - r_i r_i'))^-1 sum r_i x G_i
//
// with f = 1 + s d0. x_i moves to c + t + R(w) r_i.
#ifndef TIDE_SOLVER_RIGID_MOTION_H
#define TIDE_SOLVER_RIGID_MOTION_H

#include "base/vec3.h"
#include "solver/objective.h"

typedef struct tide_rigid_sets {
    uint32_t count;
    uint32_t *start;     // (count + 1)
    uint32_t *particles; // set n is particles[start[n]] ... particles[start[n + 1] - 1], ascending
} tide_rigid_sets;       // { 0 } is empty

// Finds the sets of at least two particles that contain no pinned particle and no element anchored outside. Frees what
// *sets held.
tide_status tide_rigid_sets_make(const tide_system *system, tide_rigid_sets *sets, tide_error *error);
void tide_rigid_sets_free(tide_rigid_sets *sets); // leaves { 0 }
// Moves x (3 * particle_count) by the rigid motions; `gradient` is that of g at x. Internal elastic forces cancel, so
// without damping the gradient of the inertia, m (x - y), is enough.
void tide_rigid_sets_move(const tide_rigid_sets *sets, const tide_objective *objective, const double *gradient,
                          double *x);

// Rotates r about `turn` by the angle |turn| (Rodrigues).
tide_vec3 tide_rigid_turned(tide_vec3 r, tide_vec3 turn);
// Computes the motion (t, w) of bodies, `side` numbers, that minimises a quadratic function with this Hessian
// (row-major, its lower triangle; overwritten) and gradient. Zeros at the beginning of rows cost nothing. `nonzero`
// (side) is workspace. Returns false if the Hessian is not positive definite.
bool tide_rigid_solve(size_t side, double *hessian, uint32_t *nonzero, const double *gradient, double *motion);

#endif
