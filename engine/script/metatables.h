// setmetatable, getmetatable and rawset for scripts. They refuse finalizers and weak tables.
#ifndef TIDE_SCRIPT_METATABLES_H
#define TIDE_SCRIPT_METATABLES_H

#include <lua.h>
#include <stdbool.h>

int tide_setmetatable_call(lua_State *L);
int tide_getmetatable_call(lua_State *L);
int tide_rawset_call(lua_State *L);
// Does what lua_getmetatable does, but only for metatables set by the script.
bool tide_push_own_metatable(lua_State *L, int index);

#endif
