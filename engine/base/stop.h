// Early end of long work: a deadline, an interruption, a limit of memory.
//
// Work in C cannot be interrupted from outside. Long loops therefore poll tide_stop_requested() and leave when it is
// true. The data that they leave is valid, but not the result; the caller that began the work (tide_world_step, a call
// of a script) polls once more and fails. A request stays until its work ends, so everything within it ends soon.
#ifndef TIDE_BASE_STOP_H
#define TIDE_BASE_STOP_H

#include "base/error.h"

#include <signal.h>
#include <stdbool.h>

// Work that can be stopped. The caller that begins it owns it.
typedef struct tide_stop {
    double deadline;                   // of tide_clock_seconds(); 0: none
    double processor_deadline;         // of tide_processor_seconds(); 0: none
    double next_look;                  // when that is looked at again: it is a system call
    volatile sig_atomic_t interrupted; // set from outside: the work is to end
    bool requested;                    // the work is to end, for any reason
    bool (*progress)(void *context);   // called about 20 times a second in the thread that began it; true interrupts
    void *context;
    double next_progress;
    struct tide_stop *outer; // the enclosing work; a stop of it stops this, too
} tide_stop;

// Begins work in the calling thread, nested in its current work; and ends it.
void tide_stop_begin(tide_stop *stop);
void tide_stop_end(tide_stop *stop);

// Tells whether the work of the calling thread is to end. False when there is none. Takes some 30 ns: loops with
// shorter iterations poll once in many.
bool tide_stop_requested(void);
// Fails when the work is to end.
tide_status tide_stop_check(const char *object, tide_error *error);

// Return the current work of the calling thread, and join it, for helper threads of a loop. A helper does not call
// `progress`.
tide_stop *tide_stop_current(void);
void tide_stop_help(tide_stop *stop);

#endif
