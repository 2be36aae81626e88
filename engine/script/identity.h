// Identities of tables, functions, coroutines and engine objects that do not depend on their addresses, which differ
// from run to run. They give the order of such values as table keys and the numbers in their texts.
#ifndef TIDE_SCRIPT_IDENTITY_H
#define TIDE_SCRIPT_IDENTITY_H

#include "script/binding.h"

// The sort key of the value at `index` among such values, compared lexicographically. Bodies and colliders follow the
// order of their scene, all others the order of creation. In a host's Lua state the engine does not allocate tables,
// functions and coroutines; there all of these have equal keys.
typedef struct tide_place {
    uint64_t parts[3];
} tide_place;
tide_place tide_place_of(lua_State *L, int index);

// Pushes the value as a text like luaL_tolstring, but as "table: 0x00000003" with a serial number instead of an
// address. The number counts the values that were converted to text. *length may be NULL.
const char *tide_push_text(lua_State *L, int index, size_t *length);

int tide_tostring_call(lua_State *L); // tostring
int tide_format_call(lua_State *L);   // string.format; its upvalue is Lua's original
int tide_next_call(lua_State *L);     // next, in the order of pairs; its upvalue is a table for internal use
int tide_sort_call(lua_State *L);     // table.sort as a stable sort

#endif
