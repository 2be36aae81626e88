// Reads the table of scene:body.
#include "script/binding.h"
#include "script/symbol_binding.h"

#include "base/log.h"
#include "world/material.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const tide_mesh *read_mesh(lua_State *L, int index, const char *owner, const char *field, const char *expected)
{
    char shown[TIDE_VALUE_TEXT_SIZE];
    const tide_mesh *mesh = tide_mesh_of(L, index);
    if (!mesh)
        tide_raise_bad(L, owner, field, tide_show(L, index, shown), "%s", expected);
    return mesh;
}

static double spring_number(lua_State *L, const char *owner, const char *field, int item)
{
    lua_rawgeti(L, -1, item);
    double number = tide_check_number(L, -1, owner, field);
    lua_pop(L, 1);
    return number;
}

static uint32_t spring_vertex(lua_State *L, const char *owner, const char *field, int item, uint32_t vertex_count)
{
    lua_rawgeti(L, -1, item);
    uint32_t vertex = tide_check_index(L, -1, vertex_count, owner, field, "a vertex");
    lua_pop(L, 1);
    return vertex;
}

// Reads the springs into a userdata that it pushes.
static void read_springs(lua_State *L, int index, const char *owner, tide_body_def *def)
{
    char shown[TIDE_VALUE_TEXT_SIZE], field[64];
    if (!lua_istable(L, index))
        tide_raise_bad(L, owner, "springs", tide_show(L, index, shown), "expected a list of { i, j, stiffness }");
    size_t count = lua_rawlen(L, index);
    if (count > INT32_MAX)
        tide_raise_bad(L, owner, "springs", NULL, "the list is too long");
    tide_extra_spring *springs = lua_newuserdatauv(L, count * sizeof *springs + 1, 0);
    for (size_t i = 0; i < count; i++) {
        snprintf(field, sizeof field, "springs[%zu]", i + 1);
        bool table = lua_rawgeti(L, index, (lua_Integer)i + 1) == LUA_TTABLE;
        size_t length = table ? lua_rawlen(L, -1) : 0;
        if (length < 3 || length > 4)
            tide_raise_bad(L, owner, field, tide_show(L, -1, shown),
                           "expected { i, j, stiffness } or { i, j, stiffness, rest length }");
        springs[i].i = spring_vertex(L, owner, field, 1, def->mesh->vertex_count);
        springs[i].j = spring_vertex(L, owner, field, 2, def->mesh->vertex_count);
        springs[i].stiffness = spring_number(L, owner, field, 3);
        springs[i].rest_length = length == 4 ? spring_number(L, owner, field, 4) : TIDE_NOT_GIVEN;
        lua_pop(L, 1);
    }
    def->springs = springs;
    def->spring_count = (uint32_t)count;
}

// --- elements --------------------------------------------------------------------------------------------------------

// The fields of a group besides those of its element kind.
typedef struct group_definition {
    int on;
    double parameters[TIDE_ELEMENT_MAX_PARAMETERS];
} group_definition;

const tide_field tide_element_group_fields[] = {
    { TIDE_MEMBER(group_definition, on), .type = TIDE_FIELD_CHOICE, .initial = { TIDE_ON_VERTICES },
      .initial_text = "none", .choices = tide_elements_on_names,
      .help = "parts of the mesh; each of them gets an element" },
    { .name = "vertices",
      .type = TIDE_FIELD_OTHER,
      .lua_type = "integer[][]",
      .help = "instead of `on`: vertices of each element" },
    { .name = NULL },
};

static const tide_element_kind *read_kind(lua_State *L, const char *owner)
{
    enum { MOST_KINDS = 32 };
    const tide_element_kind *kinds[MOST_KINDS], *kind;
    const char *names[MOST_KINDS];
    char shown[TIDE_VALUE_TEXT_SIZE];
    size_t count = 0, found = 0;
    for (uint32_t i = 0; (kind = tide_element_kind_at(i)) && count < MOST_KINDS; i++)
        if (kind->fields) {
            names[count] = kind->name;
            kinds[count++] = kind;
        }
    lua_rawgeti(L, -1, 1);
    if ((kind = tide_element_kind_of(L, -1)) != NULL) {
        lua_pop(L, 1);
        return kind;
    }
    if (lua_type(L, -1) != LUA_TSTRING)
        tide_raise_bad(L, owner, "[1]", tide_show(L, -1, shown),
                       "expected the name of a kind of element, which `springtide elements` lists, or a kind that "
                       "tide.element made");
    tide_error error;
    const char *name = tide_check_text(L, -1, owner, "[1]");
    tide_raise_unless_ok(L, tide_find_name(name, names, count, "element", owner, "[1]", &found, &error), &error);
    lua_pop(L, 1);
    return kinds[found];
}

// Replaces the list { { i, j, ... }, ... } on top by a userdata with the indices.
static const uint32_t *read_element_vertices(lua_State *L, const char *owner, uint32_t corners, uint32_t vertex_count,
                                             uint32_t *count)
{
    char shown[TIDE_VALUE_TEXT_SIZE], field[64];
    size_t length = lua_istable(L, -1) ? lua_rawlen(L, -1) : 0;
    if (!lua_istable(L, -1))
        tide_raise_bad(L, owner, "vertices", tide_show(L, -1, shown), "expected a list of lists of %u vertices",
                       corners);
    if (length > INT32_MAX / TIDE_ELEMENT_MAX_VERTICES)
        tide_raise_bad(L, owner, "vertices", NULL, "the list is too long");
    uint32_t *vertices = lua_newuserdatauv(L, length * corners * sizeof *vertices + 1, 0);
    for (size_t e = 0; e < length; e++) {
        snprintf(field, sizeof field, "vertices[%zu]", e + 1);
        lua_rawgeti(L, -2, (lua_Integer)e + 1);
        if (!tide_is_list(L, -1, corners))
            tide_raise_bad(L, owner, field, tide_show(L, -1, shown), "expected a list of %u vertices", corners);
        for (uint32_t c = 0; c < corners; c++)
            vertices[e * corners + c] = spring_vertex(L, owner, field, (int)c + 1, vertex_count);
        lua_pop(L, 1);
    }
    lua_remove(L, -2);
    *count = (uint32_t)length;
    return vertices;
}

// Reads the table of a group on top and replaces it by a value that holds its vertices.
static void read_group(lua_State *L, const char *owner, const tide_mesh *mesh, tide_body_elements *group)
{
    char shown[TIDE_VALUE_TEXT_SIZE];
    tide_field fields[TIDE_MAX_FIELDS];
    group_definition definition;
    if (!lua_istable(L, -1))
        tide_raise_bad(L, owner, NULL, tide_show(L, -1, shown),
                       "expected a table such as { \"area_spring\", on = \"triangles\", stiffness = 50 }");
    group->kind = read_kind(L, owner);
    tide_join_fields(tide_element_group_fields, group->kind->fields, fields);
    for (tide_field *field = fields + 2; field->name; field++)
        field->offset += offsetof(group_definition, parameters);
    tide_fields_default(fields, &definition);
    tide_read_fields(L, -1, fields, owner, &definition, 1);
    group->on = definition.on;
    memcpy(group->parameters, definition.parameters, sizeof group->parameters);
    lua_pushliteral(L, "vertices");
    bool listed = lua_rawget(L, -2) != LUA_TNIL;
    if (listed == (group->on != TIDE_ON_VERTICES))
        tide_raise_bad(L, owner, "on", NULL, "give either on, as \"triangles\", or vertices, as { { 1, 2, 3 }, ... }%s",
                       listed ? ", not both" : "");
    if (listed)
        group->vertices = read_element_vertices(L, owner, group->kind->vertex_count, mesh->vertex_count, &group->count);
    lua_remove(L, -2);
}

// Reads the groups into a userdata that it pushes above the values that hold their vertices.
static void read_elements(lua_State *L, int index, const char *owner, tide_body_def *def)
{
    enum { MOST_GROUPS = 64 };
    char shown[TIDE_VALUE_TEXT_SIZE], name[192];
    if (!lua_istable(L, index))
        tide_raise_bad(L, owner, "elements", tide_show(L, index, shown),
                       "expected a list such as { { \"area_spring\", on = \"triangles\", stiffness = 50 } }");
    size_t count = lua_rawlen(L, index);
    if (count > MOST_GROUPS)
        tide_raise_bad(L, owner, "elements", NULL, "expected at most %d groups", MOST_GROUPS);
    luaL_checkstack(L, (int)count + 16, NULL);
    tide_body_elements *groups = lua_newuserdatauv(L, count * sizeof *groups + 1, 0);
    memset(groups, 0, count * sizeof *groups);
    for (size_t g = 0; g < count; g++) {
        snprintf(name, sizeof name, "%.120s elements[%zu]", owner, g + 1);
        lua_rawgeti(L, index, (lua_Integer)g + 1);
        read_group(L, name, def->mesh, &groups[g]);
    }
    def->elements = groups;
    def->element_group_count = (uint32_t)count;
}

// Evaluates the function(i, x, y, z) at `index` for each vertex. Pushes a userdata with the results.
static const double *read_function(lua_State *L, int index, const char *owner, const char *field, const tide_mesh *mesh)
{
    char name[64], shown[TIDE_VALUE_TEXT_SIZE];
    double *values = lua_newuserdatauv(L, (size_t)mesh->vertex_count * sizeof *values + 1, 0);
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        lua_pushvalue(L, index);
        lua_pushinteger(L, (lua_Integer)v + 1);
        for (int k = 0; k < 3; k++)
            lua_pushnumber(L, mesh->vertices[3 * (size_t)v + (size_t)k]);
        tide_call_field(L, 4, 1, owner, field);
        if (lua_type(L, -1) != LUA_TNUMBER || !isfinite(lua_tonumber(L, -1))) {
            snprintf(name, sizeof name, "%s(%u)", field, v + 1);
            tide_raise_bad(L, owner, name, tide_show(L, -1, shown),
                           "expected that the function(i, x, y, z) gives a finite number for each vertex");
        }
        values[v] = lua_tonumber(L, -1);
        lua_pop(L, 1);
    }
    return values;
}

// Reads the fields that may be functions of the vertex.
static void read_functions(lua_State *L, int index, const char *owner, tide_body_def *def)
{
    const struct {
        const char *field;
        const double **values;
    } fields[] = { { "masses", &def->masses },          { "density", &def->density_at },
                   { "stiffness", &def->stiffness_at }, { "modulus", &def->modulus_at },
                   { "bend", &def->bend_at },           { "bend_modulus", &def->bend_modulus_at } };
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        lua_pushstring(L, fields[i].field);
        if (lua_rawget(L, index) == LUA_TFUNCTION)
            *fields[i].values = read_function(L, lua_gettop(L), owner, fields[i].field, def->mesh);
        else
            lua_pop(L, 1);
    }
    if (def->masses)
        def->masses_count = def->mesh->vertex_count;
}

// --- materials -------------------------------------------------------------------------------------------------------

void tide_body_join_materials(tide_field out[TIDE_MAX_FIELDS])
{
    const tide_material *material;
    tide_field fields[TIDE_MOST_MATERIALS + 1];
    uint32_t count = 0;
    for (; (material = tide_material_at(count)); count++)
        fields[count] = tide_material_as_field(material);
    fields[count] = (tide_field) { 0 };
    tide_join_fields(tide_body_fields, fields, out);
}

// Reads the value on top as the options of a material into a userdata that it pushes. Returns NULL for false, which
// means that the body does not have the material.
static const void *read_material(lua_State *L, const char *owner, const tide_material *material)
{
    char shown[TIDE_VALUE_TEXT_SIZE];
    const tide_field record = tide_material_field(material);
    int value = lua_gettop(L);
    if (lua_isboolean(L, value) && !lua_toboolean(L, value))
        return NULL;
    if (material->allows_number && lua_type(L, value) == LUA_TNUMBER) {
        lua_createtable(L, 0, 1);
        lua_pushvalue(L, value);
        lua_setfield(L, -2, material->fields->name);
        lua_replace(L, value);
    }
    if (!lua_istable(L, value) && !(material->allows_true && lua_isboolean(L, value)))
        tide_raise_bad(L, owner, material->name, tide_show(L, value, shown), "expected a table of its options%s",
                       material->allows_true     ? ", or true"
                       : material->allows_number ? ", or a number"
                                                 : "");
    void *options = lua_newuserdatauv(L, material->options_size, 0);
    memset(options, 0, material->options_size);
    tide_fields_default(material->fields, options);
    if (lua_istable(L, value))
        tide_read_field(L, value, &record, owner, options);
    return options;
}

static void read_materials(lua_State *L, int index, const char *owner, tide_body_def *def)
{
    const tide_material *material;
    for (uint32_t m = 0; (material = tide_material_at(m)); m++) {
        luaL_checkstack(L, 8, NULL);
        lua_pushstring(L, material->name);
        if (lua_rawget(L, index) != LUA_TNIL)
            def->materials[m] = read_material(L, owner, material);
    }
}

// Tells whether the definition has springs or other elements.
static bool is_held(lua_State *L, int index, const tide_body_def *def)
{
    static const char *const fields[] = { "stiffness", "modulus", "bend", "bend_modulus", "elements" };
    bool held = tide_has_materials(def);
    for (size_t i = 0; i < sizeof fields / sizeof *fields && !held; i++) {
        lua_pushstring(L, fields[i]);
        held = lua_rawget(L, index) != LUA_TNIL;
        lua_pop(L, 1);
    }
    return held;
}

void tide_read_body(lua_State *L, int index, const char *owner, tide_body_def *def)
{
    luaL_checkstack(L, 32, NULL);
    index = lua_absindex(L, index);
    tide_field fields[TIDE_MAX_FIELDS];
    tide_body_join_materials(fields);
    tide_read_fields(L, index, fields, owner, def, 0);
    tide_read_friction(L, index, owner, &def->friction, &def->directed);
    lua_pushliteral(L, "mesh");
    lua_rawget(L, index);
    def->mesh = read_mesh(L, -1, owner, "mesh", "expected a mesh, as tide.mesh.grid { ... } makes one");
    lua_pushliteral(L, "surface");
    if (lua_rawget(L, index) != LUA_TNIL)
        def->surface =
            read_mesh(L, -1, owner, "surface", "expected a mesh of triangles, as tide.mesh.load(file) gives one");
    lua_pushliteral(L, "rest");
    if (lua_rawget(L, index) != LUA_TNIL)
        def->rest = read_mesh(L, -1, owner, "rest", "expected a mesh, as mesh:unfold(scale) gives one");
    // Runs first, because the script's functions may move the world's memory that later reads point into.
    read_functions(L, index, owner, def);
    lua_pushliteral(L, "masses");
    if (lua_rawget(L, index) != LUA_TNIL && !lua_isfunction(L, -1)) {
        size_t count = 0;
        def->masses = tide_check_numbers(L, -1, &count, owner, "masses");
        def->masses_count = (uint32_t)count;
    }
    lua_pushliteral(L, "elements");
    if (lua_rawget(L, index) != LUA_TNIL)
        read_elements(L, lua_gettop(L), owner, def);
    read_materials(L, index, owner, def);
    lua_pushliteral(L, "springs");
    if (lua_rawget(L, index) != LUA_TNIL)
        read_springs(L, lua_gettop(L), owner, def);
    else if (!def->rigid && def->mesh->edge_count && !is_held(L, index, def))
        tide_log(
            TIDE_LOG_WARNING,
            "%s: no springs: nothing holds it together; give stiffness or modulus, or springs = {} if this is intended",
            owner);
    else if (!def->rigid && !def->mesh->edge_count && def->mesh->vertex_count > 1 &&
             !def->element_group_count) // a single vertex is allowed, as a bead or a ball
        tide_log(TIDE_LOG_WARNING,
                 "%s: no springs: its mesh has no edges, so each of its %" PRIu32
                 " vertices moves by itself; give springs, or springs = {} if this is intended",
                 owner, def->mesh->vertex_count);
}
