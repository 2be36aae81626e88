// Bodies of elements that are made of expressions, as those of scripts: steps allocate nothing, worlds keep the kinds
// that they use, and a reload with another energy keeps the state.
#include "../model/expression_samples.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "fixture.h"

#include <string.h>

// A cloth of springs written as expressions. `factor` scales their energy. Releases the kind: the world keeps it.
static tide_world *make_world(double factor, const tide_world *predecessor)
{
    tide_error error;
    tide_expression *e;
    const tide_element_kind *kind;
    assert_ok(tide_expression_create(&e, &error), error);
    tide_node energy = sample_apply(e, TIDE_OP_MULTIPLY, sample_spring_energy(e), sample_constant(e, factor));
    assert_ok(sample_kind(e, "pull", 2, 2, energy, &kind, &error), error);
    tide_expression_destroy(e);
    tide_world *world = fixture_world(NULL, predecessor);
    const tide_mesh *grid = fixture_grid(6, 6);
    const tide_body_elements group = { .kind = kind, .on = TIDE_ON_EDGES, .parameters = { 80, 0.15 } };
    tide_body_def def = fixture_cloth("net", grid);
    def.stiffness = def.bend = TIDE_NOT_GIVEN;
    def.elements = &group;
    def.element_group_count = 1;
    tide_body_id id;
    assert_ok(tide_world_add_body(world, &def, &id, &error), error);
    assert_ok(tide_world_pin(world, id, 0, TIDE_NOT_GIVEN, &error), error);
    tide_mesh_release(grid);
    tide_element_release(kind);
    return world;
}

static void test_steps_allocate_nothing(void **state)
{
    (void)state;
    const tide_solver_kind *kind;
    for (uint32_t s = 0; (kind = tide_solver_kind_at(s)); s++) {
        tide_world *world = make_world(1, NULL);
        bool damped = fixture_gains_energy(kind->name);
        fixture_use(world, kind->name, damped ? "damping" : NULL, damped ? "auto" : NULL);
        fixture_step(world, 3);
        uint64_t before = tide_memory_count().allocations;
        fixture_step(world, 5);
        if (tide_memory_count().allocations != before)
            fail_msg("%s allocates in a step", kind->name);
        tide_world_destroy(world);
    }
}

static void test_worlds_keep_their_kinds(void **state)
{
    (void)state;
    tide_error error;
    uint64_t blocks = tide_memory_count().blocks;
    tide_world *world = make_world(1, NULL), *fork;
    fixture_step(world, 2);
    assert_ok(tide_world_fork(world, &fork, &error), error);
    tide_world_destroy(world);
    fixture_step(fork, 2);
    tide_world_destroy(fork);
    assert_true(tide_memory_count().blocks == blocks);
}

static void test_another_energy_keeps_the_state(void **state)
{
    (void)state;
    tide_error error;
    for (int round = 0; round < 2; round++) {
        tide_world *old = make_world(1, NULL);
        fixture_step(old, 3);
        uint64_t hash = fixture_hash(old);
        tide_world *world = make_world(round ? 2 : 1, old);
        tide_reconciliation done;
        assert_ok(tide_world_reconcile(world, old, &done, &error), error);
        assert_true(fixture_hash(world) == hash);
        assert_int_equal(done.kept, 1);
        assert_int_equal(done.refactored, round);
        tide_world_destroy(old);
        fixture_step(world, 2);
        tide_world_destroy(world);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_steps_allocate_nothing),
    cmocka_unit_test(test_worlds_keep_their_kinds),
    cmocka_unit_test(test_another_energy_keeps_the_state),
};
TIDE_TEST_SUITE(world_own_elements, tests)
