// Mass properties against closed formulas and against one another, and the four particles of a rigid body.
#include "base/random.h"
#include "model/mass_properties.h"
#include "tests.h"

#include <math.h>
#include <string.h>

static tide_error error;

static double uniform(tide_random *random, double low, double high)
{
    return low + (high - low) * tide_random_uniform(random);
}

static tide_mesh *make_box(const double size[3], const double cells[3])
{
    tide_mesh_box_def def;
    tide_mesh *mesh;
    tide_fields_default(tide_mesh_box.fields, &def);
    memcpy(def.size, size, sizeof def.size);
    memcpy(def.cells, cells, sizeof def.cells);
    assert_ok(tide_mesh_box.build(&def, &mesh, &error), error);
    return mesh;
}

static tide_mesh *turned_and_moved(tide_mesh *mesh)
{
    tide_mesh *turned, *moved;
    assert_ok(tide_mesh_rotate(mesh, (double[]) { 1, 2, -0.5 }, 0.7, &turned, &error), error);
    assert_ok(tide_mesh_translate(turned, (double[]) { 3, -2, 7 }, &moved, &error), error);
    tide_mesh_release(mesh);
    tide_mesh_release(turned);
    return moved;
}

static void assert_same(const tide_mass_properties *a, const tide_mass_properties *b, double tolerance)
{
    assert_near(a->mass, b->mass, tolerance);
    for (int k = 0; k < 3; k++)
        assert_near(a->centre[k], b->centre[k], tolerance);
    for (int k = 0; k < 9; k++)
        assert_near(a->moments[k], b->moments[k], tolerance);
}

static void test_box(void **state)
{
    (void)state;
    const double size[3] = { 0.4, 1, 0.2 }, cells[3] = { 3, 2, 1 };
    tide_mesh *box = make_box(size, cells);
    tide_mass_properties solid = tide_mass_of_volume(box, NULL, 500);
    assert_near(solid.mass, 40, 1e-12);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            assert_near(solid.moments[3 * i + j], i == j ? 40 * size[i] * size[i] / 12 : 0, 1e-13);
    tide_mass_properties hollow = tide_mass_of_area(box, 2);
    assert_near(hollow.mass, 2 * 2 * (0.4 + 0.08 + 0.2), 1e-12);
    tide_mesh_release(box);
}

// By tetrahedra, and by the surface alone; also where it faces inward.
static void test_two_ways(void **state)
{
    (void)state;
    tide_mesh *box = turned_and_moved(make_box((double[]) { 0.4, 1, 0.2 }, (double[]) { 3, 2, 1 }));
    tide_mass_properties inside = tide_mass_of_volume(box, NULL, 500);
    tide_mesh shell = *box;
    shell.tetrahedron_count = 0;
    tide_mass_properties outside = tide_mass_of_volume(&shell, NULL, 500);
    assert_same(&inside, &outside, 1e-10);
    for (uint32_t t = 0; t < box->triangle_count; t++) {
        uint32_t *corners = box->triangles + 3 * (size_t)t, swapped = corners[1];
        corners[1] = corners[2];
        corners[2] = swapped;
    }
    outside = tide_mass_of_volume(&shell, NULL, 500);
    assert_near(outside.measure, -0.08, 1e-12);
    tide_mass_scale(&outside, -1);
    assert_same(&inside, &outside, 1e-10);
    tide_mesh_release(box);
}

static void check_points(const tide_mass_properties *of, bool thin, double tolerance)
{
    double points[12];
    assert_true(tide_equimomental_points(of, points) == thin);
    tide_mass_properties four = { .mass = of->mass };
    for (size_t i = 0; i < 12; i++)
        four.centre[i % 3] += points[i] / 4;
    for (size_t i = 0; i < 4; i++)
        for (size_t k = 0; k < 9; k++)
            four.moments[k] += of->mass / 4 * (points[3 * i + k / 3] - four.centre[k / 3]) *
                               (points[3 * i + k % 3] - four.centre[k % 3]);
    assert_same(of, &four, tolerance);
}

static void test_equimomental(void **state)
{
    (void)state;
    tide_random random = tide_random_seed(3);
    for (int round = 0; round < 50; round++) {
        const double size[3] = { uniform(&random, 0.1, 1), uniform(&random, 0.1, 1), uniform(&random, 0.1, 1) };
        tide_mesh *box = turned_and_moved(make_box(size, (double[]) { 1, 1, 1 }));
        tide_mass_properties of = tide_mass_of_volume(box, NULL, uniform(&random, 1, 1000));
        check_points(&of, false, 1e-12 * of.mass);
        tide_mesh_release(box);
    }
    tide_mass_properties plate = { .mass = 2, .moments = { 1, 0, 0, 0, 0.5, 0, 0, 0, 0 } };
    check_points(&plate, true, 2e-6);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_box),
    cmocka_unit_test(test_two_ways),
    cmocka_unit_test(test_equimomental),
};
TIDE_TEST_SUITE(model_mass_properties, tests)
