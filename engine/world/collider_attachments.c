#include "world/collider_attachments.h"

#include "base/memory.h"
#include "collision/collider_vertices.h"
#include "geometry/distance_near.h"
#include "world/pins.h"
#include "world/world_state.h"

#include <string.h>

static tide_status add(tide_world *world, const tide_collider_attachment *hold, tide_error *error)
{
    if (!tide_grow(&world->collider_attachments, &world->collider_attachment_capacity,
                   world->collider_attachment_count + 1, sizeof *world->collider_attachments))
        return tide_fail_memory(error, "attachments");
    world->collider_attachments[world->collider_attachment_count++] = *hold;
    return TIDE_OK;
}

// Projects a point onto the surface by steps along the gradient. One step is enough for exact distances, as most are.
static void to_surface(const tide_distance *distance, double own[3])
{
    enum { STEPS = 8 };
    for (int i = 0; i < STEPS; i++) {
        double gradient[3], value = tide_distance_at(distance, own, gradient);
        for (int k = 0; k < 3; k++)
            own[k] -= value * gradient[k];
    }
}

// Binds the point to the nearest triangle of a mesh that deforms.
static void to_triangle(const tide_deform *deform, tide_collider_attachment *made)
{
    double origin[3], axes[9], off[3];
    tide_distance_nearest(deform->after, made->own, TIDE_NO_HINT, &made->triangle, made->weights);
    tide_deform_frame(deform, deform->start, made->triangle, made->weights, origin, axes);
    for (int k = 0; k < 3; k++)
        off[k] = made->own[k] - origin[k];
    for (int k = 0; k < 3; k++)
        made->own[k] = axes[3 * k] * off[0] + axes[3 * k + 1] * off[1] + axes[3 * k + 2] * off[2];
}

// Computes the point's position at the end of the step, in the collider's frame.
static void place_own(const tide_collider *collider, const tide_collider_attachment *h, double own[3])
{
    const tide_deform *deform = collider->shape.deform;
    double axes[9];
    memcpy(own, h->own, sizeof h->own);
    if (!deform)
        return;
    tide_deform_frame(deform, deform->end, h->triangle, h->weights, own, axes);
    for (int k = 0; k < 3; k++)
        own[k] += axes[k] * h->own[0] + axes[3 + k] * h->own[1] + axes[6 + k] * h->own[2];
}

static tide_status hold(tide_world *world, tide_body_id body, uint32_t vertex, uint32_t index, bool nearest,
                        double stiffness, tide_error *error)
{
    const tide_collider *collider = world->colliders[index];
    tide_collider_attachment made = { .collider = index };
    tide_point point;
    double place[3];
    TIDE_TRY(tide_world_find_pin(world, body, vertex, "attach", &made.pin, &point, error));
    tide_point_apply(&point, world->positions, place);
    TIDE_TRY(tide_world_pin(world, body, vertex, stiffness, error));
    tide_pose_apply_inverse(&collider->start, place, made.own);
    if (nearest)
        to_surface(collider->shape.distance, made.own);
    if (collider->shape.deform)
        to_triangle(collider->shape.deform, &made);
    return add(world, &made, error);
}

tide_status tide_world_attach_to_collider(tide_world *world, tide_body_id body, const uint32_t *vertices,
                                          uint32_t count, tide_collider_id collider, bool nearest, double stiffness,
                                          tide_error *error)
{
    uint32_t index = tide_slots_owner(&world->collider_slots, collider.index, collider.generation);
    TIDE_TRY(tide_world_check_idle(world, "attach", error));
    if (index == TIDE_NO_OWNER)
        return tide_world_refuse_stale_collider(error);
    if (nearest && !tide_given(stiffness))
        TIDE_TRY(tide_fail(
            error, TIDE_ERROR_ARGUMENT, "attach", "stiffness", NULL,
            "missing; a vertex is attached to the nearest point of a collider by a spring of this stiffness"));
    for (uint32_t i = 0; i < count; i++) {
        tide_point point;
        double place[3];
        TIDE_TRY(tide_world_find_point(world, body, vertices[i], "attach", &point, error));
        tide_point_apply(&point, world->positions, place);
        if (!isfinite(place[0] + place[1] + place[2]))
            TIDE_TRY(tide_fail(error, TIDE_ERROR_ARGUMENT, "attach", NULL, NULL,
                               "the position of vertex %u is not finite", vertices[i] + 1));
    }
    for (uint32_t i = 0; i < count; i++)
        TIDE_TRY(hold(world, body, vertices[i], index, nearest, stiffness, error));
    return TIDE_OK;
}

void tide_world_move_collider_attachments(tide_world *world)
{
    for (size_t i = 0; i < world->collider_attachment_count; i++) {
        const tide_collider_attachment *h = &world->collider_attachments[i];
        tide_pin *pin = tide_world_pin_of(world, h->pin);
        double own[3];
        if (!pin)
            continue;
        place_own(world->colliders[h->collider], h, own);
        tide_pose_apply(&world->colliders[h->collider]->end, own, pin->target);
    }
}

tide_status tide_world_copy_collider_attachments(tide_world *fork, const tide_world *world, tide_error *error)
{
    for (size_t i = 0; i < world->collider_attachment_count; i++)
        TIDE_TRY(add(fork, &world->collider_attachments[i], error));
    return TIDE_OK;
}
