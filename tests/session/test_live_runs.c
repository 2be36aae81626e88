// Going back over runs of the script that made other bodies.
#include "live_scenes.h"

#include "base/memory.h"
#include "linear/failing.h"
#include "session/replay.h"

#include <unistd.h>

enum { PLENTY = 64 << 20 };
static tide_error error;

// A cloth of so many columns with state of its own in Lua, a tool's pin and a contraction.
static void write_sides(const char *path, const char *side, const char *more)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(
        file,
        "local tide = require 'springtide'\n"
        "local side = tide.param('side', %s, { min = 3, max = 20 })\n"
        "local stiffness = tide.param('stiffness', 80, { min = 1, max = 1e4 })\n"
        "local scene = tide.scene { timestep = 1/60, solver = { 'local_global', iterations = 5 } }\n"
        "local cloth = scene:body('cloth', { mesh = tide.mesh.grid { columns = side, rows = 7, width = 1, height = 1 "
        "},\n"
        "  mass = 1, stiffness = stiffness, bend = 20 })\n"
        "cloth:pin { 1, side }\n"
        "scene.state.count = 0\n"
        "function scene.update(dt)\n"
        "  scene.state.count = scene.state.count + math.random()\n"
        "  cloth:force(side + 2, 0, 0, scene.state.count / 10)\n"
        "end\n"
        "%s\n"
        "return scene\n",
        side, more);
    assert_int_equal(fclose(file), 0);
}

static const char *scene_path(const char *name)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", tide_test_folder(), name);
    return path;
}

static void go_back(tide_live *live, uint64_t frame)
{
    give(live, (tide_input) { .kind = TIDE_INPUT_REWIND, .frame = frame });
    assert_int_equal(tide_live_frame(live), frame);
}

// Steps to a frame; records the hashes or compares them with the recorded ones.
static void steps_to(tide_live *live, uint64_t frame, uint64_t *hashes, bool again)
{
    for (;; take_steps(live, 1)) {
        uint64_t now = tide_live_frame(live), hash = hash_of(live);
        if (again)
            assert_true(hashes[now] == hash);
        hashes[now] = hash;
        if (now == frame)
            return;
    }
}

static uint32_t particles(tide_live *live)
{
    return tide_world_particle_count(tide_live_world(live));
}

static void test_over_a_reload(void **state)
{
    (void)state;
    const char *path = scene_path("over.lua");
    write_sides(path, "7", "");
    tide_live *live = open_scene(path, PLENTY);
    uint64_t first[61], second[61];
    steps_to(live, 8, first, false);
    give(live, (tide_input) { .kind = TIDE_INPUT_PIN, .name = "cloth", .vertex = 24 });
    steps_to(live, 20, first, false);
    write_sides(path, "9", "");
    give(live, (tide_input) { .kind = TIDE_INPUT_RELOAD });
    assert_int_equal(particles(live), 63);
    steps_to(live, 40, second, false);
    assert_true(tide_live_is_of_another_run(live, 19));
    assert_false(tide_live_is_of_another_run(live, 20)); // as the reload left it
    assert_false(tide_live_is_of_another_run(live, 41)); // not there
    // Among frames, to and fro, each is as it was.
    const uint64_t frames[] = { 12, 35, 0, 20, 19, 40, 3 };
    for (size_t i = 0; i < sizeof frames / sizeof frames[0]; i++) {
        go_back(live, frames[i]);
        assert_int_equal(particles(live), frames[i] < 20 ? 49 : 63);
        assert_true(hash_of(live) == (frames[i] < 20 ? first : second)[frames[i]]);
        assert_int_equal(tide_live_history(live).last, 40);
    }
    // Another way from there: the script of then runs on.
    go_back(live, 10);
    assert_true(tide_world_is_pinned(tide_live_world(live), tide_world_find_body(tide_live_world(live), "cloth"), 24));
    steps_to(live, 20, first, true);
    assert_int_equal(tide_live_history(live).last, 20);
    // The file has the text after the change.
    give(live, (tide_input) { .kind = TIDE_INPUT_RELOAD });
    assert_int_equal(particles(live), 63);
    steps_to(live, 40, second, true);
    tide_live_close(live);
}

static void test_over_parameters(void **state)
{
    (void)state;
    const char *path = scene_path("sides.lua");
    write_sides(path, "5", "");
    tide_live *live = open_scene(path, PLENTY);
    uint64_t first[61], second[61];
    give(live, (tide_input) { .kind = TIDE_INPUT_PARAM, .name = "stiffness", .text = "120" });
    steps_to(live, 15, first, false);
    give(live, (tide_input) { .kind = TIDE_INPUT_TIMESTEP, .number = 0.01 });
    give(live, (tide_input) { .kind = TIDE_INPUT_PARAM, .name = "side", .text = "8" });
    give(live, (tide_input) { .kind = TIDE_INPUT_PARAM, .name = "stiffness", .text = "40" });
    steps_to(live, 30, second, false);
    go_back(live, 5);
    assert_int_equal(particles(live), 35);
    assert_int_equal(tide_live_setting_count(live), 1);
    assert_string_equal(tide_live_settings(live)[0].name, "stiffness");
    assert_string_equal(tide_live_settings(live)[0].value, "120");
    assert_true(tide_live_timestep(live) == 0);
    assert_near(tide_world_get_settings(tide_live_world(live))->timestep, 1.0 / 60, 0);
    go_back(live, 22);
    assert_int_equal(tide_live_setting_count(live), 2);
    assert_near(tide_live_timestep(live), 0.01, 0);
    steps_to(live, 30, second, true);
    go_back(live, 5);
    steps_to(live, 15, first, true);
    // If the bodies are the same, later changes stay: going back shows their effect from the earlier frame on.
    give(live, (tide_input) { .kind = TIDE_INPUT_PARAM, .name = "stiffness", .text = "60" });
    steps_to(live, 18, second, false);
    go_back(live, 5);
    assert_string_equal(tide_live_settings(live)[0].value, "60");
    // A solver that was chosen since stays in force.
    give(live, (tide_input) { .kind = TIDE_INPUT_PARAM, .name = "side", .text = "6" });
    take_steps(live, 3);
    give(live, (tide_input) { .kind = TIDE_INPUT_SOLVER, .text = "newton" });
    go_back(live, 4);
    assert_int_equal(particles(live), 35);
    assert_string_equal(tide_solver_kind_of(tide_world_solver(tide_live_world(live)))->name, "newton");
    take_steps(live, 3);
    tide_live_close(live);
}

static void write_mesh(const char *path, int count)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    for (int i = 0; i < count; i++)
        fprintf(file, "v %g 0 %g\n", i % 2 * 0.5, i / 2 * 0.5);
    for (int i = 1; i + 2 <= count; i++)
        fprintf(file, "f %d %d %d\n", i, i + 1, i + 2);
    assert_int_equal(fclose(file), 0);
}

// A mesh that a run loads is not in its texts: where it has changed, all stays as it is.
static void test_refused(void **state)
{
    (void)state;
    char mesh[256], body[600];
    const char *path = scene_path("loads.lua");
    snprintf(mesh, sizeof mesh, "%s/strip.obj", tide_test_folder());
    snprintf(body, sizeof body,
             "scene:body('strip', { mesh = assert(tide.mesh.load('%s')), mass = 1, stiffness = 50 })", mesh);
    write_mesh(mesh, 6);
    write_sides(path, "5", body);
    tide_live *live = open_scene(path, PLENTY);
    take_steps(live, 5);
    write_mesh(mesh, 8);
    give(live, (tide_input) { .kind = TIDE_INPUT_RELOAD });
    assert_int_equal(particles(live), 43);
    take_steps(live, 5);
    give(live, (tide_input) { .kind = TIDE_INPUT_PARAM, .name = "stiffness", .text = "90" });
    uint64_t before = hash_of(live), steps = tide_live_steps(live);
    tide_history_span span = tide_live_history(live);
    const tide_input back = { .kind = TIDE_INPUT_REWIND, .frame = 2 };
    assert_fails(tide_live_apply(live, &back, &error), error, "a file that it loads has changed");
    assert_true(hash_of(live) == before && tide_live_steps(live) == steps);
    assert_string_equal(tide_live_settings(live)[0].value, "90");
    assert_int_equal(tide_live_history(live).count, span.count);
    take_steps(live, 1);
    write_mesh(mesh, 6); // put right
    go_back(live, 2);
    assert_int_equal(particles(live), 41);
    remove(mesh);
    tide_live_close(live);
}

// Texts count against the limit, once for all the frames that came of them.
static void test_limit(void **state)
{
    (void)state;
    enum { LIMIT = 400000, COMMENT = 30000 };
    static char more[COMMENT + 3];
    tide_memory_counts before = tide_memory_count();
    memset(more, '-', COMMENT);
    const char *path = scene_path("limit.lua");
    write_sides(path, "7", more);
    tide_live *live = open_scene(path, LIMIT);
    take_steps(live, 2);
    size_t two = tide_live_history(live).bytes;
    take_steps(live, 1);
    size_t each = tide_live_history(live).bytes - two;
    assert_true(each < 10000 && two > COMMENT);
    for (int i = 0; i < 30; i++) { // parameters share the texts
        char value[20];
        snprintf(value, sizeof value, "%d", 50 + i);
        give(live, (tide_input) { .kind = TIDE_INPUT_PARAM, .name = "stiffness", .text = value });
        take_steps(live, 1);
    }
    assert_true(tide_live_history(live).bytes < two + 31 * (each + 1000));
    for (int i = 0; i < 30; i++) {
        more[COMMENT] = '\n';
        more[0] = more[1] = '-';
        more[2] = (char)('a' + i % 26);
        write_sides(path, i % 2 ? "7" : "8", more);
        give(live, (tide_input) { .kind = TIDE_INPUT_RELOAD });
        take_steps(live, 1);
        assert_true(tide_live_history(live).bytes <= LIMIT);
    }
    assert_true(tide_live_history(live).count >= 5);
    go_back(live, tide_live_history(live).first);
    take_steps(live, 3);
    tide_live_close(live);
    assert_int_equal(tide_memory_count().blocks, before.blocks);
}

// The same in a replay, without the files.
static void test_replay(void **state)
{
    (void)state;
    char path[256];
    const char *scene = scene_path("replayed.lua");
    snprintf(path, sizeof path, "%s/runs.replay", tide_test_folder());
    write_sides(scene, "7", "");
    tide_live *live = open_scene(scene, PLENTY);
    tide_recorder *recorder;
    assert_ok(tide_recorder_open(path, live, &recorder, &error), error);
    take_steps(live, 10);
    write_sides(scene, "9", "");
    give(live, (tide_input) { .kind = TIDE_INPUT_RELOAD });
    take_steps(live, 10);
    go_back(live, 4);
    take_steps(live, 3);
    give(live, (tide_input) { .kind = TIDE_INPUT_RELOAD });
    take_steps(live, 5);
    go_back(live, 2);
    give(live, (tide_input) { .kind = TIDE_INPUT_PARAM, .name = "side", .text = "4" });
    take_steps(live, 4);
    uint64_t recorded = hash_of(live);
    assert_ok(tide_recorder_close(recorder, &error), error);
    tide_live_close(live);
    remove(scene);
    tide_replay *replay;
    assert_ok(tide_replay_open(path, true, 5, &replay, &live, &error), error);
    while (!tide_replay_is_over(replay))
        assert_ok(tide_replay_step(replay, live, &error), error);
    assert_true(hash_of(live) == recorded);
    assert_int_equal(tide_replay_checked(replay), 33);
    tide_replay_close(replay);
    tide_live_close(live);
}

static void test_without_memory(void **state)
{
    (void)state;
    const char *path = scene_path("memory.lua");
    write_sides(path, "5", "");
    tide_memory_counts before = tide_memory_count();
    tide_live *live = open_scene(path, PLENTY);
    uint64_t first[21], second[21];
    steps_to(live, 5, first, false);
    give(live, (tide_input) { .kind = TIDE_INPUT_PARAM, .name = "side", .text = "6" });
    steps_to(live, 10, second, false);
    bool done = false;
    int refused = 0;
    for (uint64_t k = 0; !done; k++) {
        failing_allocation failing = { .left = k };
        const tide_input back = { .kind = TIDE_INPUT_REWIND, .frame = 3 };
        tide_memory_set_failure_hook(fail_in_turn, &failing);
        tide_status status = tide_live_apply(live, &back, &error);
        tide_memory_set_failure_hook(NULL, NULL);
        done = !failing.failed;
        refused += status != TIDE_OK;
        if (status == TIDE_OK)
            assert_true(hash_of(live) == first[3]);
        go_back(live, 10); // wherever it is, it is whole
        assert_true(hash_of(live) == second[10]);
    }
    assert_true(refused > 10);
    go_back(live, 2);
    steps_to(live, 5, first, true);
    tide_live_close(live);
    assert_int_equal(tide_memory_count().blocks, before.blocks);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_over_a_reload), cmocka_unit_test(test_over_parameters), cmocka_unit_test(test_refused),
    cmocka_unit_test(test_limit),         cmocka_unit_test(test_replay),          cmocka_unit_test(test_without_memory),
};
TIDE_TEST_SUITE(session_live_runs, tests)
