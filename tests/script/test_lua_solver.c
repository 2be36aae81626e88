// Solvers that scripts make, as C uses them: found by name, in forks, under limits, and when the script is gone.
#include "script/script.h"

#include "base/memory.h"
#include "linear/failing.h"
#include "script_files.h"
#include "solver/solver_text.h"

#include <string.h>

// `hang` makes a step loop for ever; `drift` moves everything by the number of steps taken.
#define SOLVER                                                                                                         \
    "tide.solver { name = 'drift', options = { by = { 1, min = 0 }, hang = false },\n"                                 \
    "  step = function(system, state, h)\n"                                                                            \
    "    while state.options.hang do pcall(function() while true do end end) end\n"                                    \
    "    local memory = state.memory\n"                                                                                \
    "    memory.steps = (memory.steps or 0) + state.options.by\n"                                                      \
    "    local x = state.positions:copy()\n"                                                                           \
    "    for i = 2, #x, 3 do x[i] = x[i] + memory.steps end\n"                                                         \
    "    assert(#system:gradient(x) == #x and #system:positions() == #x)\n"                                            \
    "    return x\n"                                                                                                   \
    "  end }\n"                                                                                                        \
    "scene.solver = 'drift'\n"

static tide_script *open_script(const char *more, double time_limit)
{
    char text[4096];
    tide_error error;
    tide_script *script;
    tide_script_options options = { .time_limit = time_limit };
    snprintf(text, sizeof text, CLOTH SOLVER "%s\nreturn scene", more);
    assert_ok(tide_script_open(write_script("lua_solver.lua", text), &options, &script, &error), error);
    return script;
}

static double height(const tide_world *world)
{
    return tide_world_all_positions(world)[3 * 6 + 1];
}

static void test_a_solver_is_found(void **state)
{
    (void)state;
    tide_error error;
    tide_script *script = open_script("", 0);
    assert_string_equal(tide_solver_kind_of(tide_world_solver(tide_script_world(script)))->name, "drift");
    assert_fails(tide_script_check_solver(script, "drif", &error), error, "unknown solver; did you mean \"drift\"?");
    assert_null(tide_solver_kind_find("drift", &error));

    assert_ok(tide_script_set_solver(script, "drift,by=3,substeps=2", &error), error);
    assert_ok(tide_script_step(script, &error), error);
    assert_near(height(tide_script_world(script)), 3 + 6, 0);
    assert_fails(tide_script_check_solver(script, "drift,by=-3", &error), error, "expected a number of at least 0");
    assert_ok(tide_script_check_solver(script, "drift,by=3", &error), error);
    assert_fails(tide_script_check_solver(script, "drift,to=3", &error), error, "unknown field");
    assert_ok(tide_script_set_solver(script, "newton,iterations=3", &error), error);
    assert_ok(tide_script_step(script, &error), error);
    tide_script_close(script);
}

static void test_a_fork_steps_with_the_same_function(void **state)
{
    (void)state;
    tide_error error;
    tide_script *script = open_script("", 0);
    tide_world *fork, *second;
    assert_ok(tide_script_step(script, &error), error);
    assert_ok(tide_world_fork(tide_script_world(script), &fork, &error), error);
    assert_ok(tide_world_step(fork, &error), error);
    assert_ok(tide_world_fork(fork, &second, &error), error);
    assert_ok(tide_world_step(second, &error), error);
    assert_near(height(tide_script_world(script)), 1, 0);
    assert_near(height(fork), 3, 0);
    assert_near(height(second), 6, 0);
    uint64_t mine, its;
    assert_ok(tide_script_step(script, &error), error);
    assert_ok(tide_world_hash(fork, &its, &error), error);
    assert_ok(tide_world_hash(tide_script_world(script), &mine, &error), error);
    assert_int_equal(mine, its);
    tide_world_destroy(fork);
    tide_world_destroy(second);
    tide_script_close(script);
}

static void test_a_fork_outlives_the_script(void **state)
{
    (void)state;
    tide_error error;
    uint64_t before, after;
    tide_world *forks[3];
    tide_script *script = open_script("", 0);
    for (int i = 0; i < 3; i++)
        assert_ok(tide_world_fork(tide_script_world(script), &forks[i], &error), error);
    assert_ok(tide_world_step(forks[0], &error), error);
    assert_ok(tide_world_step(forks[1], &error), error);
    tide_reconciliation reconciliation;
    assert_ok(tide_script_reload(script, NULL, &reconciliation, &error), error); // in another Lua state
    assert_int_equal(reconciliation.kept, 1);
    assert_ok(tide_script_step(script, &error), error);
    for (int i = 0; i < 3; i++) {
        assert_ok(tide_world_hash(forks[i], &before, &error), error);
        assert_fails(tide_world_step(forks[i], &error), error, "the script that made it is gone");
        assert_ok(tide_world_hash(forks[i], &after, &error), error);
        assert_int_equal(before, after);
    }
    assert_ok(tide_world_set_solver(forks[0], tide_solver_kind_at(0), NULL, &error), error);
    assert_ok(tide_world_step(forks[0], &error), error);
    tide_script_close(script);
    for (int i = 0; i < 3; i++)
        tide_world_destroy(forks[i]);
}

static void test_a_reload_keeps_memory_in_another_state(void **state)
{
    (void)state;
    tide_error error;
    tide_script *script = open_script("", 0);
    for (int i = 0; i < 3; i++)
        assert_ok(tide_script_step(script, &error), error);
    assert_near(height(tide_script_world(script)), 6, 0);
    assert_ok(tide_script_reload(script, NULL, NULL, &error), error);
    assert_ok(tide_script_step(script, &error), error);
    assert_near(height(tide_script_world(script)), 10, 0);
    write_script("lua_solver.lua", CLOTH "scene.solver = 'drift'\nreturn scene");
    assert_fails(tide_script_reload(script, NULL, NULL, &error), error, "unknown solver");
    assert_ok(tide_script_step(script, &error), error);
    assert_near(height(tide_script_world(script)), 15, 0);
    tide_script_close(script);
}

static void test_a_step_is_under_the_time_limit(void **state)
{
    (void)state;
    tide_error error;
    tide_script *script = open_script("", 0);
    tide_world *fork;
    assert_ok(tide_script_set_solver(script, "drift,hang=true", &error), error);
    assert_ok(tide_world_fork(tide_script_world(script), &fork, &error), error);
    tide_script_set_time_limit(script, 0.05);
    assert_fails(tide_script_step(script, &error), error, "stopped: it took more than 0.05 s");
    assert_non_null(strstr(error.where, "lua_solver.lua:9"));
    assert_fails(tide_world_step(fork, &error), error, "stopped: it took more than 0.05 s");
    tide_script_set_time_limit(script, 0);
    assert_ok(tide_script_set_solver(script, "drift", &error), error);
    assert_ok(tide_script_step(script, &error), error);
    assert_near(height(tide_script_world(script)), 1, 0);
    tide_world_destroy(fork);
    tide_script_close(script);
}

static tide_status open_and_step(const char *path, tide_script **script, tide_world **fork, tide_error *error)
{
    tide_status status = tide_script_open(path, NULL, script, error);
    if (status == TIDE_OK)
        status = tide_script_step(*script, error);
    if (status == TIDE_OK)
        status = tide_world_fork(tide_script_world(*script), fork, error);
    if (status == TIDE_OK)
        status = tide_world_step(*fork, error);
    if (status == TIDE_OK)
        status = tide_script_reload(*script, NULL, NULL, error);
    if (status == TIDE_OK)
        status = tide_script_step(*script, error);
    return status;
}

// Whether an allocation failed. Lua tries again after a failure, so that the whole may still succeed.
static bool survives(failing_allocation failing, const char *path)
{
    tide_error error = { 0 };
    tide_script *script = NULL;
    tide_world *fork = NULL;
    uint64_t blocks = tide_memory_count().blocks;
    tide_memory_set_failure_hook(fail_in_turn, &failing);
    tide_status status = open_and_step(path, &script, &fork, &error);
    tide_memory_set_failure_hook(NULL, NULL);
    if (status != TIDE_OK && status != TIDE_ERROR_MEMORY)
        assert_ok(status, error);
    if (script)
        assert_ok(tide_script_step(script, &error), error);
    tide_world_destroy(fork);
    tide_script_close(script);
    assert_int_equal(tide_memory_count().blocks, blocks);
    return failing.failed;
}

static void test_memory_runs_out(void **state)
{
    (void)state;
    const char *path = write_script(
        "lua_solver.lua", "local tide = require 'springtide'\n"
                          "tide.solver { name = 'still', options = { kind = { 'a', choices = { 'a', 'b' } }, n = 1 },\n"
                          "  step = function(_, state) state.memory.n = 1 return state.positions end }\n"
                          "local scene = tide.scene { solver = { 'still', kind = 'b' } }\n"
                          "scene:body('rope', { mesh = tide.mesh.strand { points = 2, to = { 1, 0, 0 } } })\n"
                          "return scene");
    assert_false(survives((failing_allocation) { .left = UINT64_MAX }, path)); // the mesh is in the cache from here on
    for (int for_ever = 0; for_ever < 2; for_ever++) {
        uint64_t n = 0;
        while (survives((failing_allocation) { .left = n, .for_ever = for_ever }, path))
            n += 1 + n / 64;
        assert_true(n > 300);
    }
}

static void test_solvers_as_text(void **state)
{
    (void)state;
    tide_error error;
    const tide_solver_kind *kind;
    void *options;
    static const struct {
        const char *text, *part;
    } refused[] = {
        { "", "unknown solver" },
        { "nwton", "did you mean \"newton\"?" },
        { "newton,", "expected option=value" },
        { "newton,iterations", "expected option=value after the comma, like newton,option=value" },
        { "newton,=3", "expected option=value" },
        { "newton,iterations=", "expected an integer" },
        { "newton,iterations=-1", "expected an integer" },
        { "newton,safety=2", "is an option of" },
    };
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++)
        assert_fails(tide_solver_text_parse(refused[i].text, NULL, 0, &kind, &options, &error), error, refused[i].part);
    assert_ok(tide_solver_text_parse("newton,substeps=4,iterations=7", NULL, 0, &kind, &options, &error), error);
    assert_string_equal(kind->name, "newton");
    assert_int_equal(((const tide_solver_common *)options)->substeps, 4);
    tide_free(options);

    static const char *const sound[] = { "newton", "newton,iterations=3", "mine", "mine,a=1,b={1,2,3},c.d=e" };
    for (size_t i = 0; i < sizeof sound / sizeof sound[0]; i++)
        assert_ok(tide_solver_text_check(sound[i], &error), error);
    assert_fails(tide_solver_text_check("", &error), error, "expected NAME or NAME,option=value");
    assert_fails(tide_solver_text_check(",a=1", &error), error, "expected NAME");
    assert_fails(tide_solver_text_check("newton,iterations=x", &error), error, "expected an integer");
    assert_fails(tide_solver_text_check("mine,a", &error), error, "expected option=value");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_a_solver_is_found),
    cmocka_unit_test(test_a_fork_steps_with_the_same_function),
    cmocka_unit_test(test_a_fork_outlives_the_script),
    cmocka_unit_test(test_a_reload_keeps_memory_in_another_state),
    cmocka_unit_test(test_a_step_is_under_the_time_limit),
    cmocka_unit_test(test_memory_runs_out),
    cmocka_unit_test(test_solvers_as_text),
};
TIDE_TEST_SUITE(script_lua_solver, tests)
