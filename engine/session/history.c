#include "session/history.h"

#include "base/memory.h"

static tide_frame_history_frame *past_at(const tide_frame_history *past, size_t index)
{
    return &past->frames[(past->start + index) % past->capacity];
}

static void past_clear(tide_frame_history *past, tide_frame_history_frame *frame)
{
    past->bytes -= frame->bytes + tide_frame_history_run_leave(frame->run);
    tide_frame_history_run_release(frame->run);
    tide_snapshot_destroy(frame->snapshot);
    tide_tools_release(&frame->tools);
    *frame = (tide_frame_history_frame) { 0 };
}

static void drop_first(tide_frame_history *past)
{
    past_clear(past, past_at(past, 0));
    past->start = (past->start + 1) % past->capacity;
    past->count--;
}

static void drop_last(tide_frame_history *past)
{
    past_clear(past, past_at(past, --past->count));
}

void tide_frame_history_free(tide_frame_history *past)
{
    while (past->count)
        drop_last(past);
    tide_free(past->frames);
    *past = (tide_frame_history) { .limit = past->limit };
}

uint64_t tide_frame_history_first(const tide_frame_history *past)
{
    return past_at(past, 0)->frame;
}

uint64_t tide_frame_history_last(const tide_frame_history *past)
{
    return past_at(past, past->count - 1)->frame;
}

const tide_frame_history_frame *tide_frame_history_find(const tide_frame_history *past, uint64_t frame)
{
    if (!past->count || frame < tide_frame_history_first(past) || frame > tide_frame_history_last(past))
        return NULL;
    return past_at(past, (size_t)(frame - tide_frame_history_first(past)));
}

void tide_frame_history_forget_after(tide_frame_history *past, uint64_t frame)
{
    while (past->count && tide_frame_history_last(past) > frame)
        drop_last(past);
}

// Makes room for one more frame.
static bool past_grow(tide_frame_history *past)
{
    if (past->count < past->capacity)
        return true;
    size_t capacity = past->capacity ? 2 * past->capacity : 64;
    tide_frame_history_frame *frames = tide_allocate_zeroed(capacity, sizeof *frames);
    if (!frames)
        return false;
    for (size_t i = 0; i < past->count; i++)
        frames[i] = *past_at(past, i);
    tide_free(past->frames);
    past->frames = frames;
    past->capacity = capacity;
    past->start = 0;
    return true;
}

tide_status tide_frame_history_keep(tide_frame_history *past, tide_world *world, const tide_tools *tools,
                                    tide_frame_history_run *run, double strain, const tide_frame_history_step *step,
                                    tide_error *error)
{
    tide_frame_history_frame kept = {
        .frame = tide_world_frame(world), .time = tide_world_time(world), .strain = strain, .step = *step
    };
    if (!past->limit)
        return TIDE_OK;
    if (past->count && (kept.frame < tide_frame_history_first(past) || kept.frame > tide_frame_history_last(past) + 1))
        while (past->count)
            drop_last(past);
    if (!past_grow(past))
        return tide_fail_memory(error, "history");
    tide_status status = tide_world_snapshot(world, &kept.snapshot, error);
    if (status != TIDE_OK)
        return status;
    kept.bytes = tide_snapshot_size(kept.snapshot) + sizeof kept + 3 * (size_t)TIDE_ALIGNMENT;
    kept.tools = tide_tools_share(tools);
    kept.run = tide_frame_history_run_share(run);
    if (tide_frame_history_find(past, kept.frame)) {
        tide_frame_history_frame *before = past_at(past, (size_t)(kept.frame - tide_frame_history_first(past)));
        past_clear(past, before);
        *before = kept;
    } else
        *past_at(past, past->count++) = kept;
    past->bytes += kept.bytes + tide_frame_history_run_enter(run);
    while (past->bytes > past->limit && past->count)
        drop_first(past);
    return TIDE_OK;
}
