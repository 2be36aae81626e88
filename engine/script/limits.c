#include "script/limits.h"

#include "base/clock.h"
#include "base/megabytes.h"
#include "base/memory.h"

#include <stdio.h>

enum {
    HOOK_COUNT = 1000,   // instructions between two checks of the limits; fewer if they are slow
    BIG_BLOCK = 1 << 16, // bytes of a block from which on the limits are checked
    LATE = 1 << 25,      // bytes of big blocks allowed after the time limit; Lua's largest stack has fewer
    LONG = 1 << 20,      // bytes of a string from which on fewer instructions pass between two checks
    MOST_REFUSALS = 2    // consecutive refusals of memory; after the first, Lua collects garbage
};
static const double slow = 5e-3; // s between two checks

bool tide_limits_open(tide_limits *limits, double seconds, double megabytes)
{
    *limits = (tide_limits) { .seconds = seconds };
    if (megabytes > 0 && megabytes < 1e12)
        limits->account = tide_account_open(tide_megabytes(megabytes));
    return limits->account || !(megabytes > 0 && megabytes < 1e12);
}

void tide_limits_close(tide_limits *limits)
{
    tide_account_close(limits->account);
    limits->account = NULL;
}

// --- exceeding a limit -----------------------------------------------------------------------------------------------

static bool is_over(tide_limited *call)
{
    if (call->limits->account && tide_account_refused(call->limits->account))
        call->stop.requested = true;
    return tide_stop_requested() && call->stop.requested;
}

static tide_status fail_over(const tide_limited *call, tide_error *error)
{
    const tide_limited *cause = call; // the limit of an outer call stops this one, too
    while (cause->outer && cause->outer->stop.requested)
        cause = cause->outer;
    const tide_limits *limits = cause->limits;
    tide_status status = TIDE_ERROR_SCRIPT;
    if (limits->account && tide_account_refused(limits->account))
        status = tide_fail(error, TIDE_ERROR_MEMORY, "script", NULL, NULL,
                           "out of memory: stopped at the limit of %g MB; make less of it, or raise the memory limit",
                           (double)tide_account_limit(limits->account) / 0x1p20);
    else if (cause->stop.interrupted)
        tide_fail(error, TIDE_ERROR_SCRIPT, "script", NULL, NULL, "interrupted");
    else if (cause->engine_over)
        tide_fail(error, TIDE_ERROR_SCRIPT, "scene", "step", NULL,
                  "stopped: the engine took more than %g s; make the scene smaller, or raise the time limit",
                  TIDE_ENGINE_TIME * limits->seconds);
    else
        tide_fail(error, TIDE_ERROR_SCRIPT, "script", NULL, NULL,
                  "stopped: it took more than %g s%s; look for an endless loop, or raise the time limit",
                  limits->seconds, limits->processor ? " of processor time" : "");
    if (call->place[0])
        tide_error_locate(error, call->place, 0);
    return status;
}

static void look(lua_State *L, lua_Debug *unused);

// Makes every further instruction raise, so that a pcall in the script does not outlive the limit.
static void stop(lua_State *L, tide_limited *call)
{
    const char *file;
    int line;
    if (!call->place[0] && tide_lua_place(L, &file, &line))
        snprintf(call->place, sizeof call->place, "%s:%d", file, line);
    tide_context_of(L)->stopped = true;
    lua_sethook(L, look, LUA_MASKCOUNT, 1);
    tide_error error;
    fail_over(call, &error);
    tide_raise(L, &error);
}

static tide_limited *outermost(tide_limited *call)
{
    while (call->outer)
        call = call->outer;
    return call;
}

// Instructions between two checks, at most. Arithmetic and comparisons read whole strings.
static int most_instructions(tide_limited *call)
{
    size_t longest = outermost(call)->limits->longest;
    if (longest <= LONG)
        return HOOK_COUNT;
    size_t most = (size_t)HOOK_COUNT * LONG / longest;
    return most > 1 ? (int)most : 1;
}

// Adapts the interval of checks to the time of the last one.
static int next_count(lua_State *L, tide_limited *call)
{
    double now = tide_clock_seconds(), passed = now - call->last;
    int count = lua_gethookcount(L), most = most_instructions(call);
    call->last = now;
    if (passed > slow)
        return count > 8 ? count / 8 : 1;
    return count < most / 2 ? 2 * count : most;
}

static void look(lua_State *L, lua_Debug *unused)
{
    (void)unused;
    tide_context *context = tide_context_of(L);
    tide_limited *call = context ? context->call : NULL;
    if (call && is_over(call))
        stop(L, call);
    int count = call ? next_count(L, call) : HOOK_COUNT;
    if (lua_gethookcount(L) == count)
        return;
    lua_sethook(L, look, LUA_MASKCOUNT, count);
    if (call)
        call->last = tide_clock_seconds(); // setting a hook takes long in a deep stack, because it visits all calls
}

static void tighten(tide_limited *call)
{
    int most = most_instructions(call);
    if (lua_gethookcount(call->thread) > most)
        lua_sethook(call->thread, look, LUA_MASKCOUNT, most);
}

void tide_limits_note_string(tide_limited *call, size_t size)
{
    call = call ? outermost(call) : NULL;
    if (!call || size <= LONG || size < 2 * call->limits->longest)
        return;
    call->limits->longest = size;
    tighten(call);
}

void tide_limits_switch(lua_State *L, lua_State *thread)
{
    tide_limited *call = tide_context_of(L)->call;
    if (!call)
        return;
    call = outermost(call);
    call->thread = thread;
    tighten(call);
}

void tide_check_limit(lua_State *L)
{
    tide_limited *call = tide_context_of(L)->call;
    if (call && is_over(call))
        stop(L, call);
}

// --- memory ----------------------------------------------------------------------------------------------------------

// Returns whether to refuse a big block because the time limit has passed. The first LATE bytes are still allowed: the
// hook raises an error with file and line at the next instruction. Lua's own error for a refused block has neither.
static bool is_too_late(tide_limited *call, size_t size)
{
    if (size <= BIG_BLOCK || !tide_stop_requested())
        return false;
    if (!call || size > LATE - call->late)
        return true;
    call->late += size;
    lua_sethook(outermost(call)->thread, look, LUA_MASKCOUNT, 1);
    return false;
}

bool tide_limits_allow(tide_limited *call, size_t size, int *refusals)
{
    if (is_too_late(call, size))
        return false;
    tide_account_book *account = tide_account_current();
    if (!account || tide_account_room(account) >= size) {
        *refusals = 0;
        return true;
    }
    if (call)
        call->short_once = true;
    if (++*refusals >= MOST_REFUSALS)
        tide_account_set_refused(account, true);
    return false;
}

// Replaces the host's allocator during a call.
static void *allocate(void *context, void *block, size_t old_size, size_t size)
{
    tide_limited *call = context;
    tide_limits *limits = call->limits;
    size_t held = block ? old_size : 0;
    if (!block && old_size == LUA_TSTRING) // Lua passes the kind of a new object in place of its old size
        tide_limits_note_string(call, size);
    if (size > held && limits->account) {
        size_t limit = tide_account_limit(limits->account), used = tide_account_bytes(limits->account);
        bool fits = limits->lua_bytes + used + (size - held) <= limit;
        call->short_once = call->short_once || !fits;
        if (!fits && ++call->refusals >= MOST_REFUSALS)
            tide_account_set_refused(limits->account, true);
        if (!fits || is_too_late(call, size))
            return NULL;
        call->refusals = 0;
    }
    void *moved = call->allocate(call->allocate_context, block, old_size, size);
    if (moved || size == 0) {
        limits->lua_bytes += size;
        limits->lua_bytes -= limits->lua_bytes < held ? limits->lua_bytes : held;
    }
    return moved;
}

static size_t count_bytes(lua_State *L)
{
    return (size_t)lua_gc(L, LUA_GCCOUNT) * 1024 + (size_t)lua_gc(L, LUA_GCCOUNTB);
}

// --- in a host's Lua state -------------------------------------------------------------------------------------------

static const char strings_key; // registry key of the table that is not in use

void tide_limits_set_strings(lua_State *L)
{
    if (lua_rawgetp(L, LUA_REGISTRYINDEX, &strings_key) == LUA_TNIL) {
        lua_pushvalue(L, -2);
        lua_rawsetp(L, LUA_REGISTRYINDEX, &strings_key);
    }
    lua_pop(L, 2);
}

// String methods come from one table shared by the whole state: the host's or, while a scene runs under limits, one
// with guarded functions. Swaps it with the table in the registry.
static void exchange_strings(lua_State *L)
{
    lua_rawgetp(L, LUA_REGISTRYINDEX, &strings_key);
    lua_pushliteral(L, "");
    if (lua_getmetatable(L, -1)) {
        lua_getfield(L, -1, "__index");
        lua_rawsetp(L, LUA_REGISTRYINDEX, &strings_key);
        lua_pushvalue(L, -3);
        lua_setfield(L, -2, "__index");
        lua_pop(L, 1);
    }
    lua_pop(L, 2);
}

static void begin_in_host(lua_State *L, tide_limited *call)
{
    tide_limits *limits = call->limits;
    luaL_checkstack(L, 8, NULL);
    if (!call->outer)
        exchange_strings(L);
    size_t total = count_bytes(L), freed = total < limits->lua_total ? limits->lua_total - total : 0;
    limits->lua_bytes -= freed < limits->lua_bytes ? freed : limits->lua_bytes;
    call->allocate = lua_getallocf(L, &call->allocate_context);
    lua_setallocf(L, allocate, call);
}

static void end_in_host(lua_State *L, tide_limited *call)
{
    if (call->allocate) {
        call->limits->lua_total = count_bytes(L);
        lua_setallocf(L, call->allocate, call->allocate_context);
    }
    if (!call->outer)
        exchange_strings(L);
}

// --- calls -----------------------------------------------------------------------------------------------------------

void tide_limited_begin(lua_State *L, tide_limits *limits, tide_limited *call)
{
    tide_context *context = tide_context_of(L);
    *call = (tide_limited) { .limits = limits, .hook = lua_gethook(L), .mask = lua_gethookmask(L) };
    call->count = lua_gethookcount(L);
    call->last = tide_clock_seconds();
    call->thread = L;
    call->outer = context ? context->call : NULL;
    call->begun = context != NULL;
    if (context && !context->limited)
        begin_in_host(L, call);
    call->stop.deadline = limits->seconds > 0 && !limits->processor ? call->last + limits->seconds : 0;
    call->stop.processor_deadline =
        limits->seconds > 0 && limits->processor ? tide_processor_seconds() + limits->seconds : 0;
    call->other = TIDE_ENGINE_TIME * limits->seconds;
    call->stop.progress = limits->progress;
    call->stop.context = limits->context;
    tide_stop_begin(&call->stop);
    if (limits->account) {
        tide_account_set_refused(limits->account, false);
        call->account_before = tide_account_use(limits->account);
    }
    if (context)
        context->call = call;
    lua_sethook(L, look, LUA_MASKCOUNT, most_instructions(call));
}

// Some of Lua's functions fail at the first refusal of memory.
static void run_out_of_memory(tide_limited *call)
{
    if (call->short_once && call->limits->account)
        tide_account_set_refused(call->limits->account, true);
}

void tide_limits_run_out_of_memory(lua_State *L)
{
    if (tide_context_of(L)->call)
        run_out_of_memory(tide_context_of(L)->call);
}

tide_status tide_limited_end(lua_State *L, tide_limited *call, tide_status status, tide_error *error)
{
    tide_context *context = tide_context_of(L);
    if (status == TIDE_ERROR_MEMORY)
        run_out_of_memory(call);
    bool refused = call->limits->account && tide_account_refused(call->limits->account);
    bool over = call->stop.requested || refused;
    tide_stop_end(&call->stop);
    if (call->limits->account)
        tide_account_use(call->account_before);
    if (context && call->begun) {
        context->call = call->outer;
        context->stopped = false;
        if (!context->limited)
            end_in_host(L, call);
    }
    lua_sethook(L, call->hook, call->mask, call->hook == look ? HOOK_COUNT : call->count);
    if (!over)
        return status;
    if (status != TIDE_OK && error && !call->place[0]) // the script failed before the hook stopped it
        snprintf(call->place, sizeof call->place, "%s", error->where);
    return fail_over(call, error);
}

bool tide_limits_in_force(lua_State *L, const tide_limits *limits)
{
    const tide_limited *call = tide_context_of(L)->call;
    while (call && call->limits != limits)
        call = call->outer;
    return call;
}

tide_status tide_run_call(lua_State *L, tide_limits *limits, int argument_count, int result_count, tide_error *error)
{
    if (!limits || tide_limits_in_force(L, limits)) // a nested call
        return tide_call(L, argument_count, result_count, error);
    tide_limited call;
    tide_limited_begin(L, limits, &call);
    tide_status done = tide_call(L, argument_count, result_count, error);
    tide_status status = tide_limited_end(L, &call, done, error);
    if (done == TIDE_OK && status != TIDE_OK)
        lua_pop(L, result_count);
    return status;
}
