// Runs: the execution of a script file in its own environment, with its parameters and its own `require`.
#define _POSIX_C_SOURCE 200809L // PATH_MAX
#include "script/limits.h"
#include "script/script_record.h"

#include "base/input_file.h"
#include "base/memory.h"
#include "base/paths.h"
#include "base/places.h"
#include "base/portable.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void tide_run_forget_comparison(tide_run *run)
{
    tide_free((void *)(uintptr_t)run->comparison.solvers);
    tide_free((void *)(uintptr_t)run->comparison.vary);
    tide_free((void *)(uintptr_t)run->comparison.timesteps);
    run->comparison = (tide_comparison) { 0 };
}

static int collect(lua_State *L)
{
    tide_run *run = lua_touserdata(L, 1);
    tide_solvers_close(run);
    tide_params_free(run);
    tide_free(run->owned);
    if (run->limits)
        tide_limits_close(run->limits);
    tide_free(run->limits);
    tide_run_forget_comparison(run);
    *run = (tide_run) { 0 };
    return 0;
}

static const luaL_Reg metamethods[] = { { "__gc", collect }, { 0 } };
static const tide_class run_class = { "tide.Run", "run", "", tide_no_members, metamethods, NULL, NULL };

static char *copy(lua_State *L, tide_run *run, const char *text)
{
    char *copied = text ? tide_own(run->owned, tide_copy_string(text)) : NULL;
    if (text && !copied)
        tide_raise_memory(L, "script");
    return copied;
}

static void copy_settings(lua_State *L, tide_run *run, const tide_script_options *options)
{
    if (!options->setting_count)
        return;
    run->settings = tide_own_zeroed(run->owned, options->setting_count, sizeof *run->settings);
    if (!run->settings)
        tide_raise_memory(L, "script");
    run->setting_count = options->setting_count;
    for (uint32_t i = 0; i < options->setting_count; i++) {
        run->settings[i].name = copy(L, run, options->settings[i].name);
        run->settings[i].value = copy(L, run, options->settings[i].value);
    }
}

tide_run *tide_run_new(lua_State *L, const char *path, const tide_script_options *options)
{
    static const tide_script_options none;
    options = options ? options : &none;
    tide_run *run = tide_object_new(L, &run_class, sizeof *run, TIDE_RUN_VALUES);
    run->owned = tide_allocate(0);
    if (!run->owned)
        tide_raise_memory(L, "script");
    run->path = copy(L, run, path);
    run->folder = copy(L, run, path && strchr(path, '/') ? path : ".");
    char root[PATH_MAX], *slash = strrchr(run->folder, '/');
    if (slash)
        slash[slash == run->folder] = '\0';
    bool known = !options->folder_barred && tide_path_resolve(run->folder, root, sizeof root);
    run->root = copy(L, run, path ? known && !options->untrusted ? root : "" : NULL);
    run->untrusted = options->untrusted;
    char found[PATH_MAX];
    tide_library_find(found, sizeof found);
    run->library = copy(L, run, options->library ? options->library : found[0] ? found : NULL);
    run->solver = copy(L, run, options->solver);
    run->timestep = options->timestep;
    run->seed = options->seed;
    run->portable = options->portable;
    run->random = tide_random_seed(options->seed);
    copy_settings(L, run, options);
    if (options->time_limit > 0 || options->memory_limit > 0) {
        run->limits = tide_allocate_zeroed(1, sizeof *run->limits);
        if (!run->limits || !tide_limits_open(run->limits, options->time_limit, (double)options->memory_limit / 0x1p20))
            tide_raise_memory(L, "script");
        if (!tide_context_of(L)->limited) {
            tide_sandbox_push_strings(L);
            tide_limits_set_strings(L);
        }
    }
    return run;
}

tide_script_options tide_run_options(const tide_run *run)
{
    const tide_limits *limits = run->limits;
    return (tide_script_options) { .settings = run->settings,
                                   .setting_count = run->setting_count,
                                   .solver = run->solver,
                                   .timestep = run->timestep,
                                   .seed = run->seed,
                                   .portable = run->portable,
                                   .library = run->library,
                                   .folder_barred = run->root && !run->root[0],
                                   .untrusted = run->untrusted,
                                   .time_limit = limits ? limits->seconds : 0,
                                   .memory_limit =
                                       limits && limits->account ? tide_account_limit(limits->account) : 0 };
}

void tide_run_set_parent(lua_State *L, int parent)
{
    tide_run *run = lua_touserdata(L, -1);
    run->parent = lua_touserdata(L, parent);
    if (run->parent && run->parent->root)
        run->root = copy(L, run, run->untrusted ? "" : run->parent->root);
    run->untrusted = run->untrusted || (run->parent && run->parent->untrusted);
    lua_pushvalue(L, parent);
    lua_setiuservalue(L, -2, TIDE_RUN_PARENT);
}

// Pushes the end of the message of a program that was moved away from its Lua library.
static const char *push_no_library(lua_State *L)
{
    const char *named = getenv("SPRINGTIDE_SCRIPTS");
    char places[256];
    tide_place_list("scripts", places, sizeof places);
    if (named && named[0])
        lua_pushfstring(L, "the folder that SPRINGTIDE_SCRIPTS names, %s, has no folder springtide, and the library",
                        named);
    else
        lua_pushliteral(L, "Springtide's Lua library");
    return lua_pushfstring(L,
                           "%s is neither at %s as seen from the program's folder: set SPRINGTIDE_SCRIPTS to "
                           "Springtide's folder scripts",
                           lua_tostring(L, -1), places);
}

// --- require ---------------------------------------------------------------------------------------------------------

static void check_module_name(lua_State *L, const char *name)
{
    char shown[TIDE_VALUE_TEXT_SIZE];
    snprintf(shown, sizeof shown, "\"%.80s\"", name);
    if (!name[0] || name[0] == '.' || name[strlen(name) - 1] == '.' || strstr(name, "..") || strpbrk(name, "/\\"))
        tide_raise_bad(L, "require", NULL, shown, "expected a module's name like \"flags\" or \"parts.flags\"");
}

// Pushes the path of a module's file. If there is none, pushes the list of paths tried and returns false.
static bool find_module(lua_State *L, const tide_run *run, const char *name)
{
    const char *folders[] = { run->folder, run->library };
    const char *below = luaL_gsub(L, name, ".", "/");
    lua_pushliteral(L, "");
    for (int f = 0; f < 2; f++)
        for (int form = 0; folders[f] && folders[f][0] && form < 2; form++) {
            const char *path = lua_pushfstring(L, form ? "%s/%s/init.lua" : "%s/%s.lua", folders[f], below);
            bool mine = strncmp(name, "springtide.", 11) == 0; // a module of the library
            if (run->untrusted && f == 0 && mine)
                continue;
            if (!tide_script_record_gives(L, path) && !tide_run_may_read(run, path))
                tide_run_refuse_file(L, run, path, "require", NULL);
            tide_script_record_file(L, path);
            if (tide_script_record_has(L, path))
                return true;
            lua_insert(L, -2);
            lua_pushfstring(L, "%s%s%s", lua_tostring(L, -1), lua_tostring(L, -1)[0] ? ", " : "", lua_tostring(L, -2));
            lua_replace(L, -3);
            lua_pop(L, 1);
        }
    return false;
}

// Loads a text chunk with the environment at `environment`. Raises the compiler's errors.
static void load_file(lua_State *L, const char *path, int environment)
{
    if (tide_script_record_load(L, path) != LUA_OK) {
        const char *message = lua_tostring(L, -1);
        if (message && !tide_push_with_path(L, message, path) && !strstr(message, path))
            lua_pushfstring(L, "%s:1: %s", path, message); // Lua omits the name when it refuses a compiled chunk
        lua_error(L);
    }
    lua_pushvalue(L, environment);
    if (!lua_setupvalue(L, -2, 1))
        lua_pop(L, 1);
}

// Upvalues: the run, the loaded modules, the environment.
static int require_call(lua_State *L)
{
    tide_run *run = tide_run_of_upvalue(L);
    const char *name = tide_check_text(L, 1, "require", "name");
    lua_settop(L, 1);
    lua_pushvalue(L, 1);
    int type = lua_rawget(L, lua_upvalueindex(2));
    if (type == LUA_TLIGHTUSERDATA)
        tide_raise_bad(L, "require", NULL, name, "the module requires itself");
    if (type != LUA_TNIL)
        return 1;
    check_module_name(L, name);
    if (!find_module(L, run, name)) {
        const char *tried = lua_tostring(L, -1);
        if (run->library || strncmp(name, "springtide.", 11) != 0)
            tide_raise_bad(L, "require", NULL, name, "not found; tried %s", tried);
        const char *reason = push_no_library(L);
        if (tried[0])
            tide_raise_bad(L, "require", NULL, name, "not found; tried %s; %s", tried, reason);
        tide_raise_bad(L, "require", NULL, name, "not found: %s", reason);
    }
    const char *path = lua_tostring(L, -1);
    lua_pushvalue(L, 1);
    lua_pushlightuserdata(L, run); // marks the module as being loaded
    lua_rawset(L, lua_upvalueindex(2));
    load_file(L, path, lua_upvalueindex(3));
    lua_pushvalue(L, 1);
    lua_pushstring(L, path);
    tide_error error;
    tide_status status = tide_call(L, 2, 1, &error);
    if (status == TIDE_OK && lua_isnil(L, -1)) {
        lua_pop(L, 1);
        lua_pushboolean(L, 1);
    }
    lua_pushvalue(L, 1);
    if (status == TIDE_OK)
        lua_pushvalue(L, -2);
    else
        lua_pushnil(L);
    lua_rawset(L, lua_upvalueindex(2));
    tide_raise_unless_ok(L, status, &error);
    return 1;
}

static void set_require(lua_State *L, int run, int environment)
{
    lua_pushvalue(L, run);
    lua_newtable(L);
    tide_context_of(L)->push_module(L, run);
    lua_setfield(L, -2, "springtide");
    lua_pushvalue(L, environment);
    lua_pushcclosure(L, require_call, 3);
    lua_setfield(L, environment, "require");
}

void tide_run_push_library(lua_State *L, const char *module)
{
    tide_run *run = tide_run_new(L, NULL, NULL);
    int at = lua_gettop(L);
    run->folder = copy(L, run, run->library ? run->library : ""); // "": run nothing of the current folder
    tide_sandbox_push(L, at);
    set_require(L, at, at + 1);
    lua_pushvalue(L, at + 1);
    lua_setiuservalue(L, at, TIDE_RUN_ENVIRONMENT);
    lua_getfield(L, at + 1, "require");
    lua_pushstring(L, module);
    lua_call(L, 1, 1);
    lua_replace(L, at + 1);
    lua_settop(L, at + 1);
}

// --- running ---------------------------------------------------------------------------------------------------------

static void check_readable(lua_State *L, const char *path)
{
    if (tide_script_record_gives(L, path))
        return;
    tide_error error;
    tide_raise_unless_ok(L, tide_input_file_check(path, path, &error), &error);
    FILE *file = fopen(path, "r");
    bool readable = file && fgetc(file) != EOF;
    bool empty = file && !readable && !ferror(file);
    int reason = errno;
    if (file)
        fclose(file);
    if (readable)
        return;
    if (empty)
        tide_fail(&error, TIDE_ERROR_SCRIPT, path, NULL, NULL,
                  "the file is empty; a scene script ends in `return scene`");
    else
        tide_fail(&error, TIDE_ERROR_FILE, path, NULL, NULL, "cannot be read: %s", strerror(reason));
    tide_raise(L, &error);
}

void tide_run_execute(lua_State *L, const tide_world *predecessor)
{
    luaL_checkstack(L, 16, NULL);
    int at = lua_gettop(L);
    tide_run *run = lua_touserdata(L, at);
    tide_script_record_file(L, run->path);
    check_readable(L, run->path);
    tide_set_portable(run->portable);
    tide_sandbox_push(L, at);
    set_require(L, at, at + 1);
    lua_pushvalue(L, at + 1);
    lua_setiuservalue(L, at, TIDE_RUN_ENVIRONMENT);
    load_file(L, run->path, at + 1);
    run->predecessor = predecessor;
    run->executing = true;
    tide_context *context = tide_context_of(L);
    const tide_run *outer = context->executing;
    context->executing = run;
    tide_error error;
    tide_status status = tide_call(L, 0, 2, &error);
    context->executing = outer;
    run->executing = false;
    run->predecessor = NULL;
    tide_raise_unless_ok(L, status, &error);
    lua_setiuservalue(L, at, TIDE_RUN_ANSWERS);
    tide_params_check_settings(L, run);
    if (!tide_object_test(L, -1, context->scene_class)) {
        char shown[TIDE_VALUE_TEXT_SIZE];
        tide_fail(&error, TIDE_ERROR_SCRIPT, NULL, NULL, NULL,
                  "the script returned %s; end it with `return scene`, where scene is what tide.scene gave",
                  tide_show(L, -1, shown));
        tide_error_locate(&error, run->path, 0);
        tide_raise(L, &error);
    }
    tide_scene *scene = ((const tide_scene_handle *)lua_touserdata(L, -1))->scene;
    if (scene->awaits_solver && scene->world)
        tide_scene_set_solver_text(L, run->solver, scene);
    scene->awaits_solver = false;
    if (scene->world)
        tide_raise_unless_ok(L, tide_scene_make_ground(scene, &error), &error);
    tide_text_clear(&scene->described);
    if (tide_state_save_protected(L, scene, &scene->described, &error) != TIDE_OK)
        tide_text_clear(&scene->described); // the first step reports the error
    lua_replace(L, at);
    lua_settop(L, at);
}
