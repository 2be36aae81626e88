// Creating meshes from their parts.
#include "mesh_tests.h"

#include <math.h>

static const double square[] = { 0, 0, 0, 1, 0, 0, 1, 0, 1, 0, 0, 1 };
static const double corner[] = { 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1 };

static void test_parts_are_copied(void **state)
{
    (void)state;
    double vertices[12], texture[8] = { 0, 0, 1, 0, 1, 1, 0, 1 };
    uint32_t edges[] = { 2, 0 }, triangles[] = { 0, 2, 1, 0, 3, 2 }, skips[] = { 1, 3 };
    memcpy(vertices, square, sizeof square);
    tide_mesh *mesh = make_mesh(PARTS(vertices, .texture = texture, .edges = edges, .edge_count = 1,
                                      .triangles = triangles, .triangle_count = 2, .skips = skips, .skip_count = 1));
    vertices[0] = 5;
    texture[0] = 5;
    edges[0] = triangles[0] = skips[0] = 3;
    assert_memory_equal(mesh->vertices, square, sizeof square);
    assert_int_equal(mesh->vertex_count, 4);
    assert_true(mesh->texture[0] == 0 && mesh->texture[5] == 1);
    assert_int_equal(mesh->edge_count, 1);
    assert_true(mesh->edges[0] == 2 && mesh->edges[1] == 0);
    assert_int_equal(mesh->triangle_count, 2);
    assert_true(mesh->triangles[0] == 0 && mesh->triangles[5] == 2);
    assert_true(mesh->skip_count == 1 && mesh->skips[0] == 1 && mesh->skips[1] == 3);
    assert_int_equal(mesh->tetrahedron_count, 0);
    assert_null(mesh->tetrahedra);
    tide_mesh_release(mesh);
}

static void test_edges_and_surface_are_derived(void **state)
{
    (void)state;
    const uint32_t triangles[] = { 0, 2, 1, 0, 3, 2 }, sides[] = { 0, 1, 0, 2, 0, 3, 1, 2, 2, 3 };
    tide_mesh *flat = make_mesh(PARTS(square, .triangles = triangles, .triangle_count = 2));
    assert_int_equal(flat->edge_count, 5);
    assert_memory_equal(flat->edges, sides, sizeof sides);
    const uint32_t tetrahedron[] = { 0, 1, 2, 3 }, surface[] = { 0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3 };
    tide_mesh *solid = make_mesh(PARTS(corner, .tetrahedra = tetrahedron, .tetrahedron_count = 1));
    assert_int_equal(solid->edge_count, 6);
    assert_int_equal(solid->triangle_count, 4);
    assert_memory_equal(solid->triangles, surface, sizeof surface);
    tide_mesh_release(flat);
    tide_mesh_release(solid);
}

static void test_absent_arrays(void **state)
{
    (void)state;
    const uint32_t edges[] = { 0, 1 };
    // A count without an array, and an array without a count.
    tide_mesh *mesh = make_mesh(PARTS(square, .edges = edges, .edge_count = 0, .triangle_count = 7));
    assert_int_equal(mesh->edge_count, 0);
    assert_int_equal(mesh->triangle_count, 0);
    assert_null(mesh->edges);
    tide_mesh_release(mesh);
}

static void test_negative_tetrahedra_and_inward_triangles_are_turned(void **state)
{
    (void)state;
    const uint32_t turned[] = { 0, 2, 1, 3 }, inward[] = { 0, 1, 2, 1, 2, 3 };
    tide_mesh *mesh = make_mesh(
        PARTS(corner, .tetrahedra = turned, .tetrahedron_count = 1, .triangles = inward, .triangle_count = 2));
    assert_near(tide_mesh_tetrahedron_volume(mesh->vertices, mesh->tetrahedra), 1.0 / 6, 1e-16);
    const uint32_t outward[] = { 0, 2, 1, 1, 2, 3 };
    assert_memory_equal(mesh->triangles, outward, sizeof outward);
    tide_mesh_release(mesh);
}

static void test_inner_triangles_stay(void **state)
{
    (void)state;
    const double vertices[] = { 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, -1 };
    const uint32_t tetrahedra[] = { 0, 1, 2, 3, 0, 1, 2, 4 };
    for (int turned = 0; turned < 2; turned++) {
        const uint32_t between[] = { 0, turned ? 2 : 1, turned ? 1 : 2 };
        tide_mesh *mesh = make_mesh(PARTS(vertices, .tetrahedra = tetrahedra, .tetrahedron_count = 2,
                                          .triangles = between, .triangle_count = 1));
        assert_memory_equal(mesh->triangles, between, sizeof between);
        tide_mesh_release(mesh);
    }
}

static void test_refusals(void **state)
{
    (void)state;
    tide_mesh *mesh = NULL;
    tide_error error;
    double vertices[12];
    memcpy(vertices, square, sizeof square);
    tide_mesh_parts none = { 0 }, nothing = { .vertex_count = 4 };
    assert_fails(tide_mesh_create(&none, &mesh, &error), error,
                 "mesh: vertices: there are none; expected at least one");
    assert_fails(tide_mesh_create(&nothing, &mesh, &error), error, "there are none");
    tide_mesh_parts many = { .vertex_count = 100000001, .vertices = vertices };
    assert_fails(tide_mesh_create(&many, &mesh, &error), error,
                 "mesh: vertices = 100000001: expected at most 100000000");
    vertices[7] = NAN;
    tide_mesh_parts parts = PARTS(vertices, .edge_count = 0);
    assert_fails(tide_mesh_create(&parts, &mesh, &error), error,
                 "mesh: vertex 3 = (1, nan, 1): expected finite numbers");
    vertices[7] = INFINITY;
    assert_fails(tide_mesh_create(&parts, &mesh, &error), error, "vertex 3 = (1, inf, 1)");
    vertices[7] = 0;
    const double texture[8] = { 0, 0, 0, NAN };
    parts.texture = texture;
    assert_fails(tide_mesh_create(&parts, &mesh, &error), error, "texture coordinate 2 = (0, nan)");
    const uint32_t edges[] = { 0, 1, 1, 4 };
    parts = PARTS(vertices, .edges = edges, .edge_count = 2);
    assert_fails(tide_mesh_create(&parts, &mesh, &error), error, "mesh: edge 2 = 2 5: expected vertices from 1 to 4");
    const uint32_t loop[] = { 0, 1, 2, 2 };
    parts = PARTS(vertices, .edges = loop, .edge_count = 2);
    assert_fails(tide_mesh_create(&parts, &mesh, &error), error,
                 "mesh: edge 2 = 3 3: names a vertex twice; expected different ones");
    const uint32_t triangle[] = { 0, 1, 0 };
    parts = PARTS(vertices, .triangles = triangle, .triangle_count = 1);
    assert_fails(tide_mesh_create(&parts, &mesh, &error), error, "triangle 1 = 1 2 1: names a vertex twice");
    const uint32_t tetrahedron[] = { 0, 1, 2, UINT32_MAX };
    parts = PARTS(vertices, .tetrahedra = tetrahedron, .tetrahedron_count = 1);
    assert_fails(tide_mesh_create(&parts, &mesh, &error), error, "tetrahedron 1 = 1 2 3 4294967296: expected vertices");
    parts = PARTS(vertices, .skips = edges, .skip_count = 2);
    assert_fails(tide_mesh_create(&parts, &mesh, &error), error, "skip 2 = 2 5");
    assert_null(mesh);
    assert_int_equal(tide_mesh_create(&parts, &mesh, NULL), TIDE_ERROR_ARGUMENT);
}

static void test_hashes(void **state)
{
    (void)state;
    tide_mesh *a = make_grid(5, 4, 1, 1, TIDE_DIAGONALS_ALTERNATING), *b = make_grid(5, 4, 1, 1, 0);
    tide_mesh *wider = make_grid(5, 4, 2, 1, 0), *split = make_grid(5, 4, 1, 1, TIDE_DIAGONALS_FORWARD);
    assert_same_mesh(a, b);
    assert_true(a->topology_hash == wider->topology_hash && a->hash != wider->hash);
    assert_true(a->topology_hash != split->topology_hash && a->hash != split->hash);
    tide_mesh_parts parts = tide_mesh_view(a);
    parts.texture = NULL;
    tide_mesh *plain = make_mesh(parts);
    assert_true(plain->topology_hash == a->topology_hash && plain->hash != a->hash);
    parts = tide_mesh_view(a);
    parts.skip_count = 0;
    tide_mesh *unskipped = make_mesh(parts);
    assert_true(unskipped->topology_hash != a->topology_hash);
    const tide_mesh *all[] = { a, b, wider, split, plain, unskipped };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        tide_mesh_release(all[i]);
}

static void test_view_makes_the_same_mesh(void **state)
{
    (void)state;
    tide_mesh *box = make_box(1, 2, 3, 2, 1, 3);
    tide_mesh *copy = make_mesh(tide_mesh_view(box));
    assert_same_mesh(box, copy);
    tide_mesh_release(box);
    tide_mesh_release(copy);
}

static void test_references(void **state)
{
    (void)state;
    uint64_t blocks = tide_memory_count().blocks;
    tide_mesh *mesh = make_strand(4);
    assert_int_equal(mesh->references, 1);
    assert_ptr_equal(tide_mesh_retain(mesh), mesh);
    assert_int_equal(mesh->references, 2);
    tide_mesh_release(mesh);
    assert_int_equal(mesh->references, 1);
    assert_int_equal(mesh->vertex_count, 4);
    tide_mesh_release(mesh);
    assert_int_equal(tide_memory_count().blocks, blocks);
    tide_mesh_release(NULL);
}

static void test_bounds(void **state)
{
    (void)state;
    const double vertices[] = { 1, -2, 3, -4, 5, 0.5, 0, 0, 7 };
    tide_mesh *mesh = make_mesh(PARTS(vertices, .edge_count = 0));
    double lower[3], upper[3];
    tide_mesh_bounds(mesh, lower, upper);
    const double least[] = { -4, -2, 0.5 }, most[] = { 1, 5, 7 };
    assert_memory_equal(lower, least, sizeof least);
    assert_memory_equal(upper, most, sizeof most);
    tide_mesh_release(mesh);
}

static void test_memory_failures(void **state)
{
    (void)state;
    const uint32_t tetrahedron[] = { 0, 1, 2, 3 }, triangles[] = { 0, 1, 2 };
    const double texture[8] = { 0 };
    tide_mesh_parts parts = PARTS(corner, .tetrahedra = tetrahedron, .tetrahedron_count = 1, .texture = texture);
    tide_mesh *mesh = NULL;
    tide_error error;
    assert_survives_failures(tide_mesh_create(&parts, &mesh, &error), tide_mesh_release(mesh), 10);
    parts.triangles = triangles;
    parts.triangle_count = 1;
    assert_survives_failures(tide_mesh_create(&parts, &mesh, &error), tide_mesh_release(mesh), 10);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_parts_are_copied),
    cmocka_unit_test(test_edges_and_surface_are_derived),
    cmocka_unit_test(test_absent_arrays),
    cmocka_unit_test(test_negative_tetrahedra_and_inward_triangles_are_turned),
    cmocka_unit_test(test_inner_triangles_stay),
    cmocka_unit_test(test_refusals),
    cmocka_unit_test(test_hashes),
    cmocka_unit_test(test_view_makes_the_same_mesh),
    cmocka_unit_test(test_references),
    cmocka_unit_test(test_bounds),
    cmocka_unit_test(test_memory_failures),
};
TIDE_TEST_SUITE(mesh_create, tests)
