// Limits of time and memory for calls into a script.
//
// A count hook checks the limits while Lua code runs. Long C functions call tide_check_limit or, in the engine,
// tide_stop_requested. Once a limit is reached, every further instruction of the call raises an error, so that a pcall
// in the script cannot continue.
#ifndef TIDE_SCRIPT_LIMITS_H
#define TIDE_SCRIPT_LIMITS_H

#include "base/account.h"
#include "base/stop.h"
#include "script/binding.h"

enum { TIDE_ENGINE_TIME = 10 }; // times the limit that the engine may work in a step (step_time.h)

// Limits of the calls into one script.
typedef struct tide_limits {
    double seconds;                  // of one call; 0: no limit
    bool processor;                  // they are seconds of processor time
    tide_account_book *account;      // memory that the script and its scene hold; NULL: no limit
    bool (*progress)(void *context); // as in tide_stop; NULL: none
    void *context;
    size_t longest; // bytes of the longest string so far
    size_t lua_bytes,
        lua_total; // in a host's Lua state: bytes that the script holds there, and the state's total after its last
                   // call
} tide_limits;

// A running call. It lives on the stack of its caller.
typedef struct tide_limited {
    tide_limits *limits;
    tide_stop stop;
    struct tide_limited *outer;
    tide_account_book *account_before;
    lua_Hook hook; // hook of the Lua thread before the call
    int mask, count;
    lua_Alloc allocate; // allocator of the host; NULL: not replaced
    void *allocate_context;
    lua_State *thread; // the Lua thread that runs
    int refusals;      // consecutive refusals of memory; after the first, Lua collects garbage
    size_t late;       // bytes of big blocks allocated after the time limit
    double last;       // time of the hook's last call, s
    bool begun;        // the context refers to this call
    bool short_once;   // memory was refused once
    bool steps;        // the call is a step: the engine has a time of its own (step_time.h)
    bool engine;       // the engine works
    bool engine_over;  // the engine's time was up
    double other;      // time left to the other of Lua and the engine, s
    char place[256];   // file:line at which the call was stopped
} tide_limited;

// Sets the table on top as the string library while calls under limits run in a host's Lua state, and pops it. Does
// nothing but pop it if there is such a table already.
void tide_limits_set_strings(lua_State *L);
void tide_limited_begin(lua_State *L, tide_limits *limits, tide_limited *call); // may raise before the call has begun
// Ends the call. Returns `status`, or the limit's status and error if a limit was reached.
tide_status tide_limited_end(lua_State *L, tide_limited *call, tide_status status, tide_error *error);

// Tells whether a call under the limits runs.
bool tide_limits_in_force(lua_State *L, const tide_limits *limits);
// Does what tide_call does, under the limits (may be NULL) of a run that tide.load started. A nested call under the
// same limits counts as part of the outer one.
tide_status tide_run_call(lua_State *L, tide_limits *limits, int argument_count, int result_count, tide_error *error);

// Tells a Lua allocator whether a block may grow to `size` bytes now. *refusals counts consecutive refusals. `call` is
// the running call or NULL.
bool tide_limits_allow(tide_limited *call, size_t size, int *refusals);

// Tells the call that a string of `size` bytes is created: a single instruction can take long with it. `call` may be
// NULL.
void tide_limits_note_string(tide_limited *call, size_t size);
// Tells that the coroutine `thread` runs from now on. L is any thread of the state.
void tide_limits_switch(lua_State *L, lua_State *thread);

// Tells the running call that its work failed for lack of memory; if the limit was the reason, the call fails by it.
void tide_limits_run_out_of_memory(lua_State *L);

// Creates limits of time (s) and memory (MB); 0 is no limit. Returns false if out of memory.
bool tide_limits_open(tide_limits *limits, double seconds, double megabytes);
void tide_limits_close(tide_limits *limits);

#endif
