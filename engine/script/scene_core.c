// Scenes as the files of this folder pass them around: the handles that scripts hold, and the live scenes behind them,
// the cores.
#include "script/binding.h"

#include "base/portable.h"

static const char cores_key; // registry key of a table from address to core, with weak values

static int collect_core(lua_State *L)
{
    tide_scene *scene = lua_touserdata(L, 1);
    tide_world_destroy(scene->world);
    tide_text_free(&scene->before);
    tide_text_free(&scene->described);
    scene->world = NULL;
    return 0;
}

static const luaL_Reg core_metamethods[] = { { "__gc", collect_core }, { 0 } };

static const tide_class core_class = { "tide.Core", "core", "", tide_no_members, core_metamethods, NULL, NULL };

// Pushes the core of a scene of the run (absolute index).
static tide_scene *push_new_core(lua_State *L, int run)
{
    tide_scene *scene = tide_object_new(L, &core_class, sizeof *scene, TIDE_CORE_VALUES);
    scene->L = L;
    scene->portable = ((const tide_run *)lua_touserdata(L, run))->portable;
    lua_newtable(L);
    lua_setiuservalue(L, -2, TIDE_CORE_CALLBACKS);
    lua_pushvalue(L, run);
    lua_setiuservalue(L, -2, TIDE_CORE_RUN);
    tide_push_weak_table(L, &cores_key);
    lua_pushvalue(L, -2);
    lua_rawsetp(L, -2, scene);
    lua_pop(L, 1);
    return scene;
}

void tide_scene_push_core(lua_State *L, const tide_scene *scene)
{
    tide_push_weak_table(L, &cores_key);
    lua_rawgetp(L, -1, scene);
    lua_remove(L, -2);
}

tide_run *tide_scene_run_of(lua_State *L, const tide_scene *scene)
{
    luaL_checkstack(L, 4, NULL);
    tide_scene_push_core(L, scene);
    lua_getiuservalue(L, -1, TIDE_CORE_RUN);
    tide_run *run = lua_touserdata(L, -1);
    lua_pop(L, 2);
    return run;
}

tide_scene *tide_scene_live(lua_State *L, const tide_scene_handle *handle)
{
    tide_scene *scene = handle->scene;
    while (scene->redirect)
        scene = scene->redirect;
    if (!scene->world)
        tide_raise_bad(L, "scene", NULL, NULL, "it is gone: its script was run again");
    scene->L = L;
    tide_set_portable(scene->portable);
    return scene;
}

tide_scene *tide_scene_check(lua_State *L, int index)
{
    return tide_scene_live(L, tide_object_check(L, index, tide_context_of(L)->scene_class));
}

tide_scene *tide_scene_self(lua_State *L)
{
    return tide_scene_live(L, tide_object_self(L, tide_context_of(L)->scene_class));
}

static tide_scene_handle *push_handle(lua_State *L)
{
    return tide_object_new(L, tide_context_of(L)->scene_class, sizeof(tide_scene_handle), 1);
}

void tide_scene_push(lua_State *L, tide_scene *scene)
{
    push_handle(L)->scene = scene;
    tide_scene_push_core(L, scene);
    lua_setiuservalue(L, -2, 1);
}

tide_status tide_scene_check_allowed(lua_State *L, const char *what, tide_error *error)
{
    const tide_context *context = tide_context_of(L);
    if (context->solving && context->mistrusts)
        return tide_fail(error, TIDE_ERROR_STATE, "scene", what, NULL,
                         "the step of an untrusted solver neither makes scenes nor steps them; compute it from the "
                         "step's own system");
    if (context->sceneless)
        return tide_fail(error, TIDE_ERROR_STATE, "scene", what, NULL,
                         "this function neither makes scenes nor steps them; compute it from its arguments");
    return TIDE_OK;
}

tide_scene *tide_scene_new(lua_State *L, int run)
{
    tide_error error;
    tide_raise_unless_ok(L, tide_scene_check_allowed(L, "new", &error), &error);
    run = lua_absindex(L, run);
    luaL_checkstack(L, 12, NULL);
    tide_scene_handle *handle = push_handle(L);
    handle->scene = push_new_core(L, run);
    lua_setiuservalue(L, -2, 1);
    return handle->scene;
}
