// Embedding: a fine surface carried by a coarse tetrahedral mesh, each of its vertices by one tetrahedron.
//
// A fine vertex is the sum of four coarse ones times weights that sum to 1, its barycentric coordinates at rest: any
// affine motion of the coarse mesh is reproduced exactly. A vertex outside takes the nearest tetrahedron, of equally
// near ones that with the least sum of |weights|, then the lowest; its weights are then not all positive.
#ifndef TIDE_GEOMETRY_EMBEDDING_H
#define TIDE_GEOMETRY_EMBEDDING_H

#include "mesh/mesh.h"

typedef struct tide_embedding {
    uint32_t fine_count, coarse_count; // vertices
    uint32_t *tetrahedra;              // (fine_count)
    uint32_t *vertices;                // (4 * fine_count) coarse ones
    double *weights;                   // (4 * fine_count)
    uint32_t outside_count;            // fine vertices in no tetrahedron: with a weight below -1e-9
    double farthest;                   // m, the largest distance of one of them from its tetrahedron
    uint32_t farthest_vertex;          // the first that is so far; 0 when none is outside
} tide_embedding;

// `fine` (3 * fine_count) m, where the coarse mesh is at rest. Fails without a tetrahedron that has a volume, and on a
// coordinate that is not finite or beyond 1e75 m.
tide_status tide_embedding_create(const tide_mesh *coarse, const double *fine, uint32_t fine_count,
                                  tide_embedding **embedding, tide_error *error);
tide_status tide_embedding_copy(const tide_embedding *embedding, tide_embedding **copy, tide_error *error);
void tide_embedding_destroy(tide_embedding *embedding); // NULL does nothing

// Where the fine vertices are (3 * fine_count) when the coarse ones are at (3 * coarse_count). Also for velocities and
// displacements. Allocates nothing.
void tide_embedding_apply(const tide_embedding *embedding, const double *coarse, double *fine);
// The other way for forces and impulses: adds to the coarse vertices what does the same work, so that their sum is
// kept.
void tide_embedding_spread(const tide_embedding *embedding, const double *fine, double *coarse);

#endif
