// Bodies in Lua. A body is an id in its scene's world and is looked up on every use.
#include "script/binding.h"

#include <math.h>
#include <string.h>

typedef struct live_body {
    tide_scene *scene;
    tide_body_info info;
    tide_body_id id;
    char object[TIDE_OBJECT_TEXT];
} live_body;

static live_body self(lua_State *L)
{
    const tide_body_handle *body = tide_object_self(L, &tide_body_class);
    live_body live = { .id = tide_body_id_of(body) };
    live.scene = tide_body_live(L, body, &live.info);
    tide_part_name("body", body->name, live.object);
    return live;
}

void tide_body_push(lua_State *L, int scene, tide_body_id id, const char *name)
{
    tide_part_push(L, &tide_body_class, scene, id.index, id.generation, name);
}

// --- scene:body ------------------------------------------------------------------------------------------------------

static int find_body(lua_State *L, tide_scene *scene, const char *name)
{
    tide_body_id id = tide_world_find_body(scene->world, name);
    if (id.index) {
        tide_body_push(L, 1, id, name);
        return 1;
    }
    const char *names[TIDE_MOST_NAMES];
    uint32_t count = 0;
    tide_body_info info;
    for (; count < TIDE_MOST_NAMES && count < tide_world_body_count(scene->world); count++) {
        tide_world_body_info(scene->world, tide_world_body_at(scene->world, count), &info);
        names[count] = info.name;
    }
    tide_part_missing(L, "body", name, names, count, "{ mesh = ... }");
}

int tide_scene_body(lua_State *L)
{
    tide_scene *scene = tide_scene_self(L);
    const char *name = tide_part_check_name(L, 2, "body");
    if (lua_isnoneornil(L, 3))
        return find_body(L, scene, name);
    char owner[TIDE_OBJECT_TEXT];
    tide_part_name("body", name, owner);
    if (scene->stepping)
        tide_raise_bad(L, owner, NULL, NULL, "a body cannot be added while the scene is in a step");
    tide_body_def def = tide_body_def_default();
    tide_read_body(L, 3, owner, &def);
    def.name = name;
    if (!tide_lua_place(L, &def.script_file, &def.script_line))
        def.script_file = NULL;
    tide_body_id id;
    tide_error error;
    tide_raise_unless_ok(L, tide_world_add_body(scene->world, &def, &id, &error), &error);
    tide_account(L, (size_t)def.mesh->vertex_count * 1024);
    if (def.surface)
        tide_account(L, (size_t)def.surface->vertex_count * 256);
    tide_body_push(L, 1, id, name);
    return 1;
}

int tide_scene_bodies(lua_State *L)
{
    tide_scene *scene = tide_scene_self(L);
    tide_body_info info;
    lua_newtable(L);
    for (uint32_t i = 0; i < tide_world_body_count(scene->world); i++) {
        tide_body_id id = tide_world_body_at(scene->world, i);
        tide_world_body_info(scene->world, id, &info);
        tide_body_push(L, 1, id, info.name);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    return 1;
}

// --- pins ------------------------------------------------------------------------------------------------------------

static const tide_field pin_fields[] = {
    { "stiffness",
      TIDE_FIELD_REAL,
      0,
      { TIDE_NOT_GIVEN },
      .maximum = 1e15,
      .positive = true,
      .unit = "N/m",
      .initial_text = "exact",
      .help = "stiffness of the zero-length spring that holds the vertex" },
    { 0 },
};

// Reads the vertices given by a list or a function at index 2 into a userdata that it pushes.
static uint32_t *read_vertices(lua_State *L, const live_body *body, const char *field, uint32_t *count)
{
    char shown[TIDE_VALUE_TEXT_SIZE];
    uint32_t vertex_count = body->info.vertex_count;
    bool listed = lua_istable(L, 2);
    size_t size = listed ? lua_rawlen(L, 2) : lua_isfunction(L, 2) ? vertex_count : 1;
    uint32_t *vertices = lua_newuserdatauv(L, size * sizeof *vertices + 1, 0);
    *count = 0;
    if (lua_type(L, 2) == LUA_TNUMBER) {
        vertices[(*count)++] = tide_check_index(L, 2, vertex_count, body->object, field, "a vertex");
    } else if (listed) {
        for (size_t i = 0; i < size; i++) {
            lua_rawgeti(L, 2, (lua_Integer)i + 1);
            vertices[(*count)++] = tide_check_index(L, -1, vertex_count, body->object, field, "a vertex");
            lua_pop(L, 1);
        }
    } else if (lua_isfunction(L, 2)) {
        for (uint32_t i = 0; i < vertex_count; i++) {
            const double *x = tide_world_positions(body->scene->world, body->id) + 3 * (size_t)i;
            lua_pushvalue(L, 2);
            lua_pushinteger(L, (lua_Integer)i + 1);
            for (int k = 0; k < 3; k++)
                lua_pushnumber(L, x[k]);
            tide_call_field(L, 4, 1, body->object, field);
            if (lua_toboolean(L, -1))
                vertices[(*count)++] = i;
            lua_pop(L, 1);
            // The function may have moved the world's memory.
            tide_body_info now;
            if (tide_body_live(L, lua_touserdata(L, 1), &now) != body->scene || now.vertex_count != vertex_count)
                tide_raise_bad(L, body->object, field, NULL, "the function changed the scene");
        }
    } else
        tide_raise_bad(L, body->object, field, tide_show(L, 2, shown),
                       "expected a list of vertices or a function(i, x, y, z) that tells which");
    return vertices;
}

static int pin(lua_State *L)
{
    live_body body = self(L);
    lua_settop(L, 3);
    double stiffness = TIDE_NOT_GIVEN;
    if (lua_istable(L, 2))
        tide_read_fields(L, 2, pin_fields, body.object, &stiffness, INT32_MAX);
    char shown[TIDE_VALUE_TEXT_SIZE];
    if (!lua_isnil(L, 3) && !lua_istable(L, 3))
        tide_raise_bad(L, body.object, "pin", tide_show(L, 3, shown),
                       "expected { stiffness = ... }; several vertices go into one list, pin { 1, 2 }");
    if (!lua_isnil(L, 3))
        tide_read_fields(L, 3, pin_fields, body.object, &stiffness, 0);
    uint32_t count;
    const uint32_t *vertices = read_vertices(L, &body, "pin", &count);
    tide_error error;
    for (uint32_t i = 0; i < count; i++)
        tide_raise_unless_ok(L, tide_world_pin(body.scene->world, body.id, vertices[i], stiffness, &error), &error);
    lua_settop(L, 1);
    return 1;
}

static int unpin(lua_State *L)
{
    live_body body = self(L);
    char shown[TIDE_VALUE_TEXT_SIZE];
    if (!lua_isnoneornil(L, 3))
        tide_raise_bad(L, body.object, "unpin", tide_show(L, 3, shown),
                       "one too many; several vertices go into one list, unpin { 1, 2 }");
    lua_settop(L, 2);
    uint32_t count = body.info.vertex_count;
    const uint32_t *vertices = lua_isnil(L, 2) ? NULL : read_vertices(L, &body, "unpin", &count);
    tide_error error;
    for (uint32_t i = 0; i < count; i++)
        tide_raise_unless_ok(L, tide_world_unpin(body.scene->world, body.id, vertices ? vertices[i] : i, &error),
                             &error);
    lua_settop(L, 1);
    return 1;
}

static int is_pinned(lua_State *L)
{
    live_body body = self(L);
    uint32_t vertex = tide_check_index(L, 2, body.info.vertex_count, body.object, "is_pinned", "a vertex");
    lua_pushboolean(L, tide_world_is_pinned(body.scene->world, body.id, vertex));
    return 1;
}

static int move_pin(lua_State *L)
{
    live_body body = self(L);
    uint32_t vertex = tide_check_index(L, 2, body.info.vertex_count, body.object, "move_pin", "a vertex");
    double target[3];
    tide_error error;
    tide_check_vec3(L, 3, body.object, "move_pin", target);
    tide_raise_unless_ok(L, tide_world_move_pin(body.scene->world, body.id, vertex, target, &error), &error);
    return 0;
}

// --- state -----------------------------------------------------------------------------------------------------------

static int push_vector(lua_State *L, const double *vector)
{
    for (int k = 0; k < 3; k++)
        lua_pushnumber(L, vector[k]);
    return 3;
}

static int position(lua_State *L)
{
    live_body body = self(L);
    uint32_t vertex = tide_check_index(L, 2, body.info.vertex_count, body.object, "position", "a vertex");
    return push_vector(L, tide_world_positions(body.scene->world, body.id) + 3 * (size_t)vertex);
}

static int velocity(lua_State *L)
{
    live_body body = self(L);
    uint32_t vertex = tide_check_index(L, 2, body.info.vertex_count, body.object, "velocity", "a vertex");
    return push_vector(L, tide_world_velocities(body.scene->world, body.id) + 3 * (size_t)vertex);
}

static int push_buffer(lua_State *L, bool of_velocities)
{
    self(L); // raises if the body is gone
    tide_buffer_push(L,
                     (tide_buffer) { .body = *(tide_body_handle *)lua_touserdata(L, 1), .velocities = of_velocities });
    return 1;
}

static int positions(lua_State *L)
{
    return push_buffer(L, false);
}

static int velocities(lua_State *L)
{
    return push_buffer(L, true);
}

static int set_position(lua_State *L)
{
    live_body body = self(L);
    uint32_t vertex = tide_check_index(L, 2, body.info.vertex_count, body.object, "set_position", "a vertex");
    double x[3];
    tide_error error;
    tide_check_vec3(L, 3, body.object, "set_position", x);
    tide_raise_unless_ok(L, tide_world_check_idle(body.scene->world, "set_position", &error), &error);
    memcpy(tide_world_positions(body.scene->world, body.id) + 3 * (size_t)vertex, x, sizeof x);
    if (tide_world_is_pinned(body.scene->world, body.id, vertex)) // a pinned vertex stays at its new position
        tide_raise_unless_ok(L, tide_world_move_pin(body.scene->world, body.id, vertex, x, &error), &error);
    return 0;
}

static int set_velocity(lua_State *L)
{
    live_body body = self(L);
    uint32_t vertex = tide_check_index(L, 2, body.info.vertex_count, body.object, "set_velocity", "a vertex");
    double v[3];
    tide_error error;
    tide_check_vec3(L, 3, body.object, "set_velocity", v);
    tide_raise_unless_ok(L, tide_world_check_idle(body.scene->world, "set_velocity", &error), &error);
    memcpy(tide_world_velocities(body.scene->world, body.id) + 3 * (size_t)vertex, v, sizeof v);
    return 0;
}

static int force(lua_State *L)
{
    live_body body = self(L);
    uint32_t vertex = tide_check_index(L, 2, body.info.vertex_count, body.object, "force", "a vertex");
    double newtons[3];
    tide_error error;
    tide_check_vec3(L, 3, body.object, "force", newtons);
    tide_raise_unless_ok(L, tide_world_add_force(body.scene->world, body.id, vertex, newtons, &error), &error);
    return 0;
}

static int colour(lua_State *L)
{
    live_body body = self(L);
    tide_scene_set_colour(L, body.scene, body.info.name);
    return 1;
}

// --- muscles ---------------------------------------------------------------------------------------------------------

static int spring(lua_State *L)
{
    live_body body = self(L);
    uint32_t index = tide_check_index(L, 2, body.info.spring_count, body.object, "spring", "a spring");
    tide_extra_spring found;
    tide_error error;
    tide_raise_unless_ok(L, tide_world_spring(body.scene->world, body.id, index, &found, &error), &error);
    lua_pushinteger(L, (lua_Integer)found.i + 1);
    lua_pushinteger(L, (lua_Integer)found.j + 1);
    lua_pushnumber(L, found.stiffness);
    lua_pushnumber(L, found.rest_length);
    return 4;
}

static int contract(lua_State *L)
{
    live_body body = self(L);
    char shown[TIDE_VALUE_TEXT_SIZE];
    bool listed = lua_istable(L, 2);
    bool others = body.info.group_count > 1;
    if (!listed && lua_type(L, 2) != LUA_TNUMBER)
        tide_raise_bad(L, body.object, "contract", tide_show(L, 2, shown),
                       others ? "expected an element or a list of elements" : "expected a spring or a list of springs");
    double factor = tide_check_number(L, 3, body.object, "contract");
    tide_error error;
    lua_Unsigned count = listed ? lua_rawlen(L, 2) : 1;
    for (lua_Unsigned s = 1; s <= count; s++) {
        if (listed)
            lua_rawgeti(L, 2, (lua_Integer)s);
        uint32_t index = tide_check_index(L, listed ? -1 : 2, body.info.element_count, body.object, "contract",
                                          others ? "an element" : "a spring");
        tide_raise_unless_ok(L, tide_world_contract(body.scene->world, body.id, &index, 1, factor, &error), &error);
        if (listed)
            lua_pop(L, 1);
    }
    lua_settop(L, 1);
    return 1;
}

// --- the class -------------------------------------------------------------------------------------------------------

static int name(lua_State *L)
{
    live_body body = self(L);
    lua_pushstring(L, body.info.name);
    return 1;
}

static int vertex_count(lua_State *L)
{
    lua_pushinteger(L, self(L).info.vertex_count);
    return 1;
}

static int spring_count(lua_State *L)
{
    lua_pushinteger(L, self(L).info.spring_count);
    return 1;
}

static int element_count(lua_State *L)
{
    lua_pushinteger(L, self(L).info.element_count);
    return 1;
}

static int triangle_count(lua_State *L)
{
    lua_pushinteger(L, self(L).info.triangle_count);
    return 1;
}

static int mesh(lua_State *L)
{
    live_body body = self(L);
    tide_mesh_push_handle(L);
    tide_mesh_hand_over(L, tide_mesh_retain(body.info.mesh));
    return 1;
}

static int current_mesh(lua_State *L)
{
    live_body body = self(L);
    tide_mesh_parts parts = tide_mesh_view(body.info.mesh);
    tide_mesh *mesh = NULL;
    tide_error error;
    parts.vertices = tide_world_positions(body.scene->world, body.id);
    tide_mesh_push_handle(L);
    tide_raise_unless_ok(L, tide_mesh_create(&parts, &mesh, &error), &error);
    tide_mesh_hand_over(L, mesh);
    return 1;
}

static int surface(lua_State *L)
{
    live_body body = self(L);
    const tide_mesh *fine = tide_world_surface(body.scene->world, body.id);
    if (!fine)
        return 0;
    tide_mesh_push_handle(L);
    tide_mesh_hand_over(L, tide_mesh_retain(fine));
    return 1;
}

static int current_surface(lua_State *L)
{
    live_body body = self(L);
    const tide_mesh *fine = tide_world_surface(body.scene->world, body.id);
    if (!fine)
        return 0;
    tide_mesh_parts parts = tide_mesh_view(fine);
    tide_mesh *mesh = NULL;
    tide_error error;
    double *positions = lua_newuserdatauv(L, 3 * (size_t)fine->vertex_count * sizeof *positions, 0);
    tide_world_surface_positions(body.scene->world, body.id, positions);
    parts.vertices = positions;
    tide_mesh_push_handle(L);
    tide_raise_unless_ok(L, tide_mesh_create(&parts, &mesh, &error), &error);
    tide_mesh_hand_over(L, mesh);
    return 1;
}

static int equal(lua_State *L)
{
    return tide_part_equal(L, &tide_body_class);
}

#define WHICH "integer[]|integer|fun(i: integer, x: number, y: number, z: number): boolean"
static const tide_member members[] = {
    { "name", .get = name, .type = "string", .help = "The name, which identifies the body across reloads." },
    { "vertex_count", .get = vertex_count, .type = "integer", .help = "Number of vertices." },
    { "spring_count", .get = spring_count, .type = "integer", .help = "Number of springs." },
    { "element_count", .get = element_count, .type = "integer",
      .help = "Number of elements: the springs, then the elements of each group of `elements`." },
    { "triangle_count", .get = triangle_count, .type = "integer", .help = "Number of triangles." },
    { "mesh", .get = mesh, .type = "tide.Mesh", .help = "The mesh at rest." },
    { "current_mesh", current_mesh, .type = "(): tide.Mesh",
      .help = "A mesh of the current positions, for example to save." },
    { "surface", .get = surface, .type = "tide.Mesh?", .help = "The embedded fine surface at rest." },
    { "current_surface", current_surface, .type = "(): tide.Mesh?",
      .help = "The embedded fine surface at its current positions, for example to save; nil without one." },
    { "pin", pin, .type = "(vertices: " WHICH ", options?: { stiffness: number }): tide.Body",
      .help = "Holds vertices at their current positions: exactly, or by a zero-length spring of a stiffness in N/m: "
              "`pin { 1, 81, stiffness = 500 }`." },
    { "unpin", unpin, .type = "(vertices?: " WHICH "): tide.Body",
      .help = "Unpins vertices; without arguments all of them." },
    { "is_pinned", is_pinned, .type = "(i: integer): boolean", .help = "Whether vertex i is pinned." },
    { "move_pin", move_pin, .type = "(i: integer, x: number, y: number, z: number)",
      .help = "Sets the position that the pin of vertex i reaches at the end of the next step." },
    { "position", position, .type = "(i: integer): number, number, number", .help = "Position of vertex i, in m." },
    { "velocity", velocity, .type = "(i: integer): number, number, number", .help = "Velocity of vertex i, in m/s." },
    { "set_position", set_position, .type = "(i: integer, x: number, y: number, z: number)",
      .help = "Sets the position of vertex i, and of its pin if it has one, in m." },
    { "set_velocity", set_velocity, .type = "(i: integer, x: number, y: number, z: number)",
      .help = "Sets the velocity of vertex i, in m/s." },
    { "positions", positions, .type = "(): tide.Buffer",
      .help = "A buffer over the engine's own positions: x, y, z of vertex 1, then of vertex 2, ..." },
    { "velocities", velocities, .type = "(): tide.Buffer",
      .help = "A buffer over the engine's own velocities, as positions()." },
    { "force", force, .type = "(i: integer, x: number, y: number, z: number)",
      .help = "Adds a force to vertex i for the next step, in N." },
    { "colour", colour, .type = "(value?: (fun(i: integer): number), options?: tide.ColourOptions): tide.Body",
      .help = "Colours the body by numbers: whenever a picture is drawn, the function returns the number of each "
              "vertex. Colours range from low to high; without these, over the numbers themselves. nil ends it." },
    { "spring", spring, .type = "(s: integer): integer, integer, number, number",
      .help = "The two vertices of spring s, its stiffness in N/m and its current rest length in m. Springs are "
              "counted in this order: edges, bending springs, `springs`." },
    { "contract", contract, .type = "(elements: integer[]|integer, factor: number): tide.Body",
      .help = "Actuates springs: from the next step on, their rest lengths are the original ones times a factor, until "
              "it is changed; 1 relaxes them. Elements of `elements` count on after the springs; the factor scales "
              "their lengths or areas at rest." },
    { 0 },
};

static const luaL_Reg metamethods[] = { { "__eq", equal }, { 0 } };

const tide_class tide_body_class = {
    "tide.Body", "body", "A body of a scene.", members, metamethods, NULL, NULL,
};
