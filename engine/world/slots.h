// Ids by name: a slot for each name, whose generation tells a new owner of a slot from the one before.
#ifndef TIDE_WORLD_SLOTS_H
#define TIDE_WORLD_SLOTS_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

// A slot with a name but without an owner is kept for the thing of that name, which the predecessor had.
typedef struct tide_slot {
    uint32_t generation;
    uint32_t owner; // index of what lives here; TIDE_NO_OWNER: none
    char *name;     // NULL: the slot is free
} tide_slot;
#define TIDE_NO_OWNER UINT32_MAX

typedef struct tide_slots {
    tide_slot *items;
    size_t count, capacity;
} tide_slots; // { 0 } is empty

void tide_slots_free(tide_slots *slots); // leaves { 0 }
// Keeps the slots of a predecessor for things of the same names.
tide_status tide_slots_reserve(tide_slots *slots, const tide_slots *predecessor, tide_error *error);
// The slot of a name, a free one, or a new one, without an owner; NULL when there is no memory.
tide_slot *tide_slots_claim(tide_slots *slots, const char *name);
// The owner of an id (index from 1), TIDE_NO_OWNER for a stale one.
uint32_t tide_slots_owner(const tide_slots *slots, uint32_t index, uint32_t generation);
// Forgets names without an owner: their ids are stale from now on.
void tide_slots_release(tide_slots *slots);

#endif
