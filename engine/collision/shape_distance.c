#include "collision/shape.h"
#include "collision/tessellation.h"

#include <string.h>

#define FIELD(member) .name = #member, .offset = offsetof(tide_shape_distance_def, member)
static const tide_field fields[] = {
    { .name = "fn",
      .type = TIDE_FIELD_OTHER,
      .lua_type = "tide.Distance|fun(x: number, y: number, z: number): number",
      .required = true,
      .help = "function(x, y, z) that returns the distance to the surface in m, negative inside; or a ready distance" },
    { .name = "bounds",
      .type = TIDE_FIELD_OTHER,
      .lua_type = "number[][]",
      .initial_text = "those of the distance",
      .help = "{ { x, y, z }, { x, y, z } }, the corners of a box around what is inside; what sticks out is cut off" },
    { FIELD(cell), .type = TIDE_FIELD_REAL, .initial = { 0.05 }, .maximum = 1e9, .positive = true, .unit = "m",
      .help = "side of the cubes at whose corners a function is asked, and which the drawn surface is made of" },
    { FIELD(position), .type = TIDE_FIELD_VECTOR, .unit = "m", .help = "where the origin of x, y and z is" },
    { .name = "rotation",
      .type = TIDE_FIELD_OTHER,
      .lua_type = "number[]",
      .initial_text = "none",
      .help = "how it is turned: { x, y, z, angle }, an axis and radians about it" },
    { 0 },
};

static tide_status create(const void *definition, tide_shape *shape, tide_error *error)
{
    const tide_shape_distance_def *def = definition;
    tide_status status = tide_fields_check(fields, "shape distance", def, error);
    if (status != TIDE_OK)
        return status;
    if (!def->distance)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, "shape distance", "fn", NULL, "expected a function or a distance");
    tide_shape made = { 0 };
    memcpy(made.pose.position, def->position, sizeof def->position);
    memcpy(made.pose.rotation, def->rotation, sizeof def->rotation);
    status = tide_pose_check(&made.pose, "shape distance", error);
    if (status == TIDE_OK)
        status = tide_tessellate_distance(def->distance, def->cell, &made.surface, error);
    if (status != TIDE_OK)
        return status;
    made.distance = tide_distance_retain(def->distance);
    *shape = made;
    return TIDE_OK;
}

const tide_shape_kind tide_shape_distance = {
    .name = "distance",
    .help = "any solid: a function that tells how far its surface is",
    .fields = fields,
    .definition_size = sizeof(tide_shape_distance_def),
    .create = create,
};
