// Colliders and contacts in Lua: the class tide.Collider, functions of time that move colliders, and contact reports to
// scenes.
#ifndef TIDE_SCRIPT_COLLIDER_BINDING_H
#define TIDE_SCRIPT_COLLIDER_BINDING_H

#include "script/binding.h"

typedef tide_part_handle tide_collider_handle;
extern const tide_class tide_collider_class;

int tide_scene_collider(lua_State *L), tide_scene_colliders(lua_State *L); // scene:collider, scene:colliders
int tide_scene_contacts(lua_State *L), tide_scene_set_touching(lua_State *L);
int tide_scene_certify(lua_State *L); // scene_certificate.c
void tide_collider_push(lua_State *L, int scene, tide_collider_id id, const char *name);
void tide_name_collider(const char *name, char object[TIDE_OBJECT_TEXT]); // collider "ball"

extern const tide_field tide_attach_collider_fields[]; // fields of scene:attach to a collider

// Returns the target positions of a collider's vertices at the end of the next step (3 * count), m. Raises an error.
double *tide_collider_targets(lua_State *L, const tide_collider_handle *handle, tide_scene **scene, uint32_t *count);

// --- definitions

// Reads the table of scene:collider. Pushes the values that the definition points to. `move` is the index of its move
// function, or 0.
void tide_read_collider(lua_State *L, int index, const char *owner, tide_collider_def *def, int *move);
// Reads { axis x, axis y, axis z, angle in radians } as a quaternion.
void tide_check_rotation(lua_State *L, int index, const char *object, const char *field, double quaternion[4]);
// Reads what a shape has besides the fields of its field table into the definition. Pushes the values that it points
// to. `index` is the script's table.
void tide_read_shape(lua_State *L, int index, const char *owner, const tide_shape_kind *kind, void *definition);

// --- motion

// The target pose of a collider. Missing parts are as in the collider's definition.
typedef struct tide_motion {
    bool has_position, has_rotation;
    double position[3], rotation[4];
} tide_motion;
// Reads the values from `first` to the top: x, y, z or { x, y, z }, each with an optional rotation; or { position =,
// rotation = }.
tide_motion tide_check_motion(lua_State *L, int first, const char *object, const char *field);
tide_pose tide_motion_pose(const tide_motion *motion, const tide_collider *collider);

// Calls the function at `index` with a time (s) and reads its result. Errors name the collider and `move`; for an
// invalid result they also give the function's location.
tide_status tide_call_move(lua_State *L, int index, tide_scene *scene, const char *name, double time,
                           tide_motion *motion, tide_error *error);
void tide_scene_set_move(lua_State *L, const tide_scene *scene, const char *name, int function); // 0: none
bool tide_scene_has_move(lua_State *L, const tide_scene *scene, const char *name);               // NULL: any
// Moves the colliders that have a move function to their targets at the end of the next step.
tide_status tide_scene_move_colliders(lua_State *L, tide_scene *scene, tide_error *error);
// tide_scene_find_poses returns the poses at `time` of all colliders that have a move function, in order. The caller
// frees them; NULL if there are none. tide_scene_place_colliders sets these poses.
tide_status tide_scene_find_poses(lua_State *L, tide_scene *scene, double time, tide_pose **poses, tide_error *error);
void tide_scene_place_colliders(lua_State *L, tide_scene *scene, const tide_pose *poses);

// --- contacts

// Calls the scene's `contact` callback with each contact of the last step.
tide_status tide_scene_tell_contacts(lua_State *L, tide_scene *scene, tide_error *error);

#endif
