#include "collision/shape.h"
#include "collision/tessellation.h"

#define FIELD(member) .name = #member, .offset = offsetof(tide_shape_cylinder_def, member)
static const tide_field fields[] = {
    { FIELD(from), .type = TIDE_FIELD_VECTOR, .initial = { 0, -0.5, 0 }, .unit = "m",
      .help = "centre of the first end" },
    { FIELD(to), .type = TIDE_FIELD_VECTOR, .initial = { 0, 0.5, 0 }, .unit = "m",
      .help = "centre of the second end; must differ from the first" },
    { FIELD(radius), .type = TIDE_FIELD_REAL, .initial = { 0.25 }, .maximum = 1e9, .positive = true, .unit = "m",
      .help = "radius of the cylinder" },
    { 0 },
};

static tide_status make(const void *definition, tide_shape *shape, tide_error *error)
{
    const tide_shape_cylinder_def *def = definition;
    return tide_shape_between("shape cylinder", def->from, def->to, def->radius, tide_distance_cylinder,
                              tide_tessellate_cylinder, shape, error);
}

const tide_shape_kind tide_shape_cylinder = {
    .name = "cylinder",
    .help = "a cylinder with flat ends, such as a drum, a disc or a rod",
    .fields = fields,
    .definition_size = sizeof(tide_shape_cylinder_def),
    .make = make,
};
