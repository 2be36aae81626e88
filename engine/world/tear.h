// Where a torn body opens. Private to world/.
#ifndef TIDE_WORLD_TEAR_H
#define TIDE_WORLD_TEAR_H

#include "world/split.h"

// An element beyond its limit, to be torn.
typedef struct tide_overstrained {
    uint32_t body, element;   // index in the world; of the body
    const uint32_t *vertices; // (vertex_count) of the body
    uint32_t vertex_count;
    double strain;
} tide_overstrained;

// Where they tear: faces to open, for each element the vertex that splits, and TIDE_TEAR_HOLDS or TIDE_TEAR_CUT.
#define TIDE_TEAR_HOLDS (UINT32_MAX - 1) // another tear beside it goes first; or it bends, and opens with its cells
#define TIDE_TEAR_CUT UINT32_MAX         // no vertex can be split, or it is no part of a cell: the element is cut
typedef struct tide_tears {
    uint32_t *faces;
    size_t face_count, face_capacity;
    uint32_t *at; // (count)
} tide_tears;

// Chooses for each element, from the most strained one on, the vertex of its cells that splits, and the plane across
// the largest stretch there: the faces nearest to it are opened (O'Brien and Hodgins 1999; Mueller et al. 2007, without
// cutting elements). Vertices of one cell do not split in one step, so that a tear runs on from its tip. x: (3 *
// vertex_count) m. Returns false without memory.
bool tide_find_tears(const tide_body *body, const double *x, const tide_overstrained *elements, uint32_t count,
                     tide_tears *tears);
void tide_tears_free(tide_tears *tears);

#endif
