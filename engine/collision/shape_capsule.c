#include "collision/shape.h"
#include "collision/tessellation.h"

#define FIELD(member) .name = #member, .offset = offsetof(tide_shape_capsule_def, member)
static const tide_field fields[] = {
    { FIELD(from), .type = TIDE_FIELD_VECTOR, .initial = { 0, -0.5, 0 }, .unit = "m",
      .help = "first end of the centre line" },
    { FIELD(to), .type = TIDE_FIELD_VECTOR, .initial = { 0, 0.5, 0 }, .unit = "m",
      .help = "second end of the centre line; if both ends are equal, the capsule is a sphere" },
    { FIELD(radius), .type = TIDE_FIELD_REAL, .initial = { 0.25 }, .maximum = 1e9, .positive = true, .unit = "m",
      .help = "radius of the capsule" },
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
    .help = "a rod with round ends: all points within a distance of a line segment",
    .fields = fields,
    .definition_size = sizeof(tide_shape_capsule_def),
    .make = make,
};
