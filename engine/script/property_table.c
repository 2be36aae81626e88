// Tables returned by properties such as scene.solver and scene.gravity. They hold the values that were read and pass
// assignments on to the property, so that no assignment is lost in a copy. Their values are stored beside them, because
// Lua consults a metatable only for keys that the table itself lacks.
#include "script/binding.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char entries_key, metatable_key; // registry keys: entries by table, with weak keys; the metatable

// Contents of an entry: the values, the object's name and the property's path for messages, the owner of the property
// and its name.
enum { VALUES = 1, OBJECT, PATH, OWNER, NAME };

// Pushes the entry of the table at `index`. Returns false and pushes nothing if it is no property table.
static bool push_entry(lua_State *L, int index)
{
    if (!lua_istable(L, index) || lua_rawlen(L, index)) // property tables are empty
        return false;
    index = lua_absindex(L, index);
    luaL_checkstack(L, 4, NULL);
    if (lua_rawgetp(L, LUA_REGISTRYINDEX, &entries_key) == LUA_TTABLE) {
        lua_pushvalue(L, index);
        if (lua_rawget(L, -2) == LUA_TTABLE) {
            lua_remove(L, -2);
            return true;
        }
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return false;
}

// Pushes an item of the entry at `index`.
static void push_item(lua_State *L, int index, int item)
{
    lua_rawgeti(L, index, item);
}

static const char *text_of(lua_State *L, int entry, int item)
{
    push_item(L, entry, item);
    const char *text = lua_tostring(L, -1); // the entry keeps it alive
    lua_pop(L, 1);
    return text;
}

void tide_property_plain(lua_State *L, int index)
{
    index = lua_absindex(L, index);
    if (!push_entry(L, index))
        return;
    push_item(L, -1, VALUES);
    lua_replace(L, index);
    lua_pop(L, 1);
}

// --- reading ---------------------------------------------------------------------------------------------------------

static int get(lua_State *L)
{
    lua_settop(L, 2);
    tide_property_plain(L, 1);
    lua_rawget(L, 1);
    return 1;
}

static int length(lua_State *L)
{
    tide_property_plain(L, 1);
    lua_pushinteger(L, (lua_Integer)lua_rawlen(L, 1));
    return 1;
}

static int pairs(lua_State *L)
{
    lua_settop(L, 1);
    tide_property_plain(L, 1);
    return tide_pairs_call(L);
}

// Tells whether each value of the table at `a` equals that of the table at `b`.
static bool has_all(lua_State *L, int a, int b)
{
    lua_pushnil(L);
    while (lua_next(L, a)) {
        lua_pushvalue(L, -2);
        lua_rawget(L, b);
        if (!lua_compare(L, -1, -2, LUA_OPEQ))
            return false;
        lua_pop(L, 2);
    }
    return true;
}

static int equal(lua_State *L)
{
    for (int i = 1; i <= 2; i++)
        tide_property_plain(L, i);
    lua_pushboolean(L, has_all(L, 1, 2) && has_all(L, 2, 1));
    return 1;
}

// --- assigning -------------------------------------------------------------------------------------------------------

// Writes the path of the key at `key` of the table named `path`: "solver.iterations", "gravity[2]".
static void name_element(lua_State *L, const char *path, int key, char name[TIDE_FIELD_NAME_SIZE])
{
    char shown[TIDE_VALUE_TEXT_SIZE];
    if (lua_type(L, key) == LUA_TSTRING)
        snprintf(name, TIDE_FIELD_NAME_SIZE, "%.30s.%.30s", path, lua_tostring(L, key));
    else
        snprintf(name, TIDE_FIELD_NAME_SIZE, "%.30s[%.30s]", path, tide_show(L, key, shown));
}

// Pushes the owner's current value of the property as a plain table. Returns false if the value is not a table.
static bool push_current(lua_State *L, int entry)
{
    luaL_checkstack(L, 8, NULL);
    entry = lua_absindex(L, entry);
    push_item(L, entry, OWNER);
    if (push_entry(L, -1)) {
        bool table = push_current(L, -1);
        lua_replace(L, -3);
        lua_pop(L, 1);
        if (!table)
            return false;
    }
    push_item(L, entry, NAME);
    lua_gettable(L, -2);
    lua_remove(L, -2);
    tide_property_plain(L, -1);
    return lua_istable(L, -1);
}

// Checks that the kind of the table, such as the solver in scene.solver[1], is the same in the table that was read and
// in the current one. Only then do the field names agree. Lists of numbers have no kind.
static void check_kind(lua_State *L, int entry, int current, int key)
{
    char name[TIDE_FIELD_NAME_SIZE], shown[TIDE_VALUE_TEXT_SIZE];
    const char *path = text_of(L, entry, PATH), *object = text_of(L, entry, OBJECT);
    push_item(L, entry, VALUES);
    lua_rawgeti(L, -1, 1);
    lua_rawgeti(L, current, 1);
    name_element(L, path, key, name);
    if (lua_type(L, -2) == LUA_TNUMBER) {
        lua_pop(L, 3);
        return;
    }
    if (!lua_rawequal(L, -1, -2))
        tide_raise_bad(L, object, name, tide_show(L, 3, shown),
                       "this was read from %s, and now there is %s; write %s.%s = { \"%s\", ... }", lua_tostring(L, -2),
                       lua_tostring(L, -1), object, path, lua_tostring(L, -2));
    bool first = lua_isinteger(L, key) && lua_tointeger(L, key) == 1;
    if (!lua_isnil(L, -1) && first && !lua_rawequal(L, -1, 3))
        tide_raise_bad(L, object, name, tide_show(L, 3, shown),
                       "another has options of its own; write %s.%s = { %s, option = value, ... }", object, path,
                       tide_show(L, 3, shown));
    lua_pop(L, 3);
}

// Assigns the owner's property anew: the whole table of the entry, with `value` for `key` (both indices).
static void assign(lua_State *L, int entry, int key, int value)
{
    luaL_checkstack(L, 12, NULL);
    push_item(L, entry, OWNER);
    push_item(L, entry, NAME);
    int owner = lua_gettop(L) - 1, name = owner + 1, whole = owner + 2;
    lua_newtable(L);
    if (!push_current(L, entry)) {
        char shown[TIDE_VALUE_TEXT_SIZE];
        tide_raise_bad(L, text_of(L, entry, OBJECT), text_of(L, entry, PATH), tide_show(L, -1, shown),
                       "has no fields now; assign all of it: %s.%s = { ... }", text_of(L, entry, OBJECT),
                       text_of(L, entry, PATH));
    }
    check_kind(L, entry, whole + 1, key);
    lua_pushnil(L);
    while (lua_next(L, whole + 1)) {
        lua_pushvalue(L, -2);
        lua_insert(L, -2);
        lua_rawset(L, whole);
    }
    lua_pushvalue(L, key);
    lua_pushvalue(L, value);
    lua_rawset(L, whole);
    if (push_entry(L, owner)) {
        assign(L, lua_gettop(L), name, whole);
    } else {
        lua_pushvalue(L, name);
        lua_pushvalue(L, whole);
        lua_settable(L, owner);
    }
    lua_settop(L, owner - 1);
}

static int set(lua_State *L)
{
    lua_settop(L, 3);
    push_entry(L, 1);
    char name[TIDE_FIELD_NAME_SIZE];
    if (lua_type(L, 2) != LUA_TSTRING && !lua_isinteger(L, 2)) {
        name_element(L, text_of(L, 4, PATH), 2, name);
        tide_raise_bad(L, text_of(L, 4, OBJECT), name, NULL, "unexpected; give every field by its name");
    }
    assign(L, 4, 2, 3);
    // The values read before stay, except this field: it takes the value that the owner accepted.
    push_item(L, 4, VALUES);
    lua_pushvalue(L, 2);
    if (push_current(L, 4)) {
        lua_pushvalue(L, 2);
        lua_rawget(L, -2);
    } else
        lua_pushvalue(L, 3);
    lua_replace(L, 7);
    lua_settop(L, 7);
    lua_rawset(L, 5);
    return 0;
}

// --- creation --------------------------------------------------------------------------------------------------------

static const luaL_Reg metamethods[] = { { "__index", get },   { "__newindex", set }, { "__len", length },
                                        { "__pairs", pairs }, { "__eq", equal },     { 0 } };

static void push_entries(lua_State *L)
{
    if (lua_rawgetp(L, LUA_REGISTRYINDEX, &entries_key) == LUA_TTABLE)
        return;
    lua_pop(L, 1);
    lua_newtable(L);
    lua_newtable(L);
    tide_set_text(L, "__mode", "k");
    lua_setmetatable(L, -2);
    lua_pushvalue(L, -1);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &entries_key);
}

static void push_metatable(lua_State *L)
{
    if (lua_rawgetp(L, LUA_REGISTRYINDEX, &metatable_key) == LUA_TTABLE)
        return;
    lua_pop(L, 1);
    lua_newtable(L);
    luaL_setfuncs(L, metamethods, 0);
    tide_set_text(L, "__metatable", "tide.Property");
    lua_pushvalue(L, -1);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &metatable_key);
}

// Turns the values on top into a property table and pushes its entry above it.
static void make(lua_State *L, const char *object, const char *path)
{
    luaL_checkstack(L, 12, NULL);
    lua_createtable(L, NAME, 0);
    lua_insert(L, -2);
    lua_rawseti(L, -2, VALUES);
    lua_pushstring(L, object);
    lua_rawseti(L, -2, OBJECT);
    lua_pushstring(L, path);
    lua_rawseti(L, -2, PATH);
    lua_newtable(L);
    push_metatable(L);
    lua_setmetatable(L, -2);
    push_entries(L);
    lua_pushvalue(L, -2);
    lua_pushvalue(L, -4);
    lua_rawset(L, -3);
    lua_pop(L, 1);
    lua_insert(L, -2);
}

void tide_property_table(lua_State *L, int owner, const char *object, const char *path, const char *name)
{
    char inner[TIDE_FIELD_NAME_SIZE];
    owner = lua_absindex(L, owner);
    make(L, object, path);
    int table = lua_gettop(L) - 1, values = table + 2;
    lua_pushvalue(L, owner);
    lua_rawseti(L, table + 1, OWNER);
    lua_pushstring(L, name);
    lua_rawseti(L, table + 1, NAME);
    push_item(L, table + 1, VALUES);
    lua_pushnil(L);
    while (lua_next(L, values)) { // Lua allows assigning existing fields during a traversal
        if (!lua_istable(L, -1)) {
            lua_pop(L, 1);
            continue;
        }
        snprintf(inner, sizeof inner, "%.30s.%.30s", path, lua_tostring(L, -2));
        lua_pushvalue(L, -2);
        lua_insert(L, -2);
        tide_property_table(L, table, object, inner, lua_tostring(L, -2));
        lua_rawset(L, values);
    }
    lua_settop(L, table);
}
