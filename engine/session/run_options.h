// The options of a command line, for a run, its window and its files.
#ifndef TIDE_SESSION_RUN_OPTIONS_H
#define TIDE_SESSION_RUN_OPTIONS_H

#include "script/script.h"

typedef enum tide_exit { TIDE_EXIT_DONE, TIDE_EXIT_FAILED, TIDE_EXIT_USAGE } tide_exit; // the program's exit status

// A solver of --solver, in force from the step after `frame` steps.
typedef struct tide_solver_choice {
    char *text; // owned: "NAME" or "NAME,key=value,..."
    uint64_t frame;
} tide_solver_choice;

#define TIDE_TEXT_SCALE_LEAST 0.5
#define TIDE_TEXT_SCALE_MOST 4.0

typedef enum tide_renderer { TIDE_RENDERER_AUTOMATIC, TIDE_RENDERER_SOFTWARE, TIDE_RENDERER_OPENGL } tide_renderer;

typedef struct tide_arguments {
    const char *subject;   // what the command works on: a scene, a mesh, a name; NULL when not given
    const char **subjects; // the same for a command that takes several; the array is owned, the texts are not
    uint32_t subject_count;
    size_t subject_capacity;
    uint64_t frames;
    bool frames_given, headless, hash, wireframe;
    uint32_t width, height; // pixels; 0 when not given
    tide_renderer renderer;
    double text_scale;  // of a window; 0 when not given
    tide_seeing seeing; // colours, arrows, contacts, springs
    const char *png, *export, *stats;
    const char *video;                                     // a file; NULL when not given
    double video_rate;                                     // pictures a second; 0 when not given
    const char *record, *replay, *save_world, *open_world; // files; NULL when not given
    bool verify, watch;
    double time_limit;    // s; TIDE_NOT_GIVEN when not given
    double memory_limit;  // MB, likewise
    size_t history_limit; // bytes; for a window
    bool history_given;
    tide_solver_choice *solvers; // owned; ascending in frame, at most one per frame
    uint32_t solver_count;
    size_t solver_capacity;
    double timestep; // s; 0 when not given
    int threads;     // 0: all processors
    int vectors;     // largest vector width, bits; 0: the processor's own
    uint64_t seed;
    tide_setting *settings; // owned, including the names
    uint32_t setting_count;
    size_t setting_capacity;
    // of `convergence`; NULL or 0 when not given
    const char *mode, *compared, *sweep, *across, *out; // mode: for tide_study_mode_find
    uint64_t frame;
    uint32_t iterations, halvings;
    // of `compare`, beside `compared` and `frame`; NULL or 0 when not given
    bool comparing;
    const char *vary, *timesteps;
    uint64_t errors;
    // of `bench`; NULL or 0 when not given
    bool warm_up_given;
    uint64_t warm_up;
    uint32_t runs;
    const char *csv, *markdown;
    tide_mesh_mend_def mend; // of `check`
    const char *mended;      // the file to write; NULL when not given
} tide_arguments;

// Returns whether opening the scene failed because of a --set: an unknown parameter, or a value that it refuses.
bool tide_is_about_setting(const tide_arguments *arguments, const tide_error *error);

// Returns whether it failed because of a --solver: an unknown solver, or its options.
bool tide_is_about_solver(const tide_arguments *arguments, const tide_error *error);

// Prints "springtide: message" on standard error and returns TIDE_EXIT_FAILED.
tide_exit tide_report_error(const tide_error *error);

// Returns the memory limit of a script and its scene, bytes: --memory-limit, or by default 4096 MB, or three quarters
// of the machine's memory if that is less. 0: no limit.
size_t tide_memory_limit(const tide_arguments *arguments);

#endif
