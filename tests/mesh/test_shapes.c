// Spheres, cylinders and tori: counts and volumes in closed form, manifold, outward, and what they refuse.
#include "../geometry/shape_checks.h"

#include <limits.h>

static tide_mesh *make_sphere(double radius, int subdivisions)
{
    const tide_mesh_sphere_def def = { radius, subdivisions };
    return build_shape(&tide_mesh_sphere, &def);
}

static tide_mesh *make_cylinder(double radius, double top, double height, int segments, int rows, bool caps)
{
    const tide_mesh_cylinder_def def = { radius, top, height, segments, rows, caps };
    return build_shape(&tide_mesh_cylinder, &def);
}

static tide_mesh *make_torus(double major, double minor, int segments, int sides)
{
    const tide_mesh_torus_def def = { major, minor, segments, sides };
    return build_shape(&tide_mesh_torus, &def);
}

// Every edge is on two triangles that pass it in opposite directions, or, `rim` of them, on one.
static void assert_oriented(const tide_mesh *mesh, uint32_t rim)
{
    for (uint32_t e = 0; e < mesh->edge_count; e++) {
        int forward = 0, backward = 0;
        for (uint32_t i = 0; i < mesh->triangle_count; i++)
            for (uint32_t k = 0; k < 3; k++) {
                const uint32_t *t = mesh->triangles + 3 * i, a = t[k], b = t[(k + 1) % 3];
                forward += a == mesh->edges[2 * e] && b == mesh->edges[2 * e + 1];
                backward += b == mesh->edges[2 * e] && a == mesh->edges[2 * e + 1];
            }
        assert_true(forward <= 1 && backward <= 1 && forward + backward >= 1);
        rim -= forward + backward == 1;
    }
    assert_int_equal(rim, 0);
}

// Over each edge, the texture changes by at most `most` for each metre.
static void assert_texture_not_torn(const tide_mesh *mesh, double most)
{
    assert_non_null(mesh->texture);
    for (uint32_t i = 0; i < mesh->edge_count; i++) {
        const uint32_t a = mesh->edges[2 * i], b = mesh->edges[2 * i + 1];
        double du = mesh->texture[2 * a] - mesh->texture[2 * b],
               dv = mesh->texture[2 * a + 1] - mesh->texture[2 * b + 1];
        assert_true(hypot(du, dv) <= most * apart(mesh, a, b));
    }
    double low = INFINITY, high = -INFINITY;
    for (uint32_t i = 0; i < 2 * mesh->vertex_count; i++) {
        low = fmin(low, mesh->texture[i]);
        high = fmax(high, mesh->texture[i]);
    }
    assert_true(low >= 0 && high <= 1 + 1e-12 && high - low > 0.4);
}

static void test_sphere(void **state)
{
    (void)state;
    double volume_before = 0, area_before = 0;
    for (int n = 0; n <= 5; n++) {
        tide_mesh *mesh = make_sphere(0.7, n);
        uint32_t times = 1u << (2 * n);
        assert_int_equal(mesh->vertex_count, 10 * times + 2);
        assert_int_equal(mesh->triangle_count, 20 * times);
        assert_int_equal(mesh->edge_count, 30 * times);
        assert_int_equal(mesh->skip_count, 0);
        assert_int_equal(euler_characteristic(mesh), 2);
        assert_closed(mesh);
        assert_healthy(mesh);
        if (n <= 2)
            assert_oriented(mesh, 0);
        for (uint32_t i = 0; i < mesh->vertex_count; i++)
            assert_near(tide_vec3_length(vertex_at(mesh, i)), 0.7, 1e-15);
        double least = INFINITY, largest = 0;
        for (uint32_t i = 0; i < mesh->edge_count; i++) {
            double length = apart(mesh, mesh->edges[2 * i], mesh->edges[2 * i + 1]);
            least = fmin(least, length);
            largest = fmax(largest, length);
        }
        assert_true(largest / least < 1.2);
        // From within, and four times as near with sides half as long.
        double volume = 4 * pi / 3 * 0.7 * 0.7 * 0.7 - enclosed_volume(mesh), area = 4 * pi * 0.49 - total_area(mesh);
        assert_true(volume > 0 && area > 0);
        if (n >= 3) {
            assert_near(volume_before / volume, 4, 0.1);
            assert_near(area_before / area, 4, 0.1);
        }
        volume_before = volume;
        area_before = area;
        tide_mesh_release(mesh);
    }
}

// Its vertices, one by one: the golden ratio's rectangles, turned so that a vertex is above.
static void test_icosahedron(void **state)
{
    (void)state;
    tide_mesh *mesh = make_sphere(1, 0);
    for (uint32_t i = 0; i < 12; i++) {
        int near = 0, far = 0;
        for (uint32_t j = 0; j < 12; j++) {
            double cosine = tide_vec3_dot(vertex_at(mesh, i), vertex_at(mesh, j));
            near += fabs(cosine - 1 / sqrt(5)) < 1e-15;
            far += fabs(cosine + 1 / sqrt(5)) < 1e-15;
        }
        assert_true(near == 5 && far == 5);
    }
    assert_true(mesh->vertices[1] == -1 && mesh->vertices[34] == 1);
    double edge = 1 / sin(2 * pi / 5);
    assert_near(enclosed_volume(mesh), 5 * (3 + sqrt(5)) / 12 * edge * edge * edge, 1e-14);
    tide_mesh_release(mesh);
}

static void test_sphere_texture(void **state)
{
    (void)state;
    tide_mesh *mesh = make_sphere(2, 5);
    // The steepest place is at the equator: sqrt(2) times the scale at the poles, which is 1 / (2 sqrt(2) radius).
    assert_texture_not_torn(mesh, 1.02 * 0.25);
    // Half a sphere onto a disc of radius 1/2.
    const double scale = pi / 4 / (2 * pi * 4);
    double least = INFINITY, largest = 0;
    for (uint32_t i = 0; i < mesh->triangle_count; i++) {
        const uint32_t *t = mesh->triangles + 3 * i;
        const double *a = mesh->texture + 2 * t[0], *b = mesh->texture + 2 * t[1], *c = mesh->texture + 2 * t[2];
        if (fabs(mesh->vertices[3 * t[0] + 1]) < 0.2)
            continue; // some are on both halves
        double flat = fabs((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])) / 2;
        double area =
            tide_vec3_length(tide_vec3_cross(tide_vec3_subtract(vertex_at(mesh, t[1]), vertex_at(mesh, t[0])),
                                             tide_vec3_subtract(vertex_at(mesh, t[2]), vertex_at(mesh, t[0])))) /
            2;
        least = fmin(least, flat / area);
        largest = fmax(largest, flat / area);
    }
    assert_near(least / scale, 1, 0.01);
    assert_near(largest / scale, 1, 0.01);
    tide_mesh_release(mesh);
}

// A prism or a frustum of a regular polygon: exact.
static void test_cylinder_volume(void **state)
{
    (void)state;
    const struct {
        double bottom, top;
        int segments, rows;
    } cases[] = { { 0.5, TIDE_NOT_GIVEN, 32, 11 },
                  { 0.5, 0.5, 3, 2 },
                  { 1, 0.25, 24, 5 },
                  { 0.25, 1, 25, 4 },
                  { 1, 0, 16, 6 },
                  { 0, 1, 17, 3 },
                  { 2, 0, 3, 2 },
                  { 0, 2, 4, 2 },
                  { 1, 1, 200, 2 },
                  { 1, 1.5, 10, 3 },
                  { 1, 0.01, 6, 9 } };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double r = cases[i].bottom, s = isnan(cases[i].top) ? r : cases[i].top, n = cases[i].segments, h = 1.5;
        tide_mesh *mesh = make_cylinder(r, cases[i].top, h, cases[i].segments, cases[i].rows, true);
        double polygon = n / 2 * sin(2 * pi / n);
        assert_near(enclosed_volume(mesh), polygon * h / 3 * (r * r + r * s + s * s), 1e-13);
        // Trapezoids as high as the middle of a side is far along.
        double slant = hypot(h, (r - s) * cos(pi / n)), side = 2 * sin(pi / n) * (r + s) / 2 * slant;
        assert_near(total_area(mesh), n * side + polygon * (r * r + s * s), 1e-12);
        assert_int_equal(euler_characteristic(mesh), 2);
        assert_closed(mesh);
        assert_oriented(mesh, 0);
        assert_healthy(mesh);
        assert_int_equal(mesh->skip_count, 0);
        assert_null(mesh->texture);
        tide_mesh_release(mesh);
    }
    double exact = pi * 1.5, before = 0;
    for (int n = 16; n <= 128; n *= 2) {
        tide_mesh *mesh = make_cylinder(1, 1, 1.5, n, 2, true);
        double left = exact - enclosed_volume(mesh);
        assert_true(n == 16 || fabs(before / left - 4) < 0.1);
        before = left;
        tide_mesh_release(mesh);
    }
}

static void test_cylinder_rings(void **state)
{
    (void)state;
    const uint32_t segments = 8, rows = 4;
    for (int tip = 0; tip < 3; tip++) {
        double r = tip == 1 ? 0 : 0.5, s = tip == 2 ? 0 : 1;
        tide_mesh *mesh = make_cylinder(r, s, 3, (int)segments, (int)rows, false);
        for (uint32_t ring = 0; ring + (tip > 0) < rows; ring++)
            for (uint32_t c = 0; c < segments; c++) {
                const double *p = mesh->vertices + 3 * (ring * segments + c);
                double row = ring + (tip == 1), radius = r + (s - r) * row / 3;
                assert_near(p[0], radius * cos(2 * pi * c / segments), 1e-15);
                assert_near(p[1], row - 1.5, 1e-15);
                assert_near(p[2], -radius * sin(2 * pi * c / segments), 1e-15);
            }
        assert_int_equal(mesh->vertex_count, tip ? segments * (rows - 1) + 1 : segments * rows);
        if (tip) {
            const double *p = mesh->vertices + 3 * (mesh->vertex_count - 1);
            assert_true(p[0] == 0 && p[2] == 0 && p[1] == (tip == 1 ? -1.5 : 1.5));
        }
        tide_mesh_release(mesh);
    }
}

// No triangle of a cap is thin, however many vertices its rim has.
static void test_caps(void **state)
{
    (void)state;
    for (int segments = 6; segments <= 96; segments += 5) {
        tide_mesh *mesh = make_cylinder(1, 1, 1, segments, 2, true);
        double least = pi;
        for (uint32_t i = 2 * (uint32_t)segments; i < mesh->triangle_count; i++)
            for (uint32_t k = 0; k < 3; k++) {
                const uint32_t *t = mesh->triangles + 3 * i;
                tide_vec3 here = vertex_at(mesh, t[k]);
                assert_near(fabs(here.y), 0.5, 0);
                tide_vec3 a = tide_vec3_subtract(vertex_at(mesh, t[(k + 1) % 3]), here);
                tide_vec3 b = tide_vec3_subtract(vertex_at(mesh, t[(k + 2) % 3]), here);
                least = fmin(least, atan2(tide_vec3_length(tide_vec3_cross(a, b)), tide_vec3_dot(a, b)));
            }
        assert_true(least > 30 * pi / 180);
        tide_mesh_release(mesh);
    }
}

static uint32_t count_pair(const uint32_t *pairs, uint32_t count, uint32_t a, uint32_t b)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; i++)
        found += (pairs[2 * i] == a && pairs[2 * i + 1] == b) || (pairs[2 * i] == b && pairs[2 * i + 1] == a);
    return found;
}

// Each pair two apart around or along is a skip, once, unless it is an edge; and no others are.
static void assert_skips(const tide_mesh *mesh, uint32_t columns, uint32_t rows, bool closed)
{
    uint32_t expected = 0;
    for (uint32_t r = 0; r < rows; r++)
        for (uint32_t c = 0; c < columns; c++) {
            uint32_t here = r * columns + c, others[2], count = 0;
            if (columns > 3)
                others[count++] = r * columns + (c + 2) % columns;
            if (closed ? rows > 3 : r + 2 < rows)
                others[count++] = (r + 2) % rows * columns + c;
            for (uint32_t k = 0; k < count; k++) {
                assert_int_equal(count_pair(mesh->skips, mesh->skip_count, here, others[k]), 1);
                assert_int_equal(count_pair(mesh->edges, mesh->edge_count, here, others[k]), 0);
            }
        }
    expected += rows * (columns > 4 ? columns : columns == 4 ? 2 : 0);
    expected += columns * (closed ? (rows > 4 ? rows : rows == 4 ? 2 : 0) : rows > 2 ? rows - 2 : 0);
    assert_int_equal(mesh->skip_count, expected);
}

static void test_open_cylinder(void **state)
{
    (void)state;
    const int sizes[][2] = { { 3, 2 }, { 4, 3 }, { 5, 2 }, { 12, 7 }, { 9, 4 } };
    for (int i = 0; i < 5; i++) {
        int segments = sizes[i][0], rows = sizes[i][1];
        tide_mesh *mesh = make_cylinder(0.3, 0.2, 0.5, segments, rows, false);
        assert_int_equal(mesh->triangle_count, 2 * segments * (rows - 1));
        assert_int_equal(euler_characteristic(mesh), 0);
        assert_oriented(mesh, 2 * (uint32_t)segments);
        assert_skips(mesh, (uint32_t)segments, (uint32_t)rows, false);
        assert_true(enclosed_volume(mesh) > 0); // of the cones from the origin to the side: it faces away
        tide_mesh_release(mesh);
    }
    tide_mesh *skirt = make_cylinder(0.3, 0.2, 0.5, 48, 13, false);
    assert_healthy(skirt);
    assert_texture_not_torn(skirt, 1.01 * 1.5 / (pi * 0.3));
    tide_mesh_release(skirt);
}

static void test_open_cone(void **state)
{
    (void)state;
    for (int upside = 0; upside < 2; upside++)
        for (int rows = 2; rows <= 6; rows++) {
            tide_mesh *mesh = make_cylinder(upside ? 0 : 1, upside ? 1 : 0, 2, 9, rows, false);
            uint32_t rings = (uint32_t)rows - 1, tip = 9 * rings;
            assert_int_equal(mesh->vertex_count, tip + 1);
            assert_int_equal(mesh->triangle_count, 18 * (rings - 1) + 9);
            assert_int_equal(euler_characteristic(mesh), 1);
            assert_oriented(mesh, 9);
            assert_healthy(mesh);
            uint32_t around = 9 * rings, along = rings > 2 ? 9 * (rings - 2) : 0, to_tip = rings > 1 ? 9 : 0;
            assert_int_equal(mesh->skip_count, around + along + to_tip);
            for (uint32_t c = 0; c < to_tip; c++) {
                uint32_t from = (upside ? 1 : rings - 2) * 9 + c;
                assert_int_equal(count_pair(mesh->skips, mesh->skip_count, from, tip), 1);
                assert_int_equal(count_pair(mesh->edges, mesh->edge_count, from, tip), 0);
            }
            assert_near(mesh->texture[2 * tip + 1] - mesh->texture[upside ? 1 : 2 * (9 * rings - 9) + 1],
                        (upside ? -1.0 : 1.0) * sqrt(5) / pi / (rows - 1), 0.3 / (rows - 1));
            tide_mesh_release(mesh);
        }
}

static void test_torus(void **state)
{
    (void)state;
    const int sizes[][2] = { { 3, 3 }, { 4, 4 }, { 5, 3 }, { 4, 7 }, { 32, 12 } };
    for (int i = 0; i < 5; i++) {
        uint32_t segments = (uint32_t)sizes[i][0], sides = (uint32_t)sizes[i][1];
        tide_mesh *mesh = make_torus(1, 0.4, sizes[i][0], sizes[i][1]);
        assert_int_equal(mesh->vertex_count, segments * sides);
        assert_int_equal(mesh->triangle_count, 2 * segments * sides);
        assert_int_equal(euler_characteristic(mesh), 0);
        assert_closed(mesh);
        assert_oriented(mesh, 0);
        assert_healthy(mesh);
        assert_skips(mesh, segments, sides, true);
        for (uint32_t r = 0; r < sides; r++)
            for (uint32_t c = 0; c < segments; c++) {
                tide_vec3 p = vertex_at(mesh, r * segments + c);
                assert_near(hypot(hypot(p.x, p.z) - 1, p.y), 0.4, 1e-15);
                assert_near(fmod(atan2(-p.z, p.x) + 2 * pi + 1e-9, 2 * pi), 2 * pi * c / segments, 2e-9);
                assert_near(p.y, 0.4 * sin(2 * pi * r / sides), 1e-15);
            }
        tide_mesh_release(mesh);
    }
    double before = 0;
    for (int n = 12; n <= 96; n *= 2) {
        tide_mesh *mesh = make_torus(1, 0.4, n, n);
        double left = 2 * pi * pi * 0.16 - enclosed_volume(mesh);
        assert_true(left > 0 && (n <= 12 || fabs(before / left - 4) < 0.15));
        before = left;
        tide_mesh_release(mesh);
    }
    tide_mesh *fine = make_torus(1, 0.4, 64, 32);
    // On the inner side, a length around the axis is shorter by (major - minor) / major.
    assert_texture_not_torn(fine, 1.05 / pi / 0.6);
    tide_mesh_release(fine);
}

static void test_refusals(void **state)
{
    (void)state;
    tide_mesh_sphere_def sphere = { 0, 3 };
    assert_shape_refused(&tide_mesh_sphere, &sphere, "mesh sphere: radius = 0: expected a number greater than 0 m");
    sphere.radius = NAN;
    assert_shape_refused(&tide_mesh_sphere, &sphere, "mesh sphere: radius = nan: expected a finite number");
    sphere = (tide_mesh_sphere_def) { 1, 12 };
    assert_shape_refused(&tide_mesh_sphere, &sphere,
                         "mesh sphere: subdivisions = 12: expected an integer from 0 to 11");
    sphere.subdivisions = -1;
    assert_shape_refused(&tide_mesh_sphere, &sphere, "mesh sphere: subdivisions = -1: expected an integer");

    const tide_mesh_cylinder_def good = { 1, TIDE_NOT_GIVEN, 1, 8, 4, true };
    tide_mesh_cylinder_def cylinder = good;
    cylinder.radius = -1;
    assert_shape_refused(&tide_mesh_cylinder, &cylinder, "mesh cylinder: radius = -1: expected a number");
    cylinder.radius = 0;
    assert_shape_refused(&tide_mesh_cylinder, &cylinder,
                         "mesh cylinder: radius = 0: expected more than 0 m at the bottom or at the top (top_radius)");
    cylinder.top_radius = 0;
    assert_shape_refused(&tide_mesh_cylinder, &cylinder, "mesh cylinder: radius = 0: expected more than 0 m");
    cylinder = good;
    cylinder.top_radius = INFINITY;
    assert_shape_refused(&tide_mesh_cylinder, &cylinder, "mesh cylinder: top_radius = inf: expected a finite number");
    cylinder = good;
    cylinder.height = 0;
    assert_shape_refused(&tide_mesh_cylinder, &cylinder, "mesh cylinder: height = 0: expected a number greater than 0");
    cylinder = good;
    cylinder.segments = 2;
    assert_shape_refused(&tide_mesh_cylinder, &cylinder, "mesh cylinder: segments = 2: expected an integer from 3 to");
    cylinder = good;
    cylinder.rows = 1;
    assert_shape_refused(&tide_mesh_cylinder, &cylinder, "mesh cylinder: rows = 1: expected an integer from 2 to");
    cylinder.rows = cylinder.segments = 100000000;
    assert_shape_refused(&tide_mesh_cylinder, &cylinder,
                         "mesh cylinder: segments = 100000000: with 100000000 rows this makes 11591549");
    tide_mesh *mesh = make_cylinder(1.7e308, 1.7e308, 1.7e308, 8, 4, true); // as large as numbers go
    tide_mesh_release(mesh);

    tide_mesh_torus_def torus = { 1, 1, 8, 8 };
    assert_shape_refused(&tide_mesh_torus, &torus,
                         "mesh torus: minor = 1: the tube would run through itself; expected less than major, 1 m");
    torus = (tide_mesh_torus_def) { 1, 0, 8, 8 };
    assert_shape_refused(&tide_mesh_torus, &torus, "mesh torus: minor = 0: expected a number greater than 0 m");
    torus = (tide_mesh_torus_def) { 1, 0.5, 2, 8 };
    assert_shape_refused(&tide_mesh_torus, &torus, "mesh torus: segments = 2: expected an integer from 3 to");
    torus = (tide_mesh_torus_def) { 1, 0.5, 8, 2 };
    assert_shape_refused(&tide_mesh_torus, &torus, "mesh torus: sides = 2: expected an integer from 3 to");
    torus = (tide_mesh_torus_def) { 1, 0.5, 20000, 20000 };
    assert_shape_refused(&tide_mesh_torus, &torus,
                         "mesh torus: segments = 20000: with 20000 sides this makes 400000000 vertices; expected at "
                         "most 100000000");
}

static void test_memory_failures(void **state)
{
    (void)state;
    const tide_mesh_sphere_def sphere = { 1, 1 };
    const tide_mesh_cylinder_def cylinder = { 1, 1, 1, 4, 2, true }, skirt = { 1, 0.5, 1, 4, 3, false };
    const tide_mesh_torus_def torus = { 1, 0.5, 4, 3 };
    tide_mesh *mesh;
    tide_error error;
    assert_survives_failures(tide_mesh_sphere.build(&sphere, &mesh, &error), tide_mesh_release(mesh), 30);
    assert_survives_failures(tide_mesh_cylinder.build(&cylinder, &mesh, &error), tide_mesh_release(mesh), 7);
    assert_survives_failures(tide_mesh_cylinder.build(&skirt, &mesh, &error), tide_mesh_release(mesh), 10);
    assert_survives_failures(tide_mesh_torus.build(&torus, &mesh, &error), tide_mesh_release(mesh), 10);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_sphere),          cmocka_unit_test(test_icosahedron),
    cmocka_unit_test(test_sphere_texture),  cmocka_unit_test(test_cylinder_volume),
    cmocka_unit_test(test_cylinder_rings),  cmocka_unit_test(test_caps),
    cmocka_unit_test(test_open_cylinder),   cmocka_unit_test(test_open_cone),
    cmocka_unit_test(test_torus),           cmocka_unit_test(test_refusals),
    cmocka_unit_test(test_memory_failures),
};
TIDE_TEST_SUITE(mesh_shapes, tests)
