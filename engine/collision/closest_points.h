// Closest points of points, segments and triangles. Degenerate features (without length or area, or parallel) have
// answers, too. Points are 3 doubles each, m; weights are at least 0 and add up to 1. All functions return the squared
// distance, m^2, but tide_triangle_weights.
#ifndef TIDE_COLLISION_CLOSEST_POINTS_H
#define TIDE_COLLISION_CLOSEST_POINTS_H

#include <stdbool.h>

// *t in [0, 1]: the closest point is (1 - t) a + t b.
double tide_closest_on_segment(const double *p, const double *a, const double *b, double *t);
double tide_closest_on_triangle(const double *p, const double *a, const double *b, const double *c, double weights[3]);
// The closest points are (1 - s) a + s b and (1 - t) c + t d. For parallel segments side by side, they are in the
// middle of the overlap.
double tide_closest_of_segments(const double *a, const double *b, const double *c, const double *d, double *s,
                                double *t);

// Sets the barycentric weights of the projection of p into the plane of the triangle; they may be negative. Returns
// false, without weights, for a triangle without area.
bool tide_triangle_weights(const double *p, const double *a, const double *b, const double *c, double weights[3]);

#endif
