// Shared by the files of distances. Other files include distance.h.
#ifndef TIDE_GEOMETRY_DISTANCE_PARTS_H
#define TIDE_GEOMETRY_DISTANCE_PARTS_H

#include "base/vec3.h"
#include "geometry/distance.h"

// Check arguments of makers; errors name `object` ("distance sphere") and `field`. A size is from
// TIDE_DISTANCE_SMALLEST to TIDE_DISTANCE_LARGEST; coordinates of a point are at most the latter in magnitude.
tide_status tide_distance_check_size(double size, const char *object, const char *field, tide_error *error);
tide_status tide_distance_check_point(const double p[3], const char *object, const char *field, tide_error *error);
// Normalises a vector of any length but 0; leaves `unit` unchanged on failure.
tide_status tide_distance_check_direction(const double v[3], const char *object, const char *field, double unit[3],
                                          tide_error *error);

// Sets the depth and the cost of a combination of `count` parts, each evaluated `times` times. Fails where a limit is
// exceeded.
typedef struct tide_distance_nesting {
    uint32_t depth;
    double cost;
} tide_distance_nesting;
tide_status tide_distance_nest(const tide_distance *const *parts, uint32_t count, double times, const char *object,
                               tide_distance_nesting *nesting, tide_error *error);

// Returns a unit vector perpendicular to a unit vector.
tide_vec3 tide_distance_perpendicular(tide_vec3 unit);

#endif
