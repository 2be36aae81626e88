// Keyframes of colliders, for collider.c.
#ifndef TIDE_COLLISION_KEYFRAMES_H
#define TIDE_COLLISION_KEYFRAMES_H

#include "collision/collider.h"

// Checks the keyframes of a definition and copies them into a collider that has its shape, which supplies omitted
// fields. `object` is the name in errors.
tide_status tide_collider_take_keyframes(tide_collider *collider, const tide_collider_def *def, const char *object,
                                         tide_error *error);

// Returns the slope at a key for a monotone cubic (Fritsch and Carlson 1980): `slope`, limited to three times the
// smaller of the slopes to its two neighbours, or 0 where these have different signs or one is 0. No coordinate then
// leaves the range of the two keys around it.
double tide_motion_monotone(double slope, double before, double after);

#endif
