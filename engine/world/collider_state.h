// The state of a world's colliders: where they are, and what a scene may change of them while it runs. It is part of
// snapshots, of the hash and of what an undone step brings back; a collider is known there by its name, so that others
// may be added, taken away or described in another order meanwhile.
#ifndef TIDE_WORLD_COLLIDER_STATE_H
#define TIDE_WORLD_COLLIDER_STATE_H

#include "world/world.h"

typedef struct tide_collider_values {
    double friction, restitution, thickness; // as in tide_collider_def
} tide_collider_values;

// Written to snapshots as it is: without padding.
typedef struct tide_collider_state {
    uint64_t name; // hash
    tide_pose start, end;
    tide_collider_values values;
} tide_collider_state;

// From the next step on. Fails for a stale id, a number out of the range of tide_collider_fields, and in a step.
tide_status tide_world_set_collider_values(tide_world *world, tide_collider_id id, const tide_collider_values *values,
                                           tide_error *error);

// How many states there are: one for each collider, but none for the ground (tide_world_add_ground) while it is the
// last collider and as it was added. A world that does not touch the ground so has the hash that it has without one.
size_t tide_world_collider_state_count(const tide_world *world);
void tide_world_get_collider_states(const tide_world *world, tide_collider_state *states); // (that count)
// Colliders that `states` does not have stay as they are, and the ground becomes as it was added; those that the world
// does not have are passed over.
void tide_world_set_collider_states(tide_world *world, const tide_collider_state *states, size_t count);
const tide_collider_state *tide_snapshot_colliders(const tide_snapshot *snapshot, size_t *count);

// Reconciling, for colliders of the same name: values that are described as `old` was (which `described` is of: the
// states (count) at its start) go on as they were changed since.
void tide_world_carry_collider_values(tide_world *world, const tide_world *old, const tide_collider_state *described,
                                      size_t count);

#endif
