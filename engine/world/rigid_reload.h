// Rigid bodies across a reload, and across a snapshot of another shape: their place, rotation, velocity and spin are
// kept. Private to world/. Nothing fails and nothing allocates.
#ifndef TIDE_WORLD_RIGID_RELOAD_H
#define TIDE_WORLD_RIGID_RELOAD_H

#include "world/rigid_fit.h"

// Returns whether one of two bodies is rigid and they are not the same rigid body up to a translation. Only then are
// the functions below needed.
bool tide_rigid_differs(const tide_body *body, const tide_body *before);
// Returns whether the meshes that were given have the same vertices and triangles.
bool tide_rigid_same_faces(const tide_body *body, const tide_body *before);
// Finds where on the old body, as described, the places of the new one are: *described takes them there. Congruent
// meshes lie upon each other. Others lie where they are described, or, if that is not near (reshape.h) and their
// topology is the same, as the fit of their vertices has it. Returns false if neither holds: the body starts anew.
bool tide_rigid_matches(const tide_body *body, const tide_body *before, tide_placement *described);
// Writes positions and velocities of all particles of the new body: those of the rigid motion that the old one has.
void tide_rigid_carry(tide_world *world, const tide_body *body, const tide_world *old, const tide_body *before,
                      const tide_placement *described);
// Moves the particles of rigid bodies to their shapes. Does nothing if they are there up to rounding.
void tide_world_fit_rigid(tide_world *world);

#endif
