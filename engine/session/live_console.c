// Console lines as inputs, and a panel's changes of a collider.
#include "session/live_state.h"

#include "script/console.h"
#include "world/collider_state.h"

#include <stdio.h>
#include <string.h>

void tide_live_set_printer(tide_live *live, const tide_live_printer *printer)
{
    live->printer = printer ? *printer : (tide_live_printer) { 0 };
}

typedef struct line {
    tide_live *live;
    bool stepped;
} line;

static void pass_on(void *context, const char *bytes, size_t size)
{
    const tide_live *live = ((const line *)context)->live;
    if (live->printer.print)
        live->printer.print(live->printer.context, bytes, size);
}

// Keeps the frames that a line steps through.
static void keep_step(void *context)
{
    line *line = context;
    tide_live *live = line->live;
    line->stepped = true;
    uint64_t frame = tide_live_frame(live);
    if (frame > 0)
        tide_frame_history_forget_after(&live->history, frame - 1);
    live->changed = true;
    live->strain = tide_live_strain(live);
    if (tide_live_keep_frame(live, NULL) != TIDE_OK) // without memory, the history is the first thing to give up
        tide_frame_history_free(&live->history);
}

tide_status tide_live_console(tide_live *live, const tide_input *input, tide_error *error)
{
    bool changed;
    uint64_t frame = tide_live_frame(live);
    double strain = live->strain;
    line line = { live, false };
    const tide_console_host host = { pass_on, keep_step, &line };
    tide_status status = tide_live_keep_frame(live, error);
    if (status == TIDE_OK)
        status = tide_live_give_files(live, input, error);
    if (status == TIDE_OK)
        status = tide_script_evaluate(live->script, input->text, &host, &changed, error);
    if (status != TIDE_OK && line.stepped) { // the frames that it stepped through are undone
        tide_frame_history_forget_after(&live->history, frame);
        live->changed = true;
        live->strain = strain;
    }
    if (status != TIDE_OK)
        return status;
    if (changed)
        tide_live_note_change(live);
    return tide_live_note_texts(live, error);
}

tide_status tide_live_find_collider(tide_live *live, const char *name, tide_collider_id *id, tide_error *error)
{
    char shown[96];
    tide_world *world = tide_live_world(live);
    *id = tide_world_find_collider(world, name);
    if (tide_world_collider(world, *id))
        return TIDE_OK;
    snprintf(shown, sizeof shown, "\"%.80s\"", name);
    return tide_fail(error, TIDE_ERROR_ARGUMENT, "input", "collider", shown, "the scene has no collider of this name");
}

tide_status tide_live_set_collider(tide_live *live, const tide_input *input, tide_error *error)
{
    tide_collider_id id;
    tide_world *world = tide_live_world(live);
    TIDE_TRY(tide_live_find_collider(live, input->name, &id, error));
    const tide_collider *collider = tide_world_collider(world, id);
    tide_collider_values values = { collider->friction, collider->restitution, collider->thickness };
    if (strcmp(input->text, "friction") == 0)
        values.friction = input->number;
    else if (strcmp(input->text, "restitution") == 0)
        values.restitution = input->number;
    else
        values.thickness = input->number;
    return tide_world_set_collider_values(world, id, &values, error);
}
