// State that the files of a live experiment share. Private to them.
#ifndef TIDE_SESSION_LIVE_STATE_H
#define TIDE_SESSION_LIVE_STATE_H

#include "session/history.h"

enum { TIDE_LIVE_OBSERVERS = 4 };

// The hash of a text that a script was run with, to detect changes.
typedef struct tide_live_text {
    uint64_t path, text; // hashes
} tide_live_text;

struct tide_live {
    tide_script *script;
    char *path;
    // What the script runs with; owned.
    tide_setting *settings;
    size_t setting_count, setting_capacity;
    tide_solver_choice *choices; // ascending in frame
    uint32_t choice_count;
    uint32_t chosen; // count of those whose frame has come; the last of them is in force, unless `solver` is set
    char *solver;    // set by an input, which ends the choices; NULL: none
    double timestep;
    uint64_t seed;
    bool portable, folder_barred, untrusted;
    double time_limit;
    bool sealed; // for a replay: no file is read again

    uint64_t steps;
    bool paused, paused_before; // `paused_before`: its value before a failure stopped the run
    tide_failure failure;
    tide_tools tools;
    tide_frame_history history;
    tide_frame_history_run *run;       // of the script, shared by the frames kept since; NULL: not yet stored
    bool changed;                      // true: the world changed since its frame was kept
    tide_frame_history_step last_step; // that led to the current frame
    double strain;                     // largest spring strain after the last step, if it is measured
    bool excused;                      // the user has permitted it to explode
    tide_live_printer printer;
    tide_live_observer observers[TIDE_LIVE_OBSERVERS];
    uint32_t observer_count;

    tide_live_certificates certificates;

    tide_live_text *texts; // of the last run of the script
    size_t text_count, text_capacity;
    tide_input_file *files; // those that had changed; their texts belong to the script
    size_t file_count, file_capacity;
};

// live_run.c: runs the script, and applies the inputs that run it again.
tide_status tide_live_first_run(tide_live *live, const tide_live_options *options, tide_error *error);
void tide_live_free_run(tide_live *live);
tide_status tide_live_set_param(tide_live *live, const tide_input *input, tide_error *error);
tide_status tide_live_set_solver(tide_live *live, const tide_input *input, tide_error *error);
tide_status tide_live_set_timestep(tide_live *live, const tide_input *input, tide_error *error);
tide_status tide_live_reload(tide_live *live, const tide_input *input, tide_error *error);
tide_status tide_live_choose_solver(tide_live *live, tide_error *error); // the last whose frame has come
// Returns to the solver of frame 0; runs the script if that is the scene's own.
tide_status tide_live_forget_choices(tide_live *live, tide_error *error);

// Runs the script as for a kept frame, with the current solver. Like a reload, but with the texts and settings of that
// run.
tide_status tide_live_run_as(tide_live *live, tide_frame_history_run *run, tide_error *error);
tide_status tide_live_note_run(tide_live *live, tide_error *error);   // sets live->run
tide_status tide_live_note_texts(tide_live *live, tide_error *error); // notes which have changed since the last call
tide_status tide_live_give_files(tide_live *live, const tide_input *input, tide_error *error); // to the script

// live_console.c
tide_status tide_live_console(tide_live *live, const tide_input *input, tide_error *error);
tide_status tide_live_set_collider(tide_live *live, const tide_input *input, tide_error *error);
tide_status tide_live_find_collider(tide_live *live, const char *name, tide_collider_id *id, tide_error *error);

// live_failure.c
void tide_live_note_change(tide_live *live); // an input changed the world, which may mend a failure
void tide_live_end_failure(tide_live *live);

// live_time.c: the history.
tide_status tide_live_keep_frame(tide_live *live, tide_error *error); // unless it is kept already
tide_status tide_live_rewind(tide_live *live, const tide_input *input, tide_error *error);
tide_status tide_live_reset(tide_live *live, const tide_input *input, tide_error *error);

// live_blowup.c: tide_live_strain returns the current largest spring strain, or 0 if no frames are kept or in a
// replay, where the recording has the outcome. tide_live_check_blowup fails if the strain was too large after the last
// step; *sound is then the last frame that looked sound, to go back to.
double tide_live_strain(tide_live *live);
tide_status tide_live_check_blowup(tide_live *live, uint64_t *sound, tide_error *error);

// live_theory.c: the theoretical stability of the current method, and the explanation of a failure.
tide_stability tide_live_stability(tide_live *live);
void tide_live_explain(tide_live *live, tide_failure *failure);

// live_suggestions.c: returns whether the method is explicit and undamped.
bool tide_live_is_undamped(tide_live *live);

// live_certificate.c
void tide_live_certify_step(tide_live *live);       // if steps are certified
void tide_live_forget_certificate(tide_live *live); // the state has changed

// live_world.c
tide_status tide_live_restore(tide_live *live, const tide_input *input, tide_error *error);

#endif
