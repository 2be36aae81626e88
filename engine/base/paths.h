// Paths as the file system resolves them, to keep reads and writes inside folders.
#ifndef TIDE_BASE_PATHS_H
#define TIDE_BASE_PATHS_H

#include <stdbool.h>
#include <stddef.h>

// Writes the absolute path without links and "..", as far as the path exists; the part that does not exist yet is
// appended unchanged. Returns false if the path is empty or too long, or has ".." after a part that does not exist.
bool tide_path_resolve(const char *path, char *resolved, size_t size);
// Tells whether a resolved path is in the folder, or is the folder itself. The folder is resolved, too.
bool tide_path_is_within(const char *resolved, const char *folder);

#endif
