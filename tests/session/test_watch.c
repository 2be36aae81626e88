// Watching files. The program is no library: its source is taken in here. Time is the caller's, so only what the file
// system stamps is waited for.
#include "session/watch.c"

#include "linear/failing.h"
#include "script/script.h"
#include "tests.h"

#include <stdlib.h>
#include <unistd.h>

static tide_error error;
static char folder[200], paths[3][256];
static double now;

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

// Until the file system's clock has moved on, by enough for one that is finer than the coarse one.
static void wait_for_a_tick(void)
{
    struct timespec before, time;
    for (int ticks = 0; ticks < 3; ticks++) {
        clock_gettime(CLOCK_REALTIME_COARSE, &before);
        do
            clock_gettime(CLOCK_REALTIME_COARSE, &time);
        while (same_time(before, time));
    }
}

static int set_up(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "%s/watch-XXXXXX", tide_test_folder());
    assert_non_null(mkdtemp(folder));
    for (int i = 0; i < 3; i++)
        snprintf(paths[i], sizeof paths[i], "%s/%c.lua", folder, "abc"[i]);
    write_file(paths[0], "a");
    write_file(paths[1], "b");
    now = 1000;
    wait_for_a_tick();
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    char command[300];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command);
}

// A watch of a.lua, b.lua and c.lua, which is not there.
static tide_watch *watch_three(void)
{
    tide_watch *watch = NULL;
    const char *names[] = { paths[0], paths[1], paths[2] };
    assert_ok(tide_watch_create(&watch, &error), error);
    tide_watch_begin(watch);
    assert_ok(tide_watch_files(watch, names, 3, &error), error);
    return watch;
}

// Polls every 10 ms for so many seconds; the first changes told end it. Returns their count.
static uint32_t poll_for(tide_watch *watch, double seconds, const tide_watch_change **changes)
{
    const tide_watch_change *unread;
    uint32_t count = 0;
    for (double until = now + seconds; now < until && !count; now += 0.01)
        *(changes ? changes : &unread) = tide_watch_poll(watch, now, &count);
    return count;
}

// Writes "curtain.lua changed", "flags.lua deleted", "flags.lua and 2 others changed", or "" if there is none.
static char *text_of(const tide_watch_change *changes, uint32_t count, char *text, size_t size)
{
    static const char *const verbs[] = { "changed", "deleted", "appeared" };
    if (size)
        text[0] = '\0';
    if (!count)
        return text;
    const char *slash = strrchr(changes[0].path, '/'), *name = slash ? slash + 1 : changes[0].path;
    if (count == 1)
        snprintf(text, size, "%s %s", name, verbs[changes[0].kind]);
    else
        snprintf(text, size, "%s and %u other%s changed", name, count - 1, count == 2 ? "" : "s");
    return text;
}

static void assert_told(tide_watch *watch, double seconds, const char *text)
{
    char got[256];
    const tide_watch_change *changes = NULL;
    uint32_t count = poll_for(watch, seconds, &changes);
    assert_string_equal(text_of(changes, count, got, sizeof got), text);
}

static void test_nothing_is_told_of_files_left_alone(void **state)
{
    (void)state;
    tide_watch *watch = watch_three();
    assert_int_equal(poll_for(watch, 5, NULL), 0);
    tide_watch_destroy(watch);
    assert_ok(tide_watch_create(&watch, &error), error);
    assert_int_equal(poll_for(watch, 1, NULL), 0); // none is given
    tide_watch_destroy(watch);
    tide_watch_destroy(NULL);
}

static void test_a_save_is_told_once(void **state)
{
    (void)state;
    tide_watch *watch = watch_three();
    assert_int_equal(poll_for(watch, 0.3, NULL), 0);
    write_file(paths[1], "longer");
    double saved = now;
    const tide_watch_change *changes = NULL;
    assert_int_equal(poll_for(watch, 1, &changes), 1);
    assert_string_equal(changes[0].path, paths[1]);
    assert_int_equal(changes[0].kind, TIDE_WATCH_WRITTEN);
    assert_true(now - saved < 0.2);
    assert_int_equal(poll_for(watch, 2, NULL), 0);

    wait_for_a_tick();
    write_file(paths[1], "longeR"); // of the same size, in the same file
    assert_told(watch, 1, "b.lua changed");
    tide_watch_destroy(watch);
}

static void test_an_atomic_save(void **state)
{
    (void)state;
    char other[256];
    snprintf(other, sizeof other, "%s/.a.lua.swp", folder);
    tide_watch *watch = watch_three();
    for (int i = 0; i < 3; i++) {
        write_file(other, "A"); // as long as what it replaces
        assert_int_equal(rename(other, paths[0]), 0);
        assert_told(watch, 1, "a.lua changed");
    }
    assert_int_equal(poll_for(watch, 1, NULL), 0);
    tide_watch_destroy(watch);
}

// An editor that moves the old file away and writes anew: the moment without the file is not told.
static void test_a_save_by_backup(void **state)
{
    (void)state;
    char backup[256];
    snprintf(backup, sizeof backup, "%s/a.lua~", folder);
    tide_watch *watch = watch_three();
    assert_int_equal(rename(paths[0], backup), 0);
    assert_int_equal(poll_for(watch, 0.2, NULL), 0);
    write_file(paths[0], "");
    assert_int_equal(poll_for(watch, 0.2, NULL), 0);
    write_file(paths[0], "new");
    assert_told(watch, 0.3, "a.lua changed");
    tide_watch_destroy(watch);
}

static void test_many_saves_within_a_moment_are_one(void **state)
{
    (void)state;
    tide_watch *watch = watch_three();
    char text[64] = "";
    for (int i = 0; i < 40; i++) {
        strcat(text, "x");
        write_file(paths[i % 2], text);
        assert_int_equal(poll_for(watch, 0.04, NULL), 0);
    }
    assert_told(watch, 1, "a.lua and 1 other changed");
    assert_int_equal(poll_for(watch, 1, NULL), 0);
    tide_watch_destroy(watch);
}

// One that is written without end does not keep the others' changes back for ever.
static void test_a_file_that_never_rests(void **state)
{
    (void)state;
    tide_watch *watch = watch_three();
    write_file(paths[0], "saved");
    double saved = now;
    uint32_t count = 0;
    const tide_watch_change *changes = NULL;
    char text[256] = "";
    while (!count && now < saved + 5) {
        strcat(text, "x");
        write_file(paths[1], text);
        count = poll_for(watch, 0.03, &changes);
    }
    assert_int_equal(count, 1);
    assert_string_equal(changes[0].path, paths[0]);
    assert_near(now - saved, 2.1, 0.15);
    assert_told(watch, 1, "b.lua changed"); // now that it rests
    tide_watch_destroy(watch);
}

static void test_deleted_and_restored(void **state)
{
    (void)state;
    const tide_watch_change *changes = NULL;
    tide_watch *watch = watch_three();
    assert_int_equal(unlink(paths[0]), 0);
    double gone = now;
    assert_told(watch, 2, "a.lua deleted");
    assert_true(now - gone > 0.3);
    assert_int_equal(poll_for(watch, 2, NULL), 0);
    write_file(paths[0], "a");
    write_file(paths[2], "c"); // was never there before
    assert_int_equal(poll_for(watch, 1, &changes), 2);
    for (int i = 0; i < 2; i++) {
        assert_string_equal(changes[i].path, paths[2 * i]);
        assert_int_equal(changes[i].kind, TIDE_WATCH_APPEARED);
    }
    tide_watch_destroy(watch);
}

static void test_a_file_replaced_by_a_folder(void **state)
{
    (void)state;
    tide_watch *watch = watch_three();
    assert_int_equal(unlink(paths[0]), 0);
    assert_int_equal(mkdir(paths[0], 0777), 0);
    assert_told(watch, 2, "a.lua deleted");
    assert_int_equal(rmdir(paths[0]), 0);
    assert_int_equal(poll_for(watch, 1, NULL), 0);
    write_file(paths[0], "a");
    assert_told(watch, 2, "a.lua appeared");
    tide_watch_destroy(watch);
}

static void test_symbolic_links(void **state)
{
    (void)state;
    char link[256], next[256];
    snprintf(link, sizeof link, "%s/link.lua", folder);
    snprintf(next, sizeof next, "%s/next.lua", folder);
    assert_int_equal(symlink("a.lua", link), 0);
    tide_watch *watch = NULL;
    const char *name = link;
    assert_ok(tide_watch_create(&watch, &error), error);
    assert_ok(tide_watch_files(watch, &name, 1, &error), error);
    write_file(paths[0], "written through");
    assert_told(watch, 1, "link.lua changed");
    assert_int_equal(symlink("b.lua", next), 0);
    assert_int_equal(rename(next, link), 0); // leads elsewhere
    assert_told(watch, 1, "link.lua changed");
    assert_int_equal(unlink(paths[1]), 0); // leads nowhere
    assert_told(watch, 1, "link.lua deleted");
    tide_watch_destroy(watch);
}

static void test_rights_that_are_taken_and_given_back(void **state)
{
    (void)state;
    tide_watch *watch = watch_three();
    assert_int_equal(chmod(paths[0], 0), 0);
    assert_told(watch, 1, "a.lua changed");
    assert_int_equal(chmod(paths[0], 0644), 0);
    assert_told(watch, 1, "a.lua changed");
    tide_watch_destroy(watch);
}

// A change between reading a file and registering it with the watch is not lost, and earlier knowledge stays.
static void test_a_change_while_the_script_runs(void **state)
{
    (void)state;
    tide_watch *watch = watch_three();
    assert_int_equal(poll_for(watch, 0.2, NULL), 0);
    tide_watch_begin(watch);
    write_file(paths[0], "known");
    write_file(paths[2], "not known");
    char fresh[256];
    snprintf(fresh, sizeof fresh, "%s/fresh.lua", folder);
    write_file(fresh, "new in the list");
    const char *names[] = { fresh, paths[2], paths[0], paths[1] };
    assert_ok(tide_watch_files(watch, names, 4, &error), error);
    assert_told(watch, 1, "fresh.lua and 2 others changed");
    assert_int_equal(poll_for(watch, 1, NULL), 0);

    // Paths of the list may be given again; files that left the list are not reported.
    const char *same[] = { watch->files[3].path, watch->files[2].path };
    assert_ok(tide_watch_files(watch, same, 2, &error), error);
    write_file(paths[2], "no longer watched");
    write_file(paths[1], "the first now");
    assert_told(watch, 1, "b.lua changed");
    tide_watch_destroy(watch);
}

static void test_it_looks_no_more_often_than_it_must(void **state)
{
    (void)state;
    tide_watch *watch = watch_three();
    uint32_t count;
    tide_watch_poll(watch, now, &count);
    write_file(paths[0], "longer");
    tide_watch_poll(watch, now + 0.099, &count);
    assert_false(watch->busy); // it has not looked
    tide_watch_poll(watch, now + 0.101, &count);
    assert_true(watch->busy);
    tide_watch_poll(watch, now + 0.12, &count);
    assert_near(watch->looked, now + 0.101, 0);
    tide_watch_poll(watch, now + 0.127, &count);
    assert_near(watch->looked, now + 0.127, 0);
    tide_watch_destroy(watch);
}

static void assert_reload(tide_watch *watch, tide_script *script, const char *text, tide_status status)
{
    assert_told(watch, 2, text);
    tide_watch_begin(watch);
    assert_int_equal(tide_script_reload(script, NULL, NULL, &error), status);
    uint32_t count;
    const char *const *files = tide_script_files(script, &count);
    assert_ok(tide_watch_files(watch, files, count, &error), error);
    assert_ok(tide_script_step(script, &error), error); // the last good world goes on
}

// A scene whose module is changed, broken, deleted and restored, and whose mesh comes late.
static void test_the_files_of_a_script(void **state)
{
    (void)state;
    char mesh[256];
    snprintf(mesh, sizeof mesh, "%s/points.obj", folder);
    write_file(paths[0], "local tide = require 'springtide'\nlocal scene = tide.scene {}\nlocal b = require 'b'\n"
                         "scene:body('cloth', { mesh = tide.mesh.load 'points.obj' or tide.mesh.grid(b) })\n"
                         "return scene");
    write_file(paths[1], "return { columns = 3, rows = 3 }");
    tide_watch *watch = watch_three();
    tide_script *script = NULL;
    tide_watch_begin(watch);
    assert_ok(tide_script_open(paths[0], NULL, &script, &error), error);
    uint32_t count;
    const char *const *files = tide_script_files(script, &count);
    assert_ok(tide_watch_files(watch, files, count, &error), error);
    poll_for(watch, 1, NULL); // files as new as this are told once more
    wait_for_a_tick();

    write_file(paths[1], "return { columns = 4, rows = 3 }");
    assert_reload(watch, script, "b.lua changed", TIDE_OK);
    assert_int_equal(tide_world_particle_count(tide_script_world(script)), 12);
    write_file(paths[1], "return {");
    assert_reload(watch, script, "b.lua changed", TIDE_ERROR_SCRIPT);
    assert_int_equal(unlink(paths[1]), 0);
    assert_reload(watch, script, "b.lua deleted", TIDE_ERROR_ARGUMENT);
    wait_for_a_tick();
    write_file(paths[1], "return { columns = 5, rows = 3 }");
    assert_reload(watch, script, "b.lua appeared", TIDE_OK);
    assert_int_equal(tide_world_particle_count(tide_script_world(script)), 15);
    wait_for_a_tick();
    write_file(mesh, "v 0 0 0\nv 1 0 0\n");
    assert_reload(watch, script, "points.obj appeared", TIDE_OK);
    assert_int_equal(tide_world_particle_count(tide_script_world(script)), 2);
    assert_int_equal(tide_world_frame(tide_script_world(script)), 5);
    tide_script_close(script);
    tide_watch_destroy(watch);
}

static void test_every_allocation_may_fail(void **state)
{
    (void)state;
    tide_watch *watch = watch_three();
    uint64_t blocks = tide_memory_count().blocks;
    const char *names[] = { paths[1], paths[0] };
    const char *three[] = { paths[0], paths[1], paths[2] };
    uint64_t allocations = tide_memory_count().allocations;
    assert_ok(tide_watch_files(watch, three, 3, &error), error); // those that it has
    assert_int_equal(tide_memory_count().allocations, allocations);
    tide_status status = TIDE_ERROR_MEMORY;
    int failures = 0;
    for (uint64_t n = 0; status != TIDE_OK; n++, failures += status != TIDE_OK) {
        failing_allocation failing = { .left = n };
        tide_memory_set_failure_hook(fail_in_turn, &failing);
        status = tide_watch_files(watch, names, 2, &error);
        tide_memory_set_failure_hook(NULL, NULL);
        if (status != TIDE_OK)
            assert_int_equal(tide_memory_count().blocks, blocks);
        assert_int_equal(watch->count, status == TIDE_OK ? 2 : 3);
    }
    assert_int_equal(failures, 4);
    tide_watch_destroy(watch);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
static const struct CMUnitTest tests[] = {
    TEST(test_nothing_is_told_of_files_left_alone),
    TEST(test_a_save_is_told_once),
    TEST(test_an_atomic_save),
    TEST(test_a_save_by_backup),
    TEST(test_many_saves_within_a_moment_are_one),
    TEST(test_a_file_that_never_rests),
    TEST(test_deleted_and_restored),
    TEST(test_a_file_replaced_by_a_folder),
    TEST(test_symbolic_links),
    TEST(test_rights_that_are_taken_and_given_back),
    TEST(test_a_change_while_the_script_runs),
    TEST(test_it_looks_no_more_often_than_it_must),
    TEST(test_the_files_of_a_script),
    TEST(test_every_allocation_may_fail),
};
TIDE_TEST_SUITE(session_watch, tests)
