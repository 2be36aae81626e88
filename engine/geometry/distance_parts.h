// What the files of distances share among themselves. Others include distance.h.
#ifndef TIDE_GEOMETRY_DISTANCE_PARTS_H
#define TIDE_GEOMETRY_DISTANCE_PARTS_H

#include "base/vec3.h"
#include "geometry/distance.h"

// Checks of what makers are given; errors name `object` ("distance sphere") and `field`. A size is from
// TIDE_DISTANCE_SMALLEST to TIDE_DISTANCE_LARGEST, a point's coordinates at most the latter in size.
tide_status tide_distance_check_size(double size, const char *object, const char *field, tide_error *error);
tide_status tide_distance_check_point(const double p[3], const char *object, const char *field, tide_error *error);
// Makes a vector of any length but 0 a unit vector; leaves `unit` as it was on failure.
tide_status tide_distance_check_direction(const double v[3], const char *object, const char *field, double unit[3],
                                          tide_error *error);

// Gives a combination of `count` parts its depth and its cost, where each part is evaluated `times` times. Fails where
// one of them is more than it may be.
typedef struct tide_distance_nesting {
    uint32_t depth;
    double cost;
} tide_distance_nesting;
tide_status tide_distance_nest(const tide_distance *const *parts, uint32_t count, double times, const char *object,
                               tide_distance_nesting *nesting, tide_error *error);

// A unit vector at right angles to a unit vector.
tide_vec3 tide_distance_perpendicular(tide_vec3 unit);

#endif
