// What the methods of bodies read: the body itself, and vertices.
#include "script/body_binding.h"

tide_live_body tide_body_self(lua_State *L)
{
    const tide_body_handle *body = tide_object_named(L, 1, "tide.Body"); // by name: the class uses this file
    char shown[TIDE_VALUE_TEXT_SIZE];
    if (!body)
        tide_raise_bad(L, "body", NULL, NULL,
                       "expected a body before the method's name, not %s; call it with a colon: body:method(...)",
                       tide_show(L, 1, shown));
    tide_live_body live = { .id = tide_body_id_of(body) };
    live.scene = tide_body_live(L, body, &live.info);
    live.info.vertex_count = live.info.face->vertex_count; // scripts name the vertices of the mesh that they gave
    live.info.triangle_count = live.info.face->triangle_count;
    tide_part_name("body", body->name, live.object);
    return live;
}

uint32_t *tide_body_read_vertices(lua_State *L, const tide_live_body *body, const char *field, uint32_t *count)
{
    char shown[TIDE_VALUE_TEXT_SIZE];
    uint32_t vertex_count = body->info.vertex_count;
    bool listed = lua_istable(L, 2);
    size_t size = listed ? lua_rawlen(L, 2) : lua_isfunction(L, 2) ? vertex_count : 1;
    uint32_t *vertices = lua_newuserdatauv(L, size * sizeof *vertices + 1, 0);
    *count = 0;
    if (lua_type(L, 2) == LUA_TNUMBER) {
        vertices[(*count)++] = tide_check_index(L, 2, vertex_count, body->object, field, "a vertex");
    } else if (listed) {
        for (size_t i = 0; i < size; i++) {
            lua_rawgeti(L, 2, (lua_Integer)i + 1);
            vertices[(*count)++] = tide_check_index(L, -1, vertex_count, body->object, field, "a vertex");
            lua_pop(L, 1);
        }
    } else if (lua_isfunction(L, 2)) {
        for (uint32_t i = 0; i < vertex_count; i++) {
            double x[3];
            tide_world_vertex(body->scene->world, body->id, i, x, NULL);
            lua_pushvalue(L, 2);
            lua_pushinteger(L, (lua_Integer)i + 1);
            for (int k = 0; k < 3; k++)
                lua_pushnumber(L, x[k]);
            tide_call_field(L, 4, 1, body->object, field);
            if (lua_toboolean(L, -1))
                vertices[(*count)++] = i;
            lua_pop(L, 1);
            // The function may have moved the world's memory.
            tide_body_info now;
            if (tide_body_live(L, lua_touserdata(L, 1), &now) != body->scene || now.face->vertex_count != vertex_count)
                tide_raise_bad(L, body->object, field, NULL, "the function changed the scene");
        }
    } else
        tide_raise_bad(L, body->object, field, tide_show(L, 2, shown),
                       "expected a list of vertices or a function(i, x, y, z) that tells which");
    return vertices;
}
