// Friction in Lua: that of a body or a collider by direction, and the scene's pairs of materials.
#include "script/binding.h"

#include "collision/directed_friction.h"

#include <stdio.h>
#include <string.h>

// --- by direction ----------------------------------------------------------------------------------------------------

#define DIRECTION "friction.direction"
static const char direction_form[] = "expected a direction as { x, y, z }, or \"warp\" for a cloth";

// Reads the direction on top of the stack.
static void read_direction(lua_State *L, const char *owner, tide_directed_friction *directed)
{
    static const char *const words[] = { "warp" };
    static const tide_field field = { DIRECTION, TIDE_FIELD_VECTOR, 0, .help = "" };
    char shown[TIDE_VALUE_TEXT_SIZE];
    tide_error error;
    size_t index;
    if (lua_type(L, -1) == LUA_TSTRING) {
        const char *text = tide_check_text(L, -1, owner, DIRECTION);
        if (strcmp(text, words[0]) != 0 && !tide_nearest_name(text, words, 1))
            tide_raise_bad(L, owner, DIRECTION, tide_show(L, -1, shown), direction_form);
        tide_raise_unless_ok(L, tide_find_name(text, words, 1, NULL, owner, DIRECTION, &index, &error), &error);
        directed->warp = true;
        return;
    }
    tide_property_plain(L, lua_gettop(L));
    if (!tide_is_list(L, -1, 3))
        tide_raise_bad(L, owner, DIRECTION, tide_show(L, -1, shown), direction_form);
    tide_read_field(L, -1, &field, owner, directed->direction);
}

void tide_read_friction(lua_State *L, int index, const char *owner, double *friction, tide_directed_friction *directed)
{
    tide_friction_def def;
    char object[TIDE_OBJECT_TEXT];
    tide_error error;
    index = lua_absindex(L, index);
    lua_pushliteral(L, "friction");
    if (lua_rawget(L, index) == LUA_TTABLE) {
        int table = lua_gettop(L);
        luaL_checkstack(L, 8, NULL);
        tide_property_plain(L, table);
        snprintf(object, sizeof object, "%.72s: friction", owner);
        tide_fields_default(tide_friction_fields, &def);
        tide_read_fields(L, table, tide_friction_fields, object, &def, 0);
        lua_pushliteral(L, "direction");
        lua_rawget(L, table);
        read_direction(L, owner, directed);
        *friction = def.along;
        directed->across = def.across;
        tide_raise_unless_ok(L, tide_directed_friction_check(directed, def.along, owner, &error), &error);
        lua_settop(L, table);
    }
    lua_pop(L, 1);
}

// --- pairs of materials ----------------------------------------------------------------------------------------------

static const char pair_form[] = "expected { \"wool\", \"steel\", 0.3 }: two names of materials and a coefficient";

// Reads the entry on top of the stack.
static void read_pair(lua_State *L, size_t i, tide_friction_pair *pair)
{
    char field[48], shown[TIDE_VALUE_TEXT_SIZE];
    int entry = lua_gettop(L);
    snprintf(field, sizeof field, "friction_pairs[%zu]", i + 1);
    tide_property_plain(L, entry);
    if (!tide_is_list(L, entry, 3))
        tide_raise_bad(L, "scene", field, tide_show(L, entry, shown), pair_form);
    for (int side = 0; side < 2; side++) {
        if (lua_rawgeti(L, entry, side + 1) != LUA_TSTRING)
            tide_raise_bad(L, "scene", field, tide_show(L, -1, shown), pair_form);
        const char *name = tide_check_text(L, -1, "scene", field);
        if (strlen(name) >= TIDE_FIELD_TEXT_SIZE)
            tide_raise_bad(L, "scene", field, tide_show(L, -1, shown), "expected a name of at most %d bytes",
                           TIDE_FIELD_TEXT_SIZE - 1);
        memcpy(pair->materials[side], name, strlen(name) + 1);
    }
    if (lua_rawgeti(L, entry, 3) != LUA_TNUMBER)
        tide_raise_bad(L, "scene", field, tide_show(L, -1, shown), pair_form);
    pair->friction = lua_tonumber(L, -1);
    lua_settop(L, entry);
}

void tide_scene_set_friction_pairs(lua_State *L, int index, tide_scene *scene)
{
    char shown[TIDE_VALUE_TEXT_SIZE];
    tide_error error;
    int top = lua_gettop(L);
    index = lua_absindex(L, index);
    luaL_checkstack(L, 8, NULL);
    tide_property_plain(L, index);
    size_t count = lua_istable(L, index) ? lua_rawlen(L, index) : 0;
    if (count > 10000 || !tide_is_list(L, index, count))
        tide_raise_bad(L, "scene", "friction_pairs", tide_show(L, index, shown),
                       "expected a list of at most 10000 pairs, each { \"wool\", \"steel\", 0.3 }");
    tide_friction_pair *pairs = lua_newuserdatauv(L, count * sizeof *pairs + 1, 0);
    memset(pairs, 0, count * sizeof *pairs);
    for (size_t i = 0; i < count; i++) {
        lua_rawgeti(L, index, (lua_Integer)i + 1);
        read_pair(L, i, &pairs[i]);
        lua_pop(L, 1);
    }
    tide_raise_unless_ok(L, tide_world_set_friction_pairs(scene->world, pairs, (uint32_t)count, &error), &error);
    lua_settop(L, top);
}

void tide_scene_push_friction_pairs(lua_State *L, const tide_scene *scene)
{
    uint32_t count;
    const tide_friction_pair *pairs = tide_world_friction_pairs(scene->world, &count);
    lua_createtable(L, (int)count, 0);
    for (uint32_t i = 0; i < count; i++) {
        lua_createtable(L, 3, 0);
        for (int side = 0; side < 2; side++) {
            lua_pushstring(L, pairs[i].materials[side]);
            lua_rawseti(L, -2, side + 1);
        }
        lua_pushnumber(L, pairs[i].friction);
        lua_rawseti(L, -2, 3);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
}
