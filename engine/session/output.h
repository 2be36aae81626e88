// Output files of a run: numbered names. Also the program's folder.
#ifndef TIDE_SESSION_OUTPUT_H
#define TIDE_SESSION_OUTPUT_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

// Check a pattern. It names one file per frame if it contains one %d (or %4d, %04d), otherwise one file. If `names` is
// true, one %s may stand for the name of what is written. `option` is the option's name in messages; `ending` is the
// required extension.
tide_status tide_pattern_check(const char *option, const char *pattern, const char *ending, tide_error *error);
tide_status tide_pattern_check_directives(const char *option, const char *pattern, bool names, tide_error *error);
bool tide_pattern_ends_in(const char *pattern, const char *ending);
bool tide_pattern_is_numbered(const char *pattern);
bool tide_pattern_is_named(const char *pattern);
// Writes the file's name for a frame to `path` and makes its folders. `name` replaces %s; NULL if there is no %s.
tide_status tide_pattern_path(const char *pattern, uint64_t frame, const char *name, char *path, size_t size,
                              tide_error *error);
// Makes the folders of a file.
tide_status tide_make_folders(const char *path, tide_error *error);

#endif
