#include "contact/outline.h"
#include "contact/shape.h"

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

static tide_status create(const void *definition, tide_shape *shape, tide_error *error)
{
    const tide_shape_capsule_def *def = definition;
    tide_status status = tide_fields_check(fields, "shape capsule", def, error);
    if (status != TIDE_OK)
        return status;
    tide_shape made = { .pose = tide_pose_identity() };
    double from[3], to[3];
    for (int k = 0; k < 3; k++) {
        made.pose.position[k] = 0.5 * def->from[k] + 0.5 * def->to[k];
        from[k] = def->from[k] - made.pose.position[k];
        to[k] = def->to[k] - made.pose.position[k];
    }
    status = tide_pose_check(&made.pose, "shape capsule", error);
    if (status == TIDE_OK)
        status = tide_distance_capsule(from, to, def->radius, &made.distance, error);
    if (status == TIDE_OK)
        status = tide_outline_capsule(from, to, def->radius, &made.surface, error);
    if (status == TIDE_OK)
        *shape = made;
    else
        tide_shape_release(&made);
    return status;
}

const tide_shape_kind tide_shape_capsule = {
    .name = "capsule",
    .help = "a limb or a rod with round ends: all that is near a line",
    .fields = fields,
    .definition_size = sizeof(tide_shape_capsule_def),
    .create = create,
};
