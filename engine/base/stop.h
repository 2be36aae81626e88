// Ending long work early: a deadline, an interruption, a limit of memory.
//
// Work in C cannot be interrupted from outside, so long loops ask tide_stop_requested() and leave when it says so. What
// they leave behind is valid but not the result; whoever began the work (tide_world_step, a call of a script) asks once
// more and fails. A request stays until the work that it is about ends, so everything within it ends soon.
#ifndef TIDE_BASE_STOP_H
#define TIDE_BASE_STOP_H

#include "base/error.h"

#include <signal.h>
#include <stdbool.h>

// Work under way that may be stopped. It lives with whoever began it.
typedef struct tide_stop {
    double deadline;                   // of tide_clock_seconds(); 0: none
    volatile sig_atomic_t interrupted; // from outside: it is to end
    bool requested;                    // it is to end, for any reason
    bool (*progress)(void *context);   // called some 20 times a second in the thread that began it; true interrupts
    void *context;
    double next_progress;
    struct tide_stop *outer; // that this is part of; what stops it stops this, too
} tide_stop;

// Begins work in the calling thread, within that under way, and ends it.
void tide_stop_begin(tide_stop *stop);
void tide_stop_end(tide_stop *stop);

// Whether the work of the calling thread is to end. False when no such work is under way. Takes some 30 ns: loops of
// shorter rounds ask once in many.
bool tide_stop_requested(void);
// Fails when it is.
tide_status tide_stop_check(const char *object, tide_error *error);

// For threads that help with a loop: what is under way in the calling thread, and to take part in it. A helper calls no
// progress.
tide_stop *tide_stop_current(void);
void tide_stop_help(tide_stop *stop);

#endif
