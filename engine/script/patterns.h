// Lua's patterns (string.find, match, gmatch, gsub) under the limits of a script. Matching counts its steps and stops
// at the script's time limit. A pattern such as ('a?'):rep(30) .. ('a'):rep(30) takes more than 2^30 steps.
#ifndef TIDE_SCRIPT_PATTERNS_H
#define TIDE_SCRIPT_PATTERNS_H

#include <lua.h>

int tide_pattern_find(lua_State *L);
int tide_pattern_match(lua_State *L);
int tide_pattern_gmatch(lua_State *L);
int tide_pattern_gsub(lua_State *L);

#endif
