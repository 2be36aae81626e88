// Friction that depends on the direction along a surface, as a definition gives it: coefficients along and across an
// axis, which moves with the surface. With neither, one coefficient holds in all directions.
#ifndef TIDE_COLLISION_DIRECTED_FRICTION_H
#define TIDE_COLLISION_DIRECTED_FRICTION_H

#include "base/field.h"

// The coefficient along the axis is the `friction` of the definition.
typedef struct tide_directed_friction {
    double across;       // coefficient, above 0; 0: the same as along
    double direction[3]; // of the axis at rest, of any length but 0; not used with `warp`
    bool warp;           // the axis is the warp of the cloth
} tide_directed_friction;

// What scripts give: along, across, direction (a vector or "warp").
extern const tide_field tide_friction_fields[];
typedef struct tide_friction_def {
    double along, across;
} tide_friction_def;

// Checks a definition with the coefficient `along`. Errors name `object` and friction.across, .along or .direction.
tide_status tide_directed_friction_check(const tide_directed_friction *directed, double along, const char *object,
                                         tide_error *error);
// Returns the ratio of the coefficients across and along; 0 where they are the same.
double tide_directed_friction_ratio(const tide_directed_friction *directed, double along);
void tide_directed_friction_axis(const tide_directed_friction *directed, double axis[3]); // the unit vector

#endif
