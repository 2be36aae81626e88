#include "collision/directed_friction.h"

#include "base/elementary.h"

#include <math.h>
#include <stdio.h>

#define LEAST 1e-4 // coefficient: the ellipse of friction has two axes
#define MOST 1000

const tide_field tide_friction_fields[] = {
    { TIDE_MEMBER(tide_friction_def, along), .type = TIDE_FIELD_REAL, .minimum = LEAST, .maximum = MOST,
      .required = true, .help = "coefficient of friction along the direction" },
    { TIDE_MEMBER(tide_friction_def, across), .type = TIDE_FIELD_REAL, .minimum = LEAST, .maximum = MOST,
      .required = true, .help = "coefficient of friction across the direction" },
    { "direction", TIDE_FIELD_OTHER, .lua_type = "number[] | \"warp\"", .required = true,
      .help = "direction on the surface at rest, which moves with it: a vector x, y, z in the coordinates of a "
              "body's mesh, or in the world as a collider is defined; or \"warp\", along the first texture coordinate "
              "of a cloth" },
    { 0 },
};

tide_status tide_directed_friction_check(const tide_directed_friction *directed, double along, const char *object,
                                         tide_error *error)
{
    const double *d = directed->direction, length = tide_hypot(tide_hypot(d[0], d[1]), d[2]);
    const tide_friction_def def = { along, directed->across };
    char value[96];
    if (directed->across == 0)
        return TIDE_OK;
    const double numbers[] = { def.along, def.across };
    for (int i = 0; i < 2; i++) {
        snprintf(value, sizeof value, "%.10g", numbers[i]);
        if (!(numbers[i] >= LEAST && numbers[i] <= MOST))
            return tide_fail(error, TIDE_ERROR_ARGUMENT, object, i ? "friction.across" : "friction.along", value,
                             "expected a coefficient from 0.0001 to 1000");
    }
    snprintf(value, sizeof value, "{%.10g, %.10g, %.10g}", d[0], d[1], d[2]);
    if (!directed->warp && !(length > 0 && isfinite(length)))
        return tide_fail(error, TIDE_ERROR_ARGUMENT, object, "friction.direction", value,
                         "expected a direction: finite numbers that are not all 0");
    return TIDE_OK;
}

double tide_directed_friction_ratio(const tide_directed_friction *directed, double along)
{
    return directed->across > 0 && directed->across != along ? directed->across / along : 0;
}

void tide_directed_friction_axis(const tide_directed_friction *directed, double axis[3])
{
    const double *d = directed->direction, length = tide_hypot(tide_hypot(d[0], d[1]), d[2]);
    for (int k = 0; k < 3; k++)
        axis[k] = length > 0 ? d[k] / length : 0;
}
