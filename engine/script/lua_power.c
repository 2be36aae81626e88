#include "script/lua_power.h"

#include "base/elementary.h"

double tide_lua_power(double x, double y)
{
    return y == 2 ? x * x : tide_pow(x, y); // as Lua
}
