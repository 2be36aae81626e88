// Checks a mesh that a body is made of.
#include "world/body_parts.h"

#include "base/log.h"
#include "base/memory.h"
#include "world/material.h"

// Sets *all to whether every vertex is in an edge, triangle or tetrahedron of the mesh, an extra spring or a listed
// element. Vertices isolated in the mesh are valid then.
static tide_status elements_hold_all(const tide_body_def *def, bool *all, tide_error *error)
{
    const tide_mesh *mesh = def->mesh;
    bool *used = tide_allocate_zeroed(mesh->vertex_count, sizeof *used);
    if (!used)
        return tide_fail_memory(error, "a body");
    for (size_t i = 0; i < 2 * (size_t)mesh->edge_count; i++)
        used[mesh->edges[i]] = true;
    for (size_t i = 0; i < 3 * (size_t)mesh->triangle_count; i++)
        used[mesh->triangles[i]] = true;
    for (size_t i = 0; i < 4 * (size_t)mesh->tetrahedron_count; i++)
        used[mesh->tetrahedra[i]] = true;
    for (uint32_t s = 0; s < def->spring_count; s++)
        used[def->springs[s].i] = used[def->springs[s].j] = true;
    for (uint32_t g = 0; g < def->element_group_count; g++) {
        const tide_body_elements *group = &def->elements[g];
        size_t corners = group->on == TIDE_ON_VERTICES ? group->kind->vertex_count * (size_t)group->count : 0;
        for (size_t i = 0; i < corners; i++)
            used[group->vertices[i]] = true;
    }
    *all = true;
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        *all = *all && used[v];
    tide_free(used);
    return TIDE_OK;
}

// Returns whether a problem of a mesh matters for the body. Elements give masses only with a density, so a massless
// vertex does not matter otherwise.
static bool is_concerned(const tide_body_def *def, const tide_mesh *mesh, tide_mesh_problem_kind kind)
{
    bool density = tide_given(def->density) || def->density_at || tide_given(def->area_density);
    return kind != TIDE_MESH_MASSLESS_VERTEX || (density && !def->masses && mesh == def->mesh);
}

// Returns whether a material needs tetrahedra that are not inverted.
static bool takes_tetrahedra(const tide_body_def *def)
{
    const tide_material *material;
    bool takes = false;
    for (uint32_t m = 0; (material = tide_material_at(m)); m++)
        takes = takes || (def->materials[m] && material->part == TIDE_MATERIAL_TETRAHEDRA);
    return takes;
}

tide_status tide_body_check_mesh(const tide_mesh *mesh, const tide_body_def *def, const char *object, const char *field,
                                 tide_mesh_report *report, tide_error *error)
{
    tide_status status = tide_mesh_check(mesh, report, error);
    for (uint32_t p = 0; status == TIDE_OK && p < report->problem_count; p++) {
        const tide_mesh_problem *problem = &report->problems[p];
        bool excused = !problem->fatal;
        if (problem->kind == TIDE_MESH_ISOLATED_VERTEX && mesh == def->mesh &&
            (def->spring_count || def->element_group_count))
            status = elements_hold_all(def, &excused, error);
        if (problem->kind == TIDE_MESH_INVERTED_TETRAHEDRON && takes_tetrahedra(def))
            excused = false;
        if (status == TIDE_OK && !excused)
            status = tide_fail(error, TIDE_ERROR_ARGUMENT, object, field, NULL, "%s", problem->text);
        else if (status == TIDE_OK && !problem->fatal && is_concerned(def, mesh, problem->kind))
            tide_log(TIDE_LOG_WARNING, "%s: %s: %s", object, field, problem->text);
    }
    return status;
}
