// Meshes in Lua: the class, and transforms, each of which returns a new mesh.
#include "script/binding.h"

#include "base/output_file.h"
#include "formats/reading.h"
#include "mesh/unfold.h"

#include <stdio.h>

const char *const tide_mesh_problem_names[TIDE_MESH_PROBLEM_KINDS] = {
    [TIDE_MESH_ISOLATED_VERTEX] = "isolated vertex",
    [TIDE_MESH_SEAM] = "seam",
    [TIDE_MESH_DUPLICATE_VERTEX] = "duplicate vertex",
    [TIDE_MESH_MASSLESS_VERTEX] = "massless vertex",
    [TIDE_MESH_ZERO_EDGE] = "zero edge",
    [TIDE_MESH_DEGENERATE_TRIANGLE] = "degenerate triangle",
    [TIDE_MESH_DEGENERATE_TETRAHEDRON] = "degenerate tetrahedron",
    [TIDE_MESH_DUPLICATE_ELEMENT] = "duplicate element",
    [TIDE_MESH_SLIVER_TRIANGLE] = "sliver triangle",
    [TIDE_MESH_SLIVER_TETRAHEDRON] = "sliver tetrahedron",
    [TIDE_MESH_INVERTED_TETRAHEDRON] = "inverted tetrahedron",
    [TIDE_MESH_NON_MANIFOLD_EDGE] = "non-manifold edge",
    [TIDE_MESH_NON_MANIFOLD_VERTEX] = "non-manifold vertex",
    [TIDE_MESH_MIXED_ORIENTATION] = "mixed orientation",
    [TIDE_MESH_INSIDE_OUT] = "inside out",
    [TIDE_MESH_SUSPICIOUS_SIZE] = "suspicious size",
    [TIDE_MESH_OPEN_SURFACE] = "open surface",
    [TIDE_MESH_PIECES] = "pieces",
    [TIDE_MESH_TURNED_TETRAHEDRA] = "turned tetrahedra",
};

void tide_mesh_hand_over(lua_State *L, const tide_mesh *mesh)
{
    tide_mesh_handle *handle = lua_touserdata(L, -1);
    handle->mesh = mesh;
    tide_account(L, (size_t)mesh->vertex_count * 64);
}

void tide_mesh_push_handle(lua_State *L)
{
    tide_object_new(L, &tide_mesh_class, sizeof(tide_mesh_handle), 0);
}

const tide_mesh *tide_mesh_of(lua_State *L, int index)
{
    const tide_mesh_handle *handle = tide_object_test(L, index, &tide_mesh_class);
    return handle ? handle->mesh : NULL;
}

static const tide_mesh *self(lua_State *L)
{
    const tide_mesh_handle *handle = tide_object_self(L, &tide_mesh_class);
    return handle->mesh;
}

static int finish(lua_State *L, tide_status status, tide_mesh *const *mesh, tide_error *error)
{
    tide_raise_unless_ok(L, status, error);
    tide_mesh_hand_over(L, *mesh);
    return 1;
}

static int translate(lua_State *L)
{
    const tide_mesh *mesh = self(L);
    tide_mesh *moved = NULL;
    tide_error error;
    double by[3];
    tide_check_vec3(L, 2, "mesh", "translate", by);
    tide_mesh_push_handle(L);
    return finish(L, tide_mesh_translate(mesh, by, &moved, &error), &moved, &error);
}

static int rotate(lua_State *L)
{
    static const tide_field axis_field = { "rotate", TIDE_FIELD_VECTOR, 0, .help = "axis" };
    const tide_mesh *mesh = self(L);
    tide_mesh *turned = NULL;
    tide_error error;
    double axis[3];
    tide_read_field(L, 2, &axis_field, "mesh", axis);
    double angle = tide_check_number(L, 3, "mesh", "rotate (angle)");
    tide_mesh_push_handle(L);
    return finish(L, tide_mesh_rotate(mesh, axis, angle, &turned, &error), &turned, &error);
}

static int scale(lua_State *L)
{
    const tide_mesh *mesh = self(L);
    tide_mesh *scaled = NULL;
    tide_error error;
    double factors[3];
    if (lua_gettop(L) > 2)
        tide_check_vec3(L, 2, "mesh", "scale", factors);
    else
        factors[0] = factors[1] = factors[2] = tide_check_number(L, 2, "mesh", "scale");
    tide_mesh_push_handle(L);
    return finish(L, tide_mesh_scale(mesh, factors, &scaled, &error), &scaled, &error);
}

static int subdivide(lua_State *L)
{
    const tide_mesh *mesh = self(L);
    tide_error error;
    lua_Integer times = lua_isnoneornil(L, 2) ? 1 : tide_check_integer(L, 2, 1, 10, "mesh", "subdivide");
    for (; times > 0; times--) {
        tide_mesh *finer = NULL;
        tide_mesh_push_handle(L);
        finish(L, tide_mesh_subdivide(mesh, &finer, &error), &finer, &error);
        mesh = finer;
    }
    return 1;
}

static int weld(lua_State *L)
{
    const tide_mesh *mesh = self(L);
    tide_mesh *welded = NULL;
    tide_error error;
    double distance = lua_isnoneornil(L, 2) ? 0 : tide_check_number(L, 2, "mesh", "weld");
    tide_mesh_push_handle(L);
    return finish(L, tide_mesh_weld(mesh, distance, &welded, &error), &welded, &error);
}

static int save(lua_State *L)
{
    const tide_mesh *mesh = self(L);
    tide_error error;
    const char *path = tide_check_path(L, 2, "mesh", "save");
    bool confined = tide_is_confined(L);
    if (confined)
        tide_check_output_path(L, path, "mesh", "save");
    if (tide_mesh_save_as(mesh, path, confined ? TIDE_OUTPUT_REGULAR : TIDE_OUTPUT_ANY, &error) != TIDE_OK)
        return tide_push_failure(L, &error);
    lua_pushboolean(L, 1);
    return 1;
}

static void push_problems(lua_State *L, const tide_mesh_problem *problems, uint32_t count)
{
    lua_createtable(L, (int)count, 0);
    for (uint32_t i = 0; i < count; i++) {
        const tide_mesh_problem *problem = &problems[i];
        lua_createtable(L, 0, 5);
        tide_set_text(L, "kind", tide_mesh_problem_names[problem->kind]);
        tide_set_integer(L, "count", problem->count);
        tide_set_integer(L, "index", (lua_Integer)problem->first + 1);
        tide_set_flag(L, "fatal", problem->fatal);
        tide_set_text(L, "text", problem->text);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
}

static int check(lua_State *L)
{
    tide_mesh_report report;
    tide_error error;
    tide_raise_unless_ok(L, tide_mesh_check(self(L), &report, &error), &error);
    push_problems(L, report.problems, report.problem_count);
    push_problems(L, report.notes, report.note_count);
    return 2;
}

static int push_indices(lua_State *L, const uint32_t *items, uint32_t count, const char *field, const char *noun,
                        int width)
{
    uint32_t i = tide_check_index(L, 2, count, "mesh", field, noun);
    for (int k = 0; k < width; k++)
        lua_pushinteger(L, (lua_Integer)items[(size_t)width * i + (size_t)k] + 1);
    return width;
}

static int vertex(lua_State *L)
{
    const tide_mesh *mesh = self(L);
    uint32_t i = tide_check_index(L, 2, mesh->vertex_count, "mesh", "vertex", "a vertex");
    for (int k = 0; k < 3; k++)
        lua_pushnumber(L, mesh->vertices[3 * (size_t)i + (size_t)k]);
    return 3;
}

static int edge(lua_State *L)
{
    const tide_mesh *mesh = self(L);
    return push_indices(L, mesh->edges, mesh->edge_count, "edge", "an edge", 2);
}

static int triangle(lua_State *L)
{
    const tide_mesh *mesh = self(L);
    return push_indices(L, mesh->triangles, mesh->triangle_count, "triangle", "a triangle", 3);
}

static int tetrahedron(lua_State *L)
{
    const tide_mesh *mesh = self(L);
    return push_indices(L, mesh->tetrahedra, mesh->tetrahedron_count, "tetrahedron", "a tetrahedron", 4);
}

static int texture(lua_State *L)
{
    const tide_mesh *mesh = self(L);
    uint32_t i = tide_check_index(L, 2, mesh->vertex_count, "mesh", "texture", "a vertex");
    for (int k = 0; mesh->texture && k < 2; k++)
        lua_pushnumber(L, mesh->texture[2 * (size_t)i + (size_t)k]);
    return mesh->texture ? 2 : 0;
}

static int unfold(lua_State *L)
{
    const tide_mesh *mesh = self(L);
    tide_mesh *flat = NULL;
    tide_error error;
    double scale = lua_isnoneornil(L, 2) ? 1 : tide_check_number(L, 2, "mesh", "unfold");
    tide_mesh_push_handle(L);
    return finish(L, tide_mesh_unfold(mesh, scale, &flat, &error), &flat, &error);
}

static int bounds(lua_State *L)
{
    double box[2][3];
    tide_mesh_bounds(self(L), box[0], box[1]);
    for (int i = 0; i < 6; i++)
        lua_pushnumber(L, box[i / 3][i % 3]);
    return 6;
}

TIDE_GETTER(vertex_count, lua_pushinteger, self(L)->vertex_count);
TIDE_GETTER(edge_count, lua_pushinteger, self(L)->edge_count);
TIDE_GETTER(triangle_count, lua_pushinteger, self(L)->triangle_count);
TIDE_GETTER(tetrahedron_count, lua_pushinteger, self(L)->tetrahedron_count);

static int collect(lua_State *L)
{
    tide_mesh_handle *handle = lua_touserdata(L, 1);
    tide_mesh_release(handle->mesh);
    handle->mesh = NULL;
    return 0;
}

static int equal(lua_State *L)
{
    const tide_mesh *a = tide_mesh_of(L, 1), *b = tide_mesh_of(L, 2);
    lua_pushboolean(L, a && b && (a == b || a->hash == b->hash));
    return 1;
}

static const tide_member members[] = {
    { "vertex_count", .get = vertex_count, .type = "integer", .help = "Number of vertices." },
    { "edge_count", .get = edge_count, .type = "integer", .help = "Number of edges." },
    { "triangle_count", .get = triangle_count, .type = "integer", .help = "Number of triangles." },
    { "tetrahedron_count", .get = tetrahedron_count, .type = "integer", .help = "Number of tetrahedra." },
    { "vertex", vertex, .type = "(i: integer): number, number, number", .help = "Coordinates of vertex i, in m." },
    { "edge", edge, .type = "(i: integer): integer, integer", .help = "The two vertices of edge i." },
    { "triangle", triangle, .type = "(i: integer): integer, integer, integer",
      .help = "The three vertices of triangle i." },
    { "tetrahedron", tetrahedron, .type = "(i: integer): integer, integer, integer, integer",
      .help = "The four vertices of tetrahedron i." },
    { "texture", texture, .type = "(i: integer): number?, number?",
      .help = "Texture coordinates u, v of vertex i; returns nothing if the mesh has none." },
    { "unfold", unfold, .type = "(scale?: number): tide.Mesh",
      .help = "A copy laid flat by the texture coordinates: vertex i is at (scale u, scale v, 0), in m. As the `rest` "
              "of a body, it is the sewing pattern of a garment." },
    { "bounds", bounds, .type = "(): number, number, number, number, number, number",
      .help = "The least and the greatest x, y, z." },
    { "translate", translate, .type = "(x: number, y: number, z: number): tide.Mesh",
      .help = "A copy of the mesh, translated." },
    { "rotate", rotate, .type = "(axis: number[], angle: number): tide.Mesh",
      .help = "A copy of the mesh, rotated about an axis through the origin by an angle in radians." },
    { "scale", scale, .type = "(x: number, y?: number, z?: number): tide.Mesh",
      .help = "A copy of the mesh, scaled by one factor or by one per axis." },
    { "subdivide", subdivide, .type = "(times?: integer): tide.Mesh",
      .help = "A copy of the mesh with every edge split in two." },
    { "weld", weld, .type = "(distance?: number): tide.Mesh",
      .help = "A copy of the mesh in which vertices closer than the distance are joined; default: coincident ones." },
    { "save", save, .type = "(path: string): true?, string?",
      .help = "Writes an .obj or .mesh file. A scene may write into the current folder and those below it. Returns "
              "true, or nil and a message." },
    { "check", check, .type = "(): tide.MeshProblem[], tide.MeshProblem[]",
      .help = "A list of the mesh's defects, empty if there are none; and a list of its properties: a boundary, "
              "several pieces." },
    { 0 },
};

static const luaL_Reg metamethods[] = { { "__gc", collect }, { "__eq", equal }, { 0 } };

const tide_class tide_mesh_class = {
    "tide.Mesh", "mesh",      "Geometry and topology. A mesh is immutable: each method returns a new one.",
    members,     metamethods, NULL,
    NULL,
};
