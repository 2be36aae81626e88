// The history of a running world: a snapshot of each past frame, without a gap, within a memory limit, and the inputs
// of the script run that made its bodies.
#ifndef TIDE_SESSION_HISTORY_H
#define TIDE_SESSION_HISTORY_H

#include "session/live_tools.h"
#include "world/world.h"

// One run of the script: immutable, with counted references. Successive runs with the same texts share these.
typedef struct tide_frame_history_texts tide_frame_history_texts;
typedef struct tide_frame_history_run {
    uint32_t references;
    size_t frames; // kept that belong to this run
    tide_frame_history_texts *texts;
    tide_setting *settings; // (setting_count)
    size_t setting_count;
    double timestep; // replaces the script's; 0: the script's own
    size_t bytes;    // without those of the texts
} tide_frame_history_run;

// Copies all of it. Shares the texts of `before` (may be NULL) if they are equal.
tide_status tide_frame_history_run_create(const tide_script_text *texts, uint32_t text_count,
                                          const tide_setting *settings, size_t setting_count, double timestep,
                                          const tide_frame_history_run *before, tide_frame_history_run **run,
                                          tide_error *error);
tide_frame_history_run *
tide_frame_history_run_share(tide_frame_history_run *run);        // adds a reference, to be released; NULL gives NULL
void tide_frame_history_run_release(tide_frame_history_run *run); // NULL does nothing
const tide_script_text *tide_frame_history_run_texts(const tide_frame_history_run *run, uint32_t *count);
// Count a frame of the run that is kept or dropped. Return the bytes that this takes or frees.
size_t tide_frame_history_run_enter(tide_frame_history_run *run);
size_t tide_frame_history_run_leave(tide_frame_history_run *run);

// The report of the step that led to a frame.
typedef struct tide_frame_history_step {
    bool known; // false: no step led there, as for the first frame
    tide_report report;
    uint32_t contacts;
} tide_frame_history_step;

typedef struct tide_frame_history_frame {
    tide_snapshot *snapshot; // the state from which the next step began
    tide_tools tools;
    tide_frame_history_run *run; // of the script that made the bodies
    uint64_t frame;
    double time;   // s
    double strain; // the largest of any spring
    tide_frame_history_step step;
    size_t bytes; // that the frame takes
} tide_frame_history_frame;

typedef struct tide_frame_history {
    tide_frame_history_frame *frames; // (capacity) ring buffer; the oldest is at `start`
    size_t capacity, start, count;
    size_t bytes, limit; // limit 0: no frame is kept
} tide_frame_history;    // { .limit = ... } is empty

void tide_frame_history_free(tide_frame_history *history);
// Returns the frame, or NULL.
const tide_frame_history_frame *tide_frame_history_find(const tide_frame_history *history, uint64_t frame);
uint64_t tide_frame_history_first(const tide_frame_history *history); // the oldest frame; there must be one
uint64_t tide_frame_history_last(const tide_frame_history *history);
// Drops the frames after this one.
void tide_frame_history_forget_after(tide_frame_history *history, uint64_t frame);
// Stores the current world as its frame, in place of an earlier snapshot of the same frame. If that would leave a gap,
// drops all frames first. Drops the oldest frames until there is room. Does not keep a state that is larger than the
// limit.
tide_status tide_frame_history_keep(tide_frame_history *history, tide_world *world, const tide_tools *tools,
                                    tide_frame_history_run *run, double strain, const tide_frame_history_step *step,
                                    tide_error *error);

#endif
