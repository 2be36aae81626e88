// Converts scene.state and the memory of solvers to bytes: plain data (booleans, numbers, strings, tables of them) with
// sorted keys, so that equal states give equal bytes.
#include "script/binding.h"

#include "base/memory.h"
#include "script/metatables.h"

#include <stdio.h>
#include <string.h>

enum { MAX_DEPTH = 64, MAX_PATH = 56 };
enum { TAG_FALSE, TAG_TRUE, TAG_INTEGER, TAG_FLOAT, TAG_TEXT, TAG_TABLE, TAG_VECTOR };

typedef struct writer {
    const tide_data_owner *owner;
    tide_text *text;
    const void *parents[MAX_DEPTH];
    char path[MAX_PATH]; // "state.balls[3]"
} writer;

static void write_value(lua_State *L, writer *out, int depth);

static void write_bytes(lua_State *L, writer *out, const void *bytes, size_t size)
{
    tide_text_add(out->text, bytes, size);
    if (out->text->failed)
        tide_raise_memory(L, out->owner->object);
}

static void write_tag(lua_State *L, writer *out, char tag)
{
    write_bytes(L, out, &tag, 1);
}

static void write_number(lua_State *L, writer *out)
{
    if (lua_isinteger(L, -1)) {
        lua_Integer integer = lua_tointeger(L, -1);
        write_tag(L, out, TAG_INTEGER);
        write_bytes(L, out, &integer, sizeof integer);
    } else {
        lua_Number number = lua_tonumber(L, -1);
        write_tag(L, out, TAG_FLOAT);
        write_bytes(L, out, &number, sizeof number);
    }
}

static void write_text(lua_State *L, writer *out)
{
    size_t size;
    const char *text = lua_tolstring(L, -1, &size);
    uint64_t length = size;
    write_tag(L, out, TAG_TEXT);
    write_bytes(L, out, &length, sizeof length);
    write_bytes(L, out, text, size);
}

static _Noreturn void refuse(lua_State *L, const writer *out, const char *what)
{
    tide_raise_bad(L, out->owner->object, out->path, what,
                   "expected plain data: booleans, numbers, strings%s and tables of them",
                   out->owner->vectors ? ", vectors" : "");
}

static void check_table(lua_State *L, writer *out, int depth)
{
    const void *table = lua_topointer(L, -1);
    for (int i = 0; i < depth; i++)
        if (out->parents[i] == table)
            refuse(L, out, "a table that contains itself");
    if (depth == MAX_DEPTH)
        refuse(L, out, "a table too deep in others");
    if (tide_push_own_metatable(L, -1)) {
        lua_pop(L, 1);
        refuse(L, out, "a table with a metatable");
    }
    out->parents[depth] = table;
}

// Writes the number of pairs, then each key followed by its value.
static void write_table(lua_State *L, writer *out, int depth)
{
    check_table(L, out, depth);
    luaL_checkstack(L, 8, NULL);
    int table = lua_gettop(L);
    tide_push_sorted_keys(L, table);
    uint64_t count = lua_rawlen(L, -1);
    write_tag(L, out, TAG_TABLE);
    write_bytes(L, out, &count, sizeof count);
    size_t length = strlen(out->path);
    for (uint64_t i = 1; i <= count; i++) {
        char shown[TIDE_VALUE_TEXT_SIZE];
        lua_rawgeti(L, table + 1, (lua_Integer)i);
        int type = lua_type(L, -1);
        bool named = type == LUA_TSTRING;
        snprintf(out->path + length, sizeof out->path - length, named ? ".%s" : "[%s]",
                 named ? lua_tostring(L, -1) : tide_show(L, -1, shown));
        if (!named && type != LUA_TNUMBER && type != LUA_TBOOLEAN)
            refuse(L, out, "a key of this type");
        write_value(L, out, depth + 1);
        lua_pushvalue(L, -1);
        lua_rawget(L, table);
        write_value(L, out, depth + 1);
        lua_pop(L, 2);
        out->path[length] = '\0';
    }
    lua_settop(L, table);
}

static void write_vector(lua_State *L, writer *out, const tide_vector *vector)
{
    uint64_t size = vector->size;
    for (size_t i = 0; i < sizeof out->owner->refilled / sizeof *out->owner->refilled; i++)
        if (vector == out->owner->refilled[i])
            tide_raise_bad(L, out->owner->object, out->path, NULL,
                           "is a vector that the next step fills again; keep a copy() of it");
    write_tag(L, out, TAG_VECTOR);
    write_bytes(L, out, &size, sizeof size);
    write_bytes(L, out, vector->values, vector->size * sizeof *vector->values);
}

// Writes the value on top.
static void write_value(lua_State *L, writer *out, int depth)
{
    char shown[TIDE_VALUE_TEXT_SIZE];
    const tide_vector *vector = out->owner->vectors ? tide_object_test(L, -1, &tide_vector_class) : NULL;
    if (vector) {
        write_vector(L, out, vector);
        return;
    }
    tide_property_plain(L, -1);
    switch (lua_type(L, -1)) {
    case LUA_TBOOLEAN:
        write_tag(L, out, lua_toboolean(L, -1) ? TAG_TRUE : TAG_FALSE);
        break;
    case LUA_TNUMBER:
        write_number(L, out);
        break;
    case LUA_TSTRING:
        write_text(L, out);
        break;
    case LUA_TTABLE:
        write_table(L, out, depth);
        break;
    default:
        refuse(L, out, tide_show(L, -1, shown));
    }
}

void tide_data_write(lua_State *L, const tide_data_owner *owner, tide_text *text)
{
    writer out = { .owner = owner, .text = text };
    snprintf(out.path, sizeof out.path, "%s", owner->name);
    luaL_checkstack(L, 8, NULL);
    write_value(L, &out, 0);
}

// --- the table, and its use by the world -----------------------------------------------------------------------------

static const tide_data_owner scene_owner = { .object = "scene", .name = "state" };

void tide_state_push(lua_State *L, const tide_scene *scene)
{
    tide_scene_push_core(L, scene);
    if (lua_getiuservalue(L, -1, TIDE_CORE_STATE) != LUA_TTABLE) {
        lua_pop(L, 1);
        lua_newtable(L);
        lua_pushvalue(L, -1);
        lua_setiuservalue(L, -3, TIDE_CORE_STATE);
    }
    lua_remove(L, -2);
}

void tide_state_save(lua_State *L, const tide_scene *scene, tide_text *text)
{
    int top = lua_gettop(L);
    luaL_checkstack(L, 8, NULL);
    tide_scene_push_core(L, scene);
    lua_getiuservalue(L, -1, TIDE_CORE_STATE);
    if (lua_istable(L, -1)) {
        lua_pushnil(L);
        if (lua_next(L, -2)) { // an empty state writes nothing
            lua_pop(L, 2);
            tide_data_write(L, &scene_owner, text);
        }
    }
    lua_settop(L, top);
}

static int save_call(lua_State *L)
{
    tide_state_save(L, lua_touserdata(L, 1), lua_touserdata(L, 2));
    return 0;
}

tide_status tide_state_save_protected(lua_State *L, const tide_scene *scene, tide_text *text, tide_error *error)
{
    if (!lua_checkstack(L, 8))
        return tide_fail_memory(error, "scene.state");
    lua_pushcfunction(L, save_call);
    lua_pushlightuserdata(L, (void *)scene);
    lua_pushlightuserdata(L, text);
    tide_status status = tide_call(L, 2, 0, error);
    if (status != TIDE_OK)
        tide_text_free(text);
    return status;
}

typedef struct reader {
    const tide_data_owner *owner;
    const char *next, *end;
} reader;

static _Noreturn void malformed(lua_State *L, const reader *in)
{
    tide_raise_bad(L, in->owner->object, in->owner->name, NULL, "what was saved is malformed");
}

static void read_bytes(lua_State *L, reader *in, void *out, size_t size)
{
    if ((size_t)(in->end - in->next) < size)
        malformed(L, in);
    memcpy(out, in->next, size);
    in->next += size;
}

static void push_value(lua_State *L, reader *in, int depth);

static void push_table(lua_State *L, reader *in, int depth)
{
    uint64_t count;
    read_bytes(L, in, &count, sizeof count);
    luaL_checkstack(L, 8, NULL);
    lua_newtable(L);
    for (uint64_t i = 0; i < count; i++) {
        push_value(L, in, depth + 1);
        if (lua_type(L, -1) == LUA_TTABLE)
            malformed(L, in);
        push_value(L, in, depth + 1);
        lua_rawset(L, -3);
    }
}

static void push_vector(lua_State *L, reader *in)
{
    uint64_t size;
    read_bytes(L, in, &size, sizeof size);
    if ((uint64_t)(in->end - in->next) / sizeof(double) < size)
        malformed(L, in);
    tide_vector *vector = tide_vector_new(L, (size_t)size);
    read_bytes(L, in, vector->values, (size_t)size * sizeof(double));
}

static void push_value(lua_State *L, reader *in, int depth)
{
    char tag;
    lua_Integer integer;
    lua_Number number;
    uint64_t length;
    if (depth > MAX_DEPTH)
        malformed(L, in);
    read_bytes(L, in, &tag, 1);
    switch (tag) {
    case TAG_FALSE:
    case TAG_TRUE:
        lua_pushboolean(L, tag == TAG_TRUE);
        break;
    case TAG_INTEGER:
        read_bytes(L, in, &integer, sizeof integer);
        lua_pushinteger(L, integer);
        break;
    case TAG_FLOAT:
        read_bytes(L, in, &number, sizeof number);
        lua_pushnumber(L, number);
        break;
    case TAG_TEXT:
        read_bytes(L, in, &length, sizeof length);
        if ((uint64_t)(in->end - in->next) < length)
            malformed(L, in);
        lua_pushlstring(L, in->next, (size_t)length);
        in->next += length;
        break;
    case TAG_TABLE:
        push_table(L, in, depth);
        break;
    case TAG_VECTOR:
        push_vector(L, in);
        break;
    default:
        malformed(L, in);
    }
}

void tide_data_push(lua_State *L, const tide_data_owner *owner, const void *bytes, size_t size)
{
    reader in = { owner, bytes, (const char *)bytes + size };
    luaL_checkstack(L, 8, NULL);
    push_value(L, &in, 0);
    if (in.next != in.end)
        malformed(L, &in);
}

static int load_call(lua_State *L) // arguments: scene, bytes, size, merge
{
    tide_scene *scene = lua_touserdata(L, 1);
    const char *bytes = lua_touserdata(L, 2);
    size_t size = (size_t)lua_tointeger(L, 3);
    bool merge = lua_toboolean(L, 4);
    tide_state_push(L, scene);
    if (size)
        tide_data_push(L, &scene_owner, bytes, size);
    else
        lua_newtable(L);
    if (!lua_istable(L, -1))
        tide_raise_bad(L, "scene", "state", NULL, "what was saved is not a table");
    // Refills the same table, because scripts hold references to it.
    for (lua_pushnil(L); !merge && lua_next(L, 5);) {
        lua_pop(L, 1);
        lua_pushvalue(L, -1);
        lua_pushnil(L);
        lua_rawset(L, 5);
    }
    lua_settop(L, 6);
    for (lua_pushnil(L); lua_next(L, 6);) {
        lua_pushvalue(L, -2);
        lua_insert(L, -2);
        lua_rawset(L, 5);
    }
    return 0;
}

tide_status tide_state_load(lua_State *L, tide_scene *scene, const void *bytes, size_t size, bool merge,
                            tide_error *error)
{
    if (!lua_checkstack(L, 8))
        return tide_fail_memory(error, "scene.state");
    lua_pushcfunction(L, load_call);
    lua_pushlightuserdata(L, scene);
    lua_pushlightuserdata(L, (void *)bytes);
    lua_pushinteger(L, (lua_Integer)size);
    lua_pushboolean(L, merge);
    return tide_call(L, 4, 0, error);
}

typedef struct comparison {
    tide_scene *scene;
    const tide_text *described, *carried;
    tide_text *fields;
    tide_text values[2]; // the caller frees them, because writing may raise an error
} comparison;

// Tells whether two values, each possibly nil, are equal as data.
static bool are_same(lua_State *L, comparison *c, int a, int b)
{
    const int values[] = { a, b };
    for (int i = 0; i < 2; i++) {
        tide_text_clear(&c->values[i]);
        if (lua_isnil(L, values[i]))
            continue;
        lua_pushvalue(L, values[i]);
        tide_data_write(L, &scene_owner, &c->values[i]);
        lua_pop(L, 1);
    }
    size_t length = c->values[0].length;
    return length == c->values[1].length && (!length || memcmp(c->values[0].bytes, c->values[1].bytes, length) == 0);
}

static int find_overridden_call(lua_State *L) // argument: comparison
{
    comparison *c = lua_touserdata(L, 1);
    if (c->described->length) // value of the old script, at 2
        tide_data_push(L, &scene_owner, c->described->bytes, c->described->length);
    else
        lua_newtable(L);
    tide_data_push(L, &scene_owner, c->carried->bytes, c->carried->length);
    tide_state_push(L, c->scene); // value of the new script, at 4
    for (lua_pushnil(L); lua_next(L, 3); lua_settop(L, 5)) {
        lua_pushvalue(L, 5);
        lua_rawget(L, 4);
        lua_pushvalue(L, 5);
        lua_rawget(L, 2);
        // Stack: the key at 5; its carried value, the new script's and the old script's from 6 on.
        if (lua_type(L, 5) == LUA_TSTRING && !lua_isnil(L, 7) && !are_same(L, c, 7, 6) && !are_same(L, c, 7, 8))
            tide_text_format(c->fields, "%sscene.state.%s", c->fields->length ? ", " : "", lua_tostring(L, 5));
    }
    return 0;
}

tide_status tide_state_find_overridden(lua_State *L, tide_scene *scene, const tide_text *described,
                                       const tide_text *carried, tide_text *fields, tide_error *error)
{
    comparison c = { .scene = scene, .described = described, .carried = carried, .fields = fields };
    if (!scene->described.length || !carried->length)
        return TIDE_OK;
    if (!lua_checkstack(L, 8))
        return tide_fail_memory(error, "scene.state");
    lua_pushcfunction(L, find_overridden_call);
    lua_pushlightuserdata(L, &c);
    tide_status status = tide_call(L, 1, 0, error);
    tide_text_free(&c.values[0]);
    tide_text_free(&c.values[1]);
    return status;
}

static tide_status save_extra(void *context, void **bytes, size_t *size, tide_error *error)
{
    tide_scene *scene = context;
    tide_text text = { 0 };
    TIDE_TRY(tide_state_save_protected(scene->L, scene, &text, error));
    *bytes = text.bytes ? text.bytes : tide_allocate(0);
    *size = text.length;
    return *bytes && !text.failed ? TIDE_OK : tide_fail_memory(error, "scene.state");
}

static tide_status load_extra(void *context, const void *bytes, size_t size, tide_error *error)
{
    tide_scene *scene = context;
    return tide_state_load(scene->L, scene, bytes, size, false, error);
}

void tide_scene_connect(tide_scene *scene)
{
    tide_world_extra_state extra = { save_extra, load_extra, scene };
    tide_world_set_extra_state(scene->world, &extra);
}
