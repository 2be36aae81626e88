// What the files of the console share; not for others.
#ifndef TIDE_SCRIPT_CONSOLE_PARTS_H
#define TIDE_SCRIPT_CONSOLE_PARTS_H

#include "script/binding.h"
#include "script/console.h"

// Adds the value as a person reads it: tables to a depth, of long ones the beginning. Raises.
void tide_console_show(lua_State *L, int index, tide_text *text);

// Pushes the console's environment, made on first use.
void tide_console_push_environment(lua_State *L);

// Takes over what the console of the state `old` has kept. What does not fit is left out.
void tide_console_carry(lua_State *old, lua_State *fresh);

#endif
