// A child process that reads bytes from its standard input, and its messages on standard error. Private to the videos.
#ifndef TIDE_DRAW_VIDEO_PROCESS_H
#define TIDE_DRAW_VIDEO_PROCESS_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

typedef struct tide_process {
    pid_t id;            // 0: it does not run
    int input, messages; // pipes to its input, and from its error output; -1: closed
    char said[2048];     // the last `said_length` bytes of its messages
    size_t said_length;
    bool told;  // the user was told that it is stuck
} tide_process; // { .input = -1, .messages = -1 } is none

// Starts the program words[0], searched in PATH, with these arguments, ended by NULL, without a shell. Its standard
// output is discarded. The terminal's Ctrl-C does not interrupt it; it ends when its input does. If there is no such
// program, *absent is true and the status TIDE_OK.
tide_status tide_process_start(tide_process *process, const char *const *words, bool *absent, tide_error *error);
// Writes everything, waiting as needed; logs a warning if the program is stopped or stuck. Returns false if it no
// longer reads.
bool tide_process_write(tide_process *process, const void *bytes, size_t size);
// Closes its input and waits for its end, up to `seconds`; returns false while it runs. *status is waitpid's.
bool tide_process_end(tide_process *process, double seconds, int *status);
void tide_process_kill(tide_process *process); // if it runs, kills it and waits for its end
// Writes its last lines as one, separated by "; "; "" if it printed nothing.
void tide_process_last_words(const tide_process *process, char *text, size_t size);

#endif
