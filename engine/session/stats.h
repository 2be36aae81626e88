// Statistics of a run, a row a frame: a table (--stats), and a picture of its columns over time (--plots).
#ifndef TIDE_SESSION_STATS_H
#define TIDE_SESSION_STATS_H

#include "session/live.h"

typedef struct tide_stats tide_stats;

typedef struct tide_stats_options {
    const char *table; // a CSV file, written line by line; NULL: none
    const char *plots; // a picture, FILE.png, written at the end with its numbers, FILE.csv; NULL: none
    bool measures;     // has costly columns: residual, contacts, forces, stress
} tide_stats_options;

// Begins the statistics. Each name that the scene gives to scene:plot becomes a column after the others; the rows
// before the first one are empty there. `live` must exist until the end.
tide_status tide_stats_open(const tide_stats_options *options, tide_live *live, tide_stats **stats, tide_error *error);
// Adds a row for the state after `frame` steps. Numbers that a solver does not have are left empty.
tide_status tide_stats_write(tide_stats *stats, uint64_t frame, double draw_seconds, tide_error *error);
// Writes the picture and ends the table. NULL does nothing.
tide_status tide_stats_close(tide_stats *stats, tide_error *error);

#endif
