// The list of mesh builders.
#include "mesh/connectivity.h"

#include <stddef.h>
#include <string.h>

#define BUILDERS(X)                                                                                                    \
    X(tide_mesh_grid)                                                                                                  \
    X(tide_mesh_strand)                                                                                                \
    X(tide_mesh_strands)                                                                                               \
    X(tide_mesh_box)                                                                                                   \
    X(tide_mesh_sphere)                                                                                                \
    X(tide_mesh_cylinder)                                                                                              \
    X(tide_mesh_torus)

#define DECLARE(builder) extern const tide_mesh_builder builder;
BUILDERS(DECLARE)

#define ADDRESS(builder) &builder,
static const tide_mesh_builder *const builders[] = { BUILDERS(ADDRESS) };

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
