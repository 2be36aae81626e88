// Colliders in Lua. A collider is an id in its scene's world and is looked up on every use.
#include "script/collider_binding.h"

#include "base/elementary.h"
#include "world/collider_state.h"

#include <math.h>
#include <string.h>

typedef struct live_collider {
    tide_scene *scene;
    const tide_collider *collider;
    tide_collider_id id;
    char object[TIDE_OBJECT_TEXT];
} live_collider;

// Returns the live collider. Raises if it is gone.
static live_collider self(lua_State *L)
{
    const tide_collider_handle *handle = tide_object_self(L, &tide_collider_class);
    live_collider live = { .id = { handle->index, handle->generation } };
    live.scene = tide_scene_live(L, handle->scene);
    live.collider = tide_world_collider(live.scene->world, live.id);
    if (!live.collider)
        tide_part_gone(L, "collider", handle->name);
    tide_name_collider(handle->name, live.object);
    return live;
}

void tide_collider_push(lua_State *L, int scene, tide_collider_id id, const char *name)
{
    tide_part_push(L, &tide_collider_class, scene, id.index, id.generation, name);
}

// --- scene:collider --------------------------------------------------------------------------------------------------

static int find_collider(lua_State *L, tide_scene *scene, const char *name)
{
    tide_collider_id id = tide_world_find_collider(scene->world, name);
    if (id.index) {
        tide_collider_push(L, 1, id, name);
        return 1;
    }
    const char *names[TIDE_MOST_NAMES];
    uint32_t count = 0;
    for (; count < TIDE_MOST_NAMES && count < tide_world_collider_count(scene->world); count++)
        names[count] = tide_world_collider(scene->world, tide_world_collider_at(scene->world, count))->name;
    tide_part_missing(L, "collider", name, names, count, "{ shape = ... }");
}

int tide_scene_collider(lua_State *L)
{
    tide_scene *scene = tide_scene_self(L);
    const char *name = tide_part_check_name(L, 2, "collider");
    if (lua_isnoneornil(L, 3))
        return find_collider(L, scene, name);
    char owner[TIDE_OBJECT_TEXT];
    tide_name_collider(name, owner);
    if (scene->stepping)
        tide_raise_bad(L, owner, NULL, NULL, "a collider cannot be added while the scene is in a step");
    lua_settop(L, 3);
    tide_collider_def def = tide_collider_def_default();
    int move;
    tide_read_collider(L, 3, owner, &def, &move);
    def.name = name;
    if (!tide_lua_place(L, &def.script_file, &def.script_line))
        def.script_file = NULL;
    tide_motion motion;
    tide_collider_id id;
    tide_error error;
    if (move)
        tide_raise_unless_ok(L, tide_call_move(L, move, scene, name, tide_world_time(scene->world), &motion, &error),
                             &error);
    tide_raise_unless_ok(L, tide_world_add_collider(scene->world, &def, &id, &error), &error);
    if (move) {
        tide_pose pose = tide_motion_pose(&motion, tide_world_collider(scene->world, id));
        tide_raise_unless_ok(L, tide_world_place_collider(scene->world, id, &pose, &error), &error);
        tide_scene_set_move(L, scene, name, move);
    }
    tide_collider_push(L, 1, id, name);
    return 1;
}

int tide_scene_colliders(lua_State *L)
{
    tide_scene *scene = tide_scene_self(L);
    lua_newtable(L);
    for (uint32_t i = 0; i < tide_world_collider_count(scene->world); i++) {
        tide_collider_id id = tide_world_collider_at(scene->world, i);
        tide_collider_push(L, 1, id, tide_world_collider(scene->world, id)->name);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    return 1;
}

// --- pose ------------------------------------------------------------------------------------------------------------

// Refuses to move a collider whose definition moves it.
static void check_free(lua_State *L, const live_collider *live, const char *what)
{
    const char *by = live->collider->keyframe_count ? "keyframes" : NULL;
    if (!by && tide_scene_has_move(L, live->scene, live->collider->name))
        by = "move";
    if (by)
        tide_raise_bad(L, live->object, what, NULL, "its `%s` says where it is; leave that out to move it from here",
                       by);
}

static int move_to(lua_State *L)
{
    live_collider live = self(L);
    check_free(L, &live, "move_to");
    if (lua_gettop(L) < 2)
        lua_pushnil(L);
    tide_motion motion = tide_check_motion(L, 2, live.object, "move_to");
    // Missing parts keep their current values, so that calls can set position and rotation separately.
    tide_pose pose = live.collider->start;
    if (motion.has_position)
        memcpy(pose.position, motion.position, sizeof pose.position);
    if (motion.has_rotation)
        memcpy(pose.rotation, motion.rotation, sizeof pose.rotation);
    tide_error error;
    tide_raise_unless_ok(L, tide_world_move_collider(live.scene->world, live.id, &pose, &error), &error);
    lua_settop(L, 1);
    return 1;
}

static void place(lua_State *L, const live_collider *live, const tide_pose *pose, const char *what)
{
    tide_error error;
    check_free(L, live, what);
    tide_raise_unless_ok(L, tide_world_place_collider(live->scene->world, live->id, pose, &error), &error);
}

static int get_position(lua_State *L)
{
    tide_push_vec3(L, self(L).collider->start.position);
    return 1;
}

static int set_position(lua_State *L)
{
    static const tide_field field = {
        "position",  TIDE_FIELD_VECTOR, 0, .minimum = -TIDE_POSE_FARTHEST, .maximum = TIDE_POSE_FARTHEST,
        .unit = "m", .help = ""
    };
    live_collider live = self(L);
    tide_pose pose = live.collider->start;
    tide_read_field(L, 3, &field, live.object, pose.position);
    place(L, &live, &pose, "position");
    return 0;
}

static int get_rotation(lua_State *L)
{
    const double *q = self(L).collider->start.rotation;
    double sine = sqrt(q[1] * q[1] + q[2] * q[2] + q[3] * q[3]), sign = q[0] < 0 ? -1 : 1;
    lua_createtable(L, 4, 0);
    for (int k = 0; k < 3; k++) {
        lua_pushnumber(L, sine > 0 ? sign * q[k + 1] / sine : k == 1);
        lua_rawseti(L, -2, k + 1);
    }
    lua_pushnumber(L, 2 * tide_atan2(sine, fabs(q[0])));
    lua_rawseti(L, -2, 4);
    return 1;
}

static int set_rotation(lua_State *L)
{
    live_collider live = self(L);
    tide_pose pose = live.collider->start;
    tide_check_rotation(L, 3, live.object, "rotation", pose.rotation);
    place(L, &live, &pose, "rotation");
    return 0;
}

static int distance(lua_State *L)
{
    live_collider live = self(L);
    double p[3], normal[3];
    tide_check_vec3(L, 2, live.object, "distance", p);
    lua_pushnumber(L, tide_collider_gap_at(live.collider, &live.collider->start, p, normal));
    for (int k = 0; k < 3; k++)
        lua_pushnumber(L, normal[k]);
    return 4;
}

static int force(lua_State *L)
{
    live_collider live = self(L);
    double sum[3] = { 0 }, torque[3] = { 0 };
    tide_world_collider_force(live.scene->world, live.id, sum, torque);
    tide_push_vec3(L, sum);
    tide_push_vec3(L, torque);
    return 2;
}

// --- vertices --------------------------------------------------------------------------------------------------------

static int set_vertex(lua_State *L)
{
    live_collider live = self(L);
    tide_scene *scene;
    uint32_t count;
    double *positions = tide_collider_targets(L, tide_object_self(L, &tide_collider_class), &scene, &count), p[3];
    char shown[TIDE_VALUE_TEXT_SIZE];
    int is_integer;
    lua_Integer vertex = lua_tointegerx(L, 2, &is_integer);
    tide_error error;
    if (!is_integer || vertex < 1 || vertex > (lua_Integer)count)
        tide_raise_bad(L, live.object, "set_position", tide_show(L, 2, shown), "expected a vertex from 1 to %u", count);
    tide_check_vec3(L, 3, live.object, "set_position", p);
    tide_raise_unless_ok(L, tide_world_check_idle(scene->world, "set_position", &error), &error);
    memcpy(positions + 3 * (vertex - 1), p, sizeof p);
    lua_settop(L, 1);
    return 1;
}

static int positions(lua_State *L)
{
    const tide_collider_handle *handle = tide_object_self(L, &tide_collider_class);
    tide_scene *scene;
    uint32_t count;
    tide_collider_targets(L, handle, &scene, &count);
    tide_buffer_push(L, (tide_buffer) { .body = *handle, .of_collider = true });
    return 1;
}

TIDE_GETTER(vertex_count, lua_pushinteger, self(L).collider->shape.surface->vertex_count);

// --- the class -------------------------------------------------------------------------------------------------------

TIDE_GETTER(name, lua_pushstring, self(L).collider->name);
TIDE_GETTER(shape, lua_pushstring, self(L).collider->kind->name);
TIDE_GETTER(get_friction, lua_pushnumber, self(L).collider->friction);
TIDE_GETTER(get_restitution, lua_pushnumber, self(L).collider->restitution);
TIDE_GETTER(get_thickness, lua_pushnumber, self(L).collider->thickness);

// Assigns a number to the field of the collider's definition that has the property's name.
static int set_value(lua_State *L)
{
    live_collider live = self(L);
    const char *name = lua_tostring(L, 2);
    tide_collider_def def = { .friction = live.collider->friction,
                              .restitution = live.collider->restitution,
                              .thickness = live.collider->thickness };
    tide_error error;
    tide_read_field(L, 3, tide_field_find(tide_collider_fields, live.object, name, &error), live.object, &def);
    tide_collider_values values = { def.friction, def.restitution, def.thickness };
    tide_raise_unless_ok(L, tide_world_set_collider_values(live.scene->world, live.id, &values, &error), &error);
    return 0;
}

TIDE_GETTER(visible, lua_pushboolean, self(L).collider->visible);

static int equal(lua_State *L)
{
    return tide_part_equal(L, &tide_collider_class);
}

static const tide_member members[] = {
    { "name", .get = name, .type = "string", .help = "The name, which identifies the collider across reloads." },
    { "shape", .get = shape, .type = "string", .help = "The kind of its shape." },
    { "friction", .get = get_friction, .set = set_value, .type = "number",
      .help = "Coulomb's coefficient of friction. An assigned number takes effect from the next step on." },
    { "restitution", .get = get_restitution, .set = set_value, .type = "number",
      .help =
          "Coefficient of restitution: the fraction of the approach speed that a bounce keeps. It can be assigned." },
    { "thickness", .get = get_thickness, .set = set_value, .type = "number",
      .help = "Distance kept between its surface and bodies, in m. It can be assigned." },
    { "visible", .get = visible, .type = "boolean", .help = "Whether the collider is drawn." },
    { "position", .get = get_position, .set = set_position, .type = "number[]",
      .help = "A copy of the current position of the shape's frame, in m. Assigning three numbers moves it at once, "
              "without a velocity." },
    { "rotation", .get = get_rotation, .set = set_rotation, .type = "number[]",
      .help =
          "A copy of the current rotation: an axis and an angle in radians. Assigning four numbers turns it at once." },
    { "move_to", move_to, .type = "(x: number, y: number, z: number, rotation?: number[]): tide.Collider",
      .help =
          "Moves the collider, over the next step, to a position; what touches it is dragged along. Also `move_to { "
          "position = { x, y, z }, rotation = { 0, 1, 0, 0.5 } }`." },
    { "distance", distance, .type = "(x: number, y: number, z: number): number, number, number, number",
      .help = "The signed distance of a point from its current surface minus the thickness, negative inside; and the "
              "outward direction." },
    { "vertex_count", .get = vertex_count, .type = "integer",
      .help = "Number of vertices of its surface; for a mesh, those of the mesh." },
    { "set_position", set_vertex, .type = "(vertex: integer, x: number, y: number, z: number): tide.Collider",
      .help = "For a mesh with deforms = true: sets the position that a vertex reaches at the end of the next step. "
              "Coordinates are in the collider's own frame, after its scale, in m." },
    { "positions", positions, .type = "(): tide.Buffer",
      .help = "For a mesh with deforms = true: a buffer over the positions that all vertices reach at the end of the "
              "next step." },
    { "force", force, .type = "(): number[], number[]",
      .help = "The sum of the contact forces on it, with friction, in N, and their torque about its position (that of "
              "rolling friction included), in N m: "
              "lists x, y, z, averaged over the step that ended at scene.time. In scene.update this is the previous "
              "step. A collider that a script moves by these forces follows them one step late. It gains energy "
              "unless the mass of what lands on it is added to its inertia: v = v + dt * force / (mass + landing)." },
    { 0 },
};

static const luaL_Reg metamethods[] = { { "__eq", equal }, { 0 } };

const tide_class tide_collider_class = {
    "tide.Collider",
    "collider",
    "An object that bodies collide with and cannot move.",
    members,
    metamethods,
    NULL,
    NULL,
};
