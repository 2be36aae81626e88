// The masses of a body's vertices.
#include "base/memory.h"
#include "base/vec3.h"
#include "world/body_parts.h"

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

// Shares each element's measure times density equally among its vertices.
static void spread_density(const tide_body_def *def, double *masses)
{
    const tide_mesh *mesh = def->mesh;
    const double *vertices = (def->rest ? def->rest : mesh)->vertices;
    memset(masses, 0, mesh->vertex_count * sizeof *masses);
    for (uint32_t t = 0; t < mesh->tetrahedron_count; t++) {
        const uint32_t *v = &mesh->tetrahedra[4 * (size_t)t];
        double part = density_of(def, v, 4) * tide_mesh_tetrahedron_volume(vertices, v) / 4;
        for (int k = 0; k < 4; k++)
            masses[v[k]] += part;
    }
    for (uint32_t t = 0; t < mesh->triangle_count && !mesh->tetrahedron_count; t++) {
        const uint32_t *v = &mesh->triangles[3 * (size_t)t];
        tide_vec3 a = tide_vec3_load(&vertices[3 * (size_t)v[0]]);
        tide_vec3 ab = tide_vec3_subtract(tide_vec3_load(&vertices[3 * (size_t)v[1]]), a);
        tide_vec3 ac = tide_vec3_subtract(tide_vec3_load(&vertices[3 * (size_t)v[2]]), a);
        double part = density_of(def, v, 3) * tide_vec3_length(tide_vec3_cross(ab, ac)) / 6;
        for (int k = 0; k < 3; k++)
            masses[v[k]] += part;
    }
    for (uint32_t e = 0; e < mesh->edge_count && !mesh->tetrahedron_count && !mesh->triangle_count; e++) {
        const uint32_t *v = &mesh->edges[2 * (size_t)e];
        tide_vec3 a = tide_vec3_load(&vertices[3 * (size_t)v[0]]);
        double part = density_of(def, v, 2) *
                      tide_vec3_length(tide_vec3_subtract(tide_vec3_load(&vertices[3 * (size_t)v[1]]), a)) / 2;
        masses[v[0]] += part;
        masses[v[1]] += part;
    }
}

tide_status tide_body_make_masses(tide_body *body, const tide_body_def *def, const char *object, tide_error *error)
{
    uint32_t n = def->mesh->vertex_count;
    bool density = tide_given(def->density) || def->density_at;
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
                             : density   ? "density"
                                         : "mass",
                             value, "gives vertex %u this mass; expected more than 0 kg", v + 1);
        }
    return TIDE_OK;
}
