// Repeated evaluation of a distance near the same place.
#ifndef TIDE_GEOMETRY_DISTANCE_NEAR_H
#define TIDE_GEOMETRY_DISTANCE_NEAR_H

#include "geometry/distance.h"

#define TIDE_NO_HINT UINT32_MAX
// Returns the same value as tide_distance_at, bit for bit, for any hint. For a mesh, *hint tells where the search
// begins and is set to the place of the closest point: the search is faster for points that move little from call to
// call. Other kinds ignore it.
double tide_distance_at_from(const tide_distance *distance, const double p[3], uint32_t *hint, double gradient[3]);

#endif
