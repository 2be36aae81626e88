// Roots of strands: points on a surface and its normals there.
#ifndef TIDE_MESH_ROOTS_H
#define TIDE_MESH_ROOTS_H

#include "mesh/mesh.h"

// Owned by the caller; see tide_mesh_roots_destroy.
typedef struct tide_mesh_roots {
    uint32_t count;
    double *points, *normals; // (3 * count) m; unit vectors
} tide_mesh_roots;

// Makes a root at each vertex that a triangle uses, in their order. The normal is the mean of the triangles' normals
// weighted by their angles at the vertex (Thuermer and Wuethrich 1998), which does not depend on the triangulation of a
// face. Fails on a mesh without triangles and on a vertex whose normals cancel. `object` is what messages name; its
// field is "on".
tide_status tide_mesh_roots_at_vertices(const tide_mesh *mesh, const char *object, tide_mesh_roots *roots,
                                        tide_error *error);
// Spreads `count` points at random with uniform density, none much nearer to another than necessary: dart throwing with
// a distance that shrinks while too few darts find a place (McCool and Fiume 1992). Points that face away from one
// another, as on the two sides of a sheet, may be close. Normals are interpolated from the vertices.
tide_status tide_mesh_roots_spread(const tide_mesh *mesh, uint32_t count, uint64_t seed, const char *object,
                                   tide_mesh_roots *roots, tide_error *error);
void tide_mesh_roots_destroy(tide_mesh_roots *roots);

#endif
