#include "collision/shape.h"
#include "collision/tessellation.h"

#define FIELD(member) .name = #member, .offset = offsetof(tide_shape_distance_def, member)
static const tide_field fields[] = {
    { .name = "fn",
      .type = TIDE_FIELD_OTHER,
      .lua_type = "tide.Distance|fun(x: number, y: number, z: number): number",
      .required = true,
      .help = "function(x, y, z) that returns the signed distance to the surface in m, negative inside; or a "
              "tide.distance" },
    { .name = "bounds",
      .type = TIDE_FIELD_OTHER,
      .lua_type = "number[][]",
      .initial_text = "those of the distance",
      .help = "two opposite corners { { x, y, z }, { x, y, z } } of a box around the solid; what lies outside the box "
              "is cut off" },
    { FIELD(cell), .type = TIDE_FIELD_REAL, .initial = { 0.05 }, .maximum = 1e9, .positive = true, .unit = "m",
      .help =
          "edge length of the grid at whose points a function is sampled; also the resolution of the drawn surface" },
    { FIELD(position), .type = TIDE_FIELD_VECTOR, .unit = "m", .help = "position of the origin of x, y and z" },
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
    .help = "any solid given by a signed distance function",
    .fields = fields,
    .definition_size = sizeof(tide_shape_distance_def),
    .smooth = true,
    .make = make,
};
