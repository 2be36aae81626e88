#include "collision/shape.h"
#include "collision/tessellation.h"

#define FIELD(member) .name = #member, .offset = offsetof(tide_shape_capsule_def, member)
static const tide_field fields[] = {
    { FIELD(from), .type = TIDE_FIELD_VECTOR, .initial = { 0, -0.5, 0 }, .unit = "m",
      .help = "one end of the line in its middle" },
    { FIELD(to), .type = TIDE_FIELD_VECTOR, .initial = { 0, 0.5, 0 }, .unit = "m",
      .help = "the other end; where it is the first, the capsule is a sphere" },
    { FIELD(radius), .type = TIDE_FIELD_REAL, .initial = { 0.25 }, .maximum = 1e9, .positive = true, .unit = "m",
      .help = "of the round" },
    { 0 },
};

static tide_status make(const void *definition, tide_shape *shape, tide_error *error)
{
    const tide_shape_capsule_def *def = definition;
    return tide_shape_between("shape capsule", def->from, def->to, def->radius, tide_distance_capsule,
                              tide_tessellate_capsule, shape, error);
}

const tide_shape_kind tide_shape_capsule = {
    .name = "capsule",
    .help = "a limb or a rod with round ends: all that is near a line",
    .fields = fields,
    .definition_size = sizeof(tide_shape_capsule_def),
    .make = make,
};
