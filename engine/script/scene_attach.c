// scene:attach: springs between bodies, vertices held by colliders, and joints.
#include "script/body_binding.h"
#include "script/collider_binding.h"
#include "script/joint_binding.h"

#include "world/collider_attachments.h"

#include <stdio.h>
#include <string.h>

typedef struct end {
    tide_body_id id;
    tide_body_info info;
} end;

static end read_body(lua_State *L, int index, const tide_scene *scene, const char *field)
{
    end end;
    end.id = tide_check_body_of(L, index, scene, field, &end.info);
    return end;
}

// Returns whether the arguments ask for a joint: a table with `joint` follows the bodies.
static bool is_joint(lua_State *L)
{
    int options = lua_istable(L, 3) ? 3 : 4;
    bool named = lua_istable(L, options) && lua_getfield(L, options, "joint") != LUA_TNIL;
    return named || (options == 4 && tide_object_test(L, 3, &tide_body_class));
}

// Returns the number of vertices of an index or a list; read_vertex reads each.
static uint32_t count_vertices(lua_State *L, int index)
{
    size_t count = lua_istable(L, index) ? lua_rawlen(L, index) : 1;
    return count < INT32_MAX ? (uint32_t)count : INT32_MAX;
}

static uint32_t read_vertex(lua_State *L, int index, uint32_t i, const end *end)
{
    char object[TIDE_OBJECT_TEXT];
    snprintf(object, sizeof object, "body \"%.63s\"", end->info.name);
    if (!lua_istable(L, index))
        return tide_check_index(L, index, end->info.face->vertex_count, object, "attach", "a vertex");
    lua_rawgeti(L, index, (lua_Integer)i + 1);
    uint32_t vertex = tide_check_index(L, -1, end->info.face->vertex_count, object, "attach", "a vertex");
    lua_pop(L, 1);
    return vertex;
}

static bool is_nearest(lua_State *L, int index)
{
    char shown[TIDE_VALUE_TEXT_SIZE];
    if (lua_type(L, index) != LUA_TSTRING)
        return false;
    if (strcmp(lua_tostring(L, index), "nearest") != 0)
        tide_raise_bad(L, "scene", "attach", tide_show(L, index, shown),
                       "expected a vertex, a list of vertices or \"nearest\"");
    return true;
}

// --- to a collider

const tide_field tide_attach_collider_fields[] = {
    { .name = "stiffness",
      .type = TIDE_FIELD_REAL,
      .initial = { TIDE_NOT_GIVEN },
      .initial_text = "nil",
      .maximum = 1e15,
      .positive = true,
      .unit = "N/m",
      .help = "stiffness of the zero-length spring that holds each vertex; default: vertices are held exactly" },
    { .name = NULL },
};

// scene:attach(a, vertices, collider [, "nearest"] [, options])
static int attach_to_collider(lua_State *L, tide_scene *scene, const tide_collider_handle *handle)
{
    char shown[TIDE_VALUE_TEXT_SIZE];
    end a = read_body(L, 2, scene, "attach");
    const tide_collider_id id = { handle->index, handle->generation };
    if (tide_scene_live(L, handle->scene) != scene)
        tide_raise_bad(L, "scene", "attach", tide_show(L, 4, shown), "this collider is of another scene");
    if (!tide_world_collider(scene->world, id))
        tide_part_gone(L, "collider", handle->name);
    bool nearest = is_nearest(L, 5);
    if (!nearest && !lua_isnil(L, 5) && !(lua_istable(L, 5) && lua_isnil(L, 6)))
        tide_raise_bad(L, "scene", "attach", tide_show(L, 5, shown),
                       "to a collider, expected \"nearest\", a table of options or nothing");
    int options = lua_istable(L, 5) ? 5 : 6;
    double stiffness = TIDE_NOT_GIVEN;
    if (!lua_isnil(L, options))
        tide_read_fields(L, options, tide_attach_collider_fields, "attach", &stiffness, 0);
    uint32_t count = count_vertices(L, 3);
    uint32_t *vertices = lua_newuserdatauv(L, (size_t)count * sizeof *vertices + 1, 0);
    for (uint32_t i = 0; i < count; i++)
        vertices[i] = read_vertex(L, 3, i, &a);
    tide_error error;
    tide_raise_unless_ok(
        L, tide_world_attach_to_collider(scene->world, a.id, vertices, count, id, nearest, stiffness, &error), &error);
    lua_settop(L, 1);
    return 1;
}

// Reads all vertices before it attaches any, so that one out of range changes nothing.
int tide_scene_attach(lua_State *L)
{
    tide_scene *scene = tide_scene_self(L);
    lua_settop(L, 6);
    bool joint = is_joint(L);
    lua_settop(L, 6);
    if (joint)
        return tide_scene_join(L, scene);
    const tide_collider_handle *collider = tide_object_test(L, 4, &tide_collider_class);
    if (collider)
        return attach_to_collider(L, scene, collider);
    end a = read_body(L, 2, scene, "attach"), b = read_body(L, 4, scene, "attach");
    bool nearest = is_nearest(L, 5);
    tide_attach_def def;
    tide_fields_default(tide_attach_fields, &def);
    if (lua_isnil(L, 6))
        lua_newtable(L);
    else
        lua_pushvalue(L, 6);
    tide_read_fields(L, -1, tide_attach_fields, "attach", &def, 0);
    uint32_t count = count_vertices(L, 3), others = nearest ? count : count_vertices(L, 5);
    // Pairs a single vertex with every vertex of a list.
    bool one = !lua_istable(L, 3);
    if (one)
        count = others;
    if (others != count && lua_istable(L, 5))
        tide_raise_bad(L, "scene", "attach", NULL,
                       "%u vertices of \"%.40s\" and %u of \"%.40s\": expected the same number", count, a.info.name,
                       others, b.info.name);
    uint32_t *from = lua_newuserdatauv(L, 2 * (size_t)count * sizeof *from + 1, 0), *to = from + count;
    for (uint32_t i = 0; i < count; i++) {
        from[i] = read_vertex(L, 3, i, &a);
        to[i] = nearest ? 0 : read_vertex(L, 5, i, &b);
    }
    tide_error error;
    if (nearest)
        tide_raise_unless_ok(L, tide_world_attach_nearest(scene->world, a.id, from, count, b.id, &def, &error), &error);
    for (uint32_t i = 0; i < count && !nearest; i++)
        tide_raise_unless_ok(L, tide_world_attach(scene->world, a.id, from[i], b.id, to[i], &def, &error), &error);
    lua_settop(L, 1);
    return 1;
}
