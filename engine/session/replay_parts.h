// What the files of a replay share. Private to them.
#ifndef TIDE_SESSION_REPLAY_PARTS_H
#define TIDE_SESSION_REPLAY_PARTS_H

#include "session/replay.h"

// Hashes a file's bytes. Fails if the file cannot be read or is not a regular file.
tide_status tide_replay_hash_file(const char *path, uint64_t *hash, tide_error *error);

#endif
