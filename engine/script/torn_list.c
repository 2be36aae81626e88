// The callback scene.torn: elements that tore in a step.
#include "script/body_binding.h"

#include "world/lasting.h"

#include <string.h>

static void push_torn(lua_State *L, const tide_scene *scene, int handle, const tide_torn *torn)
{
    tide_body_info info;
    lua_createtable(L, 0, 6);
    if (tide_world_body_info(scene->world, torn->body, &info)) {
        tide_body_push(L, handle, torn->body, info.name);
        lua_setfield(L, -2, "body");
    }
    tide_set_integer(L, "element", (lua_Integer)torn->element + 1);
    lua_createtable(L, (int)torn->vertex_count, 0);
    for (uint32_t c = 0; c < torn->vertex_count; c++) {
        lua_pushinteger(L, (lua_Integer)torn->vertices[c] + 1);
        lua_rawseti(L, -2, (lua_Integer)c + 1);
    }
    lua_setfield(L, -2, "vertices");
    tide_set_number(L, "strain", torn->strain);
    if (torn->vertex != TIDE_TORN_CUT)
        tide_set_integer(L, "vertex", (lua_Integer)torn->vertex + 1);
    tide_push_vec3(L, torn->position);
    lua_setfield(L, -2, "position");
}

tide_status tide_scene_tell_torn(lua_State *L, tide_scene *scene, tide_error *error)
{
    static const char note[] = " (in scene.torn: the step has been taken)";
    uint32_t count;
    const tide_torn *torn = tide_world_torn(scene->world, &count);
    if (!count)
        return TIDE_OK;
    luaL_checkstack(L, 24, NULL);
    int top = lua_gettop(L);
    // Copies the list, because the callback may change the world.
    tide_torn *copy = lua_newuserdatauv(L, count * sizeof *copy, 0);
    memcpy(copy, torn, count * sizeof *copy);
    tide_scene_push(L, tide_scene_origin(scene)); // like the script's own handle
    tide_status status = TIDE_OK;
    for (uint32_t i = 0; i < count && status == TIDE_OK; i++) {
        push_torn(L, scene, top + 2, &copy[i]);
        status = tide_scene_callback(L, scene, "torn", 1, error);
    }
    lua_settop(L, top);
    size_t length = status == TIDE_OK ? 0 : strlen(error->remedy);
    if (status != TIDE_OK && length + sizeof note <= sizeof error->remedy)
        memcpy(error->remedy + length, note, sizeof note);
    return status;
}
