// Keyframes of colliders: what collider.c asks of keyframes.c.
#ifndef TIDE_COLLISION_KEYFRAMES_H
#define TIDE_COLLISION_KEYFRAMES_H

#include "collision/collider.h"

// Checks and copies the keyframes of a definition into a collider that has its shape, completing them from it. `object`
// is what errors name.
tide_status tide_collider_take_keyframes(tide_collider *collider, const tide_collider_def *def, const char *object,
                                         tide_error *error);

// The slope at a key for a monotone cubic (Fritsch and Carlson 1980): `slope`, but none where the slopes to its two
// neighbours have different signs or one is 0, and at most three times the smaller of them. Between two keys no
// coordinate then leaves the range of theirs.
double tide_motion_monotone(double slope, double before, double after);

#endif
