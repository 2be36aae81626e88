// Subdividing and welding.
#include "mesh_tests.h"

#include <math.h>

static tide_mesh *subdivide(const tide_mesh *mesh)
{
    tide_mesh *out = NULL;
    tide_error error;
    assert_ok(tide_mesh_subdivide(mesh, &out, &error), error);
    return out;
}

static tide_mesh *weld(const tide_mesh *mesh, double distance)
{
    tide_mesh *out = NULL;
    tide_error error;
    assert_ok(tide_mesh_weld(mesh, distance, &out, &error), error);
    return out;
}

// Edges are the halves of the old ones and the other edges of the new elements.
static void assert_edges_are_derived(const tide_mesh *mesh)
{
    uint32_t *edges, count;
    tide_error error;
    assert_ok(tide_mesh_edges_of(mesh->vertex_count, mesh->triangles, mesh->triangle_count, mesh->tetrahedra,
                                 mesh->tetrahedron_count, &edges, &count, &error),
              error);
    assert_int_equal(count, mesh->edge_count);
    assert_memory_equal(edges, mesh->edges, 8 * (size_t)count);
    tide_free(edges);
}

static void test_subdivide_grid(void **state)
{
    (void)state;
    tide_mesh *grid = make_grid(4, 3, 1.5, 1, TIDE_DIAGONALS_ALTERNATING), *fine = subdivide(grid);
    assert_int_equal(fine->vertex_count, grid->vertex_count + grid->edge_count);
    assert_int_equal(fine->triangle_count, 4 * grid->triangle_count);
    assert_int_equal(fine->edge_count, 2 * grid->edge_count + 3 * grid->triangle_count);
    assert_int_equal(fine->skip_count, 0);
    assert_edges_are_derived(fine);
    // Flat, upward, of the same area, with a texture that still is the position over the width.
    double area = 0;
    for (uint32_t i = 0; i < fine->triangle_count; i++) {
        const uint32_t *t = fine->triangles + 3 * i;
        const double *a = fine->vertices + 3 * t[0], *b = fine->vertices + 3 * t[1], *c = fine->vertices + 3 * t[2];
        double up = (b[2] - a[2]) * (c[0] - a[0]) - (b[0] - a[0]) * (c[2] - a[2]);
        assert_true(up > 0);
        area += up / 2;
    }
    assert_near(area, 1.5, 1e-14);
    for (uint32_t i = 0; i < fine->vertex_count; i++) {
        assert_near(fine->texture[2 * i], fine->vertices[3 * i] / 1.5, 1e-15);
        assert_near(fine->texture[2 * i + 1], fine->vertices[3 * i + 2] / 1.5, 1e-15);
    }
    assert_memory_equal(fine->vertices, grid->vertices, 24 * (size_t)grid->vertex_count);
    for (uint32_t i = 0; i < grid->edge_count; i++)
        for (uint32_t k = 0; k < 3; k++)
            assert_near(fine->vertices[3 * (grid->vertex_count + i) + k],
                        (grid->vertices[3 * grid->edges[2 * i] + k] + grid->vertices[3 * grid->edges[2 * i + 1] + k]) /
                            2,
                        1e-16);
    tide_mesh_release(grid);
    tide_mesh_release(fine);
}

static void test_subdivide_grid_without_diagonals(void **state)
{
    (void)state;
    tide_mesh *grid = make_grid(3, 3, 1, 1, TIDE_DIAGONALS_NONE), *fine = subdivide(grid);
    // 12 sides in halves, and three inner edges in each of 8 triangles; the halves of diagonals are no edges.
    assert_int_equal(fine->edge_count, 2 * 12 + 3 * 8);
    assert_int_equal(fine->vertex_count, 9 + 12 + 4);
    tide_mesh_release(grid);
    tide_mesh_release(fine);
}

static void test_subdivide_tetrahedra(void **state)
{
    (void)state;
    tide_mesh *box = make_box(1, 2, 3, 2, 1, 2), *fine = subdivide(box), *finer = subdivide(fine);
    assert_int_equal(fine->tetrahedron_count, 8 * box->tetrahedron_count);
    assert_int_equal(fine->triangle_count, 4 * box->triangle_count);
    assert_int_equal(fine->vertex_count, box->vertex_count + box->edge_count);
    const tide_mesh *meshes[] = { fine, finer };
    for (int m = 0; m < 2; m++) {
        for (uint32_t i = 0; i < meshes[m]->tetrahedron_count; i++)
            assert_true(tide_mesh_tetrahedron_volume(meshes[m]->vertices, meshes[m]->tetrahedra + 4 * i) > 0);
        assert_near(total_volume(meshes[m]), 6, 1e-12);
        assert_near(enclosed_volume(meshes[m]), 6, 1e-12);
        assert_closed(meshes[m]);
        assert_edges_are_derived(meshes[m]);
        // The triangles are those that the tetrahedra have outside.
        uint32_t *surface, count;
        tide_error error;
        assert_ok(tide_mesh_surface_of(meshes[m]->tetrahedra, meshes[m]->tetrahedron_count, &surface, &count, &error),
                  error);
        assert_int_equal(count, meshes[m]->triangle_count);
        tide_free(surface);
    }
    // Each child has an eighth of its parent.
    for (uint32_t i = 0; i < fine->tetrahedron_count; i++)
        assert_near(tide_mesh_tetrahedron_volume(fine->vertices, fine->tetrahedra + 4 * i),
                    tide_mesh_tetrahedron_volume(box->vertices, box->tetrahedra + 4 * (i / 8)) / 8, 1e-14);
    tide_mesh_release(box);
    tide_mesh_release(fine);
    tide_mesh_release(finer);
}

static void test_subdivide_picks_the_shortest_diagonal(void **state)
{
    (void)state;
    // Stretched along the line between the midpoints of two opposite edges, of three different ones in turn.
    const double shapes[3][12] = {
        { 0, 0, 0, 0.1, 0, 0, 5, 0, 1, 5, 1, 0 },
        { 0, 0, 0, 5, 0, 1, 0.1, 0, 0, 5, 1, 0 },
        { 0, 0, 0, 5, 0, 1, 5, 1, 0, 0.1, 0, 0 },
    };
    const uint32_t tetrahedron[] = { 0, 1, 2, 3 };
    for (int s = 0; s < 3; s++) {
        tide_mesh *mesh = make_mesh(PARTS(shapes[s], .tetrahedra = tetrahedron, .tetrahedron_count = 1));
        tide_mesh *fine = subdivide(mesh);
        assert_near(total_volume(fine), total_volume(mesh), 1e-14);
        // 12 halves, 12 inner sides of faces and one diagonal, which is no longer than those not taken.
        assert_int_equal(fine->edge_count, 25);
        double taken = 0, least = INFINITY;
        const uint32_t opposite[3][2] = { { 4, 9 }, { 5, 8 }, { 6, 7 } };
        for (int d = 0; d < 3; d++) {
            const double *p = fine->vertices + 3 * opposite[d][0], *q = fine->vertices + 3 * opposite[d][1];
            double length = hypot(hypot(p[0] - q[0], p[1] - q[1]), p[2] - q[2]);
            least = fmin(least, length);
            for (uint32_t i = 0; i < fine->edge_count; i++)
                if (fine->edges[2 * i] == opposite[d][0] && fine->edges[2 * i + 1] == opposite[d][1])
                    taken += length;
        }
        assert_near(taken, least, 1e-15);
        tide_mesh_release(mesh);
        tide_mesh_release(fine);
    }
}

static void test_subdivide_strand(void **state)
{
    (void)state;
    tide_mesh *strand = make_strand(4), *fine = subdivide(strand);
    // 0 4 1 5 2 6 3
    const uint32_t edges[] = { 0, 4, 1, 4, 1, 5, 2, 5, 2, 6, 3, 6 };
    assert_int_equal(fine->vertex_count, 7);
    assert_int_equal(fine->edge_count, 6);
    assert_memory_equal(fine->edges, edges, sizeof edges);
    const uint32_t skips[] = { 4, 5, 5, 6, 0, 1, 1, 2, 2, 3 };
    assert_int_equal(fine->skip_count, 5);
    assert_memory_equal(fine->skips, skips, sizeof skips);
    tide_mesh_release(strand);
    tide_mesh_release(fine);
}

static void test_subdivide_free_edge_and_particles(void **state)
{
    (void)state;
    const double vertices[] = { 0, 0, 0, 1, 0, 0, 0, 0, 1, 5, 0, 0 };
    const uint32_t triangle[] = { 0, 2, 1 }, edges[] = { 0, 1, 1, 2, 0, 2, 1, 3 };
    tide_mesh *mesh =
        make_mesh(PARTS(vertices, .triangles = triangle, .triangle_count = 1, .edges = edges, .edge_count = 4));
    tide_mesh *fine = subdivide(mesh);
    assert_int_equal(fine->vertex_count, 8);
    assert_int_equal(fine->edge_count, 8 + 3);
    assert_int_equal(fine->skip_count, 0);
    assert_near(fine->vertices[3 * 7], 3, 0);
    tide_mesh_release(mesh);
    tide_mesh_release(fine);
    mesh = make_mesh(PARTS(vertices, .edge_count = 0));
    fine = subdivide(mesh);
    assert_same_mesh(mesh, fine);
    tide_mesh_release(mesh);
    tide_mesh_release(fine);
}

// Triangles that share no vertices, as some programs write them.
static tide_mesh *make_soup(const tide_mesh *mesh, double noise)
{
    uint32_t count = 3 * mesh->triangle_count;
    double *vertices = tide_allocate_array(count, 24);
    uint32_t *triangles = tide_allocate_array(count, 4);
    tide_random random = tide_random_seed(4);
    for (uint32_t i = 0; i < count; i++) {
        triangles[i] = i;
        for (uint32_t k = 0; k < 3; k++)
            vertices[3 * i + k] =
                mesh->vertices[3 * mesh->triangles[i] + k] + noise * (2 * tide_random_uniform(&random) - 1);
    }
    const tide_mesh_parts parts = {
        .vertices = vertices, .vertex_count = count, .triangles = triangles, .triangle_count = count / 3
    };
    tide_mesh *soup = make_mesh(parts);
    tide_free(vertices);
    tide_free(triangles);
    return soup;
}

static void test_weld_of_soup(void **state)
{
    (void)state;
    tide_mesh *grid = make_grid(12, 9, 1, 1, TIDE_DIAGONALS_ALTERNATING);
    for (int noisy = 0; noisy < 2; noisy++) {
        tide_mesh *soup = make_soup(grid, noisy ? 1e-4 : 0), *welded = weld(soup, noisy ? 1e-3 : 0);
        assert_int_equal(soup->vertex_count, 3 * grid->triangle_count);
        assert_int_equal(welded->vertex_count, grid->vertex_count);
        assert_int_equal(welded->edge_count, grid->edge_count);
        assert_int_equal(welded->triangle_count, grid->triangle_count);
        // Each corner is where it was.
        for (uint32_t i = 0; i < 3 * grid->triangle_count; i++)
            for (uint32_t k = 0; k < 3; k++)
                assert_near(welded->vertices[3 * welded->triangles[i] + k], grid->vertices[3 * grid->triangles[i] + k],
                            noisy ? 2e-4 : 0);
        tide_mesh_release(soup);
        tide_mesh_release(welded);
    }
    tide_mesh_release(grid);
}

static void test_weld_of_nothing_to_weld(void **state)
{
    (void)state;
    tide_mesh *meshes[] = { make_grid(5, 4, 1, 1, TIDE_DIAGONALS_BOTH), make_strand(5), make_box(1, 1, 1, 2, 2, 1) };
    for (int i = 0; i < 3; i++) {
        tide_mesh *welded = weld(meshes[i], 1e-3);
        assert_same_mesh(meshes[i], welded);
        tide_mesh_release(meshes[i]);
        tide_mesh_release(welded);
    }
}

// Against brute force: each vertex in turn joins the lowest kept one that is near enough.
static void test_weld_clusters(void **state)
{
    (void)state;
    enum { N = 400 };
    static double vertices[3 * N];
    tide_random random = tide_random_seed(5);
    const double scales[] = { 1, 1e-150, 1e150, 1 }, offsets[] = { 0, 0, 0, 1e9 };
    for (int trial = 0; trial < 4; trial++)
        for (double part = 0; part < 0.6; part = part == 0 ? 0.01 : 2 * part) {
            for (int k = 0; k < 3 * N; k++)
                vertices[k] = scales[trial] * (floor(tide_random_uniform(&random) * 50) / 50 - 0.5) + offsets[trial];
            double distance = part * scales[trial];
            uint32_t kept[N], count = 0;
            for (uint32_t i = 0; i < N; i++) {
                bool near = false;
                for (uint32_t j = 0; j < count && !near; j++) {
                    double square = 0;
                    for (uint32_t k = 0; k < 3; k++) {
                        double step = (vertices[3 * i + k] - vertices[3 * kept[j] + k]) / scales[trial];
                        square += step * step;
                    }
                    // The grid of positions keeps every distance clear of the limit.
                    near = square <= part * part * (1 + 1e-6);
                }
                if (!near)
                    kept[count++] = i;
            }
            tide_mesh *cloud = make_mesh(PARTS(vertices, .edge_count = 0)),
                      *welded = weld(cloud, distance * (1 + 1e-7));
            assert_int_equal(welded->vertex_count, count);
            for (uint32_t i = 0; i < count; i++)
                assert_memory_equal(welded->vertices + 3 * i, vertices + 3 * kept[i], 24);
            tide_mesh_release(cloud);
            tide_mesh_release(welded);
        }
}

static void test_weld_joins_both_zeros(void **state)
{
    (void)state;
    const double vertices[] = { 0.0, 1, 0, -0.0, 1, -0.0 };
    tide_mesh *cloud = make_mesh(PARTS(vertices, .edge_count = 0)), *welded = weld(cloud, 0);
    assert_int_equal(welded->vertex_count, 1);
    tide_mesh_release(cloud);
    tide_mesh_release(welded);
}

static void test_weld_drops(void **state)
{
    (void)state;
    // 0 and 3 are at one place, 4 is used by nothing but a skip.
    const double vertices[] = { 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 9, 9, 9 };
    const double texture[] = { 0, 0, 1, 0, 0, 1, 0.5, 0.5, 9, 9 };
    const uint32_t triangles[] = { 0, 2, 1, 3, 2, 1, 1, 2, 0, 0, 3, 1 };
    const uint32_t edges[] = { 0, 1, 0, 3, 1, 3, 2, 0 }, skips[] = { 0, 4, 0, 3, 1, 2, 2, 1 };
    tide_mesh *mesh = make_mesh(PARTS(vertices, .texture = texture, .triangles = triangles, .triangle_count = 4,
                                      .edges = edges, .edge_count = 4, .skips = skips, .skip_count = 4));
    tide_mesh *welded = weld(mesh, 0);
    assert_int_equal(welded->vertex_count, 3);
    assert_memory_equal(welded->texture, texture, 6 * sizeof(double));
    assert_int_equal(welded->triangle_count, 1);
    assert_memory_equal(welded->triangles, triangles, 3 * sizeof(uint32_t));
    const uint32_t left[] = { 0, 1, 2, 0 };
    assert_int_equal(welded->edge_count, 2);
    assert_memory_equal(welded->edges, left, sizeof left);
    assert_true(welded->skip_count == 1 && welded->skips[0] == 1 && welded->skips[1] == 2);
    tide_mesh_release(mesh);
    tide_mesh_release(welded);
}

// Two adjacent boxes become one: the surface between them becomes interior.
static void test_weld_of_solids(void **state)
{
    (void)state;
    tide_mesh *left = make_box(1, 1, 1, 1, 1, 1), *mirrored, *right;
    tide_error error;
    assert_ok(tide_mesh_scale(left, (const double[3]) { -1, 1, 1 }, &mirrored, &error), error);
    assert_ok(tide_mesh_translate(mirrored, (const double[3]) { 1, 0, 0 }, &right, &error), error);
    double vertices[3 * 16];
    uint32_t tetrahedra[4 * 10];
    memcpy(vertices, left->vertices, 24 * 8);
    memcpy(vertices + 24, right->vertices, 24 * 8);
    for (uint32_t i = 0; i < 20; i++) {
        tetrahedra[i] = left->tetrahedra[i];
        tetrahedra[20 + i] = right->tetrahedra[i] + 8;
    }
    tide_mesh *both = make_mesh(PARTS(vertices, .tetrahedra = tetrahedra, .tetrahedron_count = 10));
    assert_int_equal(both->triangle_count, 24);
    tide_mesh *welded = weld(both, 1e-9);
    assert_int_equal(welded->vertex_count, 12);
    assert_int_equal(welded->triangle_count, 20);
    assert_int_equal(welded->tetrahedron_count, 10);
    assert_near(enclosed_volume(welded), 2, 1e-14);
    assert_closed(welded);
    const tide_mesh *all[] = { left, mirrored, right, both, welded };
    for (int i = 0; i < 5; i++)
        tide_mesh_release(all[i]);
}

static void test_weld_refusals(void **state)
{
    (void)state;
    tide_mesh *mesh = make_strand(3), *out = NULL;
    tide_error error;
    assert_fails(tide_mesh_weld(mesh, -1, &out, &error), error,
                 "mesh: weld = -1: expected a finite distance of at least 0 m");
    assert_fails(tide_mesh_weld(mesh, NAN, &out, &error), error, "weld = nan");
    assert_fails(tide_mesh_weld(mesh, 100, &out, &error), error,
                 "mesh: weld = 100: no edge is left of the mesh; expected a distance below the lengths of its edges");
    assert_fails(tide_mesh_weld(mesh, 1e308, &out, &error), error, "no edge is left of the mesh");
    assert_null(out);
    tide_mesh_release(mesh);
}

static void test_memory_failures(void **state)
{
    (void)state;
    tide_mesh *meshes[] = { make_grid(3, 3, 1, 1, 0), make_strand(3), make_box(1, 1, 1, 1, 1, 1) }, *out;
    tide_error error;
    for (int i = 0; i < 3; i++) {
        assert_survives_failures(tide_mesh_subdivide(meshes[i], &out, &error), tide_mesh_release(out), 15);
        assert_survives_failures(tide_mesh_weld(meshes[i], 0, &out, &error), tide_mesh_release(out), 15);
        tide_mesh_release(meshes[i]);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_subdivide_grid),       cmocka_unit_test(test_subdivide_grid_without_diagonals),
    cmocka_unit_test(test_subdivide_tetrahedra), cmocka_unit_test(test_subdivide_picks_the_shortest_diagonal),
    cmocka_unit_test(test_subdivide_strand),     cmocka_unit_test(test_subdivide_free_edge_and_particles),
    cmocka_unit_test(test_weld_of_soup),         cmocka_unit_test(test_weld_of_nothing_to_weld),
    cmocka_unit_test(test_weld_clusters),        cmocka_unit_test(test_weld_joins_both_zeros),
    cmocka_unit_test(test_weld_drops),           cmocka_unit_test(test_weld_of_solids),
    cmocka_unit_test(test_weld_refusals),        cmocka_unit_test(test_memory_failures),
};
TIDE_TEST_SUITE(mesh_refine, tests)
