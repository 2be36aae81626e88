// The vertices of mesh colliders that a script moves. They are part of the state: snapshots and hashes contain them,
// and an undone step restores them. Colliders with frames store nothing, because the time determines their vertices.
#ifndef TIDE_WORLD_DEFORM_STATE_H
#define TIDE_WORLD_DEFORM_STATE_H

#include "world/world.h"

size_t tide_world_deform_size(const tide_world *world); // bytes
void tide_world_save_deforms(const tide_world *world, void *bytes);
// Sets the vertices of colliders with the same name and number of vertices; other colliders keep theirs. Colliders with
// frames take their vertices at the world's time.
void tide_world_load_deforms(tide_world *world, const void *bytes, size_t size);
bool tide_world_deforms_are_valid(const void *bytes, size_t size); // checks bytes from outside

// Returns the positions of a collider's vertices at the end of the next step (3 * *vertex_count, m, in its own frame),
// owned by the collider. The caller may write to them between steps. Fails for a stale id, and for a collider whose
// vertices a script may not move.
tide_status tide_world_deform_targets(tide_world *world, tide_collider_id id, double **positions,
                                      uint32_t *vertex_count, tide_error *error);

// Checks the vertices before a step. Fails for one that is not finite or beyond 1e9 m.
tide_status tide_world_check_deforms(const tide_world *world, tide_error *error);

#endif
