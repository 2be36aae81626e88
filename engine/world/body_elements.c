// The elements of a body other than its springs: groups of any kind, on parts of the mesh or on listed vertices.
#include "base/memory.h"
#include "world/body_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *const tide_elements_on_names[] = { "edges", "triangles", "tetrahedra", NULL };

// --- groups ----------------------------------------------------------------------------------------------------------

tide_elements *tide_body_add_group(tide_body *body, const tide_element_kind *kind, uint32_t count)
{
    tide_elements *groups = tide_reallocate(body->groups, (body->group_count + 1) * sizeof *groups);
    if (!groups)
        return NULL;
    body->groups = groups;
    tide_elements *group = &groups[body->group_count++];
    tide_element_retain(kind);
    *group = (tide_elements) {
        .kind = kind,
        .count = count,
        .vertices = tide_allocate_array(kind->vertex_count * (size_t)count, sizeof *group->vertices),
        .parameters = tide_allocate_array(kind->parameter_count * (size_t)count, sizeof *group->parameters),
    };
    return group->vertices && group->parameters ? group : NULL;
}

bool tide_body_copy_groups(tide_body *copy, const tide_body *body)
{
    for (uint32_t g = 0; g < body->group_count; g++) {
        const tide_elements *from = &body->groups[g];
        tide_elements *to = tide_body_add_group(copy, from->kind, from->count);
        if (!to)
            return false;
        size_t count = from->count;
        if (count) {
            memcpy(to->vertices, from->vertices, from->kind->vertex_count * count * sizeof *to->vertices);
            memcpy(to->parameters, from->parameters, from->kind->parameter_count * count * sizeof *to->parameters);
        }
    }
    return true;
}

// --- the definition --------------------------------------------------------------------------------------------------

// Returns the vertices of a group's elements, and the number of elements.
static const uint32_t *corners_of(const tide_body_elements *group, const tide_mesh *mesh, uint32_t *count)
{
    switch (group->on) {
    case TIDE_ON_EDGES:
        *count = mesh->edge_count;
        return mesh->edges;
    case TIDE_ON_TRIANGLES:
        *count = mesh->triangle_count;
        return mesh->triangles;
    case TIDE_ON_TETRAHEDRA:
        *count = mesh->tetrahedron_count;
        return mesh->tetrahedra;
    default:
        *count = group->count;
        return group->vertices;
    }
}

static tide_status check_vertices(const tide_body_elements *group, uint32_t vertex_count, const char *object,
                                  const char *field, tide_error *error)
{
    uint32_t corners = group->kind->vertex_count;
    for (size_t i = 0; i < corners * (size_t)group->count; i++) {
        uint32_t vertex = group->vertices[i];
        char at[96];
        snprintf(at, sizeof at, "%s.vertices[%zu]", field, i / corners + 1);
        if (vertex >= vertex_count)
            return tide_fail(error, TIDE_ERROR_ARGUMENT, object, at, NULL,
                             "vertex %llu: expected a vertex from 1 to %u", 1ULL + vertex, vertex_count);
        for (size_t j = i - i % corners; j < i; j++)
            if (group->vertices[j] == vertex)
                return tide_fail(error, TIDE_ERROR_ARGUMENT, object, at, NULL, "names vertex %u twice", vertex + 1);
    }
    return TIDE_OK;
}

static tide_status check_group(const tide_body_elements *group, const tide_mesh *mesh, const char *object,
                               const char *field, tide_error *error)
{
    const tide_element_kind *kind = group->kind;
    char name[96], whole[192];
    uint32_t count;
    if (!kind || !kind->fields)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, object, field, NULL, "expected a kind that a body can have");
    snprintf(whole, sizeof whole, "%.90s %s", object, field);
    tide_status status = tide_fields_check(kind->fields, whole, group->parameters, error);
    if (status != TIDE_OK)
        return status;
    if (group->on == TIDE_ON_VERTICES)
        return check_vertices(group, mesh->vertex_count, object, field, error);
    snprintf(name, sizeof name, "%s.on", field);
    if (group->on < 0 || group->on > TIDE_ON_TETRAHEDRA || (uint32_t)group->on + 2 != kind->vertex_count)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, object, name, NULL,
                         "%s joins %u vertices; expected parts of the mesh with as many, or vertices = { ... }",
                         kind->name, kind->vertex_count);
    corners_of(group, mesh, &count);
    if (!count)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, object, name, NULL, "this mesh has no %s",
                         tide_elements_on_names[group->on]);
    return TIDE_OK;
}

tide_status tide_body_check_elements(const tide_body_def *def, const char *object, tide_error *error)
{
    tide_status status = TIDE_OK;
    for (uint32_t g = 0; g < def->element_group_count && status == TIDE_OK; g++) {
        char field[32];
        snprintf(field, sizeof field, "elements[%u]", g + 1);
        status = check_group(&def->elements[g], def->mesh, object, field, error);
    }
    return status;
}

// Fills in one element's parameters. Fails if the shape at rest gives one that is not finite.
static tide_status fill_parameters(tide_elements *group, uint32_t e, const tide_body_elements *from, const double *x,
                                   const char *object, tide_error *error)
{
    const tide_element_kind *kind = group->kind;
    double parameters[TIDE_ELEMENT_MAX_PARAMETERS];
    memcpy(parameters, from->parameters, sizeof parameters);
    const char *wrong =
        kind->rest ? kind->rest(kind, x, group->vertices + kind->vertex_count * (size_t)e, parameters) : NULL;
    if (wrong)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, object, "elements", NULL, "%s %u: %s", kind->name, e + 1, wrong);
    for (uint32_t p = 0; p < kind->parameter_count; p++) {
        if (!isfinite(parameters[p]))
            return tide_fail(error, TIDE_ERROR_ARGUMENT, object, "elements", NULL,
                             "%s %u: its %s is not finite; give one, or another shape at rest", kind->name, e + 1,
                             kind->fields[p].name);
        group->parameters[p * (size_t)group->count + e] = parameters[p];
    }
    return TIDE_OK;
}

tide_status tide_body_make_elements(tide_body *body, const tide_body_def *def, const char *object, tide_error *error)
{
    const tide_mesh *at_rest = def->rest ? def->rest : def->mesh;
    tide_status status = TIDE_OK;
    for (uint32_t g = 0; g < def->element_group_count && status == TIDE_OK; g++) {
        const tide_body_elements *from = &def->elements[g];
        uint32_t count;
        const uint32_t *corners = corners_of(from, def->mesh, &count);
        if (!count)
            continue;
        tide_elements *group = tide_body_add_group(body, from->kind, count);
        if (!group)
            return tide_fail_memory(error, object);
        memcpy(group->vertices, corners, from->kind->vertex_count * (size_t)count * sizeof *corners);
        for (uint32_t e = 0; e < count && status == TIDE_OK; e++)
            status = fill_parameters(group, e, from, at_rest->vertices, object, error);
    }
    return status;
}
