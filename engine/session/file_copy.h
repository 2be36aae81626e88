// Copies a file, and reads one whole.
#ifndef TIDE_SESSION_FILE_COPY_H
#define TIDE_SESSION_FILE_COPY_H

#include "base/error.h"

#include <stddef.h>

// Copies a file to a path where nothing is yet; what is there stays, and the copy fails.
tide_status tide_copy_file(const char *from, const char *to, tide_error *error);
// Reads a file of at most 4 MB, and adds a zero. The bytes are the caller's.
tide_status tide_read_whole(const char *path, char **bytes, size_t *size, tide_error *error);

#endif
