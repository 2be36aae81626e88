// Child processes: other programs, or this one again, whose output and report are read while they run.
//
// A child has a process group of its own, an empty standard input, and two pipes: standard output and error go to one
// of them, its report, which it writes to descriptor TIDE_CHILD_REPORT, to the other. It inherits no other files.
//
//     tide_child child;
//     status = tide_child_start(&child, words, 10, error);
//     while (!child.ended)
//         tide_children_wait(&child, 1);
//     ... child.report, child.output, child.end ...
//     tide_child_free(&child);
#ifndef TIDE_BASE_CHILD_H
#define TIDE_BASE_CHILD_H

#include "base/error.h"
#include "base/text.h"

#include <spawn.h>
#include <stdbool.h>
#include <sys/types.h>

enum {
    TIDE_CHILD_REPORT = 3,               // descriptor
    TIDE_CHILD_MOST_OUTPUT = 64 << 10,   // bytes; then its output is closed
    TIDE_CHILD_MOST_REPORT = 1024 << 10, // bytes; then it is killed
};

typedef enum tide_child_end { TIDE_CHILD_EXIT, TIDE_CHILD_SIGNAL, TIDE_CHILD_OVERTIME } tide_child_end;

typedef struct tide_child {
    pid_t id;
    int output_end, report_end; // of the pipes; -1: closed
    double deadline;            // of tide_clock_seconds(), at which it is killed
    tide_text output, report;
    bool ended, overtime;
    bool told;          // for the caller
    tide_child_end end; // once it has ended, with the exit status or the signal
    int code;
} tide_child;

// Makes a pipe that no other program inherits, and whose ends are none of the standard three, which may be closed.
// Returns false with errno set if it cannot.
bool tide_pipe_make(int ends[2]);

// Starts a program, which is looked for in PATH if its name has no slash, in a process group of its own and with the
// usual signals. Destroys `files`; where `failed`, the errno of making them, is not 0, does nothing else. Returns an
// errno.
int tide_spawn(pid_t *id, const char *program, const char *const *words, posix_spawn_file_actions_t *files, int failed);

// Starts words[0], a path, with the words, which end with NULL. Kills the child and its group after `seconds`.
tide_status tide_child_start(tide_child *child, const char *const *words, double seconds, tide_error *error);
// Reads what children write until at least one of those that run has ended.
void tide_children_wait(tide_child *children, size_t count);
void tide_child_free(tide_child *child); // kills it if it runs

#endif
