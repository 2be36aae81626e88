// Vertices attached to colliders: pins that move with a collider.
#ifndef TIDE_WORLD_COLLIDER_ATTACHMENTS_H
#define TIDE_WORLD_COLLIDER_ATTACHMENTS_H

#include "world/world.h"

// Attaches vertices of a body, all or none, to a collider. Pins each as tide_world_pin does: by a zero-length spring of
// this stiffness (N/m), or exactly with TIDE_NOT_GIVEN. From now on the pin's target moves with the collider's frame,
// or with the nearest triangle if its mesh deforms. The target starts at the vertex or, with `nearest`, at the nearest
// point of the collider's surface, which needs a stiffness. Part of the description, as other attachments; unpinning a
// vertex ends its attachment. Fails on stale ids, vertices out of range and a stiffness that tide_world_pin refuses.
tide_status tide_world_attach_to_collider(tide_world *world, tide_body_id body, const uint32_t *vertices,
                                          uint32_t count, tide_collider_id collider, bool nearest, double stiffness,
                                          tide_error *error);

// --- for the files of world/

// A pin that moves with a collider.
typedef struct tide_collider_attachment {
    uint64_t pin;      // tide_pin.particle
    uint32_t collider; // index
    double own[3];     // m, the target in the collider's frame or, if the collider deforms, in the triangle's frame
    uint32_t triangle; // the nearest one, if the collider deforms
    double weights[3]; // barycentric, of the nearest point of the triangle
} tide_collider_attachment;

// Moves the targets of the pins with the colliders, to the end of the step.
void tide_world_move_collider_attachments(tide_world *world);
tide_status tide_world_copy_collider_attachments(tide_world *fork, const tide_world *world, tide_error *error);

#endif
