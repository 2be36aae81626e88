#include "session/lesson.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/memory.h"
#include "session/lesson_marking.h"
#include "session/watch.h"

#include <limits.h>
#include <stdio.h>

typedef struct open_lesson {
    tide_lesson lesson; // first: a tide_lesson is one of these
    tide_watch *watch;  // of the exercise
    char *report;       // the bytes of the checks
} open_lesson;

static open_lesson *of(tide_lesson *lesson)
{
    return (open_lesson *)lesson;
}

// --- marks -----------------------------------------------------------------------------------------------------------

static void fail(tide_lesson *lesson, const tide_error *error)
{
    lesson->state = TIDE_LESSON_FAILED;
    tide_error_text(error, lesson->failure, sizeof lesson->failure);
}

static void begin(tide_lesson *lesson)
{
    tide_error error;
    lesson->state = TIDE_LESSON_MARKING;
    if (tide_marking_begin(lesson->marking, &error) != TIDE_OK)
        fail(lesson, &error);
}

// Takes a report; its bytes stay as long as the checks.
static void take(tide_lesson *lesson, char *report)
{
    tide_lesson_check *checks;
    uint32_t count;
    tide_points total;
    tide_error error;
    char message[1200];
    if (!tide_marking_read(report, &checks, &count, &total)) {
        tide_free(report);
        lesson->state = TIDE_LESSON_FAILED;
        snprintf(lesson->failure, sizeof lesson->failure, "the marks of the exercise came damaged; save it again");
        return;
    }
    tide_free(lesson->checks);
    tide_free(of(lesson)->report);
    of(lesson)->report = report;
    lesson->checks = checks;
    lesson->check_count = count;
    lesson->points = total.points;
    lesson->of = total.of;
    lesson->state = TIDE_LESSON_MARKED;
    if (tide_course_save_progress(lesson->course, lesson->lesson->name, total, &error) != TIDE_OK)
        tide_log(TIDE_LOG_WARNING, "%s", tide_error_text(&error, message, sizeof message));
}

void tide_lesson_stop(tide_lesson *lesson)
{
    tide_marking_destroy(lesson->marking);
    lesson->marking = NULL;
}

bool tide_lesson_poll(tide_lesson *lesson)
{
    uint32_t changes;
    char *report;
    if (!lesson->marking)
        return false;
    tide_watch_poll(of(lesson)->watch, tide_clock_seconds(), &changes);
    if (changes) {
        tide_watch_begin(of(lesson)->watch);
        begin(lesson);
        return true;
    }
    if (lesson->state != TIDE_LESSON_MARKING ||
        !tide_marking_end(lesson->marking, &report, lesson->failure, sizeof lesson->failure))
        return false;
    lesson->marked++;
    if (report)
        take(lesson, report);
    else
        lesson->state = TIDE_LESSON_FAILED;
    return true;
}

// --- opening and closing ---------------------------------------------------------------------------------------------

static tide_status watch(tide_lesson *lesson, tide_error *error)
{
    TIDE_TRY(tide_watch_create(&of(lesson)->watch, error));
    tide_watch_begin(of(lesson)->watch);
    return tide_watch_files(of(lesson)->watch, (const char *const[]) { lesson->exercise }, 1, error);
}

tide_status tide_lesson_open(tide_course *course, const tide_course_lesson *which, const char *exercise,
                             const char *lessons, tide_lesson **out, tide_error *error)
{
    char scene[PATH_MAX];
    open_lesson *open = tide_allocate_zeroed(1, sizeof *open);
    if (!open) {
        tide_course_close(course);
        return tide_fail_memory(error, "lesson");
    }
    tide_lesson *lesson = &open->lesson;
    lesson->course = course;
    lesson->lesson = which;
    tide_status status = tide_course_path(which, "scene.lua", scene, sizeof scene, error);
    lesson->scene = status == TIDE_OK ? tide_copy_string(scene) : NULL;
    lesson->exercise = tide_copy_string(exercise);
    if (status == TIDE_OK && (!lesson->scene || !lesson->exercise))
        status = tide_fail_memory(error, "lesson");
    if (status == TIDE_OK)
        status = tide_course_read(which, &lesson->document, error);
    if (status == TIDE_OK)
        status = tide_marking_create(which->name, exercise, lessons, &lesson->marking, error);
    if (status == TIDE_OK)
        status = watch(lesson, error);
    if (status != TIDE_OK) {
        tide_lesson_close(lesson);
        return status;
    }
    begin(lesson);
    *out = lesson;
    return TIDE_OK;
}

void tide_lesson_close(tide_lesson *lesson)
{
    if (!lesson)
        return;
    open_lesson *open = of(lesson);
    tide_lesson_stop(lesson);
    tide_watch_destroy(open->watch);
    tide_document_free(lesson->document);
    tide_free(lesson->checks);
    tide_free(open->report);
    tide_free(lesson->scene);
    tide_free(lesson->exercise);
    tide_course_close(lesson->course);
    tide_free(lesson);
}
