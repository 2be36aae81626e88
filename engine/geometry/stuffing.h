// Shared by the files of the tetrahedraliser. Other files include tetrahedralize.h.
#ifndef TIDE_GEOMETRY_STUFFING_H
#define TIDE_GEOMETRY_STUFFING_H

#include "geometry/distance.h"

// --- stuffing_lattice.c: the body-centred cubic lattice
// Cubes have the edge `cell`. The corner (i, j, k) and the centre of the cube that begins there share the cube's index
// c = (k * n[1] + j) * n[0] + i: they are the points 2 c and 2 c + 1. Long edges, of length cell, join successive
// corners, or successive centres, along an axis. Short edges, of length sqrt(3) / 2 cell, join a centre and the corners
// of its cube.

typedef enum tide_stuffing_label {
    TIDE_STUFFING_OUTSIDE,
    TIDE_STUFFING_SURFACE,
    TIDE_STUFFING_INSIDE
} tide_stuffing_label;

#define TIDE_STUFFING_NONE UINT32_MAX

// A cut of an edge by the surface. Edges belong to the cube of their first point: 0 to 2 are long ones from the corner
// along x, y, z, 3 to 5 from the centre, 6 to 13 short ones from the centre to the corners (bit 0: x, bit 1: y, ...).
typedef struct tide_stuffing_cut {
    double at;       // fraction of the edge from its first point
    uint32_t vertex; // of the mesh; TIDE_STUFFING_NONE until it is used
    uint32_t edge;   // 0 to 13
} tide_stuffing_cut;

typedef struct tide_stuffing_lattice {
    const tide_distance *distance;
    double cell, origin[3];  // m; origin: position of corner (0, 0, 0)
    uint32_t n[3];           // cubes each way; all points of the outermost are outside
    uint32_t stride[3];      // 1, n[0], n[0] * n[1]
    uint32_t cubes;          // n[0] * n[1] * n[2]
    double *values;          // (2 * cubes) m; far from the surface, only the sign is right
    unsigned char *labels;   // (2 * cubes) tide_stuffing_label
    uint32_t *moved;         // (2 * cubes) the cut that a point was moved to; TIDE_STUFFING_NONE: not moved
    uint32_t *starts;        // (cubes + 1) first cut of each cube
    tide_stuffing_cut *cuts; // (starts[cubes]) by cube and edge
} tide_stuffing_lattice;

// Samples the distance, finds the cuts and moves points to the surface: all but the stencils. The centre of the bounds
// is the centre of a lattice of n[] cubes, up to a shift by this fraction of a cell (less than a half) along each axis.
// Fails on a value that is not finite, and without memory.
tide_status tide_stuffing_lattice_create(const tide_distance *distance, double cell, double shift,
                                         tide_stuffing_lattice *lattice, tide_error *error);
void tide_stuffing_lattice_destroy(tide_stuffing_lattice *lattice);
// Computes the cubes each way for the bounds of the distance; doubles, since there may be very many.
void tide_stuffing_lattice_size(const tide_distance *distance, double cell, double n[3]);
// Returns the cut between a point inside and a point outside.
uint32_t tide_stuffing_cut_between(const tide_stuffing_lattice *lattice, uint32_t p, uint32_t q);
void tide_stuffing_position(const tide_stuffing_lattice *lattice, uint32_t point, double position[3]);
void tide_stuffing_cut_position(const tide_stuffing_lattice *lattice, uint32_t cube, const tide_stuffing_cut *cut,
                                double position[3]);
// Computes coordinates in units of half a cell: even for corners, odd for centres.
void tide_stuffing_coordinates(const tide_stuffing_lattice *lattice, uint32_t point, uint32_t at[3]);

// --- the mesh under construction

typedef struct tide_stuffing {
    double *vertices;     // (3 * vertex_count) m
    unsigned char *deep;  // (vertex_count) 1: interior, with all its tetrahedra
    uint32_t *tetrahedra; // (4 * tetrahedron_count)
    uint32_t vertex_count, tetrahedron_count;
    size_t vertex_capacity, deep_capacity, tetrahedron_capacity;
} tide_stuffing;

void tide_stuffing_destroy(tide_stuffing *mesh);
// Adds a vertex; false without memory.
bool tide_stuffing_add_vertex(tide_stuffing *mesh, const double position[3], bool deep, uint32_t *vertex);

// --- stuffing_stencils.c

// Fills `mesh`, which is all zero, with the parts of the lattice tetrahedra that are inside.
tide_status tide_stuffing_fill(tide_stuffing_lattice *lattice, tide_stuffing *mesh, tide_error *error);

// --- stuffing_manifold.c

// Makes the surface manifold. Where parts touch only in a vertex or an edge, each part gets vertices of its own, moved
// a thousandth of the way towards its middle. Where they cannot be separated, tetrahedra are removed. Angles change
// there, by about a thousandth, and nowhere else.
tide_status tide_stuffing_mend(tide_stuffing *mesh, tide_error *error);
// Removes all but the largest of the pieces without a common vertex.
tide_status tide_stuffing_keep_largest(tide_stuffing *mesh, tide_error *error);
// Removes unused vertices.
tide_status tide_stuffing_compact(tide_stuffing *mesh, tide_error *error);

#endif
