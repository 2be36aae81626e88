// Shared by the files of exposed surfaces. Other files include exposed.h.
#ifndef TIDE_GEOMETRY_EXPOSED_PARTS_H
#define TIDE_GEOMETRY_EXPOSED_PARTS_H

#include "base/error.h"
#include "base/vec3.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct tide_facet {
    tide_vec3 corner[3];
    uint32_t vertex[3];
    tide_vec3 normal; // unit
} tide_facet;

typedef enum tide_meeting {
    TIDE_MEET_APART,    // nowhere, in one point, or along an edge that they share
    TIDE_MEET_CROSSING, // along a segment
    TIDE_MEET_COPLANAR, // in an area
} tide_meeting;

// Tells how two triangles meet. Lengths up to `tolerance` (m) count as 0. For a crossing, sets `segment` to the part of
// `u` in the plane of `t`. (exposed_meet.c)
tide_meeting tide_facets_meet(const tide_facet *t, const tide_facet *u, double tolerance, tide_vec3 segment[2]);

// --- a triangle in its plane, cut into convex polygons along segments (exposed_cut.c): a binary space partition
typedef struct tide_cut_point {
    double at[2];    // m
    uint32_t corner; // 0 to 2: this corner of the triangle; 3: a new point
} tide_cut_point;

typedef struct tide_cut_node {
    double line[3]; // inner node: line[0] * x + line[1] * y > line[2] on the side of the first child
    uint32_t child; // the first of two children; 0: a leaf, which has the polygon ...
    uint32_t first; // ... of these points
    uint32_t count;
} tide_cut_node;

typedef struct tide_cut {
    tide_cut_node *nodes;
    tide_cut_point *points;
    size_t node_count, node_capacity, point_count, point_capacity;
    uint32_t *stack; // for the insertion
    size_t stack_capacity;
    double tolerance; // m
} tide_cut;

// Restarts with one leaf, the triangle of these corners. Returns false without memory.
bool tide_cut_begin(tide_cut *cut, const double corners[3][2]);
// Cuts each leaf that the segment passes through along the line of the segment. Returns false without memory.
bool tide_cut_along(tide_cut *cut, const double from[2], const double to[2]);
void tide_cut_destroy(tide_cut *cut);

#endif
