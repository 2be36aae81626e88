// Which of a set of files have changed: asked once a picture, answered once they have been left alone for a moment.
//
// Files are looked at (their time, size, inode and rights; through symbolic links) at most every 100 ms, and every 25
// ms while one is being changed. No thread, no file is opened. A change is told once its file has been the same for 50
// ms, so that many saves within a moment count as one; a file that is gone or empty is waited for 300 ms, as editors
// that rename or truncate it leave it so for a moment.
#ifndef TIDE_SESSION_WATCH_H
#define TIDE_SESSION_WATCH_H

#include "base/error.h"

#include <stdint.h>

typedef struct tide_watch tide_watch;

typedef enum tide_watch_kind {
    TIDE_WATCH_WRITTEN, // it has another content, or another file or link has taken its place
    TIDE_WATCH_GONE,    // it is there no more, or a folder is
    TIDE_WATCH_APPEARED // it is there, and was not
} tide_watch_kind;

typedef struct tide_watch_change {
    const char *path; // as given
    tide_watch_kind kind;
} tide_watch_change;

tide_status tide_watch_create(tide_watch **watch, tide_error *error);
void tide_watch_destroy(tide_watch *watch); // NULL does nothing

// Call it before the files are read (a script is run) of which tide_watch_files is then told.
void tide_watch_begin(tide_watch *watch);
// From now on these files and no others (none at first). Paths are copied; they need not be there; those of before may
// be the list's own. What changes after tide_watch_begin is told, even when it was before this call. On failure the
// files are those of before.
tide_status tide_watch_files(tide_watch *watch, const char *const *paths, uint32_t count, tide_error *error);

// The files that have changed since they were last told, in the order in which they were given; none while one of them
// is still being changed, for at most 2 s. `now`: tide_clock_seconds(). Valid until the next call with this watch.
const tide_watch_change *tide_watch_poll(tide_watch *watch, double now, uint32_t *count);
// "curtain.lua changed", "flags.lua deleted", "flags.lua and 2 others changed"; "" of none. Returns `text`.
char *tide_watch_text(const tide_watch_change *changes, uint32_t count, char *text, size_t size);

#endif
