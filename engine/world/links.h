// Links: zero-length springs between points of bodies where at least one is rigid, and their points. A point is a
// vertex or, on a rigid body, a weighted mean of its four particles. Private to world/.
#ifndef TIDE_WORLD_LINKS_H
#define TIDE_WORLD_LINKS_H

#include "model/system.h"
#include "world/world.h"

typedef struct tide_point {
    uint32_t count; // 1, or 4 on a rigid body; 3 on a triangle
    uint32_t particles[4];
    double weights[4];     // sum to 1
    uint32_t corner_count; // on a rigid body: the vertices of its mesh at which the point touches nothing that it is
    uint32_t corners[3];   // attached to; 0: none
} tide_point;

// Holds two points together. If ends[1].count is 0, it holds one point at `target` (m).
typedef struct tide_link {
    tide_point ends[2];
    double target[3];
    uint32_t carrier; // 1 + the index of the collider that the target moves with, and in whose frame it is; 0: none
    double stiffness; // N/m; TIDE_NOT_GIVEN: held exactly
} tide_link;

struct tide_body;

// Finds the point of a vertex of a body. For a rigid body, vertices are those of the mesh that was given.
tide_status tide_world_find_point(const tide_world *world, tide_body_id id, uint32_t vertex, const char *field,
                                  tide_point *point, tide_error *error);
// Returns the point of a rigid body that is at a place (m) at present.
tide_point tide_world_point_at(const tide_world *world, const struct tide_body *body, const double place[3]);
// Computes the weighted mean of an array (3 * particle_count) at a point.
void tide_point_apply(const tide_point *point, const double *array, double out[3]);

bool tide_world_is_rigid(const tide_world *world, tide_body_id id); // false for a stale id
tide_status tide_world_add_link(tide_world *world, const tide_link *link, tide_error *error);
bool tide_world_has_carried_links(const tide_world *world);
// Moves the elements of links to fixed points, the group `elements`, to where colliders have them at the end of the
// step.
void tide_world_move_carried_links(const tide_world *world, tide_elements *elements);
// Adds the elements of links, and of pins on rigid bodies, to a system. The latter are the first group.
tide_status tide_world_add_links(const tide_world *world, tide_system *system, tide_error *error);

// Pins of rigid bodies are entered under a number that is not a particle's: of the body's place among the bodies, and
// the vertex.
uint64_t tide_world_rigid_pin(const tide_world *world, const struct tide_body *body, uint32_t vertex);
static inline bool tide_pin_is_of_rigid(uint64_t particle)
{
    return particle >> 32 != 0;
}
// Returns the pinned particle, or the first one of the rigid body.
uint32_t tide_world_pinned_particle(const tide_world *world, uint64_t particle);
bool tide_world_has_rigid_pins(const tide_world *world);
// Moves the elements of pins on rigid bodies, the group `elements`, to their targets.
void tide_world_move_rigid_pins(const tide_world *world, tide_elements *elements);

#endif
