// The list of pins, by particle.
#include "base/memory.h"
#include "world/world_state.h"

#include <string.h>

// Returns the index of the first pin of this or a later particle.
static size_t find(const tide_world *world, uint64_t particle)
{
    size_t low = 0, high = world->pin_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (world->pins[middle].particle < particle)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

tide_pin *tide_world_pin_of(const tide_world *world, uint64_t particle)
{
    size_t at = find(world, particle);
    return at < world->pin_count && world->pins[at].particle == particle ? &world->pins[at] : NULL;
}

bool tide_world_has_anchors(const tide_world *world)
{
    for (size_t p = 0; p < world->pin_count; p++)
        if (tide_given(world->pins[p].stiffness) && !tide_pin_is_of_rigid(world->pins[p].particle))
            return true;
    return false;
}

// Ends the attachment of a particle to a collider, if there is one.
static void drop_hold(tide_world *world, uint64_t particle)
{
    size_t kept = 0;
    for (size_t i = 0; i < world->collider_attachment_count; i++)
        if (world->collider_attachments[i].pin != particle)
            world->collider_attachments[kept++] = world->collider_attachments[i];
    world->collider_attachment_count = kept;
}

tide_status tide_world_pin_particle(tide_world *world, uint64_t particle, const double place[3], double stiffness,
                                    tide_error *error)
{
    drop_hold(world, particle);
    size_t at = find(world, particle);
    if (at == world->pin_count || world->pins[at].particle != particle) {
        if (!tide_grow(&world->pins, &world->pin_capacity, world->pin_count + 1, sizeof *world->pins))
            return tide_fail_memory(error, "pin");
        memmove(world->pins + at + 1, world->pins + at, (world->pin_count - at) * sizeof *world->pins);
        world->pin_count++;
    }
    tide_pin *pin = &world->pins[at];
    pin->particle = particle;
    pin->stiffness = tide_given(stiffness) ? stiffness : TIDE_NOT_GIVEN;
    memcpy(pin->described, place, sizeof pin->described);
    memcpy(pin->target, pin->described, sizeof pin->target);
    world->system_changed = true;
    return TIDE_OK;
}

void tide_world_unpin_particle(tide_world *world, uint64_t particle)
{
    drop_hold(world, particle);
    size_t at = find(world, particle);
    if (at < world->pin_count && world->pins[at].particle == particle) {
        world->pin_count--;
        memmove(world->pins + at, world->pins + at + 1, (world->pin_count - at) * sizeof *world->pins);
        world->system_changed = true;
    }
}
