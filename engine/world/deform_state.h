// The vertices of mesh colliders that a script moves are part of the state: snapshots, hashes and undone steps have
// them. Colliders with frames store nothing, because the time determines their vertices.
#ifndef TIDE_WORLD_DEFORM_STATE_H
#define TIDE_WORLD_DEFORM_STATE_H

#include "world/world.h"

size_t tide_world_deform_size(const tide_world *world); // bytes
void tide_world_save_deforms(const tide_world *world, void *bytes);
// Sets the vertices of colliders with the same name and the same number of vertices; others keep theirs. Colliders with
// frames get their vertices of the world's time.
void tide_world_load_deforms(tide_world *world, const void *bytes, size_t size);
bool tide_world_sound_deforms(const void *bytes, size_t size); // of bytes from outside

// Gives the target positions of a collider's vertices at the end of the next step (3 * *vertex_count, own frame). The
// caller may write them between steps. Fails for a stale id, and for a collider whose vertices no script may move.
tide_status tide_world_deform_targets(tide_world *world, tide_collider_id id, double **positions,
                                      uint32_t *vertex_count, tide_error *error);

// Before a step: fails where a script has put a vertex nowhere or beyond 1e9 m.
tide_status tide_world_check_deforms(const tide_world *world, tide_error *error);

#endif
