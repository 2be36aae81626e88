// Paths as the file system resolves them, to keep reads and writes inside folders.
#ifndef TIDE_BASE_PATHS_H
#define TIDE_BASE_PATHS_H

#include <stdbool.h>
#include <stddef.h>

// The absolute path without links and "..", as far as the path exists; what does not exist yet is added as it stands.
// False when it cannot be told: the path is empty or too long, or has ".." after a part that does not exist.
bool tide_path_resolve(const char *path, char *resolved, size_t size);
// Whether a resolved path is the folder, which is resolved too, or in it.
bool tide_path_is_within(const char *resolved, const char *folder);

#endif
