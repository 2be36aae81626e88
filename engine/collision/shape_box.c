#include "collision/shape.h"
#include "collision/tessellation.h"

#include <string.h>

#define FIELD(member) .name = #member, .offset = offsetof(tide_shape_box_def, member)
static const tide_field fields[] = {
    { FIELD(position), .type = TIDE_FIELD_VECTOR, .unit = "m", .help = "where its middle is" },
    { .name = "rotation",
      .type = TIDE_FIELD_OTHER,
      .lua_type = "number[]",
      .initial_text = "none",
      .help = "how it is turned: { x, y, z, angle }, an axis and radians about it" },
    { FIELD(size), .type = TIDE_FIELD_VECTOR, .initial = { 1, 1, 1 }, .maximum = 1e9, .positive = true, .unit = "m",
      .help = "lengths of its sides along its own x, y and z" },
    { 0 },
};

static tide_status create(const void *definition, tide_shape *shape, tide_error *error)
{
    const tide_shape_box_def *def = definition;
    tide_status status = tide_fields_check(fields, "shape box", def, error);
    if (status != TIDE_OK)
        return status;
    tide_shape made = { 0 };
    memcpy(made.pose.position, def->position, sizeof def->position);
    memcpy(made.pose.rotation, def->rotation, sizeof def->rotation);
    status = tide_pose_check(&made.pose, "shape box", error);
    if (status == TIDE_OK)
        status = tide_distance_box(def->size, 0, &made.distance, error);
    if (status == TIDE_OK)
        status = tide_tessellate_box(def->size, &made.surface, error);
    if (status == TIDE_OK)
        *shape = made;
    else
        tide_shape_release(&made);
    return status;
}

const tide_shape_kind tide_shape_box = {
    .name = "box",
    .help = "a block with sharp edges",
    .fields = fields,
    .definition_size = sizeof(tide_shape_box_def),
    .create = create,
};
