#include "world/fixture.h"

#include "base/memory.h"
#include "base/parallel.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static tide_error error;

static tide_world *particle(const tide_world_settings *settings, tide_body_id *id)
{
    const tide_mesh *mesh = fixture_points(1, (double[3]) { 1, 2, 3 });
    tide_world *world = fixture_world(settings, NULL);
    tide_body_def def = tide_body_def_default();
    def.name = "particle";
    def.mesh = mesh;
    def.mass = 2;
    assert_ok(tide_world_add_body(world, &def, id, &error), error);
    tide_mesh_release(mesh);
    return world;
}

static tide_energy energy_of(tide_world *world)
{
    tide_energy energy;
    assert_ok(tide_world_energy(world, &energy, &error), error);
    return energy;
}

static void test_free_fall(void **state)
{
    (void)state;
    tide_body_id id;
    tide_world *world = particle(NULL, &id);
    double *v = tide_world_velocities(world, id), h = 1.0 / 30;
    v[0] = 0.5;
    for (int n = 1; n <= 100; n++) {
        fixture_step(world, 1);
        const double *x = tide_world_positions(world, id);
        assert_near(x[0], 1 + n * h * 0.5, 1e-12);
        assert_near(x[1], 2 - 9.81 * h * h * n * (n + 1) / 2, 1e-12 * 100);
        assert_near(x[2], 3, 1e-12);
    }
    assert_int_equal(tide_world_frame(world), 100);
    assert_near(tide_world_time(world), 100 * h, 1e-12);
    tide_world_destroy(world);
}

static void test_drag_does_not_depend_on_the_timestep(void **state)
{
    (void)state;
    for (int frames = 10; frames <= 1000; frames *= 10) {
        tide_world_settings settings = { .timestep = 1.0 / frames, .drag = 0.7 };
        tide_body_id id;
        tide_world *world = particle(&settings, &id);
        tide_world_velocities(world, id)[0] = 3;
        fixture_step(world, frames);
        assert_near(tide_world_velocities(world, id)[0], 3 * exp(-0.7), 1e-12);
        tide_world_destroy(world);
    }
}

static void test_energies(void **state)
{
    (void)state;
    tide_body_id id;
    tide_world *world = particle(NULL, &id);
    tide_world_velocities(world, id)[2] = 4;
    tide_energy energy = energy_of(world);
    assert_near(energy.kinetic, 16, 1e-12);
    assert_near(energy.gravity, 2 * 9.81 * 2, 1e-12);
    assert_near(energy.elastic, 0, 0);
    assert_near(energy.total, 16 + 4 * 9.81, 1e-12);
    tide_world_destroy(world);
}

static void test_a_soft_pin_holds_its_weight(void **state)
{
    (void)state;
    tide_world_settings settings = { .timestep = 0.1, .gravity = { 0, -9.81, 0 }, .drag = 5 };
    tide_body_id id;
    tide_world *world = particle(&settings, &id);
    assert_ok(tide_world_pin(world, id, 0, 100, &error), error);
    fixture_step(world, 300);
    assert_near(tide_world_positions(world, id)[1], 2 - 2 * 9.81 / 100, 1e-9);
    double target[3] = { 5, 5, 5 };
    assert_ok(tide_world_move_pin(world, id, 0, target, &error), error);
    fixture_step(world, 300);
    assert_near(tide_world_positions(world, id)[0], 5, 1e-9);
    assert_near(tide_world_positions(world, id)[1], 5 - 2 * 9.81 / 100, 1e-9);
    tide_world_destroy(world);
}

static void test_exact_pins_move_exactly(void **state)
{
    (void)state;
    tide_world *world = fixture_curtain(9, NULL);
    tide_body_id id = tide_world_find_body(world, "curtain");
    double target[3] = { 0.125, 0.25, -0.5 };
    assert_ok(tide_world_move_pin(world, id, 0, target, &error), error);
    fixture_step(world, 1);
    assert_memory_equal(tide_world_positions(world, id), target, sizeof target);
    assert_near(tide_world_velocities(world, id)[0], 0.125 * 30, 1e-12);
    fixture_step(world, 1);
    assert_memory_equal(tide_world_positions(world, id), target, sizeof target);
    assert_near(tide_world_velocities(world, id)[0], 0, 0);
    tide_world_destroy(world);
}

static void test_forces_act_for_one_step(void **state)
{
    (void)state;
    tide_world_settings settings = { .timestep = 0.5 };
    tide_body_id id;
    tide_world *world = particle(&settings, &id);
    double force[3] = { 8, 0, 0 };
    assert_ok(tide_world_add_force(world, id, 0, force, &error), error);
    assert_ok(tide_world_add_force(world, id, 0, force, &error), error);
    fixture_step(world, 1);
    assert_near(tide_world_velocities(world, id)[0], 4, 1e-12); // (8 + 8) N * 0.5 s / 2 kg
    fixture_step(world, 1);
    assert_near(tide_world_velocities(world, id)[0], 4, 1e-12);
    tide_world_destroy(world);
}

static void test_hash_is_the_same_for_any_number_of_threads(void **state)
{
    (void)state;
    uint64_t hashes[3];
    for (int threads = 1; threads <= 3; threads++) {
        tide_set_threads(threads);
        tide_world *world = fixture_curtain(101, NULL); // enough springs for two chunks
        fixture_step(world, 5);
        hashes[threads - 1] = fixture_hash(world);
        tide_world_destroy(world);
    }
    tide_set_threads(1);
    assert_int_equal(hashes[0], hashes[1]);
    assert_int_equal(hashes[0], hashes[2]);
}

static void test_restore_fork_and_reset_repeat_the_same_bits(void **state)
{
    (void)state;
    tide_world *world = fixture_curtain(21, NULL);
    uint64_t start = fixture_hash(world);
    fixture_step(world, 10);
    tide_snapshot *snapshot;
    assert_ok(tide_world_snapshot(world, &snapshot, &error), error);
    uint64_t middle = fixture_hash(world);
    assert_int_equal(tide_snapshot_hash(snapshot), middle);
    assert_int_equal(tide_snapshot_frame(snapshot), 10);
    tide_world *fork;
    assert_ok(tide_world_fork(world, &fork, &error), error);
    assert_int_equal(fixture_hash(fork), middle);
    fixture_step(world, 10);
    uint64_t end = fixture_hash(world);
    assert_int_not_equal(end, middle);
    fixture_step(fork, 10);
    assert_int_equal(fixture_hash(fork), end);
    assert_ok(tide_world_restore(world, snapshot, &error), error);
    assert_int_equal(fixture_hash(world), middle);
    fixture_step(world, 10);
    assert_int_equal(fixture_hash(world), end);
    assert_ok(tide_world_reset(world, &error), error);
    assert_int_equal(fixture_hash(world), start);
    assert_ok(tide_world_reset(fork, &error), error);
    assert_int_equal(fixture_hash(fork), start);
    fixture_step(fork, 20);
    assert_int_equal(fixture_hash(fork), end);
    tide_snapshot_destroy(snapshot);
    tide_world_destroy(world);
    tide_world_destroy(fork);
}

static void test_restore_brings_pins_back(void **state)
{
    (void)state;
    tide_world *world = fixture_curtain(9, NULL);
    tide_body_id id = tide_world_find_body(world, "curtain");
    fixture_step(world, 3);
    tide_snapshot *snapshot;
    assert_ok(tide_world_snapshot(world, &snapshot, &error), error);
    fixture_step(world, 5);
    uint64_t end = fixture_hash(world);
    assert_ok(tide_world_unpin(world, id, 0, &error), error);
    assert_ok(tide_world_pin(world, id, 40, 50, &error), error);
    fixture_step(world, 5);
    assert_false(tide_world_is_pinned(world, id, 0));
    assert_ok(tide_world_restore(world, snapshot, &error), error);
    assert_true(tide_world_is_pinned(world, id, 0));
    assert_false(tide_world_is_pinned(world, id, 40));
    fixture_step(world, 5);
    assert_int_equal(fixture_hash(world), end);
    tide_snapshot_destroy(snapshot);
    tide_world_destroy(world);
}

static void test_everything_in_the_state_changes_the_hash(void **state)
{
    (void)state;
    tide_world *world = fixture_curtain(5, NULL);
    tide_body_id id = tide_world_find_body(world, "curtain");
    uint64_t before = fixture_hash(world);
    double one[3] = { 1, 0, 0 };
    tide_world_positions(world, id)[7] += 1e-15;
    uint64_t moved = fixture_hash(world);
    tide_world_velocities(world, id)[7] += 1e-15;
    uint64_t faster = fixture_hash(world);
    assert_ok(tide_world_add_force(world, id, 3, one, &error), error);
    uint64_t pushed = fixture_hash(world);
    assert_ok(tide_world_move_pin(world, id, 0, one, &error), error);
    uint64_t pulled = fixture_hash(world);
    tide_random_next(tide_world_random(world));
    uint64_t drawn = fixture_hash(world);
    uint64_t all[] = { before, moved, faster, pushed, pulled, drawn };
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < i; j++)
            assert_int_not_equal(all[i], all[j]);
    tide_world_destroy(world);
}

static void test_a_steady_step_allocates_nothing(void **state)
{
    (void)state;
    for (uint32_t s = 0; tide_solver_kind_at(s); s++) {
        tide_world *world = fixture_curtain(21, NULL);
        tide_world_settings settings = *tide_world_get_settings(world);
        settings.timestep = 1e-3;
        assert_ok(tide_world_set_settings(world, &settings, &error), error);
        assert_ok(tide_world_set_solver(world, tide_solver_kind_at(s), NULL, &error), error);
        fixture_step(world, 2);
        uint64_t before = tide_memory_count().allocations;
        fixture_step(world, 20);
        assert_int_equal(tide_memory_count().allocations, before);
        tide_world_destroy(world);
    }
}

static void test_a_diverging_step_leaves_the_last_good_frame(void **state)
{
    (void)state;
    tide_world *world = fixture_curtain(9, NULL);
    fixture_use(world, "symplectic_euler", "substep", "1");
    tide_status status = TIDE_OK;
    uint64_t good = 0;
    for (int i = 0; i < 1000 && status == TIDE_OK; i++) {
        good = fixture_hash(world);
        status = tide_world_step(world, &error);
    }
    assert_fails(status, error, "diverged");
    char text[1024];
    assert_non_null(strstr(tide_error_text(&error, text, sizeof text), "scene.lua:7: body \"curtain\": vertex = "));
    assert_int_equal(fixture_hash(world), good);
    fixture_use(world, "local_global", NULL, NULL);
    assert_ok(tide_world_reset(world, &error), error);
    fixture_step(world, 3);
    tide_world_destroy(world);
}

static void test_an_indefinite_matrix_names_the_body(void **state)
{
    (void)state;
    tide_world *world = fixture_singular(NULL);
    uint64_t before = fixture_hash(world);
    assert_fails(tide_world_step(world, &error), error, "scene.lua:7: body \"feather\": vertex = ");
    char text[1024];
    assert_non_null(strstr(tide_error_text(&error, text, sizeof text), "not positive definite"));
    assert_int_equal(fixture_hash(world), before);
    tide_world_destroy(world);
}

static void test_not_a_number_in_the_state_is_named(void **state)
{
    (void)state;
    tide_world *world = fixture_curtain(5, NULL);
    tide_body_id id = tide_world_find_body(world, "curtain");
    tide_world_positions(world, id)[3 * 6 + 1] = NAN;
    assert_fails(tide_world_step(world, &error), error,
                 "body \"curtain\": vertex = 7: its position is not within 1e9 m of the origin");
    tide_world_positions(world, id)[3 * 6 + 1] = 0;
    tide_world_velocities(world, id)[3 * 2] = INFINITY;
    assert_fails(tide_world_step(world, &error), error, "vertex = 3: its velocity is not finite or beyond 1e300 m/s");
    tide_world_velocities(world, id)[3 * 2] = 0;
    fixture_step(world, 1);
    tide_world_destroy(world);
}

// All changes of the state since tide_world_keep are undone, and steps continue as without them.
static void test_undo_goes_back_to_what_was_kept(void **state)
{
    (void)state;
    tide_world *world = fixture_curtain(5, NULL), *other = fixture_curtain(5, NULL);
    tide_body_id id = tide_world_find_body(world, "curtain");
    fixture_step(world, 3);
    fixture_step(other, 3);
    uint64_t before = fixture_hash(world);
    for (int round = 0; round < 2; round++) {
        assert_ok(tide_world_keep(world, &error), error);
        tide_world_positions(world, id)[7] = NAN;
        tide_world_velocities(world, id)[8] = 1e301;
        tide_random_next(tide_world_random(world));
        assert_ok(tide_world_add_force(world, id, 3, (double[3]) { 1, 2, 3 }, &error), error);
        assert_ok(tide_world_unpin(world, id, 0, &error), error);
        for (uint32_t v = 10; v < 20 && round; v++)
            assert_ok(tide_world_pin(world, id, v, TIDE_NOT_GIVEN, &error), error);
        assert_ok(tide_world_move_pin(world, id, 4, (double[3]) { 9, 9, 9 }, &error), error);
        if (round)
            assert_ok(tide_world_reset(world, &error), error);
        tide_world_undo(world);
        assert_int_equal(fixture_hash(world), before);
    }
    fixture_step(world, 3);
    fixture_step(other, 3);
    assert_int_equal(fixture_hash(world), fixture_hash(other));
    tide_world_destroy(world);
    tide_world_destroy(other);
}

static void test_an_empty_world_steps(void **state)
{
    (void)state;
    tide_world *world = fixture_world(NULL, NULL);
    fixture_step(world, 3);
    uint64_t now = fixture_hash(world);
    assert_ok(tide_world_reset(world, &error), error);
    fixture_step(world, 3);
    assert_int_equal(fixture_hash(world), now);
    assert_near(energy_of(world).total, 0, 0);
    tide_world_destroy(world);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_free_fall),
    cmocka_unit_test(test_drag_does_not_depend_on_the_timestep),
    cmocka_unit_test(test_energies),
    cmocka_unit_test(test_a_soft_pin_holds_its_weight),
    cmocka_unit_test(test_exact_pins_move_exactly),
    cmocka_unit_test(test_forces_act_for_one_step),
    cmocka_unit_test(test_hash_is_the_same_for_any_number_of_threads),
    cmocka_unit_test(test_restore_fork_and_reset_repeat_the_same_bits),
    cmocka_unit_test(test_restore_brings_pins_back),
    cmocka_unit_test(test_everything_in_the_state_changes_the_hash),
    cmocka_unit_test(test_a_steady_step_allocates_nothing),
    cmocka_unit_test(test_a_diverging_step_leaves_the_last_good_frame),
    cmocka_unit_test(test_an_indefinite_matrix_names_the_body),
    cmocka_unit_test(test_not_a_number_in_the_state_is_named),
    cmocka_unit_test(test_undo_goes_back_to_what_was_kept),
    cmocka_unit_test(test_an_empty_world_steps),
};
TIDE_TEST_SUITE(world_step_and_state, tests)
