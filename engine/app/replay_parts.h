// What the files of a replay share; not for others.
#ifndef TIDE_APP_REPLAY_PARTS_H
#define TIDE_APP_REPLAY_PARTS_H

#include "app/replay.h"

// Of a file's bytes; false when it cannot be read.
bool tide_replay_hash_file(const char *path, uint64_t *hash);

#endif
