// A bounding volume hierarchy over triangles: closest point and overlap of boxes. It is refitted to moved vertices
// without allocation.
//
// The tree is binary, of axis-aligned boxes, built by the surface area heuristic with bins (Wald 2007); the same input
// gives the same tree. Queries only read and may run in several threads at once. Results equal those of a loop over all
// triangles; of several that are equally near, the triangle with the lowest index counts. Lengths are m.
#ifndef TIDE_GEOMETRY_BVH_H
#define TIDE_GEOMETRY_BVH_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct tide_bvh_node {
    double lower[3], upper[3];
    uint32_t first; // leaf: its first triangle in `order`; inner node: its second child; the first follows it
    uint32_t count; // triangles of a leaf; 0: an inner node
} tide_bvh_node;

// All fields are read-only for users of the hierarchy.
typedef struct tide_bvh {
    uint32_t triangle_count, node_count;
    tide_bvh_node *nodes;    // (node_count) root first, parents before children
    uint32_t *order;         // (triangle_count) triangles in the order of the leaves
    uint32_t *corners;       // (3 * triangle_count) corners in that order
    const double *from, *to; // (3 * vertices) the caller's arrays, m; `to` is `from` unless the boxes are swept
    double margin;           // m, by which the boxes of triangles are enlarged
} tide_bvh;

// Builds the hierarchy. `triangles` (3 * triangle_count) is copied; `vertices` is borrowed until the hierarchy is
// destroyed or refitted to other vertices. Indices must be in range and coordinates finite. Fails without triangles, or
// without memory.
tide_status tide_bvh_create(const double *vertices, const uint32_t *triangles, uint32_t triangle_count, tide_bvh *bvh,
                            tide_error *error);
void tide_bvh_destroy(tide_bvh *bvh); // also one that is all zero

// Fits the boxes to moved vertices. With `to`, boxes cover the triangles on straight paths from `from` to `to`; else it
// is NULL. All boxes are enlarged by `margin` (m, at least 0). Allocates nothing.
void tide_bvh_refit(tide_bvh *bvh, const double *from, const double *to, double margin);

typedef enum tide_bvh_feature { TIDE_BVH_FACE, TIDE_BVH_EDGE, TIDE_BVH_CORNER } tide_bvh_feature;

typedef struct tide_bvh_point {
    uint32_t triangle;
    double weights[3];   // barycentric: at least 0, their sum is 1
    double position[3];  // m
    double squared;      // m^2, of the distance
    tide_bvh_feature on; // the feature of the triangle that the point is on ...
    uint32_t which; // ... edge 0: corners 0 and 1, 1: 1 and 2, 2: 2 and 0; or the number of the corner; 0 for the face
} tide_bvh_point;

// Finds the point of a triangle that is closest to p; fills all fields but `triangle`. A triangle without area counts
// as its longest edge.
void tide_bvh_closest_on_triangle(const double a[3], const double b[3], const double c[3], const double p[3],
                                  tide_bvh_point *closest);
// Finds the closest point of all triangles at `from`. Returns false when none is nearer than `radius` (m; INFINITY: no
// limit); the point is then undefined.
bool tide_bvh_closest(const tide_bvh *bvh, const double p[3], double radius, tide_bvh_point *closest);
// Finds the closest point of all triangles. `place`, an index into `order`, is a first guess (triangle_count or more:
// none): a good guess makes the search faster; the result is the same. Returns the place of the closest triangle.
uint32_t tide_bvh_closest_from(const tide_bvh *bvh, const double p[3], uint32_t place, tide_bvh_point *closest);

// Calls `visit` for each triangle whose box (swept and enlarged by refitting) has a common point with the given box, in
// the order of the leaves, until it returns false.
void tide_bvh_overlaps(const tide_bvh *bvh, const double lower[3], const double upper[3],
                       bool (*visit)(void *context, uint32_t triangle), void *context);

#endif
