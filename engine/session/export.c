#include "session/export.h"

#include "base/memory.h"
#include "base/text.h"
#include "formats/mesh_file.h"
#include "formats/motion_file.h"
#include "mesh/loose_edges.h"
#include "session/output.h"
#include "session/shown_body.h"
#include "session/shown_numbers.h"

#include <inttypes.h>
#include <string.h>

enum { LONGEST_PATH = 4096 };

// OBJ can name several objects in a file; the other formats hold one mesh.
static const char *const endings[] = { ".obj", ".ply", ".mesh", ".vtk" };
enum { ENDINGS = sizeof endings / sizeof endings[0] };

tide_status tide_export_check(const char *option, const char *pattern, tide_error *error)
{
    bool known = false;
    for (int i = 0; i < ENDINGS; i++)
        known = known || tide_pattern_ends_in(pattern, endings[i]);
    if (!known && !tide_motion_is_file(pattern))
        return tide_fail(error, TIDE_ERROR_ARGUMENT, "command line", option, pattern,
                         "expected a name that ends in .obj, .ply, .mesh or .vtk, like out/%%04d.ply, or for the whole "
                         "motion in .glb, .gltf, .usda, .pc2 or .mdd");
    if (!known && tide_pattern_is_numbered(pattern))
        return tide_fail(error, TIDE_ERROR_ARGUMENT, "command line", option, pattern,
                         "such a file has all frames; leave out the number of the frame");
    return tide_pattern_check_directives(option, pattern, true, error);
}

// --- OBJ -------------------------------------------------------------------------------------------------------------

static tide_status add_lines_and_points(tide_text *text, const tide_mesh *mesh, uint64_t first, tide_error *error)
{
    tide_loose_edges edges = { 0 };
    TIDE_TRY(tide_loose_edges_find(mesh, &edges, error));
    TIDE_SCOPED uint32_t *lines = edges.vertices;
    TIDE_SCOPED bool *used = tide_allocate_zeroed(mesh->vertex_count, sizeof *used);
    if (!used)
        return tide_fail_memory(error, "exported mesh");
    for (uint32_t i = 0; i < edges.count; i++)
        tide_text_format(text, "l %" PRIu64 " %" PRIu64 "\n", first + lines[2 * i], first + lines[2 * i + 1]);
    for (uint32_t i = 0; i < 2 * mesh->edge_count; i++)
        used[mesh->edges[i]] = true;
    for (uint32_t i = 0; i < 3 * mesh->triangle_count; i++)
        used[mesh->triangles[i]] = true;
    for (uint32_t i = 0; i < 4 * mesh->tetrahedron_count; i++)
        used[mesh->tetrahedra[i]] = true;
    for (uint32_t i = 0; i < mesh->vertex_count; i++)
        if (!used[i])
            tide_text_format(text, "p %" PRIu64 "\n", first + i);
    return TIDE_OK;
}

// The first indices of an object; they count on through all objects of a file.
typedef struct indices {
    uint64_t vertex, texture;
} indices;

static void add_face(tide_text *text, const uint32_t corners[3], const indices *first, bool textured)
{
    tide_text_add(text, "f", 1);
    for (int i = 0; i < 3; i++)
        if (textured)
            tide_text_format(text, " %" PRIu64 "/%" PRIu64, first->vertex + corners[i], first->texture + corners[i]);
        else
            tide_text_format(text, " %" PRIu64, first->vertex + corners[i]);
    tide_text_add(text, "\n", 1);
}

static void add_points(tide_text *text, const char *word, const double *x, uint32_t count)
{
    for (size_t i = 0; i < count; i++)
        tide_text_format(text, "%s %.9g %.9g %.9g\n", word, x[3 * i], x[3 * i + 1], x[3 * i + 2]);
}

static tide_status add_body(tide_text *text, tide_world *world, tide_body_id id, indices *first, tide_error *error)
{
    TIDE_SCOPED tide_shown_body *owner = tide_allocate_zeroed(1, sizeof *owner); // of the arrays below
    if (!owner)
        return tide_fail_memory(error, "exported mesh");
    TIDE_TRY(tide_shown_body_find(world, id, owner, error));
    if (owner->surface)
        tide_own(owner, owner->surface);
    tide_mesh_data data;
    TIDE_TRY(tide_shown_numbers_find(world, owner, 1, owner->mesh, owner, &data, error));
    const tide_mesh *mesh = owner->mesh;
    tide_text_format(text, "o %s\n", owner->info.name);
    add_points(text, "v", owner->x, mesh->vertex_count);
    for (const tide_mesh_numbers *n = data.vertices; n->name; n++)
        if (strcmp(n->name, "velocity") == 0) // OBJ has no word for it
            add_points(text, "# velocity", n->values, mesh->vertex_count);
    for (uint32_t i = 0; mesh->texture && i < mesh->vertex_count; i++)
        tide_text_format(text, "vt %.9g %.9g\n", mesh->texture[2 * i], mesh->texture[2 * i + 1]);
    for (uint32_t i = 0; i < mesh->triangle_count; i++)
        add_face(text, mesh->triangles + 3 * i, first, mesh->texture != NULL);
    tide_status status = add_lines_and_points(text, mesh, first->vertex, error);
    first->vertex += mesh->vertex_count;
    first->texture += mesh->texture ? mesh->vertex_count : 0;
    return status;
}

// Exports `count` bodies from `first` on.
static tide_status export_obj(tide_world *world, uint32_t first, uint32_t count, const char *path, tide_error *error)
{
    TIDE_SCOPED_BY(tide_text_free) tide_text text = { 0 };
    tide_text_format(&text, "# Springtide, t = %.9g s\n", tide_world_time(world));
    indices start = { 1, 1 };
    for (uint32_t i = first; i < first + count; i++)
        TIDE_TRY(add_body(&text, world, tide_world_body_at(world, i), &start, error));
    return tide_text_save(&text, path, path, error);
}

// --- the other formats -----------------------------------------------------------------------------------------------

static void add_up(tide_mesh *sum, const tide_mesh *mesh)
{
    sum->vertex_count += mesh->vertex_count;
    sum->edge_count += mesh->edge_count;
    sum->triangle_count += mesh->triangle_count;
    sum->tetrahedron_count += mesh->tetrahedron_count;
}

static void append(uint32_t *to, size_t *count, const uint32_t *from, size_t number, uint32_t first)
{
    for (size_t i = 0; i < number; i++)
        to[*count + i] = from[i] + first;
    *count += number;
}

// Fills the arrays of `sum`, whose counts are set, with the bodies' current geometry. The mesh library must not make
// this mesh: it would reorient tetrahedra that are inverted now, so that the frames of a sequence would differ in more
// than positions.
static void join_bodies(const tide_shown_body *bodies, uint32_t count, tide_mesh *sum)
{
    uint32_t vertices = 0;
    size_t edges = 0, triangles = 0, tetrahedra = 0;
    for (uint32_t i = 0; i < count; i++) {
        const tide_mesh *mesh = bodies[i].mesh;
        memcpy(sum->vertices + 3 * (size_t)vertices, bodies[i].x, 3 * sizeof(double) * mesh->vertex_count);
        if (sum->texture && mesh->texture)
            memcpy(sum->texture + 2 * (size_t)vertices, mesh->texture, 2 * sizeof(double) * mesh->vertex_count);
        append(sum->edges, &edges, mesh->edges, 2 * (size_t)mesh->edge_count, vertices);
        append(sum->triangles, &triangles, mesh->triangles, 3 * (size_t)mesh->triangle_count, vertices);
        append(sum->tetrahedra, &tetrahedra, mesh->tetrahedra, 4 * (size_t)mesh->tetrahedron_count, vertices);
        vertices += mesh->vertex_count;
    }
}

static tide_status export_mesh(tide_world *world, uint32_t first, uint32_t count, const char *path, tide_error *error)
{
    TIDE_SCOPED tide_shown_body *bodies = tide_allocate_zeroed(count, sizeof *bodies); // owns all arrays
    if (!bodies)
        return tide_fail_memory(error, path);
    tide_mesh sum = { 0 };
    bool textured = false;
    for (uint32_t i = 0; i < count; i++) {
        TIDE_TRY(tide_shown_body_find(world, tide_world_body_at(world, first + i), &bodies[i], error));
        if (bodies[i].surface)
            tide_own(bodies, bodies[i].surface);
        add_up(&sum, bodies[i].mesh);
        textured = textured || bodies[i].mesh->texture;
    }
    sum.vertices = tide_own_array(bodies, 3 * (size_t)sum.vertex_count, sizeof(double));
    sum.texture = textured ? tide_own_zeroed(bodies, 2 * (size_t)sum.vertex_count, sizeof(double)) : NULL;
    sum.edges = tide_own_array(bodies, 2 * (size_t)sum.edge_count, sizeof(uint32_t));
    sum.triangles = tide_own_array(bodies, 3 * (size_t)sum.triangle_count, sizeof(uint32_t));
    sum.tetrahedra = tide_own_array(bodies, 4 * (size_t)sum.tetrahedron_count, sizeof(uint32_t));
    if (!tide_owns_all(bodies))
        return tide_fail_memory(error, path);
    join_bodies(bodies, count, &sum);
    tide_mesh_data data = { 0 };
    bool numbers = tide_pattern_ends_in(path, ".ply") || tide_pattern_ends_in(path, ".vtk");
    if (numbers)
        TIDE_TRY(tide_shown_numbers_find(world, bodies, count, &sum, bodies, &data, error));
    return tide_mesh_save_data(&sum, &data, path, error);
}

tide_status tide_export(tide_world *world, const char *pattern, uint64_t frame, tide_error *error)
{
    char path[LONGEST_PATH];
    bool named = tide_pattern_is_named(pattern), obj = tide_pattern_ends_in(pattern, ".obj");
    uint32_t bodies = tide_world_body_count(world), files = named ? bodies : 1;
    if (bodies == 0 && !obj)
        return tide_fail(error, TIDE_ERROR_STATE, pattern, NULL, NULL,
                         "the scene has no body, and this format needs one; export .obj or add a body");
    for (uint32_t i = 0; i < files; i++) {
        tide_body_info info = { 0 };
        if (named)
            TIDE_TRY(tide_world_check_body(world, tide_world_body_at(world, i), &info, error));
        TIDE_TRY(tide_pattern_path(pattern, frame, info.name, path, sizeof path, error));
        TIDE_TRY((obj ? export_obj : export_mesh)(world, i, named ? 1 : bodies, path, error));
    }
    return TIDE_OK;
}
