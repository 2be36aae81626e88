// Calls of the functions that a script gives to its scene.
#include "script/binding.h"

bool tide_scene_push_callback(lua_State *L, const tide_scene *scene, const char *name)
{
    luaL_checkstack(L, 8, NULL);
    tide_scene_push_core(L, scene);
    lua_getiuservalue(L, -1, TIDE_CORE_CALLBACKS);
    bool found = lua_getfield(L, -1, name) == LUA_TFUNCTION;
    lua_replace(L, -3);
    lua_pop(L, found ? 1 : 2);
    return found;
}

tide_status tide_scene_run(lua_State *L, tide_scene *scene, int argument_count, int result_count, tide_error *error)
{
    tide_context *context = tide_context_of(L);
    tide_scene *before = context->running, *origin = tide_scene_origin(scene);
    // While a fork runs its callbacks, handles that the script has of its scene lead to the fork.
    tide_scene *redirect = origin != scene ? origin->redirect : NULL;
    if (origin != scene)
        origin->redirect = scene;
    context->running = scene;
    tide_status status = tide_call(L, argument_count, result_count, error);
    context->running = before;
    if (origin != scene)
        origin->redirect = redirect;
    scene->L = L;
    return status;
}

tide_scene *tide_scene_origin(tide_scene *scene)
{
    tide_scene *origin = scene->origin;
    while (origin && origin->moved)
        origin = origin->moved;
    return origin ? origin : scene;
}

tide_status tide_scene_callback(lua_State *L, tide_scene *scene, const char *name, int argument_count,
                                tide_error *error)
{
    if (!tide_scene_push_callback(L, scene, name)) {
        lua_pop(L, argument_count);
        return TIDE_OK;
    }
    lua_insert(L, -argument_count - 1);
    return tide_scene_run(L, scene, argument_count, 0, error);
}
