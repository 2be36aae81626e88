// Carries the shape of a body to another mesh of the same object: computes the positions of the vertices of a finer,
// coarser or differently connected mesh from the deformed old mesh.
//
// At rest, each new vertex is bound to the nearest place on the old mesh. If that has tetrahedra, the place is in one
// of them (geometry/embedding.h: barycentric coordinates, extrapolated outside). Otherwise it is the nearest point,
// found by geometry/bvh.h, of a triangle, of an edge with an end in no triangle, or of a lone vertex. The new position
// is the weighted mean of the corners plus the offset of the vertex from its triangle or edge, which rotates with that
// and keeps its length. Velocities are the time derivatives of these positions. Rigid motions are thus reproduced
// exactly, and so are affine motions of vertices within the old mesh. Momentum is conserved as far as the two meshes
// have their masses in the same places.
#ifndef TIDE_WORLD_RESHAPE_H
#define TIDE_WORLD_RESHAPE_H

#include "mesh/mesh.h"

typedef struct tide_reshape tide_reshape;

// Returns whether no sides of the bounding boxes of two meshes at rest differ by more than a quarter of the diagonal of
// the first.
bool tide_reshape_is_near(const tide_mesh *from, const tide_mesh *to);

// Creates the map from `from`, the old mesh, to `to`, if the old mesh covers the new one at rest: it is near, and no
// new vertex is farther from the old mesh than a tenth of the old diagonal. Otherwise *reshape is NULL and the call
// succeeds. Keeps no reference to `to`; `from` must outlive the reshape. Fails if memory runs out.
tide_status tide_reshape_create(const tide_mesh *from, const tide_mesh *to, tide_reshape **reshape, tide_error *error);
void tide_reshape_destroy(tide_reshape *reshape); // NULL does nothing

// Computes positions and velocities of the new vertices (3 * to->vertex_count) from those of the old
// (3 * from->vertex_count). Allocates nothing.
void tide_reshape_apply(const tide_reshape *reshape, const double *positions, const double *velocities,
                        double *new_positions, double *new_velocities);

#endif
