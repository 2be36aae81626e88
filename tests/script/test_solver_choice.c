// A scene's solver chosen from outside, and its update called without a step.
#include "script/script_files.h"

#include "script/script.h"

#include <string.h>

static tide_error error;

static tide_script *open_cloth(const char *more)
{
    char text[2048];
    tide_script *script;
    snprintf(text, sizeof text, "%s%s\nreturn scene\n", CLOTH, more);
    const char *path = write_script("choice.lua", text);
    assert_ok(tide_script_open(path, NULL, &script, &error), error);
    return script;
}

static const char *solver_of(tide_script *script)
{
    return tide_solver_kind_of(tide_world_solver(tide_script_world(script)))->name;
}

static uint64_t hash_of(tide_script *script)
{
    uint64_t hash;
    assert_ok(tide_world_hash(tide_script_world(script), &hash, &error), error);
    return hash;
}

static void test_a_solver_is_set_by_text(void **state)
{
    (void)state;
    tide_script *script = open_cloth("");
    assert_ok(tide_script_step(script, &error), error);
    uint64_t before = hash_of(script);
    assert_ok(tide_script_set_solver(script, "symplectic_euler,substep=0.001", &error), error);
    assert_string_equal(solver_of(script), "symplectic_euler");
    assert_ok(tide_script_step(script, &error), error);
    assert_ok(tide_script_set_solver(script, "local_global", &error), error);
    assert_ok(tide_world_reset(tide_script_world(script), &error), error);
    assert_ok(tide_script_step(script, &error), error);
    assert_int_equal(hash_of(script), before);
    assert_fails(tide_script_set_solver(script, "local_globl", &error), error, "did you mean \"local_global\"?");
    assert_fails(tide_script_set_solver(script, "local_global,iterations=0", &error), error, "iterations = 0");
    assert_fails(tide_script_set_solver(script, "", &error), error, "unknown solver");
    assert_string_equal(solver_of(script), "local_global");
    assert_int_equal(hash_of(script), before);
    tide_script_close(script);
}

static void test_checking_a_solver_leaves_the_scene_s_own(void **state)
{
    (void)state;
    tide_script *script = open_cloth("scene.solver = { 'local_global', iterations = 3 }");
    tide_script *other = open_cloth("scene.solver = { 'local_global', iterations = 3 }");
    assert_ok(tide_script_check_solver(script, "symplectic_euler,substep=0.001", &error), error);
    assert_ok(tide_script_check_solver(script, "local_global,iterations=9", &error), error);
    assert_fails(tide_script_check_solver(script, "symplectic_euler,substep=-1", &error), error, "substep = -1");
    assert_fails(tide_script_check_solver(script, "symplectic_euler,iterations=1", &error), error,
                 "\"iterations\" is an option of local_global");
    assert_string_equal(solver_of(script), "local_global");
    assert_ok(tide_script_step(script, &error), error);
    assert_ok(tide_script_step(other, &error), error);
    assert_int_equal(hash_of(script), hash_of(other));
    assert_int_equal(tide_world_report(tide_script_world(script))->iterations, 3);
    tide_script_close(other);
    tide_script_close(script);
}

// After the update alone, the world's own step is the script's.
static void test_an_update_without_a_step(void **state)
{
    (void)state;
    const char *update =
        "function scene.update() cloth:force(13, 0, scene.frame + 1, 0) cloth:move_pin(1, 0, 0.1, 0) end";
    tide_script *script = open_cloth(update), *other = open_cloth(update);
    tide_world *world = tide_script_world(script);
    assert_ok(tide_script_step(script, &error), error);
    assert_ok(tide_script_step(other, &error), error);
    assert_ok(tide_script_update(script, &error), error);
    tide_step step;
    assert_ok(tide_world_inputs(world, &step, &error), error);
    assert_near(step.force[3 * 12 + 1], 2 - 9.81 * step.system->masses[12], 1e-15);
    assert_near(step.pinned[1], 0.1, 0);
    assert_ok(tide_world_step(world, &error), error);
    assert_ok(tide_script_step(other, &error), error);
    assert_int_equal(hash_of(script), hash_of(other));
    tide_script_close(other);
    tide_script_close(script);
    script = open_cloth("function scene.update() error('too late') end");
    assert_fails(tide_script_update(script, &error), error, "too late");
    tide_script_close(script);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_a_solver_is_set_by_text),
    cmocka_unit_test(test_checking_a_solver_leaves_the_scene_s_own),
    cmocka_unit_test(test_an_update_without_a_step),
};
TIDE_TEST_SUITE(script_solver_choice, tests)
