// What a world's new description changed, in words.
#ifndef TIDE_WORLD_ADOPTION_TEXT_H
#define TIDE_WORLD_ADOPTION_TEXT_H

#include "base/text.h"
#include "world/world.h"

// tide_world_adopt that also writes what it found into `notice` (emptied first; NULL: nothing), a line for each body,
// collider or setting that changed, no line end after the last:
//   curtain: stiffness 80 -> 200 N/m; refactored in 19 ms
//   cloth: 441 -> 1681 vertices, shape kept
//   ball: moved
//   removed: flag
// or "nothing changed". Without memory for it the notice is what there was room for: the adoption does not fail for it.
tide_status tide_world_adopt_telling(tide_world *world, tide_world *old, tide_adoption *adoption, tide_text *notice,
                                     tide_error *error);

// The lines without what was refactored; "" when there are none. `shape_kept` tells for each of the world's bodies
// whether the old one's shape is carried to another mesh; NULL: for none. Only reads.
void tide_adoption_write(const tide_world *world, const tide_world *old, const bool *shape_kept, tide_text *notice);

#endif
