// Signed distance functions: negative inside, 0 on the surface, in metres. They carve tetrahedral meshes and are the
// shapes of colliders.
//
// A distance is immutable and shared, as a mesh is: counted references. Makers retain what they are given. All lengths
// are m, `p` is a point; a value is at most the true distance to the surface in size (a bound: combined shapes may
// underestimate), and changes by at most 1 for each metre, so that one may step by it without passing through. Sampled
// functions (tide_distance_grid) are as good as what was sampled.
#ifndef TIDE_GEOMETRY_DISTANCE_H
#define TIDE_GEOMETRY_DISTANCE_H

#include "mesh/mesh.h"

typedef struct tide_distance tide_distance;

// A kind of distance: one const table, in the file of the kind.
typedef struct tide_distance_kind {
    const char *name;
    // The value at p, and its gradient; `gradient` may be NULL. Where the value is exact its length is 1 (where there
    // are several nearest points, it is that of one of them), elsewhere at most 1. Allocates nothing and may be called
    // by several threads at once.
    double (*at)(const tide_distance *distance, const double p[3], double gradient[3]);
    void (*destroy)(tide_distance *distance); // frees what the kind owns, not the struct; NULL: nothing
    // Of tide_distance_moving (distance_moving.h); NULL for others.
    void (*move)(tide_distance *distance, const double *vertices);
    void (*nearest)(const tide_distance *distance, const double p[3], uint32_t hint, uint32_t *triangle,
                    double weights[3]);
    bool convex; // the value is a convex function of p
} tide_distance_kind;

// At the start of the struct of every kind.
struct tide_distance {
    const tide_distance_kind *kind;
    uint32_t references;
    double lower[3], upper[3]; // bounds of what is inside; infinite where it has none; lower = upper: nothing is
    double steepest; // the most that a value changes by for each metre: 1, or more where what was sampled does
    uint32_t depth;  // of combinations nested in it: 0 for a primitive; TIDE_DISTANCE_DEPTH at most
    double cost;     // primitives that a value is made of: 1 for a primitive; TIDE_DISTANCE_COST at most
};

// For makers: a block of `size` bytes that starts with a tide_distance of this kind with one reference and `steepest`
// 1, else zero; NULL when there is no memory.
tide_distance *tide_distance_allocate(const tide_distance_kind *kind, size_t size);

double tide_distance_at(const tide_distance *distance, const double p[3], double gradient[3]);
const tide_distance *tide_distance_retain(const tide_distance *distance); // returns it
void tide_distance_release(const tide_distance *distance);                // NULL does nothing

// Sizes (radii, sides, distances apart) are from TIDE_DISTANCE_SMALLEST to TIDE_DISTANCE_LARGEST, m; coordinates of
// points at most the latter in size; directions of any length but 0. Else makers fail with the object "distance sphere"
// and so on.
#define TIDE_DISTANCE_SMALLEST 1e-9
#define TIDE_DISTANCE_LARGEST 1e9

// A combination is nested one deeper than its deepest part, and costs what its parts cost together; copies cost as
// much as the at most 27 that are next to a point. A value is found by recursion, so makers fail beyond a depth; and a
// part may be used again and again, so that the cost doubles with each level (d = d + d): they fail beyond a cost, too.
enum { TIDE_DISTANCE_DEPTH = 1000 };
#define TIDE_DISTANCE_COST 1e7

// --- primitives (distance_primitives.c; distance_ellipsoid.c): exact.
// What lies below the plane normal . p = offset, `normal` being made a unit vector, is inside.
tide_status tide_distance_plane(const double normal[3], double offset, const tide_distance **out, tide_error *error);
tide_status tide_distance_sphere(const double centre[3], double radius, const tide_distance **out, tide_error *error);
tide_status tide_distance_capsule(const double from[3], const double to[3], double radius, const tide_distance **out,
                                  tide_error *error);
tide_status tide_distance_cylinder(const double from[3], const double to[3], double radius, const tide_distance **out,
                                   tide_error *error);
// A capsule from a point to itself is a sphere, a cylinder must have a length. The box is centred at the origin, `size`
// from side to side; its edges may be rounded within, by at most half of its shortest side. A torus' `minor` radius, of
// the tube, is at most the `major` one, of the ring.
tide_status tide_distance_box(const double size[3], double rounding, const tide_distance **out, tide_error *error);
tide_status tide_distance_ellipsoid(const double centre[3], const double radii[3], const tide_distance **out,
                                    tide_error *error);
tide_status tide_distance_torus(const double centre[3], const double axis[3], double major, double minor,
                                const tide_distance **out, tide_error *error);

// --- combinations (distance_combine.c)
// Of `count` >= 1 parts. `blend` (m, 0 to 1e9): where two values differ by less, a smooth one rounds the seam, by a
// quadratic polynomial; of more than two parts, one after the other.
tide_status tide_distance_union(const tide_distance *const *parts, uint32_t count, double blend,
                                const tide_distance **out, tide_error *error);
tide_status tide_distance_intersection(const tide_distance *const *parts, uint32_t count, double blend,
                                       const tide_distance **out, tide_error *error);
// The first part without the others.
tide_status tide_distance_difference(const tide_distance *const *parts, uint32_t count, double blend,
                                     const tide_distance **out, tide_error *error);
tide_status tide_distance_translate(const tide_distance *of, const double by[3], const tide_distance **out,
                                    tide_error *error);
tide_status tide_distance_rotate(const tide_distance *of, const double axis[3], double angle, const tide_distance **out,
                                 tide_error *error);
tide_status tide_distance_scale(const tide_distance *of, double factor, const tide_distance **out, tide_error *error);
// `counts` copies along each axis (at least 1; a million in all at most), `spacing` apart (a size; not looked at where
// there is one copy), centred.
tide_status tide_distance_repeat(const tide_distance *of, const double spacing[3], const int counts[3],
                                 const tide_distance **out, tide_error *error);
// Offset by `by` (m, -1e9 to 1e9): grown where positive, with rounded edges.
tide_status tide_distance_grow(const tide_distance *of, double by, const tide_distance **out, tide_error *error);

// --- sampled (distance_grid.c): any function at the corners of cells that fill the bounds, nearly cubes with sides of
// `cell` or a little less; trilinear between the corners, with the exact gradient of that. The bounds are walls: what
// is inside ends there. Outside, the value is made of the one at the nearest place within and the distance to it.
// `sample` is called once a corner; fails on what is not finite, on its own failure, and on more than 2^25 corners.
typedef tide_status (*tide_distance_sampler)(void *context, const double p[3], double *value, tide_error *error);
tide_status tide_distance_grid(tide_distance_sampler sample, void *context, const double lower[3],
                               const double upper[3], double cell, const tide_distance **out, tide_error *error);
// A height field (distance_heightfield.c): `heights` (columns * rows, m, each count at least 2, 2^25 in all at most)
// over a rectangle of the x-z plane centred at the origin, columns along x, rows along z; what lies below the surface,
// down to no end, is inside, with walls below the rectangle's sides. Cells are split as a grid's with alternating
// diagonals; exact.
tide_status tide_distance_heightfield(uint32_t columns, uint32_t rows, double width, double depth,
                                      const double *heights, const tide_distance **out, tide_error *error);

// --- of a closed triangle mesh (distance_mesh.c): exact, by a bounding volume hierarchy (bvh.h). The sign is that of
// the angle-weighted pseudonormals (Baerentzen and Aanaes 2005). Pieces may overlap, and a piece may pass through
// itself: the inside is where the generalised winding number (winding.h) is at least 1, and the distance is that to the
// boundary of the union (exposed.h). Fails on a mesh that is open, not manifold or not oriented consistently, naming an
// edge and where it is; one that faces inward as a whole is turned.
tide_status tide_distance_mesh(const tide_mesh *mesh, const tide_distance **out, tide_error *error);

// --- of any triangles, as a sheet without an inside (distance_sheet.c): exact and never negative, with the direction
// away from the nearest point as its gradient (on the surface, the triangle's normal). Fails without triangles.
tide_status tide_distance_sheet(const tide_mesh *mesh, const tide_distance **out, tide_error *error);

#endif
