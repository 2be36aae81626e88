// Rings of vertices, one after the other: the sides of cylinders, and tori.
#ifndef TIDE_MESH_RINGS_H
#define TIDE_MESH_RINGS_H

#include <stdbool.h>
#include <stdint.h>

// Vertex c of ring r has index r * columns + c; c grows counter-clockwise as seen from where r grows to. The last
// vertex of a ring is beside the first.
typedef struct tide_mesh_rings {
    uint32_t columns, rows; // at least 3, and 1 (3 when closed)
    bool closed;            // the last ring is beside the first
} tide_mesh_rings;

// Two triangles for each cell between rings, 6 * columns * (rows - 1) indices (6 * columns * rows when closed), facing
// away from the axis, with diagonals that alternate. Returns the end of what it wrote.
uint32_t *tide_mesh_rings_triangles(const tide_mesh_rings *rings, uint32_t *triangles);
// Pairs of vertices two apart around the rings and from ring to ring, each pair once: at most 4 * columns * rows
// indices. Returns the end of what it wrote.
uint32_t *tide_mesh_rings_skips(const tide_mesh_rings *rings, uint32_t *skips);
// Texture coordinates, (2 * columns * rows): how far around, and how far from the first ring, `around` and `along`
// being the largest of each. What closes on itself goes there and back, so that nothing is torn.
void tide_mesh_rings_texture(const tide_mesh_rings *rings, double around, double along, double *texture);

#endif
