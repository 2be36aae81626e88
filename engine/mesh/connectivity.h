// Tables of edges and faces, and the order of index tuples, for the files of mesh/, geometry/ and formats/.
#ifndef TIDE_MESH_CONNECTIVITY_H
#define TIDE_MESH_CONNECTIVITY_H

#include "mesh/mesh.h"

// --- mesh.c

// As tide_mesh_create. `outward`: the triangles already face outward, as in parts that come from another mesh.
tide_status tide_mesh_create_from(const tide_mesh_parts *parts, bool outward, tide_mesh **mesh, tide_error *error);

// --- order.c

// Returns the order of `count` index tuples of 2 to 4 vertices by their sorted corners: tuples of the same vertices are
// neighbours, lower index first. The caller frees it; NULL without memory.
uint32_t *tide_mesh_order_tuples(const uint32_t *tuples, uint32_t width, uint32_t count, uint32_t vertex_count);
// Sorts the corners of a tuple of 2 to 4 in ascending order.
void tide_mesh_sort_tuple(uint32_t *sorted, const uint32_t *tuple, uint32_t width);
// Tells whether two tuples have the same vertices, in any order.
bool tide_mesh_same_tuple(const uint32_t *a, const uint32_t *b, uint32_t width);

// --- edges.c

// Tuples whose pairs are edges: lines (width 2), triangles (3), tetrahedra (4).
typedef struct tide_mesh_tuples {
    const uint32_t *indices; // (width * count)
    uint32_t width, count;
} tide_mesh_tuples;

// Distinct edges in ascending order, which can be looked up by their vertices.
typedef struct tide_mesh_edge_table {
    uint32_t vertex_count, count;
    uint32_t *starts; // (vertex_count + 1) first edge of each lower vertex
    uint32_t *upper;  // (count) the higher vertex of each edge
} tide_mesh_edge_table;

tide_status tide_mesh_edge_table_create(uint32_t vertex_count, const tide_mesh_tuples *lists, size_t list_count,
                                        tide_mesh_edge_table *table, tide_error *error);
void tide_mesh_edge_table_destroy(tide_mesh_edge_table *table);
#define TIDE_MESH_NO_EDGE UINT32_MAX
uint32_t tide_mesh_edge_table_find(const tide_mesh_edge_table *table, uint32_t a, uint32_t b);
// Returns (2 * count) vertices, lower one first. The caller frees it; NULL without memory.
uint32_t *tide_mesh_edge_table_pairs(const tide_mesh_edge_table *table);

// --- topology.c

// Turns the triangles that belong to exactly one tetrahedron outward. Sets `owners` (triangle_count; may be NULL) to
// the number of tetrahedra at each triangle, 2 for more.
tide_status tide_mesh_turn_outward(const uint32_t *tetrahedra, uint32_t tetrahedron_count, uint32_t vertex_count,
                                   uint32_t *triangles, uint32_t triangle_count, unsigned char *owners,
                                   tide_error *error);

// Finds pairs of tetrahedra, (2 * *count), on the same side of a common face. If a face has more than two, each is
// paired with the first on its side. Lower index first, in the order of the faces' corners. The caller frees it.
tide_status tide_mesh_folds_of(const uint32_t *tetrahedra, uint32_t tetrahedron_count, uint32_t **pairs,
                               uint32_t *count, tide_error *error);

// --- cluster.c

// Sets lowest[v] (count) to the lowest earlier vertex within `distance` (m) that is its own representative, or to v
// itself.
tide_status tide_mesh_cluster(const double *vertices, uint32_t count, double distance, uint32_t *lowest,
                              tide_error *error);

#endif
