// Fields of the Lua table on top.
#include "script/binding.h"

void tide_set_number(lua_State *L, const char *name, double value)
{
    if (value != value)
        return;
    lua_pushnumber(L, value);
    lua_setfield(L, -2, name);
}

void tide_set_integer(lua_State *L, const char *name, lua_Integer value)
{
    lua_pushinteger(L, value);
    lua_setfield(L, -2, name);
}

void tide_set_text(lua_State *L, const char *name, const char *text)
{
    lua_pushstring(L, text);
    lua_setfield(L, -2, name);
}

void tide_set_flag(lua_State *L, const char *name, bool flag)
{
    lua_pushboolean(L, flag);
    lua_setfield(L, -2, name);
}
