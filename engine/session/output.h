// Files that a run writes: numbered names, and a table of statistics (meshes: export.h); where the program is.
#ifndef TIDE_SESSION_OUTPUT_H
#define TIDE_SESSION_OUTPUT_H

#include "world/world.h"

// A pattern names a file for each frame with one %d (or %4d, %04d) in it; without any it names one file. Where names
// are allowed, one %s may stand for the name of what is written. `option` is what the message calls it; `ending` is the
// extension it must have.
tide_status tide_pattern_check(const char *option, const char *pattern, const char *ending, tide_error *error);
tide_status tide_pattern_check_directives(const char *option, const char *pattern, bool names, tide_error *error);
bool tide_pattern_ends_in(const char *pattern, const char *ending);
bool tide_pattern_is_numbered(const char *pattern);
bool tide_pattern_is_named(const char *pattern);
// The name for a frame into `path`, its folders made. `name` takes the place of %s; NULL where there is none.
tide_status tide_pattern_path(const char *pattern, uint64_t frame, const char *name, char *path, size_t size,
                              tide_error *error);
// Makes the folders that a file is to be in.
tide_status tide_make_folders(const char *path, tide_error *error);

typedef struct tide_stats tide_stats; // a CSV file, written line by line
tide_status tide_stats_open(const char *path, tide_stats **stats, tide_error *error);
// A row for the state after `frame` steps; numbers that a solver does not have are left empty.
tide_status tide_stats_write(tide_stats *stats, tide_world *world, uint64_t frame, double draw_seconds,
                             tide_error *error);
tide_status tide_stats_close(tide_stats *stats, tide_error *error); // NULL does nothing

// The folder of the running program; false when it cannot be told.
bool tide_program_folder(char *folder, size_t size);

#endif
