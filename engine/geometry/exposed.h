// The boundary of the inside of a closed surface. Where pieces overlap, or a surface intersects itself, parts that lie
// within others are not boundary. Triangles are cut along the curves where surfaces meet, and the parts with the inside
// on both sides are left out.
#ifndef TIDE_GEOMETRY_EXPOSED_H
#define TIDE_GEOMETRY_EXPOSED_H

#include "geometry/bvh.h"
#include "geometry/winding.h"
#include "mesh/mesh.h"

// The two triangles at each edge of the surface.
typedef struct tide_exposed_edges {
    const uint32_t *on; // (2 * count)
    uint32_t count;
} tide_exposed_edges;

typedef struct tide_exposed {
    bool all;            // the whole surface is boundary; then the arrays below are empty
    double *vertices;    // (3 * vertex_count) m: those of the mesh, then new ones at cuts
    uint32_t *triangles; // (3 * triangle_count)
    uint32_t *parents;   // (triangle_count) the triangle of the mesh that each is a part of
    uint32_t vertex_count, triangle_count;
} tide_exposed;

// Finds the boundary. A point is inside where sign * (winding number) > 1/2. `winding` is that of the whole mesh, over
// `bvh`. Fails without memory.
tide_status tide_exposed_create(const tide_mesh *mesh, const tide_bvh *bvh, tide_exposed_edges edges, double sign,
                                tide_exposed *exposed, tide_winding *winding, tide_error *error);
void tide_exposed_destroy(tide_exposed *exposed); // also one that is all zero

#endif
