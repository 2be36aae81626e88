// The fine surface that is embedded in a body's tetrahedra.
#include "base/memory.h"
#include "base/vec3.h"
#include "world/body_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// A vertex farther outside would follow the rotation of one tetrahedron rather than the body.
#define FARTHEST 0.25 // of the diagonal of the mesh's bounds

static double diagonal_of(const tide_mesh *mesh)
{
    double lower[3], upper[3];
    tide_mesh_bounds(mesh, lower, upper);
    return tide_vec3_length(tide_vec3_subtract(tide_vec3_load(upper), tide_vec3_load(lower)));
}

static tide_status fail_vertex(const tide_body *body, uint32_t vertex, const char *object, const char *remedy,
                               double value, tide_error *error)
{
    char text[128];
    const double *p = body->surface->vertices + 3 * (size_t)vertex;
    snprintf(text, sizeof text, "vertex %u at (%.4g, %.4g, %.4g)", vertex + 1, p[0], p[1], p[2]);
    return tide_fail(error, TIDE_ERROR_ARGUMENT, object, "surface", text, remedy, value);
}

static tide_status check_weights(const tide_body *body, const char *object, tide_error *error)
{
    const tide_embedding *e = body->embedding;
    if (e->farthest > FARTHEST * diagonal_of(body->mesh))
        return fail_vertex(
            body, e->farthest_vertex, object,
            "is %.3g m outside of the mesh's tetrahedra, over a quarter of the mesh's size; expected the "
            "surface in the coordinates of the mesh",
            e->farthest, error);
    for (uint32_t v = 0; v < e->fine_count; v++) {
        double sum = 0;
        for (size_t c = 0; c < 4; c++)
            sum += fabs(e->weights[4 * (size_t)v + c]);
        if (!(sum <= TIDE_STEEPEST))
            return fail_vertex(
                body, v, object,
                "is in a tetrahedron so flat that its motion would be amplified %.3g times; mend the mesh's slivers",
                sum, error);
    }
    return TIDE_OK;
}

// --- the surface ----------------------------------------------------------------------------------------------------

// Creates a mesh of a solid's triangles and their vertices, in the same order, without its interior.
static tide_status skin_of(const tide_mesh *mesh, const tide_mesh **out, tide_error *error)
{
    uint32_t *numbers = tide_allocate_zeroed(mesh->vertex_count, sizeof *numbers), count = 0;
    uint32_t *triangles = tide_copy_bytes(mesh->triangles, 3 * (size_t)mesh->triangle_count * sizeof *triangles);
    double *vertices = tide_allocate_array(mesh->vertex_count, 3 * sizeof *vertices);
    double *texture = tide_allocate_array(mesh->vertex_count, 2 * sizeof *texture);
    tide_status status = TIDE_OK;
    if (!numbers || !triangles || !vertices || !texture)
        status = tide_fail_memory(error, "a body");
    for (size_t i = 0; status == TIDE_OK && i < 3 * (size_t)mesh->triangle_count; i++)
        numbers[triangles[i]] = 1;
    for (uint32_t v = 0; status == TIDE_OK && v < mesh->vertex_count; v++) {
        if (!numbers[v])
            continue;
        memcpy(vertices + 3 * (size_t)count, mesh->vertices + 3 * (size_t)v, 3 * sizeof *vertices);
        if (mesh->texture)
            memcpy(texture + 2 * (size_t)count, mesh->texture + 2 * (size_t)v, 2 * sizeof *texture);
        numbers[v] = count++;
    }
    for (size_t i = 0; status == TIDE_OK && i < 3 * (size_t)mesh->triangle_count; i++)
        triangles[i] = numbers[triangles[i]];
    tide_mesh_parts parts = { .vertex_count = count,
                              .triangle_count = mesh->triangle_count,
                              .vertices = vertices,
                              .texture = mesh->texture ? texture : NULL,
                              .triangles = triangles };
    tide_mesh *made = NULL;
    if (status == TIDE_OK)
        status = tide_mesh_create(&parts, &made, error);
    if (status == TIDE_OK)
        *out = made;
    tide_free(numbers);
    tide_free(triangles);
    tide_free(vertices);
    tide_free(texture);
    return status;
}

// Returns whether the surface is closed and consistently oriented outward: every edge is between two triangles.
bool tide_body_is_closed(const tide_mesh_report *report)
{
    bool closed = true;
    for (uint32_t i = 0; i < report->note_count; i++)
        closed = closed && report->notes[i].kind != TIDE_MESH_OPEN_SURFACE;
    for (uint32_t i = 0; i < report->problem_count; i++) {
        tide_mesh_problem_kind kind = report->problems[i].kind;
        closed = closed && kind != TIDE_MESH_OPEN_SURFACE && kind != TIDE_MESH_INSIDE_OUT &&
                 kind != TIDE_MESH_MIXED_ORIENTATION && kind != TIDE_MESH_NON_MANIFOLD_EDGE;
    }
    return closed;
}

tide_status tide_body_make_surface(tide_body *body, const tide_body_def *def, const char *object, tide_error *error)
{
    tide_mesh_report report;
    if (!def->surface)
        return TIDE_OK;
    if (!def->mesh->tetrahedron_count)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, object, "surface", NULL,
                         "the body's mesh has no tetrahedra that could carry it; make one with "
                         "tide.mesh.tetrahedralize { ... }");
    if (!def->surface->triangle_count)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, object, "surface", NULL,
                         "has no triangles; expected a mesh of a surface");
    tide_status status = TIDE_OK;
    if (def->surface->tetrahedron_count)
        status = skin_of(def->surface, &body->surface, error);
    else
        body->surface = tide_mesh_retain(def->surface);
    if (status == TIDE_OK)
        status = tide_body_check_mesh(body->surface, def, object, "surface", &report, error);
    if (status != TIDE_OK)
        return status;
    body->surface_closed = tide_body_is_closed(&report);
    status =
        tide_embedding_create(def->mesh, body->surface->vertices, body->surface->vertex_count, &body->embedding, error);
    return status == TIDE_OK ? check_weights(body, object, error) : status;
}

tide_status tide_body_copy_surface(tide_body *copy, const tide_body *body, tide_error *error)
{
    if (!body->surface)
        return TIDE_OK;
    copy->surface = tide_mesh_retain(body->surface);
    copy->surface_closed = body->surface_closed;
    return tide_embedding_copy(body->embedding, &copy->embedding, error);
}

const tide_mesh *tide_world_surface(const tide_world *world, tide_body_id id)
{
    const tide_body *body = tide_world_lookup(world, id);
    return body ? body->surface : NULL;
}

bool tide_world_surface_positions(const tide_world *world, tide_body_id id, double *out)
{
    const tide_body *body = tide_world_lookup(world, id);
    if (!body || !body->surface)
        return false;
    tide_embedding_apply(body->embedding, world->positions + 3 * (size_t)body->first_particle, out);
    return true;
}

bool tide_world_surface_numbers(const tide_world *world, tide_body_id id, const double *numbers, double *out)
{
    const tide_body *body = tide_world_lookup(world, id);
    if (!body || !body->surface)
        return false;
    const tide_embedding *e = body->embedding;
    for (size_t i = 0; i < e->fine_count; i++) {
        out[i] = 0;
        for (size_t k = 4 * i; k < 4 * i + 4; k++)
            out[i] += e->weights[k] * numbers[e->vertices[k]];
    }
    return true;
}
