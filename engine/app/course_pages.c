// `course --html`: files and pictures of the pages.
#define _POSIX_C_SOURCE 200809L
#include "app/course_pages.h"

#include "base/log.h"
#include "base/memory.h"
#include "session/course_html.h"
#include "session/file_copy.h"
#include "session/live.h"
#include "session/output.h"
#include "session/picture.h"
#include "session/progress.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { PICTURE_FRAME = 60, PICTURE_WIDTH = 960, PICTURE_HEIGHT = 540 };

typedef struct pages {
    const tide_course *course;
    const char *folder;
    uint32_t lesson;
    bool *has_picture; // (course->count)
    char file[PATH_MAX];
} pages;

static tide_status path_in(const pages *p, const char *file, char *path, tide_error *error)
{
    return snprintf(path, PATH_MAX, "%s/%s", p->folder, file) < PATH_MAX
               ? tide_make_folders(path, error)
               : tide_fail(error, TIDE_ERROR_FILE, p->folder, NULL, NULL, "the path is too long");
}

static tide_status save(const pages *p, const char *file, const char *ending, tide_text *text, tide_error *error)
{
    char path[PATH_MAX], name[NAME_MAX + 1];
    snprintf(name, sizeof name, "%s%s", file, ending);
    tide_status status = path_in(p, name, path, error);
    if (status == TIDE_OK)
        status = tide_text_save(text, path, path, error);
    tide_text_free(text);
    return status;
}

// --- pictures --------------------------------------------------------------------------------------------------------

static tide_status draw(tide_live *live, const char *path, tide_error *error)
{
    tide_picture picture = { 0 };
    for (int frame = 0; frame < PICTURE_FRAME && tide_live_step(live, NULL) == TIDE_OK;)
        frame++; // a scene may be made to blow up: its last sound frame is drawn
    tide_status status =
        tide_picture_create(&picture, tide_live_script(live), PICTURE_WIDTH, PICTURE_HEIGHT, false, error);
    picture.part = (tide_camera_part) { 0, 0, 1, 1 };
    if (status == TIDE_OK)
        status = tide_picture_draw(&picture, tide_live_script(live), true, error);
    if (status == TIDE_OK)
        status = tide_image_write_png(&picture.image, path, error);
    tide_picture_free(&picture);
    return status;
}

// A lesson whose scene fails has no picture, and its page tells nothing of it.
static void draw_lesson(pages *p)
{
    char scene[PATH_MAX], path[PATH_MAX], file[NAME_MAX + 1], message[1200];
    const tide_course_lesson *lesson = &p->course->lessons[p->lesson];
    tide_live *live = NULL;
    tide_error error;
    snprintf(file, sizeof file, "%s.png", lesson->name);
    tide_progress_silence(true); // a lesson may show what goes wrong
    tide_status status = tide_course_path(lesson, "scene.lua", scene, sizeof scene, &error);
    if (status == TIDE_OK)
        status = path_in(p, file, path, &error);
    if (status == TIDE_OK)
        status = tide_live_open(&(tide_live_options) { .scene = scene, .time_limit = 60 }, &live, &error);
    if (status == TIDE_OK)
        status = draw(live, path, &error);
    tide_live_close(live);
    tide_progress_silence(false);
    p->has_picture[p->lesson] = status == TIDE_OK;
    if (status != TIDE_OK)
        tide_log(TIDE_LOG_WARNING, "%s: no picture: %s", lesson->name,
                 tide_error_text(&error, message, sizeof message));
}

static const char *picture_of(void *context, uint32_t lesson)
{
    pages *p = context;
    snprintf(p->file, sizeof p->file, "%s.png", p->course->lessons[lesson].name);
    return p->has_picture[lesson] ? p->file : NULL;
}

// --- pages -----------------------------------------------------------------------------------------------------------

// Copies a file of the lesson that its text links to. The solution stays where it is.
static bool offer(void *context, const char *file)
{
    const pages *p = context;
    char from[PATH_MAX], to[PATH_MAX], name[2 * NAME_MAX + 2], message[1200];
    tide_error error;
    const tide_course_lesson *lesson = &p->course->lessons[p->lesson];
    TIDE_SCOPED char *bytes = NULL;
    size_t size;
    if (strcmp(file, "solution.lua") == 0 || strcmp(file, "check.lua") == 0 ||
        tide_course_path(lesson, file, from, sizeof from, NULL) != TIDE_OK || access(from, R_OK) != 0)
        return false;
    tide_text text = { 0 };
    snprintf(name, sizeof name, "%s/%s", lesson->name, file);
    tide_status status = path_in(p, name, to, &error);
    if (status == TIDE_OK)
        status = tide_read_whole(from, &bytes, &size, &error);
    if (status == TIDE_OK) {
        tide_text_add(&text, bytes, size);
        status = tide_text_save(&text, to, to, &error);
        tide_text_free(&text);
    }
    if (status != TIDE_OK)
        tide_log(TIDE_LOG_WARNING, "%s", tide_error_text(&error, message, sizeof message));
    return status == TIDE_OK;
}

static tide_status write_lesson(pages *p, tide_error *error)
{
    char path[PATH_MAX];
    TIDE_SCOPED char *exercise = NULL;
    size_t size;
    tide_text html = { 0 };
    const tide_course_lesson *lesson = &p->course->lessons[p->lesson];
    TIDE_TRY(tide_course_path(lesson, "exercise.lua", path, sizeof path, error));
    if (access(path, R_OK) == 0)
        TIDE_TRY(tide_read_whole(path, &exercise, &size, error));
    tide_course_page page = { .course = p->course,
                              .lesson = p->lesson,
                              .picture = picture_of(p, p->lesson),
                              .exercise = exercise,
                              .offer = offer,
                              .context = p };
    tide_status status = tide_course_write_page(&page, &html, error);
    if (status == TIDE_OK)
        return save(p, lesson->name, ".html", &html, error);
    tide_text_free(&html);
    return status;
}

tide_status tide_course_write_pages(const tide_course *course, const char *folder, tide_error *error)
{
    TIDE_SCOPED bool *has_picture = tide_allocate_zeroed(course->count, sizeof *has_picture);
    if (!has_picture)
        return tide_fail_memory(error, "course");
    pages p = { .course = course, .folder = folder, .has_picture = has_picture };
    tide_progress progress;
    tide_status status = TIDE_OK;
    tide_progress_begin(&progress);
    for (p.lesson = 0; p.lesson < course->count && status == TIDE_OK; p.lesson++) {
        draw_lesson(&p);
        status = write_lesson(&p, error);
        tide_progress_show(&progress, "lessons", p.lesson + 1, course->count);
    }
    tide_progress_end(&progress);
    TIDE_TRY(status);
    tide_text index = { 0 }, style = { 0 };
    tide_course_write_index(course, picture_of, &p, &index);
    tide_text_format(&style, "%s", tide_course_style());
    TIDE_TRY(save(&p, "index", ".html", &index, error));
    return save(&p, "style", ".css", &style, error);
}
