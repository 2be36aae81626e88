#include "session/history.h"

#include "base/memory.h"

static tide_frame_history_frame *history_at(const tide_frame_history *history, size_t index)
{
    return &history->frames[(history->start + index) % history->capacity];
}

static void history_clear(tide_frame_history *history, tide_frame_history_frame *frame)
{
    history->bytes -= frame->bytes + tide_frame_history_run_leave(frame->run);
    tide_frame_history_run_release(frame->run);
    tide_snapshot_destroy(frame->snapshot);
    tide_tools_release(&frame->tools);
    *frame = (tide_frame_history_frame) { 0 };
}

static void drop_first(tide_frame_history *history)
{
    history_clear(history, history_at(history, 0));
    history->start = (history->start + 1) % history->capacity;
    history->count--;
}

static void drop_last(tide_frame_history *history)
{
    history_clear(history, history_at(history, --history->count));
}

void tide_frame_history_free(tide_frame_history *history)
{
    while (history->count)
        drop_last(history);
    tide_free(history->frames);
    *history = (tide_frame_history) { .limit = history->limit };
}

uint64_t tide_frame_history_first(const tide_frame_history *history)
{
    return history_at(history, 0)->frame;
}

uint64_t tide_frame_history_last(const tide_frame_history *history)
{
    return history_at(history, history->count - 1)->frame;
}

const tide_frame_history_frame *tide_frame_history_find(const tide_frame_history *history, uint64_t frame)
{
    if (!history->count || frame < tide_frame_history_first(history) || frame > tide_frame_history_last(history))
        return NULL;
    return history_at(history, (size_t)(frame - tide_frame_history_first(history)));
}

void tide_frame_history_forget_after(tide_frame_history *history, uint64_t frame)
{
    while (history->count && tide_frame_history_last(history) > frame)
        drop_last(history);
}

// Makes room for one more frame.
static bool history_grow(tide_frame_history *history)
{
    if (history->count < history->capacity)
        return true;
    size_t capacity = history->capacity ? 2 * history->capacity : 64;
    tide_frame_history_frame *frames = tide_allocate_zeroed(capacity, sizeof *frames);
    if (!frames)
        return false;
    for (size_t i = 0; i < history->count; i++)
        frames[i] = *history_at(history, i);
    tide_free(history->frames);
    history->frames = frames;
    history->capacity = capacity;
    history->start = 0;
    return true;
}

tide_status tide_frame_history_keep(tide_frame_history *history, tide_world *world, const tide_tools *tools,
                                    tide_frame_history_run *run, double strain, const tide_frame_history_step *step,
                                    tide_error *error)
{
    tide_frame_history_frame kept = {
        .frame = tide_world_frame(world), .time = tide_world_time(world), .strain = strain, .step = *step
    };
    if (!history->limit)
        return TIDE_OK;
    if (history->count &&
        (kept.frame < tide_frame_history_first(history) || kept.frame > tide_frame_history_last(history) + 1))
        while (history->count)
            drop_last(history);
    if (!history_grow(history))
        return tide_fail_memory(error, "history");
    TIDE_TRY(tide_world_snapshot(world, &kept.snapshot, error));
    kept.bytes = tide_snapshot_size(kept.snapshot) + sizeof kept + 3 * (size_t)TIDE_ALIGNMENT;
    kept.tools = tide_tools_share(tools);
    kept.run = tide_frame_history_run_share(run);
    if (tide_frame_history_find(history, kept.frame)) {
        tide_frame_history_frame *before =
            history_at(history, (size_t)(kept.frame - tide_frame_history_first(history)));
        history_clear(history, before);
        *before = kept;
    } else
        *history_at(history, history->count++) = kept;
    history->bytes += kept.bytes + tide_frame_history_run_enter(run);
    while (history->bytes > history->limit && history->count)
        drop_first(history);
    return TIDE_OK;
}
