// tide.mesh: the builders that the mesh library lists, `load` and `new`.
#include "script/binding.h"

#include "base/hash.h"
#include "base/portable.h"
#include "formats/mesh_file.h"

#include <stdio.h>
#include <string.h>

// Pushes the cached mesh of a key. Returns false and leaves an empty handle on top if there is none.
static bool push_cached(lua_State *L, uint64_t kind, const void *key, size_t size)
{
    tide_mesh_push_handle(L);
    const tide_mesh *mesh = tide_mesh_cache_find(kind, key, size);
    if (mesh)
        tide_mesh_hand_over(L, mesh);
    return mesh != NULL;
}

// --- lists of lists --------------------------------------------------------------------------------------------------

// A field of the table at index 1: a list of lists with `width` items each, or a flat list.
typedef struct list {
    const char *owner, *field;
    int width, index; // index: stack index of the list
    bool flat;
    uint32_t count; // number of groups of `width` items
} list;

// Pushes the field. Returns false if it is absent.
static bool open_list(lua_State *L, list *list)
{
    char shown[TIDE_VALUE_TEXT_SIZE];
    lua_pushstring(L, list->field);
    if (lua_rawget(L, 1) == LUA_TNIL)
        return false;
    list->index = lua_gettop(L);
    if (!lua_istable(L, list->index))
        tide_raise_bad(L, list->owner, list->field, tide_show(L, list->index, shown), "expected a list");
    size_t length = lua_rawlen(L, list->index), width = (size_t)list->width;
    list->flat = lua_rawgeti(L, list->index, 1) != LUA_TTABLE;
    lua_pop(L, 1);
    if (list->flat && length % width) {
        snprintf(shown, sizeof shown, "%zu numbers", length);
        tide_raise_bad(L, list->owner, list->field, shown, "expected a multiple of %d numbers", list->width);
    }
    size_t count = list->flat ? length / width : length;
    if (count > INT32_MAX / 4)
        tide_raise_bad(L, list->owner, list->field, NULL, "the list is too long");
    list->count = (uint32_t)count;
    return true;
}

static const char *item_name(char name[64], const list *list, uint32_t i)
{
    snprintf(name, 64, "%.32s[%u]", list->field, i + 1);
    return name;
}

// Pushes item k of group i.
static void push_item(lua_State *L, const list *list, uint32_t i, int k)
{
    if (list->flat) {
        lua_rawgeti(L, list->index, (lua_Integer)i * list->width + k + 1);
        return;
    }
    char name[64], shown[TIDE_VALUE_TEXT_SIZE];
    lua_rawgeti(L, list->index, (lua_Integer)i + 1);
    tide_property_plain(L, -1);
    if (!lua_istable(L, -1) || lua_rawlen(L, -1) != (size_t)list->width)
        tide_raise_bad(L, list->owner, item_name(name, list, i), tide_show(L, -1, shown),
                       "expected a list of %d numbers", list->width);
    lua_rawgeti(L, -1, k + 1);
    lua_remove(L, -2);
}

// Reads the numbers of a field into a userdata that it pushes. Pushes nil and returns NULL if the field is absent.
static double *read_points(lua_State *L, const char *owner, const char *field, int width, uint32_t *count)
{
    list list = { .owner = owner, .field = field, .width = width };
    if (!open_list(L, &list))
        return NULL;
    char name[64];
    *count = list.count;
    double *values = lua_newuserdatauv(L, (size_t)list.count * (size_t)width * sizeof *values + 1, 0);
    for (uint32_t i = 0; i < list.count; i++)
        for (int k = 0; k < width; k++) {
            push_item(L, &list, i, k);
            values[(size_t)i * (size_t)width + (size_t)k] = tide_check_number(L, -1, owner, item_name(name, &list, i));
            lua_pop(L, 1);
        }
    return values;
}

static uint32_t *read_indices(lua_State *L, const char *owner, const char *field, int width, uint32_t vertex_count,
                              uint32_t *count)
{
    list list = { .owner = owner, .field = field, .width = width };
    if (!open_list(L, &list))
        return NULL;
    char name[64];
    *count = list.count;
    uint32_t *values = lua_newuserdatauv(L, (size_t)list.count * (size_t)width * sizeof *values + 1, 0);
    for (uint32_t i = 0; i < list.count; i++)
        for (int k = 0; k < width; k++) {
            push_item(L, &list, i, k);
            values[(size_t)i * (size_t)width + (size_t)k] =
                tide_check_index(L, -1, vertex_count, owner, item_name(name, &list, i), "a vertex");
            lua_pop(L, 1);
        }
    return values;
}

// --- tide.mesh.NAME --------------------------------------------------------------------------------------------------

static bool is_mesh(const tide_field *field)
{
    return field->type == TIDE_FIELD_OTHER && field->lua_type && strcmp(field->lua_type, "tide.Mesh") == 0;
}

static bool is_points(const tide_field *field)
{
    return field->type == TIDE_FIELD_OTHER && field->lua_type && strncmp(field->lua_type, "number[][]", 10) == 0;
}

static const tide_mesh *read_mesh(lua_State *L, const char *owner, const char *field)
{
    char shown[TIDE_VALUE_TEXT_SIZE];
    lua_pushstring(L, field);
    if (lua_rawget(L, 1) == LUA_TNIL)
        return NULL;
    const tide_mesh *mesh = tide_mesh_of(L, -1);
    if (!mesh)
        tide_raise_bad(L, owner, field, tide_show(L, -1, shown), "expected a mesh, as tide.mesh.grid { ... } makes");
    return mesh;
}

// Pushes the values that the definition points to. Returns how many bytes write_key appends for them.
static size_t read_pointers(lua_State *L, const tide_mesh_builder *builder, const char *owner, char *definition)
{
    size_t size = 0;
    for (const tide_field *field = builder->fields; field->name; field++) {
        luaL_checkstack(L, 8, NULL);
        if (is_mesh(field)) {
            const tide_mesh *mesh = read_mesh(L, owner, field->name);
            memcpy(definition + field->offset, &mesh, sizeof mesh);
            size += sizeof mesh->hash;
        } else if (is_points(field)) {
            tide_mesh_points points = { 0 };
            points.values = read_points(L, owner, field->name, 3, &points.count);
            memcpy(definition + field->offset, &points, sizeof points);
            size += 3 * (size_t)points.count * sizeof(double);
        }
    }
    return size;
}

// Writes the cache key: the definition with its pointers zeroed, then the hashes of meshes and the numbers of lists.
static void write_key(const tide_mesh_builder *builder, const char *definition, char *key)
{
    memcpy(key, definition, builder->definition_size);
    char *end = key + builder->definition_size;
    for (const tide_field *field = builder->fields; field->name; field++)
        if (is_mesh(field)) {
            const tide_mesh *mesh;
            memcpy(&mesh, definition + field->offset, sizeof mesh);
            memset(key + field->offset, 0, sizeof mesh);
            const uint64_t hash = mesh ? mesh->hash : 0;
            memcpy(end, &hash, sizeof hash);
            end += sizeof hash;
        } else if (is_points(field)) {
            tide_mesh_points points;
            memcpy(&points, definition + field->offset, sizeof points);
            size_t size = 3 * (size_t)points.count * sizeof(double);
            if (size)
                memcpy(end, points.values, size);
            end += size;
            points.values = NULL;
            memcpy(key + field->offset, &points, sizeof points);
        }
}

// Upvalues: the run, the builder.
int tide_mesh_build_call(lua_State *L)
{
    const tide_mesh_builder *builder = lua_touserdata(L, lua_upvalueindex(2));
    char owner[TIDE_OBJECT_TEXT];
    lua_settop(L, 1);
    tide_set_portable(tide_run_of_upvalue(L)->portable);
    snprintf(owner, sizeof owner, "mesh %s", builder->name);
    char *definition = lua_newuserdatauv(L, builder->definition_size + 1, 0);
    memset(definition, 0, builder->definition_size); // clears padding, too, because the bytes are the key
    tide_fields_default(builder->fields, definition);
    tide_read_fields(L, 1, builder->fields, owner, definition, 0);
    size_t size = builder->definition_size + read_pointers(L, builder, owner, definition);
    char *key = lua_newuserdatauv(L, size + 1, 0);
    write_key(builder, definition, key);
    uint64_t kind = tide_hash_string(TIDE_HASH_START, builder->name);
    if (push_cached(L, kind, key, size))
        return 1;
    tide_error error;
    tide_mesh *mesh = NULL;
    tide_raise_unless_ok(L, builder->build(definition, &mesh, &error), &error);
    tide_mesh_hand_over(L, mesh);
    tide_mesh_cache_add(kind, key, size, mesh);
    return 1;
}

// --- tide.mesh.load --------------------------------------------------------------------------------------------------

typedef struct file_key {
    uint64_t stamp;
    double scale, weld; // weld: -1 if absent
    uint64_t fix;
} file_key;

int tide_mesh_load_call(lua_State *L)
{
    const char *given = tide_check_path(L, 1, "mesh load", "path");
    tide_mesh_mend_def mend;
    tide_fields_default(tide_mesh_mend_fields, &mend);
    if (!lua_isnoneornil(L, 2))
        tide_read_fields(L, 2, tide_mesh_mend_fields, "mesh load", &mend, 0);
    const char *path = tide_run_resolve(L, tide_run_of_upvalue(L), given, "mesh load", "path");
    tide_context *context = tide_context_of(L);
    context->unread[0] = '\0';
    file_key key = { .scale = mend.scale, .weld = tide_given(mend.weld) ? mend.weld : -1, .fix = mend.fix };
    bool stamped = tide_mesh_file_stamp(path, &key.stamp);
    if (!stamped)
        tide_mesh_push_handle(L);
    else if (push_cached(L, 0, &key, sizeof key))
        return 1;
    tide_error error;
    tide_mesh *mesh = NULL;
    const tide_mesh *mended = NULL;
    tide_status result = tide_mesh_load(path, &mesh, &error);
    if (result == TIDE_OK)
        result = tide_mesh_mend(mesh, &mend, &mended, NULL, &error);
    tide_mesh_release(mesh);
    if (result != TIDE_OK) {
        int count = tide_push_failure(L, &error);
        snprintf(context->unread, sizeof context->unread, "%s", lua_tostring(L, -1));
        return count;
    }
    tide_mesh_hand_over(L, mended);
    if (stamped)
        tide_mesh_cache_add(0, &key, sizeof key, mended);
    return 1;
}

// --- tide.mesh.new ---------------------------------------------------------------------------------------------------

const tide_field tide_mesh_new_fields[] = {
    { "vertices", TIDE_FIELD_OTHER, .required = true, .unit = "m", .lua_type = "number[][] | number[]",
      .help = "{ {x, y, z}, ... } or a flat list" },
    { "edges", TIDE_FIELD_OTHER, .lua_type = "integer[][] | integer[]",
      .help = "{ {i, j}, ... }; default: the edges of the triangles and tetrahedra", .initial_text = "none" },
    { "triangles", TIDE_FIELD_OTHER, .lua_type = "integer[][] | integer[]",
      .help = "{ {i, j, k}, ... }, counter-clockwise seen from outside; default: the surface of the tetrahedra",
      .initial_text = "none" },
    { "tetrahedra", TIDE_FIELD_OTHER, .lua_type = "integer[][] | integer[]", .help = "{ {i, j, k, l}, ... }",
      .initial_text = "none" },
    { "texture", TIDE_FIELD_OTHER, .lua_type = "number[][] | number[]",
      .help = "texture coordinates, { {u, v}, ... } or a flat list", .initial_text = "none" },
    { 0 },
};

static const char new_mesh[] = "mesh new";

int tide_mesh_new_call(lua_State *L)
{
    tide_mesh_parts parts = { 0 };
    uint32_t texture_count = 0;
    luaL_checkstack(L, 24, NULL);
    tide_read_fields(L, 1, tide_mesh_new_fields, new_mesh, NULL, 0);
    parts.vertices = read_points(L, new_mesh, "vertices", 3, &parts.vertex_count);
    parts.texture = read_points(L, new_mesh, "texture", 2, &texture_count);
    if (parts.texture && texture_count != parts.vertex_count)
        tide_raise_bad(L, new_mesh, "texture", NULL, "expected one entry for each of the %u vertices, got %u",
                       parts.vertex_count, texture_count);
    parts.edges = read_indices(L, new_mesh, "edges", 2, parts.vertex_count, &parts.edge_count);
    parts.triangles = read_indices(L, new_mesh, "triangles", 3, parts.vertex_count, &parts.triangle_count);
    parts.tetrahedra = read_indices(L, new_mesh, "tetrahedra", 4, parts.vertex_count, &parts.tetrahedron_count);
    tide_mesh *mesh = NULL;
    tide_error error;
    tide_mesh_push_handle(L);
    tide_raise_unless_ok(L, tide_mesh_create(&parts, &mesh, &error), &error);
    tide_mesh_hand_over(L, mesh);
    return 1;
}

const tide_member tide_mesh_functions[] = {
    { "load", tide_mesh_load_call, .type = "(path: string, options?: tide.MeshMend): tide.Mesh?, string?",
      .help = "Reads a mesh file, searched first in the scene's folder: .obj, .ply, .stl, .mesh (MEDIT), .node or .ele "
              "(TetGen) or .msh (Gmsh). Returns the mesh, or nil and a message." },
    { "tetrahedralize", tide_mesh_tetrahedralize_call, .type = "(definition: tide.MeshTetrahedralize): tide.Mesh",
      .help = "A mesh of tetrahedra that fills the inside of a distance or of a closed surface." },
    { "new", tide_mesh_new_call, .type = "(definition: tide.MeshNew): tide.Mesh",
      .help = "A mesh from lists of vertices, edges, triangles and tetrahedra." },
    { 0 },
};
