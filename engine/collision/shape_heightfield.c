#include "collision/shape.h"
#include "collision/tessellation.h"

#define FIELD(member) .name = #member, .offset = offsetof(tide_shape_heightfield_def, member)
static const tide_field fields[] = {
    { FIELD(position), .type = TIDE_FIELD_VECTOR, .unit = "m", .help = "position of the centre at height 0" },
    { FIELD(width), .type = TIDE_FIELD_REAL, .initial = { 10 }, .maximum = 1e9, .positive = true, .unit = "m",
      .help = "length along x" },
    { FIELD(depth), .type = TIDE_FIELD_REAL, .initial = { 10 }, .maximum = 1e9, .positive = true, .unit = "m",
      .help = "length along z" },
    { FIELD(columns), .type = TIDE_FIELD_INTEGER, .initial = { 33 }, .minimum = 2, .maximum = 16384,
      .help = "number of heights along x" },
    { FIELD(rows), .type = TIDE_FIELD_INTEGER, .initial = { 33 }, .minimum = 2, .maximum = 16384,
      .help = "number of heights along z" },
    { .name = "heights",
      .type = TIDE_FIELD_OTHER,
      .lua_type = "number[]|number[][]|fun(x: number, z: number): number",
      .required = true,
      .help = "columns * rows heights in m, row by row, or a function(x, z) that returns a height" },
    { 0 },
};

static tide_status make(const void *definition, tide_shape *shape, tide_error *error)
{
    const tide_shape_heightfield_def *def = definition;
    if (!def->heights)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, "shape heightfield", "heights", NULL,
                         "expected columns * rows heights, or a function");
    const double up[3] = { 0, 1, 0 }, width = def->width, depth = def->depth;
    uint32_t columns = (uint32_t)def->columns, rows = (uint32_t)def->rows;
    TIDE_TRY(tide_shape_place(shape, "shape heightfield", def->position, NULL, error));
    TIDE_TRY(tide_distance_heightfield(columns, rows, width, depth, def->heights, &shape->distance, error));
    return tide_tessellate_sheet(columns, rows, width, depth, def->heights, up, &shape->surface, error);
}

const tide_shape_kind tide_shape_heightfield = {
    .name = "heightfield",
    .help = "terrain: a height above each point of a rectangle",
    .fields = fields,
    .definition_size = sizeof(tide_shape_heightfield_def),
    .make = make,
};
