// What the panels of the window copy and save: modules of scripts/springtide/panels/ write it, in a Lua state of their
// own.
#ifndef TIDE_SCRIPT_PANEL_FILES_H
#define TIDE_SCRIPT_PANEL_FILES_H

#include "base/text.h"
#include "script/script.h"

// Appends the script's parameters with their current values: as lines of Lua, or as options of the command line.
tide_status tide_params_write(const tide_script *script, bool as_options, tide_text *out, tide_error *error);

// Series of numbers over frames.
typedef struct tide_plots {
    uint32_t series_count, frame_count; // at least 1 each
    const char *(*name)(const void *data, uint32_t series, const char **unit);
    uint64_t (*frame)(const void *data, uint32_t i, double *time);
    double (*value)(const void *data, uint32_t series, uint32_t i); // NAN: none
    const void *data;
} tide_plots;

// Writes FOLDER/NAME.csv (frame, time and one column per series, with names made valid) and FOLDER/NAME.png with all
// series over time. Each file is complete or absent.
tide_status tide_plots_save(const tide_plots *plots, const char *folder, const char *name, tide_error *error);

#endif
