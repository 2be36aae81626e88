// What distinguishes tables, functions, coroutines and objects of the engine in a script without their addresses, which
// differ from run to run: their order as keys of a table, and the numbers by which texts call them.
#ifndef TIDE_SCRIPT_IDENTITY_H
#define TIDE_SCRIPT_IDENTITY_H

#include "script/binding.h"

// The place of the value at `index` among such values: compared as numbers, the first first. Bodies and colliders go in
// the order of their scene, everything else in that of creation. In a host's Lua state, where the engine does not
// allocate tables, functions and coroutines, all of these have the same place.
typedef struct tide_place {
    uint64_t parts[3];
} tide_place;
tide_place tide_place_of(lua_State *L, int index);

// Pushes the value as a text, as luaL_tolstring does, but "table: 0x00000003" with a number that counts the values that
// were ever made a text. *length may be NULL.
const char *tide_push_text(lua_State *L, int index, size_t *length);

int tide_tostring_call(lua_State *L); // tostring
int tide_format_call(lua_State *L);   // string.format; its upvalue is Lua's own
int tide_next_call(lua_State *L);     // next, in the order of pairs; upvalue: a table for its use
int tide_sort_call(lua_State *L);     // table.sort, which keeps the order of equals

#endif
