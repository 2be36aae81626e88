#include "script/tool.h"

#include "base/memory.h"

static int run_tool(lua_State *L) // argument: the tool
{
    const tide_tool *tool = lua_touserdata(L, 1);
    tide_module_open(L);
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
