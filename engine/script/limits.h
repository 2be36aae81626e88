// Limits of time and memory for calls into a script.
//
// A count hook looks at the limits while Lua code runs; C functions that take long ask tide_check_limit or, in the
// engine, tide_stop_requested. Once a limit is reached, every instruction of the call raises, whatever a pcall in the
// script made of the error, until the call ends.
#ifndef TIDE_SCRIPT_LIMITS_H
#define TIDE_SCRIPT_LIMITS_H

#include "base/account.h"
#include "base/stop.h"
#include "script/binding.h"

// What the calls of one script may take.
typedef struct tide_limits {
    double seconds;                  // that one call may take; 0: no limit
    tide_account_book *account;      // of what the script and its scene hold; NULL: no limit
    bool (*progress)(void *context); // as of tide_stop; NULL: none
    void *context;
    size_t lua_bytes,
        lua_total; // in a host's Lua state: what the script holds there, and all of it after its last call
} tide_limits;

// A call under way. It lives on the stack of whoever makes it.
typedef struct tide_limited {
    tide_limits *limits;
    tide_stop stop;
    struct tide_limited *outer;
    tide_account_book *account_before;
    lua_Hook hook; // of the Lua thread before
    int mask, count;
    lua_Alloc allocate; // of the host; NULL: it is as it was
    void *allocate_context;
    int refusals;    // of memory in a row: Lua collects garbage after the first
    double last;     // when the hook last came
    bool begun;      // the context knows it
    char place[256]; // file:line where it was when it was stopped
} tide_limited;

void tide_limited_begin(lua_State *L, tide_limits *limits, tide_limited *call); // may raise before it has begun
// Returns the status of what was done; that of the limit, with its error, once the limit was reached.
tide_status tide_limited_end(lua_State *L, tide_limited *call, tide_status status, tide_error *error);

// tide_call under the limits of a run that tide.load was given, which may be NULL; a call within such a call is part of
// it.
tide_status tide_run_call(lua_State *L, tide_limits *limits, int argument_count, int result_count, tide_error *error);

// For an allocator of Lua: whether a block may grow to `size` bytes now. *refusals counts those refused in a row.
bool tide_limits_allow(size_t size, int *refusals);

// Creates limits of time (s) and memory (MB); 0 is no limit. Returns false when there is no memory.
bool tide_limits_open(tide_limits *limits, double seconds, double megabytes);
void tide_limits_close(tide_limits *limits);

#endif
