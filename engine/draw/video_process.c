#define _GNU_SOURCE // for the size of a pipe
#include "draw/video_process.h"

#include "base/child.h"
#include "base/clock.h"
#include "base/log.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PATIENCE = 60 };       // s
enum { PIPE_SIZE = 1 << 20 }; // bytes: a frame takes a few writes, not hundreds

static void shut(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

static int spawn(pid_t *id, const char *const *words, int input, int messages)
{
    posix_spawn_file_actions_t files;
    int failed = posix_spawn_file_actions_init(&files);
    if (failed)
        return failed;
    failed = posix_spawn_file_actions_adddup2(&files, input, 0);
    failed = failed ? failed : posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0);
    failed = failed ? failed : posix_spawn_file_actions_adddup2(&files, messages, 2);
    return tide_spawn(id, words[0], words, &files, failed);
}

tide_status tide_process_start(tide_process *process, const char *const *words, bool *absent, tide_error *error)
{
    *process = (tide_process) { .input = -1, .messages = -1 };
    *absent = false;
    int input[2], messages[2];
    bool made = tide_pipe_make(input);
    if (made && !tide_pipe_make(messages)) {
        shut(&input[0]);
        shut(&input[1]);
        made = false;
    }
    if (!made)
        return tide_fail(error, TIDE_ERROR_STATE, words[0], NULL, NULL, "there is no pipe to it: %s", strerror(errno));
    pid_t id;
    int failed = spawn(&id, words, input[0], messages[1]);
    shut(&input[0]);
    shut(&messages[1]);
    if (failed) {
        shut(&input[1]);
        shut(&messages[0]);
        *absent = failed == ENOENT || failed == ENOTDIR || failed == EACCES;
        return *absent ? TIDE_OK
                       : tide_fail(error, TIDE_ERROR_STATE, words[0], NULL, NULL, "cannot be started: %s",
                                   strerror(failed));
    }
#ifdef F_SETPIPE_SZ
    fcntl(input[1], F_SETPIPE_SZ, PIPE_SIZE); // smaller if that size is not permitted
#endif
    fcntl(input[1], F_SETFL, O_NONBLOCK);
    fcntl(messages[0], F_SETFL, O_NONBLOCK);
    process->id = id;
    process->input = input[1];
    process->messages = messages[0];
    return TIDE_OK;
}

// Keeps the end of its messages.
static void listen_to(tide_process *process)
{
    char bytes[1024];
    ssize_t count;
    while (process->messages >= 0 && (count = read(process->messages, bytes, sizeof bytes)) != 0) {
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return;
        size_t new = (size_t)count, room = sizeof process->said - new,
               kept = process->said_length < room ? process->said_length : room;
        memmove(process->said, process->said + process->said_length - kept, kept);
        memcpy(process->said + kept, bytes, new);
        process->said_length = kept + new;
    }
    shut(&process->messages);
}

// Writes, with EPIPE instead of a signal if the reader is gone, without changing the program's signal handlers.
static ssize_t write_quietly(int fd, const void *bytes, size_t size)
{
    sigset_t pipe_only, before, pending;
    sigemptyset(&pipe_only);
    sigaddset(&pipe_only, SIGPIPE);
    sigpending(&pending);
    pthread_sigmask(SIG_BLOCK, &pipe_only, &before);
    ssize_t written = write(fd, bytes, size);
    int reason = errno;
    if (written < 0 && reason == EPIPE && !sigismember(&pending, SIGPIPE))
        while (sigtimedwait(&pipe_only, NULL, &(struct timespec) { 0 }) < 0 && errno == EINTR)
            ;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = reason;
    return written;
}

// Warns the user, once per stall, that the process was stopped (SIGSTOP) or is stuck.
static void tell_stall(tide_process *process, int seconds)
{
    siginfo_t info = { .si_pid = 0 };
    if (process->told || !process->id)
        return;
    if (waitid(P_PID, (id_t)process->id, &info, WSTOPPED | WNOHANG | WNOWAIT) == 0 && info.si_pid)
        tide_log(TIDE_LOG_WARNING, "ffmpeg is stopped, and the run waits for it; `kill -CONT %ld` lets it go on",
                 (long)process->id);
    else if (seconds >= PATIENCE)
        tide_log(TIDE_LOG_WARNING, "ffmpeg (process %ld) has done nothing for %d s, and the run waits for it",
                 (long)process->id, seconds);
    else
        return;
    process->told = true;
}

bool tide_process_write(tide_process *process, const void *bytes, size_t size)
{
    const char *next = bytes;
    int waited = 0; // s
    while (size && process->input >= 0) {
        struct pollfd ends[] = { { process->input, POLLOUT, 0 }, { process->messages, POLLIN, 0 } };
        int ready = poll(ends, 2, 1000);
        if (ready < 0 && errno != EINTR)
            return false;
        if (ready == 0)
            tell_stall(process, ++waited);
        if (ready <= 0)
            continue;
        if (ends[1].revents)
            listen_to(process);
        if (!ends[0].revents)
            continue;
        ssize_t written = write_quietly(process->input, next, size);
        if (written < 0 && errno != EAGAIN && errno != EINTR)
            shut(&process->input);
        if (written > 0) {
            waited = 0;
            process->told = false;
            next += written;
            size -= (size_t)written;
        }
    }
    return size == 0;
}

bool tide_process_end(tide_process *process, double seconds, int *status)
{
    double begun = tide_clock_seconds(), until = begun + seconds;
    int looks = 0; // once per second
    shut(&process->input);
    *status = -1;
    if (!process->id)
        return true;
    for (;;) {
        listen_to(process);
        pid_t ended = waitpid(process->id, status, WNOHANG);
        if (ended == process->id || (ended < 0 && errno != EINTR)) {
            listen_to(process); // the last messages; a child of its own may keep the pipe open
            shut(&process->messages);
            process->id = 0;
            return true;
        }
        double left = until - tide_clock_seconds(), waited = tide_clock_seconds() - begun;
        if (waited >= looks + 1)
            tell_stall(process, ++looks);
        if (left <= 0)
            return false;
        struct pollfd end = { process->messages, POLLIN, 0 };
        poll(&end, 1, (int)fmin(fmax(1e3 * left, 1), 5)); // its end causes no event
        if (process->messages < 0 || end.revents & POLLHUP)
            nanosleep(&(struct timespec) { .tv_nsec = 1000000 }, NULL);
    }
}

void tide_process_kill(tide_process *process)
{
    if (process->id) {
        kill(-process->id, SIGKILL); // its process group: it may have started others
        while (waitpid(process->id, NULL, 0) < 0 && errno == EINTR)
            ;
    }
    process->id = 0;
    shut(&process->input);
    shut(&process->messages);
}

void tide_process_last_words(const tide_process *process, char *text, size_t size)
{
    char joined[2 * sizeof process->said + 1];
    size_t length = 0, start = 0;
    bool ended = false;
    for (size_t i = 0; i < process->said_length; i++) {
        char c = process->said[i];
        if (c == '\n' || c == '\r') {
            ended = length > 0;
            continue;
        }
        if (ended) {
            joined[length++] = ';';
            joined[length++] = ' ';
        }
        ended = false;
        joined[length++] = (unsigned char)c < ' ' || c == 0x7f ? ' ' : c;
    }
    joined[length] = '\0';
    if (length >= size) {
        start = length - size + 1;
        const char *line = strstr(joined + start, "; ");
        if (line && line[2]) // whole lines if there are any
            start = (size_t)(line + 2 - joined);
    }
    memcpy(text, joined + start, length + 1 - start);
}
