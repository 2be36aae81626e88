// Completion of names on the console.
#include "script/console_parts.h"

#include "script/collider_binding.h"
#include "script/script_record.h"

#include <ctype.h>
#include <string.h>

enum { PARENTS = 8 }; // longest chain of __index tables searched

typedef struct completion {
    const char *text;
    tide_text *names;
    size_t *length;
} completion;

static bool is_part(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

// --- sources of names ------------------------------------------------------------------------------------------------

// Adds the name on top to the set at `set` if it begins with the text; pops it.
static void add_name(lua_State *L, int set, const char *start, size_t length)
{
    size_t size;
    const char *name = lua_type(L, -1) == LUA_TSTRING ? lua_tolstring(L, -1, &size) : "";
    bool good = lua_type(L, -1) == LUA_TSTRING && size >= length && memcmp(name, start, length) == 0 &&
                !isdigit((unsigned char)name[0]);
    for (const char *c = name; good && *c; c++)
        good = is_part(*c);
    if (good && name[0]) {
        lua_pushboolean(L, 1);
        lua_rawset(L, set);
    } else
        lua_pop(L, 1);
}

// Adds the fields of the table on top, with `methods` only functions; pops it.
static void add_fields(lua_State *L, int set, bool methods, const char *start, size_t length)
{
    int table = lua_gettop(L);
    lua_pushnil(L);
    while (lua_next(L, table)) {
        bool wanted = !methods || lua_isfunction(L, -1);
        lua_pop(L, 1);
        if (wanted) {
            lua_pushvalue(L, -1);
            add_name(L, set, start, length);
        }
    }
    lua_settop(L, table - 1);
}

// Adds the members of the class whose member table is on top; pops it.
static void add_members(lua_State *L, int set, bool methods, const char *start, size_t length)
{
    int table = lua_gettop(L);
    lua_pushnil(L);
    while (lua_next(L, table)) {
        const tide_member *member = lua_islightuserdata(L, -1) ? lua_touserdata(L, -1) : NULL;
        lua_pop(L, 1);
        if (member && methods == (member->call != NULL)) {
            lua_pushvalue(L, -1);
            add_name(L, set, start, length);
        }
    }
    lua_settop(L, table - 1);
}

// Replaces the value on top by its metatable's __index table, or by the class's member table, which is an upvalue of
// __index. Returns false and leaves nothing if there is none.
static bool next_parent(lua_State *L)
{
    bool found = luaL_getmetafield(L, -1, "__index") != LUA_TNIL;
    if (found)
        lua_remove(L, -2);
    if (found && lua_iscfunction(L, -1)) {
        found = lua_getupvalue(L, -1, 1) != NULL;
        if (found)
            lua_remove(L, -2);
    }
    if (found && lua_istable(L, -1))
        return true;
    lua_pop(L, 1);
    return false;
}

// Adds the names of the value on top and pops it.
static void add_names_of(lua_State *L, int set, bool methods, const char *start, size_t length)
{
    bool of_class = lua_isuserdata(L, -1);
    tide_property_plain(L, -1);
    if (!lua_istable(L, -1) && !next_parent(L))
        return;
    for (int i = 0; i < PARENTS; i++) {
        lua_pushvalue(L, -1);
        if (of_class)
            add_members(L, set, methods, start, length);
        else
            add_fields(L, set, methods, start, length);
        if (!next_parent(L))
            return;
    }
    lua_pop(L, 1);
}

static void add_globals(lua_State *L, int set, const char *start, size_t length)
{
    tide_console_push_environment(L);
    int environment = lua_gettop(L);
    luaL_getmetafield(L, environment, "__index");
    for (int upvalue = 1; upvalue <= 2; upvalue++) // the base environment and the script's
        if (lua_getupvalue(L, environment + 1, upvalue))
            add_fields(L, set, false, start, length);
    lua_settop(L, environment);
    add_fields(L, set, false, start, length);
}

// --- context of the text ---------------------------------------------------------------------------------------------

static const char *const finders[] = { "body", "collider" };

static void push_scene(lua_State *L)
{
    lua_getfield(L, LUA_REGISTRYINDEX, "tide.scene");
}

// Tells whether the text before `end` ends in scene:body(" or similar, and sets the finder used.
static bool opens_name(const char *text, const char *end, int *finder)
{
    while (end > text && (end[-1] == ' ' || end[-1] == '('))
        end--;
    for (int f = 0; f < 2; f++) {
        size_t length = strlen(finders[f]);
        if ((size_t)(end - text) > length && memcmp(end - length, finders[f], length) == 0 &&
            end[-1 - (long)length] == ':') {
            *finder = f;
            return true;
        }
    }
    return false;
}

// Adds the names of bodies or colliders, which may contain any characters.
static void add_parts(lua_State *L, int finder, const char *start, size_t length, tide_text *names)
{
    push_scene(L);
    const tide_world *world = tide_scene_check(L, -1)->world;
    uint32_t count = finder == 0 ? tide_world_body_count(world) : tide_world_collider_count(world);
    for (uint32_t i = 0; i < count; i++) {
        tide_body_info body = { .name = NULL };
        if (finder == 0)
            tide_world_body_info(world, tide_world_body_at(world, i), &body);
        else
            body.name = tide_world_collider(world, tide_world_collider_at(world, i))->name;
        if (body.name && strncmp(body.name, start, length) == 0 && !strchr(body.name, '\n'))
            tide_text_format(names, "%s\n", body.name);
    }
    lua_pop(L, 1);
}

// Pushes the object of scene:body("NAME") or scene:collider("NAME") that ends at `end`. Returns false and pushes
// nothing if there is none.
static bool push_part(lua_State *L, const char *text, const char *end)
{
    int finder;
    const char *close = end, *open;
    if (close - text < 2 || close[-1] != ')' || (close[-2] != '"' && close[-2] != '\''))
        return false;
    char quote = close[-2];
    close -= 2;
    for (open = close; open > text && open[-1] != quote; open--)
        continue;
    if (open == text || !opens_name(text, open - 1, &finder))
        return false;
    push_scene(L);
    lua_getfield(L, -1, finders[finder]);
    lua_insert(L, -2);
    lua_pushlstring(L, open, (size_t)(close - open));
    lua_call(L, 2, 1);
    return true;
}

// Replaces the value on top by its field: raw for tables, through the property for engine objects.
static void get_field(lua_State *L, const char *name, size_t length)
{
    lua_pushlstring(L, name, length);
    if (lua_isuserdata(L, -2)) {
        lua_gettable(L, -2);
        lua_remove(L, -2);
        return;
    }
    int key = lua_gettop(L);
    tide_property_plain(L, key - 1);
    lua_pushvalue(L, key - 1);
    for (int i = 0; i < PARENTS && lua_istable(L, -1); i++) {
        lua_pushvalue(L, key);
        if (lua_rawget(L, -2) != LUA_TNIL) {
            lua_replace(L, key - 1);
            lua_settop(L, key - 1);
            return;
        }
        lua_pop(L, 1);
        if (!next_parent(L))
            break;
    }
    lua_settop(L, key - 2);
    lua_pushnil(L);
}

// Pushes the value of the dotted names before the dot or colon at `end`.
static void push_object(lua_State *L, const char *text, const char *end)
{
    const char *from = end;
    if (push_part(L, text, end))
        return;
    while (from > text && (is_part(from[-1]) || from[-1] == '.'))
        from--;
    size_t length = 0;
    while (from + length < end && is_part(from[length]))
        length++;
    tide_console_push_environment(L);
    lua_pushlstring(L, from, length);
    lua_gettable(L, -2);
    lua_remove(L, -2);
    for (const char *name = from + length; name < end && *name == '.'; name += length) {
        name++;
        for (length = 0; name + length < end && is_part(name[length]);)
            length++;
        get_field(L, name, length);
    }
}

// Returns the start of the quoted name at the end of the text; NULL if there is none.
static const char *open_quote(const char *text, int *finder)
{
    const char *quote = NULL;
    for (const char *c = text; *c; c++)
        if (*c == '"' || *c == '\'')
            quote = !quote ? c : *quote == *c ? NULL : quote;
    return quote && opens_name(text, quote, finder) ? quote + 1 : NULL;
}

static int complete_call(lua_State *L)
{
    const completion *what = lua_touserdata(L, 1);
    const char *text = what->text, *end = text + strlen(text), *start = end;
    int finder;
    const char *quoted = open_quote(text, &finder);
    lua_settop(L, 0);
    luaL_checkstack(L, 24, NULL);
    if (quoted) {
        *what->length = (size_t)(end - quoted);
        add_parts(L, finder, quoted, *what->length, what->names);
        return 0;
    }
    while (start > text && is_part(start[-1]))
        start--;
    size_t length = *what->length = (size_t)(end - start);
    lua_newtable(L);
    if (start > text && (start[-1] == '.' || start[-1] == ':')) {
        push_object(L, text, start - 1);
        add_names_of(L, 1, start[-1] == ':', start, length);
    } else if (length)
        add_globals(L, 1, start, length);
    lua_settop(L, 1);
    tide_push_sorted_keys(L, 1);
    lua_Integer count = (lua_Integer)lua_rawlen(L, 2);
    for (lua_Integer i = 1; i <= count; i++) {
        lua_rawgeti(L, 2, i);
        tide_text_format(what->names, "%s\n", lua_tostring(L, -1));
        lua_pop(L, 1);
    }
    return 0;
}

tide_status tide_script_complete(tide_script *script, const char *text, tide_text *names, size_t *length,
                                 tide_error *error)
{
    completion what = { text, names, length };
    *length = 0;
    return tide_script_enter(script, complete_call, &what, NULL, TIDE_CONSOLE_MEMORY, error);
}

size_t tide_common_beginning(const char *names)
{
    size_t common = strcspn(names, "\n");
    for (const char *name = names; *name; name += strcspn(name, "\n"), name += *name == '\n') {
        size_t same = 0;
        while (same < common && name[same] == names[same] && name[same] != '\n')
            same++;
        common = same;
    }
    return common;
}
