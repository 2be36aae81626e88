// A subdivided icosahedron: each step cuts triangles into four and moves the new vertices onto the sphere. Edge lengths
// differ by a fifth or so at any resolution, unlike those of meridians and parallels.
#include "mesh/connectivity.h"

#include "base/elementary.h"
#include "base/memory.h"
#include "base/vec3.h"

#include <stddef.h>

enum { MAX_SUBDIVISIONS = 11 }; // 10 * 4^11 + 2 = 41,943,042 vertices

#define FIELD(member) .name = #member, .offset = offsetof(tide_mesh_sphere_def, member)
static const tide_field fields[] = {
    { FIELD(radius), .type = TIDE_FIELD_REAL, .initial = { 0.5 }, .maximum = INFINITY, .positive = true, .unit = "m",
      .help = "distance of all vertices from the origin" },
    { FIELD(subdivisions), .type = TIDE_FIELD_INTEGER, .initial = { 3 }, .maximum = MAX_SUBDIVISIONS,
      .help = "how often each triangle of an icosahedron is cut into four; gives 10 * 4^subdivisions + 2 vertices" },
    { 0 },
};

// Sets a vertex at each pole, and five each on two parallels at heights of +-1 / sqrt(5).
static void set_icosahedron(double *vertex, uint32_t *triangle)
{
    const double pi = 3.14159265358979323846, height = 1 / sqrt(5), across = 2 / sqrt(5);
    tide_vec3_store(vertex, (tide_vec3) { 0, -1, 0 });
    tide_vec3_store(vertex + 33, (tide_vec3) { 0, 1, 0 });
    for (uint32_t k = 0; k < 5; k++) {
        double lower = 2 * pi * k / 5, upper = lower + pi / 5;
        tide_vec3_store(vertex + 3 + 3 * k,
                        (tide_vec3) { across * tide_cos(lower), -height, -across * tide_sin(lower) });
        tide_vec3_store(vertex + 18 + 3 * k,
                        (tide_vec3) { across * tide_cos(upper), height, -across * tide_sin(upper) });
        uint32_t a = 1 + k, b = 1 + (k + 1) % 5, c = 6 + k, d = 6 + (k + 1) % 5;
        const uint32_t around[12] = { 0, b, a, a, b, c, b, d, c, c, d, 11 };
        for (int i = 0; i < 12; i++)
            *triangle++ = around[i];
    }
}

// Makes the mesh with each vertex at `radius` from the origin.
static tide_status make_round(const tide_mesh *mesh, double radius, bool textured, tide_mesh **out, tide_error *error)
{
    TIDE_SCOPED double *vertices = tide_allocate_array(mesh->vertex_count, 3 * sizeof *vertices);
    TIDE_SCOPED double *texture = tide_allocate_array(mesh->vertex_count, 2 * sizeof *texture);
    TIDE_TRY(vertices && texture ? TIDE_OK : tide_fail_memory(error, "mesh sphere"));
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        tide_vec3 direction = tide_vec3_normalize(tide_vec3_load(mesh->vertices + 3 * i));
        tide_vec3_store(vertices + 3 * i, tide_vec3_scale(direction, radius));
        // Lambert's equal-area map of each hemisphere from its pole: the halves meet at the equator, and there is no
        // seam.
        double outward = 0.5 / sqrt(1 + fabs(direction.y));
        texture[2 * i] = 0.5 + outward * direction.x;
        texture[2 * i + 1] = 0.5 + outward * direction.z;
    }
    tide_mesh_parts parts = tide_mesh_view(mesh);
    parts.vertices = vertices;
    parts.texture = textured ? texture : NULL;
    TIDE_TRY(tide_mesh_create_from(&parts, true, out, error));
    return TIDE_OK;
}

static tide_status build(const void *definition, tide_mesh **mesh, tide_error *error)
{
    const tide_mesh_sphere_def *def = definition;
    tide_status status = tide_fields_check(fields, "mesh sphere", def, error);
    if (status != TIDE_OK)
        return status;
    double vertices[36];
    uint32_t triangles[60];
    set_icosahedron(vertices, triangles);
    const tide_mesh_parts parts = {
        .vertex_count = 12, .vertices = vertices, .triangle_count = 20, .triangles = triangles
    };
    tide_mesh *current = NULL;
    status = tide_mesh_create_from(&parts, true, &current, error);
    for (int i = 0; i < def->subdivisions && status == TIDE_OK; i++) {
        tide_mesh *finer = NULL, *round = NULL;
        status = tide_mesh_subdivide(current, &finer, error);
        if (status == TIDE_OK)
            status = make_round(finer, 1, false, &round, error);
        tide_mesh_release(finer);
        tide_mesh_release(current);
        current = round;
    }
    if (status == TIDE_OK)
        status = make_round(current, def->radius, true, mesh, error);
    tide_mesh_release(current);
    return status;
}

const tide_mesh_builder tide_mesh_sphere = {
    .name = "sphere",
    .help = "the surface of a ball, centred at the origin, with triangles of nearly equal size",
    .fields = fields,
    .definition_size = sizeof(tide_mesh_sphere_def),
    .build = build,
};
