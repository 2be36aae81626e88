// Subdividing meshes with boundaries and texture: a skirt, and the dress of SPRINGTIDE_DATA.
#include "../geometry/shape_checks.h"

#include "formats/mesh_file.h"

#include <stdio.h>
#include <stdlib.h>

static tide_mesh *subdivide(const tide_mesh *mesh)
{
    tide_mesh *out = NULL;
    tide_error error;
    assert_ok(tide_mesh_subdivide(mesh, &out, &error), error);
    return out;
}

typedef struct rim {
    uint32_t edges;
    double length; // m
} rim;

// The total length of the boundary edges.
static rim measure_rim(const tide_mesh *mesh)
{
    uint32_t *on;
    tide_error error;
    rim rim = { 0 };
    assert_ok(tide_mesh_edge_triangles(mesh, &on, &error), error);
    for (uint32_t i = 0; i < mesh->edge_count; i++)
        if (on[2 * i + 1] == TIDE_NO_TRIANGLE) {
            rim.edges++;
            rim.length += apart(mesh, mesh->edges[2 * i], mesh->edges[2 * i + 1]);
        }
    tide_free(on);
    return rim;
}

// Twice the area of a triangle in the plane of the texture, with its sign.
static double texture_area(const tide_mesh *mesh, uint32_t triangle)
{
    const uint32_t *t = mesh->triangles + 3 * (size_t)triangle;
    const double *a = mesh->texture + 2 * t[0], *b = mesh->texture + 2 * t[1], *c = mesh->texture + 2 * t[2];
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

// Properties that subdivision must keep, compared with the coarser mesh.
static void assert_subdivided(const tide_mesh *coarse, const tide_mesh *fine)
{
    assert_int_equal(fine->vertex_count, coarse->vertex_count + coarse->edge_count);
    assert_int_equal(fine->edge_count, 2 * coarse->edge_count + 3 * coarse->triangle_count);
    assert_int_equal(fine->triangle_count, 4 * coarse->triangle_count);
    assert_int_equal(euler_characteristic(fine), euler_characteristic(coarse));
    assert_near(total_area(fine), total_area(coarse), 1e-12);
    assert_memory_equal(fine->vertices, coarse->vertices, 24 * (size_t)coarse->vertex_count);
    rim before = measure_rim(coarse), after = measure_rim(fine);
    assert_true(before.edges > 0);
    assert_int_equal(after.edges, 2 * before.edges);
    assert_near(after.length, before.length, 1e-12);
    assert_memory_equal(fine->texture, coarse->texture, 16 * (size_t)coarse->vertex_count);
    for (uint32_t e = 0; e < coarse->edge_count; e++) {
        const double *middle = fine->texture + 2 * (coarse->vertex_count + e);
        for (uint32_t k = 0; k < 2; k++)
            assert_near(
                middle[k],
                (coarse->texture[2 * coarse->edges[2 * e] + k] + coarse->texture[2 * coarse->edges[2 * e + 1] + k]) / 2,
                1e-15);
    }
    // Each of the four is a quarter of its triangle in the texture, too, and faces the same way.
    for (uint32_t i = 0; i < fine->triangle_count; i++)
        assert_near(texture_area(fine, i), texture_area(coarse, i / 4) / 4, 1e-14);
}

static void test_skirt(void **state)
{
    (void)state;
    const tide_mesh_cylinder_def def = { 0.4, 0.2, 0.6, 10, 4, false };
    tide_mesh *skirt = build_shape(&tide_mesh_cylinder, &def);
    tide_mesh *fine = subdivide(skirt), *finer = subdivide(fine);
    assert_subdivided(skirt, fine);
    assert_subdivided(fine, finer);
    assert_int_equal(measure_rim(finer).edges, 4 * 20);
    assert_healthy(finer);
    tide_mesh_release(skirt);
    tide_mesh_release(fine);
    tide_mesh_release(finer);
}

static void test_dress(void **state)
{
    (void)state;
    const char *data = getenv("SPRINGTIDE_DATA");
    if (!data || !data[0]) {
        print_message("skipped: SPRINGTIDE_DATA is not set\n");
        skip();
    }
    char path[1024];
    snprintf(path, sizeof path, "%s/dress/dress.obj", data);
    tide_mesh *dress = NULL;
    tide_error error;
    assert_ok(tide_mesh_load(path, &dress, &error), error);
    assert_true(dress->vertex_count == 248 && dress->triangle_count == 428 && dress->texture);
    tide_mesh *fine = subdivide(dress), *finer = subdivide(fine);
    assert_subdivided(dress, fine);
    assert_subdivided(fine, finer);
    assert_int_equal(finer->vertex_count, 3566);
    assert_int_equal(finer->triangle_count, 6848);
    assert_int_equal(finer->edge_count, 10416);
    tide_mesh_release(dress);
    tide_mesh_release(fine);
    tide_mesh_release(finer);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_skirt),
    cmocka_unit_test(test_dress),
};
TIDE_TEST_SUITE(mesh_subdivide, tests)
