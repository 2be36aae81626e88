// Contacts as scenes see them: scene:contacts() and the callback `contact`.
#include "script/body_binding.h"
#include "script/collider_binding.h"

#include <stdio.h>
#include <string.h>

// Stack indices while contacts are pushed: a handle of the scene, and tables of the handles of bodies and colliders
// made so far, keyed by index.
typedef struct pushing {
    tide_scene *scene;
    int handle, bodies, colliders;
} pushing;

static void push_body(lua_State *L, const pushing *on, tide_body_id id)
{
    tide_body_info info;
    if (lua_rawgeti(L, on->bodies, (lua_Integer)id.index) == LUA_TUSERDATA)
        return;
    lua_pop(L, 1);
    if (!tide_world_body_info(on->scene->world, id, &info)) {
        lua_pushnil(L);
        return;
    }
    tide_body_push(L, on->handle, id, info.name);
    lua_pushvalue(L, -1);
    lua_rawseti(L, on->bodies, (lua_Integer)id.index);
}

static void push_collider(lua_State *L, const pushing *on, tide_collider_id id)
{
    const tide_collider *collider = tide_world_collider(on->scene->world, id);
    if (lua_rawgeti(L, on->colliders, (lua_Integer)id.index) == LUA_TUSERDATA)
        return;
    lua_pop(L, 1);
    if (!collider) {
        lua_pushnil(L);
        return;
    }
    tide_collider_push(L, on->handle, id, collider->name);
    lua_pushvalue(L, -1);
    lua_rawseti(L, on->colliders, (lua_Integer)id.index);
}

static void push_contact(lua_State *L, const pushing *on, const tide_contact *contact)
{
    lua_createtable(L, 0, 9);
    push_body(L, on, contact->body);
    lua_setfield(L, -2, "body");
    tide_set_integer(L, "vertex", (lua_Integer)contact->vertex + 1);
    if (contact->other.index) {
        push_body(L, on, contact->other);
        lua_setfield(L, -2, "other");
        tide_set_integer(L, "other_vertex", (lua_Integer)contact->other_vertex + 1);
    } else {
        push_collider(L, on, contact->collider);
        lua_setfield(L, -2, "collider");
    }
    tide_push_vec3(L, contact->point);
    lua_setfield(L, -2, "point");
    tide_push_vec3(L, contact->normal);
    lua_setfield(L, -2, "normal");
    tide_set_number(L, "depth", contact->depth);
    tide_set_number(L, "force", contact->force);
    tide_push_vec3(L, contact->friction);
    lua_setfield(L, -2, "friction");
}

int tide_scene_contacts(lua_State *L)
{
    tide_scene *scene = tide_scene_self(L);
    uint32_t count;
    const tide_contact *contacts = tide_world_contacts(scene->world, &count);
    lua_settop(L, 1);
    lua_newtable(L);
    lua_newtable(L);
    const pushing on = { scene, 1, 2, 3 };
    lua_createtable(L, count < INT32_MAX ? (int)count : 0, 0);
    for (uint32_t i = 0; i < count; i++) {
        push_contact(L, &on, &contacts[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    return 1;
}

// --- the callback ----------------------------------------------------------------------------------------------------

// Shares each handle among all contacts.
static tide_status tell(lua_State *L, tide_scene *scene, const tide_contact *contacts, uint32_t count,
                        tide_error *error)
{
    int top = lua_gettop(L);
    tide_status status = TIDE_OK;
    luaL_checkstack(L, 24, NULL);
    tide_scene_push(L, tide_scene_origin(scene)); // like the script's own handle
    lua_newtable(L);
    lua_newtable(L);
    const pushing on = { scene, top + 1, top + 2, top + 3 };
    for (uint32_t i = 0; i < count && status == TIDE_OK; i++) {
        push_contact(L, &on, &contacts[i]);
        status = tide_scene_callback(L, scene, "contact", 1, error);
    }
    lua_settop(L, top);
    return status;
}

tide_status tide_scene_tell_contacts(lua_State *L, tide_scene *scene, tide_error *error)
{
    static const char note[] = " (in scene.contact: the step has been taken)";
    uint32_t count;
    const tide_contact *contacts = tide_world_contacts(scene->world, &count);
    if (!count)
        return TIDE_OK;
    // Copies the list, because the callback may change the world.
    tide_contact *copy = lua_newuserdatauv(L, count * sizeof *copy, 0);
    memcpy(copy, contacts, count * sizeof *copy);
    tide_status status = tell(L, scene, copy, count, error);
    size_t length = strlen(error->remedy);
    if (status != TIDE_OK && length + sizeof note <= sizeof error->remedy)
        memcpy(error->remedy + length, note, sizeof note);
    lua_pop(L, 1);
    return status;
}

// --- switching contact between bodies --------------------------------------------------------------------------------

int tide_scene_set_touching(lua_State *L)
{
    tide_scene *scene = tide_scene_self(L);
    char shown[TIDE_VALUE_TEXT_SIZE];
    tide_error error;
    tide_body_info info;
    tide_body_id a = tide_check_body_of(L, 2, scene, "set_touching", &info);
    tide_body_id b = tide_check_body_of(L, 3, scene, "set_touching", &info);
    if (!lua_isboolean(L, 4))
        tide_raise_bad(L, "scene", "set_touching", tide_show(L, 4, shown), "expected true or false after two bodies");
    tide_raise_unless_ok(L, tide_world_set_touching(scene->world, a, b, lua_toboolean(L, 4), &error), &error);
    lua_settop(L, 1);
    return 1;
}
