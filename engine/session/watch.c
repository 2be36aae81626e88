#define _GNU_SOURCE
#include "session/watch.h"

#include "base/memory.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

static const double idle_period = 0.1, busy_period = 0.025; // time between two checks, s
static const double quiet = 0.05, patience = 0.3; // time without a change, s; the same for a missing or empty file
static const double longest = 2;                  // how long finished changes wait for a file that is still changing, s

typedef struct stamp {
    bool there; // a file, not a folder
    mode_t mode;
    dev_t device;
    ino_t inode;
    off_t size;
    struct timespec written, changed; // `changed`: also when it is replaced, or its permissions change
} stamp;

typedef struct watched {
    char *path;
    stamp told, now; // at the last report, and at the last check
    double since;    // when it was first seen in its present state, s, on the caller's clock
    bool pending;    // changed since the last report
} watched;

struct tide_watch {
    watched *files;
    size_t count;
    tide_watch_change *changes; // (count)
    double looked;              // time of the last check, s, on the caller's clock
    double busy_since;          // the same clock
    bool looked_ever, busy;
    struct timespec begun;
};

static stamp look(const char *path)
{
    struct stat status;
    stamp now = { 0 };
    if (stat(path, &status) != 0 || S_ISDIR(status.st_mode))
        return now;
    now.there = true;
    now.mode = status.st_mode;
    now.device = status.st_dev;
    now.inode = status.st_ino;
    now.size = status.st_size;
    now.written = status.st_mtim;
    now.changed = status.st_ctim;
    return now;
}

static bool same_time(struct timespec a, struct timespec b)
{
    return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

static bool same(const stamp *a, const stamp *b)
{
    return a->there == b->there && a->mode == b->mode && a->device == b->device && a->inode == b->inode &&
           a->size == b->size && same_time(a->written, b->written) && same_time(a->changed, b->changed);
}

static void free_files(watched *files, size_t count)
{
    for (size_t i = 0; i < count; i++)
        tide_free(files[i].path);
    tide_free(files);
}

tide_status tide_watch_create(tide_watch **watch, tide_error *error)
{
    tide_watch *made = tide_allocate_zeroed(1, sizeof *made);
    if (!made)
        return tide_fail_memory(error, "watch");
    tide_watch_begin(made);
    *watch = made;
    return TIDE_OK;
}

void tide_watch_destroy(tide_watch *watch)
{
    if (!watch)
        return;
    free_files(watch->files, watch->count);
    tide_free(watch->changes);
    tide_free(watch);
}

void tide_watch_begin(tide_watch *watch)
{
    clock_gettime(CLOCK_REALTIME_COARSE, &watch->begun); // the clock of file times
}

static const watched *find(const tide_watch *watch, const char *path)
{
    for (size_t i = 0; i < watch->count; i++)
        if (strcmp(watch->files[i].path, path) == 0)
            return &watch->files[i];
    return NULL;
}

// A new file that was changed after tide_watch_begin may have been read before that: the change has to be reported.
static watched open_file(const tide_watch *watch, const char *path)
{
    const watched *before = find(watch, path);
    if (before) {
        watched kept = *before;
        kept.path = NULL;
        return kept;
    }
    watched file = { .now = look(path) };
    file.told = file.now;
    struct timespec changed = file.now.changed, begun = watch->begun;
    bool late = changed.tv_sec > begun.tv_sec || (changed.tv_sec == begun.tv_sec && changed.tv_nsec >= begun.tv_nsec);
    if (file.now.there && late) {
        file.told.written = (struct timespec) { 0 };
        file.pending = true;
        file.since = watch->looked;
    }
    return file;
}

static bool same_files(const tide_watch *watch, const char *const *paths, uint32_t count)
{
    bool same = count == watch->count;
    for (uint32_t i = 0; same && i < count; i++)
        same = strcmp(paths[i], watch->files[i].path) == 0;
    return same;
}

tide_status tide_watch_files(tide_watch *watch, const char *const *paths, uint32_t count, tide_error *error)
{
    if (same_files(watch, paths, count))
        return TIDE_OK;
    watched *files = tide_allocate_zeroed((size_t)count + 1, sizeof *files);
    tide_watch_change *changes = tide_allocate_array((size_t)count + 1, sizeof *changes);
    size_t made = 0;
    for (bool enough = files && changes; enough && made < count; made += enough) {
        files[made] = open_file(watch, paths[made]);
        files[made].path = tide_copy_string(paths[made]);
        enough = files[made].path != NULL;
    }
    if (!files || !changes || made < count) {
        if (files)
            free_files(files, made);
        tide_free(changes);
        return tide_fail_memory(error, "watch");
    }
    free_files(watch->files, watch->count);
    tide_free(watch->changes);
    watch->files = files;
    watch->changes = changes;
    watch->count = count;
    watch->busy = false;
    for (size_t i = 0; i < made; i++)
        watch->busy = watch->busy || files[i].pending;
    watch->busy_since = watch->looked;
    return TIDE_OK;
}

// Returns whether the file has been unchanged long enough.
static bool is_settled(const watched *file, double now)
{
    bool passing = (!file->now.there && file->told.there) || (file->now.there && file->now.size == 0);
    return now - file->since >= (passing ? patience : quiet);
}

// Checks all files. Returns whether there is a change to report.
static bool look_at_all(tide_watch *watch, double now)
{
    bool some = false, all = true, was_busy = watch->busy;
    watch->busy = false;
    for (size_t i = 0; i < watch->count; i++) {
        watched *file = &watch->files[i];
        stamp found = look(file->path);
        if (!same(&found, &file->now)) {
            file->now = found;
            file->since = now;
        }
        file->pending = !same(&file->now, &file->told);
        if (!file->pending)
            continue;
        watch->busy = true;
        bool settled = is_settled(file, now);
        some = some || settled;
        all = all && settled;
    }
    if (watch->busy && !was_busy)
        watch->busy_since = now;
    return some && (all || now - watch->busy_since >= longest);
}

const tide_watch_change *tide_watch_poll(tide_watch *watch, double now, uint32_t *count)
{
    *count = 0;
    if (watch->looked_ever && now - watch->looked < (watch->busy ? busy_period : idle_period))
        return watch->changes;
    watch->looked = now;
    watch->looked_ever = true;
    if (!look_at_all(watch, now))
        return watch->changes;
    for (size_t i = 0; i < watch->count; i++) {
        watched *file = &watch->files[i];
        if (!file->pending || !is_settled(file, now))
            continue;
        tide_watch_kind kind = !file->now.there    ? TIDE_WATCH_GONE
                               : !file->told.there ? TIDE_WATCH_APPEARED
                                                   : TIDE_WATCH_WRITTEN;
        watch->changes[(*count)++] = (tide_watch_change) { file->path, kind };
        file->told = file->now;
        file->pending = false;
    }
    watch->busy_since = now;
    return watch->changes;
}
