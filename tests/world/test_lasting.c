// Plastic flow and tears: the return mapping by hand, dissipation in closed cycles, and what a tear keeps.
#include "linear/failing.h"
#include "world/fixture.h"

#include "base/memory.h"
#include "model/rod_bend.h"
#include "world/cuts.h"
#include "world/intact.h"
#include "world/lasting.h"
#include "world/reactions.h"

#include <string.h>

static tide_error error;

// --- the return mapping ----------------------------------------------------------------------------------------------

static void test_return_mapping_by_hand(void **state)
{
    (void)state;
    tide_material_plastic_options o = { .yield = 0.02, .hardening = 0.25, .creep = TIDE_NOT_GIVEN };
    double rest = 1, flow = 0;
    assert_false(tide_plastic_flow(&o, 0.1, 1.02 - 1e-15, &rest, &flow));
    assert_true(rest == 1 && flow == 0);
    assert_true(tide_plastic_flow(&o, 0.1, 1.07, &rest, &flow)); // 0.05 too far: 0.04 flow, 0.01 harden
    assert_near(rest, 1.04, 1e-15);
    assert_near(flow, 0.04, 1e-15);
    assert_false(tide_plastic_flow(&o, 0.1, 1.07 - 1e-15, &rest, &flow));
    assert_false(tide_plastic_flow(&o, 0.1, 1.04 - 0.03 + 1e-15, &rest, &flow)); // the limit is 0.03 both ways
    assert_true(tide_plastic_flow(&o, 0.1, 0.96, &rest, &flow));                 // 0.05 too far, again
    assert_near(rest, 1.0, 1e-15);
    assert_near(flow, 0.08, 1e-15);
    // Creep: exp(-creep t) of the excess is left, however a time is divided into steps (without hardening).
    o = (tide_material_plastic_options) { .yield = 0.02, .creep = 3 };
    for (int steps = 1; steps <= 64; steps *= 4) {
        rest = 1, flow = 0;
        for (int i = 0; i < steps; i++)
            tide_plastic_flow(&o, 0.5 / steps, 1.12, &rest, &flow);
        assert_near(1.12 - rest - 0.02, 0.1 * exp(-1.5), 1e-14);
        assert_near(flow, rest - 1, 1e-15);
    }
}

// A spring of 1 m and 100 N/m between two pins, the second of which moves along x.
static tide_world *rod(const tide_material_plastic_options *plastic, tide_body_id *id)
{
    tide_mesh *mesh;
    tide_mesh_strand_def strand = { .points = 2, .to = { 1, 0, 0 } };
    assert_ok(tide_mesh_strand.build(&strand, &mesh, &error), error);
    tide_world *world = fixture_world(NULL, NULL);
    tide_body_def def = fixture_cloth("rod", mesh);
    def.stiffness = 100;
    def.bend = TIDE_NOT_GIVEN;
    if (plastic)
        def.materials[tide_material_index(&tide_material_plastic)] = plastic;
    assert_ok(tide_world_add_body(world, &def, id, &error), error);
    assert_ok(tide_world_pin(world, *id, 0, TIDE_NOT_GIVEN, &error), error);
    assert_ok(tide_world_pin(world, *id, 1, TIDE_NOT_GIVEN, &error), error);
    tide_mesh_release(mesh);
    return world;
}

static double elastic(tide_world *world)
{
    tide_energy energy;
    assert_ok(tide_world_energy(world, &energy, &error), error);
    return energy.elastic;
}

// Moves the second end to a length in `steps` and returns the work of its force, by the trapezoidal rule.
static double pull_to(tide_world *world, tide_body_id id, double length, int steps)
{
    double work = 0, start = tide_world_positions(world, id)[3];
    for (int i = 1; i <= steps; i++) {
        tide_extra_spring before;
        assert_ok(tide_world_spring(world, id, 0, &before, &error), error);
        double from = tide_world_positions(world, id)[3], to = start + (length - start) * i / steps;
        assert_ok(tide_world_move_pin(world, id, 1, (double[]) { to, 0, 0 }, &error), error);
        fixture_step(world, 1);
        tide_extra_spring after;
        assert_ok(tide_world_spring(world, id, 0, &after, &error), error);
        work += 0.5 * before.stiffness * (from - before.rest_length + to - after.rest_length) * (to - from);
        double trial = to - before.rest_length; // the energy without flow; rounding of the lengths adds up to 1e-15 J
        assert_true(elastic(world) <= 0.5 * before.stiffness * trial * trial + 1e-13);
    }
    return work;
}

// A closed cycle of strain: perfectly plastic, the work is the area of the loop, 4 k yield (amplitude - yield).
static void test_closed_cycles(void **state)
{
    (void)state;
    const tide_material_plastic_options perfect = { .yield = 0.02, .creep = TIDE_NOT_GIVEN };
    tide_body_id id;
    tide_world *world = rod(&perfect, &id);
    pull_to(world, id, 1.1, 500); // the first loading
    for (int cycle = 0; cycle < 2; cycle++) {
        double before = elastic(world);
        double work = pull_to(world, id, 0.9, 2000) + pull_to(world, id, 1.1, 2000);
        assert_near(elastic(world), before, 1e-12); // the cycle is closed
        assert_near(work, 4 * 100 * 0.02 * (0.1 - 0.02), 1e-9);
    }
    tide_world_destroy(world);
    // Elastic within the yield strain: no work, and no number changes.
    world = rod(&perfect, &id);
    double work = pull_to(world, id, 1.019, 100) + pull_to(world, id, 0.981, 100) + pull_to(world, id, 1, 100);
    assert_near(work, 0, 1e-12);
    tide_extra_spring spring;
    assert_ok(tide_world_spring(world, id, 0, &spring, &error), error);
    assert_true(spring.rest_length == 1);
    tide_world_destroy(world);
    // With hardening, each cycle of one amplitude flows less than the one before, and none returns work.
    const tide_material_plastic_options harder = { .yield = 0.02, .hardening = 0.1, .creep = TIDE_NOT_GIVEN };
    world = rod(&harder, &id);
    pull_to(world, id, 1.1, 200);
    double last = INFINITY;
    for (int cycle = 0; cycle < 4; cycle++) {
        double start = elastic(world);
        tide_extra_spring shortest, longest;
        work = pull_to(world, id, 0.9, 800);
        assert_ok(tide_world_spring(world, id, 0, &shortest, &error), error);
        work += pull_to(world, id, 1.1, 800) - (elastic(world) - start);
        assert_ok(tide_world_spring(world, id, 0, &longest, &error), error);
        double range = longest.rest_length - shortest.rest_length;
        assert_true(work > 0 && range > 0 && range < last);
        last = range;
    }
    tide_world_destroy(world);
}

// A straight rod that is bent beyond its yield strain keeps a curvature: the strain at its surface, S (c - c0) with
// S = radius / length of an edge and c = 2 tan(phi / 2), is the yield strain after the step.
static void test_a_rod_stays_bent(void **state)
{
    (void)state;
    tide_mesh *mesh;
    tide_mesh_strand_def strand = { .points = 3, .to = { 2, 0, 0 } };
    assert_ok(tide_mesh_strand.build(&strand, &mesh, &error), error);
    tide_world *world = fixture_world(NULL, NULL);
    tide_body_def def = fixture_cloth("wire", mesh);
    const tide_material_rod_options rod_options = { .young = 1e5, .poisson = 0.3, .radius = 0.05 };
    const tide_material_plastic_options plastic = { .yield = 0.01, .creep = TIDE_NOT_GIVEN };
    def.stiffness = def.bend = TIDE_NOT_GIVEN;
    def.materials[tide_material_index(&tide_material_rod)] = &rod_options;
    def.materials[tide_material_index(&tide_material_plastic)] = &plastic;
    tide_body_id id;
    assert_ok(tide_world_add_body(world, &def, &id, &error), error);
    for (uint32_t v = 0; v < 3; v++)
        assert_ok(tide_world_pin(world, id, v, TIDE_NOT_GIVEN, &error), error);
    const double angles[] = { 0.15, 0.8, 0.75, 0.2, 0, 0.1 };
    double kept = 0;
    for (size_t i = 0; i < sizeof angles / sizeof *angles; i++) {
        const double end[3] = { 1 + cos(angles[i]), sin(angles[i]), 0 };
        assert_ok(tide_world_move_pin(world, id, 2, end, &error), error);
        fixture_step(world, 1);
        double c = 2 * tan(angles[i] / 2), most = 0.01 / 0.05;
        kept = c - kept > most ? c - most : kept - c > most ? c + most : kept;
        const tide_elements *groups;
        uint32_t count;
        assert_ok(tide_world_groups(world, id, &groups, &count, &error), error);
        const tide_elements *bend = &groups[count - 1];
        assert_ptr_equal(bend->kind, &tide_rod_bend);
        assert_near(bend->parameters[TIDE_ROD_BEND_CURVATURE], kept, 1e-12);
    }
    assert_true(kept > 0.1 && kept < 0.25);
    tide_world_destroy(world);
    tide_mesh_release(mesh);
}

// --- state -----------------------------------------------------------------------------------------------------------

static void test_flow_is_state(void **state)
{
    (void)state;
    const tide_material_plastic_options harder = { .yield = 0.02, .hardening = 0.1, .creep = 5 };
    tide_body_id id;
    tide_world *world = rod(&harder, &id), *fork;
    assert_ok(tide_world_mark_initial(world, &error), error);
    uint64_t fresh = fixture_hash(world);
    pull_to(world, id, 1.02, 10);
    tide_snapshot *snapshot;
    pull_to(world, id, 1.2, 10);
    assert_ok(tide_world_snapshot(world, &snapshot, &error), error);
    pull_to(world, id, 0.8, 10);
    uint64_t hash = fixture_hash(world);
    assert_ok(tide_world_restore(world, snapshot, &error), error);
    assert_int_equal(fixture_hash(world), tide_snapshot_hash(snapshot));
    assert_ok(tide_world_fork(world, &fork, &error), error);
    pull_to(world, id, 0.8, 10);
    pull_to(fork, id, 0.8, 10);
    assert_true(fixture_hash(world) == hash && fixture_hash(fork) == hash);
    assert_ok(tide_world_reset(world, &error), error);
    assert_int_equal(fixture_hash(world), fresh);
    tide_snapshot_destroy(snapshot);
    tide_world_destroy(fork);
    tide_world_destroy(world);
}

// --- tears -----------------------------------------------------------------------------------------------------------

// A spring tears when it is beyond its strain and holds enough energy: k/2 (0.3)^2 = 4.5 J over 1 m.
static void test_toughness(void **state)
{
    (void)state;
    for (int tough = 0; tough < 2; tough++) {
        const tide_material_tear_options tears = { .strain = 0.1, .toughness = tough ? 4.6 : 4.4 };
        tide_mesh *mesh;
        tide_mesh_strand_def strand = { .points = 2, .to = { 1, 0, 0 } };
        assert_ok(tide_mesh_strand.build(&strand, &mesh, &error), error);
        tide_world *world = fixture_world(NULL, NULL);
        tide_body_def def = fixture_cloth("rod", mesh);
        def.stiffness = 100;
        def.bend = TIDE_NOT_GIVEN;
        def.materials[tide_material_index(&tide_material_tear)] = &tears;
        tide_body_id id;
        assert_ok(tide_world_add_body(world, &def, &id, &error), error);
        assert_ok(tide_world_pin(world, id, 0, TIDE_NOT_GIVEN, &error), error);
        assert_ok(tide_world_pin(world, id, 1, TIDE_NOT_GIVEN, &error), error);
        assert_ok(tide_world_move_pin(world, id, 1, (double[]) { 1.3, 0, 0 }, &error), error);
        fixture_step(world, 2);
        assert_int_equal(tide_world_is_cut(world, id, 0), !tough);
        tide_mesh_release(mesh);
        tide_world_destroy(world);
    }
}

// --- memory ----------------------------------------------------------------------------------------------------------

static const tide_material_tear_options far_tears = { .strain = 5 };
static const tide_material_plastic_options late_flow = { .yield = 4, .creep = TIDE_NOT_GIVEN };

static void test_steps_without_changes_allocate_nothing(void **state)
{
    (void)state;
    const tide_mesh *mesh = fixture_grid(8, 8);
    tide_world *world = fixture_world(NULL, NULL);
    tide_body_def def = fixture_cloth("net", mesh);
    tide_body_id id;
    def.materials[tide_material_index(&tide_material_tear)] = &far_tears;
    def.materials[tide_material_index(&tide_material_plastic)] = &late_flow;
    assert_ok(tide_world_add_body(world, &def, &id, &error), error);
    fixture_step(world, 2);
    uint64_t before = tide_memory_count().allocations;
    fixture_step(world, 30);
    assert_int_equal(tide_memory_count().allocations, before);
    tide_world_destroy(world);
    tide_mesh_release(mesh);
}

// The life of a world whose cloth tears, is cut, and is asked for its forces.
static tide_status live(void *mesh, tide_error *failure)
{
    static const tide_material_tear_options tears = { .strain = 0.02 };
    tide_world *world = NULL;
    tide_body_id id;
    tide_intact intact;
    double forces[3 * 36]; // of its vertices and their copies: at most one for each triangle's corner
    uint32_t count;
    tide_status status = tide_world_create(NULL, NULL, &world, failure);
    tide_body_def def = fixture_cloth("net", mesh);
    def.materials[tide_material_index(&tide_material_tear)] = &tears;
    def.materials[tide_material_index(&tide_material_plastic)] = &late_flow;
    if (status == TIDE_OK)
        status = tide_world_add_body(world, &def, &id, failure);
    if (status == TIDE_OK)
        status = tide_world_pin(world, id, 0, TIDE_NOT_GIVEN, failure);
    for (int i = 0; i < 5 && status == TIDE_OK; i++)
        status = tide_world_step(world, failure);
    if (status == TIDE_OK)
        status = tide_world_cut_plane(world, id, (const double[3]) { 1, 0, 0 }, 0.3, &count, failure);
    if (status == TIDE_OK)
        status = tide_world_set_stiffness(world, id, (const uint32_t[]) { 0 }, 1, 7, failure);
    if (status == TIDE_OK)
        status = tide_world_reactions(world, id, forces, failure);
    if (status == TIDE_OK)
        status = tide_world_contact_forces(world, id, forces, failure);
    if (status == TIDE_OK)
        status = tide_world_intact(world, id, false, &intact, failure);
    if (status == TIDE_OK)
        tide_intact_free(&intact);
    tide_world_destroy(world);
    return status;
}

static void test_every_allocation_may_fail(void **state)
{
    (void)state;
    fixture_fail_allocations(fail_each_allocation_at_most, live);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_return_mapping_by_hand),
    cmocka_unit_test(test_closed_cycles),
    cmocka_unit_test(test_a_rod_stays_bent),
    cmocka_unit_test(test_flow_is_state),
    cmocka_unit_test(test_toughness),
    cmocka_unit_test(test_steps_without_changes_allocate_nothing),
    cmocka_unit_test(test_every_allocation_may_fail),
};
TIDE_TEST_SUITE(world_lasting, tests)
