#include "mesh/connectivity.h"

#include "base/memory.h"

#include <stddef.h>
#include <stdio.h>

#define FIELD(member) .name = #member, .offset = offsetof(tide_mesh_box_def, member)
static const tide_field fields[] = {
    { FIELD(size), .type = TIDE_FIELD_VECTOR, .initial = { 1, 1, 1 }, .maximum = INFINITY, .positive = true,
      .unit = "m", .help = "side lengths along x, y and z" },
    { FIELD(cells), .type = TIDE_FIELD_VECTOR, .initial = { 4, 4, 4 }, .minimum = 1, .maximum = TIDE_MESH_MAX_VERTICES,
      .help = "integer numbers of cells along x, y and z; each cell is cut into five tetrahedra" },
    { 0 },
};

// Corner b of a cell is at x = bit 0, y = bit 1, z = bit 2. The two ways to cut a cell are mirror images, so that
// neighbours cut their common face along the same diagonal.
static const unsigned char cuts[2][5][4] = {
    { { 0, 3, 6, 5 }, { 1, 0, 3, 5 }, { 2, 0, 6, 3 }, { 4, 0, 5, 6 }, { 7, 3, 6, 5 } },
    { { 1, 2, 4, 7 }, { 0, 1, 2, 4 }, { 3, 1, 7, 2 }, { 5, 1, 4, 7 }, { 6, 2, 7, 4 } },
};

static void set_vertices(double *vertex, const uint32_t *cells, const double *size)
{
    for (uint32_t k = 0; k <= cells[2]; k++)
        for (uint32_t j = 0; j <= cells[1]; j++)
            for (uint32_t i = 0; i <= cells[0]; i++, vertex += 3) {
                vertex[0] = ((double)i / cells[0] - 0.5) * size[0];
                vertex[1] = ((double)j / cells[1] - 0.5) * size[1];
                vertex[2] = ((double)k / cells[2] - 0.5) * size[2];
            }
}

static void set_tetrahedra(uint32_t *tetrahedron, const uint32_t *cells)
{
    uint32_t row = cells[0] + 1, layer = row * (cells[1] + 1);
    for (uint32_t k = 0; k < cells[2]; k++)
        for (uint32_t j = 0; j < cells[1]; j++)
            for (uint32_t i = 0; i < cells[0]; i++)
                for (int t = 0; t < 5; t++, tetrahedron += 4)
                    for (int v = 0; v < 4; v++) {
                        uint32_t corner = cuts[(i + j + k) % 2][t][v];
                        tetrahedron[v] = (k + (corner >> 2)) * layer + (j + (corner >> 1 & 1)) * row + i + (corner & 1);
                    }
}

static tide_status check_cells(const tide_mesh_box_def *def, tide_error *error)
{
    char value[96];
    snprintf(value, sizeof value, "{%.10g, %.10g, %.10g}", def->cells[0], def->cells[1], def->cells[2]);
    double vertices = 1;
    for (int k = 0; k < 3; k++) {
        if (def->cells[k] != floor(def->cells[k]))
            return tide_fail(error, TIDE_ERROR_ARGUMENT, "mesh box", "cells", value, "expected whole numbers");
        vertices *= def->cells[k] + 1;
    }
    if (vertices > TIDE_MESH_MAX_VERTICES)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, "mesh box", "cells", value,
                         "this makes %.0f vertices; expected at most %d", vertices, TIDE_MESH_MAX_VERTICES);
    return TIDE_OK;
}

static tide_status build(const void *definition, tide_mesh **mesh, tide_error *error)
{
    const tide_mesh_box_def *def = definition;
    tide_status status = tide_fields_check(fields, "mesh box", def, error);
    if (status == TIDE_OK)
        status = check_cells(def, error);
    if (status != TIDE_OK)
        return status;
    const uint32_t cells[3] = { (uint32_t)def->cells[0], (uint32_t)def->cells[1], (uint32_t)def->cells[2] };
    uint32_t vertex_count = (cells[0] + 1) * (cells[1] + 1) * (cells[2] + 1);
    uint32_t tetrahedron_count = 5 * cells[0] * cells[1] * cells[2];
    TIDE_SCOPED double *vertices = tide_allocate_array(vertex_count, 3 * sizeof *vertices);
    TIDE_SCOPED uint32_t *tetrahedra = tide_allocate_array(tetrahedron_count, 4 * sizeof *tetrahedra);
    if (vertices && tetrahedra) {
        set_vertices(vertices, cells, def->size);
        set_tetrahedra(tetrahedra, cells);
        const tide_mesh_parts parts = { .vertex_count = vertex_count,
                                        .vertices = vertices,
                                        .tetrahedron_count = tetrahedron_count,
                                        .tetrahedra = tetrahedra };
        status = tide_mesh_create_from(&parts, true, mesh, error);
    } else
        status = tide_fail_memory(error, "mesh box");
    return status;
}

const tide_mesh_builder tide_mesh_box = {
    .name = "box",
    .help = "a solid block of tetrahedra, centred at the origin",
    .fields = fields,
    .definition_size = sizeof(tide_mesh_box_def),
    .build = build,
};
