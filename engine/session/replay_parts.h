// What the files of a replay share. Private to them.
#ifndef TIDE_SESSION_REPLAY_PARTS_H
#define TIDE_SESSION_REPLAY_PARTS_H

#include "session/replay.h"

// Continues the digest of a replay by whole lines, each with its line end. Does not depend on how many come at once.
uint64_t tide_replay_digest(uint64_t digest, const char *lines, size_t length);

// Hashes a file's bytes. Fails if the file cannot be read or is not a regular file.
tide_status tide_replay_hash_file(const char *path, uint64_t *hash, tide_error *error);

#endif
