// Watches a set of files for changes. Asked once per picture, it reports a change when the files have been left alone
// for a moment.
//
// It checks time, size, inode and permissions of each file (through symbolic links) at most every 100 ms, and every 25
// ms while a file is being changed. It uses no thread and opens no file. It reports a change after the file has been
// the same for 50 ms, so that several saves in a moment count as one. It waits 300 ms for a file that is gone or empty,
// because editors that rename or truncate a file leave it so for a moment.
#ifndef TIDE_SESSION_WATCH_H
#define TIDE_SESSION_WATCH_H

#include "base/error.h"

#include <stdint.h>

typedef struct tide_watch tide_watch;

typedef enum tide_watch_kind {
    TIDE_WATCH_WRITTEN, // its content changed, or another file or link has replaced it
    TIDE_WATCH_GONE,    // it no longer exists, or a folder of it does not
    TIDE_WATCH_APPEARED // it exists, and did not before
} tide_watch_kind;

typedef struct tide_watch_change {
    const char *path; // as given
    tide_watch_kind kind;
} tide_watch_change;

tide_status tide_watch_create(tide_watch **watch, tide_error *error);
void tide_watch_destroy(tide_watch *watch); // NULL does nothing

// Marks the time from which changes count. To be called before the files are read (a script is run) that
// tide_watch_files then gets.
void tide_watch_begin(tide_watch *watch);
// Watches exactly these files from now on (at first there are none). Copies the paths, which need not exist; they may
// point into the current list. Changes after tide_watch_begin are reported, including those before this call. On
// failure the list is unchanged.
tide_status tide_watch_files(tide_watch *watch, const char *const *paths, uint32_t count, tide_error *error);

// Returns the files that have changed since the last report, in the order of the list. Returns none while one of them
// is still being changed, for at most 2 s. `now`: tide_clock_seconds(). The result is valid until the next call with
// this watch.
const tide_watch_change *tide_watch_poll(tide_watch *watch, double now, uint32_t *count);

#endif
