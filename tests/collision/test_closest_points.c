// Closest points against minimisation by brute force, and against themselves with the parts exchanged.
#include "base/random.h"
#include "collision/closest_points.h"
#include "tests.h"

#include <math.h>
#include <string.h>

static tide_random random_state;

static double uniform(double low, double high)
{
    return low + (high - low) * tide_random_uniform(&random_state);
}

static double apart2(const double *a, const double *b)
{
    return (a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]);
}

static void on_line(const double *a, const double *b, double t, double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = (1 - t) * a[k] + t * b[k];
}

// The least of a convex function on [0, 1], by thirds.
typedef double (*along)(const void *context, double t);

static double least(along f, const void *context)
{
    double low = 0, high = 1;
    for (int i = 0; i < 90; i++) {
        double a = low + (high - low) / 3, b = high - (high - low) / 3;
        if (f(context, a) < f(context, b))
            high = b;
        else
            low = a;
    }
    return fmin(f(context, 0.5 * (low + high)), fmin(f(context, 0), f(context, 1)));
}

typedef struct quad {
    double p[4][3];
    double s;
} quad;

static double to_segment(const void *context, double t)
{
    const quad *q = context;
    double on[3];
    on_line(q->p[2], q->p[3], t, on);
    return apart2(q->p[0], on);
}

static double between_segments(const void *context, double s)
{
    quad q = *(const quad *)context;
    on_line(q.p[0], q.p[1], s, q.p[0]);
    return least(to_segment, &q);
}

static double to_triangle(const void *context, double s)
{
    quad q = *(const quad *)context;
    on_line(q.p[1], q.p[3], s, q.p[3]);
    on_line(q.p[1], q.p[2], s, q.p[2]);
    return least(to_segment, &q);
}

// Random, or one of the cases where formulas divide by nothing.
static quad draw(int kind)
{
    quad q = { 0 };
    for (int i = 0; i < 12; i++)
        q.p[i / 3][i % 3] = kind == 1 ? floor(uniform(0, 3)) : uniform(-1, 1);
    double w[3] = { uniform(-2, 2), uniform(-2, 2), 0 };
    for (int k = 0; k < 3; k++) {
        if (kind == 2) // parallel edges
            q.p[3][k] = q.p[2][k] + w[0] * (q.p[1][k] - q.p[0][k]);
        else if (kind == 3) // all on a line
            q.p[3][k] = q.p[0][k] + w[0] * (q.p[1][k] - q.p[0][k]),
            q.p[2][k] = q.p[0][k] + w[1] * (q.p[1][k] - q.p[0][k]);
        else if (kind == 4) // almost parallel
            q.p[3][k] = q.p[2][k] + q.p[1][k] - q.p[0][k] + uniform(-1e-7, 1e-7);
        else if (kind == 5) // an edge of no length
            q.p[1][k] = q.p[0][k];
        else if (kind == 6)
            q.p[3][k] = q.p[2][k] = q.p[1][k];
        else if (kind == 7) // slivers
            q.p[3][k] = 0.5 * (q.p[1][k] + q.p[2][k]) + uniform(-1e-9, 1e-9);
        else if (kind == 8) // one point
            q.p[1][k] = q.p[2][k] = q.p[3][k] = q.p[0][k];
        else if (kind == 9) // far smaller than they are apart
            for (int i = 1; i < 4; i++)
                q.p[i][k] = q.p[0][k] + 1e-12 * q.p[i][k] + (i > 1 ? 1 : 0);
    }
    return q;
}

static void test_segments(void **state)
{
    (void)state;
    random_state = tide_random_seed(1);
    for (int i = 0; i < 6000; i++) {
        quad q = draw(i % 10);
        double s, t, s2, t2, a[3], b[3];
        double d2 = tide_closest_of_segments(q.p[0], q.p[1], q.p[2], q.p[3], &s, &t);
        assert_true(s >= 0 && s <= 1 && t >= 0 && t <= 1);
        on_line(q.p[0], q.p[1], s, a);
        on_line(q.p[2], q.p[3], t, b);
        assert_near(apart2(a, b), d2, 1e-14);
        double expected = least(between_segments, &q);
        assert_near(sqrt(d2), sqrt(expected), 1e-7);
        assert_near(tide_closest_of_segments(q.p[2], q.p[3], q.p[0], q.p[1], &t2, &s2), d2, 1e-14);
        assert_near(tide_closest_of_segments(q.p[1], q.p[0], q.p[3], q.p[2], &s2, &t2), d2, 1e-14);
    }
}

static void test_triangles(void **state)
{
    (void)state;
    random_state = tide_random_seed(2);
    for (int i = 0; i < 6000; i++) {
        quad q = draw(i % 10);
        double w[3], w2[3], on[3];
        double d2 = tide_closest_on_triangle(q.p[0], q.p[1], q.p[2], q.p[3], w);
        assert_near(w[0] + w[1] + w[2], 1, 1e-14);
        for (int k = 0; k < 3; k++) {
            assert_true(w[k] >= 0);
            on[k] = w[0] * q.p[1][k] + w[1] * q.p[2][k] + w[2] * q.p[3][k];
        }
        assert_near(apart2(on, q.p[0]), d2, 1e-13);
        double expected = least(to_triangle, &q);
        assert_near(sqrt(d2), sqrt(expected), 1e-7);
        assert_near(tide_closest_on_triangle(q.p[0], q.p[2], q.p[3], q.p[1], w2), d2, 1e-13);
        assert_near(tide_closest_on_triangle(q.p[0], q.p[3], q.p[2], q.p[1], w2), d2, 1e-13);
    }
}

static void test_a_point_and_a_segment(void **state)
{
    (void)state;
    random_state = tide_random_seed(3);
    for (int i = 0; i < 3000; i++) {
        quad q = draw(i % 10);
        double t, on[3], d2 = tide_closest_on_segment(q.p[0], q.p[2], q.p[3], &t);
        assert_true(t >= 0 && t <= 1);
        on_line(q.p[2], q.p[3], t, on);
        assert_near(apart2(on, q.p[0]), d2, 1e-14);
        assert_near(sqrt(d2), sqrt(least(to_segment, &q)), 1e-7);
        double own = tide_closest_on_segment(q.p[3], q.p[2], q.p[3], &t);
        assert_true(own == 0);
    }
}

static void test_parallel_edges_touch_in_the_middle(void **state)
{
    (void)state;
    static const double a[3] = { 0, 0, 0 }, b[3] = { 4, 0, 0 }, c[3] = { 2, 1, 0 }, d[3] = { 8, 1, 0 };
    double s, t;
    assert_near(tide_closest_of_segments(a, b, c, d, &s, &t), 1, 0);
    assert_near(s, 0.75, 1e-15);
    assert_near(t, 1. / 6, 1e-15);
    assert_near(tide_closest_of_segments(a, b, d, c, &s, &t), 1, 0);
    assert_near(s, 0.75, 1e-15);
    assert_near(t, 5. / 6, 1e-15);
}

static void test_weights_in_the_plane(void **state)
{
    (void)state;
    static const double a[3] = { 0, 0, 0 }, b[3] = { 2, 0, 0 }, c[3] = { 0, 0, 4 }, p[3] = { 3, 5, -2 };
    double w[3];
    assert_true(tide_triangle_weights(p, a, b, c, w));
    assert_near(w[0], 0, 1e-15);
    assert_near(w[1], 1.5, 1e-15);
    assert_near(w[2], -0.5, 1e-15);
    assert_false(tide_triangle_weights(p, a, b, b, w));
    assert_false(tide_triangle_weights(p, a, a, a, w));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_segments),
    cmocka_unit_test(test_triangles),
    cmocka_unit_test(test_a_point_and_a_segment),
    cmocka_unit_test(test_parallel_edges_touch_in_the_middle),
    cmocka_unit_test(test_weights_in_the_plane),
};
TIDE_TEST_SUITE(collision_geometry, tests)
