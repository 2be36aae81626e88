// Forks and reloads.
#include "script/binding.h"
#include "script/collider_binding.h"
#include "script/limits.h"

#include "base/log.h"
#include "base/memory.h"
#include "world/reconciliation_text.h"

#include <stdio.h>
#include <string.h>

// --- forks -----------------------------------------------------------------------------------------------------------

// Copies a user value from one core to another. With `own`, each has a table of its own.
static void copy_value(lua_State *L, const tide_scene *from, const tide_scene *to, int value, bool own)
{
    luaL_checkstack(L, 8, NULL);
    tide_scene_push_core(L, to);
    tide_scene_push_core(L, from);
    lua_getiuservalue(L, -1, value);
    if (own)
        tide_copy_table(L);
    lua_setiuservalue(L, -3, value);
    lua_pop(L, 2);
}

static void link_cores(lua_State *L, const tide_scene *from, const tide_scene *to)
{
    tide_scene_push_core(L, from);
    tide_scene_push_core(L, to);
    lua_setiuservalue(L, -2, TIDE_CORE_LINK);
    lua_pop(L, 1);
}

int tide_scene_fork(lua_State *L)
{
    tide_scene *scene = tide_scene_self(L);
    lua_settop(L, 1);
    tide_scene_push_core(L, scene);
    lua_getiuservalue(L, 2, TIDE_CORE_RUN);
    tide_scene *fork = tide_scene_new(L, 3);
    int handle = lua_gettop(L);
    tide_error error;
    tide_raise_unless_ok(L, tide_world_fork(scene->world, &fork->world, &error), &error);
    copy_value(L, scene, fork, TIDE_CORE_CALLBACKS, false);
    copy_value(L, scene, fork, TIDE_CORE_MOVES, true);
    copy_value(L, scene, fork, TIDE_CORE_COLOURS, true);
    memcpy(fork->title, scene->title, sizeof fork->title);
    fork->view = scene->view;
    fork->origin = scene->origin ? scene->origin : scene;
    link_cores(L, fork, fork->origin);
    tide_text state = { 0 };
    tide_raise_unless_ok(L, tide_state_save_protected(L, scene, &state, &error), &error);
    tide_status status = TIDE_OK;
    if (state.length)
        status = tide_state_load(L, fork, state.bytes, state.length, false, &error);
    tide_text_free(&state);
    tide_raise_unless_ok(L, status, &error);
    tide_scene_connect(fork);
    tide_account(L, (size_t)tide_world_particle_count(fork->world) * 1024);
    lua_settop(L, handle);
    return 1;
}

// --- reload ----------------------------------------------------------------------------------------------------------

void tide_push_reconciliation(lua_State *L, const tide_reconciliation *reconciliation)
{
    lua_createtable(L, 0, 6);
    tide_set_integer(L, "kept", reconciliation->kept);
    tide_set_integer(L, "rebuilt", reconciliation->rebuilt);
    tide_set_integer(L, "added", reconciliation->added);
    tide_set_integer(L, "removed", reconciliation->removed);
    tide_set_flag(L, "refactored", reconciliation->refactored);
    tide_set_number(L, "seconds", reconciliation->seconds);
}

// Reports keys of scene.state for which the new script assigns another value than the old script did.
static void tell_overridden(const char *fields, tide_text *notice)
{
    static const char text[] = "the carried-over value goes on, the script's takes effect after a reset";
    if (notice)
        tide_text_format(notice, "%s%s: %s", notice->length ? "\n" : "", fields, text);
    else
        tide_log(TIDE_LOG_WARNING, "%s: %s", fields, text);
}

tide_status tide_scene_reconcile(lua_State *L, tide_scene *scene, lua_State *old_L, tide_scene *old,
                                 tide_reconciliation *reconciliation, tide_text *notice, tide_error *error)
{
    tide_text state = { 0 }, overridden = { 0 };
    // A reset returns to the new script's own state. Until then the state of the old script is carried over.
    tide_status status = tide_world_mark_initial(scene->world, error);
    if (status == TIDE_OK)
        status = tide_state_save_protected(old_L, old, &state, error);
    if (status == TIDE_OK)
        status = tide_state_find_overridden(L, scene, &old->described, &state, &overridden, error);
    if (status == TIDE_OK && state.length)
        status = tide_state_load(L, scene, state.bytes, state.length, true, error);
    tide_text_free(&state);
    // All that can fail comes first. Nothing fails after the world has been reconciled.
    tide_pose *poses = NULL;
    if (status == TIDE_OK)
        status = tide_scene_find_poses(L, scene, tide_world_time(old->world), &poses, error);
    if (status == TIDE_OK)
        status = tide_world_reconcile_with_notice(scene->world, old->world, reconciliation, notice, error);
    if (status == TIDE_OK)
        tide_scene_place_colliders(L, scene, poses);
    if (status == TIDE_OK && overridden.length)
        tell_overridden(overridden.bytes, notice);
    tide_text_free(&overridden);
    tide_free(poses);
    return status;
}

static int run_call(lua_State *L) // arguments: run, old world
{
    tide_world *predecessor = lua_touserdata(L, 2);
    lua_settop(L, 1);
    tide_run_execute(L, predecessor);
    return 1;
}

// Moves the contents of `from`, whose handle is on top, to the core of `scene`.
static void move_scene(lua_State *L, tide_scene *from, tide_scene *scene)
{
    tide_world_destroy(scene->world);
    scene->world = from->world;
    from->world = NULL;
    memcpy(scene->title, from->title, sizeof scene->title);
    scene->view = from->view;
    tide_text described = scene->described;
    scene->described = from->described;
    from->described = described;
    tide_scene_connect(scene);
    for (int value = TIDE_CORE_CALLBACKS; value <= TIDE_CORE_RUN; value++)
        copy_value(L, from, scene, value, false);
    // The callbacks are the new script's. If it returned a fork, its handles refer to the fork's origin.
    scene->origin = from->origin;
    if (from->origin)
        link_cores(L, scene, from->origin);
    from->moved = scene;
    link_cores(L, from, scene);
    tide_scene_handle *handle = lua_touserdata(L, -1);
    tide_scene_push_core(L, scene);
    lua_setiuservalue(L, -2, 1);
    handle->scene = scene;
}

static tide_status reload(lua_State *L, tide_scene *scene, tide_limits *limits, tide_reconciliation *reconciliation,
                          tide_text *notice, tide_error *error)
{
    // The run is on top of the stack.
    lua_pushcfunction(L, run_call);
    lua_insert(L, -2);
    lua_pushlightuserdata(L, scene->world);
    TIDE_TRY(tide_run_call(L, limits, 2, 1, error));
    const tide_scene_handle *handle = lua_touserdata(L, -1);
    tide_scene *fresh = handle->scene;
    if (!fresh->world || fresh->stepping)
        return tide_fail(error, TIDE_ERROR_SCRIPT, "scene", NULL, NULL, "the script did not return a scene of its own");
    TIDE_TRY(tide_scene_reconcile(L, fresh, L, scene, reconciliation, notice, error));
    move_scene(L, fresh, scene);
    return TIDE_OK;
}

int tide_scene_reload(lua_State *L)
{
    tide_scene *scene = tide_scene_self(L);
    tide_error error;
    tide_reconciliation reconciliation;
    lua_settop(L, 3);
    luaL_checkstack(L, 24, NULL);
    if (scene->stepping || tide_context_of(L)->running == scene)
        tide_raise_bad(L, "scene", "reload", NULL, "the scene is running a callback; reload it between steps");
    tide_scene_push_core(L, scene);
    lua_getiuservalue(L, -1, TIDE_CORE_RUN);
    const tide_run *before = lua_touserdata(L, -1);
    const char *path = lua_isnil(L, 2) ? before->path : tide_check_path(L, 2, "scene", "reload");
    if (path && !lua_isnil(L, 2) && tide_is_confined(L) && !tide_run_may_read(before, path))
        tide_run_refuse_file(L, before, path, "scene", "reload");
    if (!path)
        tide_raise_bad(L, "scene", "reload", NULL, "this scene was not made by a script file; give a path");
    tide_script_options options = tide_read_load_options(L, 3, "reload");
    if (lua_isnil(L, 3))
        options = tide_run_options(before);
    tide_text *notice = tide_text_new(L);
    tide_script_options kept = tide_run_options(before);
    options.time_limit = options.time_limit > 0 ? options.time_limit : kept.time_limit;
    options.memory_limit = options.memory_limit > 0 ? options.memory_limit : kept.memory_limit;
    options.untrusted = kept.untrusted;
    options.folder_barred = kept.folder_barred;
    if (options.portable && !kept.portable)
        tide_raise_bad(
            L, "reload", "portable", "true",
            "the scene was opened without it, and its mode cannot change while it runs; load the scene again");
    options.portable = kept.portable; // the world goes on in its mode
    tide_run *run = tide_run_new(L, path, &options);
    lua_pushvalue(L, -1); // keeps the run's limits alive until it has run
    lua_insert(L, 5);
    if (before->path)
        lua_getiuservalue(L, 6, TIDE_RUN_PARENT);
    else
        lua_pushvalue(L, 6); // plain Lua's run, whose solvers the script may use
    lua_insert(L, -2);
    tide_run_set_parent(L, -2);
    if (reload(L, scene, run->limits, &reconciliation, notice, &error) != TIDE_OK)
        return tide_push_failure(L, &error);
    lua_pushboolean(L, 1);
    tide_push_reconciliation(L, &reconciliation);
    lua_pushlstring(L, notice->length ? notice->bytes : "", notice->length);
    lua_setfield(L, -2, "changes");
    return 2;
}
