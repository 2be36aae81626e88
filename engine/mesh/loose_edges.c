#include "mesh/loose_edges.h"

#include "base/memory.h"

#include <stdlib.h>

static int by_edge(const void *a, const void *b)
{
    const uint32_t *left = a, *right = b;
    if (left[0] != right[0])
        return left[0] < right[0] ? -1 : 1;
    return (left[1] > right[1]) - (left[1] < right[1]);
}

tide_status tide_loose_edges_find(const tide_mesh *mesh, tide_loose_edges *out, tide_error *error)
{
    TIDE_SCOPED uint32_t *covered = NULL;
    uint32_t count = 0;
    TIDE_TRY(tide_mesh_edges_of(mesh->vertex_count, mesh->triangles, mesh->triangle_count, mesh->tetrahedra,
                                mesh->tetrahedron_count, &covered, &count, error));
    *out = (tide_loose_edges) { .vertices = tide_allocate_array(mesh->edge_count, 2 * sizeof(uint32_t)) };
    if (!out->vertices)
        return tide_fail_memory(error, "edges");
    for (uint32_t i = 0; i < mesh->edge_count; i++) {
        uint32_t a = mesh->edges[2 * i], b = mesh->edges[2 * i + 1];
        const uint32_t edge[2] = { a < b ? a : b, a < b ? b : a };
        if (count && bsearch(edge, covered, count, sizeof edge, by_edge))
            continue;
        out->vertices[2 * out->count] = a;
        out->vertices[2 * out->count++ + 1] = b;
    }
    return TIDE_OK;
}
