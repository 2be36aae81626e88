// Materials that differ from vertex to vertex.
#include "world/fixture.h"

#include "base/memory.h"
#include "base/random.h"
#include "model/system.h"

#include <math.h>
#include <string.h>

static tide_error error;

enum { COLUMNS = 5, ROWS = 4, COUNT = COLUMNS * ROWS };

static double values[COUNT];

static int make_values(void **state)
{
    (void)state;
    tide_random random = tide_random_seed(11);
    for (int i = 0; i < COUNT; i++)
        values[i] = 1 + 99 * tide_random_uniform(&random);
    return 0;
}

static tide_body_def plain(const tide_mesh *mesh)
{
    tide_body_def def = tide_body_def_default();
    def.name = "sheet";
    def.mesh = mesh;
    return def;
}

static tide_world *world_of(const tide_body_def *def)
{
    tide_world *world = fixture_world(NULL, NULL);
    tide_body_id id;
    assert_ok(tide_world_add_body(world, def, &id, &error), error);
    return world;
}

static const tide_system *system_of(tide_world *world)
{
    const tide_system *system;
    assert_ok(tide_world_system(world, &system, &error), error);
    return system;
}

static double length(const tide_mesh *mesh, const uint32_t *pair)
{
    const double *a = mesh->vertices + 3 * (size_t)pair[0], *b = mesh->vertices + 3 * (size_t)pair[1];
    return sqrt(pow(a[0] - b[0], 2) + pow(a[1] - b[1], 2) + pow(a[2] - b[2], 2));
}

static void assert_means(tide_world *world, const tide_mesh *mesh, uint32_t begin, uint32_t end, bool modulus)
{
    const tide_elements *springs = &system_of(world)->groups[0];
    assert_true(end <= springs->count);
    for (uint32_t i = begin; i < end; i++) {
        const uint32_t *pair = springs->vertices + 2 * (size_t)i;
        double expected = (values[pair[0]] + values[pair[1]]) / 2 / (modulus ? length(mesh, pair) : 1);
        double got = springs->parameters[TIDE_SPRING_STIFFNESS * (size_t)springs->count + i];
        assert_near(got, expected, 1e-12 * expected);
    }
}

static void test_springs_take_the_mean_of_their_ends(void **state)
{
    (void)state;
    const tide_mesh *mesh = fixture_grid(COLUMNS, ROWS);
    for (int modulus = 0; modulus < 2; modulus++) {
        tide_body_def def = plain(mesh);
        *(modulus ? &def.modulus_at : &def.stiffness_at) = values;
        *(modulus ? &def.bend_modulus_at : &def.bend_at) = values;
        tide_world *world = world_of(&def);
        assert_int_equal(system_of(world)->groups[0].count, mesh->edge_count + mesh->skip_count);
        assert_means(world, mesh, 0, mesh->edge_count + mesh->skip_count, modulus);
        tide_world_destroy(world);
    }
    // One value beside those of the vertices.
    tide_body_def def = plain(mesh);
    def.stiffness = 7;
    def.bend_at = values;
    tide_world *world = world_of(&def);
    assert_means(world, mesh, mesh->edge_count, mesh->edge_count + mesh->skip_count, false);
    assert_true(system_of(world)->groups[0].parameters[0] == 7);
    tide_world_destroy(world);
    tide_mesh_release(mesh);
}

// The same at each vertex is as one number, to the last bit.
static void test_equal_values_are_as_one(void **state)
{
    (void)state;
    const tide_mesh *mesh = fixture_grid(COLUMNS, ROWS);
    double stiffness[COUNT], bend[COUNT], density[COUNT];
    for (int i = 0; i < COUNT; i++) {
        stiffness[i] = 80;
        bend[i] = 20;
        density[i] = 0.5;
    }
    uint64_t hashes[2];
    for (int each = 0; each < 2; each++) {
        tide_body_def def = plain(mesh);
        if (each)
            def.stiffness_at = stiffness, def.bend_at = bend, def.density_at = density;
        else
            def.stiffness = 80, def.bend = 20, def.density = 0.5;
        tide_world *world = world_of(&def);
        assert_ok(tide_world_pin(world, tide_world_body_at(world, 0), 0, TIDE_NOT_GIVEN, &error), error);
        fixture_step(world, 10);
        hashes[each] = fixture_hash(world);
        tide_world_destroy(world);
    }
    assert_true(hashes[0] == hashes[1]);
    tide_mesh_release(mesh);
}

// A density that grows linearly along x: the mass of the sheet is the integral, exact for the mean of corners.
static void test_density_of_a_sheet(void **state)
{
    (void)state;
    const tide_mesh *mesh = fixture_grid(COLUMNS, ROWS);
    double density[COUNT], total = 0, expected[COUNT] = { 0 };
    for (int i = 0; i < COUNT; i++)
        density[i] = 1 + 3 * mesh->vertices[3 * i];
    tide_body_def def = plain(mesh);
    def.density_at = density;
    tide_world *world = world_of(&def);
    const double *masses = system_of(world)->masses;
    double cell = 1.0 / ((COLUMNS - 1) * (ROWS - 1)) / 2; // a triangle's area
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        const uint32_t *v = mesh->triangles + 3 * (size_t)t;
        for (int k = 0; k < 3; k++)
            expected[v[k]] += cell * (density[v[0]] + density[v[1]] + density[v[2]]) / 9;
    }
    for (int i = 0; i < COUNT; i++) {
        assert_near(masses[i], expected[i], 1e-15);
        total += masses[i];
    }
    assert_near(total, 1 + 3.0 / 2, 1e-13);
    tide_world_destroy(world);
    tide_mesh_release(mesh);
}

static void test_density_of_solids_and_lines(void **state)
{
    (void)state;
    const double corners[] = { 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1 }, density[] = { 1, 2, 3, 6 };
    const uint32_t tetrahedron[] = { 0, 1, 2, 3 }, line[] = { 0, 1, 1, 2, 2, 3 };
    tide_mesh *meshes[2];
    const tide_mesh_parts parts[] = {
        { .vertices = corners, .vertex_count = 4, .tetrahedra = tetrahedron, .tetrahedron_count = 1 },
        { .vertices = corners, .vertex_count = 4, .edges = line, .edge_count = 3 }
    };
    const double expected[2][4] = { { 0.125, 0.125, 0.125, 0.125 },
                                    { 0.75, 0.75 + 1.25 * sqrt(2), 1.25 * sqrt(2) + 2.25 * sqrt(2), 2.25 * sqrt(2) } };
    for (int i = 0; i < 2; i++) {
        assert_ok(tide_mesh_create(&parts[i], &meshes[i], &error), error);
        tide_body_def def = plain(meshes[i]);
        def.density_at = density;
        def.stiffness = 1;
        tide_world *world = world_of(&def);
        for (int v = 0; v < 4; v++)
            assert_near(system_of(world)->masses[v], expected[i][v], 1e-15);
        tide_world_destroy(world);
        tide_mesh_release(meshes[i]);
    }
}

static void refuse(const tide_body_def *def, const char *text)
{
    tide_world *world = fixture_world(NULL, NULL);
    tide_body_id id;
    char got[1200];
    assert_int_equal(tide_world_add_body(world, def, &id, &error), TIDE_ERROR_ARGUMENT);
    if (!strstr(tide_error_text(&error, got, sizeof got), text))
        fail_msg("\"%s\" does not contain \"%s\"", got, text);
    tide_world_destroy(world);
}

static void test_bad_values_name_their_vertex(void **state)
{
    (void)state;
    const tide_mesh *mesh = fixture_grid(COLUMNS, ROWS);
    double bad[COUNT];
    memcpy(bad, values, sizeof bad);
    tide_body_def def = plain(mesh);
    def.stiffness_at = bad;
    bad[6] = -3;
    refuse(&def, "body \"sheet\": stiffness = -3: at vertex 7; expected a number from 0 to 1e+15");
    bad[6] = NAN;
    refuse(&def, "at vertex 7");
    bad[6] = 2e15;
    refuse(&def, "stiffness = 2e+15: at vertex 7");
    bad[6] = INFINITY;
    def = plain(mesh);
    def.bend_modulus_at = bad;
    refuse(&def, "bend_modulus = inf: at vertex 7");
    def = plain(mesh);
    def.density_at = bad;
    bad[6] = -1;
    refuse(&def, "density = -1: at vertex 7");
    memset(bad, 0, sizeof bad);
    refuse(&def, "density = 0: gives vertex 1 this mass");
    def = plain(mesh);
    def.stiffness_at = values;
    def.stiffness = 1;
    refuse(&def, "stiffness: give either one value or one for each vertex");
    def.stiffness = TIDE_NOT_GIVEN;
    def.modulus = 1;
    refuse(&def, "modulus: give either stiffness or modulus");
    def = plain(mesh);
    def.density_at = values;
    def.mass = 1;
    refuse(&def, "density: give either mass or density");
    tide_mesh_release(mesh);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup(test_springs_take_the_mean_of_their_ends, make_values),
    cmocka_unit_test(test_equal_values_are_as_one),
    cmocka_unit_test(test_density_of_a_sheet),
    cmocka_unit_test(test_density_of_solids_and_lines),
    cmocka_unit_test_setup(test_bad_values_name_their_vertex, make_values),
};
TIDE_TEST_SUITE(world_materials, tests)
