// The targets of pins, for code that moves pins, and the numbers of pins. The other functions for pins are in world.h.
#ifndef TIDE_WORLD_PINS_H
#define TIDE_WORLD_PINS_H

#include "world/links.h"

// Returns the position of the vertex's pin at the end of the next step, m. The result is false for a vertex that is not
// pinned and for a stale id.
bool tide_world_pin_target(const tide_world *world, tide_body_id body, uint32_t vertex, double target[3]);
// Finds the number under which a pin of a vertex is entered (tide_pin.particle), and the point of the vertex. For the
// files of world/.
tide_status tide_world_find_pin(const tide_world *world, tide_body_id body, uint32_t vertex, const char *field,
                                uint64_t *number, tide_point *point, tide_error *error);

#endif
