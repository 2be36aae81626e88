// The list of mesh builders.
#include "mesh/connectivity.h"

#include <stddef.h>

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
