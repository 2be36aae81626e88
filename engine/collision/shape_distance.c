#include "collision/shape.h"
#include "collision/tessellation.h"

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
    TIDE_SHAPE_ROTATION_FIELD(tide_shape_distance_def),
    { 0 },
};

static tide_status make(const void *definition, tide_shape *shape, tide_error *error)
{
    const tide_shape_distance_def *def = definition;
    if (!def->distance)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, "shape distance", "fn", NULL, "expected a function or a distance");
    tide_status status = tide_shape_place(shape, "shape distance", def->position, def->rotation, error);
    shape->distance = tide_distance_retain(def->distance);
    return status == TIDE_OK ? tide_tessellate_distance(def->distance, def->cell, &shape->surface, error) : status;
}

const tide_shape_kind tide_shape_distance = {
    .name = "distance",
    .help = "any solid: a function that tells how far its surface is",
    .fields = fields,
    .definition_size = sizeof(tide_shape_distance_def),
    .smooth = true,
    .make = make,
};
