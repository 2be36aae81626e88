// The Lua library: finds its folder, and runs files of it that scripts do not see.
#include "base/places.h"
#include "script/binding.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

void tide_library_find(char *folder, size_t size)
{
    tide_place_find("scripts", "springtide", folder, size);
}

static const char library_key; // registry key of the table of what the files returned

// Runs a file of the library and pushes what it returns.
static void run_file(lua_State *L, const char *file)
{
    char folder[PATH_MAX];
    tide_library_find(folder, sizeof folder);
    if (!folder[0])
        tide_raise_bad(L, "Lua library", NULL, NULL,
                       "not found beside the program; set SPRINGTIDE_SCRIPTS to Springtide's folder scripts");
    if (luaL_loadfilex(L, lua_pushfstring(L, "%s/springtide/%s.lua", folder, file), "t") != LUA_OK)
        lua_error(L);
    lua_getfield(L, LUA_REGISTRYINDEX, "tide.run");
    tide_sandbox_push(L, lua_gettop(L));
    if (!lua_setupvalue(L, -3, 1))
        lua_pop(L, 1);
    lua_pop(L, 1);
    lua_call(L, 0, 1);
    lua_remove(L, -2);
}

void tide_library_push(lua_State *L, const char *file)
{
    luaL_checkstack(L, 12, NULL);
    if (lua_rawgetp(L, LUA_REGISTRYINDEX, &library_key) != LUA_TTABLE) {
        lua_pop(L, 1);
        lua_newtable(L);
        lua_pushvalue(L, -1);
        lua_rawsetp(L, LUA_REGISTRYINDEX, &library_key);
    }
    if (lua_getfield(L, -1, file) == LUA_TNIL) {
        lua_pop(L, 1);
        run_file(L, file);
        lua_pushvalue(L, -1);
        lua_setfield(L, -3, file);
    }
    lua_remove(L, -2);
}
