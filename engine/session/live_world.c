// Writes and restores the worlds of a live as texts.
#include "session/live_state.h"

#include "world/snapshot_text.h"

tide_status tide_live_write_world(tide_live *live, tide_text *text, tide_error *error)
{
    tide_snapshot *snapshot;
    TIDE_TRY(tide_world_snapshot(tide_live_world(live), &snapshot, error));
    tide_status status = tide_snapshot_write_text(snapshot, text, error);
    tide_snapshot_destroy(snapshot);
    return status;
}

tide_status tide_live_restore(tide_live *live, const tide_input *input, tide_error *error)
{
    tide_snapshot *snapshot;
    tide_world *world = tide_live_world(live);
    TIDE_TRY(tide_snapshot_read_text(world, input->text, input->size, &snapshot, error));
    tide_status status = tide_world_restore(world, snapshot, error);
    tide_snapshot_destroy(snapshot);
    if (status != TIDE_OK)
        return status;
    tide_tools_release(&live->tools);
    live->strain = 0;
    live->last_step.known = false;
    live->changed = true;
    return TIDE_OK;
}
