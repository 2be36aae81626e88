// Cut springs. They keep their indices and lose their stiffness. Cuts are part of the state: snapshots, reset and an
// undone step restore them, and they persist over reloads while the body has the same springs. (A cut is stored as a
// muscle's factor of 0; see contractions.c.)
#ifndef TIDE_WORLD_CUTS_H
#define TIDE_WORLD_CUTS_H

#include "world/world.h"

// Cuts springs from the next step on. Springs count from 0, as in tide_world_spring; it is no error if one is cut
// already. Fails, changing nothing, for a spring that does not exist and during a step.
tide_status tide_world_cut(tide_world *world, tide_body_id body, const uint32_t *springs, uint32_t count,
                           tide_error *error);
// Both return false for a stale id.
bool tide_world_is_cut(const tide_world *world, tide_body_id body, uint32_t spring);
bool tide_world_has_cuts(const tide_world *world, tide_body_id body);
// Writes the triangles of the body's mesh that have no cut edge to `triangles`, which has room for all triangles of the
// mesh (3 each), and returns their number. These are the triangles of a torn cloth to draw.
uint32_t tide_world_whole_triangles(const tide_world *world, tide_body_id body, uint32_t *triangles);

#endif
