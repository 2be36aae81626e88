// Comparisons in Lua: panes of a scene file (tide.compare), and forks with several solvers (scene:compare).
#ifndef TIDE_SCRIPT_SCENE_COMPARE_H
#define TIDE_SCRIPT_SCENE_COMPARE_H

#include "script/binding.h"

int tide_compare_call(lua_State *L);  // tide.compare
int tide_scene_compare(lua_State *L); // scene:compare

extern const tide_field tide_compare_panes_fields[], tide_compare_fields[];

#endif
