// What the files of the mesh doctor share: doctor.c (vertices and elements), doctor_surface.c (how they hang together),
// doctor_seams.c (vertices at one place), doctor_solid.c (tetrahedra inside out), orient.c, mend.c and mend_flat.c.
#ifndef TIDE_MESH_DOCTOR_H
#define TIDE_MESH_DOCTOR_H

#include "mesh/connectivity.h"

#include "base/vec3.h"

typedef struct tide_doctor {
    const tide_mesh *mesh;
    double diagonal, tolerance; // m; the tolerance is what counts as no length
    bool measurable;            // squares and cubes of its lengths are numbers
    tide_mesh_report *report;
    tide_error *error;
} tide_doctor;

typedef struct tide_finding {
    uint32_t count, first;
} tide_finding;

// Fills the measures of a doctor for this mesh.
tide_doctor tide_doctor_of(const tide_mesh *mesh, tide_mesh_report *report, tide_error *error);
void tide_doctor_note(tide_finding *finding, uint32_t index);
// Adds a problem, or a note when the kind is one.
__attribute__((format(printf, 5, 6))) void tide_doctor_report(tide_doctor *doctor, tide_mesh_problem_kind kind,
                                                              bool fatal, tide_finding finding, const char *format,
                                                              ...);
tide_vec3 tide_doctor_position(const tide_doctor *doctor, uint32_t vertex);
// "(0.1, 0, 2)" in `text`, which it returns.
const char *tide_doctor_place(const tide_doctor *doctor, uint32_t vertex, char text[64]);
double tide_doctor_distance(const tide_doctor *doctor, uint32_t a, uint32_t b); // of two vertices
// To join what is a gap apart with, but at least what counts as one place: a power of ten.
double tide_doctor_weld_distance(const tide_doctor *doctor, double gap);
// Whether a triangle has no area, a tetrahedron no volume. Of a mesh that is not measurable, none.
bool tide_doctor_is_flat_triangle(const tide_doctor *doctor, const uint32_t *triangle);
bool tide_doctor_is_flat_tetrahedron(const tide_doctor *doctor, const uint32_t *tetrahedron);
bool tide_doctor_is_short_edge(const tide_doctor *doctor, const uint32_t *edge);

// Elements of the lists of edges, triangles and tetrahedra that an earlier one has the vertices of, and of the first
// its list (0, 1, 2) in `list` and its index.
tide_status tide_doctor_count_copies(const tide_mesh *mesh, tide_finding *found, int *list, tide_error *error);

tide_status tide_doctor_find_doubles(tide_doctor *doctor); // seams and other vertices at one place
tide_status tide_doctor_find_inverted(tide_doctor *doctor);
tide_status tide_doctor_examine_surface(tide_doctor *doctor);
tide_status tide_doctor_find_pieces(tide_doctor *doctor);

// --- sets.c: disjoint sets of numbers

typedef struct tide_sets {
    uint32_t *parents; // (count); the flag of parity in `odd` is relative to the parent
    unsigned char *odd;
    uint32_t count;
} tide_sets;

// Each number by itself. False when there is no memory.
bool tide_sets_create(tide_sets *sets, uint32_t count);
void tide_sets_destroy(tide_sets *sets);
// The number that stands for the set; *odd, which may be NULL, whether `item` is opposite to it.
uint32_t tide_sets_find(tide_sets *sets, uint32_t item, bool *odd);
// Joins two sets so that a and b are opposite or alike. False when they are in one set already the other way.
bool tide_sets_join(tide_sets *sets, uint32_t a, uint32_t b, bool opposite);

// --- mend_flat.c

// The mesh, of triangles and edges, without triangles of no area, *mended of which were found: their corners become
// corners of the triangles next to them, so that a closed surface stays closed. *out is NULL where there are none.
// Fails when nothing would be left.
tide_status tide_mesh_mend_flat(const tide_mesh *mesh, tide_mesh **out, uint32_t *mended, tide_error *error);

// --- orient.c

typedef struct tide_orientation {
    unsigned char *turns;                     // (triangle_count) 1: to be turned
    uint32_t mixed;                           // edges across which two triangles face opposite ways
    uint32_t mixed_one, mixed_other;          // triangles of the first such edge
    uint32_t mixed_edge[2];                   // its vertices
    uint32_t inside_out, inside_out_triangle; // closed pieces that face inward, and the first triangle of the first
    uint32_t unorientable;                    // pieces
} tide_orientation;

// How to make the triangles face one way, as tide_mesh_mend tells. Edges on more than two triangles join no pieces.
tide_status tide_mesh_orient(const double *vertices, uint32_t vertex_count, const uint32_t *triangles,
                             uint32_t triangle_count, tide_orientation *orientation, tide_error *error);
void tide_orientation_destroy(tide_orientation *orientation);

#endif
