// Attachments within engine/world/: how they are kept, and what makes elements of them.
#ifndef TIDE_WORLD_ATTACHMENTS_H
#define TIDE_WORLD_ATTACHMENTS_H

#include "model/system.h"
#include "world/world.h"

// A spring between two particles, or with `tied` one of no length to a point between three others.
typedef struct tide_attachment {
    uint32_t particles[4];
    bool tied;
    double stiffness, rest_length;
    double weights[3]; // of the last three particles
} tide_attachment;

// Those that came after the first step as late ones (tide_system_add_late).
tide_status tide_world_add_attachments(const tide_world *world, tide_system *system, tide_error *error);
// To a world of the same bodies.
tide_status tide_world_copy_attachments(tide_world *fork, const tide_world *world, tide_error *error);

#endif
