// Closest points of points, segments and triangles. Degenerate ones (of no length, of no area, parallel) have answers,
// too. Points are 3 doubles each, m; weights are at least 0 and add up to 1. All return the squared distance, m^2.
#ifndef TIDE_COLLISION_CLOSEST_POINTS_H
#define TIDE_COLLISION_CLOSEST_POINTS_H

#include <stdbool.h>

// *t in [0, 1]: the closest point is (1 - t) a + t b.
double tide_closest_on_segment(const double *p, const double *a, const double *b, double *t);
double tide_closest_on_triangle(const double *p, const double *a, const double *b, const double *c, double weights[3]);
// (1 - s) a + s b and (1 - t) c + t d. Of parallel ones that lie side by side, the middle of where they do.
double tide_closest_of_segments(const double *a, const double *b, const double *c, const double *d, double *s,
                                double *t);

// Weights of p's projection into the triangle's plane, which may be outside: below 0. False, and no weights, where the
// triangle has no area.
bool tide_triangle_weights(const double *p, const double *a, const double *b, const double *c, double weights[3]);

#endif
