// A hinge: two triangles that share an edge, of which the angle resists bending. The vertices are the ends of the edge,
// p0 and p1, and the opposite corners, p2 of the triangle (p0, p1, p2) and p3 of the triangle (p1, p0, p3).
//
// On a flat sheet with the height z over the plane, the jump of the normal derivative across the edge is the angle
// t = |sum K_i p_i| / |e|, with the cotangents of the angles at the edge's ends (Bergou et al. 2006, sec. 3)
//
//     K = (c03 + c04, c01 + c02, -c01 - c03, -c02 - c04),
//
// c01 and c02 at p0, c03 and c04 at p1. The bending energy of a hinge is f B/2 t^2 |e|^2 / (A + A'), with the areas of
// the triangles at rest and the bending stiffness B, N m: torque per width and curvature. What a sheet of hinges stores
// per area depends on the directions of its edges. With f = 3, as in Bergou et al. 2006 and Grinspun et al. 2003, it is
// B/2 (k1 + k2)^2 for the curvatures k1 = k2 of a sphere, but 3 B/2 k^2 for a cylinder, on regular meshes of
// equilateral as of right triangles, because only a third of the edges bends. Sheets bend to cylinders. On a grid with
// alternating diagonals the vertices of four and of eight edges also part by k h^2 / 12, h the length of a cell: the
// energy f (1 + d)^2
// + 5 f d^2 of this motion, relative to B/2 k^2, is least at d = -1/6, where it is 5/6 f. So f = 6/5: then such a
// grid bends to a cylinder as a plate of stiffness B, whose Poisson's ratio is -0.2 (a narrow strip is 0.96 times as
// stiff). A mesh of equilateral triangles is 1.2 times as stiff, and a grid with parallel diagonals, which couples
// bending and twist, 0.96 times.
#ifndef TIDE_MODEL_HINGE_H
#define TIDE_MODEL_HINGE_H

#include "base/vec3.h"

#include <stdint.h>

typedef struct tide_hinge_shape {
    double weights[4]; // K_i / sqrt(A + A'), 1/m
    double factor;     // |e|^2 / (A + A')
} tide_hinge_shape;

// Computes the shape at rest. Weights are not finite where a triangle has no area.
tide_hinge_shape tide_hinge_at_rest(const double *x, const uint32_t *vertices);

// The angle between the normals of the triangles, in (-pi, pi], positive where p2 and p3 are on the side that the
// normals point to; 0 where a triangle has no area.
double tide_hinge_angle(const double *x, const uint32_t *vertices);
// Computes the angle's gradient (12) and, if `hessian` is not NULL, its Hessian (12 * 12). A triangle without area adds
// nothing.
double tide_hinge_derivatives(const double *x, const uint32_t *vertices, double *gradient, double *hessian);

#endif
