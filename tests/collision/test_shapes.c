// Shapes: what definitions become, in the world and to look at, against closed form.
#include "collider_tests.h"
#include "linear/failing.h"

// The distance in the world of a shape in its own place.
static double in_world(const tide_shape *shape, const double p[3])
{
    double own[3];
    tide_pose_apply_inverse(&shape->pose, p, own);
    return tide_distance_at(shape->distance, own, NULL);
}

static tide_shape make(const tide_shape_kind *kind, const void *def)
{
    tide_shape shape = { 0 };
    tide_error error;
    assert_ok(tide_shape_create(kind, def, &shape, &error), error);
    return shape;
}

static void test_list(void **state)
{
    (void)state;
    static const char *const names[] = { "plane", "sphere", "capsule",     "cylinder", "box",
                                         "torus", "mesh",   "heightfield", "distance" };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        assert_non_null(tide_shape_kind_find(names[i]));
    const tide_shape_kind *kind;
    for (uint32_t i = 0; (kind = tide_shape_kind_at(i)); i++) {
        assert_ptr_equal(tide_shape_kind_find(kind->name), kind);
        assert_true(strlen(kind->help) > 5);
        // A collider's definition is given in one table with its shape's.
        for (const tide_field *field = kind->fields; field->name; field++)
            for (const tide_field *other = tide_collider_fields; other->name; other++)
                assert_string_not_equal(field->name, other->name);
    }
    assert_null(tide_shape_kind_find("no shape"));
}

static void test_plane(void **state)
{
    (void)state;
    const tide_shape_plane_def def = { { 0, 3, 4 }, 0.7 };
    tide_shape shape = make(&tide_shape_plane, &def);
    tide_random random = tide_random_seed(1);
    for (int i = 0; i < 100; i++) {
        double p[3];
        random_vector(&random, 3, p);
        assert_near(in_world(&shape, p), 0.6 * p[1] + 0.8 * p[2] - 0.7, 1e-14);
    }
    assert_near(shape.pose.position[1], 0.6 * 0.7, 1e-15);
    tide_shape_release(&shape);
}

static void test_sphere(void **state)
{
    (void)state;
    const tide_shape_sphere_def def = { { 1, 2, -3 }, 0.25 };
    tide_shape shape = make(&tide_shape_sphere, &def);
    tide_random random = tide_random_seed(1);
    for (int i = 0; i < 100; i++) {
        double p[3];
        random_vector(&random, 3, p);
        assert_near(in_world(&shape, p), distance_between(p, def.position) - 0.25, 1e-14);
    }
    tide_shape_release(&shape);
}

// The distance to the line from a to b, and where on it, 0 to 1, before it is cut at its ends.
static double to_line(const double a[3], const double b[3], const double p[3], double *at)
{
    tide_vec3 line = tide_vec3_subtract(tide_vec3_load(b), tide_vec3_load(a));
    tide_vec3 d = tide_vec3_subtract(tide_vec3_load(p), tide_vec3_load(a));
    *at = tide_vec3_dot(d, line) / tide_vec3_dot(line, line);
    return tide_vec3_length(tide_vec3_cross(d, line)) / tide_vec3_length(line);
}

static void test_capsule_and_cylinder(void **state)
{
    (void)state;
    const tide_shape_capsule_def capsule_def = { { 1, 0.5, -0.3 }, { -0.2, 2, 0.4 }, 0.3 };
    const tide_shape_cylinder_def cylinder_def = { { 1, 0.5, -0.3 }, { -0.2, 2, 0.4 }, 0.3 };
    tide_shape capsule = make(&tide_shape_capsule, &capsule_def);
    tide_shape cylinder = make(&tide_shape_cylinder, &cylinder_def);
    double length = distance_between(capsule_def.from, capsule_def.to);
    tide_random random = tide_random_seed(1);
    for (int i = 0; i < 1000; i++) {
        double p[3], at;
        random_vector(&random, 3, p);
        double off = to_line(capsule_def.from, capsule_def.to, p, &at);
        double beyond = fmax(0, fmax(-at, at - 1)) * length;
        assert_near(in_world(&capsule, p), hypot(off, beyond) - 0.3, 1e-13);
        double side = off - 0.3, end = fmax(-at, at - 1) * length;
        double expected = side > 0 && end > 0 ? hypot(side, end) : fmax(side, end);
        assert_near(in_world(&cylinder, p), expected, 1e-13);
    }
    for (int k = 0; k < 3; k++)
        assert_near(capsule.pose.position[k], (capsule_def.from[k] + capsule_def.to[k]) / 2, 1e-15);
    tide_shape_release(&capsule);
    tide_shape_release(&cylinder);
}

static void test_box(void **state)
{
    (void)state;
    // Turned by a quarter about z: its x side lies along y.
    const double axis[3] = { 0, 0, 2 };
    tide_shape_box_def def = { { 1, 2, 3 }, { 0 }, { 0.4, 0.8, 1.2 } };
    tide_quaternion_from_axis_angle(axis, PI / 2, def.rotation);
    for (int k = 0; k < 4; k++)
        def.rotation[k] *= -7; // any length, either sign
    tide_shape shape = make(&tide_shape_box, &def);
    tide_random random = tide_random_seed(1);
    const double half[3] = { 0.4, 0.2, 0.6 };
    for (int i = 0; i < 1000; i++) {
        double p[3], squares = 0, most = -INFINITY;
        random_vector(&random, 1, p);
        for (int k = 0; k < 3; k++) {
            double beyond = fabs(p[k]) - half[k];
            most = fmax(most, beyond);
            squares += beyond > 0 ? beyond * beyond : 0;
            p[k] += def.position[k];
        }
        assert_near(in_world(&shape, p), most > 0 ? sqrt(squares) : most, 1e-13);
    }
    tide_shape_release(&shape);
}

static void test_torus(void **state)
{
    (void)state;
    const tide_shape_torus_def def = { { 1, 0, -1 }, { 0, 0, -5 }, 0.6, 0.2 };
    tide_shape shape = make(&tide_shape_torus, &def);
    tide_random random = tide_random_seed(1);
    for (int i = 0; i < 1000; i++) {
        double p[3];
        random_vector(&random, 2, p);
        double ring = hypot(p[0] - 1, p[1]) - 0.6;
        assert_near(in_world(&shape, p), hypot(ring, p[2] + 1) - 0.2, 1e-13);
    }
    tide_shape_release(&shape);
}

static void test_heightfield(void **state)
{
    (void)state;
    // A tilted plane, in the middle of which the distance is that to the plane.
    double heights[4 * 3];
    for (int i = 0; i < 12; i++)
        heights[i] = 0.5 * (-6 + 4.0 * (i % 4)) / 1;
    tide_shape_heightfield_def def = { { 1, 2, 3 }, 12, 30, 4, 3, heights };
    tide_shape shape = make(&tide_shape_heightfield, &def);
    tide_random random = tide_random_seed(1);
    for (int i = 0; i < 100; i++) {
        double p[3];
        random_vector(&random, 1, p);
        double expected = (p[1] - 0.5 * p[0]) / sqrt(1.25);
        for (int k = 0; k < 3; k++)
            p[k] += def.position[k];
        assert_near(in_world(&shape, p), expected, 1e-13);
    }
    tide_shape_release(&shape);
}

static void test_mesh(void **state)
{
    (void)state;
    // The mesh of a ball is the ball, nearly; `rotation` and `position` move it.
    const tide_shape_sphere_def ball_def = { { 0 }, 0.5 };
    tide_shape ball = make(&tide_shape_sphere, &ball_def);
    tide_shape_mesh_def def = {
        .mesh = ball.surface, .position = { 1, 2, 3 }, .rotation = { 0.5, 0.5, 0.5, 0.5 }, .scale = 1, .rate = 30
    };
    tide_shape shape = make(&tide_shape_mesh, &def);
    assert_ptr_equal(shape.surface, ball.surface);
    tide_random random = tide_random_seed(1);
    for (int i = 0; i < 100; i++) {
        double p[3];
        random_vector(&random, 3, p);
        assert_near(in_world(&shape, p), distance_between(p, def.position) - 0.5, 2e-3);
    }
    tide_shape_release(&ball);
    tide_shape_release(&shape);
}

// Every directed side of a triangle has its reverse, after vertices at one place are taken for one; outward by volume.
static double check_closed(const tide_mesh *surface)
{
    tide_mesh *welded;
    tide_error error;
    assert_ok(tide_mesh_weld(surface, 1e-9, &welded, &error), error);
    uint32_t *on;
    assert_ok(tide_mesh_edge_triangles(welded, &on, &error), error);
    for (uint32_t i = 0; i < 2 * welded->edge_count; i++)
        assert_int_not_equal(on[i], TIDE_NO_TRIANGLE);
    assert_int_equal(2 * welded->edge_count, 3 * welded->triangle_count);
    double volume = 0;
    for (uint32_t i = 0; i < welded->triangle_count; i++) {
        const uint32_t *t = welded->triangles + 3 * (size_t)i;
        tide_vec3 a = tide_vec3_load(welded->vertices + 3 * t[0]), b = tide_vec3_load(welded->vertices + 3 * t[1]);
        volume += tide_vec3_dot(a, tide_vec3_cross(b, tide_vec3_load(welded->vertices + 3 * t[2]))) / 6;
    }
    tide_free(on);
    tide_mesh_release(welded);
    return volume;
}

static void test_every_default(void **state)
{
    (void)state;
    shape_parts parts = make_parts();
    for (uint32_t i = 0; tide_shape_kind_at(i); i++) {
        any_shape def;
        define(tide_shape_kind_at(i), &parts, &def);
        tide_shape shape = make(tide_shape_kind_at(i), &def);
        assert_non_null(shape.distance);
        assert_non_null(shape.surface);
        assert_true(shape.surface->triangle_count > 0);
        // The drawn surface is on the shape. It is closed unless the shape has no end.
        for (uint32_t v = 0; v < shape.surface->vertex_count; v++)
            assert_near(tide_distance_at(shape.distance, shape.surface->vertices + 3 * (size_t)v, NULL), 0, 0.01);
        bool bounded = true;
        for (int k = 0; k < 3; k++)
            bounded = bounded && isfinite(shape.distance->lower[k]) && isfinite(shape.distance->upper[k]);
        if (bounded)
            assert_true(check_closed(shape.surface) > 0);
        tide_pose identity = tide_pose_identity();
        assert_true(tide_pose_equal(&shape.pose, &identity));
        tide_shape_release(&shape);
        assert_null(shape.distance);
        tide_shape_release(&shape);
    }
    drop_parts(&parts);
}

static void test_surfaces(void **state)
{
    (void)state;
    // Drawn surfaces lie on the shapes, are closed and face outward.
    shape_parts parts = make_parts();
    const double r = 0.5, capsule = PI * 0.25 * 0.25 + 4 * PI * pow(0.25, 3) / 3, torus = 2 * PI * PI * r * 0.15 * 0.15;
    const struct {
        const tide_shape_kind *kind;
        double volume; // 0: open
    } cases[] = {
        { &tide_shape_sphere, 4 * PI * r * r * r / 3 },
        { &tide_shape_capsule, capsule },
        { &tide_shape_cylinder, PI * 0.25 * 0.25 },
        { &tide_shape_box, 1 },
        { &tide_shape_torus, torus },
        { &tide_shape_heightfield, 0 },
        { &tide_shape_plane, 0 },
        // Two balls of 0.4 and 0.3, sqrt(0.37) apart, less the lens that they share.
        { &tide_shape_distance, 0.376865145 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        any_shape def;
        define(cases[i].kind, &parts, &def);
        if (cases[i].kind == &tide_shape_distance)
            def.distance.cell = 0.03;
        tide_shape shape = make(cases[i].kind, &def);
        for (uint32_t v = 0; v < shape.surface->vertex_count; v++)
            assert_near(tide_distance_at(shape.distance, shape.surface->vertices + 3 * v, NULL), 0,
                        cases[i].kind == &tide_shape_distance ? 2e-3 : 1e-12);
        if (cases[i].volume > 0)
            assert_near(check_closed(shape.surface) / cases[i].volume, 1, 0.025);
        else
            for (uint32_t t = 0; t < shape.surface->triangle_count; t++) {
                const uint32_t *triangle = shape.surface->triangles + 3 * (size_t)t;
                double middle[3] = { 0 };
                for (uint32_t k = 0; k < 9; k++)
                    middle[k % 3] += shape.surface->vertices[3 * triangle[k / 3] + k % 3] / 3;
                assert_near(tide_distance_at(shape.distance, middle, NULL), 0, 1e-12);
                tide_vec3 a = tide_vec3_load(shape.surface->vertices + 3 * triangle[0]);
                tide_vec3 ab = tide_vec3_subtract(tide_vec3_load(shape.surface->vertices + 3 * triangle[1]), a);
                tide_vec3 ac = tide_vec3_subtract(tide_vec3_load(shape.surface->vertices + 3 * triangle[2]), a);
                assert_true(tide_vec3_cross(ab, ac).y > 0);
            }
        tide_shape_release(&shape);
    }
    drop_parts(&parts);
}

static void test_what_is_refused(void **state)
{
    (void)state;
    shape_parts parts = make_parts();
    tide_shape shape = { 0 };
    tide_error error;
    any_shape def;
    define(&tide_shape_sphere, &parts, &def);
    def.sphere.radius = 0;
    assert_fails(tide_shape_create(&tide_shape_sphere, &def, &shape, &error), error,
                 "shape sphere: radius = 0: expected a number");
    def.sphere.radius = NAN;
    assert_fails(tide_shape_create(&tide_shape_sphere, &def, &shape, &error), error, "NaN");
    define(&tide_shape_sphere, &parts, &def);
    def.sphere.position[1] = INFINITY;
    assert_fails(tide_shape_create(&tide_shape_sphere, &def, &shape, &error), error, "shape sphere: position");
    def.sphere.position[1] = 2e9;
    assert_fails(tide_shape_create(&tide_shape_sphere, &def, &shape, &error), error, "position = {0, 2000000000, 0}");
    define(&tide_shape_plane, &parts, &def);
    def.plane.normal[1] = 0;
    assert_fails(tide_shape_create(&tide_shape_plane, &def, &shape, &error), error,
                 "normal = {0, 0, 0}: expected a direction");
    define(&tide_shape_cylinder, &parts, &def);
    def.cylinder.to[1] = -0.5;
    assert_fails(tide_shape_create(&tide_shape_cylinder, &def, &shape, &error), error,
                 "expected a point other than `from`");
    define(&tide_shape_capsule, &parts, &def);
    def.capsule.to[1] = -0.5;
    assert_ok(tide_shape_create(&tide_shape_capsule, &def, &shape, &error), error);
    assert_true(check_closed(shape.surface) > 0);
    tide_shape_release(&shape);
    define(&tide_shape_box, &parts, &def);
    def.box.size[2] = -1;
    assert_fails(tide_shape_create(&tide_shape_box, &def, &shape, &error), error, "shape box: size");
    define(&tide_shape_box, &parts, &def);
    def.box.rotation[2] = NAN;
    assert_fails(tide_shape_create(&tide_shape_box, &def, &shape, &error), error,
                 "shape box: rotation = {0, 0, nan, 0}");
    define(&tide_shape_torus, &parts, &def);
    def.torus.minor = 0.6;
    assert_fails(tide_shape_create(&tide_shape_torus, &def, &shape, &error), error,
                 "expected at most the major radius");
    define(&tide_shape_mesh, &parts, &def);
    def.mesh.mesh = NULL;
    assert_fails(tide_shape_create(&tide_shape_mesh, &def, &shape, &error), error, "shape mesh: mesh: expected a mesh");
    define(&tide_shape_heightfield, &parts, &def);
    parts.heights[9] = NAN;
    assert_fails(tide_shape_create(&tide_shape_heightfield, &def, &shape, &error), error, "the one of column 3, row 2");
    def.heightfield.heights = NULL;
    assert_fails(tide_shape_create(&tide_shape_heightfield, &def, &shape, &error), error,
                 "heights: expected columns * rows");
    define(&tide_shape_distance, &parts, &def);
    def.distance.distance = NULL;
    assert_fails(tide_shape_create(&tide_shape_distance, &def, &shape, &error), error,
                 "shape distance: fn: expected a function");
    define(&tide_shape_distance, &parts, &def);
    const double up[3] = { 0, 1, 0 };
    assert_ok(tide_distance_plane(up, 0, &def.distance.distance, &error), error);
    assert_fails(tide_shape_create(&tide_shape_distance, &def, &shape, &error), error,
                 "the inside is unbounded; give `bounds`");
    tide_distance_release(def.distance.distance);
    assert_null(shape.distance);
    drop_parts(&parts);
}

static void test_mesh_that_is_open(void **state)
{
    (void)state;
    const double corners[9] = { 0, 0, 0, 1, 0, 0, 0, 1, 0 };
    const uint32_t triangle[3] = { 0, 1, 2 };
    const tide_mesh_parts parts = {
        .vertex_count = 3, .vertices = corners, .triangle_count = 1, .triangles = triangle
    };
    tide_mesh *mesh;
    tide_error error;
    tide_shape shape = { 0 };
    assert_ok(tide_mesh_create(&parts, &mesh, &error), error);
    const tide_shape_mesh_def def = { .mesh = mesh, .scale = 1, .rate = 30 };
    assert_true(tide_shape_create(&tide_shape_mesh, &def, &shape, &error) != TIDE_OK);
    assert_null(shape.distance);
    tide_mesh_release(mesh);
}

static void test_memory(void **state)
{
    (void)state;
    shape_parts parts = make_parts();
    for (uint32_t i = 0; tide_shape_kind_at(i); i++) {
        any_shape def;
        define(tide_shape_kind_at(i), &parts, &def);
        tide_status status = TIDE_ERROR_MEMORY;
        uint64_t failures = 0;
        for (; status != TIDE_OK; failures++) {
            failing_allocation failing = { .left = failures };
            uint64_t blocks = tide_memory_count().blocks;
            tide_shape shape = { 0 };
            tide_memory_set_failure_hook(fail_in_turn, &failing);
            status = tide_shape_create(tide_shape_kind_at(i), &def, &shape, NULL);
            tide_memory_set_failure_hook(NULL, NULL);
            assert_true(status == TIDE_OK || status == TIDE_ERROR_MEMORY);
            tide_shape_release(&shape);
            assert_int_equal(tide_memory_count().blocks, blocks);
        }
        assert_true(failures >= 2);
    }
    drop_parts(&parts);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_list),
    cmocka_unit_test(test_every_default),
    cmocka_unit_test(test_plane),
    cmocka_unit_test(test_sphere),
    cmocka_unit_test(test_capsule_and_cylinder),
    cmocka_unit_test(test_box),
    cmocka_unit_test(test_torus),
    cmocka_unit_test(test_heightfield),
    cmocka_unit_test(test_mesh),
    cmocka_unit_test(test_surfaces),
    cmocka_unit_test(test_what_is_refused),
    cmocka_unit_test(test_mesh_that_is_open),
    cmocka_unit_test(test_memory),
};
TIDE_TEST_SUITE(collision_shapes, tests)
