// What the files of the tetrahedralizer share. Others include tetrahedralize.h.
#ifndef TIDE_GEOMETRY_STUFFING_H
#define TIDE_GEOMETRY_STUFFING_H

#include "geometry/distance.h"

// --- stuffing_lattice.c: the body-centred cubic lattice
// Cubes of edge `cell`. The corner (i, j, k) and the centre of the cube that begins there share the cube's index
// c = (k * n[1] + j) * n[0] + i: they are the points 2 c and 2 c + 1. Long edges, of length cell, join points of one
// kind that follow each other along an axis; short ones, sqrt(3) / 2 of that, a centre and the corners of its cube.

typedef enum tide_stuffing_label {
    TIDE_STUFFING_OUTSIDE,
    TIDE_STUFFING_SURFACE,
    TIDE_STUFFING_INSIDE
} tide_stuffing_label;

#define TIDE_STUFFING_NONE UINT32_MAX

// Where the surface cuts an edge. Edges belong to the cube of their first point: 0 to 2 are long ones from the corner
// along x, y, z, 3 to 5 from the centre, 6 to 13 short ones from the centre to the corners (bit 0: x, bit 1: y, ...).
typedef struct tide_stuffing_cut {
    double at;       // part of the edge from its first point
    uint32_t vertex; // of the mesh; TIDE_STUFFING_NONE until it is used
    uint32_t edge;   // 0 to 13
} tide_stuffing_cut;

typedef struct tide_stuffing_lattice {
    const tide_distance *distance;
    double cell, origin[3];  // m; origin: corner (0, 0, 0)
    uint32_t n[3];           // cubes each way; all points of the outermost are outside
    uint32_t stride[3];      // 1, n[0], n[0] * n[1]
    uint32_t cubes;          // n[0] * n[1] * n[2]
    double *values;          // (2 * cubes) m; far from the surface, only the sign is right
    unsigned char *labels;   // (2 * cubes) tide_stuffing_label
    uint32_t *moved;         // (2 * cubes) the cut that a point was moved to; TIDE_STUFFING_NONE: where it was
    uint32_t *starts;        // (cubes + 1) first cut of each cube
    tide_stuffing_cut *cuts; // (starts[cubes]) by cube and edge
} tide_stuffing_lattice;

// With the middle of the bounds at the middle of a lattice of n[] cubes, but for a shift by this part of a cell (less
// than a half) along each axis. Samples the distance, finds the cuts and moves points to the surface (all but the
// stencils). Fails on a value that is not finite and without memory.
tide_status tide_stuffing_lattice_create(const tide_distance *distance, double cell, double shift,
                                         tide_stuffing_lattice *lattice, tide_error *error);
void tide_stuffing_lattice_destroy(tide_stuffing_lattice *lattice);
// Cubes each way for the bounds of the distance; as numbers, since they may be many.
void tide_stuffing_lattice_size(const tide_distance *distance, double cell, double n[3]);
// The cut between two points of which one is inside and the other outside.
uint32_t tide_stuffing_cut_between(const tide_stuffing_lattice *lattice, uint32_t p, uint32_t q);
void tide_stuffing_position(const tide_stuffing_lattice *lattice, uint32_t point, double position[3]);
void tide_stuffing_cut_position(const tide_stuffing_lattice *lattice, uint32_t cube, const tide_stuffing_cut *cut,
                                double position[3]);
// In units of half a cell: even for corners, odd for centres.
void tide_stuffing_coordinates(const tide_stuffing_lattice *lattice, uint32_t point, uint32_t at[3]);

// --- the mesh in the making

typedef struct tide_stuffing {
    double *vertices;     // (3 * vertex_count) m
    unsigned char *deep;  // (vertex_count) 1: all tetrahedra around it are there
    uint32_t *tetrahedra; // (4 * tetrahedron_count)
    uint32_t vertex_count, tetrahedron_count;
    size_t vertex_capacity, deep_capacity, tetrahedron_capacity;
} tide_stuffing;

void tide_stuffing_destroy(tide_stuffing *mesh);
// Adds a vertex; false without memory.
bool tide_stuffing_add_vertex(tide_stuffing *mesh, const double position[3], bool deep, uint32_t *vertex);

// --- stuffing_stencils.c

// Fills `mesh`, which is all zero, with what of the lattice's tetrahedra is inside.
tide_status tide_stuffing_fill(tide_stuffing_lattice *lattice, tide_stuffing *mesh, tide_error *error);

// --- stuffing_manifold.c

// Makes the surface manifold: where parts touch in a vertex or an edge alone, each gets vertices of its own, a
// thousandth of the way to what is around them away from the others'; where they cannot be parted, tetrahedra are
// removed. Angles change by that thousandth there, nowhere else.
tide_status tide_stuffing_mend(tide_stuffing *mesh, tide_error *error);
// Removes all but the largest of the pieces that share no vertex.
tide_status tide_stuffing_keep_largest(tide_stuffing *mesh, tide_error *error);
// Drops vertices that nothing uses.
tide_status tide_stuffing_compact(tide_stuffing *mesh, tide_error *error);

#endif
