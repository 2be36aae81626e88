// The module table that `require "springtide"` returns, in scenes and in plain Lua.
#include "script/binding.h"
#include "script/distance_binding.h"
#include "script/limits.h"
#include "script/scene_compare.h"
#include "script/script_record.h"
#include "script/symbol_binding.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "formats/reading.h"
#include "springtide.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int load_scene(lua_State *L) // argument: the run
{
    tide_run_execute(L, NULL);
    return 1;
}

static int load(lua_State *L)
{
    const char *given = tide_check_path(L, 1, "load", "path");
    lua_settop(L, 2);
    tide_script_options options = tide_read_load_options(L, 2, "load");
    const char *path = tide_run_resolve(L, tide_run_of_upvalue(L), given, "load", "path");
    return tide_load_scene(L, path, &options, lua_upvalueindex(1));
}

// Runs the file. Pushes the run and the scene; on failure the run alone.
static tide_status run_file(lua_State *L, const char *path, const tide_script_options *options, int parent,
                            tide_error *error)
{
    tide_run *run = tide_run_new(L, path, options);
    tide_run_set_parent(L, parent);
    lua_pushcfunction(L, load_scene);
    lua_pushvalue(L, -2);
    return tide_run_call(L, run->limits, 1, 1, error);
}

int tide_load_scene(lua_State *L, const char *path, const tide_script_options *options, int parent)
{
    tide_error error;
    int top = lua_gettop(L);
    tide_status status = run_file(L, path, options, parent, &error);
    if (((const tide_run *)lua_touserdata(L, top + 1))->asks_portable) {
        tide_script_options portable = *options;
        portable.portable = true;
        lua_settop(L, top);
        status = run_file(L, path, &portable, parent, &error);
    }
    if (status != TIDE_OK)
        return tide_push_failure(L, &error);
    if (!options->answers)
        return 1;
    lua_getiuservalue(L, -2, TIDE_RUN_ANSWERS);
    return 2;
}

// Appends a solver's description to the list on top.
static void add_solver(lua_State *L, const tide_solver_kind *kind)
{
    tide_solver_info_push(L, kind);
    lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
}

static int solvers(lua_State *L)
{
    const tide_solver_kind *kind, *more[TIDE_MAX_SCRIPT_SOLVERS];
    lua_newtable(L);
    for (uint32_t i = 0; (kind = tide_solver_kind_at(i)) != NULL; i++)
        add_solver(L, kind);
    size_t count = tide_run_solvers(tide_run_of_upvalue(L), more);
    for (size_t i = 0; i < count; i++)
        add_solver(L, more[i]);
    return 1;
}

static int threads(lua_State *L)
{
    if (!lua_isnoneornil(L, 1) && !tide_is_mistrusted(L))
        tide_set_threads((int)tide_check_integer(L, 1, 0, 1024, "threads", "count"));
    lua_pushinteger(L, tide_threads());
    return 1;
}

static int data(lua_State *L)
{
    const char *name = tide_check_path(L, 1, "data", "name");
    const char *folder = getenv("SPRINGTIDE_DATA");
    char shown[TIDE_VALUE_TEXT_SIZE];
    if (name[0] == '/' || strstr(name, ".."))
        tide_raise_bad(L, "data", NULL, tide_show(L, 1, shown), "expected a path within the data folder");
    lua_pushnil(L);
    if (!folder || !folder[0]) {
        lua_pushliteral(L, "data: SPRINGTIDE_DATA is not set; it names the folder with data files");
        return 2;
    }
    const char *path = lua_pushfstring(L, "%s/%s", folder, name);
    if (!tide_run_may_read(tide_run_of_upvalue(L), path))
        tide_raise_bad(L, "data", NULL, tide_show(L, 1, shown), "it leads out of the data folder; copy the file there");
    tide_script_record_mesh(L, path); // records a missing file, too: its creation may make another run succeed
    if (access(path, R_OK) == 0)
        return 1;
    lua_pushfstring(L, "data: %s cannot be read", path);
    lua_replace(L, -2);
    return 2;
}

// Reads the text of a file in the data folder. Scripts can read no other files as text.
static int read_text(lua_State *L)
{
    lua_settop(L, 1);
    if (data(L) == 2) // not found
        return 2;
    char *bytes = NULL;
    size_t size = 0;
    tide_error error;
    if (tide_mesh_file_bytes(lua_tostring(L, -1), &bytes, &size, &error) != TIDE_OK)
        return tide_push_failure(L, &error);
    lua_pushlstring(L, bytes, size);
    tide_free(bytes);
    return 1;
}

const tide_member tide_module_members[] = {
    { "scene", tide_scene_call, .type = "(definition?: tide.SceneDefinition): tide.Scene", .help = "Makes a scene." },
    { "param", tide_param_call, .type = "(name: string, default: any, options?: tide.ParamOptions): any",
      .help = "Declares a parameter and returns its value: the default, or the one given by --set or tide.load." },
    { "compare", tide_compare_call, .type = "(definition: tide.ComparisonDefinition)",
      .help = "In a scene file: shows the scene in panes side by side, which differ by solver, by the value of a "
              "parameter or by timestep." },
    { "load", load, .type = "(path: string, options?: tide.LoadOptions): tide.Scene?, any",
      .help =
          "Runs a scene script and returns its scene, or nil and a message. With answers = true, the script's second "
          "result follows." },
    { "limited", tide_limited_run_call, .type = "(limits: tide.Limits, f: function, ...): boolean?, any",
      .help = "For hosts: calls f(...) under limits of processor time and memory. Returns true and its results, or nil "
              "and a message." },
    { "element", tide_element_call, .type = "(definition: tide.ElementDefinition): tide.ElementKind",
      .help = "Makes a kind of element from a function for its energy." },
    { "solver", tide_solver_call, .type = "(definition: tide.SolverDefinition): string",
      .help = "Makes a solver from a function and returns its name, which is then valid wherever the name of a solver "
              "is." },
    { "solvers", solvers, .type = "(): tide.SolverInfo[]",
      .help = "A list of all solvers with their options; the script's own come last." },
    { "random", tide_random_call, .type = "(m?: integer, n?: integer): number",
      .help = "Same as math.random. In callbacks it draws from the world's generator, which is part of snapshots." },
    { "threads", threads, .type = "(count?: integer): integer",
      .help =
          "Sets the number of threads of the engine (0: all processors) and returns it. Results do not depend on it." },
    { "data", data, .type = "(name: string): string?, string?",
      .help = "The path of a file in the folder named by the environment variable SPRINGTIDE_DATA, or nil and a "
              "message if it does not exist." },
    { "read", read_text, .type = "(name: string): string?, string?",
      .help = "The text of a file in that folder, or nil and a message." },
    { 0 },
};

// Reports an unknown function of a table and suggests the nearest name.
static int unknown_function(lua_State *L)
{
    enum { MAX_NAMES = 64 };
    const char *names[MAX_NAMES];
    size_t count = 0;
    if (lua_type(L, 2) != LUA_TSTRING)
        return 0;
    lua_settop(L, 2);
    tide_push_sorted_keys(L, 1);
    for (lua_Integer i = 1; count < MAX_NAMES && lua_rawgeti(L, 3, i) == LUA_TSTRING; i++) {
        names[count++] = lua_tostring(L, -1);
        lua_pop(L, 1);
    }
    tide_raise_unknown(L, lua_tostring(L, lua_upvalueindex(1)), lua_tostring(L, 2), names, count);
}

static void refuse_unknown(lua_State *L, const char *name)
{
    lua_newtable(L);
    lua_pushstring(L, name);
    lua_pushcclosure(L, unknown_function, 1);
    lua_setfield(L, -2, "__index");
    lua_setmetatable(L, -2);
}

static void push_meshes(lua_State *L, int run)
{
    const tide_mesh_builder *builder;
    lua_newtable(L);
    tide_set_functions(L, tide_mesh_functions, run);
    for (uint32_t i = 0; (builder = tide_mesh_builder_at(i)) != NULL; i++) {
        lua_pushvalue(L, run);
        lua_pushlightuserdata(L, (void *)builder);
        lua_pushcclosure(L, tide_mesh_build_call, 2);
        lua_setfield(L, -2, builder->name);
    }
    refuse_unknown(L, "tide.mesh");
}

static void push_module(lua_State *L, int run)
{
    luaL_checkstack(L, 8, NULL);
    lua_newtable(L);
    tide_set_functions(L, tide_module_members, run);
    tide_set_functions(L, tide_symbol_functions, run);
    push_meshes(L, run);
    lua_setfield(L, -2, "mesh");
    tide_distance_module_push(L);
    refuse_unknown(L, "tide.distance");
    lua_setfield(L, -2, "distance");
    lua_newtable(L);
    tide_set_functions(L, tide_linear_functions, run);
    refuse_unknown(L, "tide.linear");
    lua_setfield(L, -2, "linear");
    tide_set_text(L, "version", TIDE_VERSION);
    refuse_unknown(L, "tide");
}

void tide_module_open(lua_State *L)
{
    tide_context_open(L);
    tide_context *context = tide_context_of(L);
    context->push_module = push_module;
    context->scene_class = &tide_scene_class;
}

int luaopen_springtide(lua_State *L)
{
    luaL_checkversion(L);
    tide_module_open(L);
    const tide_run *run = tide_run_new(L, NULL, NULL);
    if (run->library) {
        lua_pushstring(L, run->library);
        lua_setfield(L, LUA_REGISTRYINDEX, "tide.library");
    }
    push_module(L, lua_gettop(L));
    return 1;
}
