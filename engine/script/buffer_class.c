// Buffers: a body's positions or velocities as a flat list over the engine's own memory, found anew on every use.
#include "script/binding.h"

#include <math.h>

double *tide_buffer_data(lua_State *L, const tide_buffer *buffer, uint32_t *size)
{
    tide_body_info info;
    tide_scene *scene = tide_body_live(L, &buffer->body, &info);
    *size = 3 * info.vertex_count;
    return buffer->velocities ? tide_world_velocities(scene->world, tide_body_id_of(&buffer->body))
                              : tide_world_positions(scene->world, tide_body_id_of(&buffer->body));
}

static int push_buffer(lua_State *L, bool velocities)
{
    const tide_body_handle *body = tide_object_self(L, &tide_body_class);
    tide_body_info info;
    tide_body_live(L, body, &info);
    tide_buffer *buffer = tide_object_new(L, &tide_buffer_class, sizeof *buffer, 1);
    buffer->body = *body;
    buffer->velocities = velocities;
    lua_getiuservalue(L, 1, 1);
    lua_setiuservalue(L, -2, 1);
    return 1;
}

int tide_body_positions(lua_State *L)
{
    return push_buffer(L, false);
}

int tide_body_velocities(lua_State *L)
{
    return push_buffer(L, true);
}

// The number at the key at index 2; NULL for the one after the last, where a loop ends.
static double *element(lua_State *L, bool may_end, const char **field)
{
    uint32_t size;
    const tide_buffer *buffer = tide_object_check(L, 1, &tide_buffer_class);
    double *data = tide_buffer_data(L, buffer, &size);
    *field = buffer->velocities ? "velocities" : "positions";
    int is_integer;
    lua_Integer i = lua_tointegerx(L, 2, &is_integer);
    if (is_integer && i >= 1 && i <= (lua_Integer)size)
        return data + i - 1;
    if (may_end && is_integer && i == (lua_Integer)size + 1)
        return NULL;
    char object[TIDE_OBJECT_TEXT], shown[TIDE_VALUE_TEXT_SIZE];
    tide_part_name("body", buffer->body.name, object);
    tide_raise_bad(L, object, *field, tide_show(L, 2, shown), "expected an index from 1 to %u", size);
}

static int get_element(lua_State *L)
{
    const char *field;
    const double *number = element(L, true, &field);
    if (number)
        lua_pushnumber(L, *number);
    else
        lua_pushnil(L);
    return 1;
}

static int set_element(lua_State *L)
{
    const char *field;
    double *number = element(L, false, &field);
    const tide_buffer *buffer = lua_touserdata(L, 1);
    tide_body_info info;
    tide_error error;
    const tide_scene *scene = tide_body_live(L, &buffer->body, &info);
    tide_raise_unless_ok(L, tide_world_check_idle(scene->world, field, &error), &error);
    if (lua_type(L, 3) != LUA_TNUMBER || !isfinite(lua_tonumber(L, 3))) {
        char object[TIDE_OBJECT_TEXT];
        tide_part_name("body", buffer->body.name, object);
        tide_check_number(L, 3, object, field);
    }
    *number = lua_tonumber(L, 3);
    return 0;
}

static int length(lua_State *L)
{
    uint32_t size;
    tide_buffer_data(L, tide_object_check(L, 1, &tide_buffer_class), &size);
    lua_pushinteger(L, size);
    return 1;
}

static const tide_member members[] = { { 0 } };
static const luaL_Reg metamethods[] = { { "__len", length }, { 0 } };

const tide_class tide_buffer_class = {
    "tide.Buffer",
    "buffer",
    "Numbers of a body in the engine's own memory: buffer[1] to buffer[#buffer], x, y, z of each vertex in turn.",
    members,
    metamethods,
    get_element,
    set_element,
};
