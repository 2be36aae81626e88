// The environment of a script. It contains copies of allow-listed libraries, so that a script that changes them affects
// no other. There is no os, io, debug or package, and nothing whose result differs from run to run: math.random is
// seeded, and pairs has a fixed order.
//
// Some C functions can run without end where no count hook stops them. Those whose work a script controls freely
// (patterns, sort) have implementations of their own. The others get bounded arguments, and the limits are checked
// after each call.
#include "script/identity.h"
#include "script/limits.h"
#include "script/metatables.h"
#include "script/patterns.h"
#include "script/portable_math.h"
#include "script/script_record.h"

#include <lualib.h>
#include <string.h>

static const char *const base_names[] = { "assert",   "error",  "ipairs", "pcall",    "print",
                                          "rawequal", "rawget", "rawlen", "select",   "tonumber",
                                          "tostring", "type",   "xpcall", "_VERSION", NULL };
static const char *const string_names[] = { "byte",    "char",  "find",   "format", "gmatch",   "gsub",
                                            "len",     "lower", "match",  "pack",   "packsize", "rep",
                                            "reverse", "sub",   "unpack", "upper",  NULL };
static const char *const table_names[] = { "concat", "insert", "move", "pack", "remove", "sort", "unpack", NULL };
static const char *const math_names[] = { "abs", "acos",       "asin", "atan", "ceil", "cos", "deg",
                                          "exp", "floor",      "fmod", "huge", "log",  "max", "maxinteger",
                                          "min", "mininteger", "modf", "pi",   "rad",  "sin", "sqrt",
                                          "tan", "tointeger",  "type", "ult",  NULL };
static const char *const utf8_names[] = { "char", "charpattern", "codepoint", "codes", "len", "offset", NULL };
static const char *const coroutine_names[] = { "close",  "create", "isyieldable", "resume", "running",
                                               "status", "wrap",   "yield",       NULL };

// --- guarded functions -----------------------------------------------------------------------------------------------

enum {
    MAX_ITEMS = 100000000,
    MANY = 1 << 12 // items, or bytes of a text, from which on the limits are checked
};

// The guarded function is the guard's first upvalue.
static int call_guarded(lua_State *L)
{
    lua_CFunction function = lua_tocfunction(L, lua_upvalueindex(1));
    return function(L);
}

// Guards a function whose work grows with its arguments: checks the limits after a call with many.
static int guarded_work(lua_State *L)
{
    size_t size = (size_t)lua_gettop(L);
    for (int i = 1, count = lua_gettop(L); i <= count && i <= 8; i++)
        if (lua_type(L, i) == LUA_TSTRING || lua_type(L, i) == LUA_TTABLE)
            size += lua_rawlen(L, i);
    int count = call_guarded(L);
    if (size > MANY || count > MANY)
        tide_check_limit(L);
    return count;
}

static int guarded_concat(lua_State *L)
{
    lua_Integer first = luaL_optinteger(L, 3, 1), last = lua_isnoneornil(L, 4) ? 0 : luaL_checkinteger(L, 4);
    if (last >= first && (first <= 0 ? last >= MAX_ITEMS + first : last - first >= MAX_ITEMS))
        return luaL_error(L, "too many elements to concatenate");
    int count = guarded_work(L);
    if (last - first > MANY)
        tide_check_limit(L);
    return count;
}

static int guarded_rep(lua_State *L)
{
    size_t length, separator = 0;
    luaL_checklstring(L, 1, &length);
    luaL_optlstring(L, 3, "", &separator);
    if (length + separator == 0) {
        lua_pushliteral(L, "");
        return 1;
    }
    return call_guarded(L);
}

static int guarded_move(lua_State *L)
{
    lua_Integer from = luaL_checkinteger(L, 2), to = luaL_checkinteger(L, 3);
    if (to >= from && (from <= 0 ? to >= MAX_ITEMS + from : to - from >= MAX_ITEMS))
        return luaL_error(L, "too many elements to move");
    int count = call_guarded(L);
    if (to - from > MANY)
        tide_check_limit(L);
    return count;
}

// A __len metamethod may return any length.
static int guarded_shift(lua_State *L)
{
    if (lua_istable(L, 1) && luaL_getmetafield(L, 1, "__len") != LUA_TNIL) {
        lua_pop(L, 1);
        if (luaL_len(L, 1) > MAX_ITEMS)
            return luaL_error(L, "the table is too long");
    }
    return guarded_work(L);
}

// Guards that replace functions of Lua; the original becomes the upvalue.
static const luaL_Reg guards[] = { { "rep", guarded_rep },
                                   { "move", guarded_move },
                                   { "insert", guarded_shift },
                                   { "remove", guarded_shift },
                                   { "concat", guarded_concat },
                                   { "find", tide_pattern_find },
                                   { "match", tide_pattern_match },
                                   { "gmatch", tide_pattern_gmatch },
                                   { "gsub", tide_pattern_gsub },
                                   { "format", tide_format_call },
                                   { "sort", tide_sort_call },
                                   { "tostring", tide_tostring_call },
                                   { 0 } };
// Functions after which the limits are checked.
static const char *const workers[] = { "byte",     "lower", "pack",  "packsize",  "reverse", "sub",  "unpack", "upper",
                                       "tonumber", "len",   "codes", "codepoint", "offset",  "char", "select", NULL };

static lua_CFunction guard_of(const char *name)
{
    for (const luaL_Reg *guard = guards; guard->name; guard++)
        if (strcmp(guard->name, name) == 0)
            return guard->func;
    for (const char *const *worker = workers; *worker; worker++)
        if (strcmp(*worker, name) == 0)
            return guarded_work;
    return NULL;
}

static bool is_guard(lua_CFunction function)
{
    for (const luaL_Reg *guard = guards; guard->name; guard++)
        if (guard->func == function)
            return true;
    return function == guarded_work;
}

// --- functions that could run after the time limit -------------------------------------------------------------------
// While the hook that stops a script raises its error, hooks are disabled. Message handlers run at that time. So do the
// pending __close methods of the stopped coroutine, when wrap or close closes it.

static int stoppable_handler(lua_State *L) // upvalue: the script's message handler
{
    lua_settop(L, 1);
    if (tide_context_of(L)->stopped)
        return 1;
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    lua_call(L, 1, 1);
    return 1;
}

static int stoppable_xpcall(lua_State *L)
{
    luaL_checktype(L, 2, LUA_TFUNCTION);
    lua_pushvalue(L, 2);
    lua_pushcclosure(L, stoppable_handler, 1);
    lua_replace(L, 2);
    lua_pushvalue(L, 1);
    lua_insert(L, 3); // stack: function, handler, function, arguments
    int status = lua_pcall(L, lua_gettop(L) - 3, LUA_MULTRET, 2);
    lua_pushboolean(L, status == LUA_OK);
    lua_replace(L, 2);
    return lua_gettop(L) - 1;
}

static int resume(lua_State *L, lua_State *thread, int argument_count, int *result_count)
{
    lua_xmove(L, thread, argument_count);
    tide_limits_switch(L, thread);
    int status = lua_resume(thread, L, argument_count, result_count);
    tide_limits_switch(L, L);
    return status;
}

static int resume_call(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTHREAD);
    lua_State *thread = lua_tothread(L, 1);
    int argument_count = lua_gettop(L) - 1, result_count;
    const char *too_many = NULL;
    if (!lua_checkstack(thread, argument_count)) {
        too_many = "too many arguments to resume";
    } else {
        int status = resume(L, thread, argument_count, &result_count);
        if (status != LUA_OK && status != LUA_YIELD) {
            lua_pushboolean(L, false);
            lua_xmove(thread, L, 1);
            return 2;
        }
        if (lua_checkstack(L, result_count + 1)) {
            lua_pushboolean(L, true);
            lua_xmove(thread, L, result_count);
            return result_count + 1;
        }
        lua_pop(thread, result_count);
        too_many = "too many results to resume";
    }
    lua_pushboolean(L, false);
    lua_pushstring(L, too_many);
    return 2;
}

static int resume_wrapped(lua_State *L) // upvalue: the coroutine
{
    lua_State *thread = lua_tothread(L, lua_upvalueindex(1));
    int argument_count = lua_gettop(L), result_count;
    if (!lua_checkstack(thread, argument_count))
        return luaL_error(L, "too many arguments to resume");
    if (lua_status(thread) == LUA_OK && lua_gettop(thread) == 0)
        return luaL_error(L, "cannot resume dead coroutine");
    int status = resume(L, thread, argument_count, &result_count);
    if (status != LUA_OK && status != LUA_YIELD) {
        tide_script_record_thread(L, thread);
        if (!tide_context_of(L)->stopped && lua_status(thread) != LUA_OK)
            lua_resetthread(thread);
        lua_xmove(thread, L, 1);
        if (lua_type(L, -1) == LUA_TSTRING) {
            luaL_where(L, 1);
            lua_insert(L, -2);
            lua_concat(L, 2);
        }
        tide_script_record_wrapped(L);
        return lua_error(L);
    }
    if (!lua_checkstack(L, result_count + 1)) {
        lua_pop(thread, result_count);
        return luaL_error(L, "too many results to resume");
    }
    lua_xmove(thread, L, result_count);
    return result_count;
}

static int stoppable_close(lua_State *L) // upvalue: Lua's original
{
    if (tide_context_of(L)->stopped)
        return luaL_error(L, "the time is over");
    return call_guarded(L);
}

static int stoppable_wrap(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TFUNCTION);
    lua_State *thread = lua_newthread(L);
    lua_pushvalue(L, 1);
    lua_xmove(L, thread, 1);
    lua_pushcclosure(L, resume_wrapped, 1);
    return 1;
}

// --- replacements of Lua's functions ---------------------------------------------------------------------------------

static int pairs_call(lua_State *L)
{
    luaL_checkany(L, 1);
    if (luaL_getmetafield(L, 1, "__pairs") == LUA_TNIL)
        return tide_pairs_call(L);
    lua_pushvalue(L, 1);
    lua_call(L, 1, 3);
    return 3;
}

// Hides the amount of memory and the timing of garbage collection, which differ from run to run.
static int collectgarbage_call(lua_State *L)
{
    static const char *const options[] = { "collect", "count", "step", NULL };
    int option = luaL_checkoption(L, 1, "collect", options);
    if (option == 1)
        return luaL_error(L, "collectgarbage: scene scripts cannot read how much memory is in use (\"count\"): it "
                             "differs from run to run");
    lua_gc(L, LUA_GCCOLLECT);
    tide_check_limit(L);
    if (option == 0)
        lua_pushinteger(L, 0);
    else
        lua_pushboolean(L, true);
    return 1;
}

static const char *read_piece(lua_State *L, void *unused, size_t *size)
{
    (void)unused;
    luaL_checkstack(L, 2, NULL);
    tide_check_limit(L);
    lua_pushvalue(L, 1);
    lua_call(L, 0, 1);
    if (lua_isnil(L, -1)) {
        lua_pop(L, 1);
        *size = 0;
        return NULL;
    }
    if (lua_type(L, -1) != LUA_TSTRING)
        luaL_error(L, "reader function must return a string");
    lua_replace(L, 5); // keeps it alive while it is read
    return lua_tolstring(L, 5, size);
}

// A string read in pieces, so that the limits are checked during compilation.
typedef struct pieces {
    const char *next;
    size_t left;
} pieces;

static const char *take_piece(lua_State *L, void *context, size_t *size)
{
    pieces *from = context;
    const char *piece = from->next;
    tide_check_limit(L);
    *size = from->left < 1 << 16 ? from->left : 1 << 16;
    from->next += *size;
    from->left -= *size;
    return *size ? piece : NULL;
}

// load(chunk [, name [, mode [, env]]]): loads text only. The default environment is the script's (the upvalue).
static int load_call(lua_State *L)
{
    lua_settop(L, 5);
    const char *name = luaL_optstring(L, 2, lua_isstring(L, 1) ? lua_tostring(L, 1) : "=(load)");
    int status;
    if (lua_type(L, 1) == LUA_TSTRING) {
        pieces all = { 0 };
        all.next = lua_tolstring(L, 1, &all.left);
        status = lua_load(L, take_piece, &all, name, "t");
    } else {
        luaL_checktype(L, 1, LUA_TFUNCTION);
        status = lua_load(L, read_piece, NULL, name, "t");
    }
    if (status != LUA_OK) {
        lua_pushnil(L);
        lua_insert(L, -2);
        return 2;
    }
    lua_pushvalue(L, lua_isnil(L, 4) ? lua_upvalueindex(1) : 4);
    if (!lua_setupvalue(L, -2, 1))
        lua_pop(L, 1);
    return 1;
}

// --- random numbers --------------------------------------------------------------------------------------------------

// Returns the world's generator in a callback, because snapshots include its state; else the run's.
static tide_random *generator(lua_State *L)
{
    tide_context *context = tide_context_of(L);
    if (context->solving)
        tide_raise_bad(L, "random", NULL, NULL,
                       "a solver's step has no random numbers: it could not be taken again; draw them in update");
    if (context->running)
        return tide_world_random(context->running->world);
    return &tide_run_of_upvalue(L)->random;
}

static uint64_t random_word(tide_random *random)
{
    uint64_t high = tide_random_next(random);
    return high << 32 | tide_random_next(random);
}

// Draws uniformly from [0, limit] without bias, by rejection: masks with the smallest 2^k - 1 >= limit and draws again
// above the limit.
static uint64_t random_up_to(tide_random *random, uint64_t limit)
{
    uint64_t mask = limit, drawn;
    for (int shift = 1; shift < 64; shift *= 2)
        mask |= mask >> shift;
    do
        drawn = random_word(random) & mask;
    while (drawn > limit);
    return drawn;
}

int tide_random_call(lua_State *L)
{
    tide_random *random = generator(L);
    lua_Integer low = 1, high;
    switch (lua_gettop(L)) {
    case 0:
        lua_pushnumber(L, tide_random_uniform(random));
        return 1;
    case 1:
        high = luaL_checkinteger(L, 1);
        if (high == 0) {
            lua_pushinteger(L, (lua_Integer)random_word(random));
            return 1;
        }
        break;
    default:
        low = luaL_checkinteger(L, 1);
        high = luaL_checkinteger(L, 2);
        break;
    }
    luaL_argcheck(L, low <= high, lua_gettop(L) > 1 ? 2 : 1, "interval is empty");
    lua_pushinteger(L, (lua_Integer)((uint64_t)low + random_up_to(random, (uint64_t)high - (uint64_t)low)));
    return 1;
}

static int randomseed_call(lua_State *L)
{
    double number = luaL_optnumber(L, 1, 0);
    uint64_t seed = (uint64_t)lua_tointeger(L, 1);
    if (!lua_isinteger(L, 1))
        memcpy(&seed, &number, sizeof seed);
    *generator(L) = tide_random_seed(seed);
    return 0;
}

// --- assembling the environment --------------------------------------------------------------------------------------

// Replaces the table on top by a new table with the named values.
static void copy_library(lua_State *L, const char *const *names)
{
    lua_newtable(L);
    for (; lua_istable(L, -2) && *names; names++) {
        lua_getfield(L, -2, *names);
        lua_CFunction guard = lua_iscfunction(L, -1) ? guard_of(*names) : NULL;
        if (guard && !is_guard(lua_tocfunction(L, -1)))
            lua_pushcclosure(L, guard, 1);
        lua_setfield(L, -2, *names);
    }
    lua_remove(L, -2);
}

static void set_library(lua_State *L, int environment, const char *name, const char *const *names)
{
    lua_getglobal(L, name);
    copy_library(L, names);
    lua_setfield(L, environment, name);
}

void tide_sandbox_push_strings(lua_State *L)
{
    lua_getglobal(L, "string");
    copy_library(L, string_names);
}

// Changes the coroutine library on top.
static void set_stoppable_coroutines(lua_State *L)
{
    lua_pushcfunction(L, stoppable_wrap);
    lua_setfield(L, -2, "wrap");
    lua_pushcfunction(L, resume_call);
    lua_setfield(L, -2, "resume");
    lua_getfield(L, -1, "close");
    if (lua_iscfunction(L, -1) && lua_tocfunction(L, -1) != stoppable_close)
        lua_pushcclosure(L, stoppable_close, 1);
    lua_setfield(L, -2, "close");
}

// --- unknown globals -------------------------------------------------------------------------------------------------

enum { MOST_GLOBALS = 512 };

static size_t add_name(const char *names[MOST_GLOBALS], size_t count, const char *name)
{
    if (name && name[0] && name[0] != '(' && count < MOST_GLOBALS) // skips Lua's internal names such as "(for state)"
        names[count++] = name;
    return count;
}

// Collects the variables of the function that reads a global, and the globals of the table at 1. These keep the texts
// alive.
static size_t find_names(lua_State *L, const char *names[MOST_GLOBALS])
{
    lua_Debug reader;
    const char *name;
    size_t count = 0;
    if (lua_getstack(L, 1, &reader)) {
        for (int i = 1; (name = lua_getlocal(L, &reader, i)) != NULL; i++) {
            count = add_name(names, count, name);
            lua_pop(L, 1);
        }
        lua_getinfo(L, "f", &reader);
        for (int i = 1; (name = lua_getupvalue(L, -1, i)) != NULL; i++) {
            count = add_name(names, count, name);
            lua_pop(L, 1);
        }
        lua_pop(L, 1);
    }
    tide_push_sorted_keys(L, 1);
    for (lua_Integer i = 1; lua_rawgeti(L, -1, i) != LUA_TNIL; i++) {
        count = add_name(names, count, lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : NULL);
        lua_pop(L, 1);
    }
    lua_pop(L, 2);
    return count;
}

// Reports a read of an unassigned global, often a misspelt variable.
static int unknown_global(lua_State *L) // globals, key
{
    const char *names[MOST_GLOBALS];
    lua_settop(L, 2);
    luaL_checkstack(L, 8, NULL);
    if (lua_type(L, 2) != LUA_TSTRING)
        return lua_pushnil(L), 1;
    const char *name = lua_tostring(L, 2), *nearest = tide_nearest_name(name, names, find_names(L, names));
    if (nearest)
        tide_raise_bad(L, "variable", name, NULL, "unknown; did you mean \"%s\"?", nearest);
    tide_raise_bad(L, "variable", name, NULL,
                   "unknown; assign it first; to see whether there is such a global, rawget(_G, \"%s\")", name);
}

static void refuse_unknown_globals(lua_State *L, int environment)
{
    lua_newtable(L);
    lua_pushcfunction(L, unknown_global);
    lua_setfield(L, -2, "__index");
    lua_setmetatable(L, environment);
}

void tide_sandbox_push(lua_State *L, int run)
{
    static const luaL_Reg own[] = { { "pairs", pairs_call },
                                    { "getmetatable", tide_getmetatable_call },
                                    { "setmetatable", tide_setmetatable_call },
                                    { "rawset", tide_rawset_call },
                                    { "print", tide_print_call },
                                    { "collectgarbage", collectgarbage_call },
                                    { 0 } };
    luaL_checkstack(L, 8, NULL);
    lua_pushglobaltable(L);
    copy_library(L, base_names);
    int environment = lua_gettop(L);
    luaL_setfuncs(L, own, 0);
    lua_newtable(L); // lists of keys, keyed by the table that next is traversing
    lua_newtable(L);
    tide_set_text(L, "__mode", "k");
    lua_setmetatable(L, -2);
    lua_pushcclosure(L, tide_next_call, 1);
    lua_setfield(L, environment, "next");
    lua_pushcfunction(L, stoppable_xpcall);
    lua_setfield(L, environment, "xpcall");
    lua_pushvalue(L, environment);
    lua_setfield(L, environment, "_G");
    lua_pushvalue(L, environment);
    lua_pushcclosure(L, load_call, 1);
    lua_setfield(L, environment, "load");
    set_library(L, environment, "string", string_names);
    set_library(L, environment, "table", table_names);
    set_library(L, environment, "utf8", utf8_names);
    set_library(L, environment, "coroutine", coroutine_names);
    lua_getfield(L, environment, "coroutine");
    set_stoppable_coroutines(L);
    lua_pop(L, 1);
    set_library(L, environment, "math", math_names);
    lua_getfield(L, environment, "math");
    const tide_run *scene = (const tide_run *)lua_touserdata(L, run);
    if (scene && scene->portable) // a library used from plain Lua has no scene
        tide_portable_math_set(L);
    lua_pushvalue(L, run);
    lua_pushcclosure(L, tide_random_call, 1);
    lua_setfield(L, -2, "random");
    lua_pushvalue(L, run);
    lua_pushcclosure(L, randomseed_call, 1);
    lua_setfield(L, -2, "randomseed");
    lua_pop(L, 1);
    refuse_unknown_globals(L, environment);
}

void tide_sandbox_guard(lua_State *L)
{
    static const luaL_Reg libraries[] = { { LUA_GNAME, luaopen_base },
                                          { LUA_STRLIBNAME, luaopen_string },
                                          { LUA_TABLIBNAME, luaopen_table },
                                          { LUA_MATHLIBNAME, luaopen_math },
                                          { LUA_UTF8LIBNAME, luaopen_utf8 },
                                          { LUA_COLIBNAME, luaopen_coroutine },
                                          { 0 } };
    for (const luaL_Reg *library = libraries; library->name; library++) {
        luaL_requiref(L, library->name, library->func, 1);
        lua_pop(L, 1);
    }
    lua_pushcfunction(L, stoppable_xpcall);
    lua_setglobal(L, "xpcall");
    lua_getglobal(L, "coroutine");
    set_stoppable_coroutines(L);
    lua_pop(L, 1);
    // String methods use the table of the Lua state.
    tide_sandbox_push_strings(L);
    lua_pushvalue(L, -1);
    lua_setglobal(L, "string");
    lua_pushliteral(L, "");
    lua_getmetatable(L, -1);
    lua_pushvalue(L, -3);
    lua_setfield(L, -2, "__index");
    tide_set_text(L, "__metatable", "string");
    lua_pop(L, 3);
}
