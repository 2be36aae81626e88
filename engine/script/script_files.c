// File access of a scene's script. It may read files in the scene's folder, the Lua library and the data folder
// (SPRINGTIDE_DATA), and write into the current folder and its subfolders. Links and ".." are resolved before the
// check. Plain Lua is not restricted.
#define _POSIX_C_SOURCE 200809L
#include "script/script_record.h"

#include "base/paths.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- reading ---------------------------------------------------------------------------------------------------------

static bool is_below(const char *resolved, const char *folder)
{
    char real[PATH_MAX];
    return folder && folder[0] && tide_path_resolve(folder, real, sizeof real) && tide_path_is_within(resolved, real);
}

bool tide_run_may_read(const tide_run *run, const char *path)
{
    char resolved[PATH_MAX];
    if (!run->root)
        return true;
    if (run->untrusted)
        return tide_path_resolve(path, resolved, sizeof resolved) && is_below(resolved, run->library);
    return tide_path_resolve(path, resolved, sizeof resolved) &&
           (tide_path_is_within(resolved, run->root) || is_below(resolved, run->library) ||
            is_below(resolved, getenv("SPRINGTIDE_DATA")));
}

_Noreturn void tide_run_refuse_file(lua_State *L, const tide_run *run, const char *path, const char *object,
                                    const char *field)
{
    char shown[TIDE_VALUE_TEXT_SIZE];
    snprintf(shown, sizeof shown, "\"%.80s\"", path);
    if (run->untrusted)
        tide_raise_bad(L, object, field, shown,
                       "an untrusted scene reads its own file and the Lua library, and nothing else; put what it needs "
                       "into its file, or run it as a trusted one");
    if (!run->root[0])
        tide_raise_bad(L, object, field, shown,
                       "this scene reads only files of the Lua library and of the data folder (SPRINGTIDE_DATA): its "
                       "folder is not known to be its own; a replay reads its scene's folder when the scene's file is "
                       "there as it was recorded, or the replay lies in that folder or above it");
    tide_raise_bad(L, object, field, shown,
                   "a scene reads only files of its folder (%.200s), of the Lua library and of the data folder "
                   "(SPRINGTIDE_DATA), links followed; copy the file there",
                   run->root);
}

typedef struct permission {
    const tide_run *run;
    bool given;
} permission;

static void check_part(lua_State *L, const char *path, void *context)
{
    (void)L;
    permission *permission = context;
    permission->given = permission->given && tide_run_may_read(permission->run, path);
}

// Checks the file and its companion files.
static bool may_read_all(lua_State *L, const tide_run *run, const char *path)
{
    permission all = { run, tide_run_may_read(run, path) };
    tide_script_each_part(L, path, check_part, &all);
    return all.given;
}

const char *tide_run_resolve(lua_State *L, const tide_run *run, const char *path, const char *object, const char *field)
{
    const char *beside = NULL;
    luaL_checkstack(L, 4, NULL);
    if (path[0] != '/' && run->path && strcmp(run->folder, ".") != 0) {
        beside = lua_pushfstring(L, "%s/%s", run->folder, path);
        if (!may_read_all(L, run, beside))
            tide_run_refuse_file(L, run, path, object, field);
        tide_script_record_mesh(L, beside);
        if (tide_script_record_has(L, beside))
            return beside;
    }
    if (!may_read_all(L, run, path)) {
        if (!beside)
            tide_run_refuse_file(L, run, path, object, field);
        return beside; // the file does not exist there
    }
    lua_pushstring(L, path);
    tide_script_record_mesh(L, path);
    return lua_tostring(L, -1);
}

// --- writing ---------------------------------------------------------------------------------------------------------

// The run of the scene whose callback runs; NULL: none does.
static const tide_run *running_run(lua_State *L)
{
    const tide_context *context = tide_context_of(L);
    if (!context->running)
        return NULL;
    tide_scene_push_core(L, context->running);
    lua_getiuservalue(L, -1, TIDE_CORE_RUN);
    const tide_run *run = lua_touserdata(L, -1);
    lua_pop(L, 2);
    return run;
}

bool tide_is_confined(lua_State *L)
{
    const tide_context *context = tide_context_of(L);
    if (context->limited || context->executing || context->mistrusts)
        return true;
    const tide_run *run = running_run(L);
    return run && run->root;
}

bool tide_is_mistrusted(lua_State *L)
{
    const tide_context *context = tide_context_of(L);
    const tide_run *run = running_run(L);
    return context->mistrusts || (context->executing && context->executing->untrusted) || (run && run->untrusted);
}

void tide_check_output_path(lua_State *L, const char *path, const char *object, const char *field)
{
    char folder[PATH_MAX] = "", resolved[PATH_MAX], shown[TIDE_VALUE_TEXT_SIZE];
    if (tide_is_mistrusted(L)) {
        snprintf(shown, sizeof shown, "\"%.80s\"", path);
        tide_raise_bad(L, object, field, shown, "an untrusted scene writes no files; run it as a trusted one");
    }
    snprintf(resolved, sizeof resolved, "/%s/", path);
    bool upwards = strstr(resolved, "/../") != NULL, known = tide_path_resolve(".", folder, sizeof folder);
    if (known && path[0] != '/' && !upwards && tide_path_resolve(path, resolved, sizeof resolved) &&
        tide_path_is_within(resolved, folder))
        return;
    snprintf(shown, sizeof shown, "\"%.80s\"", path);
    tide_raise_bad(
        L, object, field, shown,
        "a scene writes only into the current folder (%.200s) and those below it, links followed; expected a "
        "relative name without \"..\"",
        folder);
}
