#include "script/script_state.h"

#include "base/memory.h"
#include "base/portable.h"
#include "script/console.h"

// Shrinking a block must not fail: Lua relies on it. If `block` is NULL, Lua passes the kind of the new object in place
// of the old size.
void *tide_script_allocate(void *context, void *block, size_t kind_or_size, size_t size)
{
    tide_script_state *state = context;
    size_t old_size = block ? kind_or_size : 0;
    if (size == 0) {
        tide_free(block);
        state->bytes -= old_size;
        return NULL;
    }
    bool grows = size > old_size;
    if (grows && ((state->capacity && state->bytes + (size - old_size) > state->capacity) ||
                  !tide_limits_allow(state->call, size, &state->refusals)))
        return NULL;
    if (!grows && tide_account_current() && tide_account_room(tide_account_current()) < size)
        return block;
    int kind = block ? 0 : (int)kind_or_size;
    if (kind == LUA_TSTRING)
        tide_limits_note_string(state->call, size);
    void *moved = tide_reallocate(block, size);
    if (!moved && grows)
        return NULL;
    state->bytes += size - old_size;
    if (moved && (kind == LUA_TTABLE || kind == LUA_TFUNCTION || kind == LUA_TTHREAD))
        tide_block_set_tag(moved, ++state->serial); // orders these values as keys when scripts iterate
    return moved ? moved : block;
}

static tide_script_state *state_of(lua_State *L)
{
    return *(tide_script_state **)lua_getextraspace(L);
}

// Moves the traceback of the last failure to the script, which reports it.
static void keep_traceback(tide_script_state *state)
{
    tide_free(state->script->traceback);
    state->script->traceback = state->record.traceback;
    state->record.traceback = NULL;
}

tide_status tide_script_call(tide_script *script, lua_CFunction function, void *first, void *second, tide_error *error)
{
    tide_script_state *state = script->state;
    lua_State *L = state->L;
    tide_limited call;
    tide_set_portable(state->run && state->run->portable);
    tide_limited_begin(L, &state->limits, &call);
    state->call = &call;
    tide_free(state->record.traceback);
    state->record.traceback = NULL;
    lua_pushcfunction(L, function);
    lua_pushlightuserdata(L, first);
    lua_pushlightuserdata(L, second);
    tide_status status = tide_call(L, 2, 0, error);
    state->call = NULL;
    status = tide_limited_end(L, &call, status, error);
    if (status != TIDE_OK)
        keep_traceback(state);
    if (state->scene)
        state->scene->L = L;
    return status;
}

tide_status tide_limited_call(lua_State *L, lua_CFunction function, void *argument, tide_error *error)
{
    if (!lua_checkstack(L, 16))
        return tide_fail_memory(error, "script");
    tide_script_state *state = tide_context_of(L)->limited ? state_of(L) : NULL;
    if (state && !state->call)
        return tide_script_call(state->script, function, argument, NULL, error);
    lua_pushcfunction(L, function);
    lua_pushlightuserdata(L, argument);
    return tide_call(L, 1, 0, error);
}

tide_status tide_script_enter(tide_script *script, lua_CFunction function, void *first, void *second, size_t growth,
                              tide_error *error)
{
    tide_script_state *state = script->state;
    size_t before = state->capacity, limit = state->bytes + growth;
    state->capacity = before && before < limit ? before : limit;
    tide_status status = tide_script_call(script, function, first, second, error);
    state->capacity = before;
    return status;
}

void tide_script_interrupt(tide_script *script)
{
    tide_limited *call = script->state->call;
    if (call)
        call->stop.interrupted = 1;
}
