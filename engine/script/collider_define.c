// Reads the table of scene:collider.
#include "script/collider_binding.h"
#include "script/distance_binding.h"

#include <stdio.h>
#include <string.h>

static const char axis_form[] = "{ axis x, axis y, axis z, angle in radians }";

static const tide_shape_kind *read_kind(lua_State *L, int index, const char *owner)
{
    enum { MAX_KINDS = 64 };
    const char *names[MAX_KINDS];
    char shown[TIDE_VALUE_TEXT_SIZE];
    uint32_t count = 0;
    if (!lua_istable(L, index))
        tide_raise_bad(L, owner, NULL, NULL, "expected a table of fields, not %s", tide_show(L, index, shown));
    for (; count < MAX_KINDS && tide_shape_kind_at(count); count++)
        names[count] = tide_shape_kind_at(count)->name;
    lua_pushliteral(L, "shape");
    int type = lua_rawget(L, index);
    if (type == LUA_TNIL)
        tide_raise_bad(L, owner, "shape", NULL, "missing; give the name of one, as shape = \"sphere\"");
    const tide_shape_kind *kind = type == LUA_TSTRING ? tide_shape_kind_find(lua_tostring(L, -1)) : NULL;
    if (!kind) {
        const char *nearest = type == LUA_TSTRING ? tide_nearest_name(lua_tostring(L, -1), names, count) : NULL;
        tide_show(L, -1, shown);
        if (nearest)
            tide_raise_bad(L, owner, "shape", tide_show(L, -1, shown), "there is no such shape; did you mean \"%s\"?",
                           nearest);
        tide_raise_bad(L, owner, "shape", tide_show(L, -1, shown),
                       "expected the name of a shape; `springtide shapes` lists them");
    }
    lua_pop(L, 1);
    return kind;
}

// --- keyframes -------------------------------------------------------------------------------------------------------

static void read_keyframe(lua_State *L, const char *owner, const char *field, tide_keyframe *key)
{
    // Reads the table on top as a record named `field`, so that messages name the key.
    char object[TIDE_OBJECT_TEXT], shown[TIDE_VALUE_TEXT_SIZE];
    int table = lua_gettop(L);
    if (!lua_istable(L, table))
        tide_raise_bad(L, owner, field, tide_show(L, table, shown),
                       "expected { time = ..., position = { x, y, z }, rotation = %s }", axis_form);
    snprintf(object, sizeof object, "%.72s: %.20s", owner, field);
    tide_fields_default(tide_keyframe_fields, key);
    memset(key->rotation, 0, sizeof key->rotation);
    tide_read_fields(L, table, tide_keyframe_fields, object, key, 0);
    lua_pushliteral(L, "rotation");
    if (lua_rawget(L, table) != LUA_TNIL)
        tide_check_rotation(L, -1, object, "rotation", key->rotation);
    lua_pop(L, 1);
}

// Reads the keyframes into a userdata that it pushes.
static void read_keyframes(lua_State *L, int index, const char *owner, tide_collider_def *def)
{
    char shown[TIDE_VALUE_TEXT_SIZE], field[32];
    if (!lua_istable(L, index))
        tide_raise_bad(L, owner, "keyframes", tide_show(L, index, shown),
                       "expected a list of { time = ..., position = { x, y, z }, rotation = %s }", axis_form);
    size_t count = lua_rawlen(L, index);
    if (count == 0 || count > 1000000)
        tide_raise_bad(L, owner, "keyframes", NULL, "expected a list of 1 to 1000000 keys");
    tide_keyframe *keys = lua_newuserdatauv(L, count * sizeof *keys, 0);
    for (size_t i = 0; i < count; i++) {
        snprintf(field, sizeof field, "keyframes[%zu]", i + 1);
        lua_rawgeti(L, index, (lua_Integer)i + 1);
        read_keyframe(L, owner, field, &keys[i]);
        lua_pop(L, 1);
    }
    def->keyframes = keys;
    def->keyframe_count = (uint32_t)count;
}

// --- colliders -------------------------------------------------------------------------------------------------------

// Contains the collider's definition followed by the shape's, so that one list of fields reads both.
typedef struct whole_definition {
    tide_collider_def collider;
    _Alignas(max_align_t) char shape[];
} whole_definition;

static void join_fields(const tide_shape_kind *kind, tide_field out[TIDE_MAX_FIELDS])
{
    tide_join_fields(tide_collider_fields, kind->fields, out);
    size_t first = 0;
    while (tide_collider_fields[first].name)
        first++;
    for (tide_field *field = out + first; field->name; field++)
        field->offset += offsetof(whole_definition, shape);
}

void tide_read_collider(lua_State *L, int index, const char *owner, tide_collider_def *def, int *move)
{
    tide_field fields[TIDE_MAX_FIELDS];
    char shown[TIDE_VALUE_TEXT_SIZE];
    luaL_checkstack(L, 24, NULL);
    index = lua_absindex(L, index);
    const tide_shape_kind *kind = read_kind(L, index, owner);
    whole_definition *whole = lua_newuserdatauv(L, sizeof *whole + kind->definition_size, 0);
    whole->collider = *def;
    tide_shape_default(kind, whole->shape);
    join_fields(kind, fields);
    tide_read_fields(L, index, fields, owner, whole, 0);
    tide_read_shape(L, index, owner, kind, whole->shape);
    *def = whole->collider;
    tide_read_friction(L, index, owner, &def->friction, &def->directed);
    def->shape = kind;
    def->definition = whole->shape;
    lua_pushliteral(L, "keyframes");
    if (lua_rawget(L, index) != LUA_TNIL)
        read_keyframes(L, lua_gettop(L), owner, def);
    lua_pushliteral(L, "move");
    *move = lua_rawget(L, index) == LUA_TNIL ? 0 : lua_gettop(L);
    if (*move && !lua_isfunction(L, *move))
        tide_raise_bad(L, owner, "move", tide_show(L, *move, shown),
                       "expected a function(t) that returns where it is at the time t");
    if (*move && def->keyframe_count)
        tide_raise_bad(L, owner, "move", NULL, "given together with keyframes; leave one of them out");
}
