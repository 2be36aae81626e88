// tide.limited: lets a host call functions that it does not trust, such as those of a scene.
#include "script/limits.h"

#include "base/memory.h"

typedef struct limits_definition {
    double time_limit, memory_limit;
    bool trusted, scenes;
} limits_definition;

const tide_field tide_limited_fields[] = {
    { TIDE_MEMBER(limits_definition, time_limit), .type = TIDE_FIELD_REAL, .maximum = 1e6, .unit = "s",
      .help = "limit of processor time; 0: no limit" },
    { TIDE_MEMBER(limits_definition, memory_limit), .type = TIDE_FIELD_REAL, .maximum = 1e6, .unit = "MB",
      .help = "limit of memory, in MB of 2^20 bytes; 0: no limit" },
    { TIDE_MEMBER(limits_definition, trusted), .type = TIDE_FIELD_BOOLEAN, .initial = { 1 },
      .help = "false: the function writes no files" },
    { TIDE_MEMBER(limits_definition, scenes), .type = TIDE_FIELD_BOOLEAN, .initial = { 1 },
      .help = "false: the function neither makes scenes nor steps them" },
    { 0 },
};

static int collect(lua_State *L)
{
    tide_limits_close(lua_touserdata(L, 1));
    return 0;
}

static const luaL_Reg metamethods[] = { { "__gc", collect }, { 0 } };
static const tide_class limits_class = { "tide.CallLimits", "limits", "", tide_no_members, metamethods, NULL, NULL };

int tide_limited_run_call(lua_State *L)
{
    tide_context *context = tide_context_of(L);
    const tide_run *run = tide_run_of_upvalue(L);
    limits_definition given;
    if (run->root)
        tide_raise_bad(L, "tide", "limited", NULL,
                       "only hosts set limits of calls; the limits of a scene are its host's");
    luaL_checktype(L, 1, LUA_TTABLE);
    luaL_checktype(L, 2, LUA_TFUNCTION);
    tide_fields_default(tide_limited_fields, &given);
    tide_read_fields(L, 1, tide_limited_fields, "limited", &given, 0);
    tide_limits *limits = tide_object_new(L, &limits_class, sizeof *limits, 0);
    if (!tide_limits_open(limits, given.time_limit, given.memory_limit))
        tide_raise_memory(L, "limited");
    limits->processor = true;
    lua_replace(L, 1); // keeps the limits alive during the call
    if (!context->limited) {
        tide_sandbox_push_strings(L);
        tide_limits_set_strings(L);
    }
    tide_limited call;
    tide_error error;
    tide_limited_begin(L, limits, &call);
    context->mistrusts += !given.trusted;
    context->sceneless += !given.scenes;
    tide_status status = tide_call(L, lua_gettop(L) - 2, LUA_MULTRET, &error);
    context->mistrusts -= !given.trusted;
    context->sceneless -= !given.scenes;
    status = tide_limited_end(L, &call, status, &error);
    if (status != TIDE_OK)
        return tide_push_failure(L, &error);
    lua_pushboolean(L, true);
    lua_replace(L, 1);
    return lua_gettop(L);
}
