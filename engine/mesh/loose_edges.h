// Edges of a mesh that no triangle and no tetrahedron has: what is drawn and exported as lines.
#ifndef TIDE_MESH_LOOSE_EDGES_H
#define TIDE_MESH_LOOSE_EDGES_H

#include "mesh/mesh.h"

typedef struct tide_loose_edges {
    uint32_t *vertices; // (2 * count) in the order of the mesh
    uint32_t count;
} tide_loose_edges;

// Finds the edges. The caller frees `vertices`.
tide_status tide_loose_edges_find(const tide_mesh *mesh, tide_loose_edges *edges, tide_error *error);

#endif
