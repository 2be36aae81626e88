// The masses of a body's vertices.
#include "base/memory.h"
#include "base/vec3.h"
#include "world/body_parts.h"
#include "world/material.h"

#include <stdio.h>
#include <string.h>

static double density_of(const tide_body_def *def, const uint32_t *corners, int count)
{
    if (!def->density_at)
        return def->density;
    double sum = 0;
    for (int k = 0; k < count; k++)
        sum += def->density_at[corners[k]];
    return sum / count;
}

// Factors from density to mass per volume, area and length. They are 1 without materials, and then only the parts of
// the highest dimension have mass.
typedef struct sections {
    double volume, area, length; // 1, m, m^2
} sections;

static sections sections_of(const tide_body_def *def)
{
    const tide_mesh *mesh = def->mesh;
    bool any;
    if (!tide_given(def->density) && !def->density_at)
        return (sections) { 0 };
    if (tide_has_materials(def))
        return (sections) { tide_materials_section(def, TIDE_MATERIAL_TETRAHEDRA, &any),
                            tide_materials_section(def, TIDE_MATERIAL_TRIANGLES, &any),
                            tide_materials_section(def, TIDE_MATERIAL_EDGES, &any) };
    return (sections) { 1, !mesh->tetrahedron_count, !mesh->tetrahedron_count && !mesh->triangle_count };
}

// Shares each element's measure times density equally among its vertices.
static void spread_density(const tide_body_def *def, double *masses)
{
    const tide_mesh *mesh = def->mesh;
    const double *vertices = (def->rest ? def->rest : mesh)->vertices;
    const sections section = sections_of(def);
    bool areas = tide_given(def->area_density);
    memset(masses, 0, mesh->vertex_count * sizeof *masses);
    for (uint32_t t = 0; t < mesh->tetrahedron_count && section.volume > 0; t++) {
        const uint32_t *v = &mesh->tetrahedra[4 * (size_t)t];
        double density = section.volume * density_of(def, v, 4);
        double part = density * tide_mesh_tetrahedron_volume(vertices, v) / 4;
        for (int k = 0; k < 4; k++)
            masses[v[k]] += part;
    }
    for (uint32_t t = 0; t < mesh->triangle_count && (areas || section.area > 0); t++) {
        const uint32_t *v = &mesh->triangles[3 * (size_t)t];
        tide_vec3 a = tide_vec3_load(&vertices[3 * (size_t)v[0]]);
        tide_vec3 ab = tide_vec3_subtract(tide_vec3_load(&vertices[3 * (size_t)v[1]]), a);
        tide_vec3 ac = tide_vec3_subtract(tide_vec3_load(&vertices[3 * (size_t)v[2]]), a);
        double density = areas ? def->area_density : section.area * density_of(def, v, 3);
        double part = density * tide_vec3_length(tide_vec3_cross(ab, ac)) / 6;
        for (int k = 0; k < 3; k++)
            masses[v[k]] += part;
    }
    for (uint32_t e = 0; e < mesh->edge_count && section.length > 0; e++) {
        const uint32_t *v = &mesh->edges[2 * (size_t)e];
        tide_vec3 a = tide_vec3_load(&vertices[3 * (size_t)v[0]]);
        tide_vec3 along = tide_vec3_subtract(tide_vec3_load(&vertices[3 * (size_t)v[1]]), a);
        double part = section.length * density_of(def, v, 2) * tide_vec3_length(along) / 2;
        masses[v[0]] += part;
        masses[v[1]] += part;
    }
}

tide_status tide_body_make_masses(tide_body *body, const tide_body_def *def, const char *object, tide_error *error)
{
    uint32_t n = def->mesh->vertex_count;
    bool area = tide_given(def->area_density), density = tide_given(def->density) || def->density_at || area;
    body->masses = tide_allocate_array(n, sizeof *body->masses);
    if (!body->masses)
        return tide_fail_memory(error, object);
    if (def->masses)
        memcpy(body->masses, def->masses, n * sizeof *body->masses);
    else if (density)
        spread_density(def, body->masses);
    else
        for (uint32_t v = 0; v < n; v++)
            body->masses[v] = (tide_given(def->mass) ? def->mass : 1) / n;
    for (uint32_t v = 0; v < n; v++)
        if (!(body->masses[v] > 0 && body->masses[v] <= TIDE_BODY_LARGEST)) {
            char value[32];
            snprintf(value, sizeof value, "%.10g", body->masses[v]);
            return tide_fail(error, TIDE_ERROR_ARGUMENT, object,
                             def->masses ? "masses"
                             : area      ? "area_density"
                             : density   ? "density"
                                         : "mass",
                             value, "gives vertex %u this mass; expected more than 0 kg", v + 1);
        }
    return TIDE_OK;
}
