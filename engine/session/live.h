// A running experiment, without a window: a scene script and its world, the frames behind it, what is held by hand, and
// the failure that stopped it. A run without a window, the window, panels, comparisons and replays all drive one.
//
// Whatever comes from outside and changes the world goes through tide_live_apply, between steps. So the state depends
// on the scene, the inputs and the steps at which they came, and on nothing else: not on time, nor on pictures.
#ifndef TIDE_SESSION_LIVE_H
#define TIDE_SESSION_LIVE_H

#include "script/script.h"
#include "session/inputs.h"
#include "session/run_options.h"

typedef struct tide_live tide_live;

typedef struct tide_live_options {
    const char *scene;                 // the script's path
    const tide_setting *settings;      // of parameters; copied
    const tide_solver_choice *solvers; // ascending in frame; copied
    uint32_t setting_count, solver_count;
    double timestep; // s; 0: the scene's
    uint64_t seed;
    bool folder_barred;   // see tide_script_options
    double time_limit;    // s that one call into the script may take; 0: none. Running the file may take 10 times that
    size_t history_limit; // bytes of snapshots; 0: no history is kept
    const tide_input_file *files; // texts to take instead of the files' (of a replay); copied
    uint32_t file_count;
} tide_live_options;

// What a script that is run from now on and its scene may hold; 0: no limit.
void tide_live_limit_memory(size_t bytes);
// What is called some 20 times a second while such a script runs; true interrupts it. NULL: nothing.
void tide_live_set_progress(bool (*progress)(void *context), void *context);

// Runs the scene. Fails as tide_script_open does, and for solvers that are unknown.
tide_status tide_live_open(const tide_live_options *options, tide_live **live, tide_error *error);
void tide_live_close(tide_live *live); // NULL does nothing

// To look at and draw; what changes them is tide_live_apply. The world is another one after a run of the script.
tide_script *tide_live_script(tide_live *live);
tide_world *tide_live_world(tide_live *live);
const char *tide_live_path(const tide_live *live);
uint64_t tide_live_frame(const tide_live *live);       // of the world: goes back with it
uint64_t tide_live_steps(const tide_live *live);       // taken since it was opened: never goes back
size_t tide_live_setting_count(const tide_live *live); // NAME=VALUE that differ from the script, as they are now
const tide_setting *tide_live_settings(const tide_live *live);
const char *tide_live_solver_text(const tide_live *live); // that is in force instead of the scene's own; NULL: none is
double tide_live_timestep(const tide_live *live);         // s, likewise; 0
uint64_t tide_live_seed(const tide_live *live);
// Those that it was opened with, until an input chooses another.
const tide_solver_choice *tide_live_choices(const tide_live *live, uint32_t *count);

// --- doing -----------------------------------------------------------------------------------------------------------

// Takes a step. On failure the world is as it was, tide_live_failure tells, and no step is taken until it is mended.
tide_status tide_live_step(tide_live *live, tide_error *error);

// Does what the input says, all or nothing: on failure the world is as it was. One that succeeds ends the failure that
// it may mend (any run of the script, reset, rewind, restore, solver, timestep, parameter). Fails for an input that
// tide_input_check refuses, for names that the scene does not have, and as the script does. A run of the script that
// fails is also told by tide_live_failure; the world goes on as it was.
tide_status tide_live_apply(tide_live *live, const tide_input *input, tide_error *error);

// What the step to the frame of now did and took, and how many contacts there were; of a frame behind, the step that
// went there then. NULL: no step went there, as to the first frame, or it is not known any more. `contacts` may be
// NULL.
const tide_report *tide_live_report(const tide_live *live, uint32_t *contacts);

// What the last input that ran the script again changed, in words; "" before the first.
const char *tide_live_notice(const tide_live *live);

// Where lines of a console (TIDE_INPUT_CONSOLE) print, while they run; NULL: nowhere. They are executed with
// tide_script_evaluate, and end no failure and forget no frame unless they change the world.
typedef struct tide_live_printer {
    void (*print)(void *context, const char *bytes, size_t size);
    void *context;
} tide_live_printer;
void tide_live_set_printer(tide_live *live, const tide_live_printer *printer);

// Whoever wants to know what was done: called after each input that succeeded, with the number of steps taken before
// it, and after each step. `input` has its files where it ran the script. At most 4; they are called in order.
typedef struct tide_live_observer {
    void (*applied)(void *context, uint64_t steps, const tide_input *input);
    void (*stepped)(void *context, uint64_t steps);
    void *context;
} tide_live_observer;
tide_status tide_live_observe(tide_live *live, const tide_live_observer *observer, tide_error *error);
void tide_live_ignore(tide_live *live, const void *context); // no more

// Whether it is to step: for who steps it by the clock. tide_live_step itself does not ask.
bool tide_live_is_paused(const tide_live *live);
void tide_live_pause(tide_live *live, bool paused);

// --- failures --------------------------------------------------------------------------------------------------------

typedef enum tide_failure_kind {
    TIDE_FAILURE_NONE,
    TIDE_FAILURE_STEP,  // a step or the script's update, or it explodes (then it is back at the last sound frame)
    TIDE_FAILURE_RUN,   // a run of the script: the last good world goes on
    TIDE_FAILURE_INPUT, // a callback for a key or a click: it goes on without it
    TIDE_FAILURE_DRAW   // the script's draw: it goes on, and pictures are without it
} tide_failure_kind;

// For which timesteps a method is stable, by theory.
typedef enum tide_stability {
    TIDE_STABLE_UNKNOWN,
    TIDE_STABLE_NEVER, // without damping, which it has not
    TIDE_STABLE_BELOW, // a longest one
    TIDE_STABLE_ALWAYS // when it is solved to its end
} tide_stability;

typedef struct tide_failure {
    tide_failure_kind kind;
    tide_error error;
    uint64_t frame;    // of the world then
    bool exploded;     // of a step that was not taken, though it could be; tide_live_forgive lets it
    bool has_vertex;   // it is about a vertex: where a step diverged
    bool has_other;    // and about a spring to another one of the body
    tide_body_id body; // of the vertex
    uint32_t vertex, other;
    tide_stability stable; // of a step that failed in its numbers
    char theory[240];      // what is known of the timestep, of a step that failed in its numbers; "" otherwise
} tide_failure;
const tide_failure *tide_live_failure(const tide_live *live);                          // never NULL
void tide_live_fail(tide_live *live, tide_failure_kind kind, const tide_error *error); // for who draws
// The failure is seen and done. One of a step comes again, unless the scene explodes: then it may, from now on until
// something else mends it.
void tide_live_forgive(tide_live *live);

// What may help against a failed step, the likeliest first: each an input to apply. They agree with `theory`.
enum { TIDE_REMEDY_MAX = 4 };
typedef struct tide_remedy {
    char label[96], solver[512];
    tide_input input;
} tide_remedy;
// How many there are. `input.text` points into the remedy's own `solver`: use it where it is.
uint32_t tide_live_remedies(tide_live *live, tide_remedy remedies[TIDE_REMEDY_MAX]);

// --- the frames behind -----------------------------------------------------------------------------------------------

// Snapshots of the frames first .. last, without a gap. After a TIDE_INPUT_REWIND the later ones stay until a step is
// taken or the world is changed, which forgets them. The oldest go when there is no more room.
typedef struct tide_history_span {
    uint64_t first, last; // frames
    uint64_t count;       // 0: none, as without a history
    size_t bytes, limit;
} tide_history_span;
tide_history_span tide_live_history(const tide_live *live);
double tide_live_time_of(const tide_live *live, uint64_t frame); // s; NAN for a frame that is not there
// Whether the bodies were others at a frame that is kept: going there runs the script as it was run then (its files'
// texts, parameters, timestep; the solver stays as it is now).
bool tide_live_is_of_another_run(tide_live *live, uint64_t frame);
// The snapshot of a frame, owned by the history and valid until the next call that changes `live`; NULL: not there.
const tide_snapshot *tide_live_snapshot_of(const tide_live *live, uint64_t frame);

// --- hands -----------------------------------------------------------------------------------------------------------

typedef struct tide_live_drag {
    bool active;
    tide_body_id body;
    tide_grip grip;
    uint32_t vertex, other;
    double stiffness; // N/m
    double point[3];  // m, where the hand is
} tide_live_drag;
// What is held now; after going back, what was held then, until a TIDE_INPUT_DRAG_END.
const tide_live_drag *tide_live_dragging(const tide_live *live);

// --- files -----------------------------------------------------------------------------------------------------------

// The state as a file (text that begins with "springtide world 1"), whole or not at all. It fits scenes with the same
// bodies.
tide_status tide_live_save_world(tide_live *live, const char *path, tide_error *error);
// The same as text, which a TIDE_INPUT_RESTORE takes. Adds to `text`.
tide_status tide_live_write_world(tide_live *live, tide_text *text, tide_error *error);
// Reads such a file and applies it as TIDE_INPUT_RESTORE. Every number in it is checked.
tide_status tide_live_open_world(tide_live *live, const char *path, tide_error *error);

#endif
