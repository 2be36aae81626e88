// Forces of pins, attachments and contacts against weights, momentum and torque.
#include "world/fixture.h"

#include "world/reactions.h"
#include "world/stresses.h"

#include <string.h>

static tide_error error;

enum { MOST = 200 };
typedef tide_status force_function(tide_world *world, tide_body_id body, double *out, tide_error *error);

static void sum_of(tide_world *world, const char *name, force_function *compute, const double point[3], double sum[3],
                   double torque[3])
{
    static double forces[3 * MOST];
    tide_body_info info;
    tide_body_id id = tide_world_find_body(world, name);
    assert_true(tide_world_body_info(world, id, &info) && info.vertex_count <= MOST);
    assert_ok(compute(world, id, forces, &error), error);
    assert_true(tide_world_sum_forces(world, id, forces, NULL, info.vertex_count, point, sum, torque));
}

static void sum_reactions(tide_world *world, const char *name, double sum[3])
{
    double torque[3];
    sum_of(world, name, tide_world_reactions, (const double[3]) { 0 }, sum, torque);
}

static void assert_force(const double found[3], double x, double y, double z, double tolerance)
{
    assert_near(found[0], x, tolerance);
    assert_near(found[1], y, tolerance);
    assert_near(found[2], z, tolerance);
}

// Implicit steps of 2 s come to rest fast.
static tide_world *hanging(bool stiff)
{
    tide_world_settings settings = tide_world_settings_default();
    settings.timestep = 2;
    settings.drag = 2;
    tide_world *world = fixture_curtain(5, NULL);
    assert_ok(tide_world_set_settings(world, &settings, &error), error);
    tide_body_id id = tide_world_find_body(world, "curtain");
    if (stiff) {
        assert_ok(tide_world_pin(world, id, 0, 900, &error), error);
        assert_ok(tide_world_pin(world, id, 4, 200, &error), error);
    }
    fixture_use(world, "newton", "tolerance", "1e-13");
    return world;
}

static void test_hangs_at_rest(void **state)
{
    (void)state;
    for (int stiff = 0; stiff < 2; stiff++) {
        tide_world *world = hanging(stiff);
        double sum[3], torque[3], weight = 1 * 9.81;
        fixture_step(world, 150);
        const double point[3] = { 0.3, -0.7, 2 };
        sum_of(world, "curtain", tide_world_reactions, point, sum, torque);
        assert_force(sum, 0, weight, 0, 1e-9 * weight);
        // The torque balances that of the weight.
        tide_body_id id = tide_world_find_body(world, "curtain");
        const double *x = tide_world_positions(world, id);
        double tz = 0, tx = 0;
        for (int v = 0; v < 25; v++) {
            tz += -weight / 25 * (x[3 * v] - point[0]);
            tx -= -weight / 25 * (x[3 * v + 2] - point[2]);
        }
        assert_force(torque, -tx, 0, -tz, 1e-8 * weight);
        tide_world_destroy(world);
    }
}

// Implicit Euler: the change of momentum is the impulse of reactions and weight, pins that accelerate included.
static void test_momentum_of_motion(void **state)
{
    (void)state;
    tide_world *world = fixture_curtain(5, NULL);
    tide_body_id id = tide_world_find_body(world, "curtain");
    fixture_use(world, "newton", "tolerance", "1e-13");
    double h = tide_world_get_settings(world)->timestep;
    for (int i = 1; i <= 20; i++) {
        double before[3] = { 0 }, change[3] = { 0 }, sum[3];
        const double *v = tide_world_all_velocities(world);
        for (int n = 0; n < 75; n++)
            before[n % 3] += v[n] / 25;
        assert_ok(tide_world_move_pin(world, id, 0, (double[]) { 0.002 * i * i, 0.01 * i, 0 }, &error), error);
        assert_ok(tide_world_add_force(world, id, 7, (double[]) { 0.5, 0.2, -1 }, &error), error);
        fixture_step(world, 1);
        v = tide_world_all_velocities(world);
        for (int n = 0; n < 75; n++)
            change[n % 3] += v[n] / 25;
        for (int k = 0; k < 3; k++)
            change[k] = (change[k] - before[k]) / h;
        sum_reactions(world, "curtain", sum);
        assert_force(sum, change[0] - 0.5, change[1] - 0.2 + 9.81, change[2] + 1, 1e-8);
    }
    tide_world_destroy(world);
}

// The reaction of every solver at rest: a pinned vertex holds 3 kg, and its own mass.
static void test_every_solver(void **state)
{
    (void)state;
    const tide_solver_kind *kind;
    for (uint32_t i = 0; (kind = tide_solver_kind_at(i)); i++) {
        tide_world_settings settings = tide_world_settings_default();
        settings.timestep = 1.0 / 60;
        settings.drag = 8;
        tide_world *world = fixture_world(&settings, NULL);
        tide_mesh *mesh;
        tide_mesh_strand_def strand = { .points = 4, .to = { 0, -3, 0 } };
        assert_ok(tide_mesh_strand.build(&strand, &mesh, &error), error);
        tide_body_def def = fixture_cloth("rope", mesh);
        def.mass = 4;
        def.stiffness = 200;
        def.bend = TIDE_NOT_GIVEN;
        def.masses = (const double[]) { 0.5, 1, 1, 1.5 };
        def.masses_count = 4;
        def.mass = TIDE_NOT_GIVEN;
        tide_body_id id;
        assert_ok(tide_world_add_body(world, &def, &id, &error), error);
        assert_ok(tide_world_pin(world, id, 0, TIDE_NOT_GIVEN, &error), error);
        // pbd holds stiffnesses only approximately, better in short substeps.
        bool approximate = strcmp(kind->name, "pbd") == 0;
        bool gains = fixture_gains_energy(kind->name);
        fixture_use(world, kind->name, approximate ? "substeps" : gains ? "damping" : NULL, gains ? "auto" : "32");
        fixture_step(world, 500);
        double sum[3];
        sum_reactions(world, "rope", sum);
        if (!(fabs(sum[1] - 4 * 9.81) < 0.005 * 4 * 9.81))
            print_error("%s: %.10g\n", kind->name, sum[1]);
        assert_force(sum, 0, 4 * 9.81, 0, 0.005 * 4 * 9.81);
        tide_mesh_release(mesh);
        tide_world_destroy(world);
    }
}

// A cloth pinned at two corners of which the rest lies on a table: pins and contacts carry the weight.
static void test_table(void **state)
{
    (void)state;
    tide_world_settings settings = tide_world_settings_default();
    settings.timestep = 0.05;
    settings.drag = 3;
    tide_world *world = fixture_curtain(7, NULL);
    assert_ok(tide_world_set_settings(world, &settings, &error), error);
    tide_shape_plane_def plane;
    tide_shape_default(&tide_shape_plane, &plane);
    plane.offset = -0.2;
    tide_collider_def table = tide_collider_def_default();
    table.name = "table";
    table.shape = &tide_shape_plane;
    table.definition = &plane;
    table.friction = 0.5;
    tide_collider_id on;
    assert_ok(tide_world_add_collider(world, &table, &on, &error), error);
    fixture_use(world, "newton", "tolerance", "1e-10");
    fixture_step(world, 400);
    double pins[3], contacts[3], torque[3], collider[3], turn[3];
    sum_reactions(world, "curtain", pins);
    sum_of(world, "curtain", tide_world_contact_forces, (const double[3]) { 0 }, contacts, torque);
    assert_true(pins[1] > 0.5 && contacts[1] > 0.5);
    assert_force((double[]) { pins[0] + contacts[0], pins[1] + contacts[1], pins[2] + contacts[2] }, 0, 9.81, 0, 1e-3);
    assert_true(tide_world_collider_force(world, on, collider, turn));
    assert_force(collider, -contacts[0], -contacts[1], -contacts[2], 1e-6);
    tide_world_destroy(world);
}

// A weight hangs from a held point by an attachment: both bodies have the same force, with opposite signs.
static void test_attachment(void **state)
{
    (void)state;
    tide_world_settings settings = tide_world_settings_default();
    settings.timestep = 1;
    settings.drag = 1;
    tide_world *world = fixture_world(&settings, NULL);
    const tide_mesh *high = fixture_points(1, (double[]) { 0, 1, 0 }), *low = fixture_points(1, (double[]) { 0, 0, 0 });
    tide_body_def def = fixture_cloth("hook", high);
    def.stiffness = def.bend = TIDE_NOT_GIVEN;
    tide_body_id hook, load;
    assert_ok(tide_world_add_body(world, &def, &hook, &error), error);
    def.name = "load";
    def.mesh = low;
    def.mass = 3;
    assert_ok(tide_world_add_body(world, &def, &load, &error), error);
    assert_ok(tide_world_pin(world, hook, 0, TIDE_NOT_GIVEN, &error), error);
    assert_ok(
        tide_world_attach(world, hook, 0, load, 0, &(tide_attach_def) { .stiffness = 100, .rest_length = 1 }, &error),
        error);
    fixture_use(world, "newton", "tolerance", "1e-13");
    fixture_step(world, 100);
    double sum[3];
    sum_reactions(world, "load", sum);
    assert_force(sum, 0, 3 * 9.81, 0, 1e-8);
    // Pin and attachment together hold the hook's own weight: 4 g upwards by the pin, 3 g downwards by the spring.
    sum_reactions(world, "hook", sum);
    assert_force(sum, 0, 1 * 9.81, 0, 1e-8);
    tide_mesh_release(high);
    tide_mesh_release(low);
    tide_world_destroy(world);
}

// A restored snapshot has the reactions of its state, not those of the step before.
static void test_after_restore(void **state)
{
    (void)state;
    tide_world *world = hanging(false);
    tide_snapshot *snapshot;
    double before[3], sum[3];
    fixture_step(world, 60);
    assert_ok(tide_world_snapshot(world, &snapshot, &error), error);
    uint64_t hash = fixture_hash(world);
    sum_reactions(world, "curtain", before);
    assert_int_equal(fixture_hash(world), hash);
    tide_body_id id = tide_world_find_body(world, "curtain");
    assert_ok(tide_world_add_force(world, id, 12, (double[]) { 0, 0, 5 }, &error), error);
    fixture_step(world, 1);
    sum_reactions(world, "curtain", sum);
    assert_true(fabs(sum[2]) > 1);
    assert_ok(tide_world_restore(world, snapshot, &error), error);
    sum_reactions(world, "curtain", sum);
    assert_force(sum, before[0], before[1], before[2], 1e-12);
    assert_int_equal(tide_world_reactions(world, (tide_body_id) { 9, 9 }, sum, &error), TIDE_ERROR_STATE);
    tide_snapshot_destroy(snapshot);
    tide_world_destroy(world);
}

static void test_tension(void **state)
{
    (void)state;
    tide_world *world = hanging(false);
    tide_body_id id = tide_world_find_body(world, "curtain");
    fixture_step(world, 150);
    tide_body_info info;
    assert_true(tide_world_body_info(world, id, &info));
    // The springs at a free vertex carry its weight: the sum over its springs of tension times direction.
    double force[3] = { 0 };
    const double *x = tide_world_positions(world, id);
    for (uint32_t s = 0; s < info.spring_count; s++) {
        const uint32_t *ends = info.groups[0].vertices + 2 * (size_t)s;
        double tension, length = 0, way[3];
        if (ends[0] != 12 && ends[1] != 12)
            continue;
        uint32_t other = ends[0] == 12 ? ends[1] : ends[0];
        for (uint32_t k = 0; k < 3; k++) {
            way[k] = x[3 * other + k] - x[36 + k];
            length += way[k] * way[k];
        }
        assert_ok(tide_world_tension(world, id, s, &tension, &error), error);
        for (int k = 0; k < 3; k++)
            force[k] += tension * way[k] / sqrt(length);
    }
    assert_force(force, 0, 9.81 / 25, 0, 1e-8);
    tide_world_destroy(world);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_hangs_at_rest), cmocka_unit_test(test_momentum_of_motion),
    cmocka_unit_test(test_every_solver),  cmocka_unit_test(test_table),
    cmocka_unit_test(test_attachment),    cmocka_unit_test(test_after_restore),
    cmocka_unit_test(test_tension),
};
TIDE_TEST_SUITE(world_reactions, tests)
