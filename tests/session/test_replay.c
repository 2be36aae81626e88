// Replays: recorded and done again to the same hashes; what differs is named; files that are not what they should be.
#include "live_scenes.h"

#include "base/memory.h"
#include "base/random.h"
#include "output_checks.h"
#include "session/replay.h"

#include <stdlib.h>
#include <unistd.h>

enum { PLENTY = 64 << 20 };
static tide_error error;

static const char *replay_path(const char *name)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", tide_test_folder(), name);
    return path;
}

static char *read_all(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    char *bytes = malloc(*size + 1);
    assert_int_equal(fread(bytes, 1, *size, file), *size);
    bytes[*size] = '\0';
    fclose(file);
    return bytes;
}

static void write_all(const char *path, const char *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

// A run with everything in it; the hash of its end. The scene's file is gone afterwards.
static uint64_t record(const char *path)
{
    const char *scene = write_scene("recorded.lua", "");
    tide_live *live = open_scene(scene, PLENTY);
    tide_recorder *recorder;
    assert_ok(tide_recorder_open(path, live, &recorder, &error), error);
    take_steps(live, 5);
    give(live, (tide_input) { .kind = TIDE_INPUT_PARAM, .name = "stiffness", .text = "120.5" });
    take_steps(live, 5);
    give(live,
         (tide_input) {
             .kind = TIDE_INPUT_DRAG_BEGIN, .name = "cloth", .vertex = 45, .number = 300, .point = { 0.5, 0, 1 } });
    for (int i = 1; i <= 5; i++) {
        give(live, (tide_input) { .kind = TIDE_INPUT_DRAG_MOVE, .point = { 0.5 + 0.01 * i, 0.05 * i, 1 } });
        take_steps(live, 2);
    }
    write_scene("recorded.lua", "scene:body(\"cloth\"):unpin { 7 } -- \"quoted\\\\ \t\n");
    give(live, (tide_input) { .kind = TIDE_INPUT_RELOAD });
    take_steps(live, 5);
    give(live, (tide_input) { .kind = TIDE_INPUT_DRAG_END });
    take_steps(live, 5);
    const tide_input refused = { .kind = TIDE_INPUT_KEY, .text = "x" };
    assert_fails(tide_live_apply(live, &refused, &error), error, "no x");
    give(live, (tide_input) { .kind = TIDE_INPUT_KEY, .text = "a" });
    take_steps(live, 5);
    give(live, (tide_input) { .kind = TIDE_INPUT_REWIND, .frame = 12 });
    give(live, (tide_input) { .kind = TIDE_INPUT_DRAG_END });
    give(live, (tide_input) { .kind = TIDE_INPUT_PIN, .name = "cloth", .vertex = 30 });
    give(live, (tide_input) { .kind = TIDE_INPUT_SOLVER, .text = "newton,iterations=4" });
    give(live, (tide_input) { .kind = TIDE_INPUT_MOVE_COLLIDER, .name = "ball", .point = { 0, 0.25, 0 } });
    give(live, (tide_input) { .kind = TIDE_INPUT_CLICK, .point = { 10, 20.5 }, .button = 1 });
    take_steps(live, 10);
    // The file has changed, but a parameter takes the text that is in force.
    write_scene("recorded.lua", "error('half written'");
    give(live, (tide_input) { .kind = TIDE_INPUT_PARAM, .name = "stiffness", .text = "60" });
    take_steps(live, 5);
    give(live, (tide_input) { .kind = TIDE_INPUT_TIMESTEP, .number = 0.01 });
    take_steps(live, 3);
    give(live, (tide_input) { .kind = TIDE_INPUT_RESET });
    take_steps(live, 10);
    uint64_t hash = hash_of(live);
    assert_ok(tide_recorder_close(recorder, &error), error);
    tide_live_close(live);
    remove(scene);
    return hash;
}

static tide_status play(const char *path, bool verify, uint64_t *hash, uint64_t *checked)
{
    tide_replay *replay;
    tide_live *live;
    tide_status status = tide_replay_open(path, verify, 5, &replay, &live, &error);
    if (status != TIDE_OK)
        return status;
    while (status == TIDE_OK && !tide_replay_is_over(replay))
        status = tide_replay_step(replay, live, &error);
    if (hash)
        *hash = hash_of(live);
    if (checked)
        *checked = tide_replay_checked(replay);
    tide_replay_close(replay);
    tide_live_close(live);
    return status;
}

static void test_again(void **state)
{
    (void)state;
    char path[256];
    snprintf(path, sizeof path, "%s", replay_path("again.replay"));
    uint64_t recorded = record(path), replayed = 0, checked = 0;
    assert_ok(play(path, true, &replayed, &checked), error);
    assert_true(recorded == replayed);
    assert_int_equal(checked, 64); // 63 steps and the start
    // It was a changing run: no file of the scene is there, and the reload's text is in the replay.
    size_t size;
    char *bytes = read_all(path, &size);
    assert_non_null(strstr(bytes, "at 20 reload 1 "));
    assert_null(strstr(bytes, "half written"));
    assert_null(strstr(bytes, " key \"x\""));
    free(bytes);
    assert_int_equal(unfinished_files(path, NULL), 0);
}

// Writes a scene of a tumbling body with these options.
static const char *write_rigid(const char *size, const char *options)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/rigid.lua", tide_test_folder());
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file,
            "local tide = require \"springtide\"\n"
            "local scene = tide.scene { timestep = 1/60, solver = { \"newton\" } }\n"
            "local box = scene:body(\"box\", { mesh = tide.mesh.box { size = { %s }, cells = { 2, 2, 2 } }, %s })\n"
            "scene:collider(\"floor\", { shape = \"plane\", offset = -0.5, friction = 0.4 })\n"
            "if scene.frame == 0 then box:set_motion { velocity = { 1, 0, 0 }, spin = { 0, 1, 9 } } end\n"
            "return scene\n",
            size, options);
    assert_int_equal(fclose(file), 0);
    return path;
}

static tide_body_motion motion_of_box(tide_live *live)
{
    tide_body_motion motion;
    tide_world *world = tide_live_world(live);
    assert_ok(tide_world_motion(world, tide_world_find_body(world, "box"), &motion, &error), error);
    return motion;
}

// A rigid body that changes its size, becomes soft and rigid again, and goes back in time across these reloads.
static void test_rigid_reloads(void **state)
{
    (void)state;
    static const struct {
        const char *size, *options;
    } scenes[] = { { "0.3, 0.1, 0.1", "density = 1000, rigid = true" },
                   { "0.3, 0.1, 0.1", "density = 1000, solid = { young = 1e5, poisson = 0.3 }" },
                   { "0.3, 0.2, 0.1", "density = 500, rigid = true" },
                   { "0.2, 0.2, 0.1", "density = 500, rigid = true" } };
    char path[256];
    snprintf(path, sizeof path, "%s", replay_path("rigid.replay"));
    tide_recorder *recorder;
    tide_live *live = open_scene(write_rigid(scenes[0].size, scenes[0].options), PLENTY);
    assert_ok(tide_recorder_open(path, live, &recorder, &error), error);
    for (size_t i = 1; i < sizeof scenes / sizeof *scenes; i++) {
        take_steps(live, 10);
        tide_body_motion before = motion_of_box(live);
        write_rigid(scenes[i].size, scenes[i].options);
        give(live, (tide_input) { .kind = TIDE_INPUT_RELOAD });
        tide_body_motion after = motion_of_box(live);
        assert_near(before.centre[0], after.centre[0], 1e-3);
        assert_near(before.velocity[0], after.velocity[0], 1e-9);
    }
    take_steps(live, 5);
    give(live, (tide_input) { .kind = TIDE_INPUT_REWIND, .frame = 25 });
    take_steps(live, 10);
    uint64_t hash = hash_of(live), replayed = 0, checked = 0;
    assert_ok(tide_recorder_close(recorder, &error), error);
    tide_live_close(live);
    assert_ok(play(path, true, &replayed, &checked), error);
    assert_true(hash == replayed);
    assert_int_equal(checked, 46);
}

// Every way of recording it again gives the same file.
static void test_recording_a_replay(void **state)
{
    (void)state;
    char path[256], copy[256];
    snprintf(path, sizeof path, "%s", replay_path("first.replay"));
    snprintf(copy, sizeof copy, "%s", replay_path("second.replay"));
    record(path);
    tide_replay *replay;
    tide_live *live;
    tide_recorder *recorder;
    assert_ok(tide_replay_open(path, false, 0, &replay, &live, &error), error);
    assert_ok(tide_recorder_open(copy, live, &recorder, &error), error);
    while (!tide_replay_is_over(replay))
        assert_ok(tide_replay_step(replay, live, &error), error);
    assert_ok(tide_recorder_close(recorder, &error), error);
    tide_replay_close(replay);
    tide_live_close(live);
    size_t first_size, second_size;
    char *first = read_all(path, &first_size), *second = read_all(copy, &second_size);
    assert_int_equal(first_size, second_size);
    assert_memory_equal(first, second, first_size);
    free(first);
    free(second);
}

static void test_difference_is_named(void **state)
{
    (void)state;
    char path[256], other[256];
    snprintf(path, sizeof path, "%s", replay_path("differs.replay"));
    snprintf(other, sizeof other, "%s", replay_path("differing.replay"));
    record(path);
    size_t size;
    char *bytes = read_all(path, &size);
    // A hash that is another one, and marks that are the same or not from vertex 33 on.
    char *line = strstr(bytes, "\nstep 9 ");
    assert_non_null(line);
    line[8] = line[8] == '0' ? '1' : '0';
    write_all(other, bytes, size);
    assert_fails(play(other, true, NULL, NULL), error, "frame 9 differs, though all vertices are the same");
    assert_ok(play(other, false, NULL, NULL), error);
    char *mark = line + 8 + 17 + 2 * 32;
    *mark = *mark == 'A' ? 'B' : 'A';
    write_all(other, bytes, size);
    assert_fails(play(other, true, NULL, NULL), error, "frame 9 differs, first at body \"cloth\", vertex 33");
    // A text that is another one shows where it first counts.
    char *mass = strstr(bytes, "mass = 1,");
    assert_non_null(mass);
    mass[7] = '2';
    write_all(other, bytes, size);
    assert_fails(play(other, true, NULL, NULL), error, "frame 1 differs, first at body \"cloth\", vertex 2");
    free(bytes);
}

// Steps and states in the whole lines of the first `size` bytes.
static uint64_t count_states(const char *bytes, size_t size)
{
    uint64_t count = 0;
    const char *end;
    for (const char *line = bytes; (end = memchr(line, '\n', size - (size_t)(line - bytes))); line = end + 1)
        count += strncmp(line, "step ", 5) == 0 || strncmp(line, "state ", 6) == 0;
    return count;
}

// Cut at every line, and at any byte: within the head an error that names the line, after it a replay up to the last
// whole line.
static void test_cut_short(void **state)
{
    (void)state;
    char path[256], other[256];
    snprintf(path, sizeof path, "%s", replay_path("whole.replay"));
    snprintf(other, sizeof other, "%s", replay_path("cut.replay"));
    record(path);
    size_t size;
    char *bytes = read_all(path, &size);
    size_t start = (size_t)(strstr(bytes, "\nstart ") - bytes) + strlen("\nstart 0123456789abcdef\n");
    int lines = 0;
    for (size_t at = 0; at < size; at++) {
        bool line_end = bytes[at] == '\n';
        lines += line_end;
        if (!line_end && at % 997)
            continue;
        uint64_t checked = 0;
        size_t kept = at + line_end;
        write_all(other, bytes, kept);
        tide_status status = play(other, true, NULL, &checked);
        if (kept >= start) {
            assert_ok(status, error);
            assert_int_equal(checked, 1 + count_states(bytes, kept));
            continue;
        }
        assert_true(status != TIDE_OK);
        assert_non_null(strstr(error.where, "cut.replay:"));
        assert_non_null(strstr(error.remedy, "cut short"));
    }
    assert_true(lines > 80);
    free(bytes);
}

// While a run goes on the file holds every frame that is over, so that nothing is lost when the run is killed.
static void test_growing(void **state)
{
    (void)state;
    char path[256], copy[256];
    snprintf(path, sizeof path, "%s", replay_path("growing.replay"));
    snprintf(copy, sizeof copy, "%s", replay_path("grown.replay"));
    remove(path);
    tide_live *live = open_scene(write_scene("growing.lua", ""), PLENTY);
    tide_recorder *recorder, *second;
    assert_ok(tide_recorder_open(path, live, &recorder, &error), error);
    for (uint64_t step = 1; step <= 20; step++) {
        size_t size;
        uint64_t checked = 0;
        take_steps(live, 1);
        char *bytes = read_all(path, &size);
        write_all(copy, bytes, size);
        free(bytes);
        if (step == 1 || step == 20)
            assert_ok(play(copy, true, NULL, &checked), error);
        if (checked)
            assert_int_equal(checked, 1 + step);
    }
    // Another run does not write into it.
    tide_live *other = open_scene(write_scene("growing.lua", ""), PLENTY);
    assert_fails(tide_recorder_open(path, other, &second, &error), error, "another run is writing this file");
    tide_live_close(other);
    assert_ok(tide_recorder_close(recorder, &error), error);
    tide_live_close(live);
    assert_int_equal(unfinished_files(path, NULL), 0);
}

static void test_hostile(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } files[] = {
        { "", "cut short" },
        { "springtide replay 2\n", "another version" },
        { "springtide replay 1\nstart 0000000000000000\n", "a scene comes before" },
        { "springtide replay 1\nscene \"a.lua\nstart", "no quotation mark" },
        { "springtide replay 1\nscene \"a\\q.lua\"\n", "an escape" },
        { "springtide replay 1\nscene \"a\\x00\"\n", "zero byte" },
        { "springtide replay 1\nscene a.lua\n", "in quotation marks" },
        { "springtide replay 1\nscene \"a\"\nscene \"b\"\n", "one already" },
        { "springtide replay 1\ntimestep nan\n", "a number from 0 to 10" },
        { "springtide replay 1\ntimestep 1e400\n", "a number from 0 to 10" },
        { "springtide replay 1\ntimestep -1\n", "a number from 0 to 10" },
        { "springtide replay 1\nhistory 99999999999999999999\n", "a whole number" },
        { "springtide replay 1\nseed -1\n", "a whole number" },
        { "springtide replay 1\nseed 1 2\n", "the end of the line" },
        { "springtide replay 1\nset \"a\"\n", "in quotation marks" },
        { "springtide replay 1\nsolver 5 \"newton\"\nsolver 5 \"newton\"\n", "a later frame" },
        { "springtide replay 1\nmesh \"/nowhere/x.obj\" 0123456789abcdef\n", "the mesh that it was recorded with" },
        { "springtide replay 1\nmesh \"x\" 0123\n", "16 hexadecimal" },
        { "springtide replay 1\nplay 5\n", "expected scene, seed" },
        { "springtide replay 1\nscene \"none.lua\"\nstart 0123456789abcdef\n", "none.lua" },
    };
    char path[256];
    snprintf(path, sizeof path, "%s", replay_path("hostile.replay"));
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        write_all(path, files[i].text, strlen(files[i].text));
        assert_fails(play(path, false, NULL, NULL), error, files[i].message);
    }
    assert_fails(play(replay_path("missing.replay"), false, NULL, NULL), error, "cannot be read");
}

static const char head[] = "springtide replay 1\nscene \"s.lua\"\nhistory 1000000\nfile \"s.lua\" "
                           "\"local tide = require 'springtide' local s = tide.scene {} "
                           "s:body('b', { mesh = tide.mesh.grid { columns = 3, rows = 3 }, stiffness = 10 }) "
                           "s:collider('c', { shape = 'sphere', radius = 0.1, position = { 0, 9, 0 } }) "
                           "return s\"\nstart 0000000000000000\n";

static void test_hostile_statements(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } statements[] = {
        { "at 1 reset\n", "expected `at 0`" },
        { "at 0 jump\n", "expected an input" },
        { "at 0 pin \"b\" 4294967296\n", "a whole number" },
        { "at 0 pin \"b\" 9\n", "vertex" },
        { "at 0 pin \"\" 0\n", "a name" },
        { "at 0 rewind 3\n", "are kept" },
        { "at 0 drag_begin \"b\" vertex 0 0 -5 0 0 0\n", "stiffness" },
        { "at 0 drag_begin \"b\" hand 0 0 5 0 0 0\n", "vertex, edge or body" },
        { "at 0 drag_begin \"b\" vertex 0 0 5 0 0 1e300\n", "1e9" },
        { "at 0 drag_begin \"b\" edge 1 1 5 0 0 0\n", "two vertices" },
        { "at 0 nudge \"c\" inf 0 0\n", "a finite number" },
        { "at 0 nudge \"d\" 0 0 0\n", "no collider" },
        { "at 0 cut \"b\" 4000000000 1 2\n", "how many elements" },
        { "at 0 reload 9999999 \"\"\n", "how many files" },
        { "at 0 reload 2 \"a\" \"b\"\n", "in quotation marks" },
        { "at 0 solver \"nuton\"\n", "did you mean" },
        { "at 0 key\n", "in quotation marks" },
        { "at 0 click 1 2 99\n", "a whole number" },
        { "step 2 0000000000000000\n", "expected `step 1`" },
        { "step 1 xyz\n", "16 hexadecimal" },
        { "step 1 0000000000000000 AA AA\n", "the end of the line" },
        { "end 1\n", "expected `end 0`" },
        { "end 0\nat 0 reset\n", "nothing after the end" },
        { "\n", "expected at, step, state" },
    };
    char path[256];
    snprintf(path, sizeof path, "%s", replay_path("statements.replay"));
    for (size_t i = 0; i < sizeof statements / sizeof *statements; i++) {
        char text[2000];
        snprintf(text, sizeof text, "%s%s", head, statements[i].text);
        write_all(path, text, strlen(text));
        assert_fails(play(path, false, NULL, NULL), error, statements[i].message);
        assert_non_null(strstr(error.where, "statements.replay:6"));
    }
}

// Any bytes changed, left out or put in: it ends with an error or as a replay, and nothing is leaked (blocks).
static void test_random_bytes(void **state)
{
    (void)state;
    char path[256], text[2000];
    snprintf(path, sizeof path, "%s", replay_path("random.replay"));
    snprintf(
        text, sizeof text,
        "%sat 0 pin \"b\" 3\nstep 1 0000000000000000\nat 1 drag_begin \"b\" edge 0 4 50 1 2 3\nat 1 cut \"b\" 2 3 4\n"
        "at 1 nudge \"c\" 0 -1 0\nat 1 timestep 0.01 0\nstep 2 0000000000000000 AAAAAAAAAAAAAAAAAA\nat 2 rewind 1\n"
        "at 2 solver \"newton,iterations=2\"\nat 2 click 5 6 1\nend 2\n",
        head);
    size_t size = strlen(text), start = strlen(head) - 60;
    tide_random random = tide_random_seed(7);
    int played = 0;
    uint64_t blocks = tide_memory_count().blocks;
    for (int i = 0; i < 3000; i++) {
        char changed[2100];
        size_t length = size, at = i % 3 ? start + (size_t)(tide_random_next(&random) % (size - start))
                                         : (size_t)(tide_random_next(&random) % size);
        memcpy(changed, text, size);
        char byte =
            (char)(i % 2 ? tide_random_next(&random) : (uint64_t) "0129 \"\\-.ne\n"[tide_random_next(&random) % 12]);
        if (i % 5 == 0) {
            memmove(changed + at, changed + at + 1, --length - at);
        } else if (i % 5 == 1) {
            memmove(changed + at + 1, changed + at, length++ - at);
            changed[at] = byte;
        } else
            changed[at] = byte;
        write_all(path, changed, length);
        played += play(path, i % 7 == 0, NULL, NULL) == TIDE_OK;
    }
    assert_true(played > 50);
    assert_int_equal(tide_memory_count().blocks, blocks);
}

static void test_unwritable(void **state)
{
    (void)state;
    tide_live *live = open_scene(write_scene("unwritable.lua", ""), 0);
    tide_recorder *recorder;
    assert_fails(tide_recorder_open("/nowhere/a.replay", live, &recorder, &error), error, "cannot be written");
    take_steps(live, 1);
    assert_fails(tide_recorder_open(replay_path("late.replay"), live, &recorder, &error), error, "from the start");
    tide_live_close(live);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_again),
    cmocka_unit_test(test_rigid_reloads),
    cmocka_unit_test(test_recording_a_replay),
    cmocka_unit_test(test_difference_is_named),
    cmocka_unit_test(test_cut_short),
    cmocka_unit_test(test_growing),
    cmocka_unit_test(test_hostile),
    cmocka_unit_test(test_hostile_statements),
    cmocka_unit_test(test_random_bytes),
    cmocka_unit_test(test_unwritable),
};
TIDE_TEST_SUITE(session_replay, tests)
