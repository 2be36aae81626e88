// Bodies in Lua. A body is an id in its scene's world and is looked up on every use.
#include "script/body_binding.h"
#include "script/symbol_binding.h"

#include <math.h>
#include <string.h>

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
    tide_element_params(L, tide_scene_run_of(L, scene), (tide_body_elements *)def.elements, &def); // a userdata of ours
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

static int pin(lua_State *L)
{
    tide_live_body body = tide_body_self(L);
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
    const uint32_t *vertices = tide_body_read_vertices(L, &body, "pin", &count);
    tide_error error;
    for (uint32_t i = 0; i < count; i++)
        tide_raise_unless_ok(L, tide_world_pin(body.scene->world, body.id, vertices[i], stiffness, &error), &error);
    lua_settop(L, 1);
    return 1;
}

static int unpin(lua_State *L)
{
    tide_live_body body = tide_body_self(L);
    char shown[TIDE_VALUE_TEXT_SIZE];
    if (!lua_isnoneornil(L, 3))
        tide_raise_bad(L, body.object, "unpin", tide_show(L, 3, shown),
                       "one too many; several vertices go into one list, unpin { 1, 2 }");
    lua_settop(L, 2);
    uint32_t count = body.info.vertex_count;
    const uint32_t *vertices = lua_isnil(L, 2) ? NULL : tide_body_read_vertices(L, &body, "unpin", &count);
    tide_error error;
    for (uint32_t i = 0; i < count; i++)
        tide_raise_unless_ok(L, tide_world_unpin(body.scene->world, body.id, vertices ? vertices[i] : i, &error),
                             &error);
    lua_settop(L, 1);
    return 1;
}

static int is_pinned(lua_State *L)
{
    tide_live_body body = tide_body_self(L);
    uint32_t vertex = tide_check_index(L, 2, body.info.vertex_count, body.object, "is_pinned", "a vertex");
    lua_pushboolean(L, tide_world_is_pinned(body.scene->world, body.id, vertex));
    return 1;
}

static int move_pin(lua_State *L)
{
    tide_live_body body = tide_body_self(L);
    uint32_t vertex = tide_check_index(L, 2, body.info.vertex_count, body.object, "move_pin", "a vertex");
    double target[3];
    tide_error error;
    tide_check_vec3(L, 3, body.object, "move_pin", target);
    tide_raise_unless_ok(L, tide_world_move_pin(body.scene->world, body.id, vertex, target, &error), &error);
    return 0;
}

static int turn(lua_State *L)
{
    tide_live_body body = tide_body_self(L);
    uint32_t from = tide_check_index(L, 2, body.info.vertex_count, body.object, "turn", "a vertex");
    uint32_t to = tide_check_index(L, 3, body.info.vertex_count, body.object, "turn", "a vertex");
    double angle = tide_check_number(L, 4, body.object, "turn");
    tide_error error;
    tide_raise_unless_ok(L, tide_world_turn(body.scene->world, body.id, from, to, angle, &error), &error);
    lua_settop(L, 1);
    return 1;
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
    tide_live_body body = tide_body_self(L);
    uint32_t vertex = tide_check_index(L, 2, body.info.vertex_count, body.object, "position", "a vertex");
    double x[3];
    tide_world_vertex(body.scene->world, body.id, vertex, x, NULL);
    return push_vector(L, x);
}

static int velocity(lua_State *L)
{
    tide_live_body body = tide_body_self(L);
    uint32_t vertex = tide_check_index(L, 2, body.info.vertex_count, body.object, "velocity", "a vertex");
    double x[3], v[3];
    tide_world_vertex(body.scene->world, body.id, vertex, x, v);
    return push_vector(L, v);
}

static void refuse_rigid(lua_State *L, const tide_live_body *body, const char *field, const char *remedy)
{
    if (body->info.rigid)
        tide_raise_bad(L, body->object, field, NULL, "%s", remedy);
}

static int push_buffer(lua_State *L, bool of_velocities)
{
    tide_live_body body = tide_body_self(L); // raises if the body is gone
    refuse_rigid(L, &body, of_velocities ? "velocities" : "positions",
                 "the vertices of a rigid body are not stored one by one; use position(i), velocity(i), motion() or "
                 "current_mesh()");
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
    tide_live_body body = tide_body_self(L);
    uint32_t vertex = tide_check_index(L, 2, body.info.vertex_count, body.object, "set_position", "a vertex");
    refuse_rigid(L, &body, "set_position",
                 "the vertices of a rigid body do not move one by one; place its mesh, or use set_motion { ... }");
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
    tide_live_body body = tide_body_self(L);
    uint32_t vertex = tide_check_index(L, 2, body.info.vertex_count, body.object, "set_velocity", "a vertex");
    refuse_rigid(L, &body, "set_velocity",
                 "the vertices of a rigid body do not move one by one; use set_motion { velocity = ..., spin = ... }");
    double v[3];
    tide_error error;
    tide_check_vec3(L, 3, body.object, "set_velocity", v);
    tide_raise_unless_ok(L, tide_world_check_idle(body.scene->world, "set_velocity", &error), &error);
    memcpy(tide_world_velocities(body.scene->world, body.id) + 3 * (size_t)vertex, v, sizeof v);
    return 0;
}

static int force(lua_State *L)
{
    tide_live_body body = tide_body_self(L);
    uint32_t vertex = tide_check_index(L, 2, body.info.vertex_count, body.object, "force", "a vertex");
    double newtons[3];
    tide_error error;
    tide_check_vec3(L, 3, body.object, "force", newtons);
    tide_raise_unless_ok(L, tide_world_add_force(body.scene->world, body.id, vertex, newtons, &error), &error);
    return 0;
}

// --- motion ----------------------------------------------------------------------------------------------------------

const tide_field tide_body_motion_fields[] = {
    { TIDE_MEMBER(tide_body_motion, velocity), .type = TIDE_FIELD_VECTOR, .minimum = -1e9, .maximum = 1e9,
      .unit = "m/s", .help = "velocity of the centre of mass" },
    { TIDE_MEMBER(tide_body_motion, spin), .type = TIDE_FIELD_VECTOR, .minimum = -1e9, .maximum = 1e9, .unit = "rad/s",
      .help = "angular velocity" },
    { .name = NULL },
};

static void set_vector(lua_State *L, const char *name, const double *vector)
{
    lua_createtable(L, 3, 0);
    for (int k = 0; k < 3; k++) {
        lua_pushnumber(L, vector[k]);
        lua_rawseti(L, -2, k + 1);
    }
    lua_setfield(L, -2, name);
}

static int motion(lua_State *L)
{
    tide_live_body body = tide_body_self(L);
    tide_body_motion now;
    tide_error error;
    tide_raise_unless_ok(L, tide_world_motion(body.scene->world, body.id, &now, &error), &error);
    lua_createtable(L, 0, 3);
    set_vector(L, "centre", now.centre);
    set_vector(L, "velocity", now.velocity);
    set_vector(L, "spin", now.spin);
    return 1;
}

static int set_motion(lua_State *L)
{
    tide_live_body body = tide_body_self(L);
    tide_body_motion given = { 0 };
    tide_error error;
    tide_read_fields(L, 2, tide_body_motion_fields, body.object, &given, 0);
    tide_raise_unless_ok(L, tide_world_set_motion(body.scene->world, body.id, &given, &error), &error);
    lua_settop(L, 1);
    return 1;
}

static int colour(lua_State *L)
{
    tide_live_body body = tide_body_self(L);
    refuse_rigid(L, &body, "colour", "a rigid body has no numbers from vertex to vertex; describe it with a colour");
    tide_scene_set_colour(L, body.scene, body.info.name);
    return 1;
}

// --- muscles ---------------------------------------------------------------------------------------------------------

static int spring(lua_State *L)
{
    tide_live_body body = tide_body_self(L);
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
    tide_live_body body = tide_body_self(L);
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

TIDE_GETTER(name, lua_pushstring, tide_body_self(L).info.name);
TIDE_GETTER(vertex_count, lua_pushinteger, tide_body_self(L).info.vertex_count);
TIDE_GETTER(spring_count, lua_pushinteger, tide_body_self(L).info.spring_count);
TIDE_GETTER(element_count, lua_pushinteger, tide_body_self(L).info.element_count);
TIDE_GETTER(triangle_count, lua_pushinteger, tide_body_self(L).info.triangle_count);

static int mesh(lua_State *L)
{
    tide_live_body body = tide_body_self(L);
    tide_mesh_push_handle(L);
    tide_mesh_hand_over(L, tide_mesh_retain(body.info.face));
    return 1;
}

static int surface(lua_State *L)
{
    tide_live_body body = tide_body_self(L);
    const tide_mesh *fine = tide_world_surface(body.scene->world, body.id);
    if (!fine)
        return 0;
    tide_mesh_push_handle(L);
    tide_mesh_hand_over(L, tide_mesh_retain(fine));
    return 1;
}

static int current_surface(lua_State *L)
{
    tide_live_body body = tide_body_self(L);
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

static int current_mesh(lua_State *L)
{
    tide_live_body body = tide_body_self(L);
    if (body.info.rigid)
        return current_surface(L);
    tide_mesh_parts parts = tide_mesh_view(body.info.mesh);
    tide_mesh *mesh = NULL;
    tide_error error;
    parts.vertices = tide_world_positions(body.scene->world, body.id);
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
    { "vertex_count", .get = vertex_count, .type = "integer",
      .help =
          "Number of vertices: those of the mesh that the body was made of, then those that cuts and tears added." },
    { "spring_count", .get = spring_count, .type = "integer", .help = "Number of springs." },
    { "element_count", .get = element_count, .type = "integer",
      .help = "Number of elements of all kinds: the springs, then those of the materials, then those of `elements`." },
    { "cut_count", .get = tide_body_cut_count, .type = "integer", .help = "Number of elements that are cut." },
    { "split_count", .get = tide_body_split_count, .type = "integer",
      .help = "Number of vertices that cuts and tears added: copies, at first at the same place." },
    { "triangle_count", .get = triangle_count, .type = "integer", .help = "Number of triangles." },
    { "mesh", .get = mesh, .type = "tide.Mesh", .help = "The mesh at rest, with the cuts and tears." },
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
    { "turn", turn, .type = "(i: integer, j: integer, angle: number): tide.Body",
      .help =
          "Turns the cross-section of a rod that twists, at the edge of vertices i and j, which must both be pinned: "
          "by an angle in rad about the axis from i to j, by the end of the next step." },
    { "position", position, .type = "(i: integer): number, number, number", .help = "Position of vertex i, in m." },
    { "velocity", velocity, .type = "(i: integer): number, number, number", .help = "Velocity of vertex i, in m/s." },
    { "set_position", set_position, .type = "(i: integer, x: number, y: number, z: number)",
      .help = "Sets the position of vertex i, and of its pin if it has one, in m." },
    { "set_velocity", set_velocity, .type = "(i: integer, x: number, y: number, z: number)",
      .help = "Sets the velocity of vertex i, in m/s." },
    { "motion", motion, .type = "(): { centre: number[], velocity: number[], spin: number[] }",
      .help =
          "The motion of the body as a whole: its centre of mass in m, the velocity of that in m/s, and the angular "
          "velocity in rad/s." },
    { "set_motion", set_motion, .type = "(motion: { velocity?: number[], spin?: number[] }): tide.Body",
      .help = "Gives all vertices the velocities of a rigid motion about the centre of mass, velocity in m/s and spin "
              "in rad/s, 0 by default: `set_motion { velocity = { 0, 2, 0 }, spin = { 0, 0, 5 } }`." },
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
    { "cut", tide_body_cut,
      .type = "(what: { springs: integer[]? }|fun(i: integer, x: number, y: number, z: number): boolean): integer",
      .help =
          "Cuts the body for good: `cut { springs = { 3, 4 } }` or `elements = { ... }` removes these elements; "
          "`plane = { normal = { 1, 0, 0 }, offset = 0.5 }`, `triangles =` a mesh or a list of triangles of points "
          "{ x, y, z }, and a function (or `predicate =`) that tells the side of each vertex separate the tetrahedra "
          "(triangles, edges) on the two sides: vertices between them are split, the new ones follow the others. "
          "Returns the number of elements that were cut and of new vertices. Cuts are part of snapshots; "
          "scene:reset() takes them back." },
    { "is_cut", tide_body_is_cut, .type = "(e: integer): boolean", .help = "Whether element e is cut." },
    { "set_stiffness", tide_body_set_stiffness,
      .type = "(elements: integer[]|integer|number, stiffness?: number): tide.Body",
      .help =
          "Sets the stiffness of springs or other elements from the next step on (of springs in N/m), 0 makes them "
          "slack: `set_stiffness({ 1, 2 }, 50)`; `set_stiffness(50)` sets that of all springs. Part of snapshots." },
    { "reaction", tide_body_reaction,
      .type = "(vertices?: " WHICH ", point?: number[]): number, number, number, number?, number?, number?",
      .help = "Sum of the forces that pins and attachments exert on vertices in the last step, x, y, z in N; without "
              "vertices, on all. With a point { x, y, z } also their torque about it, x, y, z in N m: "
              "`local x, y, z = body:reaction { 1, 81 }`." },
    { "contact_force", tide_body_contact_force,
      .type = "(vertices?: " WHICH ", point?: number[]): number, number, number, number?, number?, number?",
      .help = "The same for the forces of contacts on the body in the last step, friction included. Contacts of the "
              "body with itself cancel." },
    { "tension", tide_body_tension, .type = "(e: integer): number",
      .help = "Tension of spring e in N: stiffness times (length - rest length); negative under compression. Also of "
              "another element between two vertices, such as an edge of a rod." },
    { "stress", tide_body_stress, .type = "(i: integer, on?: \"tetrahedra\"|\"triangles\"): tide.Stress",
      .help =
          "Cauchy stress of tetrahedron i of a solid at present, or of triangle i of a membrane, in Pa, positive in "
          "tension: a table with xx, yy, zz, yz, zx, xy; principal, a list of the three principal stresses, the "
          "largest first; directions, the unit vectors along them; and von_mises. A body with both materials "
          "takes the solid unless `on` is \"triangles\"." },
    { "largest_stress", tide_body_largest_stress, .type = "(): number, integer?",
      .help = "Largest von Mises stress of the body's solid, or of its membrane, in Pa, and its tetrahedron or "
              "triangle; 0 without either." },
    { 0 },
};

static const luaL_Reg metamethods[] = { { "__eq", equal }, { 0 } };

const tide_class tide_body_class = {
    "tide.Body", "body", "A body of a scene.", members, metamethods, NULL, NULL,
};
