#define _POSIX_C_SOURCE 200809L // PATH_MAX
#include "app/untrusted.h"

#include "app/confine.h"
#include "app/landlock.h"
#include "base/parallel.h"
#include "script/script.h"
#include "session/output.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

enum { MOST_FILES = 8, SPARE_MEMORY = 1 << 30 };

// Of a window: where its libraries find drivers, fonts and settings.
static const char *const system_folders[] = { "/usr", "/lib", "/lib64", "/etc", "/sys", "/proc", "/dev" };
enum { SYSTEM_FOLDERS = sizeof system_folders / sizeof *system_folders };

// Lists the files that the options name, and returns their number.
static size_t list_outputs(const tide_run_options *o, const char *files[MOST_FILES])
{
    const char *const named[] = { o->png, o->export, o->stats, o->record, o->save_world };
    size_t count = 0;
    for (size_t i = 0; i < sizeof named / sizeof *named; i++)
        if (named[i])
            files[count++] = named[i];
    return count;
}

tide_status tide_confine_check(const tide_run_options *o, tide_error *error)
{
    const char *files[MOST_FILES];
    size_t count = list_outputs(o, files);
    if (o->replay)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, "command line", "--untrusted", NULL,
                         "does not go with --replay, which names its scene itself");
    if (o->video)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, "command line", "--untrusted", NULL,
                         "does not go with --video, which starts another program; write pictures with --png");
    if (count && !o->headless)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, "command line", "--untrusted", files[0],
                         "a window with an untrusted scene writes no files; add --headless");
    if (count && !tide_landlock_is_there())
        return tide_fail(error, TIDE_ERROR_ARGUMENT, "command line", "--untrusted", files[0],
                         "this kernel has no Landlock, which restricts files to a folder; run it without output files");
    return TIDE_OK;
}

tide_status tide_confine_run(const tide_run_options *o, tide_error *error)
{
    static char library[PATH_MAX];
    char folders[MOST_FILES][PATH_MAX];
    const char *files[MOST_FILES], *writable[MOST_FILES + 1] = { 0 }, *readable[SYSTEM_FOLDERS + 5] = { 0 };
    size_t count = list_outputs(o, files), known = 0;
    for (size_t i = 0; i < count; i++) {
        TIDE_TRY(tide_make_folders(files[i], error));
        const char *slash = strrchr(files[i], '/');
        int length = slash == files[i] ? 1 : slash ? (int)(slash - files[i]) : 1;
        snprintf(folders[i], PATH_MAX, "%.*s", length, slash ? files[i] : ".");
        writable[i] = folders[i];
    }
    tide_library_find(library, sizeof library);
    if (!o->link)
        readable[known++] = o->scene.path;
    readable[known++] = library;
    if (o->open_world)
        readable[known++] = o->open_world;
    for (size_t i = 0; !o->headless && i < SYSTEM_FOLDERS; i++)
        readable[known++] = system_folders[i];
    const size_t limit = tide_memory_limit(&o->scene);
    const tide_confinement confinement = { .memory = limit ? 2 * limit + SPARE_MEMORY : 0,
                                           .readable = readable,
                                           .writable = count ? writable : NULL,
                                           .threads = true,
                                           .window = !o->headless };
    return tide_confine(&confinement, error);
}
