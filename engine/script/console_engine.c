// Functions of the engine for scripts/springtide/console/, which shows values and completes names. Scripts cannot reach
// them.
#include "script/console_parts.h"

#include "script/collider_binding.h"
#include "script/identity.h"
#include "script/script_state.h"

#include <stdio.h>
#include <string.h>

enum {
    NUMBERS = 12,   // maximum numbers shown of a buffer or vector
    SHOWN = 1 << 16 // maximum bytes shown of values
};

// --- descriptions ----------------------------------------------------------------------------------------------------

static void show_function(lua_State *L, int index, tide_text *text)
{
    lua_Debug about;
    lua_pushvalue(L, index);
    lua_getinfo(L, ">S", &about);
    if (strcmp(about.what, "C") == 0)
        tide_text_format(text, "function (of the engine or Lua)");
    else
        tide_text_format(text, "function (%s:%d)",
                         about.source[0] == '@' || about.source[0] == '=' ? about.source + 1 : "text",
                         about.linedefined);
}

// --- objects of the engine -------------------------------------------------------------------------------------------

static void show_numbers(const double *values, size_t count, tide_text *text)
{
    size_t shown = count < NUMBERS ? count : NUMBERS;
    for (size_t i = 0; i < shown; i++)
        tide_text_format(text, "%s%.6g", i ? ", " : "", values[i]);
    if (shown < count)
        tide_text_format(text, ", ...");
}

static void show_collider(lua_State *L, const tide_collider_handle *handle, tide_text *text)
{
    const tide_scene *scene = tide_scene_live(L, handle->scene);
    const tide_collider *collider =
        tide_world_collider(scene->world, (tide_collider_id) { handle->index, handle->generation });
    if (!collider)
        tide_part_gone(L, "collider", handle->name);
    tide_pose pose = tide_collider_pose(collider, 1);
    tide_text_format(text, "collider \"%s\": %s at ", handle->name, collider->kind->name);
    show_numbers(pose.position, 3, text);
}

static void show_buffer(lua_State *L, const tide_buffer *buffer, tide_text *text)
{
    uint32_t size;
    const double *values = tide_buffer_data(L, buffer, &size);
    tide_text_format(text, "%s of %s \"%s\" (%u numbers): ", buffer->velocities ? "velocities" : "positions",
                     buffer->of_collider ? "collider" : "body", buffer->body.name, size);
    show_numbers(values, size, text);
}

static void show_userdata(lua_State *L, int index, tide_text *text)
{
    char shown[TIDE_VALUE_TEXT_SIZE];
    const void *object;
    if ((object = tide_object_test(L, index, &tide_collider_class)))
        show_collider(L, object, text);
    else if ((object = tide_object_test(L, index, &tide_buffer_class)))
        show_buffer(L, object, text);
    else if ((object = tide_object_test(L, index, &tide_vector_class))) {
        const tide_vector *vector = object;
        tide_text_format(text, "vector (%zu numbers): ", vector->size);
        show_numbers(vector->values, vector->size, text);
    } else
        tide_text_format(text, "%s", tide_show(L, index, shown));
}

// describe(value): returns the text of a value that is no number, string or table, nor of a class that show.lua knows.
static int describe(lua_State *L)
{
    tide_text *text = tide_text_new(L);
    char shown[TIDE_VALUE_TEXT_SIZE];
    if (lua_isfunction(L, 1))
        show_function(L, 1, text);
    else if (lua_type(L, 1) == LUA_TUSERDATA)
        show_userdata(L, 1, text);
    else
        tide_text_format(text, "%s", tide_show(L, 1, shown));
    if (text->failed)
        tide_raise_memory(L, "console");
    lua_pushlstring(L, text->bytes, text->length);
    return 1;
}

// text(value): returns what its __tostring returns; nil if it has none.
static int text_of(lua_State *L)
{
    if (luaL_getmetafield(L, 1, "__tostring") == LUA_TNIL)
        return 0;
    tide_push_text(L, 1, NULL);
    return 1;
}

// plain(value): returns a plain copy of a table of a property; any other value as it is.
static int plain(lua_State *L)
{
    lua_settop(L, 1);
    tide_property_plain(L, 1);
    return 1;
}

// --- names -----------------------------------------------------------------------------------------------------------

static int keys(lua_State *L)
{
    tide_push_sorted_keys(L, 1);
    return 1;
}

// Replaces the value on top by its metatable's __index table, or by the class's member table, which is an upvalue of
// __index. Returns false and leaves nothing if there is none.
static bool next_parent(lua_State *L)
{
    bool found = luaL_getmetafield(L, -1, "__index") != LUA_TNIL;
    if (found)
        lua_remove(L, -2);
    if (found && lua_iscfunction(L, -1)) {
        found = lua_getupvalue(L, -1, 1) != NULL;
        if (found)
            lua_remove(L, -2);
    }
    if (found && lua_istable(L, -1))
        return true;
    lua_pop(L, 1);
    return false;
}

static int parent(lua_State *L)
{
    lua_settop(L, 1);
    return next_parent(L);
}

// names(table, is_object, methods): returns the keys of a table, or the members of an object from its class's table.
static int names(lua_State *L)
{
    bool is_object = lua_toboolean(L, 2), methods = lua_toboolean(L, 3);
    lua_settop(L, 1);
    lua_newtable(L);
    lua_pushnil(L);
    while (lua_next(L, 1)) {
        const tide_member *member = lua_islightuserdata(L, -1) ? lua_touserdata(L, -1) : NULL;
        bool wanted = is_object ? member && methods == (member->call != NULL) : !methods || lua_isfunction(L, -1);
        lua_pop(L, 1);
        if (wanted && lua_type(L, -1) == LUA_TSTRING) {
            lua_pushvalue(L, -1);
            lua_rawseti(L, 2, (lua_Integer)lua_rawlen(L, 2) + 1);
        }
    }
    return 1;
}

static int global(lua_State *L)
{
    tide_console_push_environment(L);
    lua_pushvalue(L, 1);
    lua_gettable(L, -2);
    return 1;
}

// environments(): returns the base environment of consoles, the script's globals and the console's.
static int environments(lua_State *L)
{
    lua_newtable(L);
    tide_console_push_environment(L);
    int environment = lua_gettop(L);
    luaL_getmetafield(L, environment, "__index");
    for (int i = 1; i <= 2; i++)
        if (lua_getupvalue(L, environment + 1, i))
            lua_rawseti(L, environment - 1, i);
    lua_settop(L, environment);
    lua_rawseti(L, environment - 1, 3);
    return 1;
}

// parts("body" or "collider"): returns their names.
static int parts(lua_State *L)
{
    bool bodies = strcmp(luaL_checkstring(L, 1), "body") == 0;
    lua_getfield(L, LUA_REGISTRYINDEX, "tide.scene");
    const tide_world *world = tide_scene_check(L, -1)->world;
    uint32_t count = bodies ? tide_world_body_count(world) : tide_world_collider_count(world);
    lua_newtable(L);
    for (uint32_t i = 0; i < count; i++) {
        tide_body_info body = { .name = NULL };
        if (bodies)
            tide_world_body_info(world, tide_world_body_at(world, i), &body);
        else
            body.name = tide_world_collider(world, tide_world_collider_at(world, i))->name;
        lua_pushstring(L, body.name ? body.name : "");
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    return 1;
}

// begin(count): tells how many bytes at the end of the line belong to the name. Upvalue: where to store the number.
static int begin(lua_State *L)
{
    *(size_t *)lua_touserdata(L, lua_upvalueindex(1)) = (size_t)luaL_checkinteger(L, 1);
    return 0;
}

static const luaL_Reg functions[] = {
    { "describe", describe }, { "text", text_of },
    { "plain", plain },       { "keys", keys },
    { "parent", parent },     { "names", names },
    { "global", global },     { "environments", environments },
    { "parts", parts },       { 0 },
};

// --- calls -----------------------------------------------------------------------------------------------------------

void tide_console_show(lua_State *L, int index, tide_text *text)
{
    int top = lua_gettop(L);
    index = lua_absindex(L, index);
    tide_library_push(L, "console/show");
    lua_pushvalue(L, index);
    luaL_newlib(L, functions);
    lua_pushinteger(L, (lua_Integer)text->length);
    lua_call(L, 3, 1);
    size_t length;
    const char *shown = luaL_checklstring(L, -1, &length);
    tide_text_add(text, shown, length);
    lua_settop(L, top);
    if (text->failed)
        tide_raise_memory(L, "console");
    if (text->length >= SHOWN)
        tide_text_format(text, " ...");
}

typedef struct completion {
    const char *text;
    tide_text *names;
    size_t *length;
} completion;

static int complete_call(lua_State *L)
{
    const completion *what = lua_touserdata(L, 1);
    tide_library_push(L, "console/complete");
    lua_pushstring(L, what->text);
    luaL_newlib(L, functions);
    lua_pushlightuserdata(L, what->length);
    lua_pushcclosure(L, begin, 1);
    lua_setfield(L, -2, "begin");
    lua_getfield(L, LUA_REGISTRYINDEX, "tide.scene");
    lua_setfield(L, -2, "scene");
    lua_call(L, 2, 1);
    size_t length;
    const char *names = luaL_checklstring(L, -1, &length);
    tide_text_add(what->names, names, length);
    return 0;
}

tide_status tide_script_complete(tide_script *script, const char *text, tide_text *names, size_t *length,
                                 tide_error *error)
{
    completion what = { text, names, length };
    *length = 0;
    return tide_script_enter(script, complete_call, &what, NULL, TIDE_CONSOLE_MEMORY, error);
}

size_t tide_common_beginning(const char *names)
{
    size_t common = strcspn(names, "\n");
    for (const char *name = names; *name; name += strcspn(name, "\n"), name += *name == '\n') {
        size_t same = 0;
        while (same < common && name[same] == names[same] && name[same] != '\n')
            same++;
        common = same;
    }
    return common;
}
