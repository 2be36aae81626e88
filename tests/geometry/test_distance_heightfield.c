// Height fields: against all triangles and walls, one by one.
#include "distance_tests.h"

typedef struct ground {
    uint32_t columns, rows;
    double width, depth;
    double *heights;
    const tide_distance *distance;
} ground;

static ground make_ground(uint32_t columns, uint32_t rows, double width, double depth, double rough, uint64_t seed)
{
    ground g = { columns, rows, width, depth, tide_allocate_array((size_t)columns * rows, sizeof(double)), NULL };
    assert_non_null(g.heights);
    tide_random random = tide_random_seed(seed);
    for (uint32_t i = 0; i < columns * rows; i++)
        g.heights[i] = rough * (tide_random_uniform(&random) - 0.5);
    tide_error error;
    assert_ok(tide_distance_heightfield(columns, rows, width, depth, g.heights, &g.distance, &error), error);
    return g;
}

static void drop_ground(ground *g)
{
    tide_distance_release(g->distance);
    tide_free(g->heights);
}

static tide_vec3 corner_of(const ground *g, uint32_t column, uint32_t row)
{
    return (tide_vec3) { g->width * column / (g->columns - 1) - g->width / 2, g->heights[row * g->columns + column],
                         g->depth * row / (g->rows - 1) - g->depth / 2 };
}

// The distance to a triangle by a way of its own: minimise |a + u ab + v ac - p| over the inside, then over each side.
static double to_triangle(const tide_vec3 t[3], tide_vec3 p)
{
    tide_vec3 ab = tide_vec3_subtract(t[1], t[0]), ac = tide_vec3_subtract(t[2], t[0]),
              ap = tide_vec3_subtract(p, t[0]);
    double aa = tide_vec3_dot(ab, ab), bb = tide_vec3_dot(ac, ac), cross = tide_vec3_dot(ab, ac);
    double pa = tide_vec3_dot(ap, ab), pb = tide_vec3_dot(ap, ac), det = aa * bb - cross * cross;
    double u = (pa * bb - pb * cross) / det, v = (pb * aa - pa * cross) / det;
    if (u >= 0 && v >= 0 && u + v <= 1) {
        tide_vec3 n = tide_vec3_cross(ab, ac);
        return fabs(tide_vec3_dot(n, ap)) / tide_vec3_length(n);
    }
    double least = INFINITY;
    for (int k = 0; k < 3; k++) {
        tide_vec3 side = tide_vec3_subtract(t[(k + 1) % 3], t[k]), d = tide_vec3_subtract(p, t[k]);
        double s = fmin(fmax(tide_vec3_dot(d, side) / tide_vec3_dot(side, side), 0), 1);
        least = fmin(least, tide_vec3_length(tide_vec3_subtract(d, tide_vec3_scale(side, s))));
    }
    return least;
}

// All triangles, the cells split like a checkerboard, and whether p is under one of them; then the walls.
static double brute_force(const ground *g, const double at[3])
{
    tide_vec3 p = tide_vec3_load(at);
    double least = INFINITY, half_x = g->width / 2, half_z = g->depth / 2;
    double x = fmin(fmax(p.x, -half_x), half_x), z = fmin(fmax(p.z, -half_z), half_z), height = NAN;
    for (uint32_t row = 0; row + 1 < g->rows; row++)
        for (uint32_t column = 0; column + 1 < g->columns; column++) {
            tide_vec3 a = corner_of(g, column, row), b = corner_of(g, column + 1, row);
            tide_vec3 c = corner_of(g, column, row + 1), d = corner_of(g, column + 1, row + 1);
            bool even = (column + row) % 2 == 0;
            const tide_vec3 triangles[2][3] = { { a, c, even ? d : b }, { even ? a : b, even ? d : c, even ? b : d } };
            for (int t = 0; t < 2; t++) {
                least = fmin(least, to_triangle(triangles[t], p));
                // Where the vertical line through (x, z) meets it: barycentric coordinates in the x-z plane.
                const tide_vec3 *q = triangles[t];
                double det = (q[1].x - q[0].x) * (q[2].z - q[0].z) - (q[2].x - q[0].x) * (q[1].z - q[0].z);
                double u = ((x - q[0].x) * (q[2].z - q[0].z) - (q[2].x - q[0].x) * (z - q[0].z)) / det;
                double v = ((q[1].x - q[0].x) * (z - q[0].z) - (x - q[0].x) * (q[1].z - q[0].z)) / det;
                if (u >= -1e-12 && v >= -1e-12 && u + v <= 1 + 1e-12)
                    height = q[0].y + u * (q[1].y - q[0].y) + v * (q[2].y - q[0].y);
            }
        }
    bool over = x == p.x && z == p.z;
    if (!over)
        return p.y <= height ? fmin(least, hypot(p.x - x, p.z - z)) : least;
    if (p.y > height)
        return least;
    return -fmin(least, fmin(half_x - fabs(p.x), half_z - fabs(p.z)));
}

static void test_against_all_triangles(void **state)
{
    (void)state;
    const struct {
        uint32_t columns, rows;
        double rough;
    } cases[] = { { 2, 2, 0.5 }, { 9, 7, 0.8 }, { 9, 7, 0.05 }, { 2, 17, 0.5 }, { 33, 20, 3 }, { 12, 12, 0 } };
    const double lower[3] = { -2, -1.5, -2 }, upper[3] = { 2, 1.5, 2 };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ground g = make_ground(cases[i].columns, cases[i].rows, 2.5, 2, cases[i].rough, i + 1);
        tide_random random = tide_random_seed(i);
        for (int n = 0; n < 1500; n++) {
            double p[3], gradient[3], on[3];
            random_point(&random, lower, upper, p);
            if (n % 5 == 0)
                p[1] *= 100; // far above, far below
            double value = tide_distance_at(g.distance, p, gradient);
            assert_near(value, brute_force(&g, p), 1e-12 * (1 + fabs(p[1])));
            for (int k = 0; k < 3; k++)
                on[k] = p[k] - value * gradient[k];
            assert_near(brute_force(&g, on), 0, 1e-11 * (1 + fabs(p[1])));
        }
        assert_is_distance(g.distance, lower, upper, true);
        drop_ground(&g);
    }
}

static void test_on_the_surface(void **state)
{
    (void)state;
    ground g = make_ground(9, 7, 2, 1.5, 0.6, 3);
    double most = -INFINITY;
    for (uint32_t row = 0; row < 7; row++)
        for (uint32_t column = 0; column < 9; column++) {
            double p[3], gradient[3], none[3] = { 0 };
            tide_vec3_store(p, corner_of(&g, column, row));
            most = fmax(most, p[1]);
            assert_near(tide_distance_at(g.distance, p, gradient), 0, 1e-15);
            assert_near(apart(gradient, none), 1, 1e-12);
            assert_true(gradient[1] > 0 || row == 0 || row == 6 || column == 0 || column == 8);
        }
    assert_near(g.distance->upper[1], most, 0);
    assert_near(g.distance->upper[0], 1, 0);
    assert_near(g.distance->lower[2], -0.75, 0);
    assert_true(isinf(g.distance->lower[1]));
    drop_ground(&g);
}

static tide_status make_again(const ground *g, const tide_distance **out, tide_error *error)
{
    return tide_distance_heightfield(g->columns, g->rows, g->width, g->depth, g->heights, out, error);
}

static void test_what_is_refused(void **state)
{
    (void)state;
    ground g = make_ground(4, 3, 2, 1.5, 0.6, 3);
    const tide_distance *out = NULL;
    tide_error error;
    assert_fails(tide_distance_heightfield(1, 3, 1, 1, g.heights, &out, &error), error,
                 "distance heightfield: columns = 1: expected at least 2");
    assert_fails(tide_distance_heightfield(3, 0, 1, 1, g.heights, &out, &error), error, "rows = 0");
    assert_fails(tide_distance_heightfield(100000, 100000, 1, 1, g.heights, &out, &error), error,
                 "heights = 1e+10: expected at most 33554432");
    assert_fails(tide_distance_heightfield(4, 3, 0, 1, g.heights, &out, &error), error, "width = 0");
    assert_fails(tide_distance_heightfield(4, 3, 1, NAN, g.heights, &out, &error), error, "depth = nan");
    g.heights[6] = INFINITY;
    assert_fails(tide_distance_heightfield(4, 3, 1, 1, g.heights, &out, &error), error,
                 "heights = inf: expected numbers from -1e9 to 1e9 m; this is the one of column 3, row 2");
    g.heights[6] = 0;
    assert_null(out);
    assert_survives_failures(make_again(&g, &out, &error), tide_distance_release(out), 2);
    drop_ground(&g);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_against_all_triangles),
    cmocka_unit_test(test_on_the_surface),
    cmocka_unit_test(test_what_is_refused),
};
TIDE_TEST_SUITE(geometry_distance_heightfield, tests)
