// Progress of long work, only on a terminal: one line on standard error that is erased in the end. Log messages appear
// above it. A long task (base/task.h) uses the line while it runs.
#ifndef TIDE_SESSION_PROGRESS_H
#define TIDE_SESSION_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct tide_progress {
    bool shown, terminal;
    bool quiet;         // warnings are dropped; to be set after tide_progress_begin
    double start, last; // s
} tide_progress;

void tide_progress_begin(tide_progress *progress);
// Shows "30 of 120 WHAT, 8.1 ms each, 1 s to go", from half a second on, ten times a second.
void tide_progress_show(tide_progress *progress, const char *what, uint64_t done, uint64_t of);
void tide_progress_erase(tide_progress *progress); // before something else is printed
void tide_progress_end(tide_progress *progress);

// The same with one global progress: begins it when `what` is new, and ends it when done == of.
void tide_progress_note(const char *what, uint64_t done, uint64_t of);
// Drops warnings or not, for work that drives solvers to their limits.
void tide_progress_silence(bool silence);

#endif
