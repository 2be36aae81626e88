// What the files of a live experiment share; not for others.
#ifndef TIDE_SESSION_LIVE_STATE_H
#define TIDE_SESSION_LIVE_STATE_H

#include "session/history.h"

enum { TIDE_LIVE_OBSERVERS = 4 };

// A text that a script was run with, to tell which have changed.
typedef struct tide_live_text {
    uint64_t path, text; // hashes
} tide_live_text;

struct tide_live {
    tide_script *script;
    char *path;
    // What the script is run with; owned.
    tide_setting *settings;
    size_t setting_count, setting_capacity;
    tide_solver_choice *choices; // ascending in frame
    uint32_t choice_count;
    uint32_t chosen; // those of them whose frame has come; the last of them is in force, unless `solver` is
    char *solver;    // of an input, which ends the choices; NULL: none
    double timestep;
    uint64_t seed;
    bool folder_barred;
    double time_limit;
    bool sealed; // of a replay: no file is read again

    uint64_t steps;
    bool paused, paused_before; // before a failure stopped it
    tide_failure failure;
    tide_hands hands;
    tide_past past;
    tide_past_run *run;       // of the script, as the frames kept since have it; NULL: not written down yet
    bool changed;             // since the frame was kept
    tide_past_step last_step; // the one to the frame of now
    double strain;            // the largest of a spring after the last step, where that is looked at
    bool excused;             // it may explode: the user has seen it
    tide_live_printer printer;
    tide_live_observer observers[TIDE_LIVE_OBSERVERS];
    uint32_t observer_count;

    tide_live_text *texts; // of the last run
    size_t text_count, text_capacity;
    tide_input_file *files; // those of them that had changed; they point into the script
    size_t file_count, file_capacity;
};

// live_run.c: running the script, and the inputs that run it again.
tide_status tide_live_first_run(tide_live *live, const tide_live_options *options, tide_error *error);
void tide_live_free_run(tide_live *live);
tide_status tide_live_set_param(tide_live *live, const tide_input *input, tide_error *error);
tide_status tide_live_set_solver(tide_live *live, const tide_input *input, tide_error *error);
tide_status tide_live_set_timestep(tide_live *live, const tide_input *input, tide_error *error);
tide_status tide_live_reload(tide_live *live, const tide_input *input, tide_error *error);
tide_status tide_live_choose_solver(tide_live *live, tide_error *error); // of those whose frame has come
// Back to the solver of frame 0, by a run of the script where it is the scene's own.
tide_status tide_live_forget_choices(tide_live *live, tide_error *error);

// As a frame that is kept has it, with the solver of now. Like a reload, but what the script is run with is that of
// then.
tide_status tide_live_run_as(tide_live *live, tide_past_run *run, tide_error *error);
tide_status tide_live_note_run(tide_live *live, tide_error *error);   // live->run is there then
tide_status tide_live_note_texts(tide_live *live, tide_error *error); // which are other ones than when last noted
tide_status tide_live_give_files(tide_live *live, const tide_input *input, tide_error *error); // to the script

// live_console.c
tide_status tide_live_console(tide_live *live, const tide_input *input, tide_error *error);
tide_status tide_live_set_collider(tide_live *live, const tide_input *input, tide_error *error);
tide_status tide_live_find_collider(tide_live *live, const char *name, tide_collider_id *id, tide_error *error);

// live.c: an input changed the world, by which a failure may be mended.
void tide_live_note_change(tide_live *live);

// live_time.c: the frames behind.
tide_status tide_live_keep_frame(tide_live *live, tide_error *error); // unless it is kept as it is
tide_status tide_live_rewind(tide_live *live, const tide_input *input, tide_error *error);
tide_status tide_live_reset(tide_live *live, const tide_input *input, tide_error *error);

// live_blowup.c: the largest strain of a spring now, 0 where no frames are kept or a replay knows what came; and going
// back to the last sound frame, with an error, when it was too large after the last step.
double tide_live_strain(tide_live *live);
tide_status tide_live_check_blowup(tide_live *live, tide_error *error);

// live_theory.c: what is known of the method's stability as it is set; and all that there is to tell of a failure
tide_stability tide_live_stability(tide_live *live);
void tide_live_explain(tide_live *live, tide_failure *failure);

// live_remedies.c: whether it is an explicit method without damping
bool tide_live_is_undamped(tide_live *live);

// live_world.c
tide_status tide_live_restore(tide_live *live, const tide_input *input, tide_error *error);

#endif
