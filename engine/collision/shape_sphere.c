#include "collision/shape.h"
#include "collision/tessellation.h"

#include <string.h>

#define FIELD(member) .name = #member, .offset = offsetof(tide_shape_sphere_def, member)
static const tide_field fields[] = {
    { FIELD(position), .type = TIDE_FIELD_VECTOR, .unit = "m", .help = "where its middle is" },
    { FIELD(radius), .type = TIDE_FIELD_REAL, .initial = { 0.5 }, .maximum = 1e9, .positive = true, .unit = "m",
      .help = "from the middle to the surface" },
    { 0 },
};

static tide_status create(const void *definition, tide_shape *shape, tide_error *error)
{
    const tide_shape_sphere_def *def = definition;
    tide_status status = tide_fields_check(fields, "shape sphere", def, error);
    if (status != TIDE_OK)
        return status;
    const double origin[3] = { 0, 0, 0 };
    tide_shape made = { .pose = tide_pose_identity() };
    memcpy(made.pose.position, def->position, sizeof def->position);
    status = tide_pose_check(&made.pose, "shape sphere", error);
    if (status == TIDE_OK)
        status = tide_distance_sphere(origin, def->radius, &made.distance, error);
    if (status == TIDE_OK)
        status = tide_tessellate_capsule(origin, origin, def->radius, &made.surface, error);
    if (status == TIDE_OK)
        *shape = made;
    else
        tide_shape_release(&made);
    return status;
}

const tide_shape_kind tide_shape_sphere = {
    .name = "sphere",
    .help = "a ball",
    .fields = fields,
    .definition_size = sizeof(tide_shape_sphere_def),
    .create = create,
};
