// The environment of the lines of a console: its globals, on top of those of the script.
#include "script/console_parts.h"
#include "script/script_state.h"

#include <string.h>

static const char environment_key; // registry key; a lookup by address allocates no memory, unlike one by name

// Upvalues: the base environment of all consoles; the script's environment.
static int get_global(lua_State *L)
{
    lua_settop(L, 2);
    lua_pushvalue(L, 2);
    if (lua_rawget(L, lua_upvalueindex(1)) == LUA_TNIL) {
        lua_pushvalue(L, 2);
        lua_rawget(L, lua_upvalueindex(2)); // returns nil for an unknown global, without an error
    }
    return 1;
}

// Upvalue: the script's environment.
static int set_global(lua_State *L)
{
    lua_settop(L, 3);
    lua_pushvalue(L, 2);
    bool scripts = lua_rawget(L, lua_upvalueindex(1)) != LUA_TNIL;
    lua_settop(L, 3);
    lua_rawset(L, scripts ? lua_upvalueindex(1) : 1);
    return 0;
}

void tide_console_push_script_environment(lua_State *L)
{
    lua_getfield(L, LUA_REGISTRYINDEX, "tide.run");
    lua_getiuservalue(L, -1, TIDE_RUN_ENVIRONMENT);
    lua_remove(L, -2);
}

static void make_base(lua_State *L, int script)
{
    lua_newtable(L);
    lua_getfield(L, LUA_REGISTRYINDEX, "tide.scene");
    lua_setfield(L, -2, "scene");
    lua_getfield(L, script, "require");
    lua_pushliteral(L, "springtide");
    if (lua_pcall(L, 1, 1, 0) != LUA_OK) { // the script has replaced `require`
        lua_pop(L, 1);
        lua_pushnil(L);
    }
    lua_setfield(L, -2, "tide");
}

void tide_console_push_environment(lua_State *L)
{
    luaL_checkstack(L, 12, NULL);
    if (lua_rawgetp(L, LUA_REGISTRYINDEX, &environment_key) == LUA_TTABLE)
        return;
    lua_pop(L, 1);
    lua_newtable(L);
    int environment = lua_gettop(L);
    tide_console_push_script_environment(L);
    lua_newtable(L); // the metatable
    make_base(L, environment + 1);
    lua_pushvalue(L, environment + 1);
    lua_pushcclosure(L, get_global, 2);
    lua_setfield(L, -2, "__index");
    lua_pushvalue(L, environment + 1);
    lua_pushcclosure(L, set_global, 1);
    lua_setfield(L, -2, "__newindex");
    lua_setmetatable(L, environment);
    lua_settop(L, environment);
    lua_pushvalue(L, environment);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &environment_key);
}

// --- carrying globals over a reload ----------------------------------------------------------------------------------

typedef struct carried {
    tide_text name, bytes;
    bool is_function;
} carried;

static const tide_data_owner plain = { .object = "console", .name = "global", .vectors = true };

static int add_code(lua_State *L, const void *bytes, size_t size, void *context)
{
    (void)L;
    tide_text *text = context;
    tide_text_add(text, bytes, size);
    return text->failed;
}

// Tells whether the function on top can be rebuilt from its code: its only upvalue is _ENV.
static bool stands_alone(lua_State *L)
{
    lua_Debug about;
    lua_pushvalue(L, -1);
    lua_getinfo(L, ">u", &about);
    const char *name = about.nups ? lua_getupvalue(L, -1, 1) : NULL;
    lua_pop(L, name != NULL);
    return !lua_iscfunction(L, -1) && about.nups <= 1 && (!name || strcmp(name, "_ENV") == 0);
}

static int write_global(lua_State *L) // name, value, pointer to `carried`
{
    carried *what = lua_touserdata(L, 3);
    size_t length;
    const char *name = lua_tolstring(L, 1, &length);
    lua_settop(L, 2);
    tide_text_add(&what->name, name, length);
    what->is_function = lua_isfunction(L, 2);
    if (!what->is_function)
        tide_data_write(L, &plain, &what->bytes);
    else if (!stands_alone(L))
        return luaL_error(L, "not alone");
    else
        lua_dump(L, add_code, &what->bytes, 0);
    return 0;
}

static int read_global(lua_State *L)
{
    const carried *what = lua_touserdata(L, 1);
    tide_console_push_environment(L);
    lua_pushlstring(L, what->name.bytes, what->name.length);
    if (!what->is_function)
        tide_data_push(L, &plain, what->bytes.bytes, what->bytes.length);
    else if (luaL_loadbufferx(L, what->bytes.bytes, what->bytes.length, "console", "b") != LUA_OK)
        return lua_error(L);
    if (what->is_function) {
        lua_pushvalue(L, 2);
        if (!lua_setupvalue(L, -2, 1))
            lua_pop(L, 1);
    }
    lua_rawset(L, 2);
    return 0;
}

// Copies the global whose name and value are on top of `old`.
static void carry_global(lua_State *old, lua_State *fresh)
{
    carried what = { 0 };
    lua_pushcfunction(old, write_global);
    lua_insert(old, -3);
    lua_pushlightuserdata(old, &what);
    bool done = lua_pcall(old, 3, 0, 0) == LUA_OK, written = done && !what.name.failed && !what.bytes.failed;
    lua_pop(old, done ? 0 : 1);
    if (written) {
        lua_pushcfunction(fresh, read_global);
        lua_pushlightuserdata(fresh, &what);
        if (lua_pcall(fresh, 1, 0, 0) != LUA_OK)
            lua_pop(fresh, 1);
    }
    tide_text_free(&what.name);
    tide_text_free(&what.bytes);
}

void tide_console_carry(lua_State *old, lua_State *fresh)
{
    int top = lua_gettop(old);
    if (!lua_checkstack(old, 16) || !lua_checkstack(fresh, 16))
        return;
    if (lua_rawgetp(old, LUA_REGISTRYINDEX, &environment_key) == LUA_TTABLE) {
        lua_pushnil(old);
        while (lua_next(old, top + 1)) {
            if (lua_type(old, -2) == LUA_TSTRING) {
                lua_pushvalue(old, -2);
                lua_insert(old, -2);
                carry_global(old, fresh);
            } else
                lua_pop(old, 1);
        }
    }
    lua_settop(old, top);
}

static int tell_state(lua_State *L)
{
    *(lua_State **)lua_touserdata(L, 1) = L;
    return 0;
}

void tide_script_share_console(tide_script *from, tide_script *to)
{
    lua_State *here = NULL, *there = NULL;
    tide_error unread;
    if (tide_script_enter(from, tell_state, &here, NULL, TIDE_CONSOLE_MEMORY, &unread) == TIDE_OK &&
        tide_script_enter(to, tell_state, &there, NULL, TIDE_CONSOLE_MEMORY, &unread) == TIDE_OK)
        tide_console_carry(here, there);
}
