// The file of what is done: after a first line, one line for each lesson, "NAME POINTS OF". A line that is not so, of a
// damaged file, is left out at the next save.
#define _POSIX_C_SOURCE 200809L
#include "session/course.h"

#include "base/decimal.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/text.h"
#include "session/file_copy.h"
#include "session/output.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char head[] = "Springtide course 1: a line for each lesson, its name, points, and points that there are.";

static bool find_path(char path[PATH_MAX])
{
    const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
    int length = -1;
    if (data && data[0] == '/') // the XDG Base Directory Specification says to ignore relative paths
        length = snprintf(path, PATH_MAX, "%s/springtide/course", data);
    else if (home && home[0] == '/')
        length = snprintf(path, PATH_MAX, "%s/.local/share/springtide/course", home);
    return length >= 0 && length < PATH_MAX;
}

static bool read_number(const char *text, double *number)
{
    char *end;
    *number = tide_parse_decimal(text, &end);
    return end != text && !*end && isfinite(*number);
}

static void write_line(tide_text *text, const char *name, tide_points mark)
{
    char numbers[80];
    tide_format(numbers, sizeof numbers, "%.10g %.10g", mark.points, mark.of);
    tide_text_format(text, "%s %s\n", name, numbers);
}

// Reads "NAME POINTS OF"; the name is cut off from the line.
static bool read_line(char *line, tide_points *mark)
{
    char *points = strchr(line, ' '), *of = points ? strchr(points + 1, ' ') : NULL;
    if (!of || points == line)
        return false;
    *points++ = '\0';
    *of++ = '\0';
    return read_number(points, &mark->points) && read_number(of, &mark->of) && mark->of > 0 && mark->of <= 1e6 &&
           mark->points >= 0 && mark->points <= mark->of;
}

// Calls `visit` for each line that is sound. Returns how many are not.
static uint32_t each_line(const char *path, void (*visit)(void *context, const char *name, tide_points mark),
                          void *context)
{
    TIDE_SCOPED char *bytes = NULL;
    size_t size;
    uint32_t damaged = 0;
    char *rest = NULL;
    if (access(path, F_OK) != 0)
        return 0;
    if (tide_read_whole(path, &bytes, &size, NULL) != TIDE_OK)
        return 1;
    for (char *line = strtok_r(bytes, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        tide_points mark;
        if (strcmp(line, head) == 0)
            continue;
        if (read_line(line, &mark))
            visit(context, line, mark);
        else
            damaged++;
    }
    return damaged;
}

static void set_mark(void *context, const char *name, tide_points mark)
{
    tide_course *course = context;
    for (uint32_t i = 0; i < course->count; i++)
        if (strcmp(course->lessons[i].name, name) == 0)
            course->lessons[i].mark = mark;
}

void tide_course_read_progress(tide_course *course)
{
    char path[PATH_MAX];
    if (!find_path(path))
        return;
    uint32_t damaged = each_line(path, set_mark, course);
    if (damaged)
        tide_log(TIDE_LOG_WARNING, "%s: %u lines are damaged and left out", path, damaged);
}

typedef struct rewriting {
    tide_text text;
    const char *name; // whose line is written anew
} rewriting;

static void keep_line(void *context, const char *name, tide_points mark)
{
    rewriting *r = context;
    if (strcmp(name, r->name) != 0)
        write_line(&r->text, name, mark);
}

tide_status tide_course_save_progress(tide_course *course, const char *name, tide_points mark, tide_error *error)
{
    char path[PATH_MAX];
    set_mark(course, name, mark);
    if (!find_path(path))
        return tide_fail(error, TIDE_ERROR_FILE, "course", NULL, NULL,
                         "there is no folder for what is done; set HOME or XDG_DATA_HOME");
    rewriting r = { .name = name };
    tide_text_format(&r.text, "%s\n", head);
    each_line(path, keep_line, &r);
    write_line(&r.text, name, mark);
    tide_status status = tide_make_folders(path, error);
    if (status == TIDE_OK)
        status = tide_text_save(&r.text, path, path, error);
    tide_text_free(&r.text);
    return status;
}
