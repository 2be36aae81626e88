// Cuts in Lua: body:cut, body:is_cut, body:cut_count and body:set_stiffness.
#include "script/body_binding.h"

#include "world/cuts.h"

#include <string.h>

static const tide_field cut_fields[] = {
    { .name = "springs", .type = TIDE_FIELD_OTHER, .help = "list of springs" },
    { .name = "elements", .type = TIDE_FIELD_OTHER, .help = "list of elements" },
    { .name = "plane", .type = TIDE_FIELD_OTHER, .help = "{ normal = { x, y, z }, offset = m }" },
    { .name = "triangles", .type = TIDE_FIELD_OTHER, .help = "list of triangles, or a mesh" },
    { .name = "predicate", .type = TIDE_FIELD_OTHER, .help = "function(i, x, y, z) -> boolean, the side of vertex i" },
    { 0 },
};

typedef struct plane {
    double normal[3], offset;
} plane;

static const tide_field plane_fields[] = {
    { TIDE_MEMBER(plane, normal), .type = TIDE_FIELD_VECTOR, .required = true, .minimum = -1e9, .maximum = 1e9,
      .help = "direction across the plane, any length but 0" },
    { TIDE_MEMBER(plane, offset), .type = TIDE_FIELD_REAL, .minimum = -1e9, .maximum = 1e9, .unit = "m",
      .help = "distance of the plane from the origin along the normal" },
    { 0 },
};

// Reads a list of elements at `index` into a userdata that it pushes.
static uint32_t *read_elements(lua_State *L, int index, const char *object, const char *field, uint32_t most,
                               const char *noun, uint32_t *count)
{
    char shown[TIDE_VALUE_TEXT_SIZE];
    bool listed = lua_istable(L, index);
    if (!listed && lua_type(L, index) != LUA_TNUMBER)
        tide_raise_bad(L, object, field, tide_show(L, index, shown), "expected a list of numbers");
    *count = listed ? (uint32_t)lua_rawlen(L, index) : 1;
    uint32_t *elements = lua_newuserdatauv(L, (size_t)*count * sizeof *elements + 1, 0);
    for (uint32_t i = 0; i < *count; i++) {
        if (listed)
            lua_rawgeti(L, index, (lua_Integer)i + 1);
        elements[i] = tide_check_index(L, listed ? -1 : index, most, object, field, noun);
        if (listed)
            lua_pop(L, 1);
    }
    return elements;
}

// Fails for a body without springs, or without any elements. The remedy names what it has.
static void check_has(lua_State *L, const tide_live_body *body, const char *field, bool springs)
{
    if (body->info.rigid)
        tide_raise_bad(
            L, body->object, field, NULL,
            "a rigid body has no springs or other elements; describe it without `rigid`, with a material or a "
            "stiffness");
    if (!body->info.element_count)
        tide_raise_bad(L, body->object, field, NULL,
                       "the body has no springs or other elements; give it stiffness, springs or a material");
    if (springs && !body->info.spring_count)
        tide_raise_bad(
            L, body->object, field, NULL,
            "the body has no springs, but %u other elements; list them (%s), or give it a stiffness or springs",
            body->info.element_count, field[0] == 's' ? "set_stiffness({ 1, 2 }, k)" : "cut { elements = { 1, 2 } }");
}

// Cuts the elements of a list at `index`. Returns the number of those that were whole.
static uint32_t cut_listed(lua_State *L, int index, const tide_live_body *body, bool springs)
{
    uint32_t count, before = tide_world_cut_count(body->scene->world, body->id);
    uint32_t most = springs ? body->info.spring_count : body->info.element_count;
    check_has(L, body, springs ? "cut.springs" : "cut.elements", springs);
    const uint32_t *elements = read_elements(L, index, body->object, springs ? "cut.springs" : "cut.elements", most,
                                             springs ? "a spring" : "an element", &count);
    tide_error error;
    tide_raise_unless_ok(L, tide_world_cut(body->scene->world, body->id, elements, count, &error), &error);
    return tide_world_cut_count(body->scene->world, body->id) - before;
}

static uint32_t cut_plane(lua_State *L, int index, const tide_live_body *body)
{
    char owner[TIDE_OBJECT_TEXT + 16], shown[TIDE_VALUE_TEXT_SIZE];
    plane plane = { 0 };
    uint32_t count = 0;
    tide_error error;
    if (!lua_istable(L, index))
        tide_raise_bad(L, body->object, "cut.plane", tide_show(L, index, shown),
                       "expected { normal = { x, y, z }, offset = m }");
    snprintf(owner, sizeof owner, "%s: cut.plane", body->object);
    tide_read_fields(L, index, plane_fields, owner, &plane, 0);
    tide_raise_unless_ok(
        L, tide_world_cut_plane(body->scene->world, body->id, plane.normal, plane.offset, &count, &error), &error);
    return count;
}

// Reads the triangles of a mesh at `index` into a userdata that it pushes.
static double *read_mesh(lua_State *L, const tide_mesh *mesh, uint32_t *count)
{
    double *corners = lua_newuserdatauv(L, 9 * (size_t)mesh->triangle_count * sizeof *corners + 1, 0);
    *count = mesh->triangle_count;
    for (size_t i = 0; i < 3 * (size_t)mesh->triangle_count; i++)
        memcpy(corners + 3 * i, mesh->vertices + 3 * (size_t)mesh->triangles[i], 3 * sizeof *corners);
    return corners;
}

// Reads { { a, b, c }, ... } of points { x, y, z } at `index` likewise.
static double *read_triangles(lua_State *L, int index, const char *object, uint32_t *count)
{
    static const char wanted[] = "expected a mesh or a list of triangles, each of three points { x, y, z }";
    char shown[TIDE_VALUE_TEXT_SIZE];
    if (!lua_istable(L, index))
        tide_raise_bad(L, object, "cut.triangles", tide_show(L, index, shown), wanted);
    *count = (uint32_t)lua_rawlen(L, index);
    double *corners = lua_newuserdatauv(L, 9 * (size_t)*count * sizeof *corners + 1, 0);
    for (size_t i = 0; i < 3 * (size_t)*count; i++) {
        size_t size = 3;
        if (lua_rawgeti(L, index, (lua_Integer)(i / 3) + 1) != LUA_TTABLE || lua_rawlen(L, -1) != 3)
            tide_raise_bad(L, object, "cut.triangles", tide_show(L, -1, shown), wanted);
        if (lua_rawgeti(L, -1, (lua_Integer)(i % 3) + 1) != LUA_TTABLE)
            tide_raise_bad(L, object, "cut.triangles", tide_show(L, -1, shown), wanted);
        const double *point = tide_check_numbers(L, lua_gettop(L), &size, object, "cut.triangles");
        memcpy(corners + 3 * i, point, 3 * sizeof *corners);
        lua_settop(L, index + 1); // leaves the corners
    }
    return corners;
}

static uint32_t cut_triangles(lua_State *L, int index, const tide_live_body *body)
{
    lua_settop(L, index);
    const tide_mesh *mesh = tide_mesh_of(L, index);
    uint32_t triangles, count = 0;
    const double *corners = mesh ? read_mesh(L, mesh, &triangles) : read_triangles(L, index, body->object, &triangles);
    tide_error error;
    tide_raise_unless_ok(L, tide_world_cut_triangles(body->scene->world, body->id, corners, triangles, &count, &error),
                         &error);
    return count;
}

// Cuts between the vertices for which the function at index 2 is true and the others.
static uint32_t cut_sides(lua_State *L, const tide_live_body *body)
{
    uint32_t listed, count = 0;
    const uint32_t *vertices = tide_body_read_vertices(L, body, "cut", &listed);
    bool *sides = lua_newuserdatauv(L, body->info.vertex_count, 0);
    memset(sides, 0, body->info.vertex_count);
    for (uint32_t i = 0; i < listed; i++)
        sides[vertices[i]] = true;
    tide_error error;
    tide_raise_unless_ok(L, tide_world_cut_sides(body->scene->world, body->id, sides, &count, &error), &error);
    return count;
}

int tide_body_cut(lua_State *L)
{
    tide_live_body body = tide_body_self(L);
    char shown[TIDE_VALUE_TEXT_SIZE];
    uint32_t count = 0;
    lua_settop(L, 2);
    if (body.info.rigid)
        tide_raise_bad(L, body.object, "cut", NULL, "a rigid body does not come apart; make it of a material instead");
    if (lua_isfunction(L, 2)) {
        lua_pushinteger(L, cut_sides(L, &body));
        return 1;
    }
    if (!lua_istable(L, 2))
        tide_raise_bad(
            L, body.object, "cut", tide_show(L, 2, shown),
            "expected { springs = { ... } }, { plane = { normal = ..., offset = ... } }, { triangles = ... } "
            "or a function(i, x, y, z) that tells the side of vertex i");
    char unused, owner[TIDE_OBJECT_TEXT + 8];
    snprintf(owner, sizeof owner, "%s: cut", body.object);
    tide_read_fields(L, 2, cut_fields, owner, &unused, 0);
    int given = 0;
    for (const tide_field *field = cut_fields; field->name; field++) {
        lua_settop(L, 2);
        if (lua_getfield(L, 2, field->name) == LUA_TNIL)
            continue;
        tide_world_body_info(body.scene->world, body.id, &body.info); // another body after each cut
        given++;
        if (strcmp(field->name, "plane") == 0)
            count += cut_plane(L, 3, &body);
        else if (strcmp(field->name, "triangles") == 0)
            count += cut_triangles(L, 3, &body);
        else if (strcmp(field->name, "predicate") == 0) {
            if (!lua_isfunction(L, 3))
                tide_raise_bad(L, body.object, "cut.predicate", tide_show(L, 3, shown),
                               "expected a function(i, x, y, z) that tells the side of vertex i");
            lua_replace(L, 2);
            lua_pushinteger(L, (lua_Integer)count + cut_sides(L, &body));
            return 1;
        } else
            count += cut_listed(L, 3, &body, strcmp(field->name, "springs") == 0);
    }
    if (!given)
        tide_raise_bad(L, body.object, "cut", "{}", "expected springs, elements, plane, triangles or predicate");
    lua_pushinteger(L, count);
    return 1;
}

int tide_body_is_cut(lua_State *L)
{
    tide_live_body body = tide_body_self(L);
    uint32_t element = tide_check_index(L, 2, body.info.element_count, body.object, "is_cut", "an element");
    lua_pushboolean(L, tide_world_is_cut(body.scene->world, body.id, element));
    return 1;
}

int tide_body_cut_count(lua_State *L)
{
    tide_live_body body = tide_body_self(L);
    lua_pushinteger(L, tide_world_cut_count(body.scene->world, body.id));
    return 1;
}

int tide_body_split_count(lua_State *L)
{
    tide_live_body body = tide_body_self(L);
    lua_pushinteger(L, tide_world_split_count(body.scene->world, body.id));
    return 1;
}

int tide_body_set_stiffness(lua_State *L)
{
    tide_live_body body = tide_body_self(L);
    uint32_t count = body.info.spring_count;
    bool all = lua_gettop(L) < 3;
    lua_settop(L, 3);
    double stiffness = tide_check_number(L, all ? 2 : 3, body.object, "set_stiffness");
    check_has(L, &body, "set_stiffness", all);
    uint32_t *elements =
        all ? lua_newuserdatauv(L, (size_t)count * sizeof *elements + 1, 0)
            : read_elements(L, 2, body.object, "set_stiffness", body.info.element_count, "an element", &count);
    for (uint32_t e = 0; all && e < count; e++)
        elements[e] = e;
    tide_error error;
    tide_raise_unless_ok(L, tide_world_set_stiffness(body.scene->world, body.id, elements, count, stiffness, &error),
                         &error);
    lua_settop(L, 1);
    return 1;
}
