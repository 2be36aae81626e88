// Lua's patterns (string.find, match, gmatch, gsub) under the limits of a script: matching counts its steps and ends
// when the script's time is over. A pattern such as ('a?'):rep(30) .. ('a'):rep(30) takes 2^30 steps and more.
#ifndef TIDE_SCRIPT_PATTERNS_H
#define TIDE_SCRIPT_PATTERNS_H

#include <lua.h>

int tide_pattern_find(lua_State *L);
int tide_pattern_match(lua_State *L);
int tide_pattern_gmatch(lua_State *L);
int tide_pattern_gsub(lua_State *L);

#endif
