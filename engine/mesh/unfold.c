#include "mesh/unfold.h"

#include "base/memory.h"
#include "mesh/connectivity.h"

#include <stdio.h>

tide_status tide_mesh_unfold(const tide_mesh *mesh, double scale, tide_mesh **out, tide_error *error)
{
    if (!mesh->texture)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, "mesh", "unfold", NULL,
                         "the mesh has no texture coordinates; load an .obj file that has them");
    if (!(scale > 0 && scale <= 1e9)) {
        char value[32];
        snprintf(value, sizeof value, "%.10g", scale);
        return tide_fail(error, TIDE_ERROR_ARGUMENT, "mesh", "unfold", value,
                         "expected a number greater than 0 and at most 1e+09");
    }
    TIDE_SCOPED double *vertices = tide_allocate_zeroed(mesh->vertex_count, 3 * sizeof *vertices);
    if (!vertices)
        return tide_fail_memory(error, "mesh");
    for (size_t i = 0; i < mesh->vertex_count; i++)
        for (size_t k = 0; k < 2; k++)
            vertices[3 * i + k] = scale * mesh->texture[2 * i + k];
    tide_mesh_parts parts = tide_mesh_view(mesh);
    parts.vertices = vertices;
    return tide_mesh_create_from(&parts, true, out, error);
}
