#include "mesh/connectivity.h"

#include "base/memory.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define FIELD(member) .name = #member, .offset = offsetof(tide_mesh_strand_def, member)
static const tide_field fields[] = {
    { FIELD(points), .type = TIDE_FIELD_INTEGER, .initial = { 11 }, .minimum = 2, .maximum = TIDE_MESH_MAX_VERTICES,
      .help = "number of vertices along the line" },
    { FIELD(from), .type = TIDE_FIELD_VECTOR, .unit = "m", .help = "position of the first vertex" },
    { FIELD(to), .type = TIDE_FIELD_VECTOR, .initial = { 1, 0, 0 }, .unit = "m",
      .help = "position of the last vertex" },
    { 0 },
};

static void set_vertices(double *vertices, uint32_t points, const double *from, const double *to)
{
    for (uint32_t i = 0; i < points; i++)
        for (int k = 0; k < 3; k++) {
            double t = (double)i / (points - 1);
            vertices[3 * (size_t)i + (size_t)k] = (1 - t) * from[k] + t * to[k];
        }
}

// Sets the pairs (i, i + apart), (2 * count).
static void set_pairs(uint32_t *pairs, uint32_t count, uint32_t apart)
{
    for (uint32_t i = 0; i < count; i++) {
        pairs[2 * (size_t)i] = i;
        pairs[2 * (size_t)i + 1] = i + apart;
    }
}

static tide_status build(const void *definition, tide_mesh **mesh, tide_error *error)
{
    const tide_mesh_strand_def *def = definition;
    tide_status status = tide_fields_check(fields, "mesh strand", def, error);
    if (status != TIDE_OK)
        return status;
    char value[96];
    snprintf(value, sizeof value, "{%g, %g, %g}", def->to[0], def->to[1], def->to[2]);
    if (def->from[0] == def->to[0] && def->from[1] == def->to[1] && def->from[2] == def->to[2])
        return tide_fail(error, TIDE_ERROR_ARGUMENT, "mesh strand", "to", value, "expected a point other than `from`");
    uint32_t points = (uint32_t)def->points;
    TIDE_SCOPED double *vertices = tide_allocate_array(points, 3 * sizeof *vertices);
    TIDE_SCOPED uint32_t *edges = tide_allocate_array(points, 2 * sizeof *edges);
    TIDE_SCOPED uint32_t *skips = tide_allocate_array(points, 2 * sizeof *skips);
    if (vertices && edges && skips) {
        set_vertices(vertices, points, def->from, def->to);
        set_pairs(edges, points - 1, 1);
        set_pairs(skips, points - 2, 2);
        const tide_mesh_parts parts = { .vertex_count = points,
                                        .vertices = vertices,
                                        .edge_count = points - 1,
                                        .edges = edges,
                                        .skip_count = points - 2,
                                        .skips = skips };
        status = tide_mesh_create_from(&parts, true, mesh, error);
    } else
        status = tide_fail_memory(error, "mesh strand");
    return status;
}

const tide_mesh_builder tide_mesh_strand = {
    .name = "strand",
    .help = "a rope or a hair: a line of vertices with an edge between neighbours",
    .fields = fields,
    .definition_size = sizeof(tide_mesh_strand_def),
    .build = build,
};
