// Joints in Lua: scene:attach(a, b, { joint = ... }) and the class tide.Joint.
#ifndef TIDE_SCRIPT_JOINT_BINDING_H
#define TIDE_SCRIPT_JOINT_BINDING_H

#include "script/binding.h"

extern const tide_class tide_joint_class;

// Adds the joint that scene:attach asks for, and pushes it. The arguments of scene:attach are from index 1; the options
// are the last of them.
int tide_scene_join(lua_State *L, tide_scene *scene);

#endif
