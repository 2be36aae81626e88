// Meshes: geometry and topology, immutable and shared. A builder or transform returns a new mesh; meshes are counted
// references, so a scene, the cache of built meshes and a body can hold the same one.
//
//     tide_mesh_grid_def def;
//     tide_fields_default(tide_mesh_grid.fields, &def);
//     tide_mesh *mesh;
//     tide_status status = tide_mesh_grid.build(&def, &mesh, error);
//     tide_mesh_release(mesh); // after it is used; a body that was made of it has retained it
//
// Units are m. Shapes stand beside the arrays. On failure *mesh stays unchanged and the error names the field. Meshes
// may be read, retained and released by several threads at once: reference counts are atomic.
#ifndef TIDE_MESH_MESH_H
#define TIDE_MESH_MESH_H

#include "base/error.h"
#include "base/field.h"

#include <stdbool.h>
#include <stdint.h>

enum { TIDE_MESH_MAX_VERTICES = 100000000 };

// Indices start at 0 here; files and Lua start at 1.
typedef struct tide_mesh {
    uint32_t vertex_count, edge_count, triangle_count, tetrahedron_count, skip_count;
    double *vertices;      // (3 * vertex_count) m
    double *texture;       // (2 * vertex_count) texture coordinates, or NULL
    uint32_t *edges;       // (2 * edge_count)
    uint32_t *triangles;   // (3 * triangle_count) counter-clockwise from outside; for tetrahedra, their surface
    uint32_t *tetrahedra;  // (4 * tetrahedron_count) of positive volume
    uint32_t *skips;       // (2 * skip_count) vertices two apart along a line of a grid or a strand, for "skip" bending
    uint32_t turned_count; // tetrahedra that were given with negative volume
    uint32_t first_turned; // index of the first of them
    uint64_t topology_hash; // of the counts and index arrays
    uint64_t hash;          // of everything
    uint32_t references;    // owners; see tide_mesh_retain
    void *findings;         // the cached result of tide_mesh_check; NULL before
} tide_mesh;

// The arrays to make a mesh from. NULL or empty arrays are absent. Without edges, they are those of the triangles and
// tetrahedra; without triangles, they are the surface of the tetrahedra.
typedef struct tide_mesh_parts {
    uint32_t vertex_count, edge_count, triangle_count, tetrahedron_count, skip_count;
    const double *vertices, *texture;
    const uint32_t *edges, *triangles, *tetrahedra, *skips;
} tide_mesh_parts;

// Copies the parts into a new mesh with one reference. Fails without vertices, on a non-finite coordinate, an index out
// of range, an edge or face that names a vertex twice, and more than TIDE_MESH_MAX_VERTICES vertices. Reverses
// tetrahedra of negative volume, and triangles on the surface of tetrahedra that face inward.
tide_status tide_mesh_create(const tide_mesh_parts *parts, tide_mesh **mesh, tide_error *error);
tide_mesh_parts tide_mesh_view(const tide_mesh *mesh); // the mesh's own arrays, to change some and create another mesh

const tide_mesh *tide_mesh_retain(const tide_mesh *mesh); // returns it
void tide_mesh_release(const tide_mesh *mesh);            // NULL does nothing

// --- builders: each a definition struct with a field table (default, range, unit, help)
// Every builder is one file with a const tide_mesh_builder at its foot; the list is in builders.c. A definition starts
// as zeros, then tide_fields_default. The type of a field of TIDE_FIELD_OTHER follows from its lua_type: "tide.Mesh" is
// a const tide_mesh *, a type that begins with "number[][]" is a tide_mesh_points; both are borrowed, and NULL when not
// given.

typedef struct tide_mesh_points {
    const double *values; // (3 * count); NULL: not given
    uint32_t count;
} tide_mesh_points;

typedef struct tide_mesh_builder {
    const char *name, *help;
    const tide_field *fields;
    size_t definition_size; // of the struct that the fields describe
    tide_status (*build)(const void *definition, tide_mesh **mesh, tide_error *error);
} tide_mesh_builder;

const tide_mesh_builder *tide_mesh_builder_at(uint32_t index); // NULL past the last

typedef enum tide_diagonals {
    TIDE_DIAGONALS_ALTERNATING, // cell (c, r) is split like a checkerboard
    TIDE_DIAGONALS_FORWARD,     // from (c, r) to (c+1, r+1)
    TIDE_DIAGONALS_BACKWARD,    // from (c+1, r) to (c, r+1)
    TIDE_DIAGONALS_BOTH,        // both diagonals are edges; triangles as with ALTERNATING
    TIDE_DIAGONALS_NONE         // no diagonal is an edge; triangles as with ALTERNATING
} tide_diagonals;

// A grid in the x-z plane at y = 0, from the origin, columns along x and rows along z. Vertex (column c, row r) has
// index r * columns + c. Skips are along rows and columns. Texture coordinates are x and z divided by the larger of
// width and height.
typedef struct tide_mesh_grid_def {
    int columns, rows;    // vertices each way, at least 2
    double width, height; // m, along x and along z
    int diagonals;        // tide_diagonals
} tide_mesh_grid_def;
extern const tide_mesh_builder tide_mesh_grid;

// A line of `points` vertices with an edge between neighbours and a skip between vertices two apart.
typedef struct tide_mesh_strand_def {
    int points;            // at least 2
    double from[3], to[3]; // m
} tide_mesh_strand_def;
extern const tide_mesh_builder tide_mesh_strand;

// A strand from each root: at the vertices of `on` that triangles use, in their order; at `count` random points on its
// triangles; or at `roots`, by default the origin. Vertex i of strand s, counted from the root, has index s * points +
// i. Edges join neighbours, skips join vertices two apart. All edges of a strand have the same length. A strand starts
// along its normal; `curl` makes it a helix whose radius grows linearly from 0 at the root.
typedef struct tide_mesh_strands_def {
    int points;               // of each strand, at least 2
    int count;                // 0: one at each vertex
    int seed;                 // for random roots and for jitter
    double length;            // m, along the edges
    double curl, turns;       // m, radius at the tip; turns: at most (points - 1) / 2 where there is a curl
    double jitter;            // 0 to 0.9: relative random change of size, direction (tangent) and start angle of a curl
    const tide_mesh *on;      // has triangles
    tide_mesh_points roots;   // instead of `on`
    tide_mesh_points normals; // of roots: one for each, or one for all; any length but 0
} tide_mesh_strands_def;
extern const tide_mesh_builder tide_mesh_strands;

// A block of cells centred at the origin, each cut into five tetrahedra. Neighbouring cells are mirrored so that faces
// match. Edges are those of the tetrahedra.
typedef struct tide_mesh_box_def {
    double size[3];  // m
    double cells[3]; // along x, y, z; whole numbers of at least 1
} tide_mesh_box_def;
extern const tide_mesh_builder tide_mesh_box;

// --- closed surfaces face outward; no two vertices coincide. Texture coordinates around a closed direction run forth
// and back, so that there is no seam.

// A sphere: an icosahedron, subdivided `subdivisions` times. The texture maps each hemisphere from its pole, with equal
// area.
typedef struct tide_mesh_sphere_def {
    double radius;    // m
    int subdivisions; // 0 to 11: 10 * 4^subdivisions + 2 vertices
} tide_mesh_sphere_def;
extern const tide_mesh_builder tide_mesh_sphere;

// A cylinder or cone along y, of rings of `segments` vertices from the bottom up, each counter-clockwise from x as seen
// from above: vertex s of ring r has index r * segments + s, from y = -height / 2 to height / 2. A radius of 0 makes an
// end a tip: one vertex instead of a ring. Tips and the interiors of the caps come after all rings. Without caps, there
// are skips around the rings and along the side, and a texture: lengths around and along, divided by the larger one.
typedef struct tide_mesh_cylinder_def {
    double radius, top_radius; // m, not both 0; top_radius may be TIDE_NOT_GIVEN: as radius
    double height;             // m
    int segments, rows;        // vertices around, at least 3, and from the bottom to the top, at least 2
    bool caps;
} tide_mesh_cylinder_def;
extern const tide_mesh_builder tide_mesh_cylinder;

// A torus about y. Vertex s of ring r has index r * segments + s, counter-clockwise from x as seen from above; r goes
// around the tube, from the outermost ring up. Skips go both ways.
typedef struct tide_mesh_torus_def {
    double major, minor; // m: from the axis to the centre line of the tube; radius of the tube, the smaller one
    int segments, sides; // around the axis and around the tube, at least 3
} tide_mesh_torus_def;
extern const tide_mesh_builder tide_mesh_torus;

// --- transforms and refinement

tide_status tide_mesh_translate(const tide_mesh *mesh, const double by[3], tide_mesh **out, tide_error *error);
// Rotates about an axis through the origin (any length but 0), right-handed; `angle` is in radians.
tide_status tide_mesh_rotate(const tide_mesh *mesh, const double axis[3], double angle, tide_mesh **out,
                             tide_error *error);
// Scales by factors that are finite and not 0. A reflection (negative product) reverses triangles and tetrahedra, so
// that they still face outward.
tide_status tide_mesh_scale(const tide_mesh *mesh, const double factors[3], tide_mesh **out, tide_error *error);
// Halves every edge: a triangle becomes 4, a tetrahedron 8 (the inner octahedron is cut along its shortest diagonal), a
// free edge 2. Midpoints follow the old vertices. Skips are dropped where the mesh has triangles or tetrahedra. For
// pure lines, they are made again: between the two neighbours of each vertex that has two.
tide_status tide_mesh_subdivide(const tide_mesh *mesh, tide_mesh **out, tide_error *error);
// Joins each vertex to the lowest kept vertex within `distance` (m, at least 0: only coincident ones). Drops degenerate
// and duplicate elements, triangles between tetrahedra that were joined, and unused vertices (unless all are unused:
// free particles). Fails when no edge would be left.
tide_status tide_mesh_weld(const tide_mesh *mesh, double distance, tide_mesh **out, tide_error *error);

// --- topology: each result is allocated with tide_allocate, freed by the caller, and in ascending order

// Returns the distinct edges of triangles and tetrahedra, (2 * *count), lower index first.
tide_status tide_mesh_edges_of(uint32_t vertex_count, const uint32_t *triangles, uint32_t triangle_count,
                               const uint32_t *tetrahedra, uint32_t tetrahedron_count, uint32_t **edges,
                               uint32_t *count, tide_error *error);
// Returns the faces of exactly one tetrahedron, (3 * *count), outward for tetrahedra of positive volume. The lowest
// corner comes first; the order is that of the sorted corners.
tide_status tide_mesh_surface_of(const uint32_t *tetrahedra, uint32_t tetrahedron_count, uint32_t **triangles,
                                 uint32_t *count, tide_error *error);
// Returns the first two triangles at each edge, (2 * edge_count); TIDE_NO_TRIANGLE where there are fewer.
#define TIDE_NO_TRIANGLE UINT32_MAX
tide_status tide_mesh_edge_triangles(const tide_mesh *mesh, uint32_t **triangles, tide_error *error);
// Returns the pairs for "hinge" bending: for each edge with two triangles, the two vertices opposite it, (2 * *count),
// lower index first.
tide_status tide_mesh_hinges(const tide_mesh *mesh, uint32_t **pairs, uint32_t *count, tide_error *error);
// Returns the hinges with their edges, (4 * *count): both ends of the edge and the two vertices opposite it, in the
// order of the mesh's edges.
tide_status tide_mesh_hinge_corners(const tide_mesh *mesh, uint32_t **corners, uint32_t *count, tide_error *error);
// Finds out whether the triangles enclose a volume: each edge of a triangle has one more triangle, of the same
// orientation. *edge is the first edge that has not, an index of mesh->edges, or mesh->edge_count; *turned: it has two
// triangles, of opposite orientations.
tide_status tide_mesh_find_opening(const tide_mesh *mesh, uint32_t *edge, bool *turned, tide_error *error);

// Returns the pairs for "skip" bending of a mesh of edges alone: for each vertex with exactly two edges, its two
// neighbours, (2 * *count), lower index first, unless an edge joins them. Other meshes have none.
tide_status tide_mesh_path_skips(const tide_mesh *mesh, uint32_t **pairs, uint32_t *count, tide_error *error);

// Returns the signed volume, dot(p1 - p0, cross(p2 - p0, p3 - p0)) / 6; positive for the tetrahedra of a mesh.
double tide_mesh_tetrahedron_volume(const double *vertices, const uint32_t tetrahedron[4]);
void tide_mesh_bounds(const tide_mesh *mesh, double lower[3], double upper[3]);

// --- the mesh doctor

// Lengths up to 1e-9 of the diagonal of the bounding box count as 0; so do areas up to 1e-9 of the square, and volumes
// up to 1e-12 of the cube, of the longest side.
typedef enum tide_mesh_problem_kind {
    TIDE_MESH_ISOLATED_VERTEX,        // in no edge, triangle or tetrahedron (of a mesh with any of them)
    TIDE_MESH_SEAM,                   // along rims that coincide to within 1e-5 of the diagonal: not welded
    TIDE_MESH_DUPLICATE_VERTEX,       // two coincident vertices that are not on a seam
    TIDE_MESH_MASSLESS_VERTEX,        // in elements, but in none with mass: density gives it no mass
    TIDE_MESH_ZERO_EDGE,              // an edge of length 0
    TIDE_MESH_DEGENERATE_TRIANGLE,    // of area 0
    TIDE_MESH_DEGENERATE_TETRAHEDRON, // of volume 0
    TIDE_MESH_DUPLICATE_ELEMENT,      // an edge, triangle or tetrahedron given twice
    TIDE_MESH_SLIVER_TRIANGLE,        // its height is below 1/100 of its longest side
    TIDE_MESH_SLIVER_TETRAHEDRON,     // 3 * inradius / circumradius (1 for a regular one) is below 1/200
    TIDE_MESH_INVERTED_TETRAHEDRON,   // two on the same side of a common face: counts faces
    TIDE_MESH_NON_MANIFOLD_EDGE,      // with more than two triangles
    TIDE_MESH_NON_MANIFOLD_VERTEX,    // where parts of the surface meet that share no edge there
    TIDE_MESH_MIXED_ORIENTATION,      // two triangles at an edge that face opposite ways
    TIDE_MESH_INSIDE_OUT,             // a closed piece of the surface that faces inward, and lies in no other
    TIDE_MESH_SUSPICIOUS_SIZE,        // over 100 m or under 1 mm: is it in millimetres?
    TIDE_MESH_OPEN_SURFACE,           // a note: edges with one triangle, as a cloth has
    TIDE_MESH_PIECES,                 // a note: several disconnected parts
    TIDE_MESH_TURNED_TETRAHEDRA,      // a note: given with negative volume; only the order of corners tells
    TIDE_MESH_PROBLEM_KINDS
} tide_mesh_problem_kind;

typedef struct tide_mesh_problem {
    tide_mesh_problem_kind kind;
    bool fatal;     // a body of this mesh cannot be simulated sensibly: an isolated vertex, an edge of length 0, a
                    // tetrahedron of volume 0
    uint32_t count; // number of occurrences
    uint32_t first; // index of the first, from 0: of a vertex, element, edge (TIDE_MESH_ZERO_EDGE and NON_MANIFOLD), or
                    // triangle (TIDE_MESH_MIXED_ORIENTATION, INSIDE_OUT, OPEN_SURFACE)
    char text[320]; // what, where (indices from 1, position) and what to do
} tide_mesh_problem;

typedef struct tide_mesh_report {
    uint32_t problem_count, note_count; // at most one entry of a kind in both together
    tide_mesh_problem problems[TIDE_MESH_PROBLEM_KINDS];
    tide_mesh_problem notes[TIDE_MESH_PROBLEM_KINDS]; // observations that may be as intended: never fatal
} tide_mesh_report;

// Examines a mesh. The report is cached in the mesh.
tide_status tide_mesh_check(const tide_mesh *mesh, tide_mesh_report *report, tide_error *error);

// The repairs of a mesh that was read, in this order.
typedef struct tide_mesh_mend_def {
    double scale; // factor of all coordinates, above 0; 1: as it is
    double weld;  // m, joins vertices this close; TIDE_NOT_GIVEN: none; with `fix` at least coincident ones
    bool fix;     // all repairs of tide_mesh_mend
} tide_mesh_mend_def;
extern const tide_field tide_mesh_mend_fields[];

// Counts of what tide_mesh_mend has done.
typedef struct tide_mesh_mending {
    uint32_t joined_vertices, dropped_vertices; // dropped: unused vertices
    uint32_t duplicate_elements;                // dropped: repeated elements
    uint32_t joined_elements; // dropped: edges, triangles and tetrahedra that became degenerate or duplicate by joining
                              // vertices, or (triangles) are no longer on the surface of a solid
    uint32_t flat_elements;   // triangles of area 0, mended by changing edges; tetrahedra of volume 0, dropped
    uint32_t turned_triangles;
    uint32_t unorientable_pieces; // of the surface, like a Moebius strip: left unchanged
} tide_mesh_mending;

// Repairs a mesh. With `fix`: joins vertices, drops duplicate elements and flat tetrahedra, mends flat triangles by
// splitting their neighbours at the middle corner (a closed surface stays closed; in a mesh with tetrahedra they are
// dropped), drops unused vertices and the edges that only flat elements had, and orients each piece of the surface
// consistently: outward if it is closed; as most of its triangles do if it is open, or within another closed piece,
// where it may bound a cavity. Fails on a number out of range and when no edge would be left. `mending` may be NULL. If
// there is nothing to do, returns the mesh itself, retained.
tide_status tide_mesh_mend(const tide_mesh *mesh, const tide_mesh_mend_def *def, const tide_mesh **out,
                           tide_mesh_mending *mending, tide_error *error);

#endif
