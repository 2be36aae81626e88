// Cut springs and other elements. They keep their indices and lose their stiffness. Cuts are part of the state:
// snapshots, reset and an undone step restore them, and they persist over reloads while the body's group has the same
// kind and number of elements. (A cut is stored as a muscle's factor of 0; see contractions.c.)
#ifndef TIDE_WORLD_CUTS_H
#define TIDE_WORLD_CUTS_H

#include "world/world.h"

// Cuts elements from the next step on. They count from 0, springs first (world.h); it is no error if one is cut
// already. Fails, changing nothing, for an element that does not exist and during a step.
tide_status tide_world_cut(tide_world *world, tide_body_id body, const uint32_t *elements, uint32_t count,
                           tide_error *error);
// Both return false for a stale id.
bool tide_world_is_cut(const tide_world *world, tide_body_id body, uint32_t element);
bool tide_world_has_cuts(const tide_world *world, tide_body_id body);
// Writes the triangles of the body's mesh that are whole to `triangles`, which has room for all triangles of the mesh
// (3 each), and returns their number. A triangle is cut if both ends of a cut spring are corners of it, or if all its
// corners are vertices of a cut element of three or four. These are the triangles of a torn cloth to draw.
uint32_t tide_world_whole_triangles(const tide_world *world, tide_body_id body, uint32_t *triangles);

#endif
