// In a call that is a step, the limit of time counts only while Lua code runs. The engine, which takes long to order
// and factor the first matrix, has a time of its own, TIDE_ENGINE_TIME times as long.
#ifndef TIDE_SCRIPT_STEP_TIME_H
#define TIDE_SCRIPT_STEP_TIME_H

#include "script/binding.h"

// Tells that the innermost call under limits is a step.
void tide_step_time_begin(lua_State *L);
// Tells that from now on the engine works, or Lua code. Returns false if that is so already, or if the call is no step.
bool tide_step_time_turn(lua_State *L, bool engine);

#endif
