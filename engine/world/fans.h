// The parts into which opened faces divide the cells at a vertex, and the copies of the vertex that they get. Private
// to split.c; split.h has the terms.
#ifndef TIDE_WORLD_FANS_H
#define TIDE_WORLD_FANS_H

#include "world/split.h"

#define TIDE_NO_VERTEX UINT32_MAX

typedef struct tide_fans {
    tide_cells cells;
    const tide_mesh *mesh;
    const uint32_t *opened; // faces, ascending
    size_t opened_count;
    // Vertices of opened faces (touched_count), ascending, then the others of the cells at these, ascending.
    uint32_t *near, near_count, touched_count;
    uint32_t *place;          // (vertex_count) index in `near`; TIDE_NO_VERTEX: it is not near
    uint32_t *starts, *items; // cells at near[i]: items[starts[i]] up to, not including, items[starts[i + 1]]
    uint32_t *corners;        // (cells.corners * cells.count) the cells' vertices, copies included
    uint32_t *origins;        // (added) vertex that each copy was made of
    size_t origin_capacity;
    uint32_t added;
    double *masses; // (vertex_count + added) kg
    size_t mass_capacity;
} tide_fans;

// Finds the copies of all vertices at opened faces, and divides their masses (vertex_count).
tide_status tide_fans_find(tide_fans *fans, const tide_mesh *mesh, const double *masses, const uint32_t *opened,
                           size_t count, tide_error *error);
void tide_fans_free(tide_fans *fans);

// Returns the vertex of a cell after the split that was `vertex` before; TIDE_NO_VERTEX: it is none of the cell's.
uint32_t tide_fans_seen_from(const tide_fans *fans, uint32_t cell, uint32_t vertex);
// Returns the corner of `cell` opposite the face that it shares with another cell at a vertex; the number of corners:
// there is none.
uint32_t tide_fans_shared_face(const tide_cells *cells, uint32_t cell, uint32_t other, uint32_t vertex);
double tide_cell_measure(const tide_mesh *mesh, const tide_cells *cells, uint32_t cell); // m, m^2 or m^3, at rest

#endif
