// The method scene:picture.
#ifndef TIDE_SCRIPT_SCENE_PICTURE_H
#define TIDE_SCRIPT_SCENE_PICTURE_H

#include "base/field.h"

struct lua_State;
extern const tide_field tide_picture_fields[];
int tide_scene_picture(struct lua_State *L);

#endif
