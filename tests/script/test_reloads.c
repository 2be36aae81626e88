// Thousands of reloads: memory, of the engine's own count and of the process, stays where it was.
#include "script/script.h"

#include "base/memory.h"
#include "script_files.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__)
enum { RELOADS = 600, SANITIZED = 1 };
#else
enum { RELOADS = 10000, SANITIZED = 0 };
#endif
enum { CYCLE = 10, WARM_UP = 200 };

static tide_error error;

// Another stiffness, resolution, bodies, state, colliders and functions in each; the last three fail.
static void write_version(int version)
{
    char text[2048], body[200];
    static const char *const ends[] = { "return scene", "return = 1", "require 'reloads_missing'", "error { 1 }" };
    int end = version < CYCLE - 3 ? 0 : version - (CYCLE - 4);
    snprintf(body, sizeof body,
             version % 2 ? "scene:body('more', { mesh = tide.mesh.strand { points = %d } })\n" : "\n", 4 + version);
    snprintf(text, sizeof text,
             "local tide = require 'springtide'\n"
             "local k = tide.param('k', %d)\n"
             "local scene = tide.scene { title = 'version %d', solver = { 'local_global', iterations = %d } }\n"
             "local cloth = scene:body('cloth', { stiffness = k,\n"
             "  mesh = tide.mesh.grid { columns = %d, rows = 6, width = 1, height = 1 } })\n"
             "cloth:pin { 1 }\n%s"
             "scene:collider('ball', { shape = 'sphere', radius = 0.2, position = { 0, -%d, 0 } })\n"
             "tide.mesh.load 'reloads.obj'\n"
             "local work = coroutine.wrap(function() while true do coroutine.yield() end end)\n"
             "function scene.update() work() scene.state.count = (scene.state.count or 0) + 1 end\n"
             "%s\n",
             80 + version, version, 1 + version % 3, 5 + version / 2, body, 1 + version, ends[end]);
    write_script("reloads.lua", text);
}

static size_t resident_bytes(void)
{
    unsigned long total = 0, resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    assert_non_null(file);
    assert_int_equal(fscanf(file, "%lu %lu", &total, &resident), 2);
    fclose(file);
    return resident * (size_t)sysconf(_SC_PAGESIZE);
}

static void test_thousands_of_reloads_leak_nothing(void **state)
{
    (void)state;
    write_script("reloads.obj", "v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 3\n");
    write_version(0);
    tide_script *script;
    char path[256];
    snprintf(path, sizeof path, "%s/reloads.lua", tide_test_folder());
    tide_memory_counts start = tide_memory_count();
    assert_ok(tide_script_open(path, NULL, &script, &error), error);
    tide_memory_counts before = { 0 };
    size_t resident = 0;
    for (int i = 1; i <= WARM_UP + RELOADS; i++) {
        write_version(i % CYCLE);
        tide_status status = tide_script_reload(script, NULL, NULL, &error);
        assert_true((status == TIDE_OK) == (i % CYCLE < CYCLE - 3));
        uint32_t count;
        (void)tide_script_files(script, &count);
        assert_true(count >= 1 && count < 12);
        assert_ok(tide_script_step(script, &error), error);
        if (i == WARM_UP) {
            before = tide_memory_count();
            resident = resident_bytes();
        }
    }
    tide_memory_counts after = tide_memory_count();
    size_t resident_after = resident_bytes();
    print_message(
        "          %d reloads: %zu blocks, %zu bytes before, %zu blocks, %zu bytes after; %zu KB, %zu KB resident\n",
        RELOADS, (size_t)before.blocks, before.bytes, (size_t)after.blocks, after.bytes, resident >> 10,
        resident_after >> 10);
    assert_int_equal(tide_world_frame(tide_script_world(script)), WARM_UP + RELOADS);
    assert_true(after.blocks <= before.blocks + 16);
    assert_true(after.bytes <= before.bytes + 4096);
    if (!SANITIZED)
        assert_true(resident_after <= resident + (2 << 20));
    tide_script_close(script);
    assert_int_equal(tide_memory_count().blocks, start.blocks);
}

// Meshes that no run uses any more are let go: the cache keeps the last 64 or 64 MB.
static void test_meshes_of_old_runs_are_let_go(void **state)
{
    (void)state;
    tide_script *script = NULL;
    size_t bytes = 0, most = 0;
    for (int i = 0; i < 300; i++) {
        char text[512];
        snprintf(text, sizeof text,
                 "local tide = require 'springtide'\nlocal scene = tide.scene {}\n"
                 "scene:body('cloth', { mesh = tide.mesh.grid { columns = 20, rows = 20, width = 1 + %d / 1000 } })\n"
                 "return scene",
                 i);
        const char *path = write_script("reloads.lua", text);
        if (script)
            assert_ok(tide_script_reload(script, NULL, NULL, &error), error);
        else
            assert_ok(tide_script_open(path, NULL, &script, &error), error);
        bytes = tide_memory_count().bytes;
        if (i == 100)
            most = bytes;
    }
    assert_true(bytes <= most + 4096);
    tide_script_close(script);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_thousands_of_reloads_leak_nothing),
    cmocka_unit_test(test_meshes_of_old_runs_are_let_go),
};
TIDE_TEST_SUITE(script_reloads, tests)
