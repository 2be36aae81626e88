// What the files of a replay share; not for others.
#ifndef TIDE_SESSION_REPLAY_PARTS_H
#define TIDE_SESSION_REPLAY_PARTS_H

#include "session/replay.h"

// The hash of a file's bytes. Fails on a file that cannot be read and on what is no regular file.
tide_status tide_replay_hash_file(const char *path, uint64_t *hash, tide_error *error);

#endif
