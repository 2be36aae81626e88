#include "script/identity.h"

#include <stdio.h>
#include <string.h>

// --- texts -----------------------------------------------------------------------------------------------------------

static lua_Integer number_of(lua_State *L, int index)
{
    static const char key;
    index = lua_absindex(L, index);
    luaL_checkstack(L, 6, NULL);
    if (lua_rawgetp(L, LUA_REGISTRYINDEX, &key) != LUA_TTABLE) {
        lua_pop(L, 1);
        lua_newtable(L); // its [1] counts the values
        lua_newtable(L);
        tide_set_text(L, "__mode", "k");
        lua_setmetatable(L, -2);
        lua_pushvalue(L, -1);
        lua_rawsetp(L, LUA_REGISTRYINDEX, &key);
    }
    lua_pushvalue(L, index);
    if (lua_rawget(L, -2) == LUA_TNIL) {
        lua_rawgeti(L, -2, 1);
        lua_Integer next = lua_tointeger(L, -1) + 1;
        lua_pop(L, 2);
        lua_pushinteger(L, next);
        lua_rawseti(L, -2, 1);
        lua_pushvalue(L, index);
        lua_pushinteger(L, next);
        lua_rawset(L, -3);
        lua_pushinteger(L, next);
    }
    lua_Integer number = lua_tointeger(L, -1);
    lua_pop(L, 2);
    return number;
}

static bool has_identity(lua_State *L, int index)
{
    int type = lua_type(L, index);
    return type == LUA_TTABLE || type == LUA_TFUNCTION || type == LUA_TUSERDATA || type == LUA_TTHREAD;
}

const char *tide_push_text(lua_State *L, int index, size_t *length)
{
    index = lua_absindex(L, index);
    luaL_checkstack(L, 4, NULL);
    if (!has_identity(L, index))
        return luaL_tolstring(L, index, length);
    if (luaL_getmetafield(L, index, "__tostring") != LUA_TNIL) {
        lua_pop(L, 1);
        return luaL_tolstring(L, index, length);
    }
    const char *name = luaL_typename(L, index);
    bool named = luaL_getmetafield(L, index, "__name") == LUA_TSTRING;
    char number[32];
    snprintf(number, sizeof number, "0x%08llx", (unsigned long long)number_of(L, index));
    lua_pushfstring(L, "%s: %s", named ? lua_tostring(L, -1) : name, number);
    if (named)
        lua_remove(L, -2);
    return lua_tolstring(L, -1, length);
}

int tide_tostring_call(lua_State *L)
{
    luaL_checkany(L, 1);
    tide_push_text(L, 1, NULL);
    return 1;
}

// Converts arguments of %s and %p to texts without addresses, and %p in the format to %s.
int tide_format_call(lua_State *L)
{
    size_t length;
    const char *format = luaL_checklstring(L, 1, &length);
    int count = lua_gettop(L), argument = 1;
    luaL_Buffer changed;
    lua_settop(L, count);
    char *copy = luaL_buffinitsize(L, &changed, length + 1);
    memcpy(copy, format, length + 1);
    for (char *p = copy; p < copy + length; p++) {
        if (*p != '%')
            continue;
        p++;
        if (*p == '%')
            continue;
        p += strspn(p, "-+#0 .123456789");
        if (++argument > count)
            break;
        if (*p == 'p') {
            char text[32] = "(null)";
            if (has_identity(L, argument))
                snprintf(text, sizeof text, "0x%08llx", (unsigned long long)number_of(L, argument));
            *p = 's';
            lua_pushstring(L, text);
            lua_replace(L, argument);
        } else if (*p == 's' && has_identity(L, argument)) {
            tide_push_text(L, argument, NULL);
            lua_replace(L, argument);
        }
    }
    luaL_pushresultsize(&changed, length);
    lua_replace(L, 1);
    lua_settop(L, count);
    lua_CFunction own = lua_tocfunction(L, lua_upvalueindex(1));
    return own(L);
}

// --- next ------------------------------------------------------------------------------------------------------------

// Pushes the keys of the table at 1 in order, reusing those kept in the upvalue. Element [0] of the list is the
// position of the key returned last.
static void push_keys(lua_State *L)
{
    lua_pushvalue(L, 1);
    if (lua_rawget(L, lua_upvalueindex(1)) == LUA_TTABLE)
        return;
    lua_pop(L, 1);
    tide_push_sorted_keys(L, 1);
    lua_pushvalue(L, 1);
    lua_pushvalue(L, -2);
    lua_rawset(L, lua_upvalueindex(1));
}

static void forget_keys(lua_State *L)
{
    lua_pushvalue(L, 1);
    lua_pushnil(L);
    lua_rawset(L, lua_upvalueindex(1));
}

// Returns the position of the key at 2 in the list at 3, or if absent the position before the first key that follows
// it.
static lua_Integer find_key(lua_State *L)
{
    lua_rawgeti(L, 3, 0);
    lua_Integer at = lua_tointeger(L, -1), low = 0, high = (lua_Integer)lua_rawlen(L, 3);
    lua_rawgeti(L, 3, at);
    bool found = at > 0 && lua_rawequal(L, -1, 2);
    lua_pop(L, 2);
    if (found)
        return at;
    while (low < high) { // binary search for the last key that is not after this one
        lua_Integer middle = low + (high - low + 1) / 2;
        lua_rawgeti(L, 3, middle);
        bool after = tide_compare_keys(L, -1, 2) > 0;
        lua_pop(L, 1);
        if (after)
            high = middle - 1;
        else
            low = middle;
    }
    return low;
}

// Pushes the first key of the table at 1 without building a list of all keys.
static int push_first(lua_State *L)
{
    forget_keys(L);
    lua_settop(L, 1);
    lua_pushnil(L);
    bool any = false;
    lua_pushnil(L);
    while (lua_next(L, 1)) { // 2: least key so far; 3: key
        lua_pop(L, 1);
        if (!any || tide_compare_keys(L, 3, 2) < 0) {
            lua_pushvalue(L, 3);
            lua_replace(L, 2);
        }
        any = true;
    }
    if (!any)
        return lua_pushnil(L), 1;
    lua_settop(L, 2);
    lua_pushvalue(L, 2);
    lua_rawget(L, 1);
    return 2;
}

int tide_next_call(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 2);
    tide_property_plain(L, 1);
    if (lua_isnil(L, 2)) {
        int count = push_first(L);
        tide_check_limit(L); // a large table takes long
        return count;
    }
    push_keys(L);
    lua_Integer at = find_key(L);
    for (at++; lua_rawgeti(L, 3, at) != LUA_TNIL; at++) {
        lua_pushvalue(L, -1);
        if (lua_rawget(L, 1) != LUA_TNIL) {
            lua_pushinteger(L, at);
            lua_rawseti(L, 3, 0);
            return 2;
        }
        lua_pop(L, 2); // the key was removed during the traversal
    }
    forget_keys(L);
    lua_pushnil(L);
    return 1;
}

// --- sort ------------------------------------------------------------------------------------------------------------

// Tells whether the value at a precedes that at b: by the function at 2, or by <.
static bool is_before(lua_State *L, int a, int b)
{
    if (lua_isnil(L, 2))
        return lua_compare(L, a, b, LUA_OPLT);
    lua_pushvalue(L, 2);
    lua_pushvalue(L, a < 0 ? a - 1 : a);
    lua_pushvalue(L, b < 0 ? b - 2 : b);
    lua_call(L, 2, 1);
    bool before = lua_toboolean(L, -1);
    lua_pop(L, 1);
    return before;
}

// Merges the runs [begin, middle) and [middle, end) of the list at `from` into the list at `to`.
static void merge(lua_State *L, int from, int to, lua_Integer begin, lua_Integer middle, lua_Integer end)
{
    lua_Integer a = begin, b = middle;
    for (lua_Integer i = begin; i < end; i++) {
        bool second = a == middle;
        if (!second && b < end) {
            lua_rawgeti(L, from, a);
            lua_rawgeti(L, from, b);
            second = is_before(L, -1, -2);
            lua_pop(L, 2);
        }
        lua_rawgeti(L, from, second ? b++ : a++);
        lua_rawseti(L, to, i);
        if (i % 4096 == 0)
            tide_check_limit(L);
    }
}

// Bottom-up merge sort. Lua's own sort draws pivots from the clock for badly ordered lists.
int tide_sort_call(lua_State *L)
{
    enum { TABLE = 1, FIRST = 3, SECOND = 4, MOST = 100000000 };
    luaL_checkany(L, 1);
    lua_settop(L, 2);
    lua_Integer count = luaL_len(L, TABLE);
    luaL_argcheck(L, count < MOST, 1, "array too big");
    if (!lua_isnil(L, 2))
        luaL_checktype(L, 2, LUA_TFUNCTION);
    lua_createtable(L, count > 0 ? (int)count : 0, 0);
    lua_createtable(L, count > 0 ? (int)count : 0, 0);
    for (lua_Integer i = 1; i <= count; i++) {
        lua_geti(L, TABLE, i);
        lua_rawseti(L, FIRST, i);
    }
    int from = FIRST, to = SECOND;
    for (lua_Integer width = 1; width < count; width *= 2) {
        for (lua_Integer begin = 1; begin <= count; begin += 2 * width) {
            lua_Integer middle = begin + width <= count ? begin + width : count + 1;
            lua_Integer end = middle + width <= count ? middle + width : count + 1;
            merge(L, from, to, begin, middle, end);
        }
        int other = from;
        from = to;
        to = other;
    }
    for (lua_Integer i = 1; i <= count; i++) {
        lua_rawgeti(L, from, i);
        lua_seti(L, TABLE, i);
    }
    return 0;
}
