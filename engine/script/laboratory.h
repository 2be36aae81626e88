// Runs a command that is written in Lua: a study of scripts/springtide/lab/, the plan of a comparison, or a command of
// scripts/springtide/commands/. It runs in a Lua state with the library and a few functions that only commands get.
// These write files, draw and show progress. Scenes that a command opens run in the sandbox like all scenes and never
// see these functions.
#ifndef TIDE_SCRIPT_LABORATORY_H
#define TIDE_SCRIPT_LABORATORY_H

#include "base/confinement.h"
#include "draw/image.h"
#include "script/script.h"

// Functions that draw scenes; the caller supplies them.
typedef struct tide_lab_pictures {
    tide_status (*create)(tide_script *scene, uint32_t width, uint32_t height, void **picture, tide_error *error);
    // `*image` is valid until the next call.
    tide_status (*draw)(void *picture, tide_script *scene, const tide_image **image, tide_error *error);
    void (*destroy)(void *picture);
} tide_lab_pictures;

// A file of arrays and texts; the caller supplies its format (session/hdf5_file.h).
typedef struct tide_lab_store {
    tide_status (*create)(const char *path, void **store, tide_error *error);
    tide_status (*add_numbers)(void *store, const char *name, const void *doubles, const uint64_t *extents, int rank,
                               const char *unit, tide_error *error);
    tide_status (*add_texts)(void *store, const char *name, const char *const *texts, size_t count, tide_error *error);
    tide_status (*close)(void *store, tide_error *error); // frees it in any case
    void (*discard)(void *store);
} tide_lab_store;

// What a pane of a comparison varies. Empty texts and 0 leave the scene's own value.
typedef struct tide_lab_pane {
    const char *solver, *param, *value; // "NAME,key=value"; a parameter of the scene and its value
    double timestep;                    // s
} tide_lab_pane;

// An option of the command line: a text, or if that is NULL a number. A negative number is an option not given.
typedef struct tide_lab_option {
    const char *name, *text;
    double number;
} tide_lab_option;

typedef struct tide_laboratory {
    const char *module;                 // that is run: "springtide.lab.command" for studies and comparisons
    const char *const *subjects;        // of the command line, ends with NULL; the first is the scene of a study
    const char *folder;                 // of files that are saved; NULL: their names are paths
    const tide_script_options *options; // settings, timestep, seed and memory limit of every run of the scene
    const tide_lab_option *given;       // what the module reads; ends with a NULL name
    tide_lab_pictures pictures;
    tide_lab_store store;
    void (*progress)(const char *what, uint64_t done, uint64_t of); // done == of: finished
    void (*silence)(bool silence);                                  // suppresses warnings if true
    tide_status (*make_folders)(const char *path, tide_error *error);
    tide_status (*confine)(const tide_confinement *confinement, tide_error *error); // NULL: the module cannot
    bool (*pane)(void *context, const tide_lab_pane *pane); // takes a pane; returns false if its solver is too long
    void *context;
} tide_laboratory;

typedef struct tide_lab_failure {
    tide_error error;   // only `message` tells more if its status is TIDE_OK
    char message[1200]; // the complete text
    bool refused;       // the command line is wrong
    bool told;          // nothing more is to be said; `message` is empty
} tide_lab_failure;

// Runs the module.
tide_status tide_laboratory_run(const tide_laboratory *laboratory, tide_lab_failure *failure);

#endif
