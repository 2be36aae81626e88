// Lessons of the course for the page: their texts, and the marks of an exercise.
#include "app/web_state.h"

#include "app/program.h"
#include "base/memory.h"
#include "session/course_html.h"
#include "session/file_copy.h"
#include "session/lesson_marking.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// Finds a lesson by its number. On success the caller closes the course.
static tide_status find(double number, tide_course **course, const tide_course_lesson **lesson, tide_error *error)
{
    char word[32];
    snprintf(word, sizeof word, "%u", (unsigned)tide_web_count(number, 1000));
    TIDE_TRY(tide_course_open(NULL, course, error));
    tide_status status = tide_course_find(*course, word, lesson, error);
    if (status != TIDE_OK)
        tide_course_close(*course);
    return status;
}

// --- texts -----------------------------------------------------------------------------------------------------------

static void add_file(tide_text *text, const char *key, const tide_course_lesson *lesson, const char *file)
{
    char path[PATH_MAX];
    TIDE_SCOPED char *bytes = NULL;
    size_t size;
    tide_error unread;
    bool there = tide_course_path(lesson, file, path, sizeof path, &unread) == TIDE_OK &&
                 tide_read_whole(path, &bytes, &size, &unread) == TIDE_OK;
    tide_json_string(text, key, there ? bytes : NULL);
}

TIDE_WEB_CALL void tide_web_lesson(double number)
{
    tide_course *course;
    const tide_course_lesson *lesson;
    tide_error error;
    TIDE_SCOPED_BY(tide_text_free) tide_text html = { 0 };
    if (find(number, &course, &lesson, &error) != TIDE_OK) {
        tide_web_tell_error("message", &error, "");
        return;
    }
    const tide_course_page page = { .course = course, .lesson = (uint32_t)(lesson - course->lessons) };
    if (tide_course_write_text(&page, &html, &error) == TIDE_OK) {
        tide_text *text = tide_web_tell("lesson");
        tide_json_count(text, "number", lesson->number);
        tide_json_string(text, "name", lesson->name);
        tide_json_string(text, "title", lesson->title);
        tide_json_string(text, "html", html.bytes);
        add_file(text, "scene", lesson, "scene.lua");
        add_file(text, "exercise", lesson, "exercise.lua");
        tide_web_told();
    } else
        tide_web_tell_error("message", &error, "");
    tide_course_close(course);
}

// --- marks -----------------------------------------------------------------------------------------------------------

static void tell_marks(uint64_t number, const tide_lesson_check *checks, uint32_t count, const tide_points *total,
                       const char *failure)
{
    tide_text *text = tide_web_tell("marked");
    tide_json_count(text, "number", number);
    tide_json_number(text, "points", total->points);
    tide_json_number(text, "of", total->of);
    tide_json_open(text, "checks", '[');
    for (uint32_t i = 0; i < count; i++) {
        tide_json_open(text, NULL, '{');
        tide_json_string(text, "name", checks[i].name);
        tide_json_number(text, "points", checks[i].points);
        tide_json_number(text, "of", checks[i].of);
        tide_json_string(text, "message", checks[i].message);
        tide_json_string(text, "hint", checks[i].hint);
        tide_json_close(text, '}');
    }
    tide_json_close(text, ']');
    tide_json_string(text, "failure", failure);
    tide_web_told();
}

// Marks the submission into a report, a file beside it, and reads the report.
static tide_status mark(const tide_course_lesson *lesson, const char *path, double seed, char **bytes,
                        tide_lesson_check **checks, uint32_t *count, tide_points *total, tide_lab_failure *failure)
{
    char report[PATH_MAX];
    size_t size;
    if (snprintf(report, sizeof report, "%s.report", path) >= (int)sizeof report)
        return tide_fail(&failure->error, TIDE_ERROR_ARGUMENT, "mark", "file", NULL, "the path is too long");
    const tide_lab_option given[] = { { "file", path, -1 },
                                      { "report", report, -1 },
                                      { "quiet", NULL, 1 },
                                      { "seed", NULL, seed > 0 ? (double)tide_web_count(seed, 1000000000) : -1 },
                                      { 0 } };
    const char *const subjects[] = { lesson->folder, NULL };
    const tide_scene_options scene = { .memory_limit = TIDE_NOT_GIVEN };
    TIDE_TRY(tide_module_call("springtide.commands.course_mark", subjects, given, &scene, NULL, failure));
    tide_status status = tide_read_whole(report, bytes, &size, &failure->error);
    unlink(report);
    if (status == TIDE_OK && !tide_marking_read(*bytes, checks, count, total))
        status =
            tide_fail(&failure->error, TIDE_ERROR_FORMAT, "mark", NULL, NULL, "the report of the marks is damaged");
    return status;
}

TIDE_WEB_CALL void tide_web_mark(double number, const char *path, double seed)
{
    tide_course *course;
    const tide_course_lesson *lesson;
    tide_lab_failure failure = { 0 };
    TIDE_SCOPED char *bytes = NULL;
    TIDE_SCOPED tide_lesson_check *checks = NULL;
    uint32_t count = 0;
    tide_points total = { 0 };
    char text[1200] = "";
    tide_status status = find(number, &course, &lesson, &failure.error);
    if (status == TIDE_OK) {
        status = mark(lesson, path, seed, &bytes, &checks, &count, &total, &failure);
        tide_course_close(course);
    }
    if (status != TIDE_OK && !failure.message[0])
        tide_error_text(&failure.error, text, sizeof text);
    const char *message = failure.message[0] ? failure.message : text;
    tell_marks(tide_web_count(number, 1000), checks, count, &total, status == TIDE_OK ? NULL : message);
}
