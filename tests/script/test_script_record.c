// Records of a script besides its scene: files used, their texts, the calls that led to an error, and the changes of a
// reload.
#define _POSIX_C_SOURCE 200809L
#include "script/script.h"

#include "base/memory.h"
#include "linear/failing.h"
#include "script_files.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static tide_error error;

#define HEAD "local tide = require 'springtide'\nlocal scene = tide.scene {}\n"

static const char *path_of(const char *name)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", tide_test_folder(), name);
    return path;
}

static tide_script *open_script(const char *text, const tide_script_options *options)
{
    tide_script *script = NULL;
    assert_ok(tide_script_open(write_script("record.lua", text), options, &script, &error), error);
    return script;
}

static bool has_file(const char *const *files, uint32_t count, const char *name)
{
    int found = 0;
    for (uint32_t i = 0; i < count; i++)
        found += strcmp(files[i], path_of(name)) == 0;
    assert_true(found <= 1);
    return found;
}

static bool uses(const tide_script *script, const char *name)
{
    uint32_t count;
    const char *const *files = tide_script_files(script, &count);
    return has_file(files, count, name);
}

// --- files -----------------------------------------------------------------------------------------------------------

static int write_parts(void **state)
{
    (void)state;
    mkdir(tide_test_folder(), 0777);
    mkdir(path_of("record_parts"), 0777);
    mkdir(path_of("record_folder.lua"), 0777);
    write_script("record_flags.lua", "require 'record_parts'\nreturn { stiffness = 80 }");
    write_script("record_parts/init.lua", "return {}");
    write_script("record.obj", "v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 3\n");
    write_script("record_tet.node", "4 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n");
    write_script("record_tet.ele", "1 4 0\n1 1 2 3 4\n");
    unlink(path_of("record_missing.lua"));
    unlink(path_of("record_missing.obj"));
    return 0;
}

static void test_every_file_is_listed_once(void **state)
{
    (void)state;
    write_script("record_other.lua", HEAD "return scene");
    tide_script *script = open_script(HEAD "local flags = require 'record_flags'\nrequire 'record_flags'\n"
                                           "require 'springtide.wind'\n"
                                           "tide.mesh.load('record.obj')\ntide.mesh.load('record.obj')\n"
                                           "assert(tide.mesh.load('record_tet.node'))\n"
                                           "assert(not tide.mesh.load('record_missing.obj'))\n"
                                           "assert(tide.load('record_other.lua'))\n"
                                           "function scene.update() tide.mesh.load('record_late.obj') end\n"
                                           "return scene",
                                      NULL);
    static const char *const names[] = {
        "record.lua",      "record_flags.lua", "record_parts.lua",   "record_parts/init.lua", "record.obj",
        "record_tet.node", "record_tet.ele",   "record_missing.obj", "record_other.lua"
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (!uses(script, names[i]))
            print_error("%s is not listed\n", names[i]);
        assert_true(uses(script, names[i]));
    }
    uint32_t count;
    const char *const *files = tide_script_files(script, &count);
    assert_string_equal(files[0], path_of("record.lua"));
    bool library = false;
    for (uint32_t i = 0; i < count; i++)
        library = library || strstr(files[i], "scripts/springtide/wind.lua");
    assert_true(library);
    assert_true(uses(script, "springtide/wind.lua")); // one beside the scene would come first
    assert_false(uses(script, "record_late.obj"));
    assert_ok(tide_script_step(script, &error), error);
    assert_true(uses(script, "record_late.obj"));
    tide_script_close(script);
}

// Each of these stops a run; the file that puts it right is in the list.
static void test_a_run_that_fails_tells_its_files(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message, *file;
    } cases[] = {
        { "return =", "unexpected symbol", "record.lua" },
        { HEAD "require 'record_missing'\nreturn scene", "not found", "record_missing.lua" },
        { HEAD "require 'record_bad'\nreturn scene", "record_bad.lua:2: ", "record_bad.lua" },
        { HEAD "require 'record_folder'\nreturn scene", "cannot be read: Is a directory", "record_folder.lua" },
        { HEAD "scene:body('b', { mesh = assert(tide.mesh.load 'record_missing.obj') })\nreturn scene",
          "cannot be opened", "record_missing.obj" },
    };
    write_script("record_bad.lua", "local x = 1\nerror 'bad'");
    tide_script *good = open_script(HEAD "require 'record_flags'\nreturn scene", NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tide_script *script = NULL;
        const char *path = write_script("record.lua", cases[i].text);
        assert_fails(tide_script_open(path, NULL, &script, &error), error, cases[i].message);
        assert_null(script);
        assert_fails(tide_script_reload(good, NULL, NULL, &error), error, cases[i].message);
        assert_true(uses(good, cases[i].file));
        assert_false(uses(good, "record_flags.lua"));
        assert_ok(tide_script_step(good, &error), error);
        assert_true(uses(good, cases[i].file)); // until the next reload
    }
    write_script("record.lua", HEAD "return scene");
    assert_ok(tide_script_reload(good, NULL, NULL, &error), error);
    assert_true(uses(good, "record.lua"));
    assert_false(uses(good, "record_missing.obj"));
    tide_script_close(good);

    tide_script *script = NULL;
    assert_fails(tide_script_open(path_of("record_missing.lua"), NULL, &script, &error), error, "cannot be read");
    assert_fails(tide_script_open("", NULL, &script, &error), error, "expected the name");
}

// --- texts -----------------------------------------------------------------------------------------------------------

static const tide_script_text *text_of(const tide_script *script, const char *name)
{
    uint32_t count;
    const tide_script_text *texts = tide_script_texts(script, &count);
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(texts[i].path, path_of(name)) == 0)
            return &texts[i];
    return NULL;
}

static void test_a_run_from_texts_needs_no_files(void **state)
{
    (void)state;
    static const char scene[] = HEAD "scene.state.x = require('record_given').x\nreturn scene";
    write_script("record_given.lua", "\xEF\xBB\xBF# for the shell\nreturn { x = 5 }");
    tide_script *script = open_script(scene, NULL);
    uint32_t count;
    const tide_script_text *texts = tide_script_texts(script, &count);
    assert_int_equal(count, 2);
    assert_string_equal(texts[0].path, path_of("record.lua"));
    assert_int_equal(texts[0].size, strlen(scene));
    assert_memory_equal(texts[0].text, scene, strlen(scene));
    assert_non_null(text_of(script, "record_given.lua"));
    uint64_t hash, again;
    assert_ok(tide_world_hash(tide_script_world(script), &hash, &error), error);

    // The same from its texts, while the files are others or gone.
    write_script("record.lua", "error 'not this one'");
    unlink(path_of("record_given.lua"));
    tide_script *other;
    tide_script_options options = { .texts = texts, .text_count = count };
    assert_ok(tide_script_open(path_of("record.lua"), &options, &other, &error), error);
    assert_ok(tide_world_hash(tide_script_world(other), &again, &error), error);
    assert_int_equal(hash, again);
    assert_int_equal(text_of(other, "record_given.lua")->size, text_of(script, "record_given.lua")->size);
    assert_ok(tide_script_reload(other, &options, NULL, &error), error);
    assert_string_equal(tide_script_notice(other), "nothing changed");
    assert_fails(tide_script_reload(other, NULL, NULL, &error), error, "not this one");
    tide_script_close(other);
    tide_script_close(script);

    // Errors name file and line as if it had been read.
    tide_script_text bad = { "nowhere/bad.lua", "local x\nx.y = 1", 15 };
    options = (tide_script_options) { .texts = &bad, .text_count = 1 };
    assert_fails(tide_script_open("nowhere/bad.lua", &options, &other, &error), error, "attempt to index a nil value");
    assert_string_equal(error.where, "nowhere/bad.lua:2");
    bad.text = NULL;
    assert_fails(tide_script_open("nowhere/bad.lua", &options, &other, &error), error, "expected a path and a text");
}

// --- calls -----------------------------------------------------------------------------------------------------------

// The traceback without the folder of the test files.
static const char *calls(const tide_script *script)
{
    static char text[2048];
    const char *from = tide_script_traceback(script), *folder = tide_test_folder();
    size_t length = 0;
    while (*from && length + 1 < sizeof text) {
        if (strncmp(from, folder, strlen(folder)) == 0)
            from += strlen(folder) + 1;
        else
            text[length++] = *from++;
    }
    text[length] = '\0';
    return text;
}

static void test_the_calls_that_led_to_an_error(void **state)
{
    (void)state;
    tide_script *script = open_script(HEAD "local function wave(n)\n"
                                           "  if n == 0 then error 'over' end\n"
                                           "  local height = wave(n - 1)\n"
                                           "  return height\n"
                                           "end\n"
                                           "function scene.update()\n"
                                           "  local height = wave(2)\n"
                                           "end\n"
                                           "function scene.draw(canvas)\n"
                                           "  canvas:line(1)\n"
                                           "end\n"
                                           "function scene.keypressed(key)\n"
                                           "  scene:body(key)\n"
                                           "end\n"
                                           "return scene",
                                      NULL);
    assert_string_equal(tide_script_traceback(script), "");
    assert_fails(tide_script_step(script, &error), error, "record.lua:4: over");
    assert_string_equal(calls(script), "in function 'error'\n"
                                       "record.lua:4: in function 'wave'\n"
                                       "record.lua:5: in function 'wave'\n"
                                       "record.lua:5: in function 'wave'\n"
                                       "record.lua:9: in the function at line 8");
    tide_draw_list list = { 0 };
    assert_fails(tide_script_draw(script, &list, 640, 360, &error), error, "record.lua:12: ");
    tide_draw_list_free(&list);
    assert_string_equal(calls(script), "in function 'line'\nrecord.lua:12: in the function at line 11");
    assert_fails(tide_script_key_pressed(script, "none", &error), error, "record.lua:15: ");
    assert_string_equal(calls(script), "in function 'body'\nrecord.lua:15: in the function at line 14");

    write_script("record_deep.lua", "local x = nil + 1");
    write_script("record.lua", HEAD "require 'record_deep'\nreturn scene");
    assert_fails(tide_script_reload(script, NULL, NULL, &error), error, "record_deep.lua:1: attempt to perform");
    static const char loading[] =
        "record_deep.lua:1: in main chunk\nin function 'require'\nrecord.lua:3: in main chunk";
    assert_string_equal(calls(script), loading);
    write_script("record.lua", "return =");
    assert_fails(tide_script_reload(script, NULL, NULL, &error), error, "record.lua:1: ");
    assert_string_equal(calls(script), "");
    tide_script_close(script);
}

// Those of coroutines, too, though coroutine.wrap closes them before it raises their error again.
static void test_the_calls_of_coroutines(void **state)
{
    (void)state;
    tide_script *script = open_script(HEAD "local function inner() error('inside') end\n"
                                           "local function work() inner() print() end\n"
                                           "local outer = function() coroutine.wrap(work)() print() end\n"
                                           "function scene.keypressed(key)\n"
                                           "  if key == 'a' then pcall(coroutine.wrap(work)) error('other') end\n"
                                           "  coroutine.wrap(outer)()\n"
                                           "end\n"
                                           "return scene\n",
                                      NULL);
    assert_fails(tide_script_key_pressed(script, "b", &error), error, "inside");
    const char *calls = tide_script_traceback(script);
    static const char *const expected[] = { "record.lua:3: in ", "record.lua:4: in ", "record.lua:5: in ",
                                            "record.lua:8: in " };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        const char *found = strstr(calls, expected[i]);
        if (!found)
            fail_msg("no %s in:\n%s", expected[i], tide_script_traceback(script));
        calls = found;
    }
    assert_fails(tide_script_key_pressed(script, "a", &error), error, "other");
    assert_null(strstr(tide_script_traceback(script), "record.lua:3:"));
    assert_non_null(strstr(tide_script_traceback(script), "record.lua:7: in "));
    tide_script_close(script);
}

// Data that is not there is waited for; modules of the library go by names that mean the same everywhere.
static void test_data_and_library(void **state)
{
    (void)state;
    const char *before = getenv("SPRINGTIDE_DATA");
    char *kept = before ? tide_copy_string(before) : NULL;
    setenv("SPRINGTIDE_DATA", tide_test_folder(), 1);
    static const char text[] = HEAD "local path = tide.data('record_missing.obj')\n"
                                    "if path then assert(tide.mesh.load(path)) end\n"
                                    "scene.title = require('springtide.wind').changed and 'changed' or 'own'\n"
                                    "return scene\n";
    tide_script *script = open_script(text, NULL);
    assert_true(uses(script, "record_missing.obj"));
    assert_string_equal(tide_script_title(script), "own");
    uint32_t count, at = 0;
    const tide_script_text *texts = tide_script_texts(script, &count);
    while (at < count && strcmp(texts[at].path, "@library/springtide/wind.lua") != 0)
        at++;
    assert_true(at < count && texts[at].size > 100);
    tide_script_close(script);
    const tide_script_text given = { "@library/springtide/wind.lua", "return { changed = true }", 25 };
    script = open_script(text, &(tide_script_options) { .texts = &given, .text_count = 1 });
    assert_string_equal(tide_script_title(script), "changed");
    tide_script_close(script);
    if (kept)
        setenv("SPRINGTIDE_DATA", kept, 1);
    else
        unsetenv("SPRINGTIDE_DATA");
    tide_free(kept);
}

// A successful step keeps the message of a failed reload.
static void test_a_failed_reload_is_told_until_the_next_failure(void **state)
{
    (void)state;
    tide_script *script = open_script(HEAD "function scene.update() end\nreturn scene", NULL);
    write_script("record.lua", HEAD "local function f() error 'no' end\nf()");
    assert_fails(tide_script_reload(script, NULL, NULL, &error), error, "record.lua:3: no");
    static const char told[] = "in function 'error'\nrecord.lua:3: in function 'f'\nrecord.lua:4: in main chunk";
    assert_string_equal(calls(script), told);
    for (int i = 0; i < 3; i++)
        assert_ok(tide_script_step(script, &error), error);
    assert_string_equal(calls(script), told);
    tide_script_close(script);
}

static void test_deep_and_stopped_calls(void **state)
{
    (void)state;
    tide_script *script = open_script(HEAD "local function dive(n) local x = dive(n + 1) return x end\n"
                                           "local function spin() while true do end end\n"
                                           "function scene.update() dive(1) end\n"
                                           "function scene.keypressed() spin() end\n"
                                           "return scene",
                                      NULL);
    assert_fails(tide_script_step(script, &error), error, "stack overflow");
    const char *text = calls(script);
    assert_non_null(strstr(text, "record.lua:3: in function 'dive'\n"));
    assert_non_null(strstr(text, " calls in between\n"));
    assert_non_null(strstr(text, "\nrecord.lua:5: in the function at line 5"));
    assert_true(strlen(text) < 1500);
    tide_script_set_time_limit(script, 0.2);
    assert_fails(tide_script_key_pressed(script, "a", &error), error, "it took more than 0.2 s");
    assert_string_equal(calls(script), "record.lua:4: in function 'spin'\nrecord.lua:6: in the function at line 6");
    tide_script_close(script);
}

// --- what a reload changed -------------------------------------------------------------------------------------------

static void test_notice(void **state)
{
    (void)state;
    tide_script *script = open_script(CLOTH "return scene", NULL);
    assert_string_equal(tide_script_notice(script), "");
    assert_ok(tide_script_step(script, &error), error);
    assert_ok(tide_script_reload(script, NULL, NULL, &error), error);
    assert_string_equal(tide_script_notice(script), "nothing changed");
    write_script("record.lua", CLOTH "function scene.update() end\nreturn scene");
    assert_ok(tide_script_reload(script, NULL, NULL, &error), error);
    assert_string_equal(tide_script_notice(script), "the script changed, its world did not");
    tide_setting setting = { "stiffness", "300" };
    tide_script_options options = { .settings = &setting, .setting_count = 1 };
    assert_ok(tide_script_reload(script, &options, NULL, &error), error);
    static const char expected[] = "cloth: stiffness 100 -> 300 N/m; refactored in ";
    assert_int_equal(strncmp(tide_script_notice(script), expected, strlen(expected)), 0);
    write_script("record.lua", "return 1");
    options.setting_count = 0;
    assert_fails(tide_script_reload(script, &options, NULL, &error), error, "returned");
    assert_int_equal(strncmp(tide_script_notice(script), expected, strlen(expected)), 0); // of the last that succeeded
    tide_script_close(script);
}

static bool tells(const tide_script *script, const char *part)
{
    return strstr(tide_script_notice(script), part) != NULL;
}

// A field of scene.state keeps its value. A new script that assigns something else is told so, once.
static void test_notice_of_state_that_is_carried_over(void **state)
{
    (void)state;
    tide_script *script = open_script(CLOTH "scene.state.count = 0 scene.state.speed = 1 scene.state.list = { 1 }\n"
                                            "function scene.update() scene.state.count = scene.state.count + 1 end\n"
                                            "return scene",
                                      NULL);
    assert_ok(tide_script_step(script, &error), error);
    assert_ok(tide_script_reload(script, NULL, NULL, &error), error);
    assert_false(tells(script, "scene.state"));
    write_script("record.lua", CLOTH "scene.state.count = 0 scene.state.speed = 2 scene.state.list = { 1, 2 }\n"
                                     "scene.state.new = 1 return scene");
    assert_ok(tide_script_reload(script, NULL, NULL, &error), error);
    assert_true(tells(script, "scene.state.speed"));
    assert_true(tells(script, "scene.state.list"));
    assert_true(tells(script, ": the carried-over value goes on, the script's takes effect after a reset"));
    assert_false(tells(script, "count"));
    assert_false(tells(script, "new"));
    assert_ok(tide_script_reload(script, NULL, NULL, &error), error);
    assert_false(tells(script, "scene.state"));
    tide_script_close(script);
}

// --- life ------------------------------------------------------------------------------------------------------------

// A coroutine made by one run may go on while its scene does, after other runs that failed or succeeded.
static void test_coroutines_outlive_reloads(void **state)
{
    (void)state;
    static const char text[] = HEAD "local work = coroutine.wrap(function()\n"
                                    "  while true do\n"
                                    "    for i = 1, 50000 do local x = i * i end\n"
                                    "    coroutine.yield()\n"
                                    "  end\n"
                                    "end)\n"
                                    "work()\n"
                                    "function scene.update() work() end\nreturn scene";
    tide_script_options options = { .time_limit = 20 };
    tide_script *script = open_script(text, &options);
    for (int i = 0; i < 3; i++) {
        write_script("record.lua", text);
        assert_ok(tide_script_reload(script, NULL, NULL, &error), error);
        for (int step = 0; step < 3; step++)
            assert_ok(tide_script_step(script, &error), error);
        write_script("record.lua", "return 1");
        assert_fails(tide_script_reload(script, NULL, NULL, &error), error, "returned");
        for (int step = 0; step < 3; step++)
            assert_ok(tide_script_step(script, &error), error);
    }
    tide_script_close(script);
}

static void test_every_allocation_may_fail(void **state)
{
    (void)state;
    static const char text[] = HEAD "require 'record_flags'\ntide.mesh.load 'record_tet.node'\n"
                                    "scene:body('b', { mesh = tide.mesh.grid { columns = 3, rows = 3 } })\n"
                                    "function scene.update() error 'x' end\nreturn scene";
    const char *path = write_script("record.lua", text);
    tide_script_text given = { "record_flags.lua", "return 1", 8 };
    tide_script_options options = { .texts = &given, .text_count = 1 };
    tide_script *keeper = NULL; // the cache of meshes lives as long
    assert_ok(tide_script_open(path, NULL, &keeper, &error), error);
    uint64_t blocks = tide_memory_count().blocks;
    tide_status status = TIDE_ERROR_MEMORY;
    for (uint64_t n = 0; status != TIDE_OK; n += 1 + n / 16) {
        failing_allocation failing = { .left = n };
        tide_script *script = NULL;
        tide_memory_set_failure_hook(fail_in_turn, &failing);
        status = tide_script_open(path, &options, &script, &error);
        if (status == TIDE_OK)
            (void)tide_script_step(script, NULL);
        if (status == TIDE_OK)
            status = tide_script_reload(script, &options, NULL, &error);
        tide_memory_set_failure_hook(NULL, NULL);
        if (status == TIDE_OK && !failing.failed)
            assert_string_equal(tide_script_notice(script), "nothing changed");
        tide_script_close(script);
        assert_int_equal(tide_memory_count().blocks, blocks);
        if (failing.failed)
            status = TIDE_ERROR_MEMORY; // one that was let go did not matter: further
    }
    tide_script_close(keeper);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_every_file_is_listed_once),
    cmocka_unit_test(test_a_run_that_fails_tells_its_files),
    cmocka_unit_test(test_a_run_from_texts_needs_no_files),
    cmocka_unit_test(test_the_calls_that_led_to_an_error),
    cmocka_unit_test(test_the_calls_of_coroutines),
    cmocka_unit_test(test_data_and_library),
    cmocka_unit_test(test_a_failed_reload_is_told_until_the_next_failure),
    cmocka_unit_test(test_deep_and_stopped_calls),
    cmocka_unit_test(test_notice),
    cmocka_unit_test(test_notice_of_state_that_is_carried_over),
    cmocka_unit_test(test_coroutines_outlive_reloads),
    cmocka_unit_test(test_every_allocation_may_fail),
};

static int run_all(void)
{
    return cmocka_run_group_tests_name("script_record", tests, write_parts, NULL);
}

__attribute__((constructor)) static void register_all(void)
{
    tide_test_register("script_record", run_all);
}
