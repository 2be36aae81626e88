// Runs a study of scripts/springtide/lab/, or plans the panes of a comparison, in a Lua state with the library and a
// few functions that only studies get. These write files into one folder, draw them and show progress. Scenes that a
// study opens run in the sandbox like all scenes and never see these functions.
#ifndef TIDE_SCRIPT_LABORATORY_H
#define TIDE_SCRIPT_LABORATORY_H

#include "draw/image.h"
#include "script/script.h"

// Functions that draw scenes; the caller supplies them.
typedef struct tide_lab_pictures {
    tide_status (*create)(tide_script *scene, uint32_t width, uint32_t height, void **picture, tide_error *error);
    // `*image` is valid until the next call.
    tide_status (*draw)(void *picture, tide_script *scene, const tide_image **image, tide_error *error);
    void (*destroy)(void *picture);
} tide_lab_pictures;

// What a pane of a comparison varies. Empty texts and 0 leave the scene's own value.
typedef struct tide_lab_pane {
    const char *solver, *param, *value; // "NAME,key=value"; a parameter of the scene and its value
    double timestep;                    // s
} tide_lab_pane;

typedef struct tide_laboratory {
    const char *study;                    // "error", "order", ...; "comparison" plans panes and writes nothing
    const char *scene, *folder;           // names of the scene file and of the output folder
    const tide_script_options *options;   // settings, timestep, seed and memory limit of every run of the scene
    const char *solvers, *sweep, *across; // lists for scripts/springtide/lab/request.lua; NULL: not given. The second
                                          // axis of a comparison is a list of timesteps, without a name
    const uint64_t *frames;               // NULL: not given
    uint64_t frame, iterations, halvings; // 0: not given
    uint32_t width, height;               // of pictures, pixels; 0: not given
    tide_lab_pictures pictures;
    void (*progress)(const char *what, uint64_t done, uint64_t of); // done == of: finished
    void (*silence)(bool silence);                                  // suppresses warnings if true
    tide_status (*make_folders)(const char *path, tide_error *error);
    bool (*pane)(void *context, const tide_lab_pane *pane); // takes a pane; returns false if its solver is too long
    void *context;
} tide_laboratory;

typedef struct tide_lab_failure {
    tide_error error;   // only `message` tells more if its status is TIDE_OK
    char message[1200]; // the complete text
    bool refused;       // the command line is wrong
} tide_lab_failure;

// Runs the study.
tide_status tide_laboratory_run(const tide_laboratory *laboratory, tide_lab_failure *failure);

#endif
