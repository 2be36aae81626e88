// body:colour: numbers of a body's vertices that a function computes for each picture. The scene's core keeps {
// function, low, high, name, unit }, keyed by body name.
#include "base/memory.h"
#include "script/binding.h"

typedef struct colour_options {
    double low, high;
    char name[TIDE_FIELD_TEXT_SIZE], unit[TIDE_FIELD_TEXT_SIZE];
} colour_options;

#define FIELD(member) .name = #member, .offset = offsetof(colour_options, member)
const tide_field tide_colour_fields[] = {
    { FIELD(low), .type = TIDE_FIELD_REAL, .help = "number at the lower end of the colours" },
    { FIELD(high), .type = TIDE_FIELD_REAL,
      .help = "number at the upper end; if it equals `low`, the range is that of the numbers" },
    { FIELD(name), .type = TIDE_FIELD_TEXT, .initial_text = "", .help = "name of the numbers on the colour bar" },
    { FIELD(unit), .type = TIDE_FIELD_TEXT, .initial_text = "", .help = "unit of the numbers on the colour bar" },
    { 0 },
};

enum { FUNCTION = 1, LOW, HIGH, NAME, UNIT };

// Pushes the table of the scene's colours. With `make`, creates it if needed.
static bool push_colours(lua_State *L, const tide_scene *scene, bool make)
{
    luaL_checkstack(L, 8, NULL);
    tide_scene_push_core(L, scene);
    bool found = lua_getiuservalue(L, -1, TIDE_CORE_COLOURS) == LUA_TTABLE;
    if (!found && make) {
        lua_pop(L, 1);
        lua_newtable(L);
        lua_pushvalue(L, -1);
        lua_setiuservalue(L, -3, TIDE_CORE_COLOURS);
        found = true;
    }
    lua_remove(L, -2);
    lua_pop(L, !found);
    return found;
}

void tide_scene_set_colour(lua_State *L, const tide_scene *scene, const char *body)
{
    char owner[TIDE_OBJECT_TEXT], shown[TIDE_VALUE_TEXT_SIZE];
    colour_options options;
    tide_part_name("body", body, owner);
    tide_fields_default(tide_colour_fields, &options);
    lua_settop(L, 3);
    if (!lua_isnil(L, 2) && !lua_isfunction(L, 2))
        tide_raise_bad(L, owner, "colour", tide_show(L, 2, shown),
                       "expected a function(i) that returns the number of vertex i, or nil");
    if (!lua_isnil(L, 3))
        tide_read_fields(L, 3, tide_colour_fields, owner, &options, 0);
    if (options.low > options.high)
        tide_raise_bad(L, owner, "colour", NULL, "low is above high; expected it below");
    push_colours(L, scene, true);
    if (lua_isnil(L, 2))
        lua_pushnil(L);
    else {
        lua_createtable(L, UNIT, 0);
        lua_pushvalue(L, 2);
        lua_rawseti(L, -2, FUNCTION);
        lua_pushnumber(L, options.low);
        lua_rawseti(L, -2, LOW);
        lua_pushnumber(L, options.high);
        lua_rawseti(L, -2, HIGH);
        lua_pushstring(L, options.name);
        lua_rawseti(L, -2, NAME);
        lua_pushstring(L, options.unit);
        lua_rawseti(L, -2, UNIT);
    }
    lua_setfield(L, -2, body);
    lua_settop(L, 1);
}

// Calls the function at 1 for each vertex. The stack has the output array at 2, its size at 3 and the name for errors
// at 4.
static int call_for_each(lua_State *L)
{
    double *values = lua_touserdata(L, 2);
    lua_Integer count = lua_tointeger(L, 3);
    char shown[TIDE_VALUE_TEXT_SIZE];
    for (lua_Integer i = 1; i <= count; i++) {
        lua_pushvalue(L, 1);
        lua_pushinteger(L, i);
        lua_call(L, 1, 1);
        if (lua_type(L, -1) != LUA_TNUMBER)
            tide_raise_bad(L, lua_tostring(L, 4), "colour", tide_show(L, -1, shown),
                           "expected a number from the function");
        values[i - 1] = lua_tonumber(L, -1);
        lua_pop(L, 1);
    }
    return 0;
}

static tide_status call_function(lua_State *L, tide_scene *scene, const char *name, double *values, uint32_t count,
                                 tide_error *error)
{
    char owner[TIDE_OBJECT_TEXT];
    tide_part_name("body", name, owner);
    lua_pushcfunction(L, call_for_each);
    lua_rawgeti(L, -2, FUNCTION);
    lua_pushlightuserdata(L, values);
    lua_pushinteger(L, count);
    lua_pushstring(L, owner);
    bool stepping = scene->stepping;
    scene->stepping = true; // stops the functions from adding objects
    tide_status status = tide_scene_run(L, scene, 4, 0, error);
    scene->stepping = stepping;
    if (status != TIDE_OK)
        tide_name_error(error, owner, "colour");
    return status;
}

static double number_at(lua_State *L, int which)
{
    lua_rawgeti(L, -1, which);
    double number = lua_tonumber(L, -1);
    lua_pop(L, 1);
    return number;
}

// Returns a text, which the table keeps alive.
static const char *text_at(lua_State *L, int which)
{
    lua_rawgeti(L, -1, which);
    const char *text = lua_tostring(L, -1);
    lua_pop(L, 1);
    return text;
}

// Pushes the body's entry, or nil.
static bool push_colour(lua_State *L, const tide_body_info *body)
{
    return lua_getfield(L, -1, body->name) == LUA_TTABLE;
}

static bool make_room(lua_State *L, const tide_scene *scene, tide_colour_store *store)
{
    size_t bodies = 0, vertices = 0;
    tide_body_info body;
    for (uint32_t i = 0; i < tide_world_body_count(scene->world); i++) {
        tide_world_body_info(scene->world, tide_world_body_at(scene->world, i), &body);
        bool coloured = push_colour(L, &body);
        bodies += coloured;
        vertices += coloured ? body.vertex_count : 0;
        lua_pop(L, 1);
    }
    return tide_grow(&store->items, &store->capacity, bodies, sizeof *store->items) &&
           tide_grow(&store->values, &store->value_capacity, vertices, sizeof *store->values);
}

tide_status tide_scene_find_colours(lua_State *L, tide_scene *scene, tide_colour_store *store, tide_error *error)
{
    store->count = 0;
    if (!push_colours(L, scene, false))
        return TIDE_OK;
    tide_status status = make_room(L, scene, store) ? TIDE_OK : tide_fail_memory(error, "scene");
    double *values = store->values;
    tide_body_info body;
    for (uint32_t i = 0; i < tide_world_body_count(scene->world) && status == TIDE_OK; i++) {
        tide_body_id id = tide_world_body_at(scene->world, i);
        tide_world_body_info(scene->world, id, &body);
        if (push_colour(L, &body)) {
            store->items[store->count++] = (tide_body_numbers) {
                id, body.vertex_count, values, number_at(L, LOW), number_at(L, HIGH), text_at(L, NAME), text_at(L, UNIT)
            };
            status = call_function(L, scene, body.name, values, body.vertex_count, error);
            values += body.vertex_count;
        }
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    if (status != TIDE_OK)
        store->count = 0;
    return status;
}

void tide_colour_store_free(tide_colour_store *store)
{
    tide_free(store->items);
    tide_free(store->values);
    *store = (tide_colour_store) { 0 };
}
