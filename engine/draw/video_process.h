// A program that is given bytes on its standard input, and what it says on its standard error. For video.c.
#ifndef TIDE_DRAW_VIDEO_PROCESS_H
#define TIDE_DRAW_VIDEO_PROCESS_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

typedef struct tide_process {
    pid_t id;            // 0: it does not run
    int input, messages; // to it, and from it; -1: closed
    char said[2048];     // the last that it said, `said_length` bytes
    size_t said_length;
    bool told;  // the user knows that it does nothing
} tide_process; // { .input = -1, .messages = -1 } is none

// Starts the program words[0], which is sought in PATH, with these words, the last of which is NULL; no shell sees
// them. Its standard output goes nowhere. It is not interrupted by the terminal's Ctrl-C: it ends when its input does.
// Where there is no such program, *absent is true and the status TIDE_OK.
tide_status tide_process_start(tide_process *process, const char *const *words, bool *absent, tide_error *error);
// Waits until all is taken, and logs a warning when the program is stopped or stuck. False when it does not read any
// more.
bool tide_process_write(tide_process *process, const void *bytes, size_t size);
// Ends its input and waits for its end, up to `seconds`; false while it runs. *status is as waitpid has it.
bool tide_process_end(tide_process *process, double seconds, int *status);
void tide_process_kill(tide_process *process); // where it runs, and waits for its end
// Its last lines as one, with "; " between them; "" when it said nothing.
void tide_process_last_words(const tide_process *process, char *text, size_t size);

#endif
