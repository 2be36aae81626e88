#include "collision/shape.h"
#include "collision/tessellation.h"

#define FIELD(member) .name = #member, .offset = offsetof(tide_shape_plane_def, member)
static const tide_field fields[] = {
    { FIELD(normal), .type = TIDE_FIELD_VECTOR, .initial = { 0, 1, 0 },
      .help = "which way is out, of any length but 0; what lies on the other side is inside" },
    { FIELD(offset), .type = TIDE_FIELD_REAL, .minimum = -TIDE_POSE_FARTHEST, .maximum = TIDE_POSE_FARTHEST,
      .unit = "m", .help = "how far along the normal the plane is from the origin" },
    { 0 },
};

static tide_status make(const void *definition, tide_shape *shape, tide_error *error)
{
    const tide_shape_plane_def *def = definition;
    tide_status status = tide_distance_plane(def->normal, 0, &shape->distance, error);
    if (status != TIDE_OK)
        return status;
    double unit[3];
    const double origin[3] = { 0, 0, 0 };
    tide_distance_at(shape->distance, origin, unit);
    for (int k = 0; k < 3; k++)
        shape->pose.position[k] = unit[k] * def->offset;
    return tide_tessellate_sheet(2, 2, 100, 100, NULL, unit, &shape->surface, error);
}

const tide_shape_kind tide_shape_plane = {
    .name = "plane",
    .help = "a floor or wall without end",
    .fields = fields,
    .definition_size = sizeof(tide_shape_plane_def),
    .endless = true,
    .make = make,
};
