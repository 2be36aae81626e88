// A file of arrays and texts, for commands that are written in Lua.
#include "script/laboratory.h"
#include "script/tool.h"

typedef struct store {
    const tide_lab_store *by;
    void *store; // NULL once it is closed
} store;

static int collect(lua_State *L)
{
    store *s = lua_touserdata(L, 1);
    if (s->store)
        s->by->discard(s->store);
    s->store = NULL;
    return 0;
}

static int numbers(lua_State *L);
static int texts(lua_State *L);
static int close_store(lua_State *L);

static const luaL_Reg metamethods[] = { { "__gc", collect }, { 0 } };
static const tide_member members[] = {
    { "numbers", numbers, .type = "", .help = "" },
    { "texts", texts, .type = "", .help = "" },
    { "close", close_store, .type = "", .help = "" },
    { 0 },
};
static const tide_class store_class = { "tide.Store", "store", "", members, metamethods, NULL, NULL };

static store *self(lua_State *L)
{
    store *s = tide_object_self(L, &store_class);
    luaL_argcheck(L, s->store, 1, "the file is closed");
    return s;
}

static int push_outcome(lua_State *L, tide_status status, const tide_error *error)
{
    if (status != TIDE_OK)
        return tide_push_failure(L, error);
    lua_pushboolean(L, 1);
    return 1;
}

// numbers(name, bytes, { extents }, unit or nil): the bytes are doubles, the last extent varies fastest.
static int numbers(lua_State *L)
{
    enum { MOST_DIMENSIONS = 3 };
    store *s = self(L);
    size_t size;
    uint64_t extents[MOST_DIMENSIONS], product = sizeof(double);
    const char *name = luaL_checkstring(L, 2), *bytes = luaL_checklstring(L, 3, &size);
    int rank = (int)lua_rawlen(L, 4);
    luaL_argcheck(L, rank >= 1 && rank <= MOST_DIMENSIONS, 4, "expected one to three extents");
    for (int i = 0; i < rank; i++) {
        lua_rawgeti(L, 4, i + 1);
        lua_Integer extent = luaL_checkinteger(L, -1);
        luaL_argcheck(L, extent >= 0 && extent <= INT32_MAX, 4, "expected extents from 0");
        extents[i] = (uint64_t)extent;
        luaL_argcheck(L, extent == 0 || product <= SIZE_MAX / (uint64_t)extent, 4, "the array is too large");
        product *= extents[i];
        lua_pop(L, 1);
    }
    luaL_argcheck(L, product == size, 3, "the bytes are not as many as the extents say");
    tide_error error;
    return push_outcome(L, s->by->add_numbers(s->store, name, bytes, extents, rank, luaL_optstring(L, 5, NULL), &error),
                        &error);
}

static int texts(lua_State *L)
{
    store *s = self(L);
    const char *name = luaL_checkstring(L, 2);
    luaL_checktype(L, 3, LUA_TTABLE);
    size_t count = lua_rawlen(L, 3);
    const char **list = lua_newuserdatauv(L, (count + 1) * sizeof *list, 0);
    for (size_t i = 0; i < count; i++) {
        lua_rawgeti(L, 3, (lua_Integer)i + 1);
        luaL_argcheck(L, lua_type(L, -1) == LUA_TSTRING, 3, "expected texts");
        list[i] = lua_tostring(L, -1);
        lua_pop(L, 1); // the table keeps it alive
    }
    tide_error error;
    return push_outcome(L, s->by->add_texts(s->store, name, list, count, &error), &error);
}

static int close_store(lua_State *L)
{
    store *s = self(L);
    tide_error error;
    tide_status status = s->by->close(s->store, &error);
    s->store = NULL;
    return push_outcome(L, status, &error);
}

int tide_store_push(lua_State *L, const tide_lab_store *by, const char *path)
{
    tide_error error;
    store *s = tide_object_new(L, &store_class, sizeof *s, 0);
    s->by = by;
    tide_status status = by->create(path, &s->store, &error);
    return status == TIDE_OK ? 1 : tide_push_failure(L, &error);
}
