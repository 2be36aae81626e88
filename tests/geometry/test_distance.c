// Signed distances: primitives against closed form and dense sampling of their surfaces, and what each must have.
#include "distance_tests.h"

static const double lower[3] = { -1.6, -1.5, -1.7 }, upper[3] = { 1.7, 1.4, 1.5 };
static const double centre[3] = { 0.1, -0.2, 0.3 };
static const double from[3] = { -0.5, -0.3, 0.2 }, to[3] = { 0.6, 0.4, -0.1 };
static const double axis[3] = { 1, 2, -0.5 };

// A frame whose third axis is along `along`.
static void frame(const double along[3], tide_vec3 axes[3])
{
    axes[2] = tide_vec3_normalize(tide_vec3_load(along));
    axes[0] = tide_vec3_normalize(tide_vec3_cross((tide_vec3) { 0.3, -0.2, 0.9 }, axes[2]));
    axes[1] = tide_vec3_cross(axes[2], axes[0]);
}

static void place_in(const tide_vec3 axes[3], tide_vec3 origin, double x, double y, double z, double p[3])
{
    tide_vec3 at = tide_vec3_add(origin, tide_vec3_scale(axes[0], x));
    at = tide_vec3_add(at, tide_vec3_scale(axes[1], y));
    tide_vec3_store(p, tide_vec3_add(at, tide_vec3_scale(axes[2], z)));
}

static void test_plane(void **state)
{
    (void)state;
    const tide_distance *plane;
    tide_error error;
    const double normal[3] = { 2, -3, 6 };
    assert_ok(tide_distance_plane(normal, 0.25, &plane, &error), error);
    tide_random random = tide_random_seed(1);
    for (int i = 0; i < 100; i++) {
        double p[3];
        random_point(&random, lower, upper, p);
        assert_near(tide_distance_at(plane, p, NULL), (2 * p[0] - 3 * p[1] + 6 * p[2]) / 7 - 0.25, 1e-14);
    }
    assert_is_distance(plane, lower, upper, true);
    assert_true(isinf(plane->lower[0]) && isinf(plane->upper[1]));
    tide_distance_release(plane);
    const double down[3] = { 0, -4, 0 };
    assert_ok(tide_distance_plane(down, 0.25, &plane, &error), error);
    assert_is_distance(plane, lower, upper, true);
    assert_near(plane->lower[1], -0.25, 0);
    assert_true(isinf(plane->upper[1]) && isinf(plane->lower[0]));
    tide_distance_release(plane);
}

static void test_sphere(void **state)
{
    (void)state;
    const tide_distance *sphere;
    tide_error error;
    assert_ok(tide_distance_sphere(centre, 0.7, &sphere, &error), error);
    tide_random random = tide_random_seed(1);
    for (int i = 0; i < 100; i++) {
        double p[3];
        random_point(&random, lower, upper, p);
        assert_near(tide_distance_at(sphere, p, NULL), apart(p, centre) - 0.7, 1e-15);
    }
    assert_is_distance(sphere, lower, upper, true);
    double gradient[3], none[3] = { 0 };
    assert_near(tide_distance_at(sphere, centre, gradient), -0.7, 0);
    assert_near(apart(gradient, none), 1, 1e-15);
    assert_near(sphere->lower[2], 0.3 - 0.7, 1e-15);
    assert_near(sphere->upper[1], -0.2 + 0.7, 1e-15);
    tide_distance_release(sphere);
}

static void test_capsule(void **state)
{
    (void)state;
    const tide_distance *capsule;
    tide_error error;
    assert_ok(tide_distance_capsule(from, to, 0.4, &capsule, &error), error);
    assert_is_distance(capsule, lower, upper, true);
    tide_random random = tide_random_seed(1);
    for (int i = 0; i < 100; i++) {
        double p[3], least = INFINITY;
        random_point(&random, lower, upper, p);
        for (int k = 0; k <= 10000; k++) {
            double t = k / 10000.0, q[3];
            for (int c = 0; c < 3; c++)
                q[c] = (1 - t) * from[c] + t * to[c];
            least = fmin(least, apart(p, q));
        }
        assert_near(tide_distance_at(capsule, p, NULL), least - 0.4, 1e-6);
    }
    // On its line there is no one nearest place; the gradient is still a unit vector.
    double middle[3], gradient[3], none[3] = { 0 };
    for (int k = 0; k < 3; k++)
        middle[k] = from[k];
    assert_near(tide_distance_at(capsule, middle, gradient), -0.4, 1e-15);
    assert_near(apart(gradient, none), 1, 1e-12);
    tide_distance_release(capsule);
    // From a point to itself: a sphere.
    assert_ok(tide_distance_capsule(centre, centre, 0.7, &capsule, &error), error);
    assert_is_distance(capsule, lower, upper, true);
    assert_near(tide_distance_at(capsule, from, NULL), apart(from, centre) - 0.7, 1e-15);
    tide_distance_release(capsule);
}

static void cylinder_place(const void *context, double u, double v, double p[3])
{
    (void)context;
    const double along[3] = { to[0] - from[0], to[1] - from[1], to[2] - from[2] };
    tide_vec3 axes[3];
    frame(along, axes);
    double length = apart(from, to), r = 0.5, turn = 2 * PI * u;
    // Along the surface: over one end from the axis, down the side, over the other end.
    double s = v * (length + 2 * r), ring = s < r ? s : s < r + length ? r : length + 2 * r - s;
    double height = fmin(fmax(s - r, 0), length);
    place_in(axes, tide_vec3_load(from), ring * cos(turn), ring * sin(turn), height, p);
}

static void test_cylinder(void **state)
{
    (void)state;
    const tide_distance *cylinder;
    tide_error error;
    assert_ok(tide_distance_cylinder(from, to, 0.5, &cylinder, &error), error);
    assert_is_distance(cylinder, lower, upper, true);
    assert_near_surface(cylinder, cylinder_place, NULL, 400, 0.008, lower, upper);
    tide_random random = tide_random_seed(1);
    for (int i = 0; i < 1000; i++) {
        double p[3], along = 0, length = apart(from, to), squares = 0;
        random_point(&random, lower, upper, p);
        for (int k = 0; k < 3; k++)
            along += (p[k] - from[k]) * (to[k] - from[k]) / length;
        for (int k = 0; k < 3; k++)
            squares += (p[k] - from[k]) * (p[k] - from[k]);
        bool inside = along > 0 && along < length && squares - along * along < 0.25;
        assert_int_equal(inside, tide_distance_at(cylinder, p, NULL) < 0);
    }
    tide_distance_release(cylinder);
}

static const double box_size[3] = { 1.2, 0.8, 1.8 };

static void box_place(const void *context, double u, double v, double p[3])
{
    (void)context;
    int face = (int)(u * 6);
    double a = u * 6 - face - 0.5, b = v - 0.5;
    int k = face / 2;
    p[k] = (face % 2 ? 0.5 : -0.5) * box_size[k];
    p[(k + 1) % 3] = a * box_size[(k + 1) % 3];
    p[(k + 2) % 3] = b * box_size[(k + 2) % 3];
}

static void test_box(void **state)
{
    (void)state;
    const tide_distance *box;
    tide_error error;
    assert_ok(tide_distance_box(box_size, 0, &box, &error), error);
    assert_is_distance(box, lower, upper, true);
    assert_near_surface(box, box_place, NULL, 480, 0.012, lower, upper);
    assert_near(box->upper[2], 0.9, 0);
    tide_distance_release(box);
    // A rounded box is a smaller one, grown.
    const double rounding = 0.25, smaller[3] = { 1.2 - 0.5, 0.8 - 0.5, 1.8 - 0.5 };
    const tide_distance *inner, *grown;
    assert_ok(tide_distance_box(box_size, rounding, &box, &error), error);
    assert_ok(tide_distance_box(smaller, 0, &inner, &error), error);
    assert_ok(tide_distance_grow(inner, rounding, &grown, &error), error);
    assert_is_distance(box, lower, upper, true);
    tide_random random = tide_random_seed(1);
    for (int i = 0; i < 1000; i++) {
        double p[3];
        random_point(&random, lower, upper, p);
        assert_near(tide_distance_at(box, p, NULL), tide_distance_at(grown, p, NULL), 1e-15);
    }
    tide_distance_release(inner);
    tide_distance_release(box);
    tide_distance_release(grown);
}

static void ellipsoid_place(const void *context, double u, double v, double p[3])
{
    const double *radii = context;
    double turn = 2 * PI * u, height = 2 * v - 1, ring = sqrt(1 - height * height);
    p[0] = centre[0] + radii[0] * ring * cos(turn);
    p[1] = centre[1] + radii[1] * height;
    p[2] = centre[2] + radii[2] * ring * sin(turn);
}

static void test_ellipsoid(void **state)
{
    (void)state;
    static const double shapes[][3] = {
        { 0.9, 0.5, 0.7 }, { 0.4, 0.8, 0.4 }, { 0.9, 0.3, 0.9 }, { 0.6, 0.6, 0.6 }, { 1.2, 0.05, 0.2 },
    };
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        const tide_distance *ellipsoid;
        tide_error error;
        assert_ok(tide_distance_ellipsoid(centre, shapes[i], &ellipsoid, &error), error);
        assert_is_distance(ellipsoid, lower, upper, true);
        assert_near_surface(ellipsoid, ellipsoid_place, shapes[i], 500, 0.08, lower, upper);
        tide_random random = tide_random_seed(3);
        for (int n = 0; n < 1000; n++) {
            double p[3], squares = 0;
            random_point(&random, lower, upper, p);
            // In the planes and on the axes of symmetry, too, where a nearest place may be off them.
            for (int k = 0; k < 3; k++) {
                if (n >> k & 1)
                    p[k] = centre[k];
                squares += (p[k] - centre[k]) * (p[k] - centre[k]) / (shapes[i][k] * shapes[i][k]);
            }
            double gradient[3], value = tide_distance_at(ellipsoid, p, gradient), on[3];
            assert_int_equal(squares < 1, value < 0);
            for (int k = 0; k < 3; k++)
                on[k] = p[k] - value * gradient[k];
            assert_near(tide_distance_at(ellipsoid, on, NULL), 0, 1e-12);
            // Just off the plane the value is nearly the same.
            double beside[3] = { p[0] + 1e-9, p[1] - 1e-9, p[2] + 1e-9 };
            assert_near(tide_distance_at(ellipsoid, beside, NULL), value, 2e-9);
        }
        assert_near(tide_distance_at(ellipsoid, centre, NULL), -fmin(shapes[i][0], fmin(shapes[i][1], shapes[i][2])),
                    1e-15);
        tide_distance_release(ellipsoid);
    }
}

static void torus_place(const void *context, double u, double v, double p[3])
{
    (void)context;
    tide_vec3 axes[3];
    frame(axis, axes);
    double ring = 0.8 + 0.3 * cos(2 * PI * v);
    place_in(axes, tide_vec3_load(centre), ring * cos(2 * PI * u), ring * sin(2 * PI * u), 0.3 * sin(2 * PI * v), p);
}

static void test_torus(void **state)
{
    (void)state;
    const tide_distance *torus;
    tide_error error;
    assert_ok(tide_distance_torus(centre, axis, 0.8, 0.3, &torus, &error), error);
    assert_is_distance(torus, lower, upper, true);
    assert_near_surface(torus, torus_place, NULL, 400, 0.01, lower, upper);
    double gradient[3], none[3] = { 0 };
    assert_near(tide_distance_at(torus, centre, gradient), 0.5, 1e-15);
    assert_near(apart(gradient, none), 1, 1e-12);
    tide_distance_release(torus);
}

static void test_bounds_are_tight(void **state)
{
    (void)state;
    // The surface comes to within the spacing of its samples of each side of the bounds.
    const tide_distance *shapes[2];
    const surface_point places[2] = { cylinder_place, torus_place };
    tide_error error;
    assert_ok(tide_distance_cylinder(from, to, 0.5, &shapes[0], &error), error);
    assert_ok(tide_distance_torus(centre, axis, 0.8, 0.3, &shapes[1], &error), error);
    for (int i = 0; i < 2; i++) {
        double least[3] = { INFINITY, INFINITY, INFINITY }, most[3] = { -INFINITY, -INFINITY, -INFINITY };
        for (int n = 0; n < 500 * 500; n++) {
            double p[3];
            places[i](NULL, n % 500 / 500.0, n / 500 / 500.0, p);
            for (int k = 0; k < 3; k++) {
                least[k] = fmin(least[k], p[k]);
                most[k] = fmax(most[k], p[k]);
            }
        }
        for (int k = 0; k < 3; k++) {
            assert_near(least[k], shapes[i]->lower[k], 3e-3);
            assert_near(most[k], shapes[i]->upper[k], 3e-3);
        }
        tide_distance_release(shapes[i]);
    }
}

static void test_what_is_refused(void **state)
{
    (void)state;
    const tide_distance *out = NULL;
    tide_error error;
    const double none[3] = { 0 }, bad[3] = { 0, NAN, 0 }, far[3] = { 0, 0, 2e9 }, flat[3] = { 1, 0, 1 };
    const double sides[3] = { 1, 2, 3 };
    assert_fails(tide_distance_plane(none, 0, &out, &error), error, "distance plane: normal = {0, 0, 0}: expected a");
    assert_fails(tide_distance_plane(bad, 0, &out, &error), error, "{0, nan, 0}");
    assert_fails(tide_distance_plane(axis, INFINITY, &out, &error), error, "offset = inf");
    assert_fails(tide_distance_sphere(centre, 0, &out, &error), error,
                 "distance sphere: radius = 0: expected a number from 1e-09 to 1e+09 m");
    assert_fails(tide_distance_sphere(centre, -1, &out, &error), error, "radius = -1");
    assert_fails(tide_distance_sphere(centre, NAN, &out, &error), error, "radius = nan");
    assert_fails(tide_distance_sphere(bad, 1, &out, &error), error, "centre = {0, nan, 0}");
    assert_fails(tide_distance_sphere(far, 1, &out, &error), error, "numbers from -1e9 to 1e9 m");
    assert_fails(tide_distance_capsule(from, bad, 1, &out, &error), error, "distance capsule: to = ");
    assert_fails(tide_distance_capsule(from, to, 0, &out, &error), error, "distance capsule: radius = 0");
    assert_fails(tide_distance_cylinder(from, from, 1, &out, &error), error,
                 "distance cylinder: to = {-0.5, -0.3, 0.2}: expected a point other than `from`");
    assert_fails(tide_distance_cylinder(bad, to, 1, &out, &error), error, "from = ");
    assert_fails(tide_distance_cylinder(from, to, 1e10, &out, &error), error, "radius = 1e+10");
    assert_fails(tide_distance_box(flat, 0, &out, &error), error, "distance box: size = 0");
    assert_fails(tide_distance_box(sides, 0.6, &out, &error), error,
                 "distance box: rounding = 0.6: expected a number from 0 to 0.5 m, half of the shortest side");
    assert_fails(tide_distance_box(sides, -0.1, &out, &error), error, "rounding = -0.1");
    assert_fails(tide_distance_ellipsoid(centre, flat, &out, &error), error, "distance ellipsoid: radii = 0");
    assert_fails(tide_distance_torus(centre, none, 1, 0.5, &out, &error), error, "distance torus: axis = {0, 0, 0}");
    assert_fails(tide_distance_torus(centre, axis, 1, 1.5, &out, &error), error,
                 "distance torus: minor = 1.5: expected at most the major radius, 1 m");
    assert_null(out);
}

static void test_extreme_sizes(void **state)
{
    (void)state;
    // No number that is accepted makes one that is not finite.
    const tide_distance *all[4];
    const double tiny[3] = { 1e-300, 0, 0 }, ends[2][3] = { { -1e9, 1e9, -1e9 }, { 1e9, -1e9, 1e9 } };
    const double radii[3] = { 1e9, 1e-9, 1 };
    tide_error error;
    assert_ok(tide_distance_plane(tiny, 1e9, &all[0], &error), error);
    assert_ok(tide_distance_capsule(ends[0], ends[1], 1e-9, &all[1], &error), error);
    assert_ok(tide_distance_ellipsoid(centre, radii, &all[2], &error), error);
    assert_ok(tide_distance_torus(ends[0], tiny, 1e9, 1e-9, &all[3], &error), error);
    tide_random random = tide_random_seed(4);
    for (int i = 0; i < 4; i++) {
        for (int n = 0; n < 1000; n++) {
            double p[3], gradient[3], none[3] = { 0 }, reach = pow(10, -12 + 21 * tide_random_uniform(&random));
            const double least[3] = { -reach, -reach, -reach }, most[3] = { reach, reach, reach };
            random_point(&random, least, most, p);
            assert_true(isfinite(tide_distance_at(all[i], p, gradient)));
            assert_near(apart(gradient, none), 1, 1e-9);
        }
        tide_distance_release(all[i]);
    }
}

static tide_status make_one(const tide_distance **out, tide_error *error)
{
    const tide_distance *parts[2] = { NULL };
    const tide_distance *moved = NULL;
    tide_status status = tide_distance_torus(centre, axis, 0.8, 0.3, &parts[0], error);
    if (status == TIDE_OK)
        status = tide_distance_box(box_size, 0.1, &parts[1], error);
    if (status == TIDE_OK)
        status = tide_distance_rotate(parts[1], axis, 1, &moved, error);
    if (status == TIDE_OK) {
        const tide_distance *both[2] = { parts[0], moved };
        status = tide_distance_union(both, 2, 0.1, out, error);
    }
    tide_distance_release(parts[0]);
    tide_distance_release(parts[1]);
    tide_distance_release(moved);
    return status;
}

static void test_memory(void **state)
{
    (void)state;
    const tide_distance *out = NULL;
    tide_error error;
    assert_survives_failures(make_one(&out, &error), tide_distance_release(out), 3);
    tide_distance_release(NULL);
    // A part lives as long as the distances made of it.
    assert_ok(make_one(&out, &error), error);
    assert_ptr_equal(tide_distance_retain(out), out);
    tide_distance_release(out);
    assert_true(isfinite(tide_distance_at(out, centre, NULL)));
    tide_distance_release(out);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_plane),
    cmocka_unit_test(test_sphere),
    cmocka_unit_test(test_capsule),
    cmocka_unit_test(test_cylinder),
    cmocka_unit_test(test_box),
    cmocka_unit_test(test_ellipsoid),
    cmocka_unit_test(test_torus),
    cmocka_unit_test(test_bounds_are_tight),
    cmocka_unit_test(test_what_is_refused),
    cmocka_unit_test(test_extreme_sizes),
    cmocka_unit_test(test_memory),
};
TIDE_TEST_SUITE(geometry_distance, tests)
