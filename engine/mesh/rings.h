// Rings of vertices, one after the other: the sides of cylinders and tori.
#ifndef TIDE_MESH_RINGS_H
#define TIDE_MESH_RINGS_H

#include <stdbool.h>
#include <stdint.h>

// Vertex c of ring r has index r * columns + c; c grows counter-clockwise, as seen from the side of the higher rings.
// The last vertex of a ring is next to the first.
typedef struct tide_mesh_rings {
    uint32_t columns, rows; // at least 3, and 1 (3 when closed)
    bool closed;            // the last ring is next to the first
} tide_mesh_rings;

// Writes two triangles for each cell between rings, 6 * columns * (rows - 1) indices (6 * columns * rows when closed),
// facing away from the axis, with alternating diagonals. Returns the end of the output.
uint32_t *tide_mesh_rings_triangles(const tide_mesh_rings *rings, uint32_t *triangles);
// Writes pairs of vertices two apart around the rings and from ring to ring, each pair once: at most 4 * columns * rows
// indices. Returns the end of the output.
uint32_t *tide_mesh_rings_skips(const tide_mesh_rings *rings, uint32_t *skips);
// Writes texture coordinates, (2 * columns * rows): the way around, and the way from the first ring, up to the lengths
// `around` and `along`. In a closed direction they run forth and back, so that there is no seam.
void tide_mesh_rings_texture(const tide_mesh_rings *rings, double around, double along, double *texture);

#endif
