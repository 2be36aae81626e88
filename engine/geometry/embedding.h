// An embedding: a fine surface carried by a coarse tetrahedral mesh, each fine vertex by one tetrahedron.
//
// A fine vertex is a weighted sum of four coarse vertices; the weights are its barycentric coordinates at rest and sum
// to 1. Any affine motion of the coarse mesh is reproduced exactly. A vertex outside takes the nearest tetrahedron; of
// equally near ones, that with the least sum of |weights|, then the lowest index. Its weights are then not all
// positive.
#ifndef TIDE_GEOMETRY_EMBEDDING_H
#define TIDE_GEOMETRY_EMBEDDING_H

#include "mesh/mesh.h"

typedef struct tide_embedding {
    uint32_t fine_count, coarse_count; // vertices
    uint32_t *tetrahedra;              // (fine_count)
    uint32_t *vertices;                // (4 * fine_count) coarse vertices
    double *weights;                   // (4 * fine_count)
    uint32_t outside_count;            // fine vertices outside all tetrahedra: with a weight below -1e-9
    double farthest;                   // m, the largest distance of an outside vertex from its tetrahedron
    uint32_t farthest_vertex;          // the first vertex at that distance; 0 when none is outside
} tide_embedding;

// Makes an embedding of `fine` (3 * fine_count), m, positions relative to the coarse mesh at rest. Fails without a
// tetrahedron of positive volume, and on a coordinate that is not finite or beyond 1e75 m.
tide_status tide_embedding_create(const tide_mesh *coarse, const double *fine, uint32_t fine_count,
                                  tide_embedding **embedding, tide_error *error);
tide_status tide_embedding_copy(const tide_embedding *embedding, tide_embedding **copy, tide_error *error);
void tide_embedding_destroy(tide_embedding *embedding); // NULL does nothing

// Computes the weights of a point in a tetrahedron of a mesh at rest, as an embedding has them. They are not finite
// where its volume is 0.
void tide_embedding_weigh(const tide_mesh *coarse, uint32_t tetrahedron, const double p[3], double weights[4]);

// Computes the fine positions (3 * fine_count) from the coarse ones (3 * coarse_count). Also for velocities and
// displacements. Allocates nothing.
void tide_embedding_apply(const tide_embedding *embedding, const double *coarse, double *fine);

#endif
