// Distances asked again and again near the same place.
#ifndef TIDE_GEOMETRY_DISTANCE_NEAR_H
#define TIDE_GEOMETRY_DISTANCE_NEAR_H

#include "geometry/distance.h"

#define TIDE_NO_HINT UINT32_MAX
// As tide_distance_at, and equal to it to the last bit whatever the hint. Of a mesh, *hint tells where to look first
// and becomes where the closest point is: points that move little from call to call find it sooner. Others leave it
// alone.
double tide_distance_at_from(const tide_distance *distance, const double p[3], uint32_t *hint, double gradient[3]);

#endif
