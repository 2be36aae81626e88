// Poses, and colliders but for their sweep: gap, motion, bounds, keyframes, against closed form and finite differences.
#include "base/log.h"
#include "collider_tests.h"
#include "linear/failing.h"

#include <stdio.h>

// --- poses

static void test_axis_and_angle(void **state)
{
    (void)state;
    // Rodrigues' formula.
    tide_random random = tide_random_seed(1);
    for (int i = 0; i < 200; i++) {
        double axis[3], v[3], out[3], angle = random_in(&random, -7, 7);
        random_vector(&random, 2, axis);
        random_vector(&random, 2, v);
        tide_pose pose = { .position = { 0 } };
        tide_quaternion_from_axis_angle(axis, angle, pose.rotation);
        tide_pose_turn(&pose, v, out);
        tide_vec3 k = tide_vec3_normalize(tide_vec3_load(axis)), x = tide_vec3_load(v);
        tide_vec3 e = tide_vec3_scale(x, cos(angle));
        e = tide_vec3_add(e, tide_vec3_scale(tide_vec3_cross(k, x), sin(angle)));
        e = tide_vec3_add(e, tide_vec3_scale(k, tide_vec3_dot(k, x) * (1 - cos(angle))));
        const double expected[3] = { e.x, e.y, e.z };
        assert_true(distance_between(out, expected) < 1e-14);
    }
    const double none[3] = { 0 }, one[3] = { 1, 0, 0 };
    double q[4];
    tide_quaternion_from_axis_angle(none, 1, q);
    assert_near(q[0], 1, 0);
    tide_quaternion_from_axis_angle(one, NAN, q);
    assert_near(q[0], 1, 0);
    assert_near(q[1], 0, 0);
}

static void test_compose_and_inverse(void **state)
{
    (void)state;
    tide_random random = tide_random_seed(2);
    for (int i = 0; i < 200; i++) {
        tide_pose a = random_pose(&random, 3), b = random_pose(&random, 3), inverse = tide_pose_inverse(&a);
        tide_pose both = tide_pose_compose(&a, &b);
        double p[3], q[3], back[3], twice[3];
        random_vector(&random, 3, p);
        tide_pose_apply(&a, p, q);
        tide_pose_apply_inverse(&a, q, back);
        assert_true(distance_between(p, back) < 1e-14);
        tide_pose_apply(&inverse, q, back);
        assert_true(distance_between(p, back) < 1e-14);
        tide_pose_apply(&b, p, q);
        tide_pose_apply(&a, q, q); // in place
        tide_pose_apply(&both, p, twice);
        assert_true(distance_between(q, twice) < 1e-14);
    }
}

static void test_interpolation(void **state)
{
    (void)state;
    tide_random random = tide_random_seed(3);
    for (int i = 0; i < 100; i++) {
        double axis[3], angle = random_in(&random, 0, 3.1);
        if (i < 10)
            angle = pow(10, -i);
        random_vector(&random, 1, axis);
        tide_pose a = random_pose(&random, 2), turn = { .position = { 1, 2, 3 } };
        tide_quaternion_from_axis_angle(axis, angle, turn.rotation);
        tide_pose b = tide_pose_compose(&a, &turn);
        assert_near(tide_pose_angle(&a, &b), angle, 1e-14);
        if (i % 2) // the other quaternion of the same rotation
            for (int k = 0; k < 4; k++)
                b.rotation[k] = -b.rotation[k];
        tide_pose start = tide_pose_interpolate(&a, &b, 0), end = tide_pose_interpolate(&a, &b, 1);
        assert_true(tide_pose_equal(&start, &a) && tide_pose_equal(&end, &b));
        for (int k = 1; k < 8; k++) {
            // In the frame of `a`: a part of the turn.
            tide_pose part = { .position = { 0 } }, at = tide_pose_interpolate(&a, &b, k / 8.0);
            tide_quaternion_from_axis_angle(axis, angle * k / 8, part.rotation);
            tide_pose expected = tide_pose_compose(&a, &part);
            assert_near(tide_pose_angle(&at, &expected), 0, 1e-14);
            for (int c = 0; c < 3; c++)
                assert_near(at.position[c], a.position[c] + k / 8.0 * (b.position[c] - a.position[c]), 1e-14);
        }
    }
}

static void test_poses_from_outside(void **state)
{
    (void)state;
    tide_error error;
    tide_pose pose = { { 1, 2, 3 }, { 0, 0, 1e200, 0 } };
    assert_ok(tide_pose_check(&pose, "it", &error), error);
    assert_near(pose.rotation[2], 1, 0);
    pose.rotation[2] = 0;
    assert_ok(tide_pose_check(&pose, "it", &error), error);
    assert_near(pose.rotation[0], 1, 0);
    pose.rotation[3] = INFINITY;
    assert_fails(tide_pose_check(&pose, "it", &error), error, "it: rotation = {1, 0, 0, inf}: expected finite");
    pose = tide_pose_identity();
    pose.position[1] = -1.5e9;
    assert_fails(tide_pose_check(&pose, "it", &error), error, "it: position = {0, -1500000000, 0}: expected finite");
    pose.position[1] = NAN;
    assert_fails(tide_pose_check(&pose, "it", &error), error, "position = {0, nan, 0}");
}

// --- gap, motion and bounds

static void test_gap_of_a_moving_ball(void **state)
{
    (void)state;
    const tide_shape_sphere_def def = { { 1, 0, 0 }, 0.25 };
    tide_collider *ball = make_collider(&tide_shape_sphere, &def, 0.01);
    tide_error error;
    tide_pose end = tide_pose_identity();
    end.position[0] = 3;
    end.position[2] = 1;
    assert_ok(tide_collider_move(ball, &end, &error), error);
    assert_true(ball->moving);
    const double p[3] = { 2, 1, 0.5 };
    for (int i = 0; i <= 10; i++) {
        const double middle[3] = { 1 + 0.2 * i, 0, 0.1 * i };
        double normal[3];
        assert_near(tide_collider_gap(ball, i / 10.0, p, normal), distance_between(p, middle) - 0.26, 1e-15);
        for (int k = 0; k < 3; k++)
            assert_near(normal[k], (p[k] - middle[k]) / distance_between(p, middle), 1e-15);
    }
    // In its middle there is no direction; the normal is one nevertheless.
    double normal[3], none[3] = { 0 };
    assert_near(tide_collider_gap(ball, 0, def.position, normal), -0.26, 1e-15);
    assert_near(distance_between(normal, none), 1, 1e-15);
    tide_collider_end_motion(ball);
    assert_false(ball->moving);
    assert_near(tide_collider_gap(ball, 0, end.position, NULL), -0.26, 1e-15);
    tide_collider_destroy(ball);
}

static void test_gap_and_normal_of_every_shape(void **state)
{
    (void)state;
    shape_parts parts = make_parts();
    tide_random random = tide_random_seed(4);
    for (uint32_t i = 0; tide_shape_kind_at(i); i++) {
        any_shape def;
        define(tide_shape_kind_at(i), &parts, &def);
        tide_collider *collider = make_collider(tide_shape_kind_at(i), &def, 0.02);
        int ridges = 0;
        for (int n = 0; n < 400; n++) {
            if (n % 20 == 0)
                move_at_random(collider, &random, 0.5, 1);
            double f = tide_random_uniform(&random), q[3], p[3], normal[3], differences[3], h = 1e-6;
            tide_pose pose = tide_collider_pose(collider, f);
            random_vector(&random, 1, q);
            tide_pose_apply(&pose, q, p);
            double gap = tide_collider_gap(collider, f, p, normal);
            assert_near(gap, tide_distance_at(collider->shape.distance, q, NULL) - 0.02, 1e-12);
            assert_near(gap, tide_collider_gap_at(collider, &pose, p, NULL), 0);
            assert_near(tide_vec3_length(tide_vec3_load(normal)), 1, 1e-12);
            bool ridge = false;
            for (int k = 0; k < 3; k++) {
                double a[3] = { p[0], p[1], p[2] }, b[3] = { p[0], p[1], p[2] };
                a[k] -= h;
                b[k] += h;
                double below = tide_collider_gap(collider, f, a, NULL), above = tide_collider_gap(collider, f, b, NULL);
                ridge = ridge || fabs(above + below - 2 * gap) > 1e-4 * h;
                differences[k] = (above - below) / (2 * h);
            }
            ridges += ridge;
            for (int k = 0; k < 3 && !ridge; k++)
                assert_near(normal[k], differences[k], 1e-4);
        }
        assert_true(ridges < 20);
        tide_collider_destroy(collider);
    }
    drop_parts(&parts);
}

static void test_motion(void **state)
{
    (void)state;
    tide_collider *ball = make_ball(0.5);
    tide_random random = tide_random_seed(5);
    double p[3] = { 1, 2, 3 }, out[3], none[3] = { 0 };
    tide_collider_motion(ball, 0, 1, p, out);
    assert_near(distance_between(out, none), 0, 0);
    for (int i = 0; i < 100; i++) {
        move_at_random(ball, &random, 0.5, random_in(&random, 0, 3));
        double f0 = tide_random_uniform(&random), f1 = tide_random_uniform(&random), q[3], was[3];
        // A point of the ball, where it was and where it is.
        random_vector(&random, 1, q);
        tide_pose then = tide_collider_pose(ball, f0), now = tide_collider_pose(ball, f1);
        tide_pose_apply(&then, q, was);
        tide_pose_apply(&now, q, p);
        tide_collider_motion(ball, f0, f1, p, out);
        for (int k = 0; k < 3; k++)
            assert_near(out[k], p[k] - was[k], 1e-14);
        // Over a short time it is that of its velocity, by central differences of the pose.
        const double h = 1e-5;
        double later[3];
        tide_pose a = tide_collider_pose(ball, f1 - h), b = tide_collider_pose(ball, f1 + h);
        tide_pose_apply(&a, q, was);
        tide_pose_apply(&b, q, later);
        tide_collider_motion(ball, f1 - 1e-6, f1, p, out);
        for (int k = 0; k < 3; k++)
            assert_near(out[k] / 1e-6, (later[k] - was[k]) / (2 * h), 1e-4);
    }
    tide_collider_destroy(ball);
}

static void test_bounds(void **state)
{
    (void)state;
    shape_parts parts = make_parts();
    for (uint32_t i = 0; tide_shape_kind_at(i); i++) {
        tide_random random = tide_random_seed(6);
        any_shape def;
        define(tide_shape_kind_at(i), &parts, &def);
        tide_collider *collider = make_collider(tide_shape_kind_at(i), &def, 0.03);
        int inside = 0;
        for (int n = 0; n < 5000; n++) {
            if (n % 50 == 0)
                move_at_random(collider, &random, 0.5, 2.5);
            double from = 0.5 * tide_random_uniform(&random), to = from + 0.5, lower[3], upper[3], q[3], p[3];
            tide_collider_bounds(collider, from, to, lower, upper);
            double f = random_in(&random, from, to);
            tide_pose pose = tide_collider_pose(collider, f);
            random_vector(&random, 1.1, q);
            tide_pose_apply(&pose, q, p);
            if (tide_collider_gap(collider, f, p, NULL) >= 0)
                continue;
            inside++;
            for (int k = 0; k < 3; k++)
                assert_true(p[k] >= lower[k] && p[k] <= upper[k]);
        }
        if (inside <= 30)
            fail_msg("shape %s: %d of 5000 points are inside", tide_shape_kind_at(i)->name, inside);
        tide_collider_destroy(collider);
    }
    drop_parts(&parts);
    // The tip of a hand that turns from -45 to 45 degrees is farthest out in between.
    const double z[3] = { 0, 0, 1 }, tip[3] = { 0.999, 0, 0 };
    const tide_shape_box_def hand_def = { .size = { 2, 0.1, 0.1 } };
    tide_collider *hand = make_collider(&tide_shape_box, &hand_def, 0);
    tide_pose side = tide_pose_identity();
    tide_error error;
    tide_quaternion_from_axis_angle(z, -PI / 4, side.rotation);
    assert_ok(tide_collider_place(hand, &side, &error), error);
    tide_quaternion_from_axis_angle(z, PI / 4, side.rotation);
    assert_ok(tide_collider_move(hand, &side, &error), error);
    double lower[3], upper[3];
    assert_true(tide_collider_gap(hand, 0.5, tip, NULL) < 0);
    tide_collider_bounds(hand, 0, 1, lower, upper);
    assert_true(upper[0] >= tip[0] && lower[0] <= -tip[0] && upper[0] < 1.2);
    tide_collider_destroy(hand);
    // Those of a box at rest are exact, and a floor has a top.
    tide_shape_box_def box = { .size = { 1, 2, 3 } };
    tide_collider *collider = make_collider(&tide_shape_box, &box, 0.1);
    tide_collider_bounds(collider, 0, 1, lower, upper);
    for (int k = 0; k < 3; k++) {
        assert_near(upper[k], 0.5 * (k + 1) + 0.1, 1e-11);
        assert_near(lower[k], -0.5 * (k + 1) - 0.1, 1e-11);
    }
    tide_collider_destroy(collider);
    const tide_shape_plane_def floor_def = { { 0, 1, 0 }, 2 };
    collider = make_collider(&tide_shape_plane, &floor_def, 0);
    tide_collider_bounds(collider, 0, 1, lower, upper);
    assert_near(upper[1], 2, 1e-11);
    assert_true(isinf(lower[1]) && isinf(upper[0]) && isinf(lower[2]));
    tide_collider_destroy(collider);
}

static void test_moves_from_outside(void **state)
{
    (void)state;
    const tide_shape_sphere_def def = { { 1, 2, 3 }, 0.25 };
    tide_collider *ball = make_collider(&tide_shape_sphere, &def, 0);
    tide_error error;
    assert_near(ball->start.position[1], 2, 0);
    tide_collider_follow(ball, 1); // no keyframes: nothing
    assert_false(ball->moving);
    tide_pose there = { { 4, 4, 4 }, { 0, 3, 0, 0 } };
    assert_ok(tide_collider_move(ball, &there, &error), error);
    assert_near(ball->end.rotation[1], 1, 0);
    assert_near(ball->start.position[0], 1, 0);
    there.position[2] = NAN;
    assert_fails(tide_collider_move(ball, &there, &error), error, "collider \"it\": position = {4, 4, nan}");
    assert_fails(tide_collider_place(ball, &there, &error), error, "collider \"it\": position = {4, 4, nan}");
    assert_near(ball->end.position[2], 4, 0);
    there.position[2] = 5;
    assert_ok(tide_collider_place(ball, &there, &error), error);
    assert_false(ball->moving);
    assert_near(ball->start.position[2], 5, 0);
    tide_collider *copy;
    assert_ok(tide_collider_copy(ball, &copy, &error), error);
    assert_string_equal(copy->name, "it");
    assert_ptr_equal(copy->shape.distance, ball->shape.distance);
    assert_true(tide_pose_equal(&copy->start, &ball->start));
    tide_collider_destroy(ball);
    assert_near(tide_collider_gap(copy, 0, there.position, NULL), -0.25, 0);
    tide_collider_destroy(copy);
    tide_collider_destroy(NULL);
}

// --- keyframes

static tide_collider *make_keyed(const tide_keyframe *keys, uint32_t count, int interpolation, bool loop)
{
    const tide_shape_sphere_def def = { { 7, 8, 9 }, 0.25 };
    tide_collider_def collider_def = tide_collider_def_default();
    collider_def.name = "it";
    collider_def.shape = &tide_shape_sphere;
    collider_def.definition = &def;
    collider_def.keyframes = keys;
    collider_def.keyframe_count = count;
    collider_def.interpolation = interpolation;
    collider_def.loop = loop;
    tide_collider *collider = NULL;
    tide_error error;
    assert_ok(tide_collider_create(&collider_def, &collider, &error), error);
    return collider;
}

static tide_keyframe key_at(double time, double x, double y, double z, double angle)
{
    const double axis[3] = { 0, 1, 0 };
    tide_keyframe key = { time, { x, y, z }, { 0 } };
    tide_quaternion_from_axis_angle(axis, angle, key.rotation);
    return key;
}

static void test_linear_keyframes(void **state)
{
    (void)state;
    const tide_keyframe keys[] = {
        key_at(1, 0, 0, 0, 0),
        { 2, { NAN, NAN, NAN }, { 0 } }, // as the shape has it
        key_at(4, 3, 0, -1, 2),
    };
    tide_collider *ball = make_keyed(keys, 3, TIDE_INTERPOLATION_LINEAR, false);
    tide_pose pose = tide_collider_keyframe_pose(ball, 1);
    assert_near(pose.position[0], 0, 0);
    pose = tide_collider_keyframe_pose(ball, 2);
    assert_near(pose.position[2], 9, 0);
    assert_near(pose.rotation[0], 1, 0);
    pose = tide_collider_keyframe_pose(ball, 4);
    assert_near(pose.position[2], -1, 0);
    assert_near(pose.rotation[2], sin(1), 1e-15);
    pose = tide_collider_keyframe_pose(ball, 3.5);
    assert_near(pose.position[0], 0.25 * 7 + 0.75 * 3, 1e-15);
    assert_near(pose.rotation[2], sin(0.75), 1e-15);
    // It rests before the first and after the last.
    pose = tide_collider_keyframe_pose(ball, -5);
    assert_near(pose.position[0], 0, 0);
    pose = tide_collider_keyframe_pose(ball, 50);
    assert_near(pose.position[0], 3, 0);
    // A step.
    assert_near(ball->start.position[0], 0, 0);
    tide_collider_follow(ball, 1.5);
    assert_true(ball->moving);
    assert_near(ball->end.position[1], 4, 1e-15);
    tide_collider_end_motion(ball);
    assert_false(ball->moving);
    assert_near(ball->start.position[1], 4, 1e-15);
    tide_collider_destroy(ball);
}

static void test_loop(void **state)
{
    (void)state;
    // Once around in thirds; the last quaternion is the first one's negative.
    const tide_keyframe keys[] = {
        key_at(1, 1, 0, 0, 0),
        key_at(2, 0, 1, 0, 2 * PI / 3),
        key_at(3, 0, 0, 1, 4 * PI / 3),
        key_at(4, 1, 0, 0, 2 * PI),
    };
    for (int interpolation = 0; interpolation < 2; interpolation++) {
        tide_collider *ball = make_keyed(keys, 4, interpolation, true);
        const double x[3] = { 1, 0, 0 };
        for (int i = -40; i < 40; i++) {
            // Periodic, never turning back, and without jumps.
            double time = 1 + i * 0.173, a[3], b[3], change = 0;
            tide_pose now = tide_collider_keyframe_pose(ball, time);
            tide_pose then = tide_collider_keyframe_pose(ball, time + 3),
                      next = tide_collider_keyframe_pose(ball, time + 1e-4);
            assert_true(distance_between(now.position, then.position) < 1e-13);
            assert_near(tide_pose_angle(&now, &then), 0, 1e-13);
            tide_pose_turn(&now, x, a);
            tide_pose_turn(&next, x, b);
            change = (a[2] * b[0] - a[0] * b[2]) / 1e-4; // of the angle about y
            assert_near(change, 2 * PI / 3, 1e-6);
            assert_true(distance_between(now.position, next.position) < 3e-4);
        }
        for (int i = 0; i < 4; i++) {
            tide_pose pose = tide_collider_keyframe_pose(ball, keys[i].time);
            assert_true(distance_between(pose.position, keys[i].position) < 1e-15);
        }
        tide_collider_destroy(ball);
    }
}

static void velocity_at(const tide_collider *ball, double from, double to, double velocity[7])
{
    tide_pose a = tide_collider_keyframe_pose(ball, from), b = tide_collider_keyframe_pose(ball, to);
    double sign = 0;
    for (int k = 0; k < 4; k++)
        sign += a.rotation[k] * b.rotation[k];
    for (int k = 0; k < 3; k++)
        velocity[k] = (b.position[k] - a.position[k]) / (to - from);
    for (int k = 0; k < 4; k++)
        velocity[3 + k] = ((sign < 0 ? -1 : 1) * b.rotation[k] - a.rotation[k]) / (to - from);
}

static void test_smooth_keyframes(void **state)
{
    (void)state;
    const tide_keyframe keys[] = {
        key_at(0, 0, 0, 0, 0),    key_at(1, 1, 2, 0, 1), key_at(1.5, 3, 0, -1, -0.5),
        key_at(4, 2, 1, -1, 0.3), key_at(5, 0, 0, 0, 0),
    };
    for (int loop = 0; loop < 2; loop++) {
        tide_collider *ball = make_keyed(keys, 5, TIDE_INTERPOLATION_SMOOTH, loop);
        const double h = 1e-6;
        double before[7], after[7];
        for (int i = 0; i < 5; i++) {
            tide_pose pose = tide_collider_keyframe_pose(ball, keys[i].time), key = { .position = { 0 } };
            memcpy(key.position, keys[i].position, sizeof key.position);
            memcpy(key.rotation, keys[i].rotation, sizeof key.rotation);
            assert_true(distance_between(pose.position, key.position) < 1e-15);
            assert_near(tide_pose_angle(&pose, &key), 0, 1e-14);
            // The velocity is continuous; it is 0 at the ends of a motion that is not a loop.
            velocity_at(ball, keys[i].time - h, keys[i].time, before);
            velocity_at(ball, keys[i].time, keys[i].time + h, after);
            for (int k = 0; k < 7; k++) {
                assert_near(before[k], after[k], 1e-4);
                if (!loop && (i == 0 || i == 4))
                    assert_near(before[k], 0, 1e-4);
            }
        }
        // At an inner key it is that between its neighbours.
        velocity_at(ball, keys[1].time - h, keys[1].time + h, after);
        assert_near(after[0], 3 / 1.5, 1e-4);
        assert_near(after[2], 0, 1e-4); // it has been at rest along z
        tide_collider_destroy(ball);
    }
    // Two keys: from rest to rest, half-way in the middle.
    tide_collider *ball = make_keyed(keys, 2, TIDE_INTERPOLATION_SMOOTH, false);
    tide_pose pose = tide_collider_keyframe_pose(ball, 0.5);
    assert_near(pose.position[1], 1, 1e-15);
    pose = tide_collider_keyframe_pose(ball, 0.25);
    assert_near(pose.position[1], 2 * (3 * 0.0625 - 2 * 0.015625), 1e-15);
    tide_collider_destroy(ball);
    // A loop's seam is an inner key: from key 2 over the seam to key 1.
    const tide_keyframe round[] = { key_at(0, 0, 0, 0, 0), key_at(1, 1, 0, 0, 0.2), key_at(2, -1, 0, 0, -0.3),
                                    key_at(3, 0, 0, 0, 0) };
    double seam[7];
    ball = make_keyed(round, 4, TIDE_INTERPOLATION_SMOOTH, true);
    velocity_at(ball, -1e-6, 1e-6, seam);
    assert_near(seam[0], 1, 1e-4);
    tide_collider_destroy(ball);
}

// No coordinate and no angle leaves the range of the two keys around it: a hold is one.
static void test_smooth_keyframes_are_monotone(void **state)
{
    (void)state;
    const tide_keyframe hold[] = { key_at(1.5, 0, -1, 0, 0), key_at(3, 0, -0.1, 0, 1), key_at(3.5, 0, -0.1, 0, 1),
                                   key_at(4.5, 0, -1, 0, 0) };
    tide_collider *ball = make_keyed(hold, 4, TIDE_INTERPOLATION_SMOOTH, false);
    for (double t = 3; t <= 3.5; t += 0.01) {
        tide_pose pose = tide_collider_keyframe_pose(ball, t);
        assert_near(pose.position[1], -0.1, 1e-15);
        assert_near(2 * acos(pose.rotation[0]), 1, 1e-12);
    }
    tide_collider_destroy(ball);
    tide_random random = tide_random_seed(4);
    for (int round = 0; round < 200; round++) {
        tide_keyframe keys[6];
        double time = 0, angles[6], angle = 0;
        for (int i = 0; i < 6; i++) {
            time += 0.05 + tide_random_uniform(&random) * tide_random_uniform(&random);
            angle += i % 3 == 2 ? 0 : tide_random_uniform(&random) - 0.5;
            angles[i] = angle;
            keys[i] = key_at(time, tide_random_uniform(&random), i % 2 && round % 2 ? keys[i - 1].position[1] : round,
                             i * i + tide_random_uniform(&random), angle);
        }
        ball = make_keyed(keys, 6, TIDE_INTERPOLATION_SMOOTH, false);
        for (int i = 0; i < 5; i++)
            for (int part = 0; part <= 20; part++) {
                double t = keys[i].time + part / 20.0 * (keys[i + 1].time - keys[i].time);
                tide_pose pose = tide_collider_keyframe_pose(ball, t);
                for (int k = 0; k < 3; k++) {
                    double a = keys[i].position[k], b = keys[i + 1].position[k];
                    assert_true(pose.position[k] >= fmin(a, b) - 1e-12 && pose.position[k] <= fmax(a, b) + 1e-12);
                }
                double turned = 2 * atan2(pose.rotation[2], pose.rotation[0]);
                assert_true(turned >= fmin(angles[i], angles[i + 1]) - 1e-9);
                assert_true(turned <= fmax(angles[i], angles[i + 1]) + 1e-9);
            }
        tide_collider_destroy(ball);
    }
}

// --- warnings

static void keep_message(tide_log_level level, const char *message, void *context)
{
    (void)level;
    snprintf(context, 400, "%s", message);
}

// A mesh turned inside out is no container: that is told, once it is made.
static void test_inward_mesh_is_told(void **state)
{
    (void)state;
    const double corners[12] = { 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1 };
    const uint32_t outward[12] = { 0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2 };
    for (int turned = 0; turned < 3; turned++) {
        uint32_t triangles[12];
        for (uint32_t i = 0; i < 12; i++)
            triangles[i] = outward[turned ? i - i % 3 + (3 - i % 3) % 3 : i];
        const tide_mesh_parts parts = {
            .vertices = corners, .vertex_count = 4, .triangles = triangles, .triangle_count = 4
        };
        tide_mesh *mesh = NULL;
        tide_error error;
        assert_ok(tide_mesh_create(&parts, &mesh, &error), error);
        tide_shape_mesh_def shape;
        tide_shape_default(&tide_shape_mesh, &shape);
        shape.mesh = mesh;
        shape.sheet = turned == 2;
        tide_collider_def def = tide_collider_def_default();
        def.name = "bowl";
        def.shape = &tide_shape_mesh;
        def.definition = &shape;
        char text[400] = "";
        tide_collider *collider = NULL;
        tide_log_set_sink(keep_message, text);
        tide_status status = tide_collider_create(&def, &collider, &error);
        tide_log_set_sink(NULL, NULL);
        assert_ok(status, error);
        assert_int_equal(strstr(text, "collider \"bowl\": mesh: its triangles face inward") != NULL, turned == 1);
        tide_collider_destroy(collider);
        tide_mesh_release(mesh);
    }
}

// --- errors

static void test_defaults(void **state)
{
    (void)state;
    tide_collider_def def = tide_collider_def_default();
    assert_near(def.friction, 0.3, 0);
    assert_near(def.restitution, 0, 0);
    assert_near(def.thickness, 0, 0);
    assert_true(def.visible);
    assert_false(def.loop);
    assert_int_equal(def.interpolation, TIDE_INTERPOLATION_LINEAR);
    assert_null(def.name);
    assert_int_equal(def.keyframe_count, 0);
}

static void test_what_is_refused(void **state)
{
    (void)state;
    tide_shape_sphere_def ball = { { 0 }, 0.5 };
    tide_collider_def good = tide_collider_def_default(), def;
    good.name = "ball";
    good.shape = &tide_shape_sphere;
    good.definition = &ball;
    good.script_file = "scene.lua";
    good.script_line = 12;
    tide_collider *out = NULL;
    tide_error error;
    uint64_t blocks = tide_memory_count().blocks;
#define REFUSED(change, text)                                                                                          \
    do {                                                                                                               \
        def = good;                                                                                                    \
        change;                                                                                                        \
        assert_fails(tide_collider_create(&def, &out, &error), error, text);                                           \
    } while (0)
    REFUSED(def.name = NULL, "scene.lua:12: collider: name: expected a text that is not empty");
    REFUSED(def.name = "", "scene.lua:12: collider: name: expected a text that is not empty");
    REFUSED(def.shape = NULL, "scene.lua:12: collider \"ball\": shape: expected a shape");
    REFUSED(def.friction = -0.1, "scene.lua:12: collider \"ball\": friction = -0.1");
    REFUSED(def.friction = NAN, "friction = nan: expected a finite number");
    REFUSED(def.restitution = 1.5, "restitution = 1.5: expected a number from 0 to 1");
    REFUSED(def.thickness = -1, "thickness = -1");
    REFUSED(def.colour[1] = 2, "colour = {0.72, 2, 0.67}");
    REFUSED(ball.radius = 0, "scene.lua:12: collider \"ball\": radius = 0: expected a number greater than 0");
    ball.radius = 0.5;
    tide_keyframe keys[3] = { key_at(0, 0, 0, 0, 0), key_at(1, 1, 0, 0, 0), key_at(2, 0, 0, 0, 0) };
    good.keyframes = keys;
    good.keyframe_count = 3;
    REFUSED(keys[1].time = 0, "collider \"ball\": keyframes[2].time = 0: expected a later time than that of the key");
    REFUSED(keys[1].time = NAN, "keyframes[2].time = nan: expected a finite number of seconds");
    keys[1].time = 1;
    REFUSED(keys[2].position[1] = INFINITY, "keyframes[3].position = {0, inf, 0}: expected finite numbers");
    keys[2].position[1] = 0;
    REFUSED(keys[0].position[1] = NAN, "keyframes[1].position = {0, nan, 0}");
    keys[0].position[1] = 0;
    REFUSED(keys[0].rotation[2] = NAN, "keyframes[1].rotation = {1, 0, nan, 0}");
    keys[0].rotation[2] = 0;
    REFUSED((def.loop = true, def.keyframe_count = 1), "loop = true: a loop needs at least two keyframes");
    REFUSED((def.loop = true, keys[2].position[0] = 0.1), "loop = true: a loop must end as it begins");
    keys[2] = key_at(2, 0, 0, 0, 0.1);
    REFUSED(def.loop = true, "loop = true: a loop must end as it begins");
    assert_null(out);
    assert_int_equal(tide_memory_count().blocks, blocks);
}

static void test_memory(void **state)
{
    (void)state;
    const tide_shape_sphere_def ball = { { 0 }, 0.5 };
    const tide_keyframe key = key_at(0, 0, 0, 0, 0);
    tide_collider_def def = tide_collider_def_default();
    def.name = "ball";
    def.shape = &tide_shape_sphere;
    def.definition = &ball;
    def.keyframes = &key;
    def.keyframe_count = 1;
    bool done = false;
    for (uint64_t failures = 0; !done; failures++) {
        failing_allocation failing = { .left = failures };
        uint64_t blocks = tide_memory_count().blocks;
        tide_collider *collider = NULL, *copy = NULL;
        tide_memory_set_failure_hook(fail_in_turn, &failing);
        tide_status status = tide_collider_create(&def, &collider, NULL);
        if (status == TIDE_OK)
            status = tide_collider_copy(collider, &copy, NULL);
        tide_memory_set_failure_hook(NULL, NULL);
        done = status == TIDE_OK;
        assert_true(done || status == TIDE_ERROR_MEMORY);
        assert_true(!done || failures > 8);
        tide_collider_destroy(collider);
        tide_collider_destroy(copy);
        assert_int_equal(tide_memory_count().blocks, blocks);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_axis_and_angle),
    cmocka_unit_test(test_compose_and_inverse),
    cmocka_unit_test(test_interpolation),
    cmocka_unit_test(test_poses_from_outside),
    cmocka_unit_test(test_gap_of_a_moving_ball),
    cmocka_unit_test(test_gap_and_normal_of_every_shape),
    cmocka_unit_test(test_motion),
    cmocka_unit_test(test_bounds),
    cmocka_unit_test(test_moves_from_outside),
    cmocka_unit_test(test_linear_keyframes),
    cmocka_unit_test(test_loop),
    cmocka_unit_test(test_inward_mesh_is_told),
    cmocka_unit_test(test_smooth_keyframes),
    cmocka_unit_test(test_smooth_keyframes_are_monotone),
    cmocka_unit_test(test_defaults),
    cmocka_unit_test(test_what_is_refused),
    cmocka_unit_test(test_memory),
};
TIDE_TEST_SUITE(collision_collider, tests)
