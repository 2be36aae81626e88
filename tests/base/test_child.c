// Child processes: what they write, how they end, and that none outlives its time.
#define _POSIX_C_SOURCE 200809L
#include "tests.h"

#include "base/child.h"
#include "base/clock.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static void start(tide_child *child, const char *script, double seconds)
{
    const char *const words[] = { "/bin/sh", "-c", script, NULL };
    tide_error error;
    assert_int_equal(tide_child_start(child, words, seconds, &error), TIDE_OK);
}

static void finish(tide_child *child)
{
    while (!child->ended)
        tide_children_wait(child, 1);
}

static void test_what_it_writes(void **state)
{
    (void)state;
    tide_child child;
    start(&child, "echo out; echo err >&2; echo report >&3; cat; exit 3", 60);
    finish(&child);
    assert_int_equal(child.end, TIDE_CHILD_EXIT);
    assert_int_equal(child.code, 3);
    assert_string_equal(child.output.bytes, "out\nerr\n");
    assert_string_equal(child.report.bytes, "report\n");
    tide_child_free(&child);
}

static void test_no_other_files(void **state)
{
    (void)state;
    tide_child child;
    int copy = dup(STDERR_FILENO), high = dup2(copy, 40); // inherited by usual programs
    start(&child, "ls /proc/self/fd | tr '\\n' ' '", 60);
    finish(&child);
    assert_string_equal(child.output.bytes, "0 1 2 3 4 "); // 4: of ls itself
    tide_child_free(&child);
    close(copy);
    close(high);
}

static void test_too_much_output(void **state)
{
    (void)state;
    tide_child child;
    start(&child, "yes >&2; exit 0", 60); // it ends, because nobody reads it any more
    finish(&child);
    assert_int_equal(child.end, TIDE_CHILD_EXIT);
    assert_int_equal(child.output.length, TIDE_CHILD_MOST_OUTPUT);
    tide_child_free(&child);
    start(&child, "yes >&3", 60);
    finish(&child);
    assert_int_equal(child.report.length, TIDE_CHILD_MOST_REPORT);
    tide_child_free(&child);
}

// A child that sleeps, ignores signals and has children is killed with them.
static void test_too_long(void **state)
{
    (void)state;
    tide_child child;
    double begun = tide_clock_seconds();
    start(&child, "trap '' TERM INT HUP; sleep 1000 & echo $!; while :; do sleep 1000; done", 0.5);
    finish(&child);
    assert_int_equal(child.end, TIDE_CHILD_OVERTIME);
    assert_true(tide_clock_seconds() - begun >= 0.5);
    pid_t grandchild = (pid_t)strtol(child.output.bytes, NULL, 10);
    assert_true(grandchild > 0);
    while (kill(grandchild, 0) == 0) // until its new parent has taken note of its end
        nanosleep(&(struct timespec) { .tv_nsec = 1000000 }, NULL);
    tide_child_free(&child);
}

static void test_signal(void **state)
{
    (void)state;
    tide_child child;
    start(&child, "kill -SEGV $$", 60);
    finish(&child);
    assert_int_equal(child.end, TIDE_CHILD_SIGNAL);
    assert_int_equal(child.code, SIGSEGV);
    tide_child_free(&child);
}

static void test_several(void **state)
{
    (void)state;
    enum { COUNT = 3 };
    tide_child children[COUNT];
    const char *const scripts[COUNT] = { "read x; echo a >&3", "echo b >&3", "echo c >&3; exec sleep 1000" };
    for (int i = 0; i < COUNT; i++)
        start(&children[i], scripts[i], i == 2 ? 0.3 : 60);
    for (int ended = 0; ended < COUNT;) {
        tide_children_wait(children, COUNT);
        ended = children[0].ended + children[1].ended + children[2].ended;
    }
    for (int i = 0; i < COUNT; i++) {
        assert_memory_equal(children[i].report.bytes, &"abc"[i], 1);
        assert_int_equal(children[i].end, i == 2 ? TIDE_CHILD_OVERTIME : TIDE_CHILD_EXIT);
        tide_child_free(&children[i]);
    }
}

static void test_no_program(void **state)
{
    (void)state;
    tide_child child;
    tide_error error;
    const char *const words[] = { "/there/is/no/program", NULL };
    assert_int_not_equal(tide_child_start(&child, words, 1, &error), TIDE_OK);
    tide_child_free(&child);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_what_it_writes),  cmocka_unit_test(test_no_other_files),
    cmocka_unit_test(test_too_much_output), cmocka_unit_test(test_too_long),
    cmocka_unit_test(test_signal),          cmocka_unit_test(test_several),
    cmocka_unit_test(test_no_program),
};
TIDE_TEST_SUITE(base_child, tests)
