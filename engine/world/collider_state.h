// The state of a world's colliders: their poses and the values that a scene may change while it runs. It is part of
// snapshots and of the hash, and an undone step restores it. It identifies colliders by name, so that others may be
// added, removed or reordered in the meantime.
//
//     tide_collider_values values = { .friction = 0.5, .restitution = 0, .thickness = 0.005 };
//     status = tide_world_set_collider_values(world, ball, &values, error);
//
// Units: m for thickness and poses. Ownership: functions copy from and to the caller's arrays. Threads: one thread uses
// a world at a time (world.h). Errors: TIDE_ERROR_STATE for a stale id, TIDE_ERROR_ARGUMENT for a value out of range.
#ifndef TIDE_WORLD_COLLIDER_STATE_H
#define TIDE_WORLD_COLLIDER_STATE_H

#include "world/world.h"

typedef struct tide_collider_values {
    double friction, restitution, thickness; // as in tide_collider_def
} tide_collider_values;

// Snapshots store these bytes, so there is no padding.
typedef struct tide_collider_state {
    uint64_t name; // hash
    tide_pose start, end;
    tide_collider_values values;
} tide_collider_state;

// Sets the values from the next step on. Fails for a stale id, a number out of the range of tide_collider_fields, and
// during a step.
tide_status tide_world_set_collider_values(tide_world *world, tide_collider_id id, const tide_collider_values *values,
                                           tide_error *error);

// Returns the number of states: one for each collider, but none for the ground (tide_world_add_ground) while it is the
// last collider and unchanged. A world that does not touch the ground thus has the same hash as without one.
size_t tide_world_collider_state_count(const tide_world *world);
void tide_world_get_collider_states(const tide_world *world, tide_collider_state *states); // (that count)
// Sets the states of the colliders with these names. A collider without a state is unchanged, but the ground then
// returns to the state in which it was added. States of unknown colliders are skipped.
void tide_world_set_collider_states(tide_world *world, const tide_collider_state *states, size_t count);
// Returns the states (count) in a snapshot; they are part of it.
const tide_collider_state *tide_snapshot_colliders(const tide_snapshot *snapshot, size_t *count);

// Reconciles the values of colliders of the same name. A value that is described as it was in `old` takes over the
// present value there, which may have changed since. `described` (count) are the states at the start of `old`.
void tide_world_carry_collider_values(tide_world *world, const tide_world *old, const tide_collider_state *described,
                                      size_t count);

#endif
