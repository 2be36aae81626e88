// Functions of time that move colliders: scene:collider(name, { move = function(t) ... end }).
#include "script/collider_binding.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// --- results of a move function --------------------------------------------------------------------------------------

void tide_check_rotation(lua_State *L, int index, const char *object, const char *field, double quaternion[4])
{
    double numbers[4];
    char shown[TIDE_VALUE_TEXT_SIZE];
    index = lua_absindex(L, index);
    tide_property_plain(L, index);
    bool good = tide_is_list(L, index, 4);
    for (int k = 0; k < 4 && good; k++) {
        good = lua_rawgeti(L, index, k + 1) == LUA_TNUMBER && isfinite(lua_tonumber(L, -1));
        numbers[k] = lua_tonumber(L, -1);
        lua_pop(L, 1);
    }
    if (!good)
        tide_raise_bad(L, object, field, tide_show(L, index, shown),
                       "expected four finite numbers, { axis x, axis y, axis z, angle in radians }");
    if (!(fmax(fmax(fabs(numbers[0]), fabs(numbers[1])), fabs(numbers[2])) > 0))
        tide_raise_bad(L, object, field, NULL, "expected an axis of any length but 0, then the angle");
    tide_quaternion_from_axis_angle(numbers, numbers[3], quaternion);
}

static void check_position(lua_State *L, const char *object, const char *field, const double position[3])
{
    char shown[TIDE_VALUE_TEXT_SIZE];
    for (int k = 0; k < 3; k++)
        if (!(fabs(position[k]) <= TIDE_POSE_FARTHEST)) {
            if (isnan(position[k]))
                snprintf(shown, sizeof shown, "nan");
            else
                snprintf(shown, sizeof shown, "%.10g", position[k]);
            tide_raise_bad(L, object, field, shown, "expected a position of numbers from -1e9 to 1e9 m");
        }
}

// Reads a list of three numbers at `index`.
static void read_position(lua_State *L, int index, const char *object, const char *field, tide_motion *motion)
{
    const tide_field vector = { field, TIDE_FIELD_VECTOR, 0, .help = "" };
    tide_read_field(L, index, &vector, object, motion->position);
    check_position(L, object, field, motion->position);
    motion->has_position = true;
}

static void read_turn(lua_State *L, int index, const char *object, const char *field, tide_motion *motion)
{
    tide_check_rotation(L, index, object, field, motion->rotation);
    motion->has_rotation = true;
}

static void read_parts(lua_State *L, int index, const char *object, const char *field, tide_motion *motion)
{
    static const tide_field parts[] = {
        { "position", TIDE_FIELD_OTHER, .help = "position" },
        { "rotation", TIDE_FIELD_OTHER, .help = "rotation" },
        { 0 },
    };
    char name[TIDE_FIELD_NAME_SIZE];
    tide_read_fields(L, index, parts, object, NULL, 0);
    snprintf(name, sizeof name, "%.40s.position", field);
    lua_pushliteral(L, "position");
    if (lua_rawget(L, index) != LUA_TNIL)
        read_position(L, -1, object, name, motion);
    snprintf(name, sizeof name, "%.40s.rotation", field);
    lua_pushliteral(L, "rotation");
    if (lua_rawget(L, index) != LUA_TNIL)
        read_turn(L, -1, object, name, motion);
    lua_pop(L, 2);
    if (!motion->has_position && !motion->has_rotation)
        tide_raise_bad(L, object, field, NULL, "expected { position = { x, y, z }, rotation = { axis, angle } }");
}

tide_motion tide_check_motion(lua_State *L, int first, const char *object, const char *field)
{
    tide_motion motion = { 0 };
    char shown[TIDE_VALUE_TEXT_SIZE];
    int top = lua_gettop(L), next = first + 1;
    tide_property_plain(L, first);
    if (lua_type(L, first) == LUA_TNUMBER) {
        for (int k = 0; k < 3; k++) {
            if (lua_type(L, first + k) != LUA_TNUMBER)
                tide_raise_bad(L, object, field, tide_show(L, first + k, shown), "expected three numbers, x, y, z");
            motion.position[k] = lua_tonumber(L, first + k);
        }
        check_position(L, object, field, motion.position);
        motion.has_position = true;
        next = first + 3;
    } else if (lua_istable(L, first) && lua_rawlen(L, first) > 0)
        read_position(L, first, object, field, &motion);
    else if (lua_istable(L, first))
        read_parts(L, first, object, field, &motion);
    else
        tide_raise_bad(L, object, field, tide_show(L, first, shown),
                       "expected x, y, z or { x, y, z }, with a rotation { axis x, axis y, axis z, angle } after it "
                       "or without, or { position = ..., rotation = ... }");
    if (next <= top && !lua_isnil(L, next)) {
        if (motion.has_rotation)
            tide_raise_bad(L, object, field, tide_show(L, next, shown), "the rotation is given twice");
        read_turn(L, next, object, field, &motion);
    }
    return motion;
}

tide_pose tide_motion_pose(const tide_motion *motion, const tide_collider *collider)
{
    tide_pose pose = collider->shape.pose;
    if (motion->has_position)
        memcpy(pose.position, motion->position, sizeof pose.position);
    if (motion->has_rotation)
        memcpy(pose.rotation, motion->rotation, sizeof pose.rotation);
    return pose;
}

// --- calls of a move function ----------------------------------------------------------------------------------------

typedef struct reading {
    const char *object;
    tide_motion motion;
} reading;

static int read_call(lua_State *L) // arguments: the reading, then the function's results
{
    reading *reading = lua_touserdata(L, 1);
    if (lua_gettop(L) < 2)
        lua_pushnil(L);
    reading->motion = tide_check_motion(L, 2, reading->object, "move");
    return 0;
}

// Sets the error's location to the line where the function begins: an invalid result has no line of its own.
static void locate_function(lua_State *L, int function, tide_error *error)
{
    lua_Debug place;
    lua_pushvalue(L, function);
    lua_getinfo(L, ">S", &place);
    if (place.linedefined <= 0 || (place.source[0] != '@' && place.source[0] != '='))
        return;
    error->where[0] = '\0'; // removes the location of the call that steps
    tide_error_locate(error, place.source + 1, place.linedefined);
}

tide_status tide_call_move(lua_State *L, int index, tide_scene *scene, const char *name, double time,
                           tide_motion *motion, tide_error *error)
{
    char object[TIDE_OBJECT_TEXT];
    reading reading = { .object = object };
    int top = lua_gettop(L), function = lua_absindex(L, index);
    tide_name_collider(name, object);
    luaL_checkstack(L, 12, NULL);
    lua_pushcfunction(L, read_call);
    lua_pushlightuserdata(L, &reading);
    lua_pushvalue(L, function);
    lua_pushnumber(L, time);
    tide_status status = tide_scene_run(L, scene, 1, LUA_MULTRET, error);
    if (status != TIDE_OK) {
        tide_name_error(error, object, "move");
        lua_settop(L, top);
        return status;
    }
    status = tide_call(L, lua_gettop(L) - top - 1, 0, error);
    if (status != TIDE_OK)
        locate_function(L, function, error);
    *motion = reading.motion;
    lua_settop(L, top);
    return status;
}

// --- the scene's functions -------------------------------------------------------------------------------------------

// Pushes the table of move functions. Returns false and pushes nothing if there is none.
static bool push_moves(lua_State *L, const tide_scene *scene)
{
    luaL_checkstack(L, 8, NULL);
    tide_scene_push_core(L, scene);
    bool found = lua_getiuservalue(L, -1, TIDE_CORE_MOVES) == LUA_TTABLE;
    lua_remove(L, -2);
    lua_pop(L, !found);
    return found;
}

void tide_scene_set_move(lua_State *L, const tide_scene *scene, const char *name, int function)
{
    if (!function)
        return;
    function = lua_absindex(L, function);
    if (!push_moves(L, scene)) {
        tide_scene_push_core(L, scene);
        lua_newtable(L);
        lua_pushvalue(L, -1);
        lua_setiuservalue(L, -3, TIDE_CORE_MOVES);
        lua_remove(L, -2);
    }
    lua_pushvalue(L, function);
    lua_setfield(L, -2, name);
    lua_pop(L, 1);
}

bool tide_scene_has_move(lua_State *L, const tide_scene *scene, const char *name)
{
    if (!push_moves(L, scene))
        return false;
    bool found = !name || lua_getfield(L, -1, name) == LUA_TFUNCTION;
    lua_pop(L, name ? 2 : 1);
    return found;
}

// Evaluates the pose of a collider at a time. *moves tells whether it has a move function. The table of functions is on
// top.
static tide_status find_pose(lua_State *L, tide_scene *scene, const tide_collider *collider, double time,
                             tide_pose *pose, bool *moves, tide_error *error)
{
    tide_motion motion;
    tide_status status = TIDE_OK;
    *moves = lua_getfield(L, -1, collider->name) == LUA_TFUNCTION;
    if (*moves)
        status = tide_call_move(L, -1, scene, collider->name, time, &motion, error);
    if (*moves && status == TIDE_OK)
        *pose = tide_motion_pose(&motion, collider);
    lua_pop(L, 1);
    return status;
}

tide_status tide_scene_move_colliders(lua_State *L, tide_scene *scene, tide_error *error)
{
    if (!push_moves(L, scene))
        return TIDE_OK;
    double time = tide_world_time(scene->world) + tide_world_get_settings(scene->world)->timestep;
    tide_status status = TIDE_OK;
    for (uint32_t i = 0; i < tide_world_collider_count(scene->world) && status == TIDE_OK; i++) {
        tide_collider_id id = tide_world_collider_at(scene->world, i);
        tide_pose pose;
        bool moves;
        status = find_pose(L, scene, tide_world_collider(scene->world, id), time, &pose, &moves, error);
        if (status == TIDE_OK && moves)
            status = tide_world_move_collider(scene->world, id, &pose, error);
    }
    lua_pop(L, 1);
    return status;
}

tide_status tide_scene_find_poses(lua_State *L, tide_scene *scene, double time, tide_pose **poses, tide_error *error)
{
    *poses = NULL;
    if (!push_moves(L, scene))
        return TIDE_OK;
    uint32_t count = tide_world_collider_count(scene->world);
    tide_status status = TIDE_OK;
    *poses = tide_allocate_array(count, sizeof **poses);
    if (!*poses)
        status = tide_fail_memory(error, "scene");
    bool stepping = scene->stepping;
    scene->stepping = true; // stops the functions from adding objects
    for (uint32_t i = 0; i < count && status == TIDE_OK; i++) {
        tide_collider_id id = tide_world_collider_at(scene->world, i);
        bool moves;
        status = find_pose(L, scene, tide_world_collider(scene->world, id), time, *poses + i, &moves, error);
    }
    scene->stepping = stepping;
    if (status != TIDE_OK) {
        tide_free(*poses);
        *poses = NULL;
    }
    lua_pop(L, 1);
    return status;
}

void tide_scene_place_colliders(lua_State *L, tide_scene *scene, const tide_pose *poses)
{
    for (uint32_t i = 0; poses && i < tide_world_collider_count(scene->world); i++) {
        tide_collider_id id = tide_world_collider_at(scene->world, i);
        tide_error unread; // cannot fail: the poses were checked
        if (tide_scene_has_move(L, scene, tide_world_collider(scene->world, id)->name))
            tide_world_place_collider(scene->world, id, poses + i, &unread);
    }
}
