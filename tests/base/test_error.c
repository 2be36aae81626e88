#include "tests.h"

#include "base/clock.h"
#include "base/log.h"

#include <stdio.h>
#include <string.h>

static void assert_text(const tide_error *error, const char *expected)
{
    char text[1200];
    assert_string_equal(tide_error_text(error, text, sizeof text), expected);
}

static void test_every_part(void **state)
{
    (void)state;
    tide_error error = { 0 };
    assert_int_equal(tide_fail(&error, TIDE_ERROR_ARGUMENT, "body \"a\"", "mass", "-1", "expected more than %d", 0),
                     TIDE_ERROR_ARGUMENT);
    assert_int_equal(error.status, TIDE_ERROR_ARGUMENT);
    assert_text(&error, "body \"a\": mass = -1: expected more than 0");
    tide_error_locate(&error, "scene.lua", 12);
    assert_text(&error, "scene.lua:12: body \"a\": mass = -1: expected more than 0");
}

static void test_absent_parts(void **state)
{
    (void)state;
    tide_error error = { 0 };
    tide_error_set(&error, TIDE_ERROR_STATE, NULL, NULL, NULL, "stale");
    assert_text(&error, "stale");
    tide_error_set(&error, TIDE_ERROR_STATE, "world", NULL, NULL, "stale");
    assert_text(&error, "world: stale");
    tide_error_set(&error, TIDE_ERROR_STATE, "world", "pin", NULL, "stale");
    assert_text(&error, "world: pin: stale");
    tide_error_set(&error, TIDE_ERROR_STATE, "world", NULL, "7", "stale");
    assert_text(&error, "world: 7: stale");
}

static void test_innermost_place_stays(void **state)
{
    (void)state;
    tide_error error = { 0 };
    tide_error_set(&error, TIDE_ERROR_FORMAT, "x", NULL, NULL, "bad");
    tide_error_locate(&error, NULL, 3);
    assert_string_equal(error.where, "");
    tide_error_locate(&error, "inner.obj", 0);
    tide_error_locate(&error, "outer.lua", 5);
    assert_text(&error, "inner.obj: x: bad");
    // A new failure has no place yet.
    tide_error_set(&error, TIDE_ERROR_FORMAT, "x", NULL, NULL, "worse");
    assert_text(&error, "x: worse");
}

static void test_no_error_wanted(void **state)
{
    (void)state;
    assert_int_equal(tide_fail(NULL, TIDE_ERROR_FILE, "x", NULL, NULL, "bad"), TIDE_ERROR_FILE);
    assert_int_equal(tide_fail_memory(NULL, "x"), TIDE_ERROR_MEMORY);
    tide_error_locate(NULL, "x", 1);
}

static void test_long_parts_are_cut(void **state)
{
    (void)state;
    char longer[1000];
    memset(longer, 'x', sizeof longer - 1);
    longer[sizeof longer - 1] = '\0';
    tide_error error = { 0 };
    tide_error_set(&error, TIDE_ERROR_FILE, longer, longer, longer, "%s", longer);
    tide_error_locate(&error, longer, 1);
    assert_int_equal(strlen(error.object), sizeof error.object - 1);
    assert_int_equal(strlen(error.field), sizeof error.field - 1);
    assert_int_equal(strlen(error.value), sizeof error.value - 1);
    assert_int_equal(strlen(error.remedy), sizeof error.remedy - 1);
    assert_int_equal(strlen(error.where), sizeof error.where - 1);
    char text[20];
    assert_int_equal(strlen(tide_error_text(&error, text, sizeof text)), sizeof text - 1);
}

static void test_memory(void **state)
{
    (void)state;
    tide_error error = { 0 };
    assert_fails(tide_fail_memory(&error, "mesh grid"), error, "mesh grid: out of memory; use a smaller mesh");
    assert_int_equal(error.status, TIDE_ERROR_MEMORY);
}

static char logged[256];
static tide_log_level logged_level;

static void keep(tide_log_level level, const char *message, void *context)
{
    ++*(int *)context;
    logged_level = level;
    snprintf(logged, sizeof logged, "%s", message);
}

static void test_log_goes_to_the_sink(void **state)
{
    (void)state;
    int calls = 0;
    tide_log_set_sink(keep, &calls);
    tide_log(TIDE_LOG_WARNING, "frame %d of %s", 3, "curtain");
    tide_log_set_sink(NULL, NULL);
    assert_int_equal(calls, 1);
    assert_int_equal(logged_level, TIDE_LOG_WARNING);
    assert_string_equal(logged, "frame 3 of curtain");
    // Standard error again: nothing is printed at this level, and the sink is not called.
    tide_log(TIDE_LOG_DEBUG, "not shown");
    assert_int_equal(calls, 1);
}

static void test_clock_never_goes_back(void **state)
{
    (void)state;
    double before = tide_clock_seconds(), last = before;
    // It must also move: a millisecond passes within this many readings.
    for (int i = 0; i < 100000000 && last - before < 1e-3; i++) {
        double now = tide_clock_seconds();
        assert_true(now >= last);
        last = now;
    }
    assert_true(last - before >= 1e-3);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_every_part),
    cmocka_unit_test(test_absent_parts),
    cmocka_unit_test(test_innermost_place_stays),
    cmocka_unit_test(test_no_error_wanted),
    cmocka_unit_test(test_long_parts_are_cut),
    cmocka_unit_test(test_memory),
    cmocka_unit_test(test_log_goes_to_the_sink),
    cmocka_unit_test(test_clock_never_goes_back),
};
TIDE_TEST_SUITE(base_error, tests)
