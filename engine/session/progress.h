// Progress of long work, on a terminal only: one line on standard error, erased in the end. What is logged meanwhile
// appears above it. A task that takes long (base/task.h) has the line for itself meanwhile.
#ifndef TIDE_SESSION_PROGRESS_H
#define TIDE_SESSION_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct tide_progress {
    bool shown, terminal;
    bool quiet;         // to be set after the beginning: warnings are dropped
    double start, last; // s
} tide_progress;

void tide_progress_begin(tide_progress *progress);
// "30 of 120 WHAT, 8.1 ms each, 1 s to go": after half a second, ten times a second.
void tide_progress_show(tide_progress *progress, const char *what, uint64_t done, uint64_t of);
void tide_progress_erase(tide_progress *progress); // for what is printed meanwhile
void tide_progress_end(tide_progress *progress);

// The same for work that has one progress at a time: begins it when `what` is new, and ends it when done == of.
void tide_progress_note(const char *what, uint64_t done, uint64_t of);
// Whether warnings are dropped, as in work that drives solvers to their limits.
void tide_progress_hush(bool hush);

#endif
