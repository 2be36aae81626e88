// Reactions: the forces that pins, attachments and contacts exert on a body in the last step, N.
//
// At an exact pin the force follows from the motion of its vertex (Newton's second law):
//
//     R = m a - f_internal - f_external - f_contact,   a = (v - v~) / h
//
// with v~ the damped velocity at the start of the step, and internal forces at its end. A pin with a stiffness and an
// attachment exert -dE/dx of their springs. At rest every solver has the same reactions (pbd, which holds stiffnesses
// only approximately, in short substeps). In motion R is that of
// implicit Euler; damping that a solver adds to its elements is left out.
//
// The inputs of the last step are not part of a snapshot. After a change of the state from outside (a restored
// snapshot, a vertex that was set) pins count as not accelerated, gravity as the only external force, and contact
// forces as 0, until the next step. Nothing here changes the world's state.
#ifndef TIDE_WORLD_REACTIONS_H
#define TIDE_WORLD_REACTIONS_H

#include "world/world.h"

// Computes the force of pins and attachments on each vertex of a body, (3 * vertex_count); 0 at free vertices. Fails
// for a stale id and as tide_world_system. Allocates.
tide_status tide_world_reactions(tide_world *world, tide_body_id body, double *out, tide_error *error);
// Computes the force of contacts on each vertex, friction included, likewise. That of a fine surface acts on the
// tetrahedra's vertices.
tide_status tide_world_contact_forces(tide_world *world, tide_body_id body, double *out, tide_error *error);
// Computes the sum of the forces at `vertices` (count), from 0, and its torque about `point` (m), N m. `forces` is
// (3 * vertex_count). With `vertices` NULL: of the first `count`. Returns false for a stale id.
bool tide_world_sum_forces(const tide_world *world, tide_body_id body, const double *forces, const uint32_t *vertices,
                           uint32_t count, const double point[3], double force[3], double torque[3]);

// Adds the couples of the last tide_world_reactions at edges of rods that are held against turning about themselves,
// with both ends among the vertices: forces at the vertices do not have them.
void tide_world_add_couples(const tide_world *world, tide_body_id body, const uint32_t *vertices, uint32_t count,
                            double torque[3]);

#endif
