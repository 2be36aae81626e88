#include "collision/keyframes.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define FIELD(member) .name = #member, .offset = offsetof(tide_keyframe, member)
const tide_field tide_keyframe_fields[] = {
    { FIELD(time), .type = TIDE_FIELD_REAL, .initial = { TIDE_NOT_GIVEN }, .required = true, .unit = "s",
      .help = "time of the keyframe; must be later than the one before" },
    { FIELD(position), .type = TIDE_FIELD_VECTOR, .initial = { TIDE_NOT_GIVEN, TIDE_NOT_GIVEN, TIDE_NOT_GIVEN },
      .initial_text = "the shape's", .unit = "m", .help = "position of the shape's frame" },
    { .name = "rotation",
      .type = TIDE_FIELD_OTHER,
      .lua_type = "number[]",
      .initial_text = "the shape's",
      .help = "rotation { x, y, z, angle }: an axis and an angle about it in radians" },
    { 0 },
};
#undef FIELD

static tide_status refuse(const char *object, uint32_t index, const char *field, double number, const char *expected,
                          tide_error *error)
{
    char name[64], value[32];
    snprintf(name, sizeof name, "keyframes[%u].%s", index + 1, field);
    snprintf(value, sizeof value, "%.10g", number);
    return tide_fail(error, TIDE_ERROR_ARGUMENT, object, name, value, "%s", expected);
}

// Completes a keyframe with the pose of the shape and normalises its quaternion.
static tide_status complete(const tide_collider *collider, tide_keyframe *key, uint32_t index, const char *object,
                            tide_error *error)
{
    if (!isfinite(key->time))
        return refuse(object, index, "time", key->time, "expected a finite number of seconds", error);
    if (isnan(key->position[0]) && isnan(key->position[1]) && isnan(key->position[2]))
        memcpy(key->position, collider->shape.pose.position, sizeof key->position);
    bool turned = false;
    for (int k = 0; k < 4; k++)
        turned = turned || key->rotation[k] != 0;
    if (!turned)
        memcpy(key->rotation, collider->shape.pose.rotation, sizeof key->rotation);
    tide_pose pose;
    memcpy(pose.position, key->position, sizeof pose.position);
    memcpy(pose.rotation, key->rotation, sizeof pose.rotation);
    tide_status status = tide_pose_check(&pose, object, error);
    if (status != TIDE_OK && error) {
        char field[64];
        snprintf(field, sizeof field, "keyframes[%u].%.20s", index + 1, error->field);
        memcpy(error->field, field, sizeof error->field);
    }
    memcpy(key->rotation, pose.rotation, sizeof key->rotation);
    return status;
}

static double dot(const double a[4], const double b[4])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

// Tells whether the last key has the position and rotation of the first.
static bool comes_back(const tide_keyframe *first, const tide_keyframe *last)
{
    for (int k = 0; k < 3; k++)
        if (fabs(first->position[k] - last->position[k]) > 1e-9 * (1 + fabs(first->position[k])))
            return false;
    return 1 - fabs(dot(first->rotation, last->rotation)) < 1e-12;
}

tide_status tide_collider_take_keyframes(tide_collider *collider, const tide_collider_def *def, const char *object,
                                         tide_error *error)
{
    uint32_t count = def->keyframe_count;
    collider->interpolation = def->interpolation;
    collider->loop = def->loop;
    if (count == 0)
        return TIDE_OK;
    collider->keyframes = tide_own(collider, tide_copy_bytes(def->keyframes, count * sizeof *def->keyframes));
    if (!collider->keyframes)
        return tide_fail_memory(error, object);
    collider->keyframe_count = count;
    tide_keyframe *keys = collider->keyframes;
    for (uint32_t i = 0; i < count; i++) {
        tide_status status = complete(collider, &keys[i], i, object, error);
        if (status != TIDE_OK)
            return status;
        if (i > 0 && !(keys[i].time > keys[i - 1].time))
            return refuse(object, i, "time", keys[i].time, "expected a later time than that of the key before", error);
        // q and -q are the same rotation; the one nearer to the previous key gives the shorter way.
        if (i > 0 && dot(keys[i].rotation, keys[i - 1].rotation) < 0)
            for (int k = 0; k < 4; k++)
                keys[i].rotation[k] = -keys[i].rotation[k];
    }
    if (def->loop && !comes_back(&keys[0], &keys[count - 1]))
        return tide_fail(error, TIDE_ERROR_ARGUMENT, object, "loop", "true",
                         "a loop must end as it begins: give the last key the first one's position and rotation");
    return TIDE_OK;
}

// Computes the turn from a to b in the frame of a, by the shorter way: axis times half the angle.
static void turn_between(const double a[4], const double b[4], double turn[3])
{
    const tide_pose from = { .rotation = { a[0], a[1], a[2], a[3] } }, to = { .rotation = { b[0], b[1], b[2], b[3] } };
    const tide_pose back = tide_pose_inverse(&from), step = tide_pose_compose(&back, &to);
    const double *q = step.rotation;
    double length = sqrt(q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    double half = tide_pose_angle(&from, &to) / 2, scale = length > 0 ? (q[0] < 0 ? -half : half) / length : 0;
    for (int k = 0; k < 3; k++)
        turn[k] = scale * q[k + 1];
}

// Returns the rotation `a` followed by such a turn, as a pose without position.
static tide_pose turned(const double a[4], const double turn[3])
{
    const tide_pose from = { .rotation = { a[0], a[1], a[2], a[3] } };
    tide_pose step = { .rotation = { 1, 0, 0, 0 } };
    double half = sqrt(turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2]);
    if (half > 0)
        tide_quaternion_from_axis_angle(turn, 2 * half, step.rotation);
    return tide_pose_compose(&from, &step);
}

double tide_motion_monotone(double slope, double before, double after)
{
    if (!(before * after > 0))
        return 0;
    double most = 3 * fmin(fabs(before), fabs(after));
    return fmax(-most, fmin(slope, most));
}

// Computes the velocity and the rate of turning (half angles, per second) at a key: the slope between its neighbours,
// as in Catmull-Rom splines, made monotone. The two ends of a loop are one key; other ends are at rest.
static void rates_at(const tide_collider *collider, uint32_t i, double velocity[3], double turning[3])
{
    const tide_keyframe *keys = collider->keyframes;
    uint32_t last = collider->keyframe_count - 1;
    bool end = i == 0 || i == last;
    memset(velocity, 0, 3 * sizeof *velocity);
    memset(turning, 0, 3 * sizeof *turning);
    if (end && !collider->loop)
        return;
    const tide_keyframe *before = end ? &keys[last - 1] : &keys[i - 1], *after = end ? &keys[1] : &keys[i + 1];
    double since = keys[end ? last : i].time - before->time, until = after->time - keys[end ? 0 : i].time;
    double time = since + until;
    double forth[3], back[3];
    turn_between(keys[i].rotation, after->rotation, forth);
    turn_between(keys[i].rotation, before->rotation, back);
    for (int k = 0; k < 3; k++) {
        const double here = keys[i].position[k];
        velocity[k] = tide_motion_monotone((after->position[k] - before->position[k]) / time,
                                           (here - before->position[k]) / since, (after->position[k] - here) / until);
        turning[k] = tide_motion_monotone((forth[k] - back[k]) / time, -back[k] / since, forth[k] / until);
    }
}

static tide_pose pose_of(const tide_keyframe *key)
{
    tide_pose pose;
    memcpy(pose.position, key->position, sizeof pose.position);
    memcpy(pose.rotation, key->rotation, sizeof pose.rotation);
    return pose;
}

// Interpolates between two keys. The position is a cubic Hermite spline. The rotation is squad (Shoemake 1987),
// slerp(slerp(qa, qb, t), slerp(sa, sb, t), 2 t (1 - t)), with sa and sb such that the rates of turning at both ends
// are those of the keys.
static tide_pose smooth(const tide_collider *collider, uint32_t i, double t)
{
    const tide_keyframe *a = &collider->keyframes[i], *b = a + 1;
    double span = b->time - a->time, velocity_a[3], velocity_b[3], turning_a[3], turning_b[3], whole[3];
    rates_at(collider, i, velocity_a, turning_a);
    rates_at(collider, i + 1, velocity_b, turning_b);
    turn_between(a->rotation, b->rotation, whole);
    for (int k = 0; k < 3; k++) {
        turning_a[k] = (span * turning_a[k] - whole[k]) / 2;
        turning_b[k] = (whole[k] - span * turning_b[k]) / 2;
    }
    tide_pose from = pose_of(a), to = pose_of(b);
    tide_pose aside_a = turned(a->rotation, turning_a), aside_b = turned(b->rotation, turning_b);
    tide_pose straight = tide_pose_interpolate(&from, &to, t), aside = tide_pose_interpolate(&aside_a, &aside_b, t);
    tide_pose pose = tide_pose_interpolate(&straight, &aside, 2 * t * (1 - t));
    double t2 = t * t, t3 = t2 * t;
    for (int k = 0; k < 3; k++)
        pose.position[k] = (2 * t3 - 3 * t2 + 1) * a->position[k] + (3 * t2 - 2 * t3) * b->position[k] +
                           span * ((t3 - 2 * t2 + t) * velocity_a[k] + (t3 - t2) * velocity_b[k]);
    return pose;
}

tide_pose tide_collider_keyframe_pose(const tide_collider *collider, double time)
{
    uint32_t count = collider->keyframe_count;
    const tide_keyframe *keys = collider->keyframes;
    if (count == 0)
        return collider->end;
    double first = keys[0].time, last = keys[count - 1].time;
    if (collider->loop) {
        double since = fmod(time - first, last - first);
        time = first + (since < 0 ? since + (last - first) : since);
    }
    if (!(time > first))
        return pose_of(&keys[0]);
    if (time >= last)
        return pose_of(&keys[count - 1]);
    uint32_t lower = 0, upper = count - 1; // keys[lower].time <= time < keys[upper].time
    while (upper - lower > 1) {
        uint32_t middle = lower + (upper - lower) / 2;
        if (keys[middle].time <= time)
            lower = middle;
        else
            upper = middle;
    }
    double t = (time - keys[lower].time) / (keys[upper].time - keys[lower].time);
    if (collider->interpolation == TIDE_INTERPOLATION_SMOOTH)
        return smooth(collider, lower, t);
    tide_pose a = pose_of(&keys[lower]), b = pose_of(&keys[upper]);
    return tide_pose_interpolate(&a, &b, t);
}
