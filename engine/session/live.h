// A running experiment, without a window: a scene script and its world, the history of frames, what the user holds, and
// the failure that stopped it. Headless runs, the window, panels, comparisons and replays all use one.
//
// Every external change of the world goes through tide_live_apply, between steps. So the state depends only on the
// scene, the inputs and the steps at which they came, not on time and not on pictures.
//
// Ownership: a live owns its script, its history and copies of its settings; the world and the texts that it returns
// stay its own. Threads: all experiments of a process are used by one thread, as scripts are.
#ifndef TIDE_SESSION_LIVE_H
#define TIDE_SESSION_LIVE_H

#include "script/script.h"
#include "session/inputs.h"
#include "session/run_options.h"
#include "world/certificate.h"

typedef struct tide_live tide_live;

typedef struct tide_live_options {
    const char *scene;                 // the script's path
    const tide_setting *settings;      // parameters; copied
    const tide_solver_choice *solvers; // ascending in frame; copied
    uint32_t setting_count, solver_count;
    double timestep; // s; 0: the scene's own
    uint64_t seed;
    bool portable;                 // see tide_script_options
    bool folder_barred, untrusted; // see tide_script_options
    double time_limit;    // longest time of a call into the script, s; 0: none. Running the file may take 10 times that
    size_t history_limit; // bytes of snapshots; 0: no history is kept
    const tide_input_file *files; // texts that replace those of the files (for a replay); copied
    uint32_t file_count;
} tide_live_options;

// Limits the memory of a script that is run from now on, with its scene. 0: no limit.
void tide_live_limit_memory(size_t bytes);
// Sets the function that is called some 20 times a second while such a script runs; when it returns true, the script is
// interrupted. NULL: none.
void tide_live_set_progress(bool (*progress)(void *context), void *context);

// Runs the scene. Fails as tide_script_open does, and for unknown solvers.
tide_status tide_live_open(const tide_live_options *options, tide_live **live, tide_error *error);
void tide_live_close(tide_live *live); // NULL does nothing

// For reading and drawing; only tide_live_apply may change them. A run of the script replaces the world.
tide_script *tide_live_script(tide_live *live);
tide_world *tide_live_world(tide_live *live);
const char *tide_live_path(const tide_live *live);
uint64_t tide_live_frame(const tide_live *live);       // of the world; going back decreases it
uint64_t tide_live_steps(const tide_live *live);       // taken since the opening; never decreases
size_t tide_live_setting_count(const tide_live *live); // the current NAME=VALUE that differ from the script
const tide_setting *tide_live_settings(const tide_live *live);
const char *tide_live_solver_text(const tide_live *live); // the solver that replaces the scene's own; NULL: none
double tide_live_timestep(const tide_live *live);         // replaces the scene's own, s; 0: none
uint64_t tide_live_seed(const tide_live *live);
// Returns the solvers that it was opened with, until an input chooses another one.
const tide_solver_choice *tide_live_choices(const tide_live *live, uint32_t *count);

// --- stepping and inputs ---------------------------------------------------------------------------------------------

// Takes a step. On failure the world is unchanged, tide_live_failure tells why, and no step is taken until an input
// mends the failure.
tide_status tide_live_step(tide_live *live, tide_error *error);

// Applies the input completely or not at all: on failure the world is unchanged. A successful run of the script, reset,
// rewind, restore, solver, timestep or parameter ends the failure. Fails for an input that tide_input_check refuses,
// for names that the scene does not have, and as the script does. tide_live_failure also reports a failed run of the
// script; the world continues.
tide_status tide_live_apply(tide_live *live, const tide_input *input, tide_error *error);

// Returns the report of the step that led to the current frame, and its number of contacts (`contacts` may be NULL).
// After going back, it is the report of the original step. NULL: no step led there, as for the first frame, or its
// report is no longer known.
const tide_report *tide_live_report(const tide_live *live, uint32_t *contacts);

// Describes in words what the last input that ran the script again has changed; "" before the first.
const char *tide_live_notice(const tide_live *live);

// Where console lines (TIDE_INPUT_CONSOLE) print while they run; NULL: nowhere. tide_script_evaluate executes them.
// Unless they change the world, they end no failure and drop no frame.
typedef struct tide_live_printer {
    void (*print)(void *context, const char *bytes, size_t size);
    void *context;
} tide_live_printer;
void tide_live_set_printer(tide_live *live, const tide_live_printer *printer);

// Observes what happens: called after each successful input, with the number of steps taken before it, and after each
// step. `input` includes its files if it ran the script. There are at most 4 observers, called in order.
typedef struct tide_live_observer {
    void (*applied)(void *context, uint64_t steps, const tide_input *input);
    void (*stepped)(void *context, uint64_t steps);
    void *context;
} tide_live_observer;
tide_status tide_live_observe(tide_live *live, const tide_live_observer *observer, tide_error *error);
void tide_live_ignore(tide_live *live, const void *context); // removes the observers with this context

// Returns whether the experiment is paused. Only callers that step it by the clock ask; tide_live_step does not.
bool tide_live_is_paused(const tide_live *live);
void tide_live_pause(tide_live *live, bool paused);

// --- certificates (world/certificate.h) ------------------------------------------------------------------------------

typedef struct tide_live_certificates {
    bool on;                    // each step is checked
    uint64_t checked, failed;   // steps that were checked, and those of them in which something crosses
    double seconds;             // that the checks took
    bool current;               // `last` is of the present state
    tide_certificate last;      // of the last check
    char text[600], first[600]; // the last one, and the first with a crossing, in words
} tide_live_certificates;

void tide_live_certify(tide_live *live, bool on); // checks each step from now on, or no longer
const tide_live_certificates *tide_live_get_certificates(const tide_live *live); // never NULL
// Checks the present state, unless it is checked already.
tide_status tide_live_certify_now(tide_live *live, tide_error *error);

// --- failures --------------------------------------------------------------------------------------------------------

typedef enum tide_failure_kind {
    TIDE_FAILURE_NONE,
    TIDE_FAILURE_STEP,  // a step, the script's update, or an explosion (then it is back at the last sound frame)
    TIDE_FAILURE_RUN,   // a run of the script; the last good world continues
    TIDE_FAILURE_INPUT, // a callback for a key or a click; the run continues without it
    TIDE_FAILURE_DRAW   // the script's draw; the run continues, with pictures that lack it
} tide_failure_kind;

// The timesteps for which a method is stable in theory.
typedef enum tide_stability {
    TIDE_STABLE_UNKNOWN,
    TIDE_STABLE_NEVER, // unstable without damping, and it has none
    TIDE_STABLE_BELOW, // stable below a largest timestep
    TIDE_STABLE_ALWAYS // unconditionally, if its equations are solved to convergence
} tide_stability;

typedef struct tide_failure {
    tide_failure_kind kind;
    tide_error error;
    uint64_t frame;    // of the world at the failure
    bool exploded;     // a step that could be taken, but was undone; tide_live_clear_failure permits it
    bool has_vertex;   // a vertex is known: where a step diverged
    bool has_other;    // an element at it with another vertex of the body is known
    tide_body_id body; // of the vertex
    uint32_t vertex, other;
    tide_stability stable; // valid if the step failed numerically
    char theory[240];      // what is known about the timestep, if the step failed numerically; "" otherwise
} tide_failure;
const tide_failure *tide_live_failure(const tide_live *live);                          // never NULL
void tide_live_fail(tide_live *live, tide_failure_kind kind, const tide_error *error); // for callers that draw
// Acknowledges the failure. A failed step fails again, unless the scene explodes: then it is permitted, until an input
// mends the failure.
void tide_live_clear_failure(tide_live *live);

// Remedies for a failed step, the likeliest first; each is an input to apply. They agree with `theory`.
enum { TIDE_SUGGESTION_MAX = 4 };
typedef struct tide_suggestion {
    char label[96], solver[512];
    tide_input input;
} tide_suggestion;
// Returns how many there are. `input.text` points into the suggestion's own `solver`: do not copy the suggestion.
uint32_t tide_live_suggestions(tide_live *live, tide_suggestion suggestions[TIDE_SUGGESTION_MAX]);

// --- the history -----------------------------------------------------------------------------------------------------

// Snapshots of the frames first .. last, without a gap. After a TIDE_INPUT_REWIND the later ones stay until a step or
// another change of the world drops them. The oldest are dropped when the limit is reached.
typedef struct tide_history_span {
    uint64_t first, last; // frames
    uint64_t count;       // 0: none; always so without a history
    size_t bytes, limit;
} tide_history_span;
tide_history_span tide_live_history(const tide_live *live);
double tide_live_time_of(const tide_live *live, uint64_t frame); // s; NAN for a frame that is not kept
// Returns whether a kept frame has the bodies of another run of the script. Going there then runs the script as before
// (with its texts, parameters and timestep; the solver stays as it is now).
bool tide_live_is_of_another_run(tide_live *live, uint64_t frame);
// Returns the snapshot of a frame, owned by the history and valid until the next call that changes `live`; NULL: not
// kept.
const tide_snapshot *tide_live_snapshot_of(const tide_live *live, uint64_t frame);

// --- dragging --------------------------------------------------------------------------------------------------------

typedef struct tide_live_drag {
    bool active;
    tide_body_id body;
    tide_grip grip;
    uint32_t vertex, other;
    double stiffness; // N/m
    double point[3];  // position of the hand, m
} tide_live_drag;
// Returns what is held now. After going back, this is what was held then, until a TIDE_INPUT_DRAG_END.
const tide_live_drag *tide_live_dragging(const tide_live *live);

// --- files -----------------------------------------------------------------------------------------------------------

// Saves the state as a text file that begins with "springtide world 1". The file is complete or absent. It fits scenes
// with the same bodies.
tide_status tide_live_save_world(tide_live *live, const char *path, tide_error *error);
// Adds the same text to `text`; TIDE_INPUT_RESTORE takes it.
tide_status tide_live_write_world(tide_live *live, tide_text *text, tide_error *error);
// Reads such a file and applies it as TIDE_INPUT_RESTORE. Checks every number.
tide_status tide_live_open_world(tide_live *live, const char *path, tide_error *error);

#endif
