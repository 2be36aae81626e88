// The order of keys: the same in every run, for any values.
#define _GNU_SOURCE
#include "script/identity.h"

#include "base/account.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

// Identifies a C function without upvalues by its address relative to the library or program that contains it.
static void place_function(lua_State *L, int index, tide_place *place)
{
    Dl_info there, here;
    union {
        lua_CFunction function;
        void *address;
    } value = { lua_tocfunction(L, index) }, own = { tide_pairs_call };
    if (!dladdr(value.address, &there) || !dladdr(own.address, &here))
        return;
    place->parts[1] = there.dli_fbase == here.dli_fbase;
    place->parts[2] = (uint64_t)((char *)value.address - (char *)there.dli_fbase);
}

static bool is_bare_function(lua_State *L, int index)
{
    if (!lua_iscfunction(L, index))
        return false;
    bool bare = !lua_getupvalue(L, index, 1);
    lua_pop(L, bare ? 0 : 1);
    return bare;
}

static void place_object(lua_State *L, int index, tide_place *place)
{
    const tide_part_handle *part = tide_object_named(L, index, "tide.Body");
    if (!part)
        part = tide_object_named(L, index, "tide.Collider");
    if (part)
        place->parts[1] = (uint64_t)part->index << 32 | part->generation;
    place->parts[2] = tide_object_serial(L, index);
}

tide_place tide_place_of(lua_State *L, int index)
{
    index = lua_absindex(L, index);
    tide_place place = { { (uint64_t)lua_type(L, index) } };
    const tide_context *context = tide_context_of(L);
    bool tagged = context && context->limited; // the engine allocates these values
    luaL_checkstack(L, 4, NULL);
    switch (lua_type(L, index)) {
    case LUA_TFUNCTION:
        if (is_bare_function(L, index)) {
            place_function(L, index, &place);
            break;
        }
        place.parts[1] = 2;
        /* fall through */
    case LUA_TTABLE:
        if (tagged)
            place.parts[2] = tide_block_tag(lua_topointer(L, index));
        break;
    case LUA_TTHREAD:
        lua_rawgeti(L, LUA_REGISTRYINDEX, LUA_RIDX_MAINTHREAD); // the main thread is not a block of its own
        if (tagged && !lua_rawequal(L, -1, index))
            place.parts[2] = tide_block_tag(lua_getextraspace(lua_tothread(L, index)));
        lua_pop(L, 1);
        break;
    case LUA_TUSERDATA:
        place_object(L, index, &place);
        break;
    }
    return place;
}

typedef struct key {
    enum { KEY_NUMBER, KEY_TEXT, KEY_BOOLEAN, KEY_OTHER } order;
    lua_Integer place; // in the list of keys
    double number;
    const char *text;
    size_t length;
    tide_place among; // order among the others
} key;

static int compare_keys(const void *first, const void *second)
{
    const key *a = first, *b = second;
    if (a->order != b->order)
        return a->order < b->order ? -1 : 1;
    if (a->order == KEY_TEXT) {
        size_t shorter = a->length < b->length ? a->length : b->length;
        int difference = memcmp(a->text, b->text, shorter);
        return difference ? difference : (a->length > b->length) - (a->length < b->length);
    }
    if (a->number != b->number)
        return a->number < b->number ? -1 : 1;
    for (int i = 0; i < 3; i++)
        if (a->among.parts[i] != b->among.parts[i])
            return a->among.parts[i] < b->among.parts[i] ? -1 : 1;
    return a->place < b->place ? -1 : 1;
}

static key key_at(lua_State *L, int index, lua_Integer place)
{
    key key = { .order = KEY_OTHER, .place = place };
    switch (lua_type(L, index)) {
    case LUA_TNUMBER:
        key.order = KEY_NUMBER;
        key.number = lua_tonumber(L, index);
        break;
    case LUA_TSTRING:
        key.order = KEY_TEXT;
        key.text = lua_tolstring(L, index, &key.length);
        break;
    case LUA_TBOOLEAN:
        key.order = KEY_BOOLEAN;
        key.number = lua_toboolean(L, index);
        break;
    default:
        key.among = tide_place_of(L, index);
        break;
    }
    return key;
}

int tide_compare_keys(lua_State *L, int first, int second)
{
    key a = key_at(L, first, 0), b = key_at(L, second, 0);
    if (lua_rawequal(L, first, second))
        return 0;
    return compare_keys(&a, &b);
}

void tide_push_sorted_keys(lua_State *L, int index)
{
    index = lua_absindex(L, index);
    luaL_checkstack(L, 8, NULL);
    lua_newtable(L);
    int list = lua_gettop(L);
    lua_Integer count = 0;
    bool sequence = true; // the keys are 1, 2, 3, ... and need no sorting
    lua_pushnil(L);
    while (lua_next(L, index)) {
        lua_pop(L, 1);
        count++;
        sequence = sequence && lua_isinteger(L, -1) && lua_tointeger(L, -1) == count;
        lua_pushvalue(L, -1);
        lua_rawseti(L, list, count);
    }
    if (sequence)
        return;
    key *keys = lua_newuserdatauv(L, (size_t)count * sizeof *keys, 0);
    lua_createtable(L, (int)count, 0);
    for (lua_Integer i = 0; i < count; i++) {
        lua_rawgeti(L, list, i + 1);
        keys[i] = key_at(L, -1, i);
        lua_pop(L, 1);
    }
    qsort(keys, (size_t)count, sizeof *keys, compare_keys);
    for (lua_Integer i = 0; i < count; i++) {
        lua_rawgeti(L, list, keys[i].place + 1);
        lua_rawseti(L, -2, i + 1);
    }
    lua_replace(L, list);
    lua_settop(L, list);
}

static int next_pair(lua_State *L) // upvalues: the table, its sorted keys, the number of keys visited
{
    lua_Integer i = lua_tointeger(L, lua_upvalueindex(3));
    while (lua_rawgeti(L, lua_upvalueindex(2), ++i) != LUA_TNIL) {
        lua_pushvalue(L, -1);
        lua_pushinteger(L, i);
        lua_replace(L, lua_upvalueindex(3));
        if (lua_rawget(L, lua_upvalueindex(1)) != LUA_TNIL)
            return 2;
        lua_pop(L, 2); // the key was removed during the traversal
    }
    return 1;
}

int tide_pairs_call(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_pushvalue(L, 1);
    tide_push_sorted_keys(L, 1);
    lua_pushinteger(L, 0);
    lua_pushcclosure(L, next_pair, 3);
    lua_pushvalue(L, 1);
    lua_pushnil(L);
    return 3;
}
