// Opens files that are given to a window. A scene is opened directly. For a mesh, writes a scene that shows it to a
// temporary folder.
#define _POSIX_C_SOURCE 200809L
#include "session/job.h"

#include "base/memory.h"
#include "formats/mesh_file.h"
#include "mesh/mesh.h"
#include "session/file_copy.h"
#include "session/opened_link.h"
#include "session/scratch.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char view_text[] =
    "-- A view of %s. This file is removed with the window; save a copy to keep it.\n"
    "local tide = require \"springtide\"\n"
    "local scene = tide.scene { title = \"%s\", gravity = { 0, 0, 0 }, ground = { solid = false } }\n"
    "local mesh = assert(tide.mesh.load(\"%s\"))\n"
    "scene:body(\"mesh\", { mesh = mesh, mass = 1, stiffness = mesh.edge_count > 0 and 100 or nil })\n"
    "return scene\n";

static tide_status fail_open(const char *path, const char *why, tide_error *error)
{
    return tide_fail(error, TIDE_ERROR_FILE, path, NULL, NULL, "%s", why);
}

// Copies a name and replaces each character other than letters, digits and ". _ -" by "_". The result is safe in a Lua
// string and in a file name.
static void plain_name(const char *name, char *out, size_t size)
{
    size_t length = 0;
    for (; *name && length + 1 < size; name++)
        out[length++] = isalnum((unsigned char)*name) || strchr("._-", *name) ? *name : '_';
    out[length] = '\0';
}

// Copies the file, and the other files of the same mesh: TetGen's have one name and several extensions.
static tide_status copy_mesh(const char *path, const char *folder, tide_error *error)
{
    char beside[PATH_MAX], from[PATH_MAX], to[PATH_MAX], plain[NAME_MAX + 1];
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    size_t stem = (size_t)(strrchr(name, '.') - name);
    snprintf(beside, sizeof beside, "%.*s", slash ? (int)(slash - path + 1) : 2, slash ? path : "./");
    DIR *listing = opendir(beside);
    if (!listing)
        return fail_open(path, strerror(errno), error);
    tide_status status = TIDE_OK;
    for (struct dirent *entry = readdir(listing); entry && status == TIDE_OK; entry = readdir(listing)) {
        static const char *const parts[] = { ".node", ".ele", ".face", ".edge" };
        const char *ending = strrchr(entry->d_name, '.');
        bool same = strcmp(entry->d_name, name) == 0, part = false;
        for (size_t i = 0; ending && i < sizeof parts / sizeof *parts; i++)
            part = part || (strcmp(ending, parts[i]) == 0 && (size_t)(ending - entry->d_name) == stem &&
                            strncmp(entry->d_name, name, stem) == 0);
        if (!same && !part)
            continue;
        plain_name(entry->d_name, plain, sizeof plain);
        bool fits = snprintf(from, sizeof from, "%s%s", beside, entry->d_name) < (int)sizeof from &&
                    snprintf(to, sizeof to, "%s/%s", folder, plain) < (int)sizeof to;
        status = fits ? tide_copy_file(from, to, error) : fail_open(path, "the path is too long", error);
    }
    closedir(listing);
    return status;
}

static tide_status write_view(const char *path, const char *folder, char *scene, size_t size, tide_error *error)
{
    char name[NAME_MAX + 1];
    const char *slash = strrchr(path, '/');
    plain_name(slash ? slash + 1 : path, name, sizeof name);
    TIDE_TRY(copy_mesh(path, folder, error));
    if (snprintf(scene, size, "%s/view.lua", folder) >= (int)size)
        return fail_open(path, "the path is too long", error);
    FILE *file = fopen(scene, "wx");
    bool good = file && fprintf(file, view_text, name, name, name) > 0;
    if (file && fclose(file) != 0)
        good = false;
    return good ? TIDE_OK : fail_open(scene, strerror(errno), error);
}

static tide_status open_mesh(tide_next *next, const char *path, tide_error *error)
{
    tide_mesh *mesh;
    char scene[PATH_MAX];
    tide_status status = tide_mesh_load(path, &mesh, error); // so that its error names the user's file
    if (status != TIDE_OK)
        return status;
    tide_mesh_release(mesh);
    next->folder = tide_scratch_make();
    if (!next->folder)
        return fail_open(path, "there is no folder for temporary files; set TMPDIR to one", error);
    next->job.is_view = true;
    status = write_view(path, next->folder, scene, sizeof scene, error);
    // File times have a resolution of some milliseconds. Without a pause the watch could not tell that the scene was
    // written before it was run, and would run it again.
    nanosleep(&(struct timespec) { .tv_nsec = 20000000 }, NULL);
    next->path = status == TIDE_OK ? tide_copy_string(scene) : NULL;
    return status == TIDE_OK && !next->path ? tide_fail_memory(error, "window") : status;
}

static tide_status find_scene(tide_next *next, const char *path, tide_error *error)
{
    const char *dot = strrchr(path, '.');
    const char *slash = strrchr(path, '/');
    if (!dot || (slash && dot < slash))
        return fail_open(path, "expected a scene (.lua), a mesh (.obj, .ply, .stl, .mesh, .msh ...) or a .world",
                         error);
    if (strcmp(dot, TIDE_LINK_ENDING) == 0)
        return fail_open(
            path, "a link opens in a window of its own, whose process is confined: springtide FILE" TIDE_LINK_ENDING,
            error);
    if (strcmp(dot, ".lua") != 0)
        return open_mesh(next, path, error);
    if (access(path, R_OK) != 0)
        return fail_open(path, strerror(errno), error);
    next->path = tide_copy_string(path);
    return next->path ? TIDE_OK : tide_fail_memory(error, "window");
}

// Copies the options that concern the window and the machine: they also apply to the next scene.
static tide_run_options options_of_next(const tide_run_options *first, const char *path)
{
    return (tide_run_options) { .scene = { .path = path, .memory_limit = first->scene.memory_limit },
                                .time_limit = first->time_limit,
                                .untrusted = first->untrusted,
                                .frames = first->frames,
                                .frames_given = first->frames_given,
                                .hash = first->hash,
                                .size = first->size,
                                .renderer = first->renderer,
                                .text_scale = first->text_scale,
                                .history_limit = first->history_limit,
                                .history_given = first->history_given,
                                .threads = first->threads,
                                .vectors = first->vectors,
                                .lesson = first->lesson };
}

tide_status tide_job_open_next(tide_job *job, const char *path, tide_error *error)
{
    if (job->next)
        return TIDE_OK; // when several files are dropped, the first one is opened
    tide_next *next = tide_allocate_zeroed(1, sizeof *next);
    if (!next)
        return tide_fail_memory(error, "window");
    tide_status status = find_scene(next, path, error);
    if (status == TIDE_OK) {
        next->options = options_of_next(job->options, next->path);
        next->job.options = &next->options;
        tide_job_keep_alive(&next->job, job->alive, job->alive_context);
        job->opening = &next->job;
        status = tide_job_open_scene(&next->job, error);
        job->opening = NULL;
        tide_job_keep_alive(&next->job, NULL, NULL);
    }
    if (status == TIDE_OK) {
        job->next = next;
        return TIDE_OK;
    }
    tide_job_close_scene(&next->job);
    tide_next_free(next);
    return status;
}

void tide_next_free(tide_next *next)
{
    if (!next)
        return;
    tide_scratch_remove(next->folder);
    tide_free(next->folder);
    tide_free(next->path);
    tide_free(next);
}
