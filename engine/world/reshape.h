// The shape of a body on another mesh of the same thing: where the vertices of a mesh that is finer, coarser or joined
// in another way are, when the old one is deformed as it is.
//
// Each new vertex belongs, at rest, to the nearest place on the old mesh: a tetrahedron where it has any (mesh/
// embedding.h: barycentric coordinates, which go on outside), else on a triangle, or an edge or a vertex that is of
// none (the nearest point, found by geometry/bvh.h). There it goes along with the weighted mean of the corners; what it
// is away from its triangle or edge turns with that, and keeps its length. Velocities are the derivatives of positions.
// So rigid motions come out exactly, and so do affine ones of what lies within the old mesh. Momentum is then kept as
// far as the two meshes have their masses in the same places.
#ifndef TIDE_WORLD_RESHAPE_H
#define TIDE_WORLD_RESHAPE_H

#include "mesh/mesh.h"

typedef struct tide_reshape tide_reshape;

// Whether the old mesh covers the new one at rest: no side of their bounding boxes is farther apart than a quarter of
// the old one's diagonal, and no new vertex farther from the old mesh than a tenth of it. Where it does not, *reshape
// is NULL and the call succeeds. Keeps nothing of `to`; `from` must stay until the reshape is destroyed. Fails without
// memory.
tide_status tide_reshape_create(const tide_mesh *from, const tide_mesh *to, tide_reshape **reshape, tide_error *error);
void tide_reshape_destroy(tide_reshape *reshape); // NULL does nothing

// From positions and velocities of the old vertices (3 * from->vertex_count) those of the new (3 * to->vertex_count).
// Allocates nothing.
void tide_reshape_apply(const tide_reshape *reshape, const double *positions, const double *velocities,
                        double *new_positions, double *new_velocities);

#endif
