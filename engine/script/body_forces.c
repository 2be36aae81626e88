// Forces on and in bodies in Lua: body:reaction, body:contact_force, body:tension and body:stress.
#include "script/body_binding.h"

#include "world/reactions.h"
#include "world/stresses.h"

typedef tide_status force_function(tide_world *world, tide_body_id body, double *out, tide_error *error);

// Reads a point { x, y, z } at index 3. Returns false if there is none.
static bool read_point(lua_State *L, const char *object, const char *field, double point[3])
{
    char shown[TIDE_VALUE_TEXT_SIZE];
    if (lua_isnil(L, 3))
        return false;
    if (!lua_istable(L, 3) || lua_rawlen(L, 3) != 3)
        tide_raise_bad(L, object, field, tide_show(L, 3, shown), "expected a point { x, y, z } for the torque");
    size_t size = 3;
    const double *numbers = tide_check_numbers(L, 3, &size, object, field);
    for (int k = 0; k < 3; k++)
        point[k] = numbers[k];
    return true;
}

// Pushes the sum of forces at the vertices at index 2, and their torque about the point at index 3.
static int push_sum(lua_State *L, force_function *compute, const char *field)
{
    tide_live_body body = tide_body_self(L);
    double point[3] = { 0 }, sum[2][3];
    uint32_t count = body.info.vertex_count;
    lua_settop(L, 3);
    bool torque = read_point(L, body.object, field, point);
    const uint32_t *vertices = lua_isnil(L, 2) ? NULL : tide_body_read_vertices(L, &body, field, &count);
    if (vertices && body.info.rigid)
        tide_raise_bad(L, body.object, field, NULL, "forces act on a rigid body as a whole; leave the vertices out");
    if (body.info.rigid)
        count = body.info.vertex_count = body.info.mesh->vertex_count;
    double *forces = lua_newuserdatauv(L, 3 * (size_t)body.info.vertex_count * sizeof *forces, 0);
    tide_error error;
    tide_raise_unless_ok(L, compute(body.scene->world, body.id, forces, &error), &error);
    tide_world_sum_forces(body.scene->world, body.id, forces, vertices, count, point, sum[0], sum[1]);
    if (compute == tide_world_reactions)
        tide_world_add_couples(body.scene->world, body.id, vertices, count, sum[1]);
    for (int i = 0; i < (torque ? 6 : 3); i++)
        lua_pushnumber(L, sum[i / 3][i % 3]);
    return torque ? 6 : 3;
}

int tide_body_reaction(lua_State *L)
{
    return push_sum(L, tide_world_reactions, "reaction");
}

int tide_body_contact_force(lua_State *L)
{
    return push_sum(L, tide_world_contact_forces, "contact_force");
}

int tide_body_tension(lua_State *L)
{
    tide_live_body body = tide_body_self(L);
    bool others = body.info.element_count > body.info.spring_count;
    uint32_t element =
        tide_check_index(L, 2, body.info.element_count, body.object, "tension", others ? "an element" : "a spring");
    double tension;
    tide_error error;
    tide_raise_unless_ok(L, tide_world_tension(body.scene->world, body.id, element, &tension, &error), &error);
    lua_pushnumber(L, tension);
    return 1;
}

// Finds the stresses that body:stress(i, on) asks for.
static tide_stress_field find_field(lua_State *L, const tide_live_body *body)
{
    static const char *const names[] = { "tetrahedra", "triangles" };
    tide_stress_field field;
    tide_error error;
    size_t part = 0;
    bool given = !lua_isnoneornil(L, 3);
    if (given)
        tide_raise_unless_ok(L,
                             tide_find_name(tide_check_text(L, 3, body->object, "stress"), names, 2, NULL, body->object,
                                            "stress", &part, &error),
                             &error);
    tide_raise_unless_ok(
        L, tide_world_stress_field(body->scene->world, body->id, (tide_stress_part)part, &field, &error), &error);
    if (!field.count && !given)
        tide_raise_unless_ok(
            L, tide_world_stress_field(body->scene->world, body->id, TIDE_STRESS_TRIANGLES, &field, &error), &error);
    if (!field.count)
        tide_raise_bad(L, body->object, "stress", NULL,
                       !given ? "this body has neither solid nor membrane with a stress; for a spring use tension(s)"
                       : part ? "this body has no membrane"
                              : "this body has no solid");
    return field;
}

// Pushes a table of three vectors.
static void push_directions(lua_State *L, double directions[3][3])
{
    lua_createtable(L, 3, 0);
    for (int i = 0; i < 3; i++) {
        lua_createtable(L, 3, 0);
        for (int k = 0; k < 3; k++) {
            lua_pushnumber(L, directions[i][k]);
            lua_rawseti(L, -2, k + 1);
        }
        lua_rawseti(L, -2, i + 1);
    }
}

int tide_body_stress(lua_State *L)
{
    tide_live_body body = tide_body_self(L);
    tide_stress_field field = find_field(L, &body);
    uint32_t index =
        tide_check_index(L, 2, field.count, body.object, "stress", field.corners == 4 ? "a tetrahedron" : "a triangle");
    tide_stress stress;
    tide_stress_of(&field, index, index + 1, &stress);
    const struct {
        const char *name;
        double value;
    } parts[] = { { "xx", stress.xx },
                  { "yy", stress.yy },
                  { "zz", stress.zz },
                  { "yz", stress.yz },
                  { "zx", stress.zx },
                  { "xy", stress.xy },
                  { "von_mises", tide_stress_von_mises(stress) } };
    double principal[3], directions[3][3];
    tide_stress_principal(stress, principal, directions);
    lua_createtable(L, 0, 9);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        lua_pushnumber(L, parts[i].value);
        lua_setfield(L, -2, parts[i].name);
    }
    lua_createtable(L, 3, 0);
    for (int i = 0; i < 3; i++) {
        lua_pushnumber(L, principal[i]);
        lua_rawseti(L, -2, i + 1);
    }
    lua_setfield(L, -2, "principal");
    push_directions(L, directions);
    lua_setfield(L, -2, "directions");
    return 1;
}

int tide_body_largest_stress(lua_State *L)
{
    tide_live_body body = tide_body_self(L);
    double stress;
    uint32_t index;
    tide_error error;
    tide_raise_unless_ok(L, tide_world_largest_stress(body.scene->world, body.id, &stress, &index, &error), &error);
    lua_pushnumber(L, stress);
    if (stress > 0)
        lua_pushinteger(L, (lua_Integer)index + 1);
    return stress > 0 ? 2 : 1;
}
