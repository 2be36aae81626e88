// Runs parts of the program that are written in Lua: the documents, the laboratory. Each is a module of the Lua library
// that returns a function. It runs in a Lua state of its own, which scenes never see.
#ifndef TIDE_SCRIPT_TOOL_H
#define TIDE_SCRIPT_TOOL_H

#include "script/binding.h"

typedef struct tide_tool {
    const char *module;                                // "springtide.lab.command"
    int (*push)(lua_State *L, int run, void *context); // pushes the arguments and returns their number
    void (*take)(lua_State *L, void *context);         // reads the two results, which are on top
    void *context;
} tide_tool;

// Functions for commands: meshes, times of steps, files (tool_functions.c).
extern const luaL_Reg tide_tool_functions[];

struct tide_lab_store;
// Creates a file and pushes its object, with numbers(name, bytes of doubles, { extents }, unit or nil),
// texts(name, list) and close(). Returns the number of results: on failure nil and a message.
int tide_store_push(lua_State *L, const struct tide_lab_store *by, const char *path);

// nearest(name, names): a function for such modules. Returns the nearest name, or nil.
int tide_tool_nearest(lua_State *L);

// Processes (child_functions.c).
int tide_tool_report(lua_State *L), tide_tool_run_children(lua_State *L);

// documents(): returns the tables of the engine for scripts/springtide/documents/ (documents.c).
int tide_documents_call(lua_State *L);
// Pushes { name =, type = "number" or "boolean" ..., unit =, help =, number =, text =, minimum =, maximum =, ... }.
void tide_param_push(lua_State *L, const tide_param *param);

// Calls require(module)(arguments). Fails with the message of a Lua error.
tide_status tide_tool_run(const tide_tool *tool, tide_error *error);

#endif
