#include "world/collider_state.h"

#include "base/hash.h"
#include "base/memory.h"
#include "world/world_state.h"

#include <stdio.h>
#include <string.h>

static uint64_t hash_of(const tide_collider *collider)
{
    return tide_hash_string(TIDE_HASH_START, collider->name);
}

static tide_collider_values values_of(const tide_collider *collider)
{
    return (tide_collider_values) { collider->friction, collider->restitution, collider->thickness };
}

// Sets the values of a collider, and has the contacts rebuilt if they depend on them: with continuous detection, the
// contact surface has copies of the values; the motion bounds of points depend on the thickness.
static void set_values(tide_world *world, tide_collider *collider, const tide_collider_values *values)
{
    tide_collider_values before = values_of(collider);
    if (memcmp(&before, values, sizeof before) == 0)
        return;
    collider->friction = values->friction;
    collider->restitution = values->restitution;
    collider->thickness = values->thickness;
    if (world->settings.contact.continuous || before.thickness != values->thickness)
        world->contacts_changed = true;
}

tide_status tide_world_set_collider_values(tide_world *world, tide_collider_id id, const tide_collider_values *values,
                                           tide_error *error)
{
    static const char *const names[] = { "friction", "restitution", "thickness" };
    const double numbers[] = { values->friction, values->restitution, values->thickness };
    char object[96] = "collider";
    tide_collider_def unread;
    tide_collider *collider = tide_world_lookup_collider(world, id);
    TIDE_TRY(tide_world_check_idle(world, "collider", error));
    if (!collider)
        TIDE_TRY(tide_world_refuse_stale_collider(error));
    snprintf(object, sizeof object, "collider \"%.80s\"", collider->name);
    for (size_t i = 0; i < 3; i++) {
        tide_value value = { .type = TIDE_VALUE_NUMBER, .number = numbers[i] };
        TIDE_TRY(tide_field_set(tide_field_find(tide_collider_fields, object, names[i], error), object, &unread, &value,
                                error));
    }
    set_values(world, collider, values);
    return TIDE_OK;
}

static tide_collider_state state_of(const tide_collider *collider)
{
    return (tide_collider_state) { hash_of(collider), collider->start, collider->end, values_of(collider) };
}

tide_status tide_world_note_ground(tide_world *world, tide_collider *ground, tide_error *error)
{
    if (!world->ground_state)
        world->ground_state = tide_allocate(sizeof *world->ground_state);
    if (!world->ground_state)
        return tide_fail_memory(error, "ground");
    world->ground = ground;
    *world->ground_state = state_of(ground);
    return TIDE_OK;
}

size_t tide_world_collider_state_count(const tide_world *world)
{
    size_t count = world->collider_count;
    if (!count || !world->ground || world->colliders[count - 1] != world->ground)
        return count;
    tide_collider_state now = state_of(world->ground);
    return count - (memcmp(&now, world->ground_state, sizeof now) == 0);
}

void tide_world_get_collider_states(const tide_world *world, tide_collider_state *states)
{
    size_t count = tide_world_collider_state_count(world);
    for (size_t c = 0; c < count; c++)
        states[c] = state_of(world->colliders[c]);
}

// Finds the state of a collider by its name. Tries the index `near` first, because the order is mostly the same.
static const tide_collider_state *find_state(const tide_collider *collider, const tide_collider_state *states,
                                             size_t count, size_t near)
{
    uint64_t name = hash_of(collider);
    if (near < count && states[near].name == name)
        return &states[near];
    for (size_t i = 0; i < count; i++)
        if (states[i].name == name)
            return &states[i];
    return NULL;
}

void tide_world_set_collider_states(tide_world *world, const tide_collider_state *states, size_t count)
{
    for (size_t c = 0; c < world->collider_count; c++) {
        tide_collider *collider = world->colliders[c];
        const tide_collider_state *state = find_state(collider, states, count, c);
        if (!state && collider == world->ground)
            state = world->ground_state;
        if (!state)
            continue;
        tide_collider_set_poses(collider, &state->start, &state->end);
        set_values(world, collider, &state->values);
    }
}

// Reconciles a number. `own` is its new description, `described` the old one, `current` its present value in the old
// world.
static double carry(double own, double described, double current)
{
    return own == described ? current : own;
}

void tide_world_carry_collider_values(tide_world *world, const tide_world *old, const tide_collider_state *described,
                                      size_t count)
{
    for (size_t c = 0; c < world->collider_count; c++) {
        tide_collider *collider = world->colliders[c];
        const tide_collider_state *was = find_state(collider, described, count, c);
        const tide_collider *before = tide_world_lookup_collider(old, tide_world_find_collider(old, collider->name));
        if (!was && before && before == old->ground)
            was = old->ground_state;
        if (!was || !before)
            continue;
        tide_collider_values own = values_of(collider), now = values_of(before);
        own.friction = carry(own.friction, was->values.friction, now.friction);
        own.restitution = carry(own.restitution, was->values.restitution, now.restitution);
        own.thickness = carry(own.thickness, was->values.thickness, now.thickness);
        set_values(world, collider, &own);
    }
}
