// What the files that bind bodies share. Private to script/. Functions raise Lua errors.
#ifndef TIDE_SCRIPT_BODY_BINDING_H
#define TIDE_SCRIPT_BODY_BINDING_H

#include "script/binding.h"

// The body of a method call, looked up in its world.
typedef struct tide_live_body {
    tide_scene *scene;
    tide_body_info info;
    tide_body_id id;
    char object[TIDE_OBJECT_TEXT]; // its name in messages
} tide_live_body;

// body_binding.c
tide_live_body tide_body_self(lua_State *L); // the object at index 1
// Reads the vertices given by a number, a list or a function at index 2 into a userdata that it pushes.
uint32_t *tide_body_read_vertices(lua_State *L, const tide_live_body *body, const char *field, uint32_t *count);

// body_argument.c
// Reads a body of the scene. Raises an error that names `field` for anything else.
tide_body_id tide_check_body_of(lua_State *L, int index, const tide_scene *scene, const char *field,
                                tide_body_info *info);

// body_forces.c: methods.
int tide_body_reaction(lua_State *L);
int tide_body_contact_force(lua_State *L);
int tide_body_tension(lua_State *L);
int tide_body_stress(lua_State *L);
int tide_body_largest_stress(lua_State *L);

// body_cuts.c: methods, and the properties cut_count and split_count.
int tide_body_cut(lua_State *L);
int tide_body_is_cut(lua_State *L);
int tide_body_cut_count(lua_State *L);
int tide_body_split_count(lua_State *L);
int tide_body_set_stiffness(lua_State *L);

// torn_list.c: calls the scene's `torn` callback with each element that tore in the last step.
tide_status tide_scene_tell_torn(lua_State *L, tide_scene *scene, tide_error *error);

#endif
