// Exact decisions about points, segments and triangles, for checks that floating point alone cannot make.
//
// The volume of four points is computed in double precision first. Where its error bound does not separate it from 0,
// it is summed exactly, as an expansion: a list of doubles that do not overlap, whose sum is the value (Dekker 1971;
// Shewchuk 1997, Adaptive precision floating-point arithmetic and fast robust geometric predicates). Results are exact
// for coordinates that are 0 or from TIDE_PREDICATE_LEAST to 1e30 in magnitude: then no product underflows. Nothing is
// allocated; several threads may call these at once.
//
// Rules for degenerate positions, for two triangles t and u in different planes:
// - They cross if their interiors have a common point. The interiors then meet along a segment.
// - A triangle that reaches the plane of the other with its boundary alone touches it: a corner or an edge on a
//   triangle, an edge on an edge. Touching is not crossing. But an edge of u that lies in the plane of t and goes
//   through its interior may be where a surface passes through t: see tide_triangle_meeting.
// - Triangles in one plane touch, and a triangle without area has no interior: neither crosses anything.
// - Triangles may share corners (equal coordinates). With one shared corner, these rules hold beyond it. With two they
//   never cross.
#ifndef TIDE_GEOMETRY_PREDICATES_H
#define TIDE_GEOMETRY_PREDICATES_H

#include <stdbool.h>

#define TIDE_PREDICATE_LEAST 0x1p-200

// Returns the sign of the volume (a - d) . ((b - d) x (c - d)): 1 if a, b, c turn counterclockwise as seen from the
// side opposite to d, -1 if clockwise, 0 if the four points are in one plane.
int tide_orient3d(const double a[3], const double b[3], const double c[3], const double d[3]);

// How two triangles meet. The edge opposite to corner k of u lies in the plane of t and goes through its interior:
// edge_of_u = k, and `side` is the side of t, 1 or -1, on which that corner is. The surface of u passes through t there
// if the triangle beyond the edge is on the other side. Likewise edge_of_t. At most one of the three is set.
typedef struct tide_triangle_meeting {
    bool cross;
    int edge_of_t, edge_of_u; // -1: none
    int side;
} tide_triangle_meeting;
tide_triangle_meeting tide_triangles_meet(const double *const t[3], const double *const u[3]);

// Tells how the line from p to q meets the interior of the triangle t: 2 if the segment between p and q goes through
// it, 1 if q is on it and p is not in its plane, else 0. *side is the side of t on which p is, if it is not 0.
int tide_segment_meets_triangle(const double p[3], const double q[3], const double *const t[3], int *side);

#endif
