// Springs that are cut: they stay where they are in the order of springs, and have no stiffness any more. Which are cut
// is state, as positions are: snapshots, reset and an undone step bring it back, and it stays over reloads while the
// body has the same springs. (Kept as a factor of 0 of a muscle; see muscles.c.)
#ifndef TIDE_WORLD_CUTS_H
#define TIDE_WORLD_CUTS_H

#include "world/world.h"

// From the next step on. Springs from 0, as in tide_world_spring; those that are cut already are passed over. Fails,
// changing nothing, for one that there is not, and in a step.
tide_status tide_world_cut(tide_world *world, tide_body_id body, const uint32_t *springs, uint32_t count,
                           tide_error *error);
// False for a stale id, too.
bool tide_world_is_cut(const tide_world *world, tide_body_id body, uint32_t spring);
bool tide_world_has_cuts(const tide_world *world, tide_body_id body);
// The triangles of the body's mesh without an edge that is cut, into `triangles` (3 * their count, at most that of the
// mesh): what of a torn cloth is to be drawn. Returns their count.
uint32_t tide_world_whole_triangles(const tide_world *world, tide_body_id body, uint32_t *triangles);

#endif
