// Lessons of the course for the page: the same marks as `springtide course --mark`.
#include "tests.h"

#include "app/web.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int begin(void **state)
{
    (void)state;
    if (!tide_web_begin(32, 18, 1))
        return 1;
    tide_web_take();
    return 0;
}

static int end(void **state)
{
    (void)state;
    tide_web_end();
    return 0;
}

static void assert_has(const char *messages, const char *part)
{
    if (strstr(messages, part))
        return;
    print_error("expected %s in\n%s\n", part, messages);
    fail();
}

static void test_lesson(void **state)
{
    (void)state;
    tide_web_lesson(1);
    const char *lesson = tide_web_take();
    assert_has(lesson, "{\"type\":\"lesson\",\"number\":1,\"name\":\"01-one-spring\",\"title\":");
    assert_has(lesson, "<math");
    assert_has(lesson, "\"scene\":\"");
    assert_has(lesson, "\"exercise\":\"");
    assert_null(strstr(lesson, "<!DOCTYPE"));
    for (int number = 2; number <= 12; number++) {
        tide_web_lesson(number);
        assert_has(tide_web_take(), "\"exercise\":\"");
    }
    tide_web_lesson(13);
    assert_has(tide_web_take(), "\"type\":\"error\",\"where\":\"message\"");
}

static const char *write_file(const char *text)
{
    static char path[4096];
    snprintf(path, sizeof path, "%s/exercise.lua", tide_test_folder());
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
    return path;
}

static void test_marks(void **state)
{
    (void)state;
    tide_web_mark(1, write_file("return function() end"), 0);
    const char *marked = tide_web_take();
    assert_has(marked, "{\"type\":\"marked\",\"number\":1,\"points\":0,\"of\":");
    assert_has(marked, "\"hint\":\"");
    assert_has(marked, "\"failure\":null}");
    tide_web_mark(1, write_file("this is not Lua"), 5);
    assert_has(tide_web_take(), "exercise.lua:1: syntax error");
    tide_web_mark(1, write_file("while true do end"), 0);
    assert_has(tide_web_take(), "stopped");
    tide_web_mark(99, write_file("return 1"), 0);
    assert_has(tide_web_take(), "\"checks\":[],\"failure\":\"");
}

// The solution of a lesson has all points, with any hidden cases.
static void test_solution(void **state)
{
    (void)state;
    char *text;
    FILE *file = fopen("scenes/course/01-one-spring/solution.lua", "r");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    long size = ftell(file);
    rewind(file);
    text = calloc(1, (size_t)size + 1);
    assert_non_null(text);
    assert_int_equal(fread(text, 1, (size_t)size, file), size);
    fclose(file);
    const char *path = write_file(text);
    free(text);
    for (int seed = 0; seed < 3; seed++) {
        double points = -1, of = 0;
        tide_web_mark(1, path, seed);
        const char *at = strstr(tide_web_take(), "\"points\":");
        assert_non_null(at);
        assert_int_equal(sscanf(at, "\"points\":%lf,\"of\":%lf", &points, &of), 2);
        assert_true(of > 0);
        assert_near(points, of, 1e-9);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(test_lesson, begin, end),
    cmocka_unit_test_setup_teardown(test_marks, begin, end),
    cmocka_unit_test_setup_teardown(test_solution, begin, end),
};
TIDE_TEST_SUITE(web_lesson, tests)
