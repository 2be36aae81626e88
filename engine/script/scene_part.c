// What bodies and colliders in Lua have in common: ids in their scene's world, looked up anew on every use.
#include "script/binding.h"

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
