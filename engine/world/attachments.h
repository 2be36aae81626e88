// Attachments: their storage, and the elements made of them. Private to world/.
#ifndef TIDE_WORLD_ATTACHMENTS_H
#define TIDE_WORLD_ATTACHMENTS_H

#include "model/system.h"
#include "world/world.h"

// A spring between two particles or, if `tied`, a zero-length spring from the first particle to a point of the triangle
// of the other three.
typedef struct tide_attachment {
    uint32_t particles[4];
    bool tied;
    double stiffness, rest_length;
    double weights[3]; // of the last three particles
} tide_attachment;

// Adds the elements of all attachments to a system. Those made after the first step follow tide_system_add_late.
tide_status tide_world_add_attachments(const tide_world *world, tide_system *system, tide_error *error);
// Copies the attachments to a world with the same bodies.
tide_status tide_world_copy_attachments(tide_world *fork, const tide_world *world, tide_error *error);

#endif
