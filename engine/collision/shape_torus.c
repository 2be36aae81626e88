#include "collision/shape.h"
#include "collision/tessellation.h"

#define FIELD(member) .name = #member, .offset = offsetof(tide_shape_torus_def, member)
static const tide_field fields[] = {
    { FIELD(position), .type = TIDE_FIELD_VECTOR, .unit = "m", .help = "position of the centre" },
    { FIELD(axis), .type = TIDE_FIELD_VECTOR, .initial = { 0, 1, 0 },
      .help = "axis of symmetry, through the hole; of any length except 0" },
    { FIELD(major), .type = TIDE_FIELD_REAL, .initial = { 0.5 }, .maximum = 1e9, .positive = true, .unit = "m",
      .help = "distance from the centre to the centre line of the tube" },
    { FIELD(minor), .type = TIDE_FIELD_REAL, .initial = { 0.15 }, .maximum = 1e9, .positive = true, .unit = "m",
      .help = "radius of the tube, at most `major`" },
    { 0 },
};

static tide_status make(const void *definition, tide_shape *shape, tide_error *error)
{
    const tide_shape_torus_def *def = definition;
    const double origin[3] = { 0, 0, 0 };
    TIDE_TRY(tide_shape_place(shape, "shape torus", def->position, NULL, error));
    TIDE_TRY(tide_distance_torus(origin, def->axis, def->major, def->minor, &shape->distance, error));
    return tide_tessellate_torus(def->axis, def->major, def->minor, &shape->surface, error);
}

const tide_shape_kind tide_shape_torus = {
    .name = "torus",
    .help = "a ring",
    .fields = fields,
    .definition_size = sizeof(tide_shape_torus_def),
    .make = make,
};
