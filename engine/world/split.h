// Splitting: a body whose faces were opened. Private to world/.
//
// The cells of a body are its tetrahedra; without them, its triangles; without both, its edges. Face k of a cell is the
// one opposite its corner k: a triangle, an edge or a vertex; its number is corners * cell + k. Two cells are joined at
// a vertex if they share a face there that is not opened; edges are joined at every common vertex that neither opened.
// Where the cells at a vertex fall into parts, each part gets a copy of the vertex of its own. The largest part keeps
// the vertex; new vertices follow the others. Meshes, masses, elements and embedded surfaces follow the cells:
//
// - the mass of a vertex is divided in proportion to the areas (volumes, lengths) of the parts at rest, so that the sum
//   is the same to the bit;
// - an element whose vertices are those of a cell goes with it; one between cells of several parts, as the spring of an
//   edge that opens, becomes one element a part, which share its stiffness equally;
// - an element over several cells, as a hinge, goes with them, and is cut when they come apart;
// - a link between vertices that no cell has, as a spring that resists bending, goes with the edges that join its ends
//   over one vertex, and is cut with the last such pair of edges; one without such edges keeps its vertices;
// - an element with frames, as those of rods that twist, goes with their edges, and is cut when these come apart. Such
//   bodies are split where edges are the cells (rod_frames.h).
//
// Elements keep their indices in their groups. The additional ones are in groups after those of the description.
#ifndef TIDE_WORLD_SPLIT_H
#define TIDE_WORLD_SPLIT_H

#include "world/world_state.h"

typedef struct tide_cells {
    const uint32_t *vertices; // (corners * count)
    uint32_t count, corners;
} tide_cells;
tide_cells tide_mesh_cells(const tide_mesh *mesh);

#define TIDE_NO_ELEMENT UINT32_MAX

// What became of the elements of a body: element e was element from[e] before. Those in `shares`, how many share its
// stiffness; 0: it is cut. (count) of the new body; owned.
typedef struct tide_split_elements {
    uint32_t *from;
    uint32_t *shares;
    uint32_t count;
} tide_split_elements;
void tide_split_elements_free(tide_split_elements *elements);

// Opens faces of a body and splits its vertices. *out is a new body; the old one stays as it is. Faces that are open
// already, and those at the rim of the mesh, change nothing.
tide_status tide_body_open_faces(const tide_body *body, const uint32_t *faces, size_t count, tide_body **out,
                                 tide_split_elements *elements, tide_error *error);

#endif
