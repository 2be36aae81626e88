// Code shared by bodies and colliders in Lua: each is an id in its scene's world and is looked up on every use.
#include "script/collider_binding.h"

#include "world/deform_state.h"

#include <stdio.h>

void tide_part_name(const char *noun, const char *name, char object[TIDE_OBJECT_TEXT])
{
    snprintf(object, TIDE_OBJECT_TEXT, "%s \"%.63s\"", noun, name);
}

void tide_part_push(lua_State *L, const tide_class *class, int scene, uint32_t index, uint32_t generation,
                    const char *name)
{
    scene = lua_absindex(L, scene);
    tide_part_handle *part = tide_object_new(L, class, sizeof *part, 1);
    part->index = index;
    part->generation = generation;
    part->scene = lua_touserdata(L, scene);
    snprintf(part->name, sizeof part->name, "%s", name);
    lua_pushvalue(L, scene);
    lua_setiuservalue(L, -2, 1);
}

const char *tide_part_check_name(lua_State *L, int index, const char *noun)
{
    if (lua_istable(L, index))
        tide_raise_bad(L, "scene", noun, "a table", "expected its name first: scene:%s(\"NAME\", { ... })", noun);
    return tide_check_text(L, index, "scene", noun);
}

_Noreturn void tide_part_gone(lua_State *L, const char *noun, const char *name)
{
    char object[TIDE_OBJECT_TEXT];
    snprintf(object, sizeof object, "%s \"%.63s\" is gone", noun, name);
    tide_raise_bad(L, object, NULL, NULL, "the scene has no such %s since its script was run again", noun);
}

_Noreturn void tide_part_missing(lua_State *L, const char *noun, const char *name, const char *const names[],
                                 uint32_t count, const char *definition)
{
    const char *nearest = tide_nearest_name(name, names, count);
    char shown[TIDE_VALUE_TEXT_SIZE];
    snprintf(shown, sizeof shown, "\"%.80s\"", name);
    if (nearest)
        tide_raise_bad(L, "scene", noun, shown, "there is no such %s; did you mean \"%s\"?", noun, nearest);
    tide_raise_bad(L, "scene", noun, shown, "there is no such %s; to make one give its definition, %s", noun,
                   definition);
}

int tide_part_equal(lua_State *L, const tide_class *class)
{
    const tide_part_handle *a = tide_object_test(L, 1, class), *b = tide_object_test(L, 2, class);
    lua_pushboolean(L, a && b && a->scene->scene == b->scene->scene && a->index == b->index &&
                           a->generation == b->generation);
    return 1;
}

tide_scene *tide_body_live(lua_State *L, const tide_body_handle *body, tide_body_info *info)
{
    tide_scene *scene = tide_scene_live(L, body->scene);
    if (!tide_world_body_info(scene->world, tide_body_id_of(body), info))
        tide_part_gone(L, "body", body->name);
    return scene;
}

double *tide_collider_targets(lua_State *L, const tide_collider_handle *handle, tide_scene **scene, uint32_t *count)
{
    tide_error error;
    double *positions = NULL;
    tide_collider_id id = { handle->index, handle->generation };
    *scene = tide_scene_live(L, handle->scene);
    if (!tide_world_collider((*scene)->world, id))
        tide_part_gone(L, "collider", handle->name);
    tide_raise_unless_ok(L, tide_world_deform_targets((*scene)->world, id, &positions, count, &error), &error);
    return positions;
}

void tide_name_collider(const char *name, char object[TIDE_OBJECT_TEXT])
{
    tide_part_name("collider", name, object);
}
