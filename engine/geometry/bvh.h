// A bounding volume hierarchy over triangles: closest point, boxes, segments; refitted to moved vertices without
// allocation.
//
// The tree is binary and of boxes along the axes, built by the surface area heuristic over bins (Wald 2007) and the
// same for the same input. Queries only read and may run in several threads at once. Results are those of a loop over
// all triangles; of several that are equally near, the lowest triangle.
#ifndef TIDE_GEOMETRY_BVH_H
#define TIDE_GEOMETRY_BVH_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct tide_bvh_node {
    double lower[3], upper[3];
    uint32_t
        first; // of a leaf: its first triangle in `order`; of an inner node: its second child; the first comes next
    uint32_t count; // triangles of a leaf; 0: an inner node
} tide_bvh_node;

// All of it is read-only for others.
typedef struct tide_bvh {
    uint32_t triangle_count, node_count;
    tide_bvh_node *nodes;    // (node_count) the root first, children after their parents
    uint32_t *order;         // (triangle_count) triangles in the order of the leaves
    uint32_t *corners;       // (3 * triangle_count) their corners in that order
    const double *from, *to; // (3 * vertices) the caller's arrays, m; `to` is `from` unless the boxes are swept
    double margin;           // m, by which the triangles' boxes are grown
} tide_bvh;

// Fails with no triangle, or without memory. `triangles` (3 * triangle_count) is copied; `vertices` is borrowed and
// must stay until the hierarchy is destroyed or refitted to other ones. Their indices must be in range and coordinates
// finite.
tide_status tide_bvh_create(const double *vertices, const uint32_t *triangles, uint32_t triangle_count, tide_bvh *bvh,
                            tide_error *error);
void tide_bvh_destroy(tide_bvh *bvh); // of one that is all zero, too

// Fits the boxes to the vertices where they are now. With `to`, boxes cover the triangles on straight ways from `from`
// to `to`; else it is NULL. All are grown by `margin` (m, at least 0). Allocates nothing.
void tide_bvh_refit(tide_bvh *bvh, const double *from, const double *to, double margin);

typedef enum tide_bvh_feature { TIDE_BVH_FACE, TIDE_BVH_EDGE, TIDE_BVH_CORNER } tide_bvh_feature;

typedef struct tide_bvh_point {
    uint32_t triangle;
    double weights[3];   // barycentric: at least 0, their sum is 1
    double position[3];  // m
    double squared;      // m^2, of the distance
    tide_bvh_feature on; // what of the triangle the point is on ...
    uint32_t which;      // ... edge 0: corners 0 and 1, 1: 1 and 2, 2: 2 and 0; or the corner; of a face 0
} tide_bvh_point;

// The point of a triangle that is closest to p; fills all but `triangle`. A triangle without area is its longest edge.
void tide_bvh_closest_on_triangle(const double a[3], const double b[3], const double c[3], const double p[3],
                                  tide_bvh_point *closest);
// The closest point of all triangles at `from`; false when none is nearer than `radius` (m; INFINITY: any; the point is
// then undefined).
bool tide_bvh_closest(const tide_bvh *bvh, const double p[3], double radius, tide_bvh_point *closest);
// The closest of all, with `place`, an index into `order`, as a first guess (any from triangle_count on: none): the
// better it is, the sooner it ends, with the same result. Returns the place of the closest.
uint32_t tide_bvh_closest_from(const tide_bvh *bvh, const double p[3], uint32_t place, tide_bvh_point *closest);

// Calls `visit` for each triangle whose box (swept and grown as refitted) has a point in common with the given box,
// until it returns false; in the order of the leaves.
void tide_bvh_overlaps(const tide_bvh *bvh, const double lower[3], const double upper[3],
                       bool (*visit)(void *context, uint32_t triangle), void *context);
// The same into an array of `capacity`: returns how many there are, also beyond its end.
uint32_t tide_bvh_collect(const tide_bvh *bvh, const double lower[3], const double upper[3], uint32_t *triangles,
                          uint32_t capacity);

typedef struct tide_bvh_hit {
    uint32_t triangle;
    double at;         // the hit is at start + at * (end - start), 0 to 1
    double weights[3]; // barycentric
    bool inward;       // the segment comes from the side that the triangle faces
} tide_bvh_hit;

// The first triangle at `from` that the segment meets, edges and corners included; triangles along the segment are
// passed over. False when it meets none.
bool tide_bvh_segment(const tide_bvh *bvh, const double start[3], const double end[3], tide_bvh_hit *hit);

#endif
