// Declarations that the files of the console share. Other files do not use them.
#ifndef TIDE_SCRIPT_CONSOLE_PARTS_H
#define TIDE_SCRIPT_CONSOLE_PARTS_H

#include "script/binding.h"
#include "script/console.h"

// Appends the value in readable form: nested tables to a depth, long tables only in part. Raises errors.
void tide_console_show(lua_State *L, int index, tide_text *text);

// print.c: writes text to the console if one of its lines runs, else to standard output. Control characters become
// \xNN.
void tide_print_text(const tide_context *context, const char *text, size_t size);

// Pushes the console's environment, created on first use.
void tide_console_push_environment(lua_State *L);
// Pushes the script's globals, or an empty table before the script has any.
void tide_console_push_script_environment(lua_State *L);

// Copies the globals of the console of the state `old` to `fresh`. Skips globals that cannot be copied.
void tide_console_carry(lua_State *old, lua_State *fresh);

#endif
