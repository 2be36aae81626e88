// tide.mesh: the builders of the mesh library's list, `load` and `new`.
#define _POSIX_C_SOURCE 200809L
#include "script/binding.h"

#include "base/hash.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

// Pushes the mesh of a key, or returns false with an empty handle on top.
static bool push_cached(lua_State *L, uint64_t kind, const void *key, size_t size)
{
    tide_mesh_push_handle(L);
    const tide_mesh *mesh = tide_mesh_cache_find(kind, key, size);
    if (mesh)
        tide_mesh_hand_over(L, mesh);
    return mesh != NULL;
}

// Upvalues: the run, the builder.
int tide_mesh_build_call(lua_State *L)
{
    const tide_mesh_builder *builder = lua_touserdata(L, lua_upvalueindex(2));
    char owner[TIDE_OBJECT_TEXT];
    snprintf(owner, sizeof owner, "mesh %s", builder->name);
    void *definition = lua_newuserdatauv(L, builder->definition_size + 1, 0);
    memset(definition, 0, builder->definition_size); // also between its fields: it is the key
    tide_fields_default(builder->fields, definition);
    tide_read_fields(L, 1, builder->fields, owner, definition, 0);
    uint64_t kind = tide_hash_string(TIDE_HASH_START, builder->name);
    if (push_cached(L, kind, definition, builder->definition_size))
        return 1;
    tide_error error;
    tide_mesh *mesh = NULL;
    tide_raise_unless_ok(L, builder->build(definition, &mesh, &error), &error);
    tide_mesh_hand_over(L, mesh);
    tide_mesh_cache_add(kind, definition, builder->definition_size, mesh);
    return 1;
}

typedef struct file_key {
    uint64_t path;
    int64_t size, seconds, nanoseconds;
} file_key;

int tide_mesh_load_call(lua_State *L)
{
    const char *given = tide_check_text(L, 1, "mesh load", "path");
    const char *path = tide_run_resolve(L, tide_run_of_upvalue(L), given);
    struct stat status = { 0 };
    file_key key = { .size = -1 };
    if (stat(path, &status) == 0)
        key = (file_key) { tide_hash_string(TIDE_HASH_START, path), status.st_size, status.st_mtim.tv_sec,
                           status.st_mtim.tv_nsec };
    if (push_cached(L, 0, &key, sizeof key))
        return 1;
    tide_error error;
    tide_mesh *mesh = NULL;
    if (tide_mesh_load(path, &mesh, &error) != TIDE_OK)
        return tide_push_failure(L, &error);
    tide_mesh_hand_over(L, mesh);
    if (key.size >= 0)
        tide_mesh_cache_add(0, &key, sizeof key, mesh);
    return 1;
}

// --- tide.mesh.new ---------------------------------------------------------------------------------------------------

const tide_field tide_mesh_new_fields[] = {
    { "vertices", TIDE_FIELD_OTHER, .required = true, .unit = "m", .lua_type = "number[][] | number[]",
      .help = "{ {x, y, z}, ... } or a flat list" },
    { "edges", TIDE_FIELD_OTHER, .lua_type = "integer[][] | integer[]",
      .help = "{ {i, j}, ... }; without it those of the triangles and tetrahedra", .initial_text = "none" },
    { "triangles", TIDE_FIELD_OTHER, .lua_type = "integer[][] | integer[]",
      .help = "{ {i, j, k}, ... }, counter-clockwise from outside; without it the surface of the tetrahedra",
      .initial_text = "none" },
    { "tetrahedra", TIDE_FIELD_OTHER, .lua_type = "integer[][] | integer[]", .help = "{ {i, j, k, l}, ... }",
      .initial_text = "none" },
    { "texture", TIDE_FIELD_OTHER, .lua_type = "number[][] | number[]",
      .help = "texture coordinates, { {u, v}, ... } or a flat list", .initial_text = "none" },
    { 0 },
};

static const char new_mesh[] = "mesh new";

// A list of lists of `width` items, or a flat list; how many groups of `width` there are.
static uint32_t count_groups(lua_State *L, int list, const char *field, int width, bool *flat)
{
    char shown[TIDE_VALUE_TEXT_SIZE];
    if (!lua_istable(L, list))
        tide_raise_bad(L, new_mesh, field, tide_show(L, list, shown), "expected a list");
    size_t length = lua_rawlen(L, list);
    *flat = lua_rawgeti(L, list, 1) != LUA_TTABLE;
    lua_pop(L, 1);
    if (*flat && length % (size_t)width) {
        snprintf(shown, sizeof shown, "%zu numbers", length);
        tide_raise_bad(L, new_mesh, field, shown, "expected a multiple of %d numbers", width);
    }
    size_t count = *flat ? length / (size_t)width : length;
    if (count > INT32_MAX / 4)
        tide_raise_bad(L, new_mesh, field, NULL, "the list is too long");
    return (uint32_t)count;
}

// Pushes item k of group i.
static void push_item(lua_State *L, int list, const char *field, uint32_t i, int k, int width, bool flat)
{
    if (flat) {
        lua_rawgeti(L, list, (lua_Integer)i * width + k + 1);
        return;
    }
    char name[64], shown[TIDE_VALUE_TEXT_SIZE];
    if (lua_rawgeti(L, list, (lua_Integer)i + 1) != LUA_TTABLE || lua_rawlen(L, -1) != (size_t)width) {
        snprintf(name, sizeof name, "%.32s[%u]", field, i + 1);
        tide_raise_bad(L, new_mesh, name, tide_show(L, -1, shown), "expected a list of %d numbers", width);
    }
    lua_rawgeti(L, -1, k + 1);
    lua_remove(L, -2);
}

static const char *item_name(char name[64], const char *field, uint32_t i)
{
    snprintf(name, 64, "%.32s[%u]", field, i + 1);
    return name;
}

// The numbers of a field in a userdata that it pushes; NULL (and nil pushed) when the field is absent.
static double *read_points(lua_State *L, const char *field, int width, uint32_t *count)
{
    lua_pushstring(L, field);
    if (lua_rawget(L, 1) == LUA_TNIL)
        return NULL;
    bool flat;
    int list = lua_gettop(L);
    char name[64];
    *count = count_groups(L, list, field, width, &flat);
    double *values = lua_newuserdatauv(L, (size_t)*count * (size_t)width * sizeof *values + 1, 0);
    for (uint32_t i = 0; i < *count; i++)
        for (int k = 0; k < width; k++) {
            push_item(L, list, field, i, k, width, flat);
            values[(size_t)i * (size_t)width + (size_t)k] =
                tide_check_number(L, -1, new_mesh, item_name(name, field, i));
            lua_pop(L, 1);
        }
    return values;
}

static uint32_t *read_indices(lua_State *L, const char *field, int width, uint32_t vertex_count, uint32_t *count)
{
    lua_pushstring(L, field);
    if (lua_rawget(L, 1) == LUA_TNIL)
        return NULL;
    bool flat;
    int list = lua_gettop(L);
    char name[64];
    *count = count_groups(L, list, field, width, &flat);
    uint32_t *values = lua_newuserdatauv(L, (size_t)*count * (size_t)width * sizeof *values + 1, 0);
    for (uint32_t i = 0; i < *count; i++)
        for (int k = 0; k < width; k++) {
            push_item(L, list, field, i, k, width, flat);
            values[(size_t)i * (size_t)width + (size_t)k] =
                tide_check_index(L, -1, vertex_count, new_mesh, item_name(name, field, i), "a vertex");
            lua_pop(L, 1);
        }
    return values;
}

int tide_mesh_new_call(lua_State *L)
{
    tide_mesh_parts parts = { 0 };
    uint32_t texture_count = 0;
    luaL_checkstack(L, 24, NULL);
    tide_read_fields(L, 1, tide_mesh_new_fields, new_mesh, NULL, 0);
    parts.vertices = read_points(L, "vertices", 3, &parts.vertex_count);
    parts.texture = read_points(L, "texture", 2, &texture_count);
    if (parts.texture && texture_count != parts.vertex_count)
        tide_raise_bad(L, new_mesh, "texture", NULL, "expected one entry for each of the %u vertices, got %u",
                       parts.vertex_count, texture_count);
    parts.edges = read_indices(L, "edges", 2, parts.vertex_count, &parts.edge_count);
    parts.triangles = read_indices(L, "triangles", 3, parts.vertex_count, &parts.triangle_count);
    parts.tetrahedra = read_indices(L, "tetrahedra", 4, parts.vertex_count, &parts.tetrahedron_count);
    tide_mesh *mesh = NULL;
    tide_error error;
    tide_mesh_push_handle(L);
    tide_raise_unless_ok(L, tide_mesh_create(&parts, &mesh, &error), &error);
    tide_mesh_hand_over(L, mesh);
    return 1;
}

const tide_member tide_mesh_functions[] = {
    { "load", tide_mesh_load_call, .type = "(path: string): tide.Mesh?, string?",
      .help =
          "Reads an .obj or .mesh file, first sought in the scene's folder. Returns the mesh, or nil and a message." },
    { "new", tide_mesh_new_call, .type = "(definition: tide.MeshNew): tide.Mesh",
      .help = "A mesh of lists of vertices, edges, triangles and tetrahedra." },
    { 0 },
};
