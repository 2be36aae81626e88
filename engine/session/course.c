#define _GNU_SOURCE // for realpath
#include "session/course.h"

#include "base/memory.h"
#include "base/places.h"
#include "session/file_copy.h"
#include "session/output.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// --- the list --------------------------------------------------------------------------------------------------------

// "06-local-global": two digits, a dash, a name.
static bool is_lesson_name(const char *name)
{
    return isdigit((unsigned char)name[0]) && isdigit((unsigned char)name[1]) && name[2] == '-' && name[3];
}

static void free_lesson(tide_course_lesson *lesson)
{
    tide_free(lesson->name);
    tide_free(lesson->folder);
    tide_free(lesson->title);
}

tide_status tide_course_path(const tide_course_lesson *lesson, const char *file, char *path, size_t size,
                             tide_error *error)
{
    return snprintf(path, size, "%s/%s", lesson->folder, file) < (int)size
               ? TIDE_OK
               : tide_fail(error, TIDE_ERROR_FILE, lesson->folder, NULL, NULL, "the path is too long");
}

tide_status tide_course_read(const tide_course_lesson *lesson, tide_document **document, tide_error *error)
{
    char path[PATH_MAX];
    TIDE_SCOPED char *bytes = NULL;
    size_t size;
    TIDE_TRY(tide_course_path(lesson, "lesson.md", path, sizeof path, error));
    TIDE_TRY(tide_read_whole(path, &bytes, &size, error));
    return tide_markdown_read(bytes, size, document, error);
}

static bool has_file(const tide_course_lesson *lesson, const char *file)
{
    char path[PATH_MAX];
    return tide_course_path(lesson, file, path, sizeof path, NULL) == TIDE_OK && access(path, R_OK) == 0;
}

// Removes the lesson's own number: "6. Local and global".
static void strip_number(tide_course_lesson *lesson)
{
    char *end;
    unsigned long number = strtoul(lesson->title, &end, 10);
    if (end != lesson->title && number == lesson->number && (*end == '.' || *end == ':') && end[1] == ' ')
        memmove(lesson->title, end + 2, strlen(end + 2) + 1);
}

static tide_status read_title(tide_course_lesson *lesson, tide_error *error)
{
    tide_document *document;
    TIDE_TRY(tide_course_read(lesson, &document, error));
    lesson->title = tide_document_title(document);
    tide_document_free(document);
    if (lesson->title)
        strip_number(lesson);
    if (lesson->title && !lesson->title[0]) {
        tide_free(lesson->title);
        lesson->title = tide_copy_string(lesson->name);
    }
    return lesson->title ? TIDE_OK : tide_fail_memory(error, "course");
}

static tide_status add_lesson(tide_course *course, const char *folder, const char *name, tide_error *error)
{
    char path[PATH_MAX];
    if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path)
        return TIDE_OK;
    tide_course_lesson lesson = { .number = (uint32_t)atoi(name),
                                  .name = tide_copy_string(name),
                                  .folder = tide_copy_string(path) };
    tide_status status = lesson.name && lesson.folder ? TIDE_OK : tide_fail_memory(error, "course");
    bool whole = status == TIDE_OK && has_file(&lesson, "lesson.md") && has_file(&lesson, "scene.lua");
    if (whole)
        status = read_title(&lesson, error);
    if (whole && status == TIDE_OK &&
        !tide_grow(&course->lessons, &course->capacity, course->count + 1, sizeof *course->lessons))
        status = tide_fail_memory(error, "course");
    if (whole && status == TIDE_OK)
        course->lessons[course->count++] = lesson;
    else
        free_lesson(&lesson);
    return status;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const tide_course_lesson *)a)->name, ((const tide_course_lesson *)b)->name);
}

static tide_status read_folder(tide_course *course, const char *folder, tide_error *error)
{
    DIR *listing = opendir(folder);
    if (!listing)
        return tide_fail(error, TIDE_ERROR_FILE, folder, NULL, NULL, "%s; it is to be a folder of lessons NN-name",
                         strerror(errno));
    tide_status status = TIDE_OK;
    for (struct dirent *entry = readdir(listing); entry && status == TIDE_OK; entry = readdir(listing))
        if (is_lesson_name(entry->d_name))
            status = add_lesson(course, folder, entry->d_name, error);
    closedir(listing);
    if (course->count)
        qsort(course->lessons, course->count, sizeof *course->lessons, by_name);
    if (status == TIDE_OK && !course->count)
        status = tide_fail(error, TIDE_ERROR_FILE, folder, NULL, NULL,
                           "there is no lesson in it: expected folders NN-name with lesson.md and scene.lua");
    return status;
}

tide_status tide_course_open(const char *folder, tide_course **out, tide_error *error)
{
    char found[PATH_MAX];
    if (!folder && !tide_place_find("scenes/course", ".", found, sizeof found))
        return tide_fail(error, TIDE_ERROR_FILE, "course", NULL, NULL,
                         "scenes/course is not found beside the program; set SPRINGTIDE_SCRIPTS to Springtide's folder "
                         "scripts, or name a folder by --lessons");
    tide_course *course = tide_allocate_zeroed(1, sizeof *course);
    if (!course)
        return tide_fail_memory(error, "course");
    tide_status status = read_folder(course, folder ? folder : found, error);
    if (status != TIDE_OK) {
        tide_course_close(course);
        return status;
    }
    *out = course;
    return TIDE_OK;
}

void tide_course_close(tide_course *course)
{
    if (!course)
        return;
    for (uint32_t i = 0; i < course->count; i++)
        free_lesson(&course->lessons[i]);
    tide_free(course->lessons);
    tide_free(course);
}

tide_status tide_course_find(const tide_course *course, const char *which, const tide_course_lesson **lesson,
                             tide_error *error)
{
    char *end, given[PATH_MAX], folder[PATH_MAX];
    unsigned long number = strtoul(which, &end, 10);
    bool is_number = isdigit((unsigned char)which[0]) && !*end, is_path = realpath(which, given) != NULL;
    for (uint32_t i = 0; i < course->count; i++) {
        const tide_course_lesson *one = &course->lessons[i];
        if ((is_number && one->number == number) || strcmp(which, one->name) == 0 ||
            (!is_number && is_path && realpath(one->folder, folder) && strcmp(given, folder) == 0)) {
            *lesson = one;
            return TIDE_OK;
        }
    }
    return tide_fail(error, TIDE_ERROR_ARGUMENT, "course", "LESSON", which,
                     "there is no such lesson; `springtide course` lists their numbers, %u to %u",
                     course->lessons[0].number, course->lessons[course->count - 1].number);
}
