#include "world/slots.h"

#include "base/memory.h"

#include <string.h>

void tide_slots_free(tide_slots *slots)
{
    for (size_t s = 0; s < slots->count; s++)
        tide_free(slots->items[s].name);
    tide_free(slots->items);
    *slots = (tide_slots) { 0 };
}

tide_status tide_slots_reserve(tide_slots *slots, const tide_slots *predecessor, tide_error *error)
{
    if (!tide_grow(&slots->items, &slots->capacity, predecessor->count, sizeof *slots->items))
        return tide_fail_memory(error, "world");
    for (size_t s = 0; s < predecessor->count; s++) {
        const tide_slot *old = &predecessor->items[s];
        char *name = old->owner == TIDE_NO_OWNER ? NULL : tide_copy_string(old->name);
        if (old->owner != TIDE_NO_OWNER && !name)
            return tide_fail_memory(error, "world");
        slots->items[slots->count++] = (tide_slot) { old->generation, TIDE_NO_OWNER, name };
    }
    return TIDE_OK;
}

tide_slot *tide_slots_claim(tide_slots *slots, const char *name)
{
    tide_slot *slot = NULL;
    for (size_t s = 0; s < slots->count && !slot; s++)
        if (slots->items[s].name && strcmp(slots->items[s].name, name) == 0)
            return &slots->items[s];
    char *copy = tide_copy_string(name);
    if (!copy)
        return NULL;
    for (size_t s = 0; s < slots->count && !slot; s++)
        if (!slots->items[s].name)
            slot = &slots->items[s];
    if (slot)
        slot->generation++;
    else if (tide_grow(&slots->items, &slots->capacity, slots->count + 1, sizeof *slots->items)) {
        slot = &slots->items[slots->count++];
        *slot = (tide_slot) { .generation = 1 };
    } else {
        tide_free(copy);
        return NULL;
    }
    slot->name = copy;
    slot->owner = TIDE_NO_OWNER;
    return slot;
}

uint32_t tide_slots_owner(const tide_slots *slots, uint32_t index, uint32_t generation)
{
    if (index == 0 || index > slots->count || slots->items[index - 1].generation != generation)
        return TIDE_NO_OWNER;
    return slots->items[index - 1].owner;
}

void tide_slots_release(tide_slots *slots)
{
    for (size_t s = 0; s < slots->count; s++)
        if (slots->items[s].owner == TIDE_NO_OWNER) {
            tide_free(slots->items[s].name);
            slots->items[s].name = NULL;
        }
}
