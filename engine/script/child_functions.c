// Functions for commands that run parts of their work in processes of their own.
#define _GNU_SOURCE // writing to a descriptor
#include "script/tool.h"

#include "base/child.h"
#include "base/memory.h"
#include "base/places.h"

#include <errno.h>
#include <unistd.h>

// report(text): writes the text to the descriptor of reports. Returns whether it could.
int tide_tool_report(lua_State *L)
{
    size_t size;
    const char *next = luaL_checklstring(L, 1, &size);
    while (size) {
        ssize_t written = write(TIDE_CHILD_REPORT, next, size);
        if (written < 0 && errno != EINTR)
            break;
        if (written > 0) {
            next += written;
            size -= (size_t)written;
        }
    }
    lua_pushboolean(L, size == 0);
    return 1;
}

// --- children --------------------------------------------------------------------------------------------------------

typedef struct children {
    tide_child *items; // (count)
    size_t count;
} children;

static int collect_children(lua_State *L)
{
    children *c = lua_touserdata(L, 1);
    for (size_t i = 0; i < c->count; i++)
        tide_child_free(&c->items[i]);
    tide_free(c->items);
    *c = (children) { 0 };
    return 0;
}

static const luaL_Reg metamethods[] = { { "__gc", collect_children }, { 0 } };
static const tide_class children_class = {
    "tide.Children", "children", "", tide_no_members, metamethods, NULL, NULL,
};

// Pushes { report =, output =, why = "exit", "signal" or "time", code =, truncated = }.
static void push_result(lua_State *L, const tide_child *child)
{
    static const char *const whys[] = {
        [TIDE_CHILD_EXIT] = "exit", [TIDE_CHILD_SIGNAL] = "signal", [TIDE_CHILD_OVERTIME] = "time"
    };
    lua_createtable(L, 0, 5);
    lua_pushlstring(L, child->report.length ? child->report.bytes : "", child->report.length);
    lua_setfield(L, -2, "report");
    lua_pushlstring(L, child->output.length ? child->output.bytes : "", child->output.length);
    lua_setfield(L, -2, "output");
    tide_set_text(L, "why", whys[child->end]);
    tide_set_integer(L, "code", child->code);
    tide_set_flag(L, "truncated", child->output.length >= TIDE_CHILD_MOST_OUTPUT);
}

// Starts this program with the words of the list on top.
static void start(lua_State *L, tide_child *child, double seconds)
{
    lua_Integer count = (lua_Integer)lua_rawlen(L, -1);
    const char **words = lua_newuserdatauv(L, ((size_t)count + 2) * sizeof *words, 0);
    words[0] = tide_place_to_start();
    for (lua_Integer i = 1; i <= count; i++) {
        lua_rawgeti(L, -2, i);
        words[i] = luaL_checkstring(L, -1);
        lua_pop(L, 1); // the list keeps it alive
    }
    words[count + 1] = NULL;
    tide_error error;
    tide_raise_unless_ok(L, tide_child_start(child, words, seconds, &error), &error);
    lua_pop(L, 1);
}

// run_children(lists, jobs, seconds, done): runs this program once with each list of words, `jobs` at once, each for at
// most so many seconds of the clock. Calls done(number, result) as soon as one has ended.
int tide_tool_run_children(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    luaL_checktype(L, 4, LUA_TFUNCTION);
    size_t total = lua_rawlen(L, 1), begun = 0, ended = 0;
    size_t jobs = (size_t)luaL_checkinteger(L, 2);
    double seconds = luaL_checknumber(L, 3);
    children *c = tide_object_new(L, &children_class, sizeof *c, 0);
    c->items = tide_allocate_zeroed(total + 1, sizeof *c->items);
    if (!c->items)
        tide_raise_memory(L, "processes");
    size_t first = 0; // all before it have been told
    while (ended < total) {
        while (begun < total && begun - ended < jobs) {
            lua_rawgeti(L, 1, (lua_Integer)begun + 1);
            start(L, &c->items[begun], seconds);
            lua_pop(L, 1);
            c->count = ++begun;
        }
        tide_children_wait(c->items + first, begun - first);
        for (size_t i = first; i < begun; i++) {
            tide_child *child = &c->items[i];
            if (!child->ended || child->told)
                continue;
            child->told = true;
            ended++;
            lua_pushvalue(L, 4);
            lua_pushinteger(L, (lua_Integer)i + 1);
            push_result(L, child);
            tide_child_free(child);
            lua_call(L, 2, 0);
        }
        while (first < begun && c->items[first].told)
            first++;
    }
    return 0;
}
