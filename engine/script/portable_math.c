#include "script/portable_math.h"

#include "base/portable_functions.h"

#include <lauxlib.h>

#define FUNCTION(name)                                                                                                 \
    static int name##_call(lua_State *L)                                                                               \
    {                                                                                                                  \
        lua_pushnumber(L, tide_portable_##name(luaL_checknumber(L, 1)));                                               \
        return 1;                                                                                                      \
    }
FUNCTION(acos)
FUNCTION(asin)
FUNCTION(cos)
FUNCTION(exp)
FUNCTION(sin)
FUNCTION(tan)
#undef FUNCTION

static int atan_call(lua_State *L)
{
    lua_pushnumber(L, tide_portable_atan2(luaL_checknumber(L, 1), luaL_optnumber(L, 2, 1)));
    return 1;
}

static int log_call(lua_State *L)
{
    double x = luaL_checknumber(L, 1), base = luaL_optnumber(L, 2, 0);
    double result = lua_isnoneornil(L, 2) ? tide_portable_log(x)
                    : base == 2           ? tide_portable_log2(x)
                    : base == 10          ? tide_portable_log10(x)
                                          : tide_portable_log(x) / tide_portable_log(base);
    lua_pushnumber(L, result);
    return 1;
}

void tide_portable_math_set(lua_State *L)
{
    static const luaL_Reg functions[] = { { "acos", acos_call }, { "asin", asin_call }, { "atan", atan_call },
                                          { "cos", cos_call },   { "exp", exp_call },   { "log", log_call },
                                          { "sin", sin_call },   { "tan", tan_call },   { 0 } };
    luaL_setfuncs(L, functions, 0);
}
