// What a process may still do once it has confined itself (app/confine.c), for good: it starts no programs and no
// processes, opens no sockets, and writes no files but in the folders named. What it has open stays open.
#ifndef TIDE_BASE_CONFINEMENT_H
#define TIDE_BASE_CONFINEMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct tide_confinement {
    uint64_t processor_seconds;  // from now on, after which the system ends it; 0: no limit
    size_t memory;               // bytes that it may map besides what it has mapped; 0: no limit
    const char *const *readable; // files and folders, end with NULL; those absent are left out. NULL: all
    const char *const *writable; // folders, end with NULL; NULL: it writes no files
    bool with_parent;            // the system kills it when its parent ends
    bool threads;                // it may start threads
    bool window;                 // it goes on with the window that it has opened
} tide_confinement;

#endif
