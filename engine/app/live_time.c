// The frames behind, and going to and fro among them.
#include "app/live_parts.h"

#include "world/snapshot.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

tide_history_span tide_live_history(const tide_live *live)
{
    const tide_past *past = &live->past;
    tide_history_span span = { .count = past->count, .bytes = past->bytes, .limit = past->limit };
    if (past->count) {
        span.first = tide_past_first(past);
        span.last = tide_past_last(past);
    }
    return span;
}

double tide_live_time_of(const tide_live *live, uint64_t frame)
{
    const tide_past_frame *found = tide_past_find(&live->past, frame);
    return found ? found->time : NAN;
}

const tide_snapshot *tide_live_snapshot_of(const tide_live *live, uint64_t frame)
{
    const tide_past_frame *found = tide_past_find(&live->past, frame);
    return found ? found->snapshot : NULL;
}

bool tide_live_can_rewind(tide_live *live, uint64_t frame)
{
    const tide_past_frame *found = tide_past_find(&live->past, frame);
    return found && tide_world_fits(tide_live_world(live), found->snapshot);
}

tide_status tide_live_keep_frame(tide_live *live, tide_error *error)
{
    if (!live->changed && tide_past_find(&live->past, tide_live_frame(live)))
        return TIDE_OK;
    tide_status status = tide_past_keep(&live->past, tide_live_world(live), &live->hands, live->strain, error);
    live->changed = live->changed && status != TIDE_OK;
    return status;
}

static tide_status refuse_frame(const tide_live *live, uint64_t frame, tide_error *error)
{
    char value[32];
    snprintf(value, sizeof value, "%" PRIu64, frame);
    if (!live->past.count)
        return tide_fail(error, TIDE_ERROR_STATE, "history", "frame", value, "no frames are kept");
    return tide_fail(error, TIDE_ERROR_STATE, "history", "frame", value,
                     "the frames %" PRIu64 " to %" PRIu64 " are kept", tide_past_first(&live->past),
                     tide_past_last(&live->past));
}

tide_status tide_live_rewind(tide_live *live, const tide_input *input, tide_error *error)
{
    tide_past *past = &live->past;
    uint64_t now = tide_live_frame(live);
    if (!tide_past_find(past, input->frame))
        return refuse_frame(live, input->frame, error);
    tide_status status = TIDE_OK;
    // What inputs have made of this frame is not lost, where the frame is one of those that are kept.
    if (input->frame != now && live->changed && now >= tide_past_first(past) && now <= tide_past_last(past) + 1)
        status = tide_live_keep_frame(live, error);
    const tide_past_frame *found = tide_past_find(past, input->frame); // keeping one may have dropped it
    if (status == TIDE_OK && !found)
        status = refuse_frame(live, input->frame, error);
    if (status == TIDE_OK)
        status = tide_world_restore(tide_live_world(live), found->snapshot, error);
    if (status != TIDE_OK)
        return status;
    tide_hands_release(&live->hands);
    live->hands = tide_hands_share(&found->hands);
    live->changed = false;
    live->strain = found->strain;
    return TIDE_OK;
}

tide_status tide_live_reset(tide_live *live, const tide_input *input, tide_error *error)
{
    (void)input;
    tide_status status = tide_live_forget_choices(live, error);
    if (status == TIDE_OK)
        status = tide_world_reset(tide_live_world(live), error);
    if (status != TIDE_OK)
        return status;
    tide_hands_release(&live->hands);
    live->strain = 0;
    live->changed = true;
    return TIDE_OK;
}
