// Maps the contact history of a world to a world with other colliders, for snapshot.c and reconcile.c.
#ifndef TIDE_WORLD_CONTACT_KEYS_H
#define TIDE_WORLD_CONTACT_KEYS_H

#include "contact/contact_history.h"
#include "world/collider_state.h"
#include "world/world_state.h"

typedef struct tide_contact_keys {
    bool same; // the colliders are the same in the same order: nothing to map
    uint32_t count, block_count;
    uint32_t *colliders;                // (count) as in tide_contact_history_mapping
    tide_contact_history_block *blocks; // (block_count) as in tide_contact_history_mapping
} tide_contact_keys;

// Creates the mapping from the colliders of `states` (count) to those of the world, by name. The bodies are the same.
// `old` is the world of the states; NULL: this world, at a time when it had only these colliders. After success the
// caller frees the mapping.
tide_status tide_contact_keys_create(const tide_world *world, const tide_world *old, const tide_collider_state *states,
                                     size_t count, tide_contact_keys *keys, tide_error *error);
void tide_contact_keys_apply(const tide_contact_keys *keys, tide_history *history); // maps a history in place
void tide_contact_keys_free(tide_contact_keys *keys);

#endif
