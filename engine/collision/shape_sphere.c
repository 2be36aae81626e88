#include "collision/shape.h"
#include "collision/tessellation.h"

#define FIELD(member) .name = #member, .offset = offsetof(tide_shape_sphere_def, member)
static const tide_field fields[] = {
    { FIELD(position), .type = TIDE_FIELD_VECTOR, .unit = "m", .help = "position of the centre" },
    { FIELD(radius), .type = TIDE_FIELD_REAL, .initial = { 0.5 }, .maximum = 1e9, .positive = true, .unit = "m",
      .help = "radius of the sphere" },
    { 0 },
};

static tide_status make(const void *definition, tide_shape *shape, tide_error *error)
{
    const tide_shape_sphere_def *def = definition;
    const double origin[3] = { 0, 0, 0 };
    TIDE_TRY(tide_shape_place(shape, "shape sphere", def->position, NULL, error));
    TIDE_TRY(tide_distance_sphere(origin, def->radius, &shape->distance, error));
    return tide_tessellate_capsule(origin, origin, def->radius, &shape->surface, error);
}

const tide_shape_kind tide_shape_sphere = {
    .name = "sphere",
    .help = "a ball",
    .fields = fields,
    .definition_size = sizeof(tide_shape_sphere_def),
    .make = make,
};
