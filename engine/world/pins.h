// The targets of pins, for code that moves pins. The other functions for pins are in world.h.
#ifndef TIDE_WORLD_PINS_H
#define TIDE_WORLD_PINS_H

#include "world/world.h"

// Returns the position of the vertex's pin at the end of the next step, m. The result is false for a vertex that is not
// pinned and for a stale id.
bool tide_world_pin_target(const tide_world *world, tide_body_id body, uint32_t vertex, double target[3]);

#endif
