// Plastic flow of solids: the return mapping against formulas, volume, dissipation, frames and state.
#include "world/fixture.h"

#include "linear/dense.h"
#include "model/solid.h"
#include "model/solid_flow.h"
#include "world/lasting.h"
#include "world/reactions.h"

#include <string.h>

static tide_error error;

static const tide_element_kind *const kinds[] = { &tide_solid_corotated, &tide_solid_stvk, &tide_solid_neo_hookean };

// A tetrahedron with corners at the origin and on the axes: B = 1.
static tide_elements one(const tide_element_kind *kind, uint32_t vertices[4], double parameters[TIDE_SOLID_PARAMETERS])
{
    for (uint32_t c = 0; c < 4; c++)
        vertices[c] = c;
    memset(parameters, 0, TIDE_SOLID_PARAMETERS * sizeof *parameters);
    parameters[TIDE_SOLID_STIFFNESS] = 100;
    parameters[TIDE_SOLID_RATIO] = 1.5;
    parameters[TIDE_SOLID_VOLUME] = 1.0 / 6;
    for (int i = 0; i < 3; i++)
        parameters[TIDE_SOLID_REST + 4 * i] = 1;
    return (tide_elements) { kind, 1, vertices, parameters };
}

static void place(const double f[9], double x[12])
{
    memset(x, 0, 12 * sizeof *x);
    for (int c = 0; c < 3; c++)
        for (int k = 0; k < 3; k++)
            x[3 * (c + 1) + k] = f[3 * k + c];
}

static double determinant(const double m[9])
{
    return m[0] * (m[4] * m[8] - m[5] * m[7]) - m[1] * (m[3] * m[8] - m[5] * m[6]) + m[2] * (m[3] * m[7] - m[4] * m[6]);
}

// Isochoric tension by a factor exp(0.3) with yield 0.1 and hardening 0.25: 0.16 flow, and 0.14 stay elastic.
static void test_tension_by_hand(void **state)
{
    (void)state;
    for (size_t k = 0; k < 3; k++) {
        uint32_t vertices[4];
        double parameters[TIDE_SOLID_PARAMETERS], x[12], plastic[9] = { 1, 0, 0, 0, 1, 0, 0, 0, 1 }, flow = 0;
        tide_elements solid = one(kinds[k], vertices, parameters);
        const double f[9] = { exp(0.3), 0, 0, 0, exp(-0.15), 0, 0, 0, exp(-0.15) };
        place(f, x);
        assert_false(tide_solid_flow(&solid, x, 0, 0.31, 0.25, 1, plastic, &flow));
        double before = solid.kind->energy(&solid, x, 0, 1);
        assert_true(tide_solid_flow(&solid, x, 0, 0.1, 0.25, 1, plastic, &flow));
        assert_near(flow, 0.16, 1e-14);
        assert_near(plastic[0], exp(0.16), 1e-14);
        assert_near(plastic[4], exp(-0.08), 1e-14);
        assert_true(solid.kind->energy(&solid, x, 0, 1) < before);
        assert_false(tide_solid_flow(&solid, x, 0, 0.1 + 0.25 * flow + 1e-14, 0.25, 1, plastic, &flow));
        // The same F_p applied to the described shape gives the same energy.
        double fresh[TIDE_SOLID_PARAMETERS];
        tide_elements again = one(kinds[k], vertices, fresh);
        tide_solid_set_plastic(&again, 0, plastic);
        assert_near(again.kind->energy(&again, x, 0, 1), solid.kind->energy(&solid, x, 0, 1), 1e-12);
    }
}

// Random paths: volume does not flow, energy falls with each flow, and a rotation changes nothing.
static void test_random_paths(void **state)
{
    (void)state;
    tide_random random = tide_random_seed(3);
    uint32_t flows = 0;
    for (int round = 0; round < 200; round++) {
        uint32_t vertices[4];
        double parameters[2][TIDE_SOLID_PARAMETERS], plastic[2][9], flow[2] = { 0 }, x[12];
        tide_elements solids[2];
        for (int i = 0; i < 2; i++) {
            solids[i] = one(kinds[round % 3], vertices, parameters[i]);
            memcpy(plastic[i], (double[9]) { 1, 0, 0, 0, 1, 0, 0, 0, 1 }, sizeof plastic[i]);
        }
        double angle = test_uniform(&random, 0, 6), c = cos(angle), s = sin(angle);
        for (int step = 0; step < 5; step++) {
            double f[9], turned[9];
            for (int i = 0; i < 9; i++)
                f[i] = (i % 4 == 0) + test_uniform(&random, -0.4, 0.4);
            for (int i = 0; i < 3; i++) {
                turned[i] = c * f[i] - s * f[3 + i];
                turned[3 + i] = s * f[i] + c * f[3 + i];
                turned[6 + i] = f[6 + i];
            }
            for (int i = 0; i < 2; i++) {
                place(i ? turned : f, x);
                double before = solids[i].kind->energy(&solids[i], x, 0, 1);
                flows += tide_solid_flow(&solids[i], x, 0, 0.05 + 0.1 * flow[i], 0.1, 0.7, plastic[i], &flow[i]);
                assert_true(solids[i].kind->energy(&solids[i], x, 0, 1) <= before);
                assert_near(determinant(plastic[i]), 1, 1e-11);
            }
            assert_near(flow[0], flow[1], 1e-10);
            for (int i = 0; i < 9; i++)
                assert_near(plastic[0][i], plastic[1][i], 1e-9);
        }
    }
    assert_true(flows > 1000);
}

// A block whose vertices all are pinned and move by an affine map.
static tide_world *block(tide_body_id *id, tide_body_info *info)
{
    tide_mesh_box_def box;
    tide_fields_default(tide_mesh_box.fields, &box);
    for (int k = 0; k < 3; k++)
        box.cells[k] = 2;
    tide_mesh *mesh;
    assert_ok(tide_mesh_box.build(&box, &mesh, &error), error);
    tide_world_settings settings = tide_world_settings_default();
    settings.gravity[1] = 0;
    tide_world *world = fixture_world(&settings, NULL);
    tide_body_def def = fixture_cloth("block", mesh);
    static const tide_material_solid_options solid = { .model = TIDE_SOLID_NEO_HOOKEAN, .young = 1e4, .poisson = 0.3 };
    static const tide_material_plastic_options plastic = { .yield = 0.05, .hardening = 0.2, .creep = TIDE_NOT_GIVEN };
    def.stiffness = def.bend = TIDE_NOT_GIVEN;
    def.materials[tide_material_index(&tide_material_solid)] = &solid;
    def.materials[tide_material_index(&tide_material_plastic)] = &plastic;
    assert_ok(tide_world_add_body(world, &def, id, &error), error);
    assert_true(tide_world_body_info(world, *id, info));
    for (uint32_t v = 0; v < info->vertex_count; v++)
        assert_ok(tide_world_pin(world, *id, v, TIDE_NOT_GIVEN, &error), error);
    tide_mesh_release(mesh);
    return world;
}

// Stretches the block along x to a factor in `steps` and returns the work of the pins' forces, by the trapezoidal rule.
static double stretch_to(tide_world *world, tide_body_id id, const tide_body_info *info, double from, double to,
                         int steps)
{
    static double forces[3 * 64];
    double work = 0;
    for (int i = 1; i <= steps; i++) {
        double factor[2] = { from + (to - from) * (i - 1) / steps, from + (to - from) * i / steps };
        for (int side = 0; side < 2; side++) {
            if (side) {
                for (uint32_t v = 0; v < info->vertex_count; v++) {
                    const double *rest = info->mesh->vertices + 3 * (size_t)v;
                    const double place_of[3] = { factor[1] * rest[0], rest[1], rest[2] };
                    assert_ok(tide_world_move_pin(world, id, v, place_of, &error), error);
                }
                fixture_step(world, 1);
            }
            memset(tide_world_velocities(world, id), 0, 3 * (size_t)info->vertex_count * sizeof(double)); // static
            assert_ok(tide_world_reactions(world, id, forces, &error), error);
            for (uint32_t v = 0; v < info->vertex_count; v++)
                work += 0.5 * forces[3 * v] * info->mesh->vertices[3 * (size_t)v] * (factor[1] - factor[0]);
        }
    }
    return work;
}

static void test_closed_cycle_and_state(void **state)
{
    (void)state;
    tide_body_id id;
    tide_body_info info;
    tide_world *world = block(&id, &info);
    assert_true(info.vertex_count <= 64);
    assert_near(stretch_to(world, id, &info, 1, 1.04, 20) + stretch_to(world, id, &info, 1.04, 1, 20), 0, 1e-3);
    tide_snapshot *snapshot;
    assert_ok(tide_world_snapshot(world, &snapshot, &error), error);
    tide_energy energy;
    double work = stretch_to(world, id, &info, 1, 1.3, 60) + stretch_to(world, id, &info, 1.3, 0.8, 60) +
                  stretch_to(world, id, &info, 0.8, 1, 60);
    assert_ok(tide_world_energy(world, &energy, &error), error);
    assert_true(work > 100 && work > energy.elastic); // what is not stored was dissipated
    uint64_t hash = fixture_hash(world);
    assert_ok(tide_world_restore(world, snapshot, &error), error);
    assert_int_equal(fixture_hash(world), tide_snapshot_hash(snapshot));
    stretch_to(world, id, &info, 1, 1.3, 60);
    tide_world *fork;
    assert_ok(tide_world_fork(world, &fork, &error), error);
    tide_world *both[] = { world, fork };
    for (int i = 0; i < 2; i++) {
        stretch_to(both[i], id, &info, 1.3, 0.8, 60);
        stretch_to(both[i], id, &info, 0.8, 1, 60);
        assert_int_equal(fixture_hash(both[i]), hash);
    }
    tide_snapshot_destroy(snapshot);
    tide_world_destroy(fork);
    tide_world_destroy(world);
}

// A free bar that is pulled beyond its yield strain stays longer, under every solver that takes solids.
static void test_a_bar_stays_longer(void **state)
{
    (void)state;
    static const char *const solvers[] = { "newton", "local_global", "lbfgs" };
    for (size_t i = 0; i < sizeof solvers / sizeof *solvers; i++) {
        tide_body_id id;
        tide_body_info info;
        tide_world *world = block(&id, &info);
        fixture_use(world, solvers[i], "iterations", "40");
        stretch_to(world, id, &info, 1, 1.4, 20);
        for (uint32_t v = 0; v < info.vertex_count; v++)
            if (info.mesh->vertices[3 * (size_t)v] > -0.4)
                assert_ok(tide_world_unpin(world, id, v, &error), error);
        tide_world_settings settings = *tide_world_get_settings(world);
        settings.drag = 20;
        assert_ok(tide_world_set_settings(world, &settings, &error), error);
        fixture_step(world, 100);
        const double *x = tide_world_positions(world, id);
        double longest = -10, shortest = 10;
        for (uint32_t v = 0; v < info.vertex_count; v++) {
            longest = fmax(longest, x[3 * v]);
            shortest = fmin(shortest, x[3 * v]);
        }
        assert_true(longest - shortest > 1.08 && longest - shortest < 1.35);
        tide_world_destroy(world);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_tension_by_hand),
    cmocka_unit_test(test_random_paths),
    cmocka_unit_test(test_closed_cycle_and_state),
    cmocka_unit_test(test_a_bar_stays_longer),
};
TIDE_TEST_SUITE(world_solid_flow, tests)
