// The Lua library: finds its folder, and runs files of it that scripts do not see.
#define _GNU_SOURCE
#include "script/binding.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool try_library(char *folder, size_t size, const char *base, const char *below)
{
    char marker[PATH_MAX], real[PATH_MAX];
    int length = snprintf(marker, sizeof marker, "%s/%s/springtide", base, below);
    if (length >= (int)sizeof marker || access(marker, F_OK) != 0)
        return false;
    marker[length - (int)strlen("/springtide")] = '\0';
    if (!realpath(marker, real))
        return false;
    snprintf(folder, size, "%s", real);
    return true;
}

static const char *const places[] = { "../../scripts", "../scripts", "scripts", "../share/springtide/scripts" };

void tide_library_find(char *folder, size_t size)
{
    char bases[2][PATH_MAX] = { "", "" };
    Dl_info info;
    ssize_t length = readlink("/proc/self/exe", bases[1], PATH_MAX - 1);
    bases[1][length > 0 ? length : 0] = '\0';
    if (dladdr((void *)tide_library_find, &info) && info.dli_fname && strchr(info.dli_fname, '/'))
        snprintf(bases[0], PATH_MAX, "%s", info.dli_fname);
    folder[0] = '\0';
    const char *named = getenv("SPRINGTIDE_SCRIPTS");
    if (named && named[0] && try_library(folder, size, named, "."))
        return;
    for (int b = 0; b < 2; b++) {
        char *slash = strrchr(bases[b], '/');
        if (!slash)
            continue;
        *slash = '\0';
        for (size_t i = 0; i < sizeof places / sizeof *places; i++)
            if (try_library(folder, size, bases[b], places[i]))
                return;
    }
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
