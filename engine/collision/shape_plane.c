#include "collision/shape.h"
#include "collision/tessellation.h"

#define FIELD(member) .name = #member, .offset = offsetof(tide_shape_plane_def, member)
static const tide_field fields[] = {
    { FIELD(normal), .type = TIDE_FIELD_VECTOR, .initial = { 0, 1, 0 },
      .help = "outward normal, of any length except 0; the other side of the plane is inside" },
    { FIELD(offset), .type = TIDE_FIELD_REAL, .minimum = -TIDE_POSE_FARTHEST, .maximum = TIDE_POSE_FARTHEST,
      .unit = "m", .help = "signed distance of the plane from the origin along the normal" },
    { 0 },
};

static tide_status make(const void *definition, tide_shape *shape, tide_error *error)
{
    const tide_shape_plane_def *def = definition;
    TIDE_TRY(tide_distance_plane(def->normal, 0, &shape->distance, error));
    double unit[3];
    const double origin[3] = { 0, 0, 0 };
    tide_distance_at(shape->distance, origin, unit);
    for (int k = 0; k < 3; k++)
        shape->pose.position[k] = unit[k] * def->offset;
    return tide_tessellate_sheet(2, 2, 100, 100, NULL, unit, &shape->surface, error);
}

const tide_shape_kind tide_shape_plane = {
    .name = "plane",
    .help = "an infinite floor or wall",
    .fields = fields,
    .definition_size = sizeof(tide_shape_plane_def),
    .endless = true,
    .make = make,
};
