// The part of a closed surface that bounds its inside. Where pieces overlap, or one surface passes through itself, what
// lies within another part is no boundary: triangles are cut along the curves where surfaces meet, and the cut parts
// with the inside on both sides are left out.
#ifndef TIDE_GEOMETRY_EXPOSED_H
#define TIDE_GEOMETRY_EXPOSED_H

#include "geometry/bvh.h"
#include "geometry/winding.h"
#include "mesh/mesh.h"

// The triangles on each side of the surface's edges.
typedef struct tide_exposed_edges {
    const uint32_t *on; // (2 * count)
    uint32_t count;
} tide_exposed_edges;

typedef struct tide_exposed {
    bool all;            // the whole surface is boundary; then the arrays below are empty
    double *vertices;    // (3 * vertex_count) m: the mesh's first, then those of cuts
    uint32_t *triangles; // (3 * triangle_count)
    uint32_t *parents;   // (triangle_count) the mesh's triangle that each is a part of
    uint32_t vertex_count, triangle_count;
} tide_exposed;

// A point is inside where sign * (winding number) is above 1/2. `winding` is that of the whole mesh, over `bvh`. Fails
// without memory.
tide_status tide_exposed_create(const tide_mesh *mesh, const tide_bvh *bvh, tide_exposed_edges edges, double sign,
                                tide_exposed *exposed, tide_winding *winding, tide_error *error);
void tide_exposed_destroy(tide_exposed *exposed); // of one that is all zero, too

#endif
