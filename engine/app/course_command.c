// `course`: lists the lessons, opens one in the window, marks an exercise, writes the pages.
#define _POSIX_C_SOURCE 200809L
#include "app/commands.h"
#include "app/course_pages.h"
#include "app/program.h"

#include "base/memory.h"
#include "session/file_copy.h"
#include "session/job.h"
#include "session/lesson_marking.h"
#include "session/output.h"
#include "session/scratch.h"

#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct course_options {
    tide_run_options run; // of the window
    const char *lessons, *work, *html, *file, *report;
    bool mark;
} course_options;

// --- the list --------------------------------------------------------------------------------------------------------

static tide_exit list(const tide_course *course)
{
    const tide_course_lesson *next = NULL;
    uint32_t done = 0;
    for (uint32_t i = 0; i < course->count; i++) {
        const tide_course_lesson *lesson = &course->lessons[i];
        const tide_points mark = lesson->mark;
        bool full = mark.of > 0 && mark.points >= mark.of;
        done += full;
        next = next || full ? next : lesson;
        printf("%3u  %-56s  ", lesson->number, lesson->title);
        if (mark.of > 0)
            printf("%.4g of %.4g%s\n", mark.points, mark.of, full ? ", done" : "");
        else
            printf("-\n");
    }
    printf("%u of %u lessons are done.", done, course->count);
    if (next)
        printf(" `springtide course %u` opens the %s.", next->number, done ? "next" : "first");
    printf("\n");
    return TIDE_EXIT_DONE;
}

// --- a lesson --------------------------------------------------------------------------------------------------------

// Writes the path of the student's exercise.
static tide_status find_exercise(const course_options *options, const tide_course_lesson *lesson, char *exercise,
                                 tide_error *error)
{
    int length = options->file ? snprintf(exercise, PATH_MAX, "%s", options->file)
                               : snprintf(exercise, PATH_MAX, "%s/%s/exercise.lua",
                                          options->work ? options->work : "course", lesson->name);
    return length < PATH_MAX
               ? TIDE_OK
               : tide_fail(error, TIDE_ERROR_ARGUMENT, "command line", "--work", NULL, "the path is too long");
}

// The same, and copies it there if there is none.
static tide_status prepare(const course_options *options, const tide_course_lesson *lesson, char *exercise,
                           tide_error *error)
{
    char from[PATH_MAX];
    TIDE_TRY(find_exercise(options, lesson, exercise, error));
    TIDE_TRY(tide_course_path(lesson, "exercise.lua", from, sizeof from, error));
    TIDE_TRY(tide_make_folders(exercise, error));
    if (access(exercise, F_OK) == 0) {
        printf("%s: goes on as it is\n", exercise);
        return TIDE_OK;
    }
    TIDE_TRY(tide_copy_file(from, exercise, error));
    printf("%s: edit and save it; it is marked at every save\n", exercise);
    return TIDE_OK;
}

// Runs the lesson in the window. Takes the course.
static tide_status open_window(const course_options *options, tide_course *course, const tide_course_lesson *which,
                               tide_exit *exit, tide_error *error)
{
    char exercise[PATH_MAX];
    tide_lesson *lesson;
    tide_status status = prepare(options, which, exercise, error);
    if (status != TIDE_OK) {
        tide_course_close(course);
        return status;
    }
    fflush(stdout);
    tide_job_catch_signals(); // so that the marking ends with the program
    TIDE_TRY(tide_lesson_open(course, which, exercise, options->lessons, &lesson, error));
    tide_run_options run = options->run;
    run.scene.path = lesson->scene;
    run.scene.portable = true; // as the exercise is marked, and as on the page
    run.lesson = lesson;
    *exit = tide_run(&run);
    tide_lesson_close(lesson);
    return TIDE_OK;
}

// --- marks -----------------------------------------------------------------------------------------------------------

// Reads the report of a marking that succeeded, and keeps its points.
static tide_status keep_points(tide_course *course, const char *name, const char *report, tide_error *error)
{
    TIDE_SCOPED char *bytes = NULL;
    size_t size;
    tide_lesson_check *checks;
    uint32_t count;
    tide_points total;
    TIDE_TRY(tide_read_whole(report, &bytes, &size, error));
    if (!tide_marking_read(bytes, &checks, &count, &total))
        return tide_fail(error, TIDE_ERROR_FORMAT, report, NULL, NULL, "the report of the marks is damaged");
    tide_free(checks);
    return tide_course_save_progress(course, name, total, error);
}

static tide_status mark_into(const course_options *options, tide_course *course, const tide_course_lesson *lesson,
                             const char *report, tide_exit *exit, tide_error *error)
{
    char exercise[PATH_MAX];
    TIDE_TRY(find_exercise(options, lesson, exercise, error));
    const tide_lab_option given[] = {
        { "file", exercise, -1 }, { "report", report, -1 }, { "quiet", NULL, options->report ? 1 : 0 }, { 0 }
    };
    const char *const subjects[] = { lesson->folder, NULL };
    *exit = tide_module_run("springtide.commands.course_mark", subjects, given, &options->run.scene, NULL);
    return *exit == TIDE_EXIT_DONE && !options->report ? keep_points(course, lesson->name, report, error) : TIDE_OK;
}

static tide_status mark(const course_options *options, tide_course *course, const tide_course_lesson *lesson,
                        tide_exit *exit, tide_error *error)
{
    char report[PATH_MAX];
    if (options->report)
        return mark_into(options, course, lesson, options->report, exit, error);
    TIDE_SCOPED char *folder = tide_scratch_make();
    if (!folder || snprintf(report, sizeof report, "%s/report", folder) >= (int)sizeof report)
        return tide_fail(error, TIDE_ERROR_FILE, "course", NULL, NULL,
                         "there is no folder for temporary files; set TMPDIR to one");
    tide_status status = mark_into(options, course, lesson, report, exit, error);
    tide_scratch_remove(folder);
    return status;
}

// --- the command -----------------------------------------------------------------------------------------------------

static tide_status run_course(const course_options *options, const char *which, tide_exit *exit, tide_error *error)
{
    tide_course *course;
    const tide_course_lesson *lesson = NULL;
    if (options->mark && !which)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, "command line", "--mark", NULL, "goes with a lesson's number");
    TIDE_TRY(tide_course_open(options->lessons, &course, error));
    tide_course_read_progress(course);
    tide_status status = which ? tide_course_find(course, which, &lesson, error) : TIDE_OK;
    if (status == TIDE_OK && options->html)
        status = tide_course_write_pages(course, options->html, error);
    else if (status == TIDE_OK && options->mark)
        status = mark(options, course, lesson, exit, error);
    else if (status == TIDE_OK && which)
        return open_window(options, course, lesson, exit, error);
    else if (status == TIDE_OK)
        *exit = list(course);
    tide_course_close(course);
    return status;
}

static tide_exit run_command(const char *const *subjects, void *options)
{
    tide_exit exit = TIDE_EXIT_DONE;
    tide_error error;
    if (run_course(options, subjects[0], &exit, &error) == TIDE_OK)
        return exit;
    tide_report_error(&error);
    return error.status == TIDE_ERROR_ARGUMENT ? TIDE_EXIT_USAGE : TIDE_EXIT_FAILED;
}

#define AT(member) .offset = offsetof(course_options, member)
static const tide_option options[] = {
    { "--mark", NULL, "mark the exercise of this lesson, without a window", tide_option_switch, AT(mark) },
    { "--html", "DIR", "write all lessons as pages, with pictures of their scenes", tide_option_text, AT(html),
      .expected = "the name of a folder" },
    { "--work", "DIR", "your folder: the exercise is DIR/NN-name/exercise.lua (course)", tide_option_text, AT(work),
      .expected = "the name of a folder" },
    { "--file", "FILE", "your exercise is this file", tide_option_text, AT(file), .expected = "the name of a file" },
    { "--report", "FILE", "with --mark: write the marks there, a line for each check, with tabs between its fields",
      tide_option_text, AT(report), .expected = "the name of a file" },
    { "--lessons", "DIR", "the folder of the lessons (scenes/course)", tide_option_text, AT(lessons),
      .expected = "the name of a folder" },
    { .more = tide_run_option_table },
};

const tide_command tide_command_course = {
    "course",
    "[LESSON]",
    "list the lessons of the course; open one in the window",

    "Without LESSON it lists the lessons with your points. `springtide course 6` copies the exercise of lesson 6 to\n"
    "course/NN-name/exercise.lua, unless it is there, and opens the lesson: its text beside the scene. Edit the\n"
    "exercise in an editor of your own; it is marked at every save, and the panel shows the points, what failed, and\n"
    "hints. L switches between the demonstration and your exercise.\n"
    "The points are kept in $XDG_DATA_HOME/springtide/course (~/.local/share/springtide/course).",
    .also = "run",
    .options = options,
    .size = sizeof(course_options),
    .run = run_command
};
