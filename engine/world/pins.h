// What is to be known of pins by who moves them from outside. More is in world.h.
#ifndef TIDE_WORLD_PINS_H
#define TIDE_WORLD_PINS_H

#include "world/world.h"

// Where the vertex's pin is to be at the end of the next step, m; false for one that is not pinned or a stale id.
bool tide_world_pin_target(const tide_world *world, tide_body_id body, uint32_t vertex, double target[3]);

#endif
