// Shared by the files of the mesh doctor: doctor.c (the list of checks; vertices and elements), doctor_surface.c
// (connectivity of surfaces), doctor_seams.c (coincident vertices), doctor_solid.c (inverted tetrahedra),
// doctor_measures.c, orient.c, mend.c and mend_flat.c.
#ifndef TIDE_MESH_DOCTOR_H
#define TIDE_MESH_DOCTOR_H

#include "mesh/connectivity.h"

#include "base/vec3.h"

typedef struct tide_doctor {
    const tide_mesh *mesh;
    double diagonal, tolerance; // m; lengths up to the tolerance count as 0
    bool measurable;            // squares and cubes of its lengths are finite and not 0
    tide_mesh_report *report;
    tide_error *error;
} tide_doctor;

typedef struct tide_finding {
    uint32_t count, first;
} tide_finding;

// --- doctor_measures.c

// Measures the mesh for a doctor.
tide_doctor tide_doctor_of(const tide_mesh *mesh, tide_mesh_report *report, tide_error *error);
void tide_doctor_note(tide_finding *finding, uint32_t index);
// Adds a problem, or a note when the kind is one.
__attribute__((format(printf, 5, 6))) void tide_doctor_report(tide_doctor *doctor, tide_mesh_problem_kind kind,
                                                              bool fatal, tide_finding finding, const char *format,
                                                              ...);
tide_vec3 tide_doctor_position(const tide_doctor *doctor, uint32_t vertex);
// Writes "(0.1, 0, 2)" to `text` and returns it.
const char *tide_doctor_place(const tide_doctor *doctor, uint32_t vertex, char text[64]);
double tide_doctor_distance(const tide_doctor *doctor, uint32_t a, uint32_t b); // between two vertices
// Returns the longest distance between two of `width` vertices.
double tide_doctor_longest_side(const tide_doctor *doctor, const uint32_t *tuple, uint32_t width);
double tide_doctor_twice_area(const tide_doctor *doctor, uint32_t a, uint32_t b, uint32_t c); // of a triangle
// Returns a welding distance for a gap, at least the tolerance: a power of ten.
double tide_doctor_weld_distance(const tide_doctor *doctor, double gap);
// Tell whether a triangle has area 0, or a tetrahedron volume 0; false for a mesh that is not measurable.
bool tide_doctor_is_flat_triangle(const tide_doctor *doctor, const uint32_t *triangle);
bool tide_doctor_is_flat_tetrahedron(const tide_doctor *doctor, const uint32_t *tetrahedron);
bool tide_doctor_is_short_edge(const tide_doctor *doctor, const uint32_t *edge);

// --- the checks

// Counts the edges, triangles and tetrahedra with the same vertices as an earlier one. Sets `list` (0, 1, 2) and the
// index for the first.
tide_status tide_doctor_count_copies(const tide_mesh *mesh, tide_finding *found, int *list, tide_error *error);

tide_status tide_doctor_find_doubles(tide_doctor *doctor); // seams and other coincident vertices
tide_status tide_doctor_find_inverted(tide_doctor *doctor);
tide_status tide_doctor_examine_surface(tide_doctor *doctor);
tide_status tide_doctor_find_pieces(tide_doctor *doctor);

// --- sets.c: disjoint sets of numbers

typedef struct tide_sets {
    uint32_t *parents; // (count); the parity in `odd` is relative to the parent
    unsigned char *odd;
    uint32_t count;
} tide_sets;

// Makes `count` sets of one number each. Returns false without memory.
bool tide_sets_create(tide_sets *sets, uint32_t count);
void tide_sets_destroy(tide_sets *sets);
// Returns the representative of the set. Sets *odd (may be NULL) if `item` has the opposite parity.
uint32_t tide_sets_find(tide_sets *sets, uint32_t item, bool *odd);
// Joins two sets so that a and b have the same or the opposite parity. Returns false if they are already in one set
// with the other parity.
bool tide_sets_join(tide_sets *sets, uint32_t a, uint32_t b, bool opposite);

// --- mend_flat.c

// Removes triangles of area 0 from a mesh of triangles and edges; *mended is their number. Their corners become corners
// of the neighbouring triangles, so that a closed surface stays closed. *out is NULL if there are none. Fails when
// nothing would be left.
tide_status tide_mesh_mend_flat(const tide_mesh *mesh, tide_mesh **out, uint32_t *mended, tide_error *error);

// --- orient.c

typedef struct tide_orientation {
    unsigned char *turns;                     // (triangle_count) 1: to be reversed
    uint32_t mixed;                           // edges whose two triangles face opposite ways
    uint32_t mixed_one, mixed_other;          // triangles at the first such edge
    uint32_t mixed_edge[2];                   // its vertices
    uint32_t inside_out, inside_out_triangle; // closed pieces that face inward, and a triangle of the first
    uint32_t unorientable;                    // pieces
} tide_orientation;

// Finds how to orient the triangles consistently, as tide_mesh_mend describes. Edges with more than two triangles do
// not connect pieces.
tide_status tide_mesh_orient(const double *vertices, uint32_t vertex_count, const uint32_t *triangles,
                             uint32_t triangle_count, tide_orientation *orientation, tide_error *error);
void tide_orientation_destroy(tide_orientation *orientation);

#endif
