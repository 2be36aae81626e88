// What is to be known of snapshots by who keeps them. More is in world.h.
#ifndef TIDE_WORLD_SNAPSHOT_H
#define TIDE_WORLD_SNAPSHOT_H

#include "world/world.h"

// Whether it is of the bodies that the world has, so that tide_world_restore does not refuse it.
bool tide_world_fits(const tide_world *world, const tide_snapshot *snapshot);

// The snapshot as bytes, owned by it: for files that the same build reads again.
const void *tide_snapshot_bytes(const tide_snapshot *snapshot, size_t *size);
// A snapshot of such bytes, which may be anything: it is one that tide_world_restore can take. Fails for bytes that are
// none, for one of other bodies, and for numbers that a world would not have.
tide_status tide_snapshot_read(const tide_world *world, const void *bytes, size_t size, tide_snapshot **snapshot,
                               tide_error *error);

#endif
