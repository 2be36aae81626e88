// A Lua state of its own for a scene, and calls into it under the script's limits.
#ifndef TIDE_SCRIPT_SCRIPT_STATE_H
#define TIDE_SCRIPT_SCRIPT_STATE_H

#include "script/limits.h"
#include "script/script_record.h"

// A Lua state with its data. Lua and every coroutine hold a pointer to it, so it never moves.
typedef struct tide_script_state {
    lua_State *L;
    tide_script *script;         // current owner; a reload gives the old state to another
    tide_run *run;               // the registry keeps it
    tide_scene *scene;           // its handle, in the registry, keeps it
    tide_limits limits;          // limits of a call
    tide_limited *volatile call; // running call; NULL: none
    size_t bytes, capacity;      // bytes that the Lua state holds and may hold; capacity 0: no limit
    int refusals;                // consecutive refusals of memory
    uint64_t serial;             // of the last table, function or coroutine created
    tide_script_record record;
} tide_script_state;

struct tide_script {
    tide_script_state *state;
    char *path;
    char *traceback;           // of the last failed call; NULL: none, or out of memory
    tide_script_record failed; // files that a failed reload asked for
    bool reload_failed;        // the last reload failed
    bool borrowed;             // the Lua state and the scene have another owner
    tide_colour_store colours;
};

// The allocator of the Lua state; its context is the tide_script_state.
void *tide_script_allocate(void *context, void *block, size_t kind_or_size, size_t size);
// Calls a C function with at most two pointer arguments under the script's limits. It leaves no result. A failure
// leaves its traceback with the script.
tide_status tide_script_call(tide_script *script, lua_CFunction function, void *first, void *second, tide_error *error);
// Does the same. The call can be interrupted, and the Lua state may grow by at most `growth` bytes.
tide_status tide_script_enter(tide_script *script, lua_CFunction function, void *first, void *second, size_t growth,
                              tide_error *error);

#endif
