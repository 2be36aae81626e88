// The rigid motions of what elements hold together, and nothing else holds: no elastic energy resists them, so that the
// one at which g is least is known from masses alone. Methods that move particles one after another reach it last of
// all, as each holds on to its neighbours; taken at once, it makes momenta exact however few sweeps there are.
//
// Of a set with centre c, gradient G_i of g and offsets r_i = x_i - c, one step of Newton's method in the set's six
// freedoms:
//
//     t = -sum G_i / (f sum m_i),    w = -(f sum m_i (|r_i|^2 I - r_i r_i'))^-1 sum r_i x G_i
//
// with f = 1 + s d0; x_i goes to c + t + R(w) r_i.
#ifndef TIDE_SOLVER_RIGID_MOTION_H
#define TIDE_SOLVER_RIGID_MOTION_H

#include "solver/objective.h"

typedef struct tide_rigid_sets {
    uint32_t count;
    uint32_t *start;     // (count + 1)
    uint32_t *particles; // set n has particles[start[n]] ... particles[start[n + 1] - 1], ascending
} tide_rigid_sets;       // { 0 } is empty

// Sets of two particles and more, without a pinned one or an element that something outside holds. Frees what *sets
// held.
tide_status tide_rigid_sets_make(const tide_system *system, tide_rigid_sets *sets, tide_error *error);
void tide_rigid_sets_free(tide_rigid_sets *sets); // leaves { 0 }
// Moves x (3 * particle_count) by it; `gradient` is g's at x. Elements count for nothing in it: without damping that of
// the inertia, m (x - y), will do.
void tide_rigid_sets_move(const tide_rigid_sets *sets, const tide_objective *objective, const double *gradient,
                          double *x);

#endif
