// Stresses of a body's solids and membranes, and tensions of its springs, at the present state.
//
// The stress of a tetrahedron is that of all its solids together, also of an incompressible one. That of a triangle is
// the stress of its membrane and strain limit over the thickness: of neo_hookean at present, of the other models, which
// do not change it, at rest. Functions allocate unless stated otherwise, fail for a stale id and as tide_world_system,
// and do not change the state.
#ifndef TIDE_WORLD_STRESSES_H
#define TIDE_WORLD_STRESSES_H

#include "model/stress.h"
#include "world/world.h"

typedef enum tide_stress_part {
    TIDE_STRESS_TETRAHEDRA, // of solids
    TIDE_STRESS_TRIANGLES   // of membranes
} tide_stress_part;

// The parts of a body that have a stress; valid as long as the system (tide_world_system).
typedef struct tide_stress_field {
    uint32_t count; // of tetrahedra or triangles; 0: the body has no such material
    uint32_t first_particle, corners;
    const uint32_t *vertices;    // (corners * count) of the body
    const tide_elements *groups; // of the body in the system
    uint32_t group_count;
    const double *positions; // of all particles
    double thickness;        // m, at rest; 1 of solids
} tide_stress_field;

// Allocates only if the system must be made.
tide_status tide_world_stress_field(tide_world *world, tide_body_id body, tide_stress_part part,
                                    tide_stress_field *field, tide_error *error);
// Computes the stresses of tetrahedra or triangles begin ... end - 1, at most TIDE_STRESS_BLOCK. They are not finite
// where an element has no volume.
void tide_stress_of(const tide_stress_field *field, uint32_t begin, uint32_t end, tide_stress *out);

// Returns the largest von Mises stress of the body, of its solids if it has any, otherwise of its membranes, Pa, and
// sets *index to its tetrahedron or triangle. Returns 0 for a body without either. `index` may be NULL.
tide_status tide_world_largest_stress(tide_world *world, tide_body_id body, double *stress, uint32_t *index,
                                      tide_error *error);
// Computes the largest von Mises stress of the elements at each vertex, (vertex_count) Pa; 0 at others.
tide_status tide_world_vertex_stresses(tide_world *world, tide_body_id body, double *out, tide_error *error);

// Computes the tension of an element between two vertices, N: the force with which it draws them together; negative
// under compression, 0 if it is cut. For a spring, k (length - rest length). Fails for another element.
tide_status tide_world_tension(tide_world *world, tide_body_id body, uint32_t element, double *tension,
                               tide_error *error);
// Computes the tension, largest by size, of the elements between two vertices at each vertex, (vertex_count) N.
tide_status tide_world_vertex_tensions(tide_world *world, tide_body_id body, double *out, tide_error *error);

#endif
