// World files: snapshots as text. A header line, "springtide world 1", has the number of bytes and their hash; the
// bytes of the snapshot follow as hexadecimal digits, 64 bytes per line.
#ifndef TIDE_WORLD_SNAPSHOT_TEXT_H
#define TIDE_WORLD_SNAPSHOT_TEXT_H

#include "base/text.h"
#include "world/world.h"

// Adds the text of a world file to `text`.
tide_status tide_snapshot_write_text(const tide_snapshot *snapshot, tide_text *text, tide_error *error);
// Creates a snapshot from the text of a world file, which is not trusted (world/snapshot.h). Fails with
// TIDE_ERROR_FORMAT for a text that is no world file, or one that was cut short or changed. *snapshot is NULL then.
tide_status tide_snapshot_read_text(const tide_world *world, const char *text, size_t length, tide_snapshot **snapshot,
                                    tide_error *error);

#endif
