#define _POSIX_C_SOURCE 200809L // PATH_MAX
#include "script/tool.h"

#include "base/memory.h"

#include <limits.h>

static int run_tool(lua_State *L) // argument: the tool
{
    const tide_tool *tool = lua_touserdata(L, 1);
    tide_context_open(L);
    tide_sandbox_guard(L);
    tide_run_push_library(L, tool->module); // pushes the run and the module
    int run = lua_gettop(L) - 1;
    lua_call(L, tool->push(L, run, tool->context), 2);
    tool->take(L, tool->context);
    return 0;
}

// Shrinking a block must not fail: Lua relies on it.
static void *allocate(void *context, void *block, size_t old_size, size_t size)
{
    (void)context;
    if (size == 0) {
        tide_free(block);
        return NULL;
    }
    void *moved = tide_reallocate(block, size);
    return moved ? moved : block && size <= old_size ? block : NULL;
}

tide_status tide_tool_run(const tide_tool *tool, tide_error *error)
{
    lua_State *L = lua_newstate(allocate, NULL);
    if (!L)
        return tide_fail_memory(error, "script");
    lua_pushcfunction(L, run_tool);
    lua_pushlightuserdata(L, (void *)tool);
    tide_status status = tide_call(L, 1, 0, error);
    lua_close(L);
    return status;
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

int tide_tool_nearest(lua_State *L)
{
    size_t count = lua_rawlen(L, 2);
    const char **names = lua_newuserdatauv(L, (count + 1) * sizeof *names, 0);
    for (size_t i = 0; i < count; i++) {
        lua_rawgeti(L, 2, (lua_Integer)i + 1);
        names[i] = luaL_checkstring(L, -1);
        lua_pop(L, 1); // the list keeps it alive
    }
    lua_pushstring(L, tide_nearest_name(luaL_checkstring(L, 1), names, count));
    return 1;
}
