// Bodies as arguments of scene functions.
#include "script/body_binding.h"

tide_body_id tide_check_body_of(lua_State *L, int index, const tide_scene *scene, const char *field,
                                tide_body_info *info)
{
    char shown[TIDE_VALUE_TEXT_SIZE];
    const tide_body_handle *body = tide_object_test(L, index, &tide_body_class);
    if (!body)
        tide_raise_bad(L, "scene", field, tide_show(L, index, shown), "expected a body, as scene:body gives one");
    if (tide_body_live(L, body, info) != scene)
        tide_raise_bad(L, "scene", field, tide_show(L, index, shown), "body \"%.63s\" is of another scene", body->name);
    return tide_body_id_of(body);
}
