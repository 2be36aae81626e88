#define _POSIX_C_SOURCE 200809L
#include "session/progress.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/task.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void tide_progress_erase(tide_progress *progress)
{
    if (progress->shown)
        fputs("\r\033[K", stderr);
    progress->shown = false;
}

static void log_above(tide_log_level level, const char *message, void *context)
{
    tide_progress *progress = context;
    if (progress->quiet && level < TIDE_LOG_ERROR)
        return;
    tide_progress_erase(progress);
    tide_log_set_sink(NULL, NULL);
    tide_log(level, "%s", message);
    tide_log_set_sink(log_above, context);
}

static void show_task(void *context, const char *task, double seconds)
{
    tide_progress *progress = context;
    if (!task)
        tide_progress_erase(progress);
    else if (progress->terminal) {
        fprintf(stderr, "\r%s: %.1f s\033[K", task, seconds);
        progress->shown = true;
    }
}

void tide_progress_begin(tide_progress *progress)
{
    *progress = (tide_progress) { .terminal = isatty(STDERR_FILENO), .start = tide_clock_seconds() };
    tide_log_set_sink(log_above, progress);
    tide_task_listen(show_task, progress);
}

void tide_progress_show(tide_progress *progress, const char *what, uint64_t done, uint64_t of)
{
    double now = tide_clock_seconds();
    if (!progress->terminal || now - progress->start < 0.5 || now - progress->last < 0.1 || done == 0)
        return;
    double each = (now - progress->start) / (double)done;
    fprintf(stderr, "\r%" PRIu64 " of %" PRIu64 " %s, %.1f ms each, %.0f s to go\033[K", done, of, what, 1e3 * each,
            each * (double)(of - done));
    progress->last = now;
    progress->shown = true;
}

void tide_progress_end(tide_progress *progress)
{
    tide_task_listen(NULL, NULL);
    tide_log_set_sink(NULL, NULL);
    tide_progress_erase(progress);
}

static struct {
    tide_progress progress;
    char what[64]; // "": no progress is shown
} shown;

void tide_progress_note(const char *what, uint64_t done, uint64_t of)
{
    bool quiet = shown.progress.quiet;
    if (strcmp(what, shown.what) != 0)
        tide_progress_begin(&shown.progress);
    shown.progress.quiet = quiet;
    snprintf(shown.what, sizeof shown.what, "%s", done < of ? what : "");
    if (done < of)
        tide_progress_show(&shown.progress, what, done, of);
    else
        tide_progress_erase(&shown.progress);
}

void tide_progress_silence(bool silence)
{
    if (silence)
        tide_progress_begin(&shown.progress);
    else
        tide_progress_end(&shown.progress);
    shown.progress.quiet = silence;
    shown.what[0] = '\0';
}
