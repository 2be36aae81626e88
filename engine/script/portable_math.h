// Lua's elementary functions in the portable mode (base/portable.h).
#ifndef TIDE_SCRIPT_PORTABLE_MATH_H
#define TIDE_SCRIPT_PORTABLE_MATH_H

#include <lua.h>

// Sets acos, asin, atan, cos, exp, log, sin and tan of the table on top to functions that return the same bits on every
// platform. They are those of the portable mode, whatever the mode of the process.
void tide_portable_math_set(lua_State *L);

#endif
