// The signed distance of a closed surface: against closed forms, loops over all triangles and winding numbers.
#include "../mesh/mesh_tests.h"
#include "geometry/bvh.h"
#include "geometry/distance.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

static const tide_distance *make_distance(const tide_mesh *mesh)
{
    const tide_distance *distance = NULL;
    tide_error error;
    assert_ok(tide_distance_mesh(mesh, &distance, &error), error);
    return distance;
}

static double draw(tide_random *random, double scale)
{
    return scale * (2 * tide_random_uniform(random) - 1);
}

static void draw_point(tide_random *random, double scale, double p[3])
{
    for (int k = 0; k < 3; k++)
        p[k] = draw(random, scale);
}

// The surface alone, with its triangles turned where `turn`.
static tide_mesh *make_surface(const double *vertices, uint32_t vertex_count, const uint32_t *triangles,
                               uint32_t triangle_count, bool turn)
{
    uint32_t *copy = tide_copy_bytes(triangles, 12 * (size_t)triangle_count);
    for (uint32_t t = 0; turn && t < triangle_count; t++) {
        copy[3 * t + 1] = triangles[3 * t + 2];
        copy[3 * t + 2] = triangles[3 * t + 1];
    }
    const tide_mesh_parts parts = {
        .vertices = vertices, .vertex_count = vertex_count, .triangles = copy, .triangle_count = triangle_count
    };
    tide_mesh *mesh = make_mesh(parts);
    tide_free(copy);
    return mesh;
}

static const uint32_t octahedron[24] = { 0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4, 2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5 };

// An octahedron halved `times`, with its vertices at the distance that `radius` gives from the origin.
static tide_mesh *make_ball(int times, double (*radius)(uint32_t vertex))
{
    const double corners[18] = { 1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1 };
    tide_mesh *mesh = make_surface(corners, 6, octahedron, 8, false);
    tide_error error;
    for (int i = 0; i < times; i++) {
        tide_mesh *finer = NULL;
        assert_ok(tide_mesh_subdivide(mesh, &finer, &error), error);
        tide_mesh_release(mesh);
        mesh = finer;
    }
    double *moved = tide_copy_bytes(mesh->vertices, 24 * (size_t)mesh->vertex_count);
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        double *p = moved + 3 * v, length = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
        for (int k = 0; k < 3; k++)
            p[k] *= radius(v) / length;
    }
    tide_mesh *ball = make_surface(moved, mesh->vertex_count, mesh->triangles, mesh->triangle_count, false);
    tide_free(moved);
    tide_mesh_release(mesh);
    return ball;
}

static double round_radius(uint32_t vertex)
{
    (void)vertex;
    return 1;
}

// Spikes between deep dents: every vertex and edge is sharp, half of them hollow.
static double spiky_radius(uint32_t vertex)
{
    return vertex % 3 == 0 ? 1.1 : 0.25 + 0.03 * (vertex % 7);
}

static void test_box_is_exact(void **state)
{
    (void)state;
    const double size[3] = { 1, 1.4, 0.6 };
    tide_mesh *box = make_box(size[0], size[1], size[2], 3, 4, 2);
    const tide_distance *of_mesh = make_distance(box), *exact = NULL;
    tide_error error;
    assert_ok(tide_distance_box(size, 0, &exact, &error), error);
    tide_random random = tide_random_seed(1);
    for (int k = 0; k < 3; k++) {
        assert_true(of_mesh->lower[k] == -0.5 * size[k]);
        assert_true(of_mesh->upper[k] == 0.5 * size[k]);
    }
    for (int i = 0; i < 4000; i++) {
        double p[3], a[3], b[3];
        draw_point(&random, 1.2, p);
        double d = tide_distance_at(of_mesh, p, a);
        assert_near(d, tide_distance_at(exact, p, b), 1e-13);
        assert_true(tide_distance_at(of_mesh, p, NULL) == d);
        for (int k = 0; k < 3 && d > 0; k++) // inside, several points may be as near
            assert_near(a[k], b[k], 1e-11);
        assert_near(a[0] * a[0] + a[1] * a[1] + a[2] * a[2], 1, 1e-13);
    }
    tide_distance_release(exact);
    tide_distance_release(of_mesh);
    tide_mesh_release(box);
}

static double error_of_ball(int times)
{
    tide_mesh *ball = make_ball(times, round_radius);
    const tide_distance *of_mesh = make_distance(ball), *exact = NULL;
    const double centre[3] = { 0 };
    tide_error error;
    assert_ok(tide_distance_sphere(centre, 1, &exact, &error), error);
    tide_random random = tide_random_seed(2);
    double most = 0;
    for (int i = 0; i < 1000; i++) {
        double p[3];
        draw_point(&random, 1.5, p);
        most = fmax(most, fabs(tide_distance_at(of_mesh, p, NULL) - tide_distance_at(exact, p, NULL)));
    }
    tide_distance_release(exact);
    tide_distance_release(of_mesh);
    tide_mesh_release(ball);
    return most;
}

static void test_ball_is_of_second_order(void **state)
{
    (void)state;
    double coarse = error_of_ball(3), fine = error_of_ball(4), finest = error_of_ball(5);
    assert_true(finest < 2e-3);
    assert_near(log2(coarse / fine), 2, 0.2);
    assert_near(log2(fine / finest), 2, 0.2);
}

// The number of times that the surface goes around p, by the solid angles of its triangles.
static double winding_number(const tide_mesh *mesh, const double p[3])
{
    double sum = 0;
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        double s[3][3], l[3], under;
        for (int i = 0; i < 3; i++) {
            for (int k = 0; k < 3; k++)
                s[i][k] = mesh->vertices[3 * mesh->triangles[3 * t + (uint32_t)i] + (uint32_t)k] - p[k];
            l[i] = sqrt(s[i][0] * s[i][0] + s[i][1] * s[i][1] + s[i][2] * s[i][2]);
        }
#define DOT(a, b) ((a)[0] * (b)[0] + (a)[1] * (b)[1] + (a)[2] * (b)[2])
        double over = s[0][0] * (s[1][1] * s[2][2] - s[1][2] * s[2][1]) +
                      s[0][1] * (s[1][2] * s[2][0] - s[1][0] * s[2][2]) +
                      s[0][2] * (s[1][0] * s[2][1] - s[1][1] * s[2][0]);
        under = l[0] * l[1] * l[2] + DOT(s[0], s[1]) * l[2] + DOT(s[1], s[2]) * l[0] + DOT(s[2], s[0]) * l[1];
        sum += 2 * atan2(over, under);
    }
    return sum / (4 * pi);
}

static void test_spikes_against_brute_force(void **state)
{
    (void)state;
    tide_mesh *mesh = make_ball(3, spiky_radius);
    const tide_distance *distance = make_distance(mesh);
    tide_random random = tide_random_seed(3);
    int inside = 0;
    for (int i = 0; i < 4000; i++) {
        double p[3], squared = INFINITY;
        draw_point(&random, 0.9, p);
        if (i % 4 == 0) // close to a vertex, where the sign is hardest
            for (uint32_t k = 0, v = tide_random_next(&random) % mesh->vertex_count; k < 3; k++)
                p[k] = mesh->vertices[3 * v + k] + draw(&random, 0.01);
        for (uint32_t t = 0; t < mesh->triangle_count; t++) {
            const uint32_t *c = mesh->triangles + 3 * t;
            tide_bvh_point point;
            tide_bvh_closest_on_triangle(mesh->vertices + 3 * c[0], mesh->vertices + 3 * c[1],
                                         mesh->vertices + 3 * c[2], p, &point);
            squared = fmin(squared, point.squared);
        }
        double winding = winding_number(mesh, p);
        assert_near(winding, round(winding), 1e-9);
        double expected = winding > 0.5 ? -sqrt(squared) : sqrt(squared);
        assert_true(tide_distance_at(distance, p, NULL) == expected);
        inside += winding > 0.5;
    }
    assert_true(inside > 300);
    tide_distance_release(distance);
    tide_mesh_release(mesh);
}

static void test_gradient_by_differences(void **state)
{
    (void)state;
    tide_mesh *mesh = make_ball(3, spiky_radius);
    const tide_distance *distance = make_distance(mesh);
    tide_random random = tide_random_seed(4);
    int compared = 0;
    for (int i = 0; i < 2000; i++) {
        double p[3], gradient[3], difference[3], h = 1e-6, squared = 0;
        draw_point(&random, 1.2, p);
        tide_distance_at(distance, p, gradient);
        for (int k = 0; k < 3; k++) {
            double q[3] = { p[0], p[1], p[2] };
            q[k] = p[k] + h;
            double above = tide_distance_at(distance, q, NULL);
            q[k] = p[k] - h;
            difference[k] = (above - tide_distance_at(distance, q, NULL)) / (2 * h);
            squared += difference[k] * difference[k];
        }
        if (fabs(squared - 1) > 1e-5)
            continue; // two points are as near
        for (int k = 0; k < 3; k++)
            assert_near(gradient[k], difference[k], 1e-4);
        compared++;
    }
    assert_true(compared > 1900);
    tide_distance_release(distance);
    tide_mesh_release(mesh);
}

// On the surface, the gradient is the pseudonormal: of a face, between two faces, at the corner of three.
static void test_gradient_on_the_surface(void **state)
{
    (void)state;
    tide_mesh *box = make_box(1, 1, 1, 2, 2, 2);
    const tide_distance *distance = make_distance(box);
    const double points[3][3] = { { 0.5, 0.12, 0.21 }, { 0.5, 0.5, 0.1 }, { 0.5, 0.5, -0.5 } };
    const double normals[3][3] = { { 1, 0, 0 },
                                   { sqrt(0.5), sqrt(0.5), 0 },
                                   { sqrt(1.0 / 3), sqrt(1.0 / 3), -sqrt(1.0 / 3) } };
    for (int i = 0; i < 3; i++) {
        double gradient[3];
        assert_near(tide_distance_at(distance, points[i], gradient), 0, 1e-16);
        for (int k = 0; k < 3; k++)
            assert_near(gradient[k], normals[i][k], 1e-12);
    }
    tide_distance_release(distance);
    tide_mesh_release(box);
}

static void test_inward_surface_is_turned(void **state)
{
    (void)state;
    tide_mesh *ball = make_ball(2, spiky_radius);
    tide_mesh *turned = make_surface(ball->vertices, ball->vertex_count, ball->triangles, ball->triangle_count, true);
    const tide_distance *a = make_distance(ball), *b = make_distance(turned);
    tide_random random = tide_random_seed(5);
    for (int i = 0; i < 500; i++) {
        double p[3], u[3], v[3];
        draw_point(&random, 1, p);
        assert_near(tide_distance_at(a, p, u), tide_distance_at(b, p, v), 1e-15);
        for (int k = 0; k < 3; k++)
            assert_near(u[k], v[k], 1e-12);
    }
    tide_distance_release(a);
    tide_distance_release(b);
    tide_mesh_release(ball);
    tide_mesh_release(turned);
}

// Two octahedra: one in the other or beside it (`at`), the second of `size` and turned where `turn`.
static tide_mesh *make_two(double at, double size, bool turn)
{
    double vertices[36];
    uint32_t triangles[48];
    const double corners[18] = { 1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1 };
    for (uint32_t i = 0; i < 18; i++) {
        vertices[i] = corners[i];
        vertices[18 + i] = size * corners[i] + (i % 3 == 0 ? at : 0);
    }
    for (uint32_t i = 0; i < 24; i++) {
        triangles[i] = octahedron[i];
        triangles[24 + i] = 6 + octahedron[i % 3 && turn ? i - i % 3 + 3 - i % 3 : i];
    }
    return make_surface(vertices, 12, triangles, 16, false);
}

static void test_pieces(void **state)
{
    (void)state;
    tide_error error;
    const double origin[3] = { 0 };
    tide_mesh *hollow = make_two(0, 0.5, true), *beside = make_two(3, 0.5, false), *wrong = make_two(3, 0.5, true);
    const tide_distance *distance = make_distance(hollow), *unset = NULL;
    assert_near(tide_distance_at(distance, origin, NULL), 0.5 / sqrt(3), 1e-15); // in the hollow is outside
    tide_distance_release(distance);
    distance = make_distance(beside);
    assert_near(tide_distance_at(distance, origin, NULL), -1 / sqrt(3), 1e-15);
    assert_near(tide_distance_at(distance, (const double[3]) { 3, 0, 0 }, NULL), -0.5 / sqrt(3), 1e-15);
    tide_distance_release(distance);
    assert_fails(tide_distance_mesh(wrong, &unset, &error), error, "inside out");
    assert_null(unset);
    tide_mesh_release(hollow);
    tide_mesh_release(beside);
    tide_mesh_release(wrong);
}

static void test_refusals(void **state)
{
    (void)state;
    tide_error error;
    const tide_distance *unset = NULL;
    const double corners[18] = { 1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1 };
    tide_mesh *open = make_surface(corners, 6, octahedron, 7, false);
    assert_fails(tide_distance_mesh(open, &unset, &error), error,
                 "distance mesh: edge = 1-4: near (0.5, -0.5, 0) has a triangle on one side only");
    uint32_t triangles[30];
    memcpy(triangles, octahedron, sizeof octahedron);
    triangles[3] = 1; // the second triangle, turned
    triangles[4] = 2;
    tide_mesh *mixed = make_surface(corners, 6, triangles, 8, false);
    assert_fails(tide_distance_mesh(mixed, &unset, &error), error, "face opposite ways");
    memcpy(triangles, octahedron, sizeof octahedron);
    const uint32_t sides_of_fin[6] = { 0, 4, 1, 0, 1, 4 };
    memcpy(triangles + 24, sides_of_fin, sizeof sides_of_fin);
    tide_mesh *fin = make_surface(corners, 6, triangles, 10, false);
    assert_fails(tide_distance_mesh(fin, &unset, &error), error, "edge = 1-5: near (0.5, 0, 0.5) has more than two");
    const double flat_corners[9] = { 0, 0, 0, 1, 0, 0, 0, 1, 0 };
    const uint32_t both_sides[6] = { 0, 1, 2, 0, 2, 1 };
    tide_mesh *flat = make_surface(flat_corners, 3, both_sides, 2, false);
    assert_fails(tide_distance_mesh(flat, &unset, &error), error, "enclose no volume");
    tide_mesh *strand = make_strand(4);
    assert_fails(tide_distance_mesh(strand, &unset, &error), error, "no triangles");
    assert_null(unset);
    tide_mesh_release(open);
    tide_mesh_release(mixed);
    tide_mesh_release(fin);
    tide_mesh_release(flat);
    tide_mesh_release(strand);
}

static void test_memory_and_references(void **state)
{
    (void)state;
    tide_mesh *ball = make_ball(1, round_radius);
    const tide_distance *distance = NULL;
    tide_error error;
    assert_survives_failures(tide_distance_mesh(ball, &distance, &error), tide_distance_release(distance), 10);
    distance = make_distance(ball);
    tide_mesh_release(ball); // the distance has its own reference
    uint64_t allocations = tide_memory_count().allocations;
    assert_near(tide_distance_at(distance, (const double[3]) { 0, 0, 2 }, NULL), 1, 1e-15);
    assert_int_equal(tide_memory_count().allocations, allocations);
    tide_distance_release(distance);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_box_is_exact),
    cmocka_unit_test(test_ball_is_of_second_order),
    cmocka_unit_test(test_spikes_against_brute_force),
    cmocka_unit_test(test_gradient_by_differences),
    cmocka_unit_test(test_gradient_on_the_surface),
    cmocka_unit_test(test_inward_surface_is_turned),
    cmocka_unit_test(test_pieces),
    cmocka_unit_test(test_refusals),
    cmocka_unit_test(test_memory_and_references),
};
TIDE_TEST_SUITE(geometry_distance_mesh, tests)
