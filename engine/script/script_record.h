// What a run of a script leaves behind besides its scene: the files that it asked for, and where its last error was.
#ifndef TIDE_SCRIPT_SCRIPT_RECORD_H
#define TIDE_SCRIPT_SCRIPT_RECORD_H

#include "script/binding.h"

typedef struct tide_script_record {
    char **files; // (file_count) each once, in the order of first use
    size_t file_count, file_capacity;
    tide_script_text *given; // (given_count) owned: what is read instead of files
    size_t given_count, given_capacity;
    tide_script_text *texts; // (text_count) owned: what was read
    size_t text_count, text_capacity;
    char *wrapped, *wrapped_message; // calls of a coroutine that failed in coroutine.wrap, and its error's text
    char *traceback;                 // of the last error that was raised; NULL: none, or no memory for it
    tide_error cause;                // that error, once it is known
    bool traced;                     // there is a traceback whose error is not known yet
    tide_text notice;                // of the adoption
} tide_script_record;

// script.c: that of a tide_script's state; NULL in plain Lua.
tide_script_record *tide_script_record_of(lua_State *L);
// Likewise: a call under the script's limits that may be interrupted, too, and in which the Lua state grows by `growth`
// bytes at most.
tide_status tide_script_enter(tide_script *script, lua_CFunction function, void *first, void *second, size_t growth,
                              tide_error *error);
void tide_script_record_free(tide_script_record *record); // of one that is all zero, too

// A file that is about to be looked for or read; what is in the list already is not added. Raises without memory.
void tide_script_record_file(lua_State *L, const char *path);
// Copies what is to be read instead of files; false without memory.
bool tide_script_record_give(tide_script_record *record, const tide_script_text *texts, size_t count);
bool tide_script_record_gives(lua_State *L, const char *path); // whether there is a text for it
// Whether there is a text for it or, failing that, a file that can be read.
bool tide_script_record_has(lua_State *L, const char *path);
// Loads it as a text chunk; a function, or an error's message, is then on top. Returns as lua_load.
int tide_script_record_load(lua_State *L, const char *path);
// Calls a function for each other file that belongs to a mesh of this path, such as .ele beside .node.
void tide_script_each_part(lua_State *L, const char *path, void (*visit)(lua_State *, const char *, void *),
                           void *context);
// As tide_script_record_file, also for the files that belong to a mesh of this path.
void tide_script_record_mesh(lua_State *L, const char *path);

// Where a notice says that nothing changed, it says of a text that is not what it was before.
void tide_script_record_compare(tide_script_record *record, const tide_script_record *before);

// For the handler of tide_call's errors, whose text is at index 1: writes down the calls under way. An error that comes
// from a call within, raised again, keeps its own. tide_script_record_cause then tells which error it has become.
void tide_script_record_calls(lua_State *L);
// Of an error in a coroutine that coroutine.wrap raises again: the calls of `thread`, before it is closed; and what the
// error, which is on top, has become. The handler of that one then writes down the coroutine's calls, too.
void tide_script_record_thread(lua_State *L, lua_State *thread);
void tide_script_record_wrapped(lua_State *L);
void tide_script_record_cause(lua_State *L, const tide_error *error);

// Carries the state of `old` over to `scene` and makes its world go on where that of `old` is, which is then spent. On
// failure `old` is as it was. `notice`, NULL or empty, gets what it changed as text.
tide_status tide_scene_adopt(lua_State *L, tide_scene *scene, lua_State *old_L, tide_scene *old,
                             tide_adoption *adoption, tide_text *notice, tide_error *error);

#endif
