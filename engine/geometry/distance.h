// Signed distance functions, m: negative inside, 0 on the surface. They are the input of tetrahedral meshing and the
// shapes of colliders.
//
//     const tide_distance *ball;
//     tide_status status = tide_distance_sphere((const double[3]) { 0, 1, 0 }, 0.5, &ball, error);
//     double value = tide_distance_at(ball, p, gradient);
//     tide_distance_release(ball);
//
// A distance is immutable and shared by counted references, as a mesh is. Makers retain their arguments; the caller
// releases the result. Values may be computed by several threads at once. All lengths are m, `p` is a point. The
// magnitude of a value is at most the true distance to the surface (combinations may underestimate), and it changes by
// at most 1 per metre, so that a step by the value never passes through the surface. Sampled functions
// (tide_distance_grid) are as good as their samples.
#ifndef TIDE_GEOMETRY_DISTANCE_H
#define TIDE_GEOMETRY_DISTANCE_H

#include "mesh/mesh.h"

typedef struct tide_distance tide_distance;

// A kind of distance: one const table, in the file of the kind.
typedef struct tide_distance_kind {
    const char *name;
    // Returns the value at p, and its gradient; `gradient` may be NULL. Where the value is exact, the gradient is a
    // unit vector (of one of the nearest points, if there are several), elsewhere its length is at most 1. Allocates
    // nothing; several threads may call it at once.
    double (*at)(const tide_distance *distance, const double p[3], double gradient[3]);
    void (*destroy)(tide_distance *distance); // frees what the kind owns, not the struct; NULL: nothing
    // For tide_distance_moving (distance_moving.h); else NULL.
    void (*move)(tide_distance *distance, const double *vertices);
    void (*nearest)(const tide_distance *distance, const double p[3], uint32_t hint, uint32_t *triangle,
                    double weights[3]);
    bool convex; // the value is a convex function of p
    bool open;   // there is no inside: the value is never negative
} tide_distance_kind;

// At the start of the struct of every kind.
struct tide_distance {
    const tide_distance_kind *kind;
    uint32_t references;
    double lower[3], upper[3]; // bounds of the inside; infinite where it is unbounded; lower = upper: empty
    double steepest;           // bound of the change of a value per metre: 1, or more for steep samples
    uint32_t depth;            // of nested combinations: 0 for a primitive; TIDE_DISTANCE_DEPTH at most
    double cost;               // primitives evaluated for a value: 1 for a primitive; TIDE_DISTANCE_COST at most
};

// Allocates `size` zeroed bytes that start with a tide_distance of this kind, with one reference and `steepest` 1.
// Returns NULL without memory. For makers.
tide_distance *tide_distance_allocate(const tide_distance_kind *kind, size_t size);

double tide_distance_at(const tide_distance *distance, const double p[3], double gradient[3]);
const tide_distance *tide_distance_retain(const tide_distance *distance); // returns it
void tide_distance_release(const tide_distance *distance);                // NULL does nothing

// Sizes (radii, sides, spacings) are from TIDE_DISTANCE_SMALLEST to TIDE_DISTANCE_LARGEST, m; coordinates of points are
// at most the latter in magnitude; directions have any length but 0. Else makers fail with the object "distance sphere"
// and so on.
#define TIDE_DISTANCE_SMALLEST 1e-9
#define TIDE_DISTANCE_LARGEST 1e9

// A combination is one level deeper than its deepest part, and costs as much as its parts together; a repetition costs
// as much as the at most 27 copies next to a point. Evaluation is recursive, so makers fail beyond a depth. A part may
// be used many times, so that the cost can double with each level (d = d + d); makers fail beyond a cost, too.
enum { TIDE_DISTANCE_DEPTH = 1000 };
#define TIDE_DISTANCE_COST 1e7

// --- primitives (distance_primitives.c; distance_ellipsoid.c): exact.
// The half-space normal . p < offset; `normal` is normalised.
tide_status tide_distance_plane(const double normal[3], double offset, const tide_distance **out, tide_error *error);
tide_status tide_distance_sphere(const double centre[3], double radius, const tide_distance **out, tide_error *error);
tide_status tide_distance_capsule(const double from[3], const double to[3], double radius, const tide_distance **out,
                                  tide_error *error);
tide_status tide_distance_cylinder(const double from[3], const double to[3], double radius, const tide_distance **out,
                                   tide_error *error);
// A capsule from a point to itself is a sphere; a cylinder must have a length. The box is centred at the origin with
// sides `size`; its edges may be rounded on the inside, by at most half of its shortest side. A torus has a `minor`
// radius, of the tube, which is at most the `major` one, of the ring.
tide_status tide_distance_box(const double size[3], double rounding, const tide_distance **out, tide_error *error);
tide_status tide_distance_ellipsoid(const double centre[3], const double radii[3], const tide_distance **out,
                                    tide_error *error);
tide_status tide_distance_torus(const double centre[3], const double axis[3], double major, double minor,
                                const tide_distance **out, tide_error *error);

// --- combinations (distance_combine.c)
// For `count` >= 1 parts. `blend` (m, 0 to 1e9) rounds the seam by a quadratic polynomial where two values differ by
// less than it; more than two parts are blended one after the other.
tide_status tide_distance_union(const tide_distance *const *parts, uint32_t count, double blend,
                                const tide_distance **out, tide_error *error);
tide_status tide_distance_intersection(const tide_distance *const *parts, uint32_t count, double blend,
                                       const tide_distance **out, tide_error *error);
// Returns the first part minus the others.
tide_status tide_distance_difference(const tide_distance *const *parts, uint32_t count, double blend,
                                     const tide_distance **out, tide_error *error);
tide_status tide_distance_translate(const tide_distance *of, const double by[3], const tide_distance **out,
                                    tide_error *error);
tide_status tide_distance_rotate(const tide_distance *of, const double axis[3], double angle, const tide_distance **out,
                                 tide_error *error);
tide_status tide_distance_scale(const tide_distance *of, double factor, const tide_distance **out, tide_error *error);
// Repeats a distance: `counts` copies along each axis (at least 1; together at most a million), `spacing` apart (a
// size; ignored for one copy), centred.
tide_status tide_distance_repeat(const tide_distance *of, const double spacing[3], const int counts[3],
                                 const tide_distance **out, tide_error *error);
// Offsets the surface by `by` (m, -1e9 to 1e9); positive grows it, with rounded edges.
tide_status tide_distance_grow(const tide_distance *of, double by, const tide_distance **out, tide_error *error);

// --- sampled (distance_grid.c): any function, sampled at the corners of cells that fill the bounds. Cells are nearly
// cubes with sides of `cell` or a little less. Values are trilinear between the corners, with the exact gradient. The
// inside ends at the bounds. Outside of them, a value combines the value at the nearest point of the bounds with the
// distance to it. `sample` is called once per corner. Fails on a value that is not finite, on a failure of `sample`,
// and on more than 2^25 corners.
typedef tide_status (*tide_distance_sampler)(void *context, const double p[3], double *value, tide_error *error);
tide_status tide_distance_grid(tide_distance_sampler sample, void *context, const double lower[3],
                               const double upper[3], double cell, const tide_distance **out, tide_error *error);
// A height field (distance_heightfield.c): `heights` (columns * rows, m; each count at least 2, together at most 2^25)
// over a rectangle of the x-z plane centred at the origin, columns along x, rows along z. The inside is below the
// surface, without a lower end, with walls below the sides of the rectangle. Cells are split with alternating
// diagonals, as those of a grid. Exact.
tide_status tide_distance_heightfield(uint32_t columns, uint32_t rows, double width, double depth,
                                      const double *heights, const tide_distance **out, tide_error *error);

// --- of a closed triangle mesh (distance_mesh.c): exact, by a bounding volume hierarchy (bvh.h). The sign is that of
// the angle-weighted pseudonormals (Baerentzen and Aanaes 2005). Pieces may overlap, and a piece may intersect itself:
// the inside is where the generalised winding number (winding.h) is at least 1, and the distance is that to the
// boundary of the union (exposed.h). A mesh that faces inward as a whole is reversed. Fails on a mesh that is open, not
// manifold or not consistently oriented, and names an edge and its position.
tide_status tide_distance_mesh(const tide_mesh *mesh, const tide_distance **out, tide_error *error);

// --- of any triangles, as a sheet without an inside (distance_sheet.c): exact and never negative. The gradient points
// away from the nearest point (on the surface, it is the normal of the triangle). Fails without triangles.
tide_status tide_distance_sheet(const tide_mesh *mesh, const tide_distance **out, tide_error *error);

#endif
