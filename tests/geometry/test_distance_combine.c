// Combined and sampled distances: against the logic of sets, brute force and linear functions.
#include "distance_tests.h"

static const double lower[3] = { -1.6, -1.5, -1.7 }, upper[3] = { 1.7, 1.4, 1.5 };
static const double axis[3] = { 1, 2, -0.5 };

typedef struct three {
    const tide_distance *parts[3]; // a ball, a box and a ring that meet
} three;

static three make_three(void)
{
    three t;
    tide_error error;
    const double centre[3] = { 0.4, 0.1, 0 }, size[3] = { 1, 1.4, 0.8 }, ring[3] = { -0.2, 0, 0.1 };
    assert_ok(tide_distance_sphere(centre, 0.6, &t.parts[0], &error), error);
    assert_ok(tide_distance_box(size, 0, &t.parts[1], &error), error);
    assert_ok(tide_distance_torus(ring, axis, 0.7, 0.25, &t.parts[2], &error), error);
    return t;
}

static void drop_three(three *t)
{
    for (int i = 0; i < 3; i++)
        tide_distance_release(t->parts[i]);
}

static void test_sets(void **state)
{
    (void)state;
    three t = make_three();
    const tide_distance *both, *common, *rest;
    tide_error error;
    assert_ok(tide_distance_union(t.parts, 3, 0, &both, &error), error);
    assert_ok(tide_distance_intersection(t.parts, 3, 0, &common, &error), error);
    assert_ok(tide_distance_difference((const tide_distance *[]) { t.parts[1], t.parts[0] }, 2, 0, &rest, &error),
              error);
    tide_random random = tide_random_seed(1);
    int counts[3] = { 0 };
    for (int i = 0; i < 10000; i++) {
        double p[3], v[3];
        random_point(&random, lower, upper, p);
        for (int k = 0; k < 3; k++)
            v[k] = tide_distance_at(t.parts[k], p, NULL);
        bool in_any = v[0] < 0 || v[1] < 0 || v[2] < 0, in_all = v[0] < 0 && v[1] < 0 && v[2] < 0;
        bool in_rest = v[1] < 0 && !(v[0] < 0);
        assert_int_equal(tide_distance_at(both, p, NULL) < 0, in_any);
        assert_int_equal(tide_distance_at(common, p, NULL) < 0, in_all);
        assert_int_equal(tide_distance_at(rest, p, NULL) < 0, in_rest);
        assert_near(tide_distance_at(both, p, NULL), fmin(v[0], fmin(v[1], v[2])), 0);
        assert_near(tide_distance_at(common, p, NULL), fmax(v[0], fmax(v[1], v[2])), 0);
        assert_near(tide_distance_at(rest, p, NULL), fmax(v[1], -v[0]), 0);
        counts[0] += in_any;
        counts[1] += in_all;
        counts[2] += in_rest;
    }
    assert_true(counts[0] > 500 && counts[1] > 20 && counts[2] > 100);
    assert_is_distance(both, lower, upper, true);
    assert_is_distance(common, lower, upper, true);
    assert_is_distance(rest, lower, upper, true);
    assert_false(both->kind->convex || common->kind->convex || rest->kind->convex);
    tide_distance_release(both);
    tide_distance_release(common);
    tide_distance_release(rest);
    // An intersection of convex parts is convex.
    assert_ok(tide_distance_intersection(t.parts, 2, 0.1, &common, &error), error);
    assert_true(common->kind->convex);
    tide_distance_release(common);
    drop_three(&t);
}

static void test_smooth(void **state)
{
    (void)state;
    three t = make_three();
    const double blend = 0.3;
    const tide_distance *plain[3], *smooth[3];
    tide_error error;
    for (int i = 0; i < 2; i++) {
        const tide_distance **to = i ? smooth : plain;
        assert_ok(tide_distance_union(t.parts, 2, i * blend, &to[0], &error), error);
        assert_ok(tide_distance_intersection(t.parts, 2, i * blend, &to[1], &error), error);
        assert_ok(tide_distance_difference(t.parts, 2, i * blend, &to[2], &error), error);
    }
    tide_random random = tide_random_seed(1);
    int seam = 0;
    for (int i = 0; i < 10000; i++) {
        double p[3], v[2];
        random_point(&random, lower, upper, p);
        for (int k = 0; k < 2; k++)
            v[k] = tide_distance_at(t.parts[k], p, NULL);
        for (int k = 0; k < 3; k++) {
            // Apart from the seam the plain one; in it at most a quarter of the blend more or less, most on it.
            double apart_by = k == 2 ? fabs(v[0] + v[1]) : fabs(v[0] - v[1]), sign = k == 0 ? 1 : -1;
            double less = sign * (tide_distance_at(plain[k], p, NULL) - tide_distance_at(smooth[k], p, NULL));
            double near = fmax(0, 1 - apart_by / blend);
            assert_near(less, near * near * blend / 4, 1e-15);
            seam += near > 0;
        }
    }
    assert_true(seam > 3000);
    for (int k = 0; k < 3; k++) {
        assert_is_distance(smooth[k], lower, upper, false);
        tide_distance_release(plain[k]);
        tide_distance_release(smooth[k]);
    }
    // Bounds hold for many parts at one place, too.
    const tide_distance *many[9];
    for (int i = 0; i < 9; i++)
        many[i] = t.parts[0];
    assert_ok(tide_distance_union(many, 9, blend, &smooth[0], &error), error);
    assert_is_distance(smooth[0], lower, upper, false);
    assert_near(smooth[0]->upper[1], t.parts[0]->upper[1] + blend, 1e-15);
    tide_distance_release(smooth[0]);
    drop_three(&t);
}

static void test_moved(void **state)
{
    (void)state;
    // A cylinder made where it is and one moved there.
    const double from[3] = { 0, 0, -1 }, to[3] = { 0, 0, 1 }, by[3] = { 0.3, -0.2, 0.5 }, y[3] = { 0, 3, 0 };
    const double turned_from[3] = { -0.5 + 0.3, -0.2, 0.5 }, turned_to[3] = { 0.5 + 0.3, -0.2, 0.5 };
    const tide_distance *first, *turned, *scaled, *moved, *direct;
    tide_error error;
    assert_ok(tide_distance_cylinder(from, to, 0.6, &first, &error), error);
    assert_ok(tide_distance_rotate(first, y, 3.14159265358979323846 / 2, &turned, &error), error);
    assert_ok(tide_distance_scale(turned, 0.5, &scaled, &error), error);
    assert_ok(tide_distance_translate(scaled, by, &moved, &error), error);
    assert_ok(tide_distance_cylinder(turned_from, turned_to, 0.3, &direct, &error), error);
    assert_true(moved->kind->convex);
    tide_random random = tide_random_seed(1);
    for (int i = 0; i < 1000; i++) {
        double p[3];
        random_point(&random, lower, upper, p);
        assert_near(tide_distance_at(moved, p, NULL), tide_distance_at(direct, p, NULL), 1e-14);
    }
    for (int k = 0; k < 3; k++) {
        assert_near(moved->lower[k], direct->lower[k], 1e-14);
        assert_near(moved->upper[k], direct->upper[k], 1e-14);
    }
    assert_is_distance(moved, lower, upper, true);
    tide_distance_release(turned);
    tide_distance_release(scaled);
    tide_distance_release(direct);
    // Any axis: bounds and gradients.
    assert_ok(tide_distance_rotate(first, axis, -2, &turned, &error), error);
    assert_is_distance(turned, lower, upper, true);
    tide_distance_release(turned);
    // Grown and shrunk.
    for (int sign = -1; sign < 2; sign += 2) {
        const tide_distance *grown;
        assert_ok(tide_distance_grow(first, 0.2 * sign, &grown, &error), error);
        for (int i = 0; i < 100; i++) {
            double p[3];
            random_point(&random, lower, upper, p);
            assert_near(tide_distance_at(grown, p, NULL), tide_distance_at(first, p, NULL) - 0.2 * sign, 0);
        }
        assert_is_distance(grown, lower, upper, true);
        tide_distance_release(grown);
    }
    tide_distance_release(first);
    tide_distance_release(moved);
}

static void test_repeated(void **state)
{
    (void)state;
    // Against all copies, one by one: apart, overlapping, off their middle, and not bounded.
    three t = make_three();
    const tide_distance *small, *floor, *cases[4];
    const double up[3] = { 0, 1, 0 },
                 spacings[4][3] = { { 0.5, 0.7, 0.6 }, { 0.2, 0.2, 0.5 }, { 0.4, 1, 0.3 }, { 0.3, 0.3, 0.3 } };
    const int counts[4][3] = { { 3, 2, 4 }, { 4, 3, 1 }, { 2, 1, 5 }, { 2, 3, 2 } };
    tide_error error;
    assert_ok(tide_distance_scale(t.parts[2], 0.25, &small, &error), error);
    assert_ok(tide_distance_plane(up, -0.4, &floor, &error), error);
    for (int n = 0; n < 4; n++) {
        const tide_distance *one = n == 3 ? floor : small;
        assert_ok(tide_distance_repeat(one, spacings[n], counts[n], &cases[n], &error), error);
        tide_random random = tide_random_seed(1);
        for (int i = 0; i < 2000; i++) {
            double p[3], least = INFINITY;
            random_point(&random, lower, upper, p);
            for (int c = 0; c < counts[n][0] * counts[n][1] * counts[n][2]; c++) {
                const int copy[3] = { c % counts[n][0], c / counts[n][0] % counts[n][1],
                                      c / counts[n][0] / counts[n][1] };
                double q[3];
                for (int k = 0; k < 3; k++)
                    q[k] = p[k] - (copy[k] - 0.5 * (counts[n][k] - 1)) * spacings[n][k];
                least = fmin(least, tide_distance_at(one, q, NULL));
            }
            assert_near(tide_distance_at(cases[n], p, NULL), least, 1e-14);
        }
        assert_is_distance(cases[n], lower, upper, true);
        tide_distance_release(cases[n]);
    }
    tide_distance_release(small);
    tide_distance_release(floor);
    drop_three(&t);
}

// --- sampled

static tide_status sample_linear(void *context, const double p[3], double *value, tide_error *error)
{
    (void)error;
    const double *f = context;
    *value = f[0] + f[1] * p[0] + f[2] * p[1] + f[3] * p[2];
    return TIDE_OK;
}

static tide_status sample_distance(void *context, const double p[3], double *value, tide_error *error)
{
    (void)error;
    *value = tide_distance_at(context, p, NULL);
    return TIDE_OK;
}

static tide_status sample_random(void *context, const double p[3], double *value, tide_error *error)
{
    (void)error;
    (void)p;
    *value = 0.5 + 0.2 * tide_random_uniform(context);
    return TIDE_OK;
}

static void test_grid_of_a_linear_function(void **state)
{
    (void)state;
    double f[4] = { 0.1, 0.3, -0.5, 0.4 };
    const tide_distance *grid;
    tide_error error;
    assert_ok(tide_distance_grid(sample_linear, f, lower, upper, 0.37, &grid, &error), error);
    tide_random random = tide_random_seed(1);
    int exact = 0;
    for (int i = 0; i < 2000; i++) {
        double p[3], gradient[3], value, wall = -INFINITY;
        random_point(&random, lower, upper, p);
        sample_linear(f, p, &value, NULL);
        for (int k = 0; k < 3; k++)
            wall = fmax(wall, fmax(lower[k] - p[k], p[k] - upper[k]));
        assert_near(tide_distance_at(grid, p, gradient), fmax(value, wall), 1e-14);
        for (int k = 0; k < 3 && value > wall; k++)
            assert_near(gradient[k], f[k + 1], 1e-13);
        exact += value > wall;
    }
    assert_true(exact > 1000);
    assert_near(grid->steepest, 1, 0);
    assert_is_distance(grid, lower, upper, false);
    // Beyond the bounds, too.
    const double far_lower[3] = { -3, -3, -3 }, far_upper[3] = { 3, 3, 3 };
    assert_is_distance(grid, far_lower, far_upper, false);
    tide_distance_release(grid);
    // A steeper function is known to be so.
    for (int k = 0; k < 4; k++)
        f[k] *= 10;
    assert_ok(tide_distance_grid(sample_linear, f, lower, upper, 0.37, &grid, &error), error);
    assert_near(grid->steepest, 10 * sqrt(0.5), 1e-12);
    tide_distance_release(grid);
}

static void test_grid_at_its_corners(void **state)
{
    (void)state;
    // 3.3 by 2.9 by 3.2 in cells of at most 0.5: 7, 6 and 7 of them.
    tide_random random = tide_random_seed(5), again = random;
    const tide_distance *grid;
    tide_error error;
    assert_ok(tide_distance_grid(sample_random, &random, lower, upper, 0.5, &grid, &error), error);
    const int cells[3] = { 7, 6, 7 };
    for (int k = 0; k <= cells[2]; k++)
        for (int j = 0; j <= cells[1]; j++)
            for (int i = 0; i <= cells[0]; i++) {
                const int at[3] = { i, j, k };
                double p[3], value;
                for (int c = 0; c < 3; c++)
                    p[c] = lower[c] + (upper[c] - lower[c]) * at[c] / cells[c];
                sample_random(&again, p, &value, NULL);
                assert_near(tide_distance_at(grid, p, NULL), value, 1e-13);
            }
    // The inside is empty.
    assert_near(grid->lower[0], grid->upper[0], 0);
    tide_distance_release(grid);
}

static void test_grid_of_a_ball(void **state)
{
    (void)state;
    const double centre[3] = { 0.1, -0.2, 0.3 };
    const tide_distance *ball, *grid, *halves[2];
    tide_error error;
    assert_ok(tide_distance_sphere(centre, 0.8, &ball, &error), error);
    double errors[2];
    for (int n = 0; n < 2; n++) {
        assert_ok(tide_distance_grid(sample_distance, (void *)(uintptr_t)ball, lower, upper, 0.1 / (n + 1), &halves[n],
                                     &error),
                  error);
        grid = halves[n];
        tide_random random = tide_random_seed(1);
        errors[n] = 0;
        for (int i = 0; i < 5000; i++) {
            double p[3], exact, gradient[3], exact_gradient[3];
            random_point(&random, lower, upper, p);
            exact = tide_distance_at(ball, p, exact_gradient);
            double value = tide_distance_at(grid, p, gradient);
            if (fabs(exact) > 0.3)
                continue;
            errors[n] = fmax(errors[n], fabs(value - exact));
            for (int k = 0; k < 3; k++)
                assert_near(gradient[k], exact_gradient[k], 0.12 / (n + 1));
        }
        for (int k = 0; k < 3; k++) {
            // Bounds are those of cells that have a corner inside: a tip may be between corners.
            assert_true(grid->lower[k] <= centre[k] - 0.79 && grid->lower[k] >= centre[k] - 0.91);
            assert_true(grid->upper[k] >= centre[k] + 0.79 && grid->upper[k] <= centre[k] + 0.91);
        }
    }
    // Second order.
    assert_true(errors[0] / errors[1] > 3 && errors[0] < 5e-3);
    const double far_lower[3] = { -3, -3, -3 }, far_upper[3] = { 3, 3, 3 };
    assert_is_distance(halves[1], far_lower, far_upper, false);
    tide_distance_release(halves[0]);
    tide_distance_release(halves[1]);
    tide_distance_release(ball);
}

static tide_status sample_badly(void *context, const double p[3], double *value, tide_error *error)
{
    if (p[0] < 0.5)
        return sample_linear(context, p, value, error);
    *value = NAN;
    return TIDE_OK;
}

static tide_status sample_and_fail(void *context, const double p[3], double *value, tide_error *error)
{
    (void)context;
    (void)p;
    (void)value;
    return tide_fail(error, TIDE_ERROR_SCRIPT, "function", NULL, NULL, "it threw");
}

static tide_status make_grid_again(const tide_distance **out, tide_error *error)
{
    double f[4] = { 1, 0, 0, 0 };
    return tide_distance_grid(sample_linear, f, lower, upper, 1, out, error);
}

static void test_what_is_refused(void **state)
{
    (void)state;
    three t = make_three();
    const tide_distance *out = NULL;
    tide_error error;
    const double none[3] = { 0 }, bad[3] = { 0, NAN, 0 };
    const int counts[3] = { 2, 0, 2 }, many[3] = { 2000, 2000, 1 }, ones[3] = { 1, 1, 1 }, twos[3] = { 1, 1, 2 };
    assert_fails(tide_distance_union(t.parts, 0, 0, &out, &error), error,
                 "distance union: parts = 0: expected at least");
    assert_fails(tide_distance_union(t.parts, 2, -1, &out, &error), error, "distance union: blend = -1");
    assert_fails(tide_distance_intersection(t.parts, 2, NAN, &out, &error), error,
                 "distance intersection: blend = nan");
    assert_fails(tide_distance_difference(t.parts, 2, INFINITY, &out, &error), error,
                 "distance difference: blend = inf");
    assert_fails(tide_distance_translate(t.parts[0], bad, &out, &error), error, "distance translate: by = {0, nan, 0}");
    assert_fails(tide_distance_rotate(t.parts[0], none, 1, &out, &error), error, "distance rotate: axis = {0, 0, 0}");
    assert_fails(tide_distance_rotate(t.parts[0], axis, NAN, &out, &error), error, "distance rotate: angle = nan");
    assert_fails(tide_distance_scale(t.parts[0], 0, &out, &error), error, "distance scale: factor = 0");
    assert_fails(tide_distance_scale(t.parts[0], -2, &out, &error), error, "distance scale: factor = -2");
    assert_fails(tide_distance_grow(t.parts[0], NAN, &out, &error), error, "distance grow: by = nan");
    assert_fails(tide_distance_repeat(t.parts[0], axis, counts, &out, &error), error,
                 "distance repeat: counts = {2, 0, 2}: expected whole numbers of at least 1");
    assert_fails(tide_distance_repeat(t.parts[0], axis, many, &out, &error), error, "expected at most 1000000 copies");
    assert_fails(tide_distance_repeat(t.parts[0], axis, twos, &out, &error), error, "distance repeat: spacing = -0.5");
    assert_ok(tide_distance_repeat(t.parts[0], none, ones, &out, &error), error);
    tide_distance_release(out);
    out = NULL;
    double f[4] = { 1, 0, 0, 0 };
    assert_fails(tide_distance_grid(sample_linear, f, lower, upper, 0, &out, &error), error, "distance grid: cell = 0");
    assert_fails(tide_distance_grid(sample_linear, f, upper, lower, 1, &out, &error), error,
                 "distance grid: bounds = 1.7 to -1.6 along x: expected an upper corner above the lower one");
    assert_fails(tide_distance_grid(sample_linear, f, lower, bad, 1, &out, &error), error, "upper = {0, nan, 0}");
    assert_fails(tide_distance_grid(sample_linear, f, lower, upper, 1e-3, &out, &error), error,
                 "cell = 0.001: the bounds would have 3.065e+10 corners of cells; expected at most 33554432");
    assert_fails(tide_distance_grid(sample_badly, f, lower, upper, 1, &out, &error), error,
                 "distance grid: sample = nan: expected a finite distance at {0.875, -1.5, -1.7}");
    assert_fails(tide_distance_grid(sample_and_fail, f, lower, upper, 1, &out, &error), error, "it threw");
    assert_null(out);
    assert_survives_failures(make_grid_again(&out, &error), tide_distance_release(out), 1);
    drop_three(&t);
}

enum { TRANSLATE, SCALE, ROTATE, GROW, REPEAT, UNION, INTERSECTION, DIFFERENCE, WAYS };

static tide_status nest(int way, const tide_distance *of, const tide_distance *other, const tide_distance **out,
                        tide_error *error)
{
    const tide_distance *parts[2] = { other, of };
    const double by[3] = { 1e-4, 0, 0 };
    const int once[3] = { 1, 1, 1 };
    switch (way) {
    case TRANSLATE:
        return tide_distance_translate(of, by, out, error);
    case SCALE:
        return tide_distance_scale(of, 1, out, error);
    case ROTATE:
        return tide_distance_rotate(of, axis, 1e-3, out, error);
    case GROW:
        return tide_distance_grow(of, 0, out, error);
    case REPEAT:
        return tide_distance_repeat(of, axis, once, out, error);
    case UNION:
        return tide_distance_union(parts, 2, 0, out, error);
    case INTERSECTION:
        return tide_distance_intersection(parts, 2, 0, out, error);
    default:
        return tide_distance_difference(parts, 2, 0, out, error);
    }
}

// Values are found by recursion: combinations nest to a depth that is stated, and no stack overflows.
static void test_nesting_ends_at_a_depth(void **state)
{
    (void)state;
    three t = make_three();
    tide_error error;
    for (int way = 0; way < WAYS; way++) {
        const tide_distance *d = tide_distance_retain(t.parts[0]), *more = NULL;
        for (int i = 0; i < TIDE_DISTANCE_DEPTH; i++) {
            assert_ok(nest(way, d, t.parts[1], &more, &error), error);
            tide_distance_release(d);
            d = more;
        }
        double gradient[3], value = tide_distance_at(d, (const double[]) { 0, 0, 0 }, gradient);
        assert_true(isfinite(value) && isfinite(gradient[0]));
        more = NULL;
        assert_fails(nest(way, d, t.parts[1], &more, &error), error, "at most 1000 operations may be nested");
        assert_null(more);
        tide_distance_release(d);
    }
    drop_three(&t);
}

// d + d + ... doubles the number of primitives with each level.
static void test_cost_is_bounded(void **state)
{
    (void)state;
    three t = make_three();
    tide_error error;
    const double apart[3] = { 1e-3, 1e-3, 1e-3 };
    const int counts[3] = { 2, 2, 2 };
    for (int way = 0; way < 2; way++) {
        const tide_distance *d = tide_distance_retain(t.parts[0]), *more = NULL;
        int levels = 0;
        while ((way ? tide_distance_repeat(d, apart, counts, &more, &error)
                    : tide_distance_union((const tide_distance *[]) { d, d }, 2, 0, &more, &error)) == TIDE_OK) {
            assert_true(++levels < 100);
            tide_distance_release(d);
            d = more;
        }
        assert_fails(TIDE_ERROR_ARGUMENT, error, "primitives; at most 1e+07 may be combined");
        assert_int_equal(levels, way ? 7 : 23);
        tide_distance_release(d);
    }
    drop_three(&t);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_nesting_ends_at_a_depth),
    cmocka_unit_test(test_cost_is_bounded),
    cmocka_unit_test(test_sets),
    cmocka_unit_test(test_smooth),
    cmocka_unit_test(test_moved),
    cmocka_unit_test(test_repeated),
    cmocka_unit_test(test_grid_of_a_linear_function),
    cmocka_unit_test(test_grid_at_its_corners),
    cmocka_unit_test(test_grid_of_a_ball),
    cmocka_unit_test(test_what_is_refused),
};
TIDE_TEST_SUITE(geometry_distance_combine, tests)
