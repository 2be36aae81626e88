// What a run of a scene, its window and its files are asked to do.
#ifndef TIDE_SESSION_RUN_OPTIONS_H
#define TIDE_SESSION_RUN_OPTIONS_H

#include "script/script.h"

typedef enum tide_exit { TIDE_EXIT_DONE, TIDE_EXIT_FAILED, TIDE_EXIT_USAGE } tide_exit; // the program's exit status

typedef struct tide_setting_list {
    tide_setting *items; // owned, including the names
    uint32_t count;
    size_t capacity;
} tide_setting_list;

// A solver that is in force from the step after `frame` steps.
typedef struct tide_solver_choice {
    char *text; // owned: "NAME" or "NAME,key=value,..."
    uint64_t frame;
} tide_solver_choice;

typedef struct tide_solver_list {
    tide_solver_choice *items; // owned; ascending in frame, at most one per frame
    uint32_t count;
    size_t capacity;
} tide_solver_list;

// How a scene is opened.
typedef struct tide_scene_options {
    const char *path; // NULL when not given
    tide_setting_list settings;
    double timestep; // s; 0 when not given
    uint64_t seed;
    bool portable;       // in the portable mode (base/portable.h), whatever the scene says
    double memory_limit; // MB; TIDE_NOT_GIVEN: the default of tide_memory_limit
} tide_scene_options;

#define TIDE_TEXT_SCALE_LEAST 0.5
#define TIDE_TEXT_SCALE_MOST 4.0

typedef enum tide_renderer {
    TIDE_RENDERER_AUTOMATIC,
    TIDE_RENDERER_SOFTWARE,
    TIDE_RENDERER_OPENGL,
    TIDE_RENDERER_OPENGLES
} tide_renderer;

typedef struct tide_picture_size {
    uint32_t width, height; // pixels; 0 when not given
} tide_picture_size;

// What the panes of a comparison vary; NULL or 0 when not given.
typedef struct tide_compare_options {
    bool wanted;
    const char *solvers, *vary, *timesteps;
    uint64_t frame;  // the state is forked after so many steps
    uint64_t errors; // frames between two measurements of errors
} tide_compare_options;

typedef struct tide_run_options {
    tide_scene_options scene;
    tide_solver_list solvers;
    uint64_t frames;
    bool frames_given, headless, hash, wireframe, fit;
    tide_picture_size size;
    tide_renderer renderer;
    double text_scale;              // of a window; TIDE_NOT_GIVEN when not given
    tide_view_options view_options; // colours, arrows, contacts, springs
    const char *png, *export, *stats, *plots;
    bool measures;                                         // statistics have columns that are costly to compute
    const char *video;                                     // a file; NULL when not given
    double video_rate;                                     // pictures a second; TIDE_NOT_GIVEN when not given
    const char *record, *replay, *save_world, *open_world; // files; NULL when not given
    bool verify, watch, certify;
    bool untrusted;         // the scene reads only its file and the library; the process is confined
    bool whole;             // the replay must have its end and its digest
    double time_limit;      // s; TIDE_NOT_GIVEN when not given
    uint64_t history_limit; // MB; for a window
    bool history_given;
    uint64_t threads; // 0: all processors
    int vectors;      // largest vector width: 1: 128 bits, 2: 256, 3: 512; 0: the processor's own
    tide_compare_options compare;
    struct tide_lesson *lesson; // shown beside the scene (lesson.h), not owned; NULL: none
} tide_run_options;

// Returns whether opening the scene failed because of one of the solvers: an unknown one, or its options.
bool tide_is_about_solver(const tide_solver_list *solvers, const tide_error *error);

// Prints "springtide: message" on standard error and returns TIDE_EXIT_FAILED.
tide_exit tide_report_error(const tide_error *error);

// Returns the memory limit of a script and its scene, bytes: that of the options, or by default 4096 MB, or three
// quarters of the machine's memory if that is less. 0: no limit.
size_t tide_memory_limit(const tide_scene_options *options);

// Returns the options that open the scene's script.
tide_script_options tide_scene_script_options(const tide_scene_options *options);

#endif
