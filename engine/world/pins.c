// Pins. An exact pin removes its particle from the unknowns; a pin with a stiffness is an anchor element.
#include "world/pins.h"
#include "world/rod_frames.h"

#include <stdio.h>
#include <string.h>

tide_status tide_world_find_pin(const tide_world *world, tide_body_id id, uint32_t vertex, const char *field,
                                uint64_t *number, tide_point *point, tide_error *error)
{
    TIDE_TRY(tide_world_find_point(world, id, vertex, field, point, error));
    const tide_body *body = tide_world_lookup(world, id);
    *number = body->rigid ? tide_world_rigid_pin(world, body, vertex) : point->particles[0];
    return TIDE_OK;
}

tide_status tide_world_pin(tide_world *world, tide_body_id id, uint32_t vertex, double stiffness, tide_error *error)
{
    uint64_t particle;
    tide_point point;
    TIDE_TRY(tide_world_check_idle(world, "pin", error));
    TIDE_TRY(tide_world_find_pin(world, id, vertex, "pin", &particle, &point, error));
    if (tide_given(stiffness) && !(stiffness > 0 && stiffness <= 1e15)) {
        char object[96], value[32];
        tide_body_object(tide_world_lookup(world, id)->name, object);
        snprintf(value, sizeof value, "%.10g", stiffness);
        return tide_fail(error, TIDE_ERROR_ARGUMENT, object, "pin.stiffness", value,
                         "expected a number greater than 0 N/m; leave it out to pin exactly");
    }
    const tide_body *body = tide_world_lookup(world, id);
    double place[3];
    tide_world_follow_frames(world);
    tide_point_apply(&point, world->positions, place);
    TIDE_TRY(tide_world_pin_particle(world, particle, place, stiffness, error));
    return tide_world_pin_frames(world, body, vertex, error);
}

tide_status tide_world_unpin(tide_world *world, tide_body_id id, uint32_t vertex, tide_error *error)
{
    uint64_t particle;
    tide_point point;
    TIDE_TRY(tide_world_check_idle(world, "unpin", error));
    TIDE_TRY(tide_world_find_pin(world, id, vertex, "unpin", &particle, &point, error));
    tide_world_unpin_particle(world, particle);
    return tide_world_pin_frames(world, tide_world_lookup(world, id), vertex, error);
}

tide_status tide_world_move_pin(tide_world *world, tide_body_id id, uint32_t vertex, const double target[3],
                                tide_error *error)
{
    uint64_t particle;
    tide_point point;
    TIDE_TRY(tide_world_check_idle(world, "move_pin", error));
    TIDE_TRY(tide_world_find_pin(world, id, vertex, "move_pin", &particle, &point, error));
    TIDE_TRY(tide_world_check_vector(world, id, "move_pin", target, error));
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

static const tide_pin *pin_of_vertex(const tide_world *world, tide_body_id id, uint32_t vertex)
{
    const tide_body *body = tide_world_lookup(world, id);
    if (!body || vertex >= tide_body_face(body)->vertex_count)
        return NULL;
    return tide_world_pin_of(world, body->rigid ? tide_world_rigid_pin(world, body, vertex)
                                                : (uint64_t)body->first_particle + vertex);
}

bool tide_world_is_pinned(const tide_world *world, tide_body_id id, uint32_t vertex)
{
    return pin_of_vertex(world, id, vertex) != NULL;
}

bool tide_world_pin_target(const tide_world *world, tide_body_id id, uint32_t vertex, double target[3])
{
    const tide_pin *pin = pin_of_vertex(world, id, vertex);
    if (pin)
        memcpy(target, pin->target, 3 * sizeof *target);
    return pin != NULL;
}
