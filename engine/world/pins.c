// Pins. An exact pin removes its particle from the unknowns; a pin with a stiffness is an anchor element.
#include "world/pins.h"
#include "base/memory.h"
#include "world/world_state.h"

#include <stdio.h>
#include <string.h>

// Returns the index of the first pin of this or a later particle.
static size_t find(const tide_world *world, uint32_t particle)
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

tide_pin *tide_world_pin_of(const tide_world *world, uint32_t particle)
{
    size_t at = find(world, particle);
    return at < world->pin_count && world->pins[at].particle == particle ? &world->pins[at] : NULL;
}

bool tide_world_has_anchors(const tide_world *world)
{
    for (size_t p = 0; p < world->pin_count; p++)
        if (tide_given(world->pins[p].stiffness))
            return true;
    return false;
}

// Ends the attachment of a particle to a collider, if there is one.
static void drop_hold(tide_world *world, uint32_t particle)
{
    size_t kept = 0;
    for (size_t i = 0; i < world->collider_attachment_count; i++)
        if (world->collider_attachments[i].particle != particle)
            world->collider_attachments[kept++] = world->collider_attachments[i];
    world->collider_attachment_count = kept;
}

tide_status tide_world_pin(tide_world *world, tide_body_id id, uint32_t vertex, double stiffness, tide_error *error)
{
    uint32_t particle;
    tide_status status = tide_world_check_idle(world, "pin", error);
    if (status == TIDE_OK)
        status = tide_world_find_vertex(world, id, vertex, "pin", &particle, error);
    if (status != TIDE_OK)
        return status;
    if (tide_given(stiffness) && !(stiffness > 0 && stiffness <= 1e15)) {
        char object[96], value[32];
        tide_body_object(tide_world_lookup(world, id)->name, object);
        snprintf(value, sizeof value, "%.10g", stiffness);
        return tide_fail(error, TIDE_ERROR_ARGUMENT, object, "pin.stiffness", value,
                         "expected a number greater than 0 N/m; leave it out to pin exactly");
    }
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
    memcpy(pin->described, world->positions + 3 * (size_t)particle, sizeof pin->described);
    memcpy(pin->target, pin->described, sizeof pin->target);
    world->system_changed = true;
    return TIDE_OK;
}

tide_status tide_world_unpin(tide_world *world, tide_body_id id, uint32_t vertex, tide_error *error)
{
    uint32_t particle;
    tide_status status = tide_world_check_idle(world, "unpin", error);
    if (status == TIDE_OK)
        status = tide_world_find_vertex(world, id, vertex, "unpin", &particle, error);
    if (status != TIDE_OK)
        return status;
    drop_hold(world, particle);
    size_t at = find(world, particle);
    if (at < world->pin_count && world->pins[at].particle == particle) {
        world->pin_count--;
        memmove(world->pins + at, world->pins + at + 1, (world->pin_count - at) * sizeof *world->pins);
        world->system_changed = true;
    }
    return TIDE_OK;
}

tide_status tide_world_move_pin(tide_world *world, tide_body_id id, uint32_t vertex, const double target[3],
                                tide_error *error)
{
    uint32_t particle;
    tide_status status = tide_world_check_idle(world, "move_pin", error);
    if (status == TIDE_OK)
        status = tide_world_find_vertex(world, id, vertex, "move_pin", &particle, error);
    if (status == TIDE_OK)
        status = tide_world_check_vector(world, id, "move_pin", target, error);
    if (status != TIDE_OK)
        return status;
    tide_pin *pin = tide_world_pin_of(world, particle);
    if (!pin) {
        char object[96], value[32];
        tide_body_object(tide_world_lookup(world, id)->name, object);
        snprintf(value, sizeof value, "%u", vertex + 1);
        return tide_fail(error, TIDE_ERROR_ARGUMENT, object, "move_pin", value,
                         "this vertex is not pinned; pin it first");
    }
    memcpy(pin->target, target, sizeof pin->target);
    return TIDE_OK;
}

bool tide_world_is_pinned(const tide_world *world, tide_body_id id, uint32_t vertex)
{
    const tide_body *body = tide_world_lookup(world, id);
    return body && vertex < body->mesh->vertex_count && tide_world_pin_of(world, body->first_particle + vertex);
}

bool tide_world_pin_target(const tide_world *world, tide_body_id id, uint32_t vertex, double target[3])
{
    if (!tide_world_is_pinned(world, id, vertex))
        return false;
    memcpy(target, tide_world_pin_of(world, tide_world_lookup(world, id)->first_particle + vertex)->target,
           3 * sizeof *target);
    return true;
}
