// Vertices attached to colliders: pins that go where a collider goes.
#ifndef TIDE_WORLD_HOLDS_H
#define TIDE_WORLD_HOLDS_H

#include "world/world.h"

// Attaches vertices of a body, all or none, to a collider: each is pinned (tide_world_pin: with `stiffness`, N/m, by a
// spring of no length, with TIDE_NOT_GIVEN exactly) and its pin's target goes with the collider's frame from now on
// (with the nearest triangle, where its mesh deforms),
// from where the vertex is, or with `nearest` from the nearest point of the collider's surface, which needs a
// stiffness. Part of the description, as other attachments; unpinning a vertex ends it. Fails on stale ids, vertices
// out of range and a stiffness that tide_world_pin refuses.
tide_status tide_world_attach_to_collider(tide_world *world, tide_body_id body, const uint32_t *vertices,
                                          uint32_t count, tide_collider_id collider, bool nearest, double stiffness,
                                          tide_error *error);

// --- for the files of world/

// A particle that goes with a collider.
typedef struct tide_hold {
    uint32_t particle;
    uint32_t collider; // index
    double own[3];     // m, in the collider's frame; of one that deforms, in that of the triangle
    uint32_t triangle; // the nearest, of one that deforms
    double weights[3];
} tide_hold;

void tide_world_drop_hold(tide_world *world, uint32_t particle);
// Moves the targets of the pins to where the colliders are at the end of the step.
void tide_world_move_holds(tide_world *world);
tide_status tide_world_copy_holds(tide_world *fork, const tide_world *world, tide_error *error);

#endif
