// setmetatable, getmetatable and rawset of scripts, which allow no finalizers and no weak tables.
#ifndef TIDE_SCRIPT_METATABLES_H
#define TIDE_SCRIPT_METATABLES_H

#include <lua.h>
#include <stdbool.h>

int tide_setmetatable_call(lua_State *L);
int tide_getmetatable_call(lua_State *L);
int tide_rawset_call(lua_State *L);
// As lua_getmetatable, for a metatable that the script gave.
bool tide_push_own_metatable(lua_State *L, int index);

#endif
