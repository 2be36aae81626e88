// The frames behind a running world: a snapshot of each, without a gap, within a limit of memory.
#ifndef TIDE_APP_HISTORY_H
#define TIDE_APP_HISTORY_H

#include "app/live_hands.h"
#include "world/world.h"

typedef struct tide_past_frame {
    tide_snapshot *snapshot; // the state from which the next step went on
    tide_hands hands;
    uint64_t frame;
    double time;   // s
    double strain; // the largest of a spring
    size_t bytes;  // that it takes
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
tide_status tide_past_keep(tide_past *past, tide_world *world, const tide_hands *hands, double strain,
                           tide_error *error);

#endif
