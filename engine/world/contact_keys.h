// The contacts of a world go on in one with other colliders. For snapshot.c and adopt.c.
#ifndef TIDE_WORLD_CONTACT_KEYS_H
#define TIDE_WORLD_CONTACT_KEYS_H

#include "contact/contact_history.h"
#include "world/collider_state.h"
#include "world/world_state.h"

typedef struct tide_contact_keys {
    bool same; // the colliders are the same in the same order: all stays as it is
    uint32_t count, block_count;
    uint32_t *colliders;                // (count)
    tide_contact_history_block *blocks; // (block_count)
} tide_contact_keys;

// From the colliders of `states` (count) to those of the world, by name; the bodies are the same. `old`: the world that
// they are of; NULL: this one, when it had no others than these.
tide_status tide_contact_keys_create(const tide_world *world, const tide_world *old, const tide_collider_state *states,
                                     size_t count, tide_contact_keys *keys, tide_error *error);
void tide_contact_keys_apply(const tide_contact_keys *keys, tide_history *history);
void tide_contact_keys_free(tide_contact_keys *keys);

#endif
