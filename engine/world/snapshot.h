// Snapshots as bytes, for code that stores them. The other functions for snapshots are in world.h.
#ifndef TIDE_WORLD_SNAPSHOT_H
#define TIDE_WORLD_SNAPSHOT_H

#include "world/world.h"

// Returns whether the snapshot has the world's bodies, as tide_world_restore requires.
bool tide_world_fits(const tide_world *world, const tide_snapshot *snapshot);

// Returns the bytes of a snapshot, owned by it, for files that the same build reads.
const void *tide_snapshot_bytes(const tide_snapshot *snapshot, size_t *size);
// Creates a snapshot from bytes, which are not trusted; tide_world_restore can take the result. Fails for bytes that
// are no snapshot, for a snapshot of other bodies, and for numbers that a world cannot have.
tide_status tide_snapshot_read(const tide_world *world, const void *bytes, size_t size, tide_snapshot **snapshot,
                               tide_error *error);

#endif
