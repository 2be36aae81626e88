#include "collision/pose.h"

#include "base/elementary.h"

#include <stdio.h>
#include <string.h>

tide_pose tide_pose_identity(void)
{
    return (tide_pose) { .rotation = { 1, 0, 0, 0 } };
}

static double dot(const double a[4], const double b[4])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

bool tide_pose_equal(const tide_pose *a, const tide_pose *b)
{
    bool same = true, opposite = true, position = true;
    for (int k = 0; k < 3; k++)
        position = position && a->position[k] == b->position[k];
    for (int k = 0; k < 4; k++) {
        same = same && a->rotation[k] == b->rotation[k];
        opposite = opposite && a->rotation[k] == -b->rotation[k];
    }
    return position && (same || opposite);
}

// Normalises q, scaled by the largest component first so that no square overflows or vanishes; false for length 0.
static bool normalize(double q[4])
{
    double largest = 0;
    for (int k = 0; k < 4; k++) {
        if (!isfinite(q[k]))
            return false;
        largest = fmax(largest, fabs(q[k]));
    }
    if (largest == 0)
        return false;
    double scaled[4];
    for (int k = 0; k < 4; k++)
        scaled[k] = q[k] / largest;
    double length = sqrt(dot(scaled, scaled));
    for (int k = 0; k < 4; k++)
        q[k] = scaled[k] / length;
    return true;
}

void tide_quaternion_from_axis_angle(const double axis[3], double angle, double quaternion[4])
{
    double unit[4] = { 0, axis[0], axis[1], axis[2] };
    if (!normalize(unit) || !isfinite(angle)) {
        memcpy(quaternion, tide_pose_identity().rotation, sizeof(double[4]));
        return;
    }
    double c = tide_cos(angle / 2), s = tide_sin(angle / 2);
    quaternion[0] = c;
    for (int k = 1; k < 4; k++)
        quaternion[k] = s * unit[k];
}

// v + 2 w (u x v) + 2 u x (u x v): the rotation of v by the unit quaternion (w, u), or its inverse for `sign` -1.
tide_vec3 tide_quaternion_turn(const double q[4], double sign, tide_vec3 v)
{
    tide_vec3 u = { sign * q[1], sign * q[2], sign * q[3] };
    tide_vec3 once = tide_vec3_scale(tide_vec3_cross(u, v), 2);
    return tide_vec3_add(tide_vec3_add(v, tide_vec3_scale(once, q[0])), tide_vec3_cross(u, once));
}

tide_pose tide_pose_compose(const tide_pose *outer, const tide_pose *inner)
{
    const double *a = outer->rotation, *b = inner->rotation;
    tide_pose out;
    tide_pose_apply(outer, inner->position, out.position);
    out.rotation[0] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
    out.rotation[1] = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
    out.rotation[2] = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];
    out.rotation[3] = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
    normalize(out.rotation); // keeps long products of rotations rigid
    return out;
}

tide_pose tide_pose_inverse(const tide_pose *pose)
{
    const double *q = pose->rotation;
    tide_pose out = { .rotation = { q[0], -q[1], -q[2], -q[3] } };
    const double origin[3] = { 0, 0, 0 };
    tide_pose_apply_inverse(pose, origin, out.position);
    return out;
}

// Returns half the angle between two quaternions of one half-space: accurate for small angles, unlike acos.
static double half_angle(const double a[4], const double b[4], double sign)
{
    double difference = 0, sum = 0;
    for (int k = 0; k < 4; k++) {
        double d = sign * b[k] - a[k], s = sign * b[k] + a[k];
        difference += d * d;
        sum += s * s;
    }
    return 2 * tide_atan2(sqrt(difference), sqrt(sum));
}

double tide_pose_angle(const tide_pose *a, const tide_pose *b)
{
    double sign = dot(a->rotation, b->rotation) < 0 ? -1 : 1;
    return 2 * half_angle(a->rotation, b->rotation, sign);
}

tide_pose tide_pose_interpolate(const tide_pose *a, const tide_pose *b, double fraction)
{
    if (fraction == 0)
        return *a;
    if (fraction == 1)
        return *b;
    tide_pose out;
    for (int k = 0; k < 3; k++)
        out.position[k] = (1 - fraction) * a->position[k] + fraction * b->position[k];
    double sign = dot(a->rotation, b->rotation) < 0 ? -1 : 1;
    double angle = half_angle(a->rotation, b->rotation, sign), s = tide_sin(angle);
    double from = 1 - fraction, to = fraction;
    if (s > 1e-9) {
        from = tide_sin((1 - fraction) * angle) / s;
        to = tide_sin(fraction * angle) / s;
    }
    for (int k = 0; k < 4; k++)
        out.rotation[k] = from * a->rotation[k] + sign * to * b->rotation[k];
    normalize(out.rotation);
    return out;
}

tide_status tide_pose_check(tide_pose *pose, const char *object, tide_error *error)
{
    char value[160];
    const double *p = pose->position, *q = pose->rotation;
    for (int k = 0; k < 3; k++)
        if (!(fabs(p[k]) <= TIDE_POSE_FARTHEST)) {
            snprintf(value, sizeof value, "{%.10g, %.10g, %.10g}", p[0], p[1], p[2]);
            return tide_fail(error, TIDE_ERROR_ARGUMENT, object, "position", value,
                             "expected finite numbers, each from -1e9 to 1e9 m");
        }
    if (q[0] == 0 && q[1] == 0 && q[2] == 0 && q[3] == 0) {
        memcpy(pose->rotation, tide_pose_identity().rotation, sizeof pose->rotation);
        return TIDE_OK;
    }
    if (normalize(pose->rotation))
        return TIDE_OK;
    snprintf(value, sizeof value, "{%.10g, %.10g, %.10g, %.10g}", q[0], q[1], q[2], q[3]);
    return tide_fail(error, TIDE_ERROR_ARGUMENT, object, "rotation", value, "expected finite numbers");
}
