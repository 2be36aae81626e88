#define _GNU_SOURCE // posix_spawn_file_actions_addclosefrom_np
#include "base/child.h"

#include "base/clock.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

enum { AT_ONCE = 64 }; // children that one poll looks at

static void shut(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

bool tide_pipe_make(int ends[2])
{
    int low[2];
    if (pipe(low) != 0)
        return false;
    for (int i = 0; i < 2; i++)
        ends[i] = fcntl(low[i], F_DUPFD_CLOEXEC, 3);
    int reason = errno;
    close(low[0]);
    close(low[1]);
    if (ends[0] >= 0 && ends[1] >= 0)
        return true;
    shut(&ends[0]);
    shut(&ends[1]);
    errno = reason;
    return false;
}

// --- starting --------------------------------------------------------------------------------------------------------

// A file action may not replace a descriptor by itself: it would stay closed on exec.
static int move_up(int *fd)
{
    if (*fd > TIDE_CHILD_REPORT)
        return 0;
    int moved = fcntl(*fd, F_DUPFD_CLOEXEC, TIDE_CHILD_REPORT + 1);
    if (moved < 0)
        return errno;
    close(*fd);
    *fd = moved;
    return 0;
}

int tide_spawn(pid_t *id, const char *program, const char *const *words, posix_spawn_file_actions_t *files, int failed)
{
    posix_spawnattr_t attributes;
    sigset_t none, usual;
    failed = failed ? failed : posix_spawnattr_init(&attributes);
    if (!failed) {
        sigemptyset(&none);
        sigemptyset(&usual);
        sigaddset(&usual, SIGPIPE);
        sigaddset(&usual, SIGINT);
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
        posix_spawnattr_setpgroup(&attributes, 0);
        posix_spawnattr_setsigmask(&attributes, &none);
        posix_spawnattr_setsigdefault(&attributes, &usual);
        // posix_spawnp does not change the words.
        failed = posix_spawnp(id, program, files, &attributes, (char *const *)(uintptr_t)words, environ);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(files);
    return failed;
}

// Closes all files from this one on in the program. glibc before 2.34 lacks the action: there it closes those that are
// open now.
#pragma weak posix_spawn_file_actions_addclosefrom_np
static int close_from(posix_spawn_file_actions_t *files, int first)
{
    int (*const add)(posix_spawn_file_actions_t *, int) = posix_spawn_file_actions_addclosefrom_np;
    if (add)
        return add(files, first);
    DIR *open_files = opendir("/proc/self/fd");
    int failed = open_files ? 0 : errno;
    for (struct dirent *entry; !failed && (entry = readdir(open_files));) {
        int fd = atoi(entry->d_name);
        if (fd >= first && fd != dirfd(open_files))
            failed = posix_spawn_file_actions_addclose(files, fd);
    }
    if (open_files)
        closedir(open_files);
    return failed;
}

static int spawn(pid_t *id, const char *const *words, int output, int report)
{
    posix_spawn_file_actions_t files;
    int failed = posix_spawn_file_actions_init(&files);
    if (failed)
        return failed;
    failed = posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
    failed = failed ? failed : posix_spawn_file_actions_adddup2(&files, output, 1);
    failed = failed ? failed : posix_spawn_file_actions_adddup2(&files, output, 2);
    failed = failed ? failed : posix_spawn_file_actions_adddup2(&files, report, TIDE_CHILD_REPORT);
    failed = failed ? failed : close_from(&files, TIDE_CHILD_REPORT + 1);
    return tide_spawn(id, words[0], words, &files, failed);
}

tide_status tide_child_start(tide_child *child, const char *const *words, double seconds, tide_error *error)
{
    int output[2] = { -1, -1 }, report[2] = { -1, -1 };
    *child = (tide_child) { .output_end = -1, .report_end = -1, .ended = true };
    int failed = tide_pipe_make(output) && tide_pipe_make(report) ? 0 : errno;
    failed = failed ? failed : move_up(&output[1]);
    failed = failed ? failed : move_up(&report[1]);
    failed = failed ? failed : spawn(&child->id, words, output[1], report[1]);
    shut(&output[1]);
    shut(&report[1]);
    if (failed) {
        shut(&output[0]);
        shut(&report[0]);
        return tide_fail(error, TIDE_ERROR_STATE, words[0], NULL, NULL, "cannot be started: %s", strerror(failed));
    }
    fcntl(output[0], F_SETFL, O_NONBLOCK);
    fcntl(report[0], F_SETFL, O_NONBLOCK);
    child->output_end = output[0];
    child->report_end = report[0];
    child->deadline = tide_clock_seconds() + seconds;
    child->ended = false;
    return TIDE_OK;
}

// --- listening -------------------------------------------------------------------------------------------------------

// Reads what there is, and closes the pipe at its end or once `most` bytes are there. Returns whether there was more.
static bool drain(int *fd, tide_text *text, size_t most)
{
    char bytes[4096];
    ssize_t count;
    while (*fd >= 0 && (count = read(*fd, bytes, sizeof bytes)) != 0) {
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
            return false;
        if (count < 0)
            break;
        size_t room = most - text->length, kept = (size_t)count < room ? (size_t)count : room;
        tide_text_add(text, bytes, kept);
        if ((size_t)count > room) {
            shut(fd);
            return true;
        }
    }
    shut(fd);
    return false;
}

static void kill_group(const tide_child *child)
{
    kill(-child->id, SIGKILL);
    kill(child->id, SIGKILL); // before its group exists
}

static void note_end(tide_child *child, int status)
{
    drain(&child->output_end, &child->output, TIDE_CHILD_MOST_OUTPUT);
    drain(&child->report_end, &child->report, TIDE_CHILD_MOST_REPORT);
    shut(&child->output_end);
    shut(&child->report_end);
    kill(-child->id, SIGKILL); // what it may have left behind
    child->ended = true;
    child->end = child->overtime ? TIDE_CHILD_OVERTIME : WIFSIGNALED(status) ? TIDE_CHILD_SIGNAL : TIDE_CHILD_EXIT;
    child->code = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
}

// Reads from a child that runs. Returns whether it has ended.
static bool attend(tide_child *child)
{
    int status = 0;
    drain(&child->output_end, &child->output, TIDE_CHILD_MOST_OUTPUT);
    bool excessive = drain(&child->report_end, &child->report, TIDE_CHILD_MOST_REPORT);
    child->overtime = child->overtime || tide_clock_seconds() >= child->deadline;
    if (excessive || child->overtime)
        kill_group(child);
    pid_t ended = waitpid(child->id, &status, WNOHANG);
    if (ended == 0 || (ended < 0 && errno == EINTR))
        return false;
    note_end(child, status);
    return true;
}

// Waits until a pipe of a child has something, or ends, or a deadline is near.
static void wait_for_pipes(const tide_child *children, size_t count)
{
    struct pollfd ends[2 * AT_ONCE];
    nfds_t used = 0;
    double first = tide_clock_seconds() + 0.1;
    for (size_t i = 0; i < count && used < 2 * AT_ONCE; i++) {
        const tide_child *child = &children[i];
        if (child->ended)
            continue;
        first = fmin(first, child->deadline);
        if (child->output_end < 0 && child->report_end < 0)
            first = fmin(first, tide_clock_seconds() + 2e-3); // it ends soon, and causes no event
        if (child->output_end >= 0)
            ends[used++] = (struct pollfd) { child->output_end, POLLIN, 0 };
        if (child->report_end >= 0)
            ends[used++] = (struct pollfd) { child->report_end, POLLIN, 0 };
    }
    poll(ends, used, (int)fmax(1, 1e3 * (first - tide_clock_seconds())));
}

void tide_children_wait(tide_child *children, size_t count)
{
    bool any = false, runs = true;
    while (!any && runs) {
        runs = false;
        wait_for_pipes(children, count);
        for (size_t i = 0; i < count; i++) {
            runs = runs || !children[i].ended;
            if (!children[i].ended && attend(&children[i]))
                any = true;
        }
    }
}

void tide_child_free(tide_child *child)
{
    if (!child->ended) {
        kill_group(child);
        while (waitpid(child->id, NULL, 0) < 0 && errno == EINTR)
            ;
    }
    shut(&child->output_end);
    shut(&child->report_end);
    tide_text_free(&child->output);
    tide_text_free(&child->report);
    child->ended = true;
}
