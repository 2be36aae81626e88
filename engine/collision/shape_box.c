#include "collision/shape.h"
#include "collision/tessellation.h"

#define FIELD(member) .name = #member, .offset = offsetof(tide_shape_box_def, member)
static const tide_field fields[] = {
    { FIELD(position), .type = TIDE_FIELD_VECTOR, .unit = "m", .help = "position of the centre" },
    TIDE_SHAPE_ROTATION_FIELD(tide_shape_box_def),
    { FIELD(size), .type = TIDE_FIELD_VECTOR, .initial = { 1, 1, 1 }, .maximum = 1e9, .positive = true, .unit = "m",
      .help = "side lengths along its own x, y and z axes" },
    { 0 },
};

static tide_status make(const void *definition, tide_shape *shape, tide_error *error)
{
    const tide_shape_box_def *def = definition;
    TIDE_TRY(tide_shape_place(shape, "shape box", def->position, def->rotation, error));
    TIDE_TRY(tide_distance_box(def->size, 0, &shape->distance, error));
    return tide_tessellate_box(def->size, &shape->surface, error);
}

const tide_shape_kind tide_shape_box = {
    .name = "box",
    .help = "a block with sharp edges",
    .fields = fields,
    .definition_size = sizeof(tide_shape_box_def),
    .exact = true,
    .make = make,
};
