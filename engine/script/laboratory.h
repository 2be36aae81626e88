// Runs a study of scripts/springtide/lab/ in a Lua state with the library and a few functions that only studies get.
// These write files into one folder, draw them and show progress. Scenes that a study opens run in the sandbox like all
// scenes and never see these functions.
#ifndef TIDE_SCRIPT_LABORATORY_H
#define TIDE_SCRIPT_LABORATORY_H

#include "draw/image.h"
#include "script/script.h"

// Values over which a parameter, a solver option or the timestep is swept.
typedef struct tide_lab_axis {
    const char *name, *label, *column; // column: its name in data tables, valid for gnuplot
    const char *of;                    // "parameter", "option" or "timestep"
    const double *values;
    uint32_t count; // 0: no such axis
    bool logarithmic;
} tide_lab_axis;

// Functions that draw scenes; the caller supplies them.
typedef struct tide_lab_pictures {
    tide_status (*create)(tide_script *scene, uint32_t width, uint32_t height, void **picture, tide_error *error);
    // `*image` is valid until the next call.
    tide_status (*draw)(void *picture, tide_script *scene, const tide_image **image, tide_error *error);
    void (*destroy)(void *picture);
} tide_lab_pictures;

typedef struct tide_laboratory {
    const char *study, *scene, *folder; // names of the study, of the scene file and of the output folder
    const tide_script_options *options; // settings, timestep, seed and memory limit of every run of the scene
    const char *const *solvers;         // (solver_count) "NAME,key=value"; "": the scene's own
    uint32_t solver_count;
    tide_lab_axis sweep, across;
    uint64_t frame, frames;
    uint32_t iterations, halvings;
    uint32_t width, height; // of pictures, pixels; 0: the study's default
    tide_lab_pictures pictures;
    void (*progress)(const char *what, uint64_t done, uint64_t of); // done == of: finished
    void (*silence)(bool silence);                                  // suppresses warnings if true
    tide_status (*make_folders)(const char *path, tide_error *error);
} tide_laboratory;

// Runs the study. On failure `message` contains the reason; *refused tells whether the command line was wrong.
tide_status tide_laboratory_run(const tide_laboratory *laboratory, char *message, size_t size, bool *refused);

#endif
