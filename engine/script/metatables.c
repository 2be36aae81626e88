// setmetatable, getmetatable and rawset for scripts. They refuse finalizers and weak tables, because the time at which
// the collector frees an object differs from run to run.
//
// Lua reads __mode at every collection, so a __mode that is assigned to a metatable later must also be refused. Each
// metatable therefore has a guard: a __newindex that refuses "__mode". A metatable without a metatable gets a shared
// one, which getmetatable hides. In a metatable that has its own metatable, the guard runs before the existing
// __newindex.
#include "script/metatables.h"

#include <lauxlib.h>
#include <string.h>

static const char shared_key; // registry key of the metatable that metatables without one get

static int refuse(lua_State *L)
{
    return luaL_error(L, "scene scripts cannot have weak tables (__mode): when something leaves them differs "
                         "from run to run");
}

static bool is_mode(lua_State *L, int index)
{
    return lua_type(L, index) == LUA_TSTRING && strcmp(lua_tostring(L, index), "__mode") == 0;
}

// __newindex(table, key, value). Upvalue: the __newindex that it wraps, or nil.
static int guard(lua_State *L)
{
    lua_settop(L, 3);
    if (is_mode(L, 2))
        return refuse(L);
    if (lua_isnil(L, lua_upvalueindex(1))) {
        lua_rawset(L, 1);
        return 0;
    }
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    if (!lua_isfunction(L, 1)) {
        lua_remove(L, 2);
        lua_settable(L, 1);
        return 0;
    }
    lua_call(L, 3, 0);
    return 0;
}

static void push_shared(lua_State *L)
{
    if (lua_rawgetp(L, LUA_REGISTRYINDEX, &shared_key) != LUA_TNIL)
        return;
    lua_pop(L, 1);
    lua_createtable(L, 0, 1);
    lua_pushnil(L);
    lua_pushcclosure(L, guard, 1);
    lua_setfield(L, -2, "__newindex");
    lua_pushvalue(L, -1);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &shared_key);
}

// Tells whether the table at `index` is a guarded metatable.
static bool is_guarded(lua_State *L, int index)
{
    bool guarded = false;
    if (luaL_getmetafield(L, index, "__newindex") != LUA_TNIL) {
        guarded = lua_tocfunction(L, -1) == guard;
        lua_pop(L, 1);
    }
    return guarded;
}

// Guards the metatable at `index`.
static void guard_metatable(lua_State *L, int index)
{
    if (is_guarded(L, index))
        return;
    if (!lua_getmetatable(L, index)) {
        push_shared(L);
        lua_setmetatable(L, index);
        return;
    }
    lua_pushliteral(L, "__newindex");
    lua_pushvalue(L, -1);
    lua_rawget(L, -3);
    lua_pushcclosure(L, guard, 1);
    lua_rawset(L, -3);
    lua_pop(L, 1);
}

bool tide_push_own_metatable(lua_State *L, int index)
{
    if (!lua_getmetatable(L, index))
        return false;
    push_shared(L);
    bool hidden = lua_rawequal(L, -1, -2);
    lua_pop(L, hidden ? 2 : 1);
    return !hidden;
}

int tide_getmetatable_call(lua_State *L)
{
    luaL_checkany(L, 1);
    if (lua_type(L, 1) == LUA_TSTRING) {
        lua_pushliteral(L, "string"); // shared by all scripts, therefore hidden
        return 1;
    }
    if (!tide_push_own_metatable(L, 1))
        lua_pushnil(L);
    else
        luaL_getmetafield(L, 1, "__metatable");
    return 1;
}

int tide_setmetatable_call(lua_State *L)
{
    int type = lua_type(L, 2);
    luaL_checktype(L, 1, LUA_TTABLE);
    luaL_argexpected(L, type == LUA_TNIL || type == LUA_TTABLE, 2, "nil or table");
    if (luaL_getmetafield(L, 1, "__metatable") != LUA_TNIL)
        return luaL_error(L, "cannot change a protected metatable");
    if (type == LUA_TTABLE) {
        lua_pushliteral(L, "__gc");
        if (lua_rawget(L, 2) != LUA_TNIL)
            return luaL_error(L, "scene scripts cannot have finalizers (__gc)");
        lua_pop(L, 1);
        lua_pushliteral(L, "__mode");
        if (lua_rawget(L, 2) != LUA_TNIL)
            return refuse(L);
    }
    lua_settop(L, 2);
    bool was_guarded = is_guarded(L, 1); // true if the table itself is a metatable
    lua_pushvalue(L, 2);
    lua_setmetatable(L, 1);
    if (was_guarded)
        guard_metatable(L, 1);
    if (type == LUA_TTABLE)
        guard_metatable(L, 2);
    lua_settop(L, 1);
    return 1;
}

int tide_rawset_call(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    luaL_checkany(L, 2);
    luaL_checkany(L, 3);
    lua_settop(L, 3);
    if (is_mode(L, 2) && !lua_isnil(L, 3))
        return refuse(L);
    lua_rawset(L, 1);
    return 1;
}
