// The certificate as scenes see it: scene:certify().
#include "script/body_binding.h"
#include "script/collider_binding.h"

#include "world/certificate.h"

static void set_item(lua_State *L, const char *name, uint32_t item)
{
    if (item != TIDE_CROSSING_NONE)
        tide_set_integer(L, name, (lua_Integer)item + 1);
}

static void set_body(lua_State *L, const tide_scene *scene, const char *name, tide_body_id id)
{
    tide_body_info info;
    if (!tide_world_body_info(scene->world, id, &info))
        return;
    tide_body_push(L, 1, id, info.name);
    lua_setfield(L, -2, name);
}

// The scene's handle is at index 1.
static void push_crossing(lua_State *L, const tide_scene *scene, const tide_named_crossing *c)
{
    const tide_collider *collider = tide_world_collider(scene->world, c->collider);
    lua_createtable(L, 0, 7);
    set_body(L, scene, "body", c->body);
    set_item(L, c->kind == TIDE_CROSSING_VERTEX ? "vertex" : c->is_edge ? "edge" : "triangle", c->item);
    set_body(L, scene, "other", c->other);
    if (collider) {
        tide_collider_push(L, 1, c->collider, collider->name);
        lua_setfield(L, -2, "collider");
    }
    set_item(L, "other_triangle", c->other_item);
    tide_push_vec3(L, c->place);
    lua_setfield(L, -2, "position");
    lua_pushboolean(L, c->let_pass);
    lua_setfield(L, -2, "allowed");
}

int tide_scene_certify(lua_State *L)
{
    tide_scene *scene = tide_scene_self(L);
    tide_certificate found;
    tide_error error;
    char text[600];
    tide_raise_unless_ok(L, tide_world_certify(scene->world, &found, &error), &error);
    tide_certificate_write(scene->world, &found, text, sizeof text);
    lua_settop(L, 1);
    lua_createtable(L, 0, 6);
    lua_pushboolean(L, tide_certificate_is_clean(&found));
    lua_setfield(L, -2, "clean");
    tide_set_integer(L, "count", (lua_Integer)found.count);
    tide_set_integer(L, "allowed", (lua_Integer)found.let_pass);
    lua_pushboolean(L, found.complete);
    lua_setfield(L, -2, "complete");
    lua_pushstring(L, text);
    lua_setfield(L, -2, "text");
    lua_createtable(L, (int)found.listed, 0);
    for (uint32_t i = 0; i < found.listed; i++) {
        tide_named_crossing crossing;
        tide_world_crossing(scene->world, i, &crossing);
        push_crossing(L, scene, &crossing);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    lua_setfield(L, -2, "crossings");
    return 1;
}
