#include "mesh/connectivity.h"
#include "mesh/rings.h"

#include "base/elementary.h"
#include "base/memory.h"

#include <stddef.h>
#include <stdio.h>

static const double pi = 3.14159265358979323846;

#define FIELD(member) .name = #member, .offset = offsetof(tide_mesh_torus_def, member)
static const tide_field fields[] = {
    { FIELD(major), .type = TIDE_FIELD_REAL, .initial = { 0.5 }, .maximum = INFINITY, .positive = true, .unit = "m",
      .help = "distance from the axis to the centre line of the tube" },
    { FIELD(minor), .type = TIDE_FIELD_REAL, .initial = { 0.2 }, .maximum = INFINITY, .positive = true, .unit = "m",
      .help = "radius of the tube, less than major" },
    { FIELD(segments), .type = TIDE_FIELD_INTEGER, .initial = { 32 }, .minimum = 3, .maximum = TIDE_MESH_MAX_VERTICES,
      .help = "number of vertices around the axis" },
    { FIELD(sides), .type = TIDE_FIELD_INTEGER, .initial = { 12 }, .minimum = 3, .maximum = TIDE_MESH_MAX_VERTICES,
      .help = "number of vertices around the tube" },
    { 0 },
};

static void set_vertices(const tide_mesh_rings *rings, const tide_mesh_torus_def *def, double *vertex)
{
    for (uint32_t r = 0; r < rings->rows; r++)
        for (uint32_t c = 0; c < rings->columns; c++, vertex += 3) {
            double around = 2 * pi * c / rings->columns, tube = 2 * pi * r / rings->rows;
            double radius = def->major + def->minor * tide_cos(tube);
            vertex[0] = radius * tide_cos(around);
            vertex[1] = def->minor * tide_sin(tube);
            vertex[2] = 0 - radius * tide_sin(around); // avoids -0
        }
}

static tide_status check(const tide_mesh_torus_def *def, tide_error *error)
{
    TIDE_TRY(tide_fields_check(fields, "mesh torus", def, error));
    char value[32];
    snprintf(value, sizeof value, "%.10g", def->minor);
    if (def->minor >= def->major)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, "mesh torus", "minor", value,
                         "the tube would run through itself; expected less than major, %.10g m", def->major);
    uint64_t vertices = (uint64_t)def->segments * (uint64_t)def->sides;
    snprintf(value, sizeof value, "%d", def->segments);
    if (vertices > TIDE_MESH_MAX_VERTICES)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, "mesh torus", "segments", value,
                         "with %d sides this makes %llu vertices; expected at most %d", def->sides,
                         (unsigned long long)vertices, TIDE_MESH_MAX_VERTICES);
    return TIDE_OK;
}

static tide_status build(const void *definition, tide_mesh **mesh, tide_error *error)
{
    const tide_mesh_torus_def *def = definition;
    tide_status status = check(def, error);
    if (status != TIDE_OK)
        return status;
    const tide_mesh_rings rings = { (uint32_t)def->segments, (uint32_t)def->sides, true };
    uint32_t count = rings.columns * rings.rows;
    TIDE_SCOPED double *vertices = tide_allocate_array(count, 3 * sizeof *vertices);
    TIDE_SCOPED double *texture = tide_allocate_array(count, 2 * sizeof *texture);
    TIDE_SCOPED uint32_t *triangles = tide_allocate_array(count, 6 * sizeof *triangles);
    TIDE_SCOPED uint32_t *skips = tide_allocate_array(count, 4 * sizeof *skips);
    if (vertices && texture && triangles && skips) {
        set_vertices(&rings, def, vertices);
        tide_mesh_rings_texture(&rings, 1, def->minor / def->major, texture);
        tide_mesh_rings_triangles(&rings, triangles);
        const tide_mesh_parts parts = { .vertex_count = count,
                                        .vertices = vertices,
                                        .texture = texture,
                                        .triangle_count = 2 * count,
                                        .triangles = triangles,
                                        .skip_count = (uint32_t)((tide_mesh_rings_skips(&rings, skips) - skips) / 2),
                                        .skips = skips };
        status = tide_mesh_create_from(&parts, true, mesh, error);
    } else
        status = tide_fail_memory(error, "mesh torus");
    return status;
}

const tide_mesh_builder tide_mesh_torus = {
    .name = "torus",
    .help = "the surface of a ring about the y axis, centred at the origin",
    .fields = fields,
    .definition_size = sizeof(tide_mesh_torus_def),
    .build = build,
};
