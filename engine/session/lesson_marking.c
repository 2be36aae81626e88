#define _GNU_SOURCE
#include "session/lesson_marking.h"

#include "base/child.h"
#include "base/clock.h"
#include "base/decimal.h"
#include "base/memory.h"
#include "base/places.h"
#include "session/file_copy.h"
#include "session/scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LONGEST = 120 }; // s; a check has limits of its own, far below

struct tide_marking {
    char *lesson, *exercise, *folder; // folder NULL: the program's course
    char *scratch;                    // a temporary folder
    char report[PATH_MAX], messages[PATH_MAX], program[PATH_MAX];
    pid_t process; // 0: none
    double begun;
};

// --- the process -----------------------------------------------------------------------------------------------------

tide_status tide_marking_create(const char *lesson, const char *exercise, const char *folder, tide_marking **out,
                                tide_error *error)
{
    tide_marking *m = tide_allocate_zeroed(1, sizeof *m);
    if (!m)
        return tide_fail_memory(error, "lesson");
    m->lesson = tide_copy_string(lesson);
    m->exercise = tide_copy_string(exercise);
    m->folder = folder ? tide_copy_string(folder) : NULL;
    m->scratch = tide_scratch_make();
    bool good = m->lesson && m->exercise && (!folder || m->folder) && m->scratch &&
                tide_place_of_program(m->program, sizeof m->program) &&
                snprintf(m->report, sizeof m->report, "%s/report", m->scratch) < (int)sizeof m->report &&
                snprintf(m->messages, sizeof m->messages, "%s/messages", m->scratch) < (int)sizeof m->messages;
    if (!good) {
        bool homeless = !m->scratch;
        tide_marking_destroy(m);
        return homeless ? tide_fail(error, TIDE_ERROR_FILE, "lesson", NULL, NULL,
                                    "there is no folder for temporary files; set TMPDIR to one")
                        : tide_fail_memory(error, "lesson");
    }
    *out = m;
    return TIDE_OK;
}

static void end_process(tide_marking *m)
{
    if (!m->process)
        return;
    kill(-m->process, SIGKILL);
    while (waitpid(m->process, NULL, 0) < 0 && errno == EINTR)
        ;
    m->process = 0;
}

void tide_marking_destroy(tide_marking *m)
{
    if (!m)
        return;
    end_process(m);
    tide_scratch_remove(m->scratch);
    tide_free(m->scratch);
    tide_free(m->lesson);
    tide_free(m->exercise);
    tide_free(m->folder);
    tide_free(m);
}

// Starts the program in a process group of its own, with its output in a file.
static int start(tide_marking *m, const char *const *words)
{
    posix_spawn_file_actions_t files;
    int failed = posix_spawn_file_actions_init(&files);
    if (failed)
        return failed;
    failed = posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
    failed = failed ? failed : posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0);
    failed =
        failed ? failed : posix_spawn_file_actions_addopen(&files, 2, m->messages, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    return tide_spawn(&m->process, m->program, words, &files, failed);
}

tide_status tide_marking_begin(tide_marking *m, tide_error *error)
{
    end_process(m);
    unlink(m->report);
    const char *const words[] = { "springtide", "course",  m->lesson,
                                  "--mark",     "--file",  m->exercise,
                                  "--report",   m->report, m->folder ? "--lessons" : NULL,
                                  m->folder,    NULL };
    int failed = start(m, words);
    if (failed) {
        m->process = 0;
        return tide_fail(error, TIDE_ERROR_STATE, "lesson", NULL, NULL, "the exercise cannot be marked: %s",
                         strerror(failed));
    }
    m->begun = tide_clock_seconds();
    return TIDE_OK;
}

// Writes the last line that the process printed.
static void last_words(const tide_marking *m, char *text, size_t size)
{
    TIDE_SCOPED char *bytes = NULL;
    size_t length;
    snprintf(text, size, "the exercise could not be marked");
    if (tide_read_whole(m->messages, &bytes, &length, NULL) != TIDE_OK)
        return;
    while (length && bytes[length - 1] == '\n')
        bytes[--length] = '\0';
    const char *line = strrchr(bytes, '\n');
    if (length)
        snprintf(text, size, "%s", line ? line + 1 : bytes);
}

bool tide_marking_end(tide_marking *m, char **report, char *failure, size_t size)
{
    size_t length;
    int status = 0;
    if (!m->process)
        return false;
    *report = NULL;
    if (tide_clock_seconds() - m->begun > LONGEST) {
        end_process(m);
        snprintf(failure, size, "the exercise was not marked within %d s: does it end?", LONGEST);
        return true;
    }
    pid_t ended = waitpid(m->process, &status, WNOHANG);
    if (ended == 0 || (ended < 0 && errno == EINTR))
        return false;
    m->process = 0;
    if (tide_read_whole(m->report, report, &length, NULL) == TIDE_OK)
        return true;
    *report = NULL;
    last_words(m, failure, size);
    return true;
}

// --- the report ------------------------------------------------------------------------------------------------------

// Cuts the next field off.
static char *field(char **rest)
{
    return *rest ? strsep(rest, "\t") : NULL;
}

static bool number(char **rest, double *value)
{
    char *text = field(rest), *end;
    *value = text ? tide_parse_decimal(text, &end) : NAN;
    return text && end != text && !*end && isfinite(*value);
}

static bool read_check(char *rest, tide_lesson_check *check)
{
    bool good = number(&rest, &check->points) && number(&rest, &check->of);
    check->name = field(&rest);
    check->message = field(&rest);
    check->hint = field(&rest);
    return good && check->hint && !rest;
}

bool tide_marking_read(char *report, tide_lesson_check **checks, uint32_t *count, tide_points *total)
{
    enum { MOST = 1000 };
    size_t capacity = 0;
    bool good = true, ended = false;
    *checks = NULL;
    *count = 0;
    for (char *rest = report, *line; good && (line = strsep(&rest, "\n"));) {
        char *kind = field(&line);
        if (!kind || !kind[0])
            continue;
        if (strcmp(kind, "total") == 0)
            good = ended = !ended && number(&line, &total->points) && number(&line, &total->of) && !line;
        else {
            good = strcmp(kind, "check") == 0 && *count < MOST && line &&
                   tide_grow(checks, &capacity, *count + 1, sizeof **checks) && read_check(line, &(*checks)[*count]);
            *count += good;
        }
    }
    if (good && ended)
        return true;
    tide_free(*checks);
    *checks = NULL;
    *count = 0;
    return false;
}
