// Where strands grow from: points on a surface and the directions that it faces there.
#ifndef TIDE_MESH_ROOTS_H
#define TIDE_MESH_ROOTS_H

#include "mesh/mesh.h"

// Owned by the caller; see tide_mesh_roots_destroy.
typedef struct tide_mesh_roots {
    uint32_t count;
    double *points, *normals; // (3 * count) m, and of length 1
} tide_mesh_roots;

// At each vertex that a triangle uses, in their order, with the mean normal of its triangles weighted by their angles
// there (Thuermer and Wuethrich 1998), which does not depend on how a face is cut into triangles. Fails on a mesh
// without triangles and on a vertex whose triangles face nowhere. `object` is what messages name; its field is "on".
tide_status tide_mesh_roots_at_vertices(const tide_mesh *mesh, const char *object, tide_mesh_roots *roots,
                                        tide_error *error);
// `count` points at random, as many for each area as for any other and none much nearer to another than it must be:
// darts that keep a distance, which shrinks while too few find a place (McCool and Fiume 1992). Points that face away
// from one another, as on the two sides of a sheet, may be near. Normals are those of the vertices, interpolated.
tide_status tide_mesh_roots_spread(const tide_mesh *mesh, uint32_t count, uint64_t seed, const char *object,
                                   tide_mesh_roots *roots, tide_error *error);
void tide_mesh_roots_destroy(tide_mesh_roots *roots);

#endif
