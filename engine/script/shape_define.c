// Reads the values of shapes that are not plain fields: rotations, meshes, heights and distances.
#include "script/collider_binding.h"
#include "script/distance_binding.h"

#include "collision/collider_vertices.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Reads the field `rotation`, if the shape has it (TIDE_SHAPE_ROTATION_FIELD).
static void read_rotation(lua_State *L, int index, const char *owner, const tide_field *fields, void *definition)
{
    for (const tide_field *field = fields; field->name; field++) {
        if (field->type != TIDE_FIELD_OTHER || strcmp(field->name, "rotation") != 0)
            continue;
        lua_pushliteral(L, "rotation");
        if (lua_rawget(L, index) != LUA_TNIL)
            tide_check_rotation(L, -1, owner, "rotation", (double *)(void *)((char *)definition + field->offset));
        lua_pop(L, 1);
    }
}

// Reads frames into a userdata that it pushes above the list. The list keeps the meshes and vectors alive.
static void read_frames(lua_State *L, int list, const char *owner, tide_shape_mesh_def *def)
{
    char shown[TIDE_VALUE_TEXT_SIZE], field[32];
    size_t count = lua_istable(L, list) ? lua_rawlen(L, list) : 0;
    if (count == 0 || count > 1000000)
        tide_raise_bad(L, owner, "frames", tide_show(L, list, shown),
                       "expected a list of 1 to 1000000 meshes, or of lists of x, y, z of all vertices");
    tide_shape_frame *frames = lua_newuserdatauv(L, count * sizeof *frames, 0);
    lua_createtable(L, 0, 0); // keeps vectors made from tables alive
    int made = lua_gettop(L);
    for (size_t i = 0; i < count; i++) {
        snprintf(field, sizeof field, "frames[%zu]", i + 1);
        lua_rawgeti(L, list, (lua_Integer)i + 1);
        frames[i] = (tide_shape_frame) { .mesh = tide_mesh_of(L, -1) };
        if (!frames[i].mesh) {
            size_t size = 0;
            int type = lua_type(L, -1);
            if (type != LUA_TTABLE && type != LUA_TUSERDATA)
                tide_raise_bad(L, owner, field, tide_show(L, -1, shown),
                               "expected a mesh, or a list of x, y, z of all vertices");
            frames[i].vertices = tide_check_numbers(L, -1, &size, owner, field);
            if (size % 3 != 0)
                tide_raise_bad(L, owner, field, NULL, "%zu numbers; expected x, y, z of each vertex", size);
            frames[i].vertex_count = (uint32_t)(size / 3);
            lua_pushvalue(L, -1);
            lua_rawseti(L, made, (lua_Integer)i + 1);
        }
        lua_settop(L, made);
    }
    def->frames = frames;
    def->frame_count = (uint32_t)count;
}

static void read_mesh(lua_State *L, int index, const char *owner, tide_shape_mesh_def *def)
{
    char shown[TIDE_VALUE_TEXT_SIZE];
    lua_pushliteral(L, "mesh");
    lua_rawget(L, index); // the table keeps it alive
    def->mesh = tide_mesh_of(L, -1);
    if (!def->mesh)
        tide_raise_bad(L, owner, "mesh", tide_show(L, -1, shown), "expected a mesh, as tide.mesh.load(file) gives one");
    lua_pop(L, 1);
    lua_pushliteral(L, "frames");
    if (lua_rawget(L, index) != LUA_TNIL)
        read_frames(L, lua_gettop(L), owner, def);
}

// --- height fields ---------------------------------------------------------------------------------------------------

static void call_heights(lua_State *L, int function, const char *owner, const tide_shape_heightfield_def *def,
                         double *heights)
{
    char shown[TIDE_VALUE_TEXT_SIZE];
    for (int r = 0; r < def->rows; r++)
        for (int c = 0; c < def->columns; c++) {
            double x = ((double)c / (def->columns - 1) - 0.5) * def->width;
            double z = ((double)r / (def->rows - 1) - 0.5) * def->depth;
            lua_pushvalue(L, function);
            lua_pushnumber(L, x);
            lua_pushnumber(L, z);
            tide_call_field(L, 2, 1, owner, "heights");
            double height = lua_tonumber(L, -1);
            if (lua_type(L, -1) != LUA_TNUMBER || !isfinite(height))
                tide_raise_bad(L, owner, "heights", tide_show(L, -1, shown),
                               "expected it to return a finite number at x = %.10g, z = %.10g", x, z);
            lua_pop(L, 1);
            *heights++ = height;
        }
}

static bool is_given(lua_State *L, int index, const char *name)
{
    lua_pushstring(L, name);
    bool given = lua_rawget(L, index) != LUA_TNIL;
    lua_pop(L, 1);
    return given;
}

// Takes missing counts from a list of rows.
static void count_heights(lua_State *L, int index, int list, const char *owner, tide_shape_heightfield_def *def)
{
    char shown[TIDE_VALUE_TEXT_SIZE];
    size_t rows = lua_rawlen(L, list);
    lua_rawgeti(L, list, 1);
    size_t columns = lua_rawlen(L, -1);
    lua_pop(L, 1);
    if (!is_given(L, index, "rows") && rows >= 2 && rows <= 16384)
        def->rows = (int)rows;
    if (!is_given(L, index, "columns") && columns >= 2 && columns <= 16384)
        def->columns = (int)columns;
    snprintf(shown, sizeof shown, "%zu rows", rows);
    if (rows != (size_t)def->rows)
        tide_raise_bad(L, owner, "heights", shown, "expected %d rows of %d heights", def->rows, def->columns);
}

static void read_rows(lua_State *L, int list, const char *owner, const tide_shape_heightfield_def *def, double *heights)
{
    char name[TIDE_FIELD_NAME_SIZE], shown[TIDE_VALUE_TEXT_SIZE];
    for (int r = 0; r < def->rows; r++) {
        bool row = lua_rawgeti(L, list, r + 1) == LUA_TTABLE;
        snprintf(name, sizeof name, "heights[%d]", r + 1);
        if (!row || lua_rawlen(L, -1) != (size_t)def->columns)
            tide_raise_bad(L, owner, name, tide_show(L, -1, shown), "expected a list of %d heights", def->columns);
        for (int c = 0; c < def->columns; c++) {
            lua_rawgeti(L, -1, c + 1);
            *heights++ = tide_check_number(L, -1, owner, name);
            lua_pop(L, 1);
        }
        lua_pop(L, 1);
    }
}

// Reads the heights into a userdata that it pushes.
static void read_heights(lua_State *L, int index, const char *owner, tide_shape_heightfield_def *def)
{
    char shown[TIDE_VALUE_TEXT_SIZE];
    lua_pushliteral(L, "heights");
    int type = lua_rawget(L, index), given = lua_gettop(L);
    bool rows = type == LUA_TTABLE && lua_rawgeti(L, given, 1) == LUA_TTABLE;
    lua_settop(L, given);
    if (rows)
        count_heights(L, index, given, owner, def);
    size_t count = (size_t)def->columns * (size_t)def->rows;
    if (type != LUA_TFUNCTION && !rows) {
        if (type != LUA_TTABLE && type != LUA_TUSERDATA)
            tide_raise_bad(L, owner, "heights", tide_show(L, given, shown),
                           "expected a list of rows of heights, a flat list or a function(x, z)");
        def->heights = tide_check_numbers(L, given, &count, owner, "heights");
        return;
    }
    if (count > 1 << 25)
        tide_raise_bad(L, owner, "heights", NULL, "%zu heights are too many; expected at most %d", count, 1 << 25);
    double *heights = lua_newuserdatauv(L, count * sizeof *heights, 0);
    if (rows)
        read_rows(L, given, owner, def, heights);
    else
        call_heights(L, given, owner, def, heights);
    def->heights = heights;
}

// --- distances -------------------------------------------------------------------------------------------------------

// Reads a distance and pushes the value that keeps it alive.
static void read_distance(lua_State *L, int index, const char *owner, tide_shape_distance_def *def)
{
    char shown[TIDE_VALUE_TEXT_SIZE];
    double lower[3], upper[3];
    lua_pushliteral(L, "bounds");
    bool bounded = lua_rawget(L, index) != LUA_TNIL;
    if (bounded)
        tide_check_bounds(L, -1, owner, "bounds", lower, upper);
    lua_pop(L, 1);
    lua_pushliteral(L, "fn");
    bool function = lua_rawget(L, index) == LUA_TFUNCTION;
    const tide_distance_handle *ready = tide_distance_of(L, -1);
    if (!function && !ready)
        tide_raise_bad(L, owner, "fn", tide_show(L, -1, shown),
                       "expected a function(x, y, z) or a distance, as tide.distance.sphere { ... } makes one");
    if (function && !bounded)
        tide_raise_bad(
            L, owner, "bounds", NULL,
            "missing; give the box in which the function is sampled, { { least x, y, z }, { greatest x, y, z } }");
    if (function)
        tide_distance_sample(L, lua_gettop(L), lower, upper, def->cell, owner, "fn");
    else if (bounded)
        tide_distance_cut(L, ready, lower, upper);
    def->distance = tide_distance_of(L, -1)->distance;
    for (int k = 0; k < 3; k++)
        if (!isfinite(def->distance->lower[k]) || !isfinite(def->distance->upper[k]))
            tide_raise_bad(L, owner, "bounds", NULL,
                           "missing; this distance is unbounded, so give the box at which it is cut off");
}

void tide_read_shape(lua_State *L, int index, const char *owner, const tide_shape_kind *kind, void *definition)
{
    read_rotation(L, index, owner, kind->fields, definition);
    if (kind == &tide_shape_mesh)
        read_mesh(L, index, owner, definition);
    else if (kind == &tide_shape_heightfield)
        read_heights(L, index, owner, definition);
    else if (kind == &tide_shape_distance)
        read_distance(L, index, owner, definition);
}
