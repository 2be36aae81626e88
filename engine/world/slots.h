// Slots give ids to named objects. Each name has a slot; the generation distinguishes successive names in one slot.
#ifndef TIDE_WORLD_SLOTS_H
#define TIDE_WORLD_SLOTS_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

// A slot with a name but without an owner is reserved for the object of that name, which the predecessor had.
typedef struct tide_slot {
    uint32_t generation;
    uint32_t owner; // index of the object that has the slot; TIDE_NO_OWNER: none
    char *name;     // NULL: the slot is free
} tide_slot;
#define TIDE_NO_OWNER UINT32_MAX

typedef struct tide_slots {
    tide_slot *items;
    size_t count, capacity;
} tide_slots; // { 0 } is empty

void tide_slots_free(tide_slots *slots); // leaves { 0 }
// Reserves the slots of a predecessor for objects of the same names. `slots` must be empty.
tide_status tide_slots_reserve(tide_slots *slots, const tide_slots *predecessor, tide_error *error);
// Returns the slot of a name, else a free or a new one, which has no owner yet; NULL if memory runs out. Valid until
// the next claim.
tide_slot *tide_slots_claim(tide_slots *slots, const char *name);
// Returns the owner of an id (index from 1); TIDE_NO_OWNER for a stale one.
uint32_t tide_slots_owner(const tide_slots *slots, uint32_t index, uint32_t generation);
// Frees slots with a name but without an owner; their ids are stale from then on.
void tide_slots_release(tide_slots *slots);

#endif
