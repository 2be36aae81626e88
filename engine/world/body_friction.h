// Friction that depends on the direction along a body (collision/directed_friction.h).
#ifndef TIDE_WORLD_BODY_FRICTION_H
#define TIDE_WORLD_BODY_FRICTION_H

#include "world/world_state.h"

// Fails where the body has no surface for the direction, or no warp. The mesh must be checked.
tide_status tide_body_check_friction(const tide_body_def *def, const char *object, tide_error *error);
void tide_body_set_friction(tide_body *body, const tide_body_def *def); // sets friction_axis
// Gives the surface the axes of the bodies' friction, once it has its parts and carriers.
tide_status tide_world_set_axes(const tide_world *world, tide_contact_surface *surface, tide_error *error);

#endif
