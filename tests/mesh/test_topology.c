// Topology against brute force, and transforms against the matrices that define them.
#include "mesh_tests.h"

#include <math.h>

// Random tuples of different vertices.
static void draw_tuples(tide_random *random, uint32_t *tuples, uint32_t width, uint32_t count, uint32_t vertex_count)
{
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < width; k++) {
            bool again = true;
            while (again) {
                tuples[width * i + k] = tide_random_next(random) % vertex_count;
                again = false;
                for (uint32_t j = 0; j < k; j++)
                    again = again || tuples[width * i + j] == tuples[width * i + k];
            }
        }
}

static void mark_pairs(unsigned char *table, uint32_t n, const uint32_t *tuples, uint32_t width, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t a = 0; a < width; a++)
            for (uint32_t b = 0; b < width; b++)
                if (tuples[width * i + a] < tuples[width * i + b])
                    table[tuples[width * i + a] * n + tuples[width * i + b]] = 1;
}

static void assert_edges_as_in_table(const uint32_t *edges, uint32_t count, const unsigned char *table, uint32_t n)
{
    uint32_t next = 0;
    for (uint32_t a = 0; a < n; a++)
        for (uint32_t b = 0; b < n; b++)
            if (table[a * n + b]) {
                assert_true(next < count);
                assert_true(edges[2 * next] == a && edges[2 * next + 1] == b);
                next++;
            }
    assert_int_equal(next, count);
}

static void test_edges_against_brute_force(void **state)
{
    (void)state;
    enum { N = 40, TRIANGLES = 300, TETRAHEDRA = 150 };
    static uint32_t triangles[3 * TRIANGLES], tetrahedra[4 * TETRAHEDRA];
    tide_random random = tide_random_seed(1);
    for (int trial = 0; trial < 20; trial++) {
        uint32_t n = 4 + tide_random_next(&random) % (N - 3);
        uint32_t triangle_count = tide_random_next(&random) % TRIANGLES;
        uint32_t tetrahedron_count = tide_random_next(&random) % TETRAHEDRA;
        draw_tuples(&random, triangles, 3, triangle_count, n);
        draw_tuples(&random, tetrahedra, 4, tetrahedron_count, n);
        unsigned char table[N * N] = { 0 };
        mark_pairs(table, n, triangles, 3, triangle_count);
        mark_pairs(table, n, tetrahedra, 4, tetrahedron_count);
        uint32_t *edges, count;
        tide_error error;
        assert_ok(
            tide_mesh_edges_of(n, triangles, triangle_count, tetrahedra, tetrahedron_count, &edges, &count, &error),
            error);
        assert_edges_as_in_table(edges, count, table, n);
        tide_free(edges);
    }
}

static void test_edges_of_box_against_brute_force(void **state)
{
    (void)state;
    tide_mesh *box = make_box(1, 1, 1, 3, 2, 4);
    uint32_t n = box->vertex_count;
    unsigned char *table = tide_allocate_zeroed(n * n, 1);
    mark_pairs(table, n, box->tetrahedra, 4, box->tetrahedron_count);
    assert_edges_as_in_table(box->edges, box->edge_count, table, n);
    tide_free(table);
    tide_mesh_release(box);
}

// A hub with rows far longer than others have, given in descending order and twice.
static void test_hub(void **state)
{
    (void)state;
    enum { SPOKES = 2000 };
    static uint32_t triangles[2 * 3 * SPOKES];
    for (uint32_t i = 0; i < 2 * SPOKES; i++) {
        uint32_t spoke = SPOKES - i % SPOKES;
        const uint32_t triangle[3] = { 0, spoke, spoke % SPOKES + 1 };
        memcpy(triangles + 3 * i, triangle, sizeof triangle);
    }
    uint32_t *edges, count;
    tide_error error;
    assert_ok(tide_mesh_edges_of(SPOKES + 1, triangles, 2 * SPOKES, NULL, 0, &edges, &count, &error), error);
    assert_int_equal(count, 2 * SPOKES);
    for (uint32_t i = 0; i < SPOKES; i++)
        assert_true(edges[2 * i] == 0 && edges[2 * i + 1] == i + 1);
    tide_free(edges);
}

static uint32_t count_owners(const uint32_t *tetrahedra, uint32_t count, const uint32_t *face)
{
    uint32_t owners = 0;
    for (uint32_t i = 0; i < count; i++) {
        int shared = 0;
        for (int k = 0; k < 3; k++)
            for (int j = 0; j < 4; j++)
                shared += tetrahedra[4 * i + (uint32_t)j] == face[k];
        owners += shared == 3;
    }
    return owners;
}

static void test_surface_against_brute_force(void **state)
{
    (void)state;
    enum { TETRAHEDRA = 60 };
    static uint32_t tetrahedra[4 * TETRAHEDRA];
    tide_random random = tide_random_seed(2);
    for (int trial = 0; trial < 20; trial++) {
        uint32_t n = 5 + tide_random_next(&random) % 20, count = tide_random_next(&random) % TETRAHEDRA;
        draw_tuples(&random, tetrahedra, 4, count, n);
        uint32_t expected = 0, found, *surface;
        for (uint32_t i = 0; i < count; i++)
            for (uint32_t without = 0; without < 4; without++) {
                uint32_t face[3], m = 0;
                for (uint32_t k = 0; k < 4; k++)
                    if (k != without)
                        face[m++] = tetrahedra[4 * i + k];
                expected += count_owners(tetrahedra, count, face) == 1;
            }
        tide_error error;
        assert_ok(tide_mesh_surface_of(tetrahedra, count, &surface, &found, &error), error);
        assert_int_equal(found, expected);
        for (uint32_t i = 0; i < found; i++)
            assert_int_equal(count_owners(tetrahedra, count, surface + 3 * i), 1);
        tide_free(surface);
    }
}

static void test_surface_with_large_indices(void **state)
{
    (void)state;
    // Three corners of such indices do not fit into one key of 64 bits.
    const uint32_t far = 90000000, tetrahedra[] = { 0, far, far + 1, far + 2, 1, far, far + 2, far + 1 };
    uint32_t *surface, count;
    tide_error error;
    assert_ok(tide_mesh_surface_of(tetrahedra, 2, &surface, &count, &error), error);
    const uint32_t expected[] = { 0, far + 1, far,     0, far,     far + 2, 0, far + 2, far + 1,
                                  1, far,     far + 1, 1, far + 2, far,     1, far + 1, far + 2 };
    assert_int_equal(count, 6);
    assert_memory_equal(surface, expected, sizeof expected);
    tide_free(surface);
}

static void test_surface_faces_outward(void **state)
{
    (void)state;
    tide_mesh *box = make_box(2, 1, 1, 2, 3, 1);
    for (uint32_t i = 0; i < box->triangle_count; i++) {
        const uint32_t *t = box->triangles + 3 * i;
        const double *a = box->vertices + 3 * t[0], *b = box->vertices + 3 * t[1], *c = box->vertices + 3 * t[2];
        // The box is centred at the origin and convex: dot(a, cross(b - a, c - a)) > 0.
        double u[3], v[3];
        for (int k = 0; k < 3; k++) {
            u[k] = b[k] - a[k];
            v[k] = c[k] - a[k];
        }
        double out = a[0] * (u[1] * v[2] - u[2] * v[1]) + a[1] * (u[2] * v[0] - u[0] * v[2]) +
                     a[2] * (u[0] * v[1] - u[1] * v[0]);
        assert_true(out > 0);
        assert_true(t[0] < t[1] && t[0] < t[2]);
    }
    tide_mesh_release(box);
}

static void test_edge_triangles_against_brute_force(void **state)
{
    (void)state;
    enum { N = 12, TRIANGLES = 60 };
    static uint32_t triangles[3 * TRIANGLES];
    static double vertices[3 * N];
    tide_random random = tide_random_seed(3);
    for (int k = 0; k < 3 * N; k++)
        vertices[k] = tide_random_uniform(&random);
    draw_tuples(&random, triangles, 3, TRIANGLES, N);
    const uint32_t extra[] = { 5, 2, 2, 5, 0, 1 };
    for (int own_edges = 0; own_edges < 2; own_edges++) {
        tide_mesh *mesh = make_mesh(PARTS(vertices, .triangles = triangles, .triangle_count = TRIANGLES,
                                          .edges = own_edges ? extra : NULL, .edge_count = 3));
        uint32_t *on;
        tide_error error;
        assert_ok(tide_mesh_edge_triangles(mesh, &on, &error), error);
        for (uint32_t i = 0; i < mesh->edge_count; i++) {
            uint32_t found[2] = { TIDE_NO_TRIANGLE, TIDE_NO_TRIANGLE }, n = 0;
            for (uint32_t t = 0; t < TRIANGLES; t++) {
                int shared = 0;
                for (uint32_t k = 0; k < 3; k++)
                    shared +=
                        triangles[3 * t + k] == mesh->edges[2 * i] || triangles[3 * t + k] == mesh->edges[2 * i + 1];
                if (shared == 2 && n < 2)
                    found[n++] = t;
            }
            assert_memory_equal(on + 2 * i, found, sizeof found);
        }
        tide_free(on);
        tide_mesh_release(mesh);
    }
}

static void test_hinges(void **state)
{
    (void)state;
    tide_mesh *mesh = make_grid(3, 2, 1, 1, TIDE_DIAGONALS_FORWARD);
    uint32_t *pairs, count;
    tide_error error;
    assert_ok(tide_mesh_hinges(mesh, &pairs, &count, &error), error);
    // 0 1 2
    // 3 4 5, with edges 0-4 and 1-5: across 0-4 (1, 3), across 1-4 (0, 5), across 1-5 (2, 4).
    const uint32_t expected[] = { 0, 5, 1, 3, 2, 4 };
    assert_int_equal(count, 3);
    assert_memory_equal(pairs, expected, sizeof expected);
    tide_free(pairs);
    tide_mesh_release(mesh);
    // As many hinges as inner edges.
    mesh = make_grid(9, 7, 1, 1, TIDE_DIAGONALS_ALTERNATING);
    assert_ok(tide_mesh_hinges(mesh, &pairs, &count, &error), error);
    assert_int_equal(count, mesh->edge_count - 2 * (8 + 6));
    for (uint32_t i = 0; i < count; i++) {
        assert_true(pairs[2 * i] < pairs[2 * i + 1]);
        assert_true(i == 0 || pairs[2 * i] >= pairs[2 * i - 2]);
    }
    tide_free(pairs);
    tide_mesh_release(mesh);
    mesh = make_strand(4);
    assert_ok(tide_mesh_hinges(mesh, &pairs, &count, &error), error);
    assert_int_equal(count, 0);
    tide_free(pairs);
    tide_mesh_release(mesh);
}

// Two triangles on the same three vertices have no opposite vertices to join.
static void test_hinges_of_doubled_triangle(void **state)
{
    (void)state;
    const double vertices[] = { 0, 0, 0, 1, 0, 0, 0, 0, 1 };
    const uint32_t triangles[] = { 0, 1, 2, 0, 2, 1 };
    tide_mesh *mesh = make_mesh(PARTS(vertices, .triangles = triangles, .triangle_count = 2));
    uint32_t *pairs, count;
    tide_error error;
    assert_ok(tide_mesh_hinges(mesh, &pairs, &count, &error), error);
    assert_int_equal(count, 0);
    tide_free(pairs);
    tide_mesh_release(mesh);
}

static void test_translate_and_scale(void **state)
{
    (void)state;
    tide_mesh *box = make_box(1, 2, 3, 1, 2, 1), *moved, *scaled;
    tide_error error;
    assert_ok(tide_mesh_translate(box, (const double[3]) { 1, -2, 0.5 }, &moved, &error), error);
    assert_ok(tide_mesh_scale(box, (const double[3]) { 2, 3, 0.5 }, &scaled, &error), error);
    for (uint32_t i = 0; i < box->vertex_count; i++) {
        const double *p = box->vertices + 3 * i, *q = moved->vertices + 3 * i, *s = scaled->vertices + 3 * i;
        assert_true(q[0] == p[0] + 1 && q[1] == p[1] - 2 && q[2] == p[2] + 0.5);
        assert_true(s[0] == 2 * p[0] && s[1] == 3 * p[1] && s[2] == 0.5 * p[2]);
    }
    assert_true(moved->topology_hash == box->topology_hash && scaled->topology_hash == box->topology_hash);
    assert_near(total_volume(scaled), 6 * 3, 1e-12);
    tide_mesh_release(box);
    tide_mesh_release(moved);
    tide_mesh_release(scaled);
}

static void test_mirroring_stays_outward(void **state)
{
    (void)state;
    tide_mesh *box = make_box(1, 2, 3, 2, 1, 1), *mirrored, *turned;
    tide_error error;
    assert_ok(tide_mesh_scale(box, (const double[3]) { -1, 1, 1 }, &mirrored, &error), error);
    assert_near(total_volume(mirrored), 6, 1e-13);
    assert_near(enclosed_volume(mirrored), 6, 1e-13);
    assert_closed(mirrored);
    assert_ok(tide_mesh_scale(box, (const double[3]) { -1, -1, 1 }, &turned, &error), error);
    assert_true(turned->topology_hash == box->topology_hash);
    assert_near(enclosed_volume(turned), 6, 1e-13);
    tide_mesh_release(box);
    tide_mesh_release(mirrored);
    tide_mesh_release(turned);
}

static void test_rotate(void **state)
{
    (void)state;
    const double points[] = { 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 2, 3 };
    tide_mesh *mesh = make_mesh(PARTS(points, .edge_count = 0)), *out;
    tide_error error;
    double quarter = acos(-1) / 2;
    // Right-handed about z, with an axis of another length: x to y, y to -x.
    assert_ok(tide_mesh_rotate(mesh, (const double[3]) { 0, 0, 5 }, quarter, &out, &error), error);
    const double about_z[] = { 0, 1, 0, -1, 0, 0, 0, 0, 1, -2, 1, 3 };
    for (int k = 0; k < 12; k++)
        assert_near(out->vertices[k], about_z[k], 1e-15);
    tide_mesh_release(out);
    // About the diagonal by a third of a turn: x to y to z.
    assert_ok(tide_mesh_rotate(mesh, (const double[3]) { 1e-200, 1e-200, 1e-200 }, 4 * quarter / 3, &out, &error),
              error);
    const double about_diagonal[] = { 0, 1, 0, 0, 0, 1, 1, 0, 0, 3, 1, 2 };
    for (int k = 0; k < 12; k++)
        assert_near(out->vertices[k], about_diagonal[k], 2e-15);
    tide_mesh_release(out);
    // There and back, about any axis; lengths stay.
    tide_mesh *back;
    const double axis[3] = { 0.3, -2, 0.7 };
    assert_ok(tide_mesh_rotate(mesh, axis, 1.234, &out, &error), error);
    assert_ok(tide_mesh_rotate(out, axis, -1.234, &back, &error), error);
    for (int k = 0; k < 12; k++)
        assert_near(back->vertices[k], points[k], 2e-15);
    const double *p = out->vertices + 9;
    assert_near(p[0] * p[0] + p[1] * p[1] + p[2] * p[2], 14, 1e-14);
    tide_mesh_release(mesh);
    tide_mesh_release(out);
    tide_mesh_release(back);
}

static void test_transform_refusals(void **state)
{
    (void)state;
    tide_mesh *mesh = make_strand(3), *out = NULL;
    tide_error error;
    assert_fails(tide_mesh_translate(mesh, (const double[3]) { 0, NAN, 0 }, &out, &error), error,
                 "mesh: translate = {0, nan, 0}: expected finite numbers");
    assert_fails(tide_mesh_rotate(mesh, (const double[3]) { 0, 0, 0 }, 1, &out, &error), error,
                 "mesh: rotate = {0, 0, 0}: expected an axis of finite numbers that is not zero");
    assert_fails(tide_mesh_rotate(mesh, (const double[3]) { INFINITY, 0, 0 }, 1, &out, &error), error,
                 "rotate = {inf, 0, 0}");
    assert_fails(tide_mesh_rotate(mesh, (const double[3]) { 1, 0, 0 }, NAN, &out, &error), error,
                 "mesh: rotate = nan: expected a finite angle in radians");
    assert_fails(tide_mesh_scale(mesh, (const double[3]) { 1, 0, 1 }, &out, &error), error,
                 "mesh: scale = {1, 0, 1}: expected finite factors other than 0");
    assert_fails(tide_mesh_scale(mesh, (const double[3]) { 1, NAN, 1 }, &out, &error), error, "scale = {1, nan, 1}");
    assert_fails(tide_mesh_scale(mesh, (const double[3]) { 1e308, 1e308, 1e308 }, &out, &error), error,
                 "expected finite numbers");
    assert_null(out);
    tide_mesh_release(mesh);
}

static void test_memory_failures(void **state)
{
    (void)state;
    tide_mesh *box = make_box(1, 1, 1, 2, 1, 1), *out;
    uint32_t *list, count;
    tide_error error;
    assert_survives_failures(tide_mesh_edges_of(box->vertex_count, box->triangles, box->triangle_count, box->tetrahedra,
                                                box->tetrahedron_count, &list, &count, &error),
                             tide_free(list), 3);
    assert_survives_failures(tide_mesh_surface_of(box->tetrahedra, box->tetrahedron_count, &list, &count, &error),
                             tide_free(list), 4);
    assert_survives_failures(tide_mesh_edge_triangles(box, &list, &error), tide_free(list), 4);
    assert_survives_failures(tide_mesh_hinges(box, &list, &count, &error), tide_free(list), 6);
    const double mirror[3] = { -1, 1, 1 };
    assert_survives_failures(tide_mesh_scale(box, mirror, &out, &error), tide_mesh_release(out), 5);
    tide_mesh_release(box);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_edges_against_brute_force),
    cmocka_unit_test(test_edges_of_box_against_brute_force),
    cmocka_unit_test(test_hub),
    cmocka_unit_test(test_surface_against_brute_force),
    cmocka_unit_test(test_surface_with_large_indices),
    cmocka_unit_test(test_surface_faces_outward),
    cmocka_unit_test(test_edge_triangles_against_brute_force),
    cmocka_unit_test(test_hinges),
    cmocka_unit_test(test_hinges_of_doubled_triangle),
    cmocka_unit_test(test_translate_and_scale),
    cmocka_unit_test(test_mirroring_stays_outward),
    cmocka_unit_test(test_rotate),
    cmocka_unit_test(test_transform_refusals),
    cmocka_unit_test(test_memory_failures),
};
TIDE_TEST_SUITE(mesh_topology, tests)
