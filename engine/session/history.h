// The frames behind a running world: a snapshot of each, without a gap, within a limit of memory, and what the script
// was run with that made its bodies.
#ifndef TIDE_SESSION_HISTORY_H
#define TIDE_SESSION_HISTORY_H

#include "session/live_hands.h"
#include "world/world.h"

// A run of the script: values that are never changed, as often shared as `references` says. Runs one after another with
// the same texts share these.
typedef struct tide_past_texts tide_past_texts;
typedef struct tide_past_run {
    uint32_t references;
    size_t frames; // that are kept of it
    tide_past_texts *texts;
    tide_setting *settings; // (setting_count)
    size_t setting_count;
    double timestep; // s, instead of the script's; 0
    size_t bytes;    // without the texts
} tide_past_run;

// Copies all of it. `before` may be NULL.
tide_status tide_past_run_create(const tide_script_text *texts, uint32_t text_count, const tide_setting *settings,
                                 size_t setting_count, double timestep, const tide_past_run *before,
                                 tide_past_run **run, tide_error *error);
tide_past_run *tide_past_run_share(tide_past_run *run); // to be released; NULL: NULL
void tide_past_run_release(tide_past_run *run);         // NULL does nothing
const tide_script_text *tide_past_run_texts(const tide_past_run *run, uint32_t *count);
// A frame of it is kept, or goes: the bytes that this takes or frees.
size_t tide_past_run_enter(tide_past_run *run);
size_t tide_past_run_leave(tide_past_run *run);

// What the step to a frame did and took.
typedef struct tide_past_step {
    bool known; // false: no step went there, as to the first frame
    tide_report report;
    uint32_t contacts;
} tide_past_step;

typedef struct tide_past_frame {
    tide_snapshot *snapshot; // the state from which the next step went on
    tide_hands hands;
    tide_past_run *run; // of the script
    uint64_t frame;
    double time;   // s
    double strain; // the largest of a spring
    tide_past_step step;
    size_t bytes; // that it takes
} tide_past_frame;

typedef struct tide_past {
    tide_past_frame *frames; // (capacity) a ring: the oldest is at `start`
    size_t capacity, start, count;
    size_t bytes, limit; // limit 0: no frame is kept
} tide_past;             // { .limit = ... } is empty

void tide_past_free(tide_past *past);
// The frame, or NULL.
const tide_past_frame *tide_past_find(const tide_past *past, uint64_t frame);
uint64_t tide_past_first(const tide_past *past); // of the frames; there must be one
uint64_t tide_past_last(const tide_past *past);
// Drops those after a frame.
void tide_past_forget_after(tide_past *past, uint64_t frame);
// Keeps the world as it is now in place of what there was of its frame. Where that leaves a gap, what there was is
// dropped first. The oldest go until there is room; a state that is larger than the limit is not kept.
tide_status tide_past_keep(tide_past *past, tide_world *world, const tide_hands *hands, tide_past_run *run,
                           double strain, const tide_past_step *step, tide_error *error);

#endif
