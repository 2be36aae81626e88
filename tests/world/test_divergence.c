// Failing steps: the place of the fault, the message, and the unchanged state.
#include "world/fixture.h"
#include "world/odd_solver.h"

#include "base/log.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static tide_error error;

static int setup(void **state)
{
    (void)state;
    odd = (odd_behaviour) { .suspect = TIDE_NO_PARTICLE };
    return 0;
}

static void use_odd(tide_world *world)
{
    assert_ok(tide_world_set_solver(world, &odd_solver, NULL, &error), error);
}

// A hanging chain of 20 vertices, 19 springs of 100 N/m; the one from vertex `stiff` on (from 1) has 2000 N/m.
static tide_world *chain(uint32_t stiff, tide_body_id *id)
{
    tide_mesh_strand_def strand = { .points = 20, .to = { 1, 0, 0 } };
    tide_mesh *mesh;
    assert_ok(tide_mesh_strand.build(&strand, &mesh, &error), error);
    tide_extra_spring springs[19];
    for (uint32_t s = 0; s < 19; s++)
        springs[s] = (tide_extra_spring) { s, s + 1, s + 1 == stiff ? 2000 : 100, TIDE_NOT_GIVEN };
    tide_world *world = fixture_world(NULL, NULL);
    tide_body_def def = fixture_cloth("chain", mesh);
    def.stiffness = def.bend = TIDE_NOT_GIVEN;
    def.springs = springs;
    def.spring_count = 19;
    assert_ok(tide_world_add_body(world, &def, id, &error), error);
    assert_ok(tide_world_pin(world, *id, 0, TIDE_NOT_GIVEN, &error), error);
    tide_mesh_release(mesh);
    return world;
}

static const char *text_of(char text[1200])
{
    return tide_error_text(&error, text, 1200);
}

static void assert_has(const char *part)
{
    char text[1200];
    if (!strstr(text_of(text), part))
        fail_msg("\"%s\" does not contain \"%s\"", text, part);
}

// Steps until one fails; returns how many were taken. The state is that before the failed step.
static int step_until_failure(tide_world *world)
{
    uint64_t good = 0;
    for (int taken = 0; taken < 1000; taken++) {
        good = fixture_hash(world);
        if (tide_world_step(world, &error) != TIDE_OK) {
            assert_int_equal(error.status, TIDE_ERROR_NUMERIC);
            assert_int_equal(fixture_hash(world), good);
            return taken;
        }
    }
    fail_msg("no step failed");
    return 0;
}

static void test_the_stiffest_spring_is_named(void **state)
{
    (void)state;
    for (uint32_t stiff = 3; stiff < 19; stiff += 5) {
        tide_body_id id;
        char expected[96], text[1200];
        tide_world *world = chain(stiff, &id);
        fixture_use(world, "symplectic_euler", "substep", "0.1");
        int taken = step_until_failure(world);
        assert_true(taken > 0);
        snprintf(expected, sizeof expected, "(spring %u-%u ", stiff, stiff + 1);
        assert_has(expected);
        snprintf(expected, sizeof expected, "the step to frame %d diverged here under symplectic_euler", taken + 1);
        assert_has(expected);
        assert_has("scene.lua:7: body \"chain\": vertex = ");
        unsigned vertex = 0;
        assert_int_equal(sscanf(strstr(text_of(text), "vertex = "), "vertex = %u", &vertex), 1);
        assert_true(vertex == stiff || vertex == stiff + 1);
        assert_has("a timestep of 0.0333 s");
        assert_has("the longest stable substep is ");
        assert_has("or choose an implicit solver");
        tide_world_destroy(world);
    }
}

static void test_at_rest_it_begins_at_the_stiffest_spring(void **state)
{
    (void)state;
    tide_body_id id;
    tide_world *world = chain(9, &id);
    use_odd(world);
    odd.diverges = true;
    assert_int_equal(step_until_failure(world), 0);
    assert_has("(spring 9-10 at its rest length)");
    tide_world_destroy(world);
}

static void test_a_velocity_set_by_hand_is_found(void **state)
{
    (void)state;
    tide_body_id id;
    tide_world *world = chain(9, &id);
    use_odd(world);
    odd.diverges = true;
    tide_world_velocities(world, id)[3 * 16 + 1] = -1e6;
    tide_world_positions(world, id)[3 * 17 + 1] = 0.25;
    assert_int_equal(step_until_failure(world), 0);
    assert_has("vertex = 17: ");
    assert_has("(spring 17-18 stretched by 385 %)");
    tide_world_destroy(world);
}

static void test_what_the_method_saw_comes_first(void **state)
{
    (void)state;
    tide_body_id id;
    tide_world *world = chain(9, &id);
    use_odd(world);
    odd.diverges = true;
    odd.suspect = 4;
    odd.substep = 0.011;
    odd.stable_substep = 0.0042;
    tide_world_positions(world, id)[3 * 4] -= 0.02;
    tide_world_positions(world, id)[3 * 3] += 0.01;
    assert_int_equal(step_until_failure(world), 0);
    assert_has(
        "body \"chain\": vertex = 5: the step to frame 1 diverged here under odd with substeps of 0.011 s (spring "
        "4-5 compressed by 57 %); the longest stable substep is 0.0042 s: set a smaller `substep`, or choose an "
        "implicit solver");
    odd.suspect = 1000;
    assert_int_equal(step_until_failure(world), 0);
    assert_has("vertex = ");
    tide_world_destroy(world);
}

static void test_a_method_that_gives_up_is_undone_too(void **state)
{
    (void)state;
    tide_body_id id;
    tide_world *world = chain(9, &id);
    use_odd(world);
    fixture_step(world, 2);
    odd.gives_up = true;
    odd.suspect = 6;
    assert_int_equal(step_until_failure(world), 0);
    assert_has("vertex = 7: the step to frame 3 failed here under odd");
    assert_has("the odd matrix is singular");
    odd.suspect = TIDE_NO_PARTICLE;
    assert_int_equal(step_until_failure(world), 0);
    assert_has("the odd matrix is singular");
    tide_world *empty = fixture_world(NULL, NULL);
    use_odd(empty);
    assert_int_equal(step_until_failure(empty), 0);
    assert_has("solver \"odd\": the odd matrix is singular");
    tide_world_destroy(empty);
    tide_world_destroy(world);
}

static void test_a_particle_without_springs_is_named_alone(void **state)
{
    (void)state;
    const tide_mesh *mesh = fixture_points(2, (double[6]) { 0, 0, 0, 1, 0, 0 });
    tide_world *world = fixture_world(NULL, NULL);
    tide_body_def def = tide_body_def_default();
    def.name = "dust";
    def.mesh = mesh;
    tide_body_id id;
    assert_ok(tide_world_add_body(world, &def, &id, &error), error);
    tide_mesh_release(mesh);
    use_odd(world);
    odd.diverges = true;
    tide_world_velocities(world, id)[3] = 9;
    assert_int_equal(step_until_failure(world), 0);
    assert_has(
        "body \"dust\": vertex = 2: the step to frame 1 diverged here under odd with a timestep of 0.0333 s; set "
        "a smaller `substep`, or choose an implicit solver");
    tide_world_destroy(world);
}

static void test_a_pin_too_far_away_is_named(void **state)
{
    (void)state;
    tide_body_id id;
    tide_world *world = chain(9, &id);
    assert_ok(tide_world_move_pin(world, id, 0, (double[3]) { 0, 2e9, 0 }, &error), error);
    assert_fails(tide_world_step(world, &error), error, "vertex = 1: its pin is to go farther than 1e9 m");
    assert_ok(tide_world_move_pin(world, id, 0, (double[3]) { 0, 0, 0 }, &error), error);
    fixture_step(world, 1);
    tide_world_destroy(world);
}

// --- what a step must not do -----------------------------------------------------------------------------------------

typedef struct meddler {
    tide_world *world;
    tide_body_id id;
    int refused;
} meddler;

static void refuse(meddler *m, tide_status status)
{
    char text[1200];
    m->refused += status == TIDE_ERROR_STATE && strstr(text_of(text), "its solver is taking a step") != NULL;
}

static void meddle(void *context)
{
    meddler *m = context;
    tide_world_settings settings = { .timestep = 0.1 };
    tide_step step;
    tide_body_id id;
    const tide_mesh *mesh = fixture_points(1, (double[3]) { 0 });
    tide_body_def def = tide_body_def_default();
    def.name = "late";
    def.mesh = mesh;
    odd.within = NULL;
    refuse(m, tide_world_step(m->world, &error));
    refuse(m, tide_world_set_solver(m->world, tide_solver_kind_at(0), NULL, &error));
    refuse(m, tide_world_set_settings(m->world, &settings, &error));
    refuse(m, tide_world_pin(m->world, m->id, 3, TIDE_NOT_GIVEN, &error));
    refuse(m, tide_world_unpin(m->world, m->id, 0, &error));
    refuse(m, tide_world_add_body(m->world, &def, &id, &error));
    refuse(m, tide_world_reset(m->world, &error));
    refuse(m, tide_world_inputs(m->world, &step, &error));
    tide_mesh_release(mesh);
}

static void test_a_method_cannot_change_the_world_that_it_steps(void **state)
{
    (void)state;
    meddler m = { 0 };
    m.world = chain(9, &m.id);
    use_odd(m.world);
    fixture_step(m.world, 1);
    odd.within = meddle;
    odd.context = &m;
    fixture_step(m.world, 1);
    assert_int_equal(m.refused, 8);
    assert_int_equal(tide_world_frame(m.world), 2);
    tide_world_destroy(m.world);
}

// --- warnings --------------------------------------------------------------------------------------------------------

typedef struct heard {
    int count;
    char last[256];
} heard;

static void hear(tide_log_level level, const char *message, void *context)
{
    heard *h = context;
    assert_int_equal(level, TIDE_LOG_WARNING);
    h->count++;
    snprintf(h->last, sizeof h->last, "%s", message);
}

static void test_a_warning_is_logged_once_until_another_comes(void **state)
{
    (void)state;
    tide_body_id id;
    tide_world *world = chain(9, &id);
    heard h = { 0 };
    use_odd(world);
    tide_log_set_sink(hear, &h);
    fixture_step(world, 1);
    assert_int_equal(h.count, 0);
    odd.warning = "the substep of 0.01 s is long";
    fixture_step(world, 3);
    assert_int_equal(h.count, 1);
    assert_string_equal(h.last, "solver \"odd\": the substep of 0.01 s is long");
    assert_string_equal(tide_world_report(world)->warning, odd.warning);
    odd.warning = "the substep of 1.2e-05 s is long";
    fixture_step(world, 3);
    assert_int_equal(h.count, 1);
    odd.warning = "it is late";
    fixture_step(world, 3);
    assert_int_equal(h.count, 2);
    use_odd(world);
    fixture_step(world, 3);
    assert_int_equal(h.count, 3);
    tide_log_set_sink(NULL, NULL);
    tide_world_destroy(world);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup(test_the_stiffest_spring_is_named, setup),
    cmocka_unit_test_setup(test_at_rest_it_begins_at_the_stiffest_spring, setup),
    cmocka_unit_test_setup(test_a_velocity_set_by_hand_is_found, setup),
    cmocka_unit_test_setup(test_what_the_method_saw_comes_first, setup),
    cmocka_unit_test_setup(test_a_method_that_gives_up_is_undone_too, setup),
    cmocka_unit_test_setup(test_a_particle_without_springs_is_named_alone, setup),
    cmocka_unit_test_setup(test_a_pin_too_far_away_is_named, setup),
    cmocka_unit_test_setup(test_a_method_cannot_change_the_world_that_it_steps, setup),
    cmocka_unit_test_setup(test_a_warning_is_logged_once_until_another_comes, setup),
};
TIDE_TEST_SUITE(world_divergence, tests)
