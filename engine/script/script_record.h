// What a run of a script records besides its scene: the files that it asked for and the traceback of its last error.
#ifndef TIDE_SCRIPT_SCRIPT_RECORD_H
#define TIDE_SCRIPT_SCRIPT_RECORD_H

#include "script/binding.h"

typedef struct tide_script_record {
    char **files; // (file_count) each once, in the order of first use
    size_t file_count, file_capacity;
    tide_script_text *given; // (given_count) owned: texts that replace files
    size_t given_count, given_capacity;
    tide_script_text *texts; // (text_count) owned: texts that were read
    size_t text_count, text_capacity;
    char *wrapped, *wrapped_message; // traceback and error text of a coroutine that failed in coroutine.wrap
    char *traceback;                 // of the last raised error; NULL: none, or out of memory
    tide_error cause;                // that error, once known
    bool traced;                     // `traceback` is set but `cause` is not known yet
    tide_text notice;                // of the last reconciliation
} tide_script_record;

// Returns the record of a tide_script's state; NULL in plain Lua.
tide_script_record *tide_script_record_of(lua_State *L);
void tide_script_record_free(tide_script_record *record); // also for an all-zero record

// Adds a file that is about to be searched or read, unless the list has it. Raises if out of memory.
void tide_script_record_file(lua_State *L, const char *path);
// Copies texts that replace files. Returns false if out of memory.
bool tide_script_record_give(tide_script_record *record, const tide_script_text *texts, size_t count);
bool tide_script_record_gives(lua_State *L, const char *path); // tells whether a text replaces it
// Tells whether there is a text or else a readable file of this path.
bool tide_script_record_has(lua_State *L, const char *path);
// Loads the path as a text chunk and pushes a function, or an error message. Returns the status that lua_load returns.
int tide_script_record_load(lua_State *L, const char *path);
// Calls a function for each companion file of a mesh of this path, such as .ele beside .node.
void tide_script_each_part(lua_State *L, const char *path, void (*visit)(lua_State *, const char *, void *),
                           void *context);
// Adds a mesh file and its companion files to the list.
void tide_script_record_mesh(lua_State *L, const char *path);

// Corrects a notice "nothing changed" if a text differs from `before`: the script changed, but not its world.
void tide_script_record_compare(tide_script_record *record, const tide_script_record *before);

// Records the traceback of an error. The error handler of tide_call calls it with the error's text at index 1. An error
// that a nested call raised and that is raised again keeps its traceback. tide_script_record_cause then tells which
// tide_error it became.
void tide_script_record_calls(lua_State *L);
// For an error in a coroutine that coroutine.wrap raises again: tide_script_record_thread records the traceback of
// `thread` before it is closed; tide_script_record_wrapped records the text of the raised error, which is on top. The
// handler of the raised error then includes the coroutine's traceback.
void tide_script_record_thread(lua_State *L, lua_State *thread);
void tide_script_record_wrapped(lua_State *L);
void tide_script_record_cause(lua_State *L, const tide_error *error);

#endif
