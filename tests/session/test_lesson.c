// The course without a window: its list, the file of what is done, and the report of a marking.
#define _GNU_SOURCE // for realpath
#include "base/memory.h"
#include "session/course.h"
#include "session/lesson_marking.h"
#include "tests.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static tide_error error;

// --- reports ---------------------------------------------------------------------------------------------------------

static bool read_report(const char *text, tide_lesson_check **checks, uint32_t *count, tide_points *total, char *bytes,
                        size_t size)
{
    snprintf(bytes, size, "%s", text);
    return tide_marking_read(bytes, checks, count, total);
}

static void test_a_report(void **state)
{
    (void)state;
    char bytes[400];
    tide_lesson_check *checks;
    uint32_t count;
    tide_points total;
    assert_true(read_report("check\t1.5\t3\tthe energy\texpected 2, got 1\tlook at k\ncheck\t2\t2\tthe force\t\t\n"
                            "total\t3.5\t5\n",
                            &checks, &count, &total, bytes, sizeof bytes));
    assert_int_equal(count, 2);
    assert_near(checks[0].points, 1.5, 0);
    assert_near(checks[0].of, 3, 0);
    assert_string_equal(checks[0].name, "the energy");
    assert_string_equal(checks[0].message, "expected 2, got 1");
    assert_string_equal(checks[0].hint, "look at k");
    assert_string_equal(checks[1].hint, "");
    assert_near(total.points, 3.5, 0);
    assert_near(total.of, 5, 0);
    tide_free(checks);
}

static void test_damaged_reports(void **state)
{
    (void)state;
    static const char *const damaged[] = {
        "",
        "total",
        "total\t1",
        "total\t1\tx",
        "total\t1\tnan",
        "total\t1\t2\t3",
        "total\t1\t2\ntotal\t1\t2",
        "check\t1\t2\tname\tmessage\thint",
        "check\t1\t2\tname\tmessage\ntotal\t1\t2",
        "check\t1\t2\tname\tmessage\thint\tmore\ntotal\t1\t2",
        "check\tone\t2\tname\tmessage\thint\ntotal\t1\t2",
        "check\ntotal\t1\t2",
        "other\t1\t2\ntotal\t1\t2",
    };
    size_t before = tide_memory_count().blocks;
    for (size_t i = 0; i < sizeof damaged / sizeof *damaged; i++) {
        char bytes[400];
        tide_lesson_check *checks;
        uint32_t count;
        tide_points total;
        if (read_report(damaged[i], &checks, &count, &total, bytes, sizeof bytes)) {
            print_error("taken: %s\n", damaged[i]);
            fail();
        }
        assert_null(checks);
        assert_int_equal(count, 0);
    }
    assert_int_equal(tide_memory_count().blocks, before);
}

// --- the course ------------------------------------------------------------------------------------------------------

static char folder[PATH_MAX];

static void write_file(const char *name, const char *text)
{
    char path[2 * PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void make_folder(const char *name)
{
    char path[2 * PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    mkdir(path, 0700);
}

static int set_up(void **state)
{
    (void)state;
    char relative[PATH_MAX];
    snprintf(relative, sizeof relative, "%s/course", tide_test_folder());
    mkdir(relative, 0700);
    assert_non_null(realpath(relative, folder));
    make_folder("02-steps");
    write_file("02-steps/lesson.md", "# 2. Steps\n");
    write_file("02-steps/scene.lua", "return nil\n");
    make_folder("01-springs");
    write_file("01-springs/lesson.md", "no heading\n");
    write_file("01-springs/scene.lua", "return nil\n");
    make_folder("03-half");
    write_file("03-half/lesson.md", "# No scene\n");
    make_folder("1-short");
    setenv("XDG_DATA_HOME", folder, 1);
    make_folder("springtide");
    write_file("springtide/course", "");
    return 0;
}

static void test_the_list(void **state)
{
    (void)state;
    tide_course *course;
    const tide_course_lesson *lesson;
    assert_ok(tide_course_open(folder, &course, &error), error);
    assert_int_equal(course->count, 2);
    assert_string_equal(course->lessons[0].title, "01-springs");
    assert_string_equal(course->lessons[1].title, "Steps");
    assert_ok(tide_course_find(course, "2", &lesson, &error), error);
    assert_ptr_equal(lesson, &course->lessons[1]);
    assert_ok(tide_course_find(course, "01-springs", &lesson, &error), error);
    assert_ptr_equal(lesson, &course->lessons[0]);
    assert_ok(tide_course_find(course, course->lessons[1].folder, &lesson, &error), error);
    assert_ptr_equal(lesson, &course->lessons[1]);
    assert_fails(tide_course_find(course, "3", &lesson, &error), error, "there is no such lesson");
    assert_fails(tide_course_find(course, "", &lesson, &error), error, "there is no such lesson");
    tide_course_close(course);
}

static void test_progress(void **state)
{
    (void)state;
    tide_course *course;
    assert_ok(tide_course_open(folder, &course, &error), error);
    tide_course_read_progress(course); // an empty file
    assert_near(course->lessons[0].mark.of, 0, 0);
    assert_ok(tide_course_save_progress(course, "02-steps", (tide_points) { 2.5, 10 }, &error), error);
    assert_ok(tide_course_save_progress(course, "01-springs", (tide_points) { 4, 4 }, &error), error);
    assert_ok(tide_course_save_progress(course, "02-steps", (tide_points) { 1e-3, 10 }, &error), error);
    tide_course_close(course);
    assert_ok(tide_course_open(folder, &course, &error), error);
    tide_course_read_progress(course);
    assert_near(course->lessons[0].mark.points, 4, 0);
    assert_near(course->lessons[1].mark.points, 1e-3, 1e-12);
    assert_near(course->lessons[1].mark.of, 10, 0);
    tide_course_close(course);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_a_report),
    cmocka_unit_test(test_damaged_reports),
    cmocka_unit_test_setup(test_the_list, set_up),
    cmocka_unit_test_setup(test_progress, set_up),
};
TIDE_TEST_SUITE(session_lesson, tests)
