// The sweep of colliders, against dense sampling of the way and closed form.
#include "collider_tests.h"

// A random way of a point past a collider that moves by about as much.
typedef struct passage {
    double from, to, a[3], b[3], radius;
} passage;

static passage random_passage(tide_random *random)
{
    passage p = { .from = 0.4 * tide_random_uniform(random), .radius = 0.03 * tide_random_uniform(random) };
    p.to = p.from + 0.6;
    random_vector(random, 1.5, p.a);
    random_vector(random, 1.5, p.b);
    return p;
}

static double gap_on(const tide_collider *collider, const passage *p, double t, double normal[3])
{
    double at[3];
    for (int k = 0; k < 3; k++)
        at[k] = p->a[k] + t * (p->b[k] - p->a[k]);
    return tide_collider_gap(collider, p->from + t * (p->to - p->from), at, normal) - p->radius;
}

// The length of the way in the collider's frame, from above.
static double length_of(const tide_collider *collider, const passage *p)
{
    enum { PARTS = 64 };
    double sum = 0, last[3] = { 0 };
    for (int i = 0; i <= PARTS; i++) {
        double t = i / (double)PARTS, at[3], own[3];
        for (int k = 0; k < 3; k++)
            at[k] = p->a[k] + t * (p->b[k] - p->a[k]);
        tide_pose pose = tide_collider_pose(collider, p->from + t * (p->to - p->from));
        tide_pose_apply_inverse(&pose, at, own);
        sum += i ? distance_between(own, last) : 0;
        memcpy(last, own, sizeof last);
    }
    return 1.01 * sum;
}

static void check(const tide_collider *collider, const passage *p, int *hits)
{
    enum { SAMPLES = 2000 };
    double t = -1, normal[3], length = length_of(collider, p);
    bool hit = tide_collider_sweep(collider, p->from, p->to, p->a, p->b, p->radius, &t, normal);
    // Contacts that may be missed: see the header.
    bool convex = collider->shape.distance->kind->convex;
    double missed = convex ? 1e-9 : fmax(p->radius + collider->thickness, length / 1000);
    bool out = gap_on(collider, p, 0, NULL) > 1e-9;
    if (!out)
        return; // test_from_near
    double first = 2;
    for (int i = 0; i <= SAMPLES && first > 1; i++)
        if (gap_on(collider, p, i / (double)SAMPLES, NULL) < -missed)
            first = i / (double)SAMPLES;
    if (!hit) {
        assert_true(first > 1);
        assert_true(gap_on(collider, p, 1, NULL) > 0);
        return;
    }
    ++*hits;
    assert_true(t > 0 && t <= 1 && t <= first);
    double expected[3], gap = gap_on(collider, p, t, expected);
    assert_true(gap >= -1e-14 && gap <= 1e-9);
    assert_true(distance_between(expected, normal) < 1e-6);
    for (int i = 0; i < SAMPLES && i / (double)SAMPLES < t; i++)
        assert_true(gap_on(collider, p, i / (double)SAMPLES, NULL) > -missed);
}

static void test_against_sampling(void **state)
{
    (void)state;
    shape_parts parts = make_parts();
    for (uint32_t i = 0; tide_shape_kind_at(i); i++) {
        tide_random random = tide_random_seed(1);
        any_shape def;
        define(tide_shape_kind_at(i), &parts, &def);
        tide_collider *collider = make_collider(tide_shape_kind_at(i), &def, i % 2 ? 0.01 : 0);
        int hits = 0;
        for (int n = 0; n < 300; n++) {
            // At rest, moving along, turning, and both.
            tide_error error;
            move_at_random(collider, &random, n & 1 ? 0.5 : 0, n & 2 ? 2 : 0);
            if (!(n & 3))
                assert_ok(tide_collider_place(collider, &collider->start, &error), error);
            passage p = random_passage(&random);
            check(collider, &p, &hits);
        }
        if (hits <= 5)
            fail_msg("shape %s: %d of 300 passages hit it", tide_shape_kind_at(i)->name, hits);
        tide_collider_destroy(collider);
    }
    drop_parts(&parts);
}

static void test_ball_exactly(void **state)
{
    (void)state;
    // The first root of |a + t (b - a) - c(t)| = radius.
    tide_random random = tide_random_seed(2);
    tide_collider *ball = make_ball(0.3);
    int hits = 0, misses = 0;
    for (int n = 0; n < 2000; n++) {
        tide_error error;
        tide_pose start = random_pose(&random, 0.5), end = random_pose(&random, 0.5);
        memcpy(end.rotation, start.rotation, sizeof end.rotation);
        assert_ok(tide_collider_place(ball, &start, &error), error);
        assert_ok(tide_collider_move(ball, &end, &error), error);
        double a[3], b[3], aa = 0, ab = 0, bb = 0, t = -1;
        random_vector(&random, 1, a);
        random_vector(&random, 1, b);
        for (int k = 0; k < 3; k++) {
            double d = a[k] - start.position[k], u = b[k] - end.position[k] - d;
            aa += d * d;
            ab += d * u;
            bb += u * u;
        }
        bool hit = tide_collider_sweep(ball, 0, 1, a, b, 0.1, &t, NULL);
        double c = aa - 0.16, under = ab * ab - bb * c, root = (-ab - sqrt(fmax(under, 0))) / bb;
        if (c <= 0)
            continue;
        bool expected = under >= 0 && root >= 0 && root <= 1;
        assert_int_equal(hit, expected);
        hits += hit;
        misses += !hit;
        if (!hit)
            continue;
        // Within 1e-9 m of the ball: in time that over the speed of approach.
        double approach = sqrt(under) / 0.4;
        assert_true(t <= root + 1e-14 && t >= root - 1.1e-9 / approach - 1e-14);
    }
    assert_true(hits > 300 && misses > 300);
    tide_collider_destroy(ball);
}

static void test_bullets(void **state)
{
    (void)state;
    // Through a plate of 0.1 mm on a way of 100 m, as a box and as a mesh, whichever of both moves.
    const tide_shape_box_def def = { .size = { 4, 1e-4, 4 } };
    tide_shape box;
    tide_error error;
    assert_ok(tide_shape_create(&tide_shape_box, &def, &box, &error), error);
    tide_mesh *closed;
    assert_ok(tide_mesh_weld(box.surface, 0, &closed, &error), error);
    const tide_shape_mesh_def mesh_def = { .mesh = closed, .scale = 1, .rate = 30 };
    tide_collider *plates[2] = { make_collider(&tide_shape_box, &def, 0),
                                 make_collider(&tide_shape_mesh, &mesh_def, 0) };
    tide_random random = tide_random_seed(3);
    for (int n = 0; n < 400; n++) {
        tide_collider *plate = plates[n % 2];
        double through[3], a[3], b[3], t = -1, normal[3], part = random_in(&random, 0.1, 0.9);
        random_vector(&random, 1.8, through);
        through[1] = 0;
        double slant = random_in(&random, -60, 60);
        for (int k = 0; k < 3; k++) {
            double way = k == 0 ? slant : k == 1 ? -80 : 5;
            a[k] = through[k] - part * way;
            b[k] = through[k] + (1 - part) * way;
        }
        if (n % 4 < 2) {
            assert_ok(tide_collider_place(plate, &box.pose, &error), error);
        } else {
            // The point stays where it is, and the plate goes past it.
            tide_pose start = tide_pose_identity(), end = tide_pose_identity();
            for (int k = 0; k < 3; k++) {
                start.position[k] = -a[k];
                end.position[k] = -b[k];
                a[k] = b[k] = 0;
            }
            assert_ok(tide_collider_place(plate, &start, &error), error);
            assert_ok(tide_collider_move(plate, &end, &error), error);
        }
        assert_true(tide_collider_sweep(plate, 0, 1, a, b, 0, &t, normal));
        assert_near(t, part - 0.5e-4 / 80, 1e-9);
        assert_near(normal[1], 1, 1e-12);
        // Beside the plate there is nothing.
        double aside[3] = { 200, a[1], a[2] }, away[3] = { 200, b[1], b[2] };
        assert_false(tide_collider_sweep(plate, 0, 1, aside, away, 0, &t, normal));
    }
    tide_collider_destroy(plates[0]);
    tide_collider_destroy(plates[1]);
    tide_shape_release(&box);
    tide_mesh_release(closed);
}

static void test_blade(void **state)
{
    (void)state;
    // A blade that turns about y by 3 radians meets what stays where it is.
    const tide_shape_box_def def = { .size = { 2, 0.5, 1e-3 } };
    tide_collider *blade = make_collider(&tide_shape_box, &def, 0);
    const double axis[3] = { 0, 1, 0 };
    tide_error error;
    tide_pose end = tide_pose_identity();
    tide_quaternion_from_axis_angle(axis, 3, end.rotation);
    assert_ok(tide_collider_move(blade, &end, &error), error);
    tide_random random = tide_random_seed(4);
    for (int n = 0; n < 200; n++) {
        double radius = random_in(&random, 0.1, 0.99), angle = random_in(&random, 0.1, 2.9), t, normal[3];
        // Turning about y goes from x to -z.
        const double p[3] = { radius * cos(angle), 0.1, -radius * sin(angle) };
        assert_true(tide_collider_sweep(blade, 0, 1, p, p, 0, &t, normal));
        // Its face, 0.5 mm off the middle, is ahead by asin(0.0005 / radius).
        assert_near(t, (angle - asin(0.0005 / radius)) / 3, 1e-8);
        assert_true(normal[0] * -sin(angle) + normal[2] * -cos(angle) > 0.99);
        const double beyond[3] = { 1.01 * cos(angle), 0.1, -1.01 * sin(angle) };
        assert_false(tide_collider_sweep(blade, 0, 1, beyond, beyond, 0, &t, normal));
    }
    tide_collider_destroy(blade);
}

static void test_from_near(void **state)
{
    (void)state;
    tide_collider *ball = make_ball(0.5);
    const double on[3] = { 0.5, 0, 0 }, in[3] = { 0.2, 0.1, 0 }, aside[3] = { 0.5, 1, 0 }, out[3] = { 2, 0, 0 };
    double t = -1, normal[3] = { 0 };
    assert_true(tide_collider_sweep(ball, 0, 1, on, in, 0, &t, normal));
    assert_near(t, 0, 0);
    assert_near(normal[0], 1, 0);
    t = -1;
    assert_false(tide_collider_sweep(ball, 0, 1, on, aside, 0, &t, normal));
    assert_false(tide_collider_sweep(ball, 0, 1, on, out, 0, &t, normal));
    assert_false(tide_collider_sweep(ball, 0, 1, on, on, 0, &t, normal));
    assert_false(tide_collider_sweep(ball, 0, 1, in, out, 0, &t, normal));
    assert_near(t, -1, 0);
    tide_collider_destroy(ball);
    // From one inner side of a ring to the other: as it leaves the one it has not come in.
    tide_shape_torus_def def;
    tide_shape_default(&tide_shape_torus, &def);
    tide_collider *ring = make_collider(&tide_shape_torus, &def, 0);
    const double here[3] = { 0.35, 0, 0 }, there[3] = { -0.5, 0, 0 };
    assert_true(tide_collider_sweep(ring, 0, 1, here, there, 0.01, &t, normal));
    assert_near(t, (0.35 + 0.34) / 0.85, 1e-8);
    assert_near(normal[0], 1, 1e-9);
    // From inside it comes out first.
    const double inside[3] = { 0.5, 0, 0 };
    assert_true(tide_collider_sweep(ring, 0, 1, inside, there, 0.01, &t, normal));
    assert_near(t, 0.5 + 0.34, 1e-8);
    // A point that starts inside and stays there does not enter.
    assert_false(tide_collider_sweep(ring, 0, 1, there, there, 0.01, &t, normal));
    tide_collider_destroy(ring);
}

static tide_status sample_steeply(void *context, const double p[3], double *value, tide_error *error)
{
    (void)context;
    (void)error;
    *value = 5 * (tide_vec3_length(tide_vec3_load(p)) - 0.5);
    return TIDE_OK;
}

static void test_steep_function(void **state)
{
    (void)state;
    // The distance of a script may be wrong: its values are then less reliable, and steps are shorter.
    const double lower[3] = { -1, -1, -1 }, upper[3] = { 1, 1, 1 };
    tide_shape_distance_def def;
    tide_error error;
    tide_shape_default(&tide_shape_distance, &def);
    assert_ok(tide_distance_grid(sample_steeply, NULL, lower, upper, 0.05, &def.distance, &error), error);
    tide_collider *ball = make_collider(&tide_shape_distance, &def, 0);
    tide_distance_release(def.distance);
    tide_random random = tide_random_seed(5);
    for (int n = 0; n < 200; n++) {
        double a[3] = { -30 }, b[3] = { 30 }, t;
        a[1] = random_in(&random, -0.4, 0.4);
        b[1] = -a[1];
        b[2] = random_in(&random, -0.2, 0.2);
        assert_true(tide_collider_sweep(ball, 0, 1, a, b, 0, &t, NULL));
        double at[3] = { -30 + 60 * t, a[1] * (1 - 2 * t), b[2] * t }, none[3] = { 0 };
        assert_near(distance_between(at, none), 0.5, 2e-3);
        assert_true(at[0] < 0);
    }
    tide_collider_destroy(ball);
}

static void test_rubbish(void **state)
{
    (void)state;
    // The search ends for any numbers.
    shape_parts parts = make_parts();
    const double bad[3] = { NAN, 0, 0 }, far[3] = { 1e300, -1e300, 1e300 }, origin[3] = { 0 };
    const double *ends[3] = { bad, far, origin };
    for (uint32_t i = 0; tide_shape_kind_at(i); i++) {
        any_shape def;
        define(tide_shape_kind_at(i), &parts, &def);
        tide_collider *collider = make_collider(tide_shape_kind_at(i), &def, 0);
        for (int n = 0; n < 9; n++) {
            double t, normal[3];
            tide_collider_sweep(collider, 0, 1, ends[n / 3], ends[n % 3], 0, &t, normal);
        }
        tide_collider_destroy(collider);
    }
    drop_parts(&parts);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_against_sampling), cmocka_unit_test(test_ball_exactly),
    cmocka_unit_test(test_bullets),          cmocka_unit_test(test_blade),
    cmocka_unit_test(test_from_near),        cmocka_unit_test(test_steep_function),
    cmocka_unit_test(test_rubbish),
};
TIDE_TEST_SUITE(collision_sweep, tests)
