// Marks the smooth edges and points of the fixed parts of a contact surface (collision/surface.h).
#ifndef TIDE_WORLD_FEATURE_FILTER_H
#define TIDE_WORLD_FEATURE_FILTER_H

#include "collision/surface.h"

// Allocates and sets `smooth_edges` and `smooth_points`. What is smooth depends on the parts that may touch the fixed
// one, so `touching` must be set. Fails if memory runs out.
tide_status tide_world_mark_smooth(tide_contact_surface *surface, tide_error *error);

#endif
