// Steps of scenes and their callbacks.
#include "script/binding.h"
#include "script/body_binding.h"
#include "script/collider_binding.h"
#include "script/limits.h"
#include "script/step_time.h"

#include <stdio.h>
#include <string.h>

static bool has_callback(lua_State *L, const tide_scene *scene, const char *name)
{
    bool found = tide_scene_push_callback(L, scene, name);
    lua_pop(L, found);
    return found;
}

// Tells whether the script has anything to do before a step.
static bool has_update(lua_State *L, const tide_scene *scene)
{
    return has_callback(L, scene, "update") || tide_scene_has_move(L, scene, NULL);
}

// Rolls back the update of a step that was not taken.
static void undo_update(lua_State *L, tide_scene *scene)
{
    tide_error unread; // out of memory: state that cannot be restored stays as the update left it
    tide_world_undo(scene->world);
    tide_state_load(L, scene, scene->before.bytes, scene->before.length, false, &unread);
}

tide_status tide_scene_update(lua_State *L, tide_scene *scene, tide_error *error)
{
    tide_status status = tide_scene_make_ground(scene, error);
    if (status == TIDE_OK)
        status = tide_world_mark_initial(scene->world, error); // before the script adds forces
    if (status != TIDE_OK || !has_update(L, scene))
        return status;
    tide_text_clear(&scene->before);
    tide_state_save(L, scene, &scene->before);
    TIDE_TRY(tide_world_keep(scene->world, error));
    bool stepping = scene->stepping;
    scene->stepping = true;
    status = tide_scene_move_colliders(L, scene, error);
    if (status == TIDE_OK) {
        lua_pushnumber(L, tide_world_get_settings(scene->world)->timestep);
        status = tide_scene_callback(L, scene, "update", 1, error);
    }
    scene->stepping = stepping;
    if (status != TIDE_OK)
        undo_update(L, scene);
    return status;
}

// Takes the world's step after the update.
static tide_status advance(lua_State *L, tide_scene *scene, bool updated, tide_error *error)
{
    tide_step_time_turn(L, true);
    tide_status status = tide_world_step(scene->world, error);
    tide_step_time_turn(L, false);
    if (status != TIDE_OK && updated)
        undo_update(L, scene);
    else if (status != TIDE_OK)
        tide_world_clear_forces(scene->world);
    else if (has_callback(L, scene, "contact"))
        status = tide_scene_tell_contacts(L, scene, error);
    if (status == TIDE_OK && has_callback(L, scene, "torn"))
        status = tide_scene_tell_torn(L, scene, error);
    return status;
}

static tide_status step_once(lua_State *L, tide_scene *scene, tide_step_part part, tide_error *error)
{
    bool updated = has_update(L, scene);
    tide_status status = part == TIDE_STEP_ADVANCE ? TIDE_OK : tide_scene_update(L, scene, error);
    return status == TIDE_OK && part != TIDE_STEP_UPDATE ? advance(L, scene, updated, error) : status;
}

typedef struct stepping {
    tide_scene *scene;
    tide_step_part part;
    tide_error *error;
    bool outermost; // the host takes the step, not the script
} stepping;

static int step_call(lua_State *L)
{
    const stepping *what = lua_touserdata(L, 1);
    if (what->outermost)
        tide_step_time_begin(L);
    tide_status status = step_once(L, what->scene, what->part, what->error);
    if (status == TIDE_ERROR_MEMORY)
        tide_limits_run_out_of_memory(L);
    lua_pushinteger(L, status);
    return 1;
}

tide_status tide_scene_step(lua_State *L, tide_scene *scene, tide_step_part part, tide_error *error)
{
    if (scene->stepping)
        return tide_fail(error, TIDE_ERROR_STATE, "scene", "step", NULL,
                         "the scene is in a step already; leave :step out of its callbacks");
    TIDE_TRY(tide_scene_check_allowed(L, "step", error));
    luaL_checkstack(L, 8, NULL);
    scene->stepping = true;
    // Protected, so that an error, such as out of memory, cannot leave the scene marked as stepping.
    const tide_run *run = tide_scene_run_of(L, scene);
    bool mistrusts = run->untrusted;
    stepping what = { scene, part, error, run->limits && !tide_limits_in_force(L, run->limits) };
    lua_pushcfunction(L, step_call);
    lua_pushlightuserdata(L, &what);
    tide_context_of(L)->mistrusts += mistrusts;
    tide_status status = tide_run_call(L, run->limits, 1, 1, error);
    tide_context_of(L)->mistrusts -= mistrusts;
    scene->stepping = false;
    if (status == TIDE_OK) {
        status = (tide_status)lua_tointeger(L, -1);
        lua_pop(L, 1);
    }
    scene->L = L;
    return status;
}
