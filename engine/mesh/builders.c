// The list of mesh builders.
#include "mesh/connectivity.h"

#include <stddef.h>
#include <string.h>

static const tide_mesh_builder *const builders[] = {
    &tide_mesh_grid,   &tide_mesh_strand,   &tide_mesh_strands, &tide_mesh_box,
    &tide_mesh_sphere, &tide_mesh_cylinder, &tide_mesh_torus,
};

const tide_mesh_builder *tide_mesh_builder_at(uint32_t index)
{
    return index < sizeof builders / sizeof builders[0] ? builders[index] : NULL;
}

const tide_mesh_builder *tide_mesh_builder_find(const char *name)
{
    for (size_t i = 0; i < sizeof builders / sizeof builders[0]; i++)
        if (strcmp(builders[i]->name, name) == 0)
            return builders[i];
    return NULL;
}
