// The history of frames, and moving through it.
#include "session/live_state.h"

#include "base/memory.h"

#include "world/snapshot.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

tide_history_span tide_live_history(const tide_live *live)
{
    const tide_frame_history *history = &live->history;
    tide_history_span span = { .count = history->count, .bytes = history->bytes, .limit = history->limit };
    if (history->count) {
        span.first = tide_frame_history_first(history);
        span.last = tide_frame_history_last(history);
    }
    return span;
}

double tide_live_time_of(const tide_live *live, uint64_t frame)
{
    const tide_frame_history_frame *found = tide_frame_history_find(&live->history, frame);
    return found ? found->time : NAN;
}

const tide_snapshot *tide_live_snapshot_of(const tide_live *live, uint64_t frame)
{
    const tide_frame_history_frame *found = tide_frame_history_find(&live->history, frame);
    return found ? found->snapshot : NULL;
}

bool tide_live_is_of_another_run(tide_live *live, uint64_t frame)
{
    const tide_frame_history_frame *found = tide_frame_history_find(&live->history, frame);
    return found && !tide_world_fits(tide_live_world(live), found->snapshot);
}

tide_status tide_live_keep_frame(tide_live *live, tide_error *error)
{
    if (!live->changed && tide_frame_history_find(&live->history, tide_live_frame(live)))
        return TIDE_OK;
    tide_status status = live->history.limit ? tide_live_note_run(live, error) : TIDE_OK;
    if (status == TIDE_OK)
        status = tide_frame_history_keep(&live->history, tide_live_world(live), &live->tools, live->run, live->strain,
                                         &live->last_step, error);
    live->changed = live->changed && status != TIDE_OK;
    return status;
}

static tide_status refuse_frame(const tide_live *live, uint64_t frame, tide_error *error)
{
    char value[32];
    snprintf(value, sizeof value, "%" PRIu64, frame);
    if (!live->history.count)
        return tide_fail(error, TIDE_ERROR_STATE, "history", "frame", value, "no frames are kept");
    return tide_fail(error, TIDE_ERROR_STATE, "history", "frame", value,
                     "the frames %" PRIu64 " to %" PRIu64 " are kept", tide_frame_history_first(&live->history),
                     tide_frame_history_last(&live->history));
}

static tide_status refuse_run(tide_error *error)
{
    return tide_fail(error, TIDE_ERROR_STATE, "history", "script", NULL,
                     "the script of that time now makes other bodies: a file that it loads has changed");
}

// Runs the script again as for that frame, which makes its bodies. On failure everything is unchanged.
static tide_status go_to_run(tide_live *live, const tide_frame_history_frame *then, tide_error *error)
{
    tide_snapshot *now;
    tide_error unread;
    TIDE_TRY(tide_live_note_run(live, error));
    TIDE_TRY(tide_world_snapshot(tide_live_world(live), &now, error));
    TIDE_SCOPED_BY(tide_tools_release) tide_tools tools = tide_tools_share(&live->tools);
    tide_frame_history_run *run = tide_frame_history_run_share(live->run);
    bool changed = live->changed;
    tide_status status = tide_live_run_as(live, then->run, error);
    if (status == TIDE_OK && !tide_world_fits(tide_live_world(live), then->snapshot)) {
        status = refuse_run(error);
        if (tide_live_run_as(live, run, &unread) == TIDE_OK)
            tide_world_restore(tide_live_world(live), now, &unread);
        tide_tools_release(&live->tools);
        live->tools = tide_tools_share(&tools);
        live->changed = changed;
    }
    tide_frame_history_run_release(run);
    tide_snapshot_destroy(now);
    return status;
}

tide_status tide_live_rewind(tide_live *live, const tide_input *input, tide_error *error)
{
    tide_frame_history *history = &live->history;
    uint64_t now = tide_live_frame(live);
    if (!tide_frame_history_find(history, input->frame))
        return refuse_frame(live, input->frame, error);
    // Keeps the changes that inputs have made to the current frame, if it is in the history.
    if (input->frame != now && live->changed && now >= tide_frame_history_first(history) &&
        now <= tide_frame_history_last(history) + 1)
        TIDE_TRY(tide_live_keep_frame(live, error));
    const tide_frame_history_frame *found =
        tide_frame_history_find(history, input->frame); // keeping a frame may have dropped it
    if (!found)
        TIDE_TRY(refuse_frame(live, input->frame, error));
    if (tide_live_is_of_another_run(live, input->frame))
        TIDE_TRY(go_to_run(live, found, error));
    TIDE_TRY(tide_world_restore(tide_live_world(live), found->snapshot, error));
    tide_tools_release(&live->tools);
    live->tools = tide_tools_share(&found->tools);
    live->changed = false;
    live->strain = found->strain;
    live->last_step = found->step;
    return TIDE_OK;
}

tide_status tide_live_reset(tide_live *live, const tide_input *input, tide_error *error)
{
    (void)input;
    TIDE_TRY(tide_live_forget_choices(live, error));
    TIDE_TRY(tide_world_reset(tide_live_world(live), error));
    tide_tools_release(&live->tools);
    live->strain = 0;
    live->last_step.known = false;
    live->changed = true;
    return TIDE_OK;
}
