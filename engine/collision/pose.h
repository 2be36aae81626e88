// A rigid pose: the position and rotation of a collider's own frame. A point p of the own frame is at position + R p in
// the world.
#ifndef TIDE_COLLISION_POSE_H
#define TIDE_COLLISION_POSE_H

#include "base/error.h"
#include "base/vec3.h"

#include <stdbool.h>

#define TIDE_POSE_FARTHEST 1e9 // m: positions beyond it, along any axis, are refused

typedef struct tide_pose {
    double position[3]; // m
    double rotation[4]; // unit quaternion w, x, y, z
} tide_pose;

tide_pose tide_pose_identity(void);
// Tells whether both are the same transformation: q and -q are the same rotation.
bool tide_pose_equal(const tide_pose *a, const tide_pose *b);
// Sets the unit quaternion of a right-handed rotation (angle in radians) about an axis of any length but 0. Length 0 or
// NaN gives the identity.
void tide_quaternion_from_axis_angle(const double axis[3], double angle, double quaternion[4]);

// Rotates v by a unit quaternion; `sign` -1: by its inverse.
tide_vec3 tide_quaternion_turn(const double quaternion[4], double sign, tide_vec3 v);
static inline bool tide_pose_is_turned(const tide_pose *pose) // most colliders are never rotated
{
    return pose->rotation[1] != 0 || pose->rotation[2] != 0 || pose->rotation[3] != 0;
}
static inline tide_vec3 tide_pose_turn_by(const tide_pose *pose, double sign, tide_vec3 v)
{
    return tide_pose_is_turned(pose) ? tide_quaternion_turn(pose->rotation, sign, v) : v;
}
// Transform points, and directions (rotation only), from the own frame to the world and back. `out` may be `p`.
static inline void tide_pose_apply(const tide_pose *pose, const double p[3], double out[3])
{
    tide_vec3 turned = tide_pose_turn_by(pose, 1, tide_vec3_load(p));
    tide_vec3_store(out, tide_vec3_add(turned, tide_vec3_load(pose->position)));
}
static inline void tide_pose_apply_inverse(const tide_pose *pose, const double p[3], double out[3])
{
    tide_vec3 d = tide_vec3_subtract(tide_vec3_load(p), tide_vec3_load(pose->position));
    tide_vec3_store(out, tide_pose_turn_by(pose, -1, d));
}
static inline void tide_pose_turn(const tide_pose *pose, const double direction[3], double out[3])
{
    tide_vec3_store(out, tide_pose_turn_by(pose, 1, tide_vec3_load(direction)));
}
static inline void tide_pose_turn_inverse(const tide_pose *pose, const double direction[3], double out[3])
{
    tide_vec3_store(out, tide_pose_turn_by(pose, -1, tide_vec3_load(direction)));
}

// Compose two poses (first `inner`, then `outer`); invert a pose.
tide_pose tide_pose_compose(const tide_pose *outer, const tide_pose *inner);
tide_pose tide_pose_inverse(const tide_pose *pose);
// Interpolates: the origin moves along a line, the rotation goes the shorter way at a constant rate (slerp; Shoemake
// 1985). Exactly `a` at 0 and `b` at 1 (possibly with the negative quaternion).
tide_pose tide_pose_interpolate(const tide_pose *a, const tide_pose *b, double fraction);
// Returns the angle between two rotations, 0 to pi.
double tide_pose_angle(const tide_pose *a, const tide_pose *b);

// Checks a pose from outside: refuses numbers that are not finite or beyond TIDE_POSE_FARTHEST (fields "position" and
// "rotation" of `object`) and normalises the quaternion. Four zeros become the identity.
tide_status tide_pose_check(tide_pose *pose, const char *object, tide_error *error);

#endif
