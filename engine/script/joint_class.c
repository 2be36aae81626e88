// Joints in Lua. A joint is an id in its scene's world and is looked up on every use.
#include "script/joint_binding.h"

#include "script/body_binding.h"
#include "script/collider_binding.h"
#include "world/joints.h"

typedef struct live_joint {
    tide_scene *scene;
    tide_joint_id id;
    tide_joint_kind kind;
} live_joint;

static const char *const kind_names[] = { [TIDE_JOINT_BALL] = "ball", [TIDE_JOINT_HINGE] = "hinge" };

// Returns the live joint. Raises if it is gone.
static live_joint self(lua_State *L)
{
    const tide_part_handle *handle = tide_object_self(L, &tide_joint_class);
    live_joint live = { tide_scene_live(L, handle->scene), { handle->index, handle->generation }, 0 };
    if (!tide_world_joint_kind(live.scene->world, live.id, &live.kind))
        tide_part_gone(L, "joint", handle->name);
    return live;
}

// --- scene:attach ----------------------------------------------------------------------------------------------------

static void read_motor(lua_State *L, int index, tide_motor *motor)
{
    tide_fields_default(tide_motor_fields, motor);
    if (!lua_isnil(L, index))
        tide_read_fields(L, index, tide_motor_fields, "motor", motor, 0);
}

int tide_scene_join(lua_State *L, tide_scene *scene)
{
    tide_body_info info;
    tide_body_id a = tide_check_body_of(L, 2, scene, "attach", &info), b = { 0 };
    const tide_collider_handle *collider = tide_object_test(L, 3, &tide_collider_class);
    int options = lua_istable(L, 3) ? 3 : 4;
    char shown[TIDE_VALUE_TEXT_SIZE];
    if (collider && tide_scene_live(L, collider->scene) != scene)
        tide_raise_bad(L, "scene", "attach", tide_show(L, 3, shown), "this collider is of another scene");
    if (options == 4 && !collider)
        b = tide_check_body_of(L, 3, scene, "attach", &info);
    if (!lua_isnil(L, options + 1))
        tide_raise_bad(L, "scene", "attach", tide_show(L, options + 1, shown), "expected nothing after the options");
    tide_joint_def def = tide_joint_def_default();
    tide_joint_id id;
    tide_error error;
    tide_read_fields(L, options, tide_joint_fields, "joint", &def, 0);
    lua_getfield(L, options, "motor");
    read_motor(L, -1, &def.motor);
    tide_status status =
        collider ? tide_world_join_collider(
                       scene->world, a, (tide_collider_id) { collider->index, collider->generation }, &def, &id, &error)
                 : tide_world_add_joint(scene->world, a, b, &def, &id, &error);
    tide_raise_unless_ok(L, status, &error);
    tide_part_push(L, &tide_joint_class, 1, id.index, id.generation, kind_names[def.kind]);
    return 1;
}

// --- the class -------------------------------------------------------------------------------------------------------

static tide_joint_motion motion(lua_State *L)
{
    live_joint live = self(L);
    tide_joint_motion motion;
    if (live.kind == TIDE_JOINT_BALL)
        tide_raise_bad(L, "joint", NULL, NULL, "a ball joint has no axis, and so no angle, speed or torque about one");
    tide_world_joint_motion(live.scene->world, live.id, &motion);
    return motion;
}

TIDE_GETTER(kind, lua_pushstring, kind_names[self(L).kind]);
TIDE_GETTER(angle, lua_pushnumber, motion(L).angle);
TIDE_GETTER(speed, lua_pushnumber, motion(L).speed);
TIDE_GETTER(torque, lua_pushnumber, motion(L).torque);

static int get_motor(lua_State *L)
{
    live_joint live = self(L);
    tide_motor motor;
    tide_world_joint_motor(live.scene->world, live.id, &motor);
    if (!tide_given(motor.torque) && !tide_given(motor.speed))
        return 0;
    lua_newtable(L);
    for (const tide_field *field = tide_motor_fields; field->name; field++) {
        tide_push_field(L, field, &motor);
        lua_setfield(L, -2, field->name);
    }
    tide_property_table(L, 1, "joint", "motor", "motor");
    return 1;
}

static int set_motor(lua_State *L)
{
    live_joint live = self(L);
    tide_motor motor;
    tide_error error;
    read_motor(L, 3, &motor);
    tide_raise_unless_ok(L, tide_world_set_motor(live.scene->world, live.id, &motor, &error), &error);
    return 0;
}

static int equal(lua_State *L)
{
    return tide_part_equal(L, &tide_joint_class);
}

static const tide_member members[] = {
    { "kind", .get = kind, .type = "string", .help = "\"ball\" or \"hinge\"." },
    { "motor", .get = get_motor, .set = set_motor, .type = "tide.Motor?",
      .help = "The motor of a hinge; nil without one. It can be assigned, also one field of it: `motor.speed = 3`. It "
              "takes effect from the next step on." },
    { "angle", angle, .type = "(): number",
      .help = "The angle of the first body about a hinge's axis, relative to the second body, the collider or the "
              "world, in rad. It "
              "is 0 where the joint was made, and counts whole turns." },
    { "speed", speed, .type = "(): number",
      .help = "The speed of the first body about a hinge's axis, relative to the second body, the collider or the "
              "world, in "
              "rad/s." },
    { "torque", torque, .type = "(): number",
      .help = "The torque of a hinge's motor on the first body over the last step, in N m." },
    { 0 },
};

static const luaL_Reg metamethods[] = { { "__eq", equal }, { 0 } };

const tide_class tide_joint_class = {
    "tide.Joint", "joint", "A hinge or a ball joint of rigid bodies.", members, metamethods, NULL, NULL,
};
