// The notice after a reload: a text that lists what the new description of a world changed.
#ifndef TIDE_WORLD_RECONCILIATION_TEXT_H
#define TIDE_WORLD_RECONCILIATION_TEXT_H

#include "base/text.h"
#include "world/world.h"

// Does tide_world_reconcile and writes the changes to `notice` (emptied first; NULL: writes nothing), a line for each
// body, collider or setting that changed, without a line end after the last:
//   curtain: stiffness 80 -> 200 N/m; refactored in 19 ms
//   cloth: 441 -> 1681 vertices, shape kept
//   ball: moved
//   removed: flag
// or "nothing changed". If memory runs out, the notice is cut short and the reconciliation still succeeds.
tide_status tide_world_reconcile_with_notice(tide_world *world, tide_world *old, tide_reconciliation *reconciliation,
                                             tide_text *notice, tide_error *error);

// Writes the lines without the factorisation; "" if nothing changed. `shape_kept` (body_count) tells for each of the
// world's bodies whether the old shape carries over to another mesh; NULL: for none. Only reads the worlds.
void tide_reconciliation_write(const tide_world *world, const tide_world *old, const bool *shape_kept,
                               tide_text *notice);

#endif
