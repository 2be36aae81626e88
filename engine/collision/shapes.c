// The list of shapes.
#include "collision/shape.h"

#include <stdio.h>
#include <string.h>

#define SHAPES(X)                                                                                                      \
    X(tide_shape_plane)                                                                                                \
    X(tide_shape_sphere)                                                                                               \
    X(tide_shape_capsule)                                                                                              \
    X(tide_shape_cylinder)                                                                                             \
    X(tide_shape_box)                                                                                                  \
    X(tide_shape_torus)                                                                                                \
    X(tide_shape_mesh)                                                                                                 \
    X(tide_shape_heightfield)                                                                                          \
    X(tide_shape_distance)

#define DECLARE(kind) extern const tide_shape_kind kind;
SHAPES(DECLARE)

#define ADDRESS(kind) &kind,
static const tide_shape_kind *const kinds[] = { SHAPES(ADDRESS) };

const tide_shape_kind *tide_shape_kind_at(uint32_t index)
{
    return index < sizeof kinds / sizeof kinds[0] ? kinds[index] : NULL;
}

const tide_shape_kind *tide_shape_kind_find(const char *name)
{
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(kinds[i]->name, name) == 0)
            return kinds[i];
    return NULL;
}

void tide_shape_default(const tide_shape_kind *kind, void *definition)
{
    memset(definition, 0, kind->definition_size);
    tide_fields_default(kind->fields, definition);
}

tide_status tide_shape_create(const tide_shape_kind *kind, const void *definition, tide_shape *shape, tide_error *error)
{
    tide_shape made = { .pose = tide_pose_identity() };
    char object[64];
    snprintf(object, sizeof object, "shape %s", kind->name);
    tide_status status = tide_fields_check(kind->fields, object, definition, error);
    if (status == TIDE_OK)
        status = kind->make(definition, &made, error);
    if (status == TIDE_OK)
        *shape = made;
    else
        tide_shape_release(&made);
    return status;
}
