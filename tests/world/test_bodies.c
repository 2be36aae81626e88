#include "world/fixture.h"

#include "base/log.h"
#include "base/memory.h"
#include "formats/mesh_file.h"
#include "model/system.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static tide_error error;

static const tide_mesh *tetrahedron(void)
{
    static const double vertices[] = { 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1 };
    static const uint32_t corners[] = { 0, 1, 2, 3 };
    tide_mesh *mesh;
    tide_mesh_parts parts = { .vertex_count = 4, .vertices = vertices, .tetrahedron_count = 1, .tetrahedra = corners };
    assert_ok(tide_mesh_create(&parts, &mesh, &error), error);
    return mesh;
}

static uint32_t springs_of(const tide_world *world, const char *name)
{
    tide_body_info info;
    assert_true(tide_world_body_info(world, tide_world_find_body(world, name), &info));
    return info.spring_count;
}

static void test_the_curtain_has_the_paper_s_counts(void **state)
{
    (void)state;
    tide_world *world = fixture_curtain(81, NULL);
    assert_int_equal(tide_world_particle_count(world), 6561);
    assert_int_equal(springs_of(world, "curtain"), 32158);
    tide_world_destroy(world);
}

static void test_volumes_have_the_paper_s_counts(void **state)
{
    (void)state;
    const char *folder = getenv("SPRINGTIDE_DATA");
    if (!folder) {
        print_message("SPRINGTIDE_DATA is not set: hippo, frog and dog are not counted\n");
        skip();
    }
    static const struct {
        const char *file;
        uint32_t vertices, springs;
    } models[] = { { "hippo", 2387, 13135 }, { "frog", 6834, 35261 }, { "dog", 28390, 148047 } };
    for (int m = 0; m < 3; m++) {
        char path[1024];
        snprintf(path, sizeof path, "%s/table1/%s.mesh", folder, models[m].file);
        tide_mesh *mesh;
        assert_ok(tide_mesh_load(path, &mesh, &error), error);
        tide_world *world = fixture_world(NULL, NULL);
        tide_body_def def = fixture_cloth(models[m].file, mesh);
        def.bend = TIDE_NOT_GIVEN;
        tide_body_id id;
        assert_ok(tide_world_add_body(world, &def, &id, &error), error);
        assert_int_equal(tide_world_particle_count(world), models[m].vertices);
        assert_int_equal(springs_of(world, models[m].file), models[m].springs);
        tide_mesh_release(mesh);
        tide_world_destroy(world);
    }
}

static const tide_system *system_of(tide_world *world)
{
    const tide_system *system;
    assert_ok(tide_world_system(world, &system, &error), error);
    return system;
}

static void test_masses(void **state)
{
    (void)state;
    const tide_mesh *meshes[] = { tetrahedron(), fixture_grid(5, 4) };
    double totals[] = { 3.0 / 6, 3.0 }; // density 3 times the volume, the area
    for (int m = 0; m < 2; m++) {
        tide_world *world = fixture_world(NULL, NULL);
        tide_body_def def = fixture_cloth("a", meshes[m]);
        def.mass = def.bend = TIDE_NOT_GIVEN;
        tide_body_id id;
        assert_ok(tide_world_add_body(world, &def, &id, &error), error);
        def.name = "b";
        def.density = 3;
        assert_ok(tide_world_add_body(world, &def, &id, &error), error);
        def.name = "c";
        def.density = TIDE_NOT_GIVEN;
        double masses[20];
        for (int v = 0; v < 20; v++)
            masses[v] = v + 1;
        def.masses = masses;
        def.masses_count = meshes[m]->vertex_count;
        assert_ok(tide_world_add_body(world, &def, &id, &error), error);
        uint32_t n = meshes[m]->vertex_count;
        const double *all = system_of(world)->masses;
        double unit = 0, dense = 0;
        for (uint32_t v = 0; v < n; v++) {
            assert_near(all[v], 1.0 / n, 1e-15);
            unit += all[v];
            dense += all[n + v];
            assert_near(all[2 * n + v], v + 1, 0);
        }
        assert_near(unit, 1, 1e-12);
        assert_near(dense, totals[m], 1e-12);
        tide_world_destroy(world);
        tide_mesh_release(meshes[m]);
    }
}

// The modulus makes a chain's stretch under its own weight independent of how many springs it has.
static void test_modulus_does_not_depend_on_resolution(void **state)
{
    (void)state;
    double lengths[2];
    for (int i = 0; i < 2; i++) {
        tide_mesh_strand_def strand = { .points = i ? 65 : 9, .to = { 0, -1, 0 } };
        tide_mesh *mesh;
        assert_ok(tide_mesh_strand.build(&strand, &mesh, &error), error);
        tide_world_settings settings = { .timestep = 1 };
        tide_world *world = fixture_world(&settings, NULL);
        tide_body_def def = fixture_cloth("chain", mesh);
        def.stiffness = def.bend = TIDE_NOT_GIVEN;
        def.modulus = 40;
        tide_body_id id;
        assert_ok(tide_world_add_body(world, &def, &id, &error), error);
        assert_ok(tide_world_pin(world, id, 0, TIDE_NOT_GIVEN, &error), error);
        uint32_t last = mesh->vertex_count - 1;
        for (int n = 0; n < 400; n++) {
            double force[3] = { 0, -10, 0 };
            assert_ok(tide_world_add_force(world, id, last, force, &error), error);
            fixture_step(world, 1);
        }
        lengths[i] = -tide_world_positions(world, id)[3 * last + 1];
        tide_world_destroy(world);
        tide_mesh_release(mesh);
    }
    assert_near(lengths[0], 1.25, 1e-6); // 10 N / 40 N
    assert_near(lengths[1], 1.25, 1e-6);
}

static void keep_text(tide_log_level level, const char *message, void *context)
{
    (void)level;
    snprintf(context, 400, "%s", message);
}

// Only density asks elements for masses: with others, a vertex that no triangle weighs is no problem.
static void test_vertices_without_area(void **state)
{
    (void)state;
    static const double vertices[] = { 0, 0, 0, 1, 0, 0, 0, 0, 1, 3, 0, 0 };
    static const uint32_t triangles[] = { 0, 1, 2 }, edges[] = { 1, 3 };
    tide_mesh_parts parts = { .vertex_count = 4,
                              .vertices = vertices,
                              .edge_count = 1,
                              .edges = edges,
                              .triangle_count = 1,
                              .triangles = triangles };
    tide_mesh *mesh;
    assert_ok(tide_mesh_create(&parts, &mesh, &error), error);
    const double masses[4] = { 1, 2, 3, 4 };
    for (int i = 0; i < 3; i++) {
        tide_world *world = fixture_curtain(3, NULL);
        tide_body_def def = fixture_cloth("kite", mesh);
        def.bend = TIDE_NOT_GIVEN;
        def.mass = i == 0 ? 2 : TIDE_NOT_GIVEN;
        def.masses = i == 1 ? masses : NULL;
        def.masses_count = i == 1 ? 4 : 0;
        def.density = i == 2 ? 1 : TIDE_NOT_GIVEN;
        char text[400] = "";
        tide_body_id id;
        tide_log_set_sink(keep_text, text);
        tide_status status = tide_world_add_body(world, &def, &id, &error);
        tide_log_set_sink(NULL, NULL);
        if (i < 2)
            assert_ok(status, error);
        else
            assert_fails(status, error, "density");
        assert_int_equal(strstr(text, "density gives it no mass") != NULL, i == 2);
        tide_world_destroy(world);
    }
    tide_mesh_release(mesh);
}

static void test_bending_models(void **state)
{
    (void)state;
    const tide_mesh *mesh = fixture_grid(4, 3);
    tide_world *world = fixture_world(NULL, NULL);
    tide_body_def def = fixture_cloth("skip", mesh);
    tide_body_id id;
    assert_ok(tide_world_add_body(world, &def, &id, &error), error);
    assert_int_equal(springs_of(world, "skip"), mesh->edge_count + 2 * 3 + 4 * 1);
    def.name = "hinge";
    def.bend_model = TIDE_BEND_HINGE;
    assert_ok(tide_world_add_body(world, &def, &id, &error), error);
    assert_int_equal(springs_of(world, "hinge"), mesh->edge_count + mesh->edge_count - 10); // all but the border's 10
    def.name = "edges";
    def.bend = TIDE_NOT_GIVEN;
    assert_ok(tide_world_add_body(world, &def, &id, &error), error);
    assert_int_equal(springs_of(world, "edges"), mesh->edge_count);
    def.name = "own";
    def.stiffness = TIDE_NOT_GIVEN;
    tide_extra_spring own[] = { { 0, 11, 5, TIDE_NOT_GIVEN }, { 3, 8, 6, 0.25 } };
    def.springs = own;
    def.spring_count = 2;
    assert_ok(tide_world_add_body(world, &def, &id, &error), error);
    assert_int_equal(springs_of(world, "own"), 2);
    const tide_system *system = system_of(world);
    const tide_elements *last = &system->groups[system->group_count - 1];
    assert_near(last->parameters[TIDE_SPRING_REST_LENGTH * 2], sqrt(2), 1e-12);
    assert_near(last->parameters[TIDE_SPRING_REST_LENGTH * 2 + 1], 0.25, 0);
    tide_mesh_release(mesh);
    tide_world_destroy(world);
}

// --- refusals: each leaves the world as it was
// ------------------------------------------------------------------------

static tide_world *refusing;
static const tide_mesh *refused_mesh;

static void refuse(tide_body_def def, const char *part)
{
    uint64_t before = fixture_hash(refusing);
    tide_body_id id;
    assert_fails(tide_world_add_body(refusing, &def, &id, &error), error, part);
    assert_string_equal(error.where, "scene.lua:7");
    assert_int_equal(fixture_hash(refusing), before);
}

static tide_body_def with(size_t offset, double value)
{
    tide_body_def def = fixture_cloth("bad", refused_mesh);
    memcpy((char *)&def + offset, &value, sizeof value);
    return def;
}

static void test_bad_numbers_are_refused(void **state)
{
    (void)state;
    refusing = fixture_curtain(3, NULL);
    refused_mesh = fixture_grid(3, 3);
    refuse(with(offsetof(tide_body_def, mass), -1), "body \"bad\": mass = -1: expected a number greater than 0");
    refuse(with(offsetof(tide_body_def, mass), 0), "body \"bad\": mass = 0: expected a number greater than 0");
    refuse(with(offsetof(tide_body_def, stiffness), -80), "stiffness = -80: expected a number from 0 to 1e+15 N/m");
    refuse(with(offsetof(tide_body_def, stiffness), INFINITY), "stiffness = inf");
    refuse(with(offsetof(tide_body_def, bend), -1), "bend = -1");
    refuse(with(offsetof(tide_body_def, density), 1), "give either mass or density, not both");
    refuse(with(offsetof(tide_body_def, modulus), 1), "give either stiffness or modulus, not both");
    refuse(with(offsetof(tide_body_def, bend_modulus), 1), "give either bend or bend_modulus, not both");
    double masses[9] = { 1, 1, 1, 1, -2, 1, 1, 1, 1 };
    tide_body_def def = with(offsetof(tide_body_def, mass), TIDE_NOT_GIVEN);
    def.masses = masses;
    def.masses_count = 8;
    refuse(def, "masses: expected 9 numbers, one for each vertex, and got 8");
    def.masses_count = 9;
    refuse(def, "masses = -2: gives vertex 5 this mass");
    masses[4] = NAN;
    refuse(def, "masses = nan: gives vertex 5");
    tide_mesh_release(refused_mesh);
    tide_world_destroy(refusing);
}

static void test_bad_springs_are_refused(void **state)
{
    (void)state;
    refusing = fixture_curtain(3, NULL);
    refused_mesh = fixture_grid(3, 3);
    tide_extra_spring springs[2] = { { 0, 1, 5, TIDE_NOT_GIVEN }, { 0, 9, 5, TIDE_NOT_GIVEN } };
    tide_body_def def = fixture_cloth("bad", refused_mesh);
    def.springs = springs;
    def.spring_count = 2;
    refuse(def, "body \"bad\": springs[2]: vertex 10: expected a vertex from 1 to 9");
    springs[1].j = 0;
    refuse(def, "springs[2]: joins vertex 1 to itself");
    springs[1] = (tide_extra_spring) { 0, 2, -5, TIDE_NOT_GIVEN };
    refuse(def, "springs[2] = -5: expected a stiffness from 0 to 1e+15 N/m");
    springs[1] = (tide_extra_spring) { 0, 2, 5, -1 };
    refuse(def, "springs[2] = -1: expected a rest length from 0 to 1e+15 m");
    tide_mesh_release(refused_mesh);
    tide_world_destroy(refusing);
}

static void test_bad_meshes_are_refused(void **state)
{
    (void)state;
    refusing = fixture_curtain(3, NULL);
    static const double vertices[] = { 0, 0, 0, 1, 0, 0, 2, 0.5, 0 };
    static const uint32_t edges[] = { 0, 1 };
    tide_mesh_parts parts = { .vertex_count = 3, .vertices = vertices, .edge_count = 1, .edges = edges };
    tide_mesh *mesh;
    assert_ok(tide_mesh_create(&parts, &mesh, &error), error);
    tide_body_def def = fixture_cloth("lonely", mesh);
    def.bend = TIDE_NOT_GIVEN;
    refuse(def, "body \"lonely\": mesh: vertex 3 at (2, 0.5, 0)");
    def.bend = 3;
    tide_extra_spring held = { 1, 2, 5, TIDE_NOT_GIVEN };
    def.springs = &held;
    def.spring_count = 1;
    refuse(def, "bend: no vertex of this mesh lies between two others along a path");
    def.bend = TIDE_NOT_GIVEN;
    tide_body_id id;
    assert_ok(tide_world_add_body(refusing, &def, &id, &error), error); // an extra spring holds the vertex
    tide_mesh_release(mesh);
    def.mesh = NULL;
    refuse(def, "body \"lonely\"");
    tide_world_destroy(refusing);
}

static void test_names_and_vertices(void **state)
{
    (void)state;
    refusing = fixture_curtain(3, NULL);
    refused_mesh = fixture_grid(3, 3);
    refuse(fixture_cloth("curtain", refused_mesh), "body \"curtain\": the scene has a body of this name already");
    refuse(fixture_cloth("", refused_mesh), "body: name = \"\": expected a name");
    tide_body_id id = tide_world_find_body(refusing, "curtain");
    double nothing[3] = { 0 }, broken[3] = { 0, NAN, 0 };
    assert_fails(tide_world_pin(refusing, id, 9, TIDE_NOT_GIVEN, &error), error,
                 "body \"curtain\": pin = 10: expected a vertex from 1 to 9");
    assert_fails(tide_world_pin(refusing, id, 0, -1, &error), error, "pin.stiffness = -1");
    assert_fails(tide_world_unpin(refusing, id, 90, &error), error, "unpin = 91");
    assert_fails(tide_world_move_pin(refusing, id, 4, nothing, &error), error,
                 "move_pin = 5: this vertex is not pinned");
    assert_fails(tide_world_move_pin(refusing, id, 0, broken, &error), error,
                 "move_pin = (0, nan, 0): expected finite numbers");
    assert_fails(tide_world_add_force(refusing, id, 0, broken, &error), error, "force = (0, nan, 0)");
    tide_body_id stale = { id.index, id.generation + 1 };
    assert_fails(tide_world_pin(refusing, stale, 0, TIDE_NOT_GIVEN, &error), error, "body: it is gone");
    assert_null(tide_world_positions(refusing, stale));
    assert_null(tide_world_positions(refusing, (tide_body_id) { 0, 0 }));
    assert_null(tide_world_positions(refusing, (tide_body_id) { UINT32_MAX, 1 }));
    tide_mesh_release(refused_mesh);
    tide_world_destroy(refusing);
}

static void quiet(tide_log_level level, const char *message, void *context)
{
    (void)level;
    (void)message;
    (void)context;
}

static int silence(void **state)
{
    (void)state;
    tide_log_set_sink(quiet, NULL);
    return 0;
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup(test_the_curtain_has_the_paper_s_counts, silence),
    cmocka_unit_test(test_volumes_have_the_paper_s_counts),
    cmocka_unit_test(test_masses),
    cmocka_unit_test(test_modulus_does_not_depend_on_resolution),
    cmocka_unit_test(test_vertices_without_area),
    cmocka_unit_test(test_bending_models),
    cmocka_unit_test(test_bad_numbers_are_refused),
    cmocka_unit_test(test_bad_springs_are_refused),
    cmocka_unit_test(test_bad_meshes_are_refused),
    cmocka_unit_test(test_names_and_vertices),
};
TIDE_TEST_SUITE(world_bodies, tests)
