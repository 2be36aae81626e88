#include "session/live_state.h"

#include "base/memory.h"
#include "world/cuts.h"
#include "world/openings.h"

// --- opening and closing ---------------------------------------------------------------------------------------------

tide_status tide_live_open(const tide_live_options *options, tide_live **out, tide_error *error)
{
    tide_live *live = tide_allocate_zeroed(1, sizeof *live);
    if (!live)
        return tide_fail_memory(error, "scene");
    live->path = tide_copy_string(options->scene);
    live->timestep = options->timestep;
    live->seed = options->seed;
    live->portable = options->portable;
    live->folder_barred = options->folder_barred;
    live->untrusted = options->untrusted;
    live->time_limit = options->time_limit;
    live->history.limit = options->history_limit;
    live->sealed = options->file_count > 0;
    tide_status status = live->path ? tide_live_first_run(live, options, error) : tide_fail_memory(error, "scene");
    if (status != TIDE_OK) {
        tide_live_close(live);
        return status;
    }
    *out = live;
    return TIDE_OK;
}

void tide_live_close(tide_live *live)
{
    if (!live)
        return;
    tide_live_free_run(live);
    tide_tools_release(&live->tools);
    tide_frame_history_free(&live->history);
    tide_free(live->path);
    tide_free(live);
}

// --- steps -----------------------------------------------------------------------------------------------------------

static tide_status take_step(tide_live *live, tide_error *error)
{
    TIDE_TRY(tide_live_choose_solver(live, error));
    TIDE_TRY(tide_live_keep_frame(live, error));
    return tide_script_step(live->script, error);
}

static tide_status stop(tide_live *live, const tide_error *failure, bool exploded, tide_error *error)
{
    tide_live_fail(live, TIDE_FAILURE_STEP, failure);
    live->failure.exploded = exploded;
    if (error)
        *error = *failure;
    return failure->status;
}

static void note_step(tide_live *live, uint64_t frame)
{
    live->steps++;
    tide_frame_history_forget_after(&live->history, frame);
    live->changed = true;
    live->strain = tide_live_strain(live);
    live->last_step = (tide_frame_history_step) { .known = true, .report = *tide_world_report(tide_live_world(live)) };
    tide_world_contacts(tide_live_world(live), &live->last_step.contacts);
    if (tide_live_keep_frame(live, NULL) != TIDE_OK) // without memory, the history is the first thing to give up
        tide_frame_history_free(&live->history);
    tide_live_certify_step(live);
    for (uint32_t i = 0; i < live->observer_count; i++)
        if (live->observers[i].stepped)
            live->observers[i].stepped(live->observers[i].context, live->steps);
}

// Goes back to the last sound frame, with an error, if the scene has exploded.
static tide_status check_blowup(tide_live *live, tide_error *error)
{
    uint64_t sound;
    tide_status status = tide_live_check_blowup(live, &sound, error);
    if (status != TIDE_OK)
        tide_live_apply(live, &(tide_input) { .kind = TIDE_INPUT_REWIND, .frame = sound }, NULL);
    return status;
}

// Checks for an explosion immediately after the step, before anything is drawn. Checks before the step too: an
// explosion that was permitted may no longer be.
tide_status tide_live_step(tide_live *live, tide_error *error)
{
    tide_error failure;
    uint64_t frame = tide_live_frame(live);
    if (live->failure.kind == TIDE_FAILURE_STEP) {
        if (error)
            *error = live->failure.error;
        return live->failure.error.status;
    }
    if (check_blowup(live, &failure) != TIDE_OK)
        return stop(live, &failure, true, error);
    if (take_step(live, &failure) != TIDE_OK)
        return stop(live, &failure, false, error);
    note_step(live, frame);
    return check_blowup(live, &failure) == TIDE_OK ? TIDE_OK : stop(live, &failure, true, error);
}

// --- inputs ----------------------------------------------------------------------------------------------------------

static tide_status press_key(tide_live *live, const tide_input *input, tide_error *error)
{
    return tide_script_key_pressed(live->script, input->text, error);
}

static tide_status click(tide_live *live, const tide_input *input, tide_error *error)
{
    return tide_script_mouse_pressed(live->script, input->point[0], input->point[1], input->button, error);
}

// A callback that fails leaves the world unchanged.
static tide_status call_script(tide_live *live, const tide_input *input, tide_error *error)
{
    tide_snapshot *before;
    TIDE_TRY(tide_world_snapshot(tide_live_world(live), &before, error));
    tide_status status = input->kind == TIDE_INPUT_KEY ? press_key(live, input, error) : click(live, input, error);
    if (status != TIDE_OK) {
        tide_world_restore(tide_live_world(live), before, NULL);
        tide_live_fail(live, TIDE_FAILURE_INPUT, error);
    }
    tide_snapshot_destroy(before);
    return status;
}

static tide_status pin(tide_live *live, const tide_input *input, tide_error *error)
{
    return tide_tools_pin(&live->tools, tide_live_world(live), input, error);
}

static tide_status begin_drag(tide_live *live, const tide_input *input, tide_error *error)
{
    return tide_tools_drag_begin(&live->tools, tide_live_world(live), input, error);
}

static tide_status move_drag(tide_live *live, const tide_input *input, tide_error *error)
{
    return tide_tools_drag_move(&live->tools, tide_live_world(live), input, error);
}

static tide_status end_drag(tide_live *live, const tide_input *input, tide_error *error)
{
    (void)input;
    return tide_tools_drag_end(&live->tools, tide_live_world(live), error);
}

static tide_status cut(tide_live *live, const tide_input *input, tide_error *error)
{
    tide_body_id id;
    TIDE_TRY(tide_tools_find_body(tide_live_world(live), input->name, &id, error));
    return tide_world_cut(tide_live_world(live), id, input->elements, input->element_count, error);
}

static tide_status open_faces(tide_live *live, const tide_input *input, tide_error *error)
{
    tide_body_id id;
    TIDE_TRY(tide_tools_find_body(tide_live_world(live), input->name, &id, error));
    return tide_world_open(tide_live_world(live), id, input->elements, input->element_count, NULL, error);
}

static tide_status move_collider(tide_live *live, const tide_input *input, tide_error *error)
{
    tide_collider_id id;
    tide_world *world = tide_live_world(live);
    TIDE_TRY(tide_live_find_collider(live, input->name, &id, error));
    tide_pose pose = tide_world_collider(world, id)->end;
    for (int k = 0; k < 3; k++)
        pose.position[k] += input->point[k];
    return tide_world_move_collider(world, id, &pose, error);
}

enum {
    CHANGES = 1, // changes the state: later frames are dropped
    MENDS = 2,   // may end a failure
    RUNS = 4     // runs the script or a part of it: observers get its files
};

typedef struct action {
    tide_status (*act)(tide_live *live, const tide_input *input, tide_error *error);
    unsigned what;
} action;

static const action actions[TIDE_INPUT_KINDS] = {
    [TIDE_INPUT_PARAM] = { tide_live_set_param, MENDS | RUNS },
    [TIDE_INPUT_SOLVER] = { tide_live_set_solver, MENDS },
    [TIDE_INPUT_TIMESTEP] = { tide_live_set_timestep, MENDS | RUNS },
    [TIDE_INPUT_KEY] = { call_script, CHANGES },
    [TIDE_INPUT_CLICK] = { call_script, CHANGES },
    [TIDE_INPUT_PIN] = { pin, CHANGES },
    [TIDE_INPUT_UNPIN] = { pin, CHANGES },
    [TIDE_INPUT_DRAG_BEGIN] = { begin_drag, CHANGES },
    [TIDE_INPUT_DRAG_MOVE] = { move_drag, CHANGES },
    [TIDE_INPUT_DRAG_END] = { end_drag, CHANGES },
    [TIDE_INPUT_CUT] = { cut, CHANGES },
    [TIDE_INPUT_OPEN] = { open_faces, CHANGES },
    [TIDE_INPUT_MOVE_COLLIDER] = { move_collider, CHANGES },
    [TIDE_INPUT_RELOAD] = { tide_live_reload, MENDS | RUNS },
    [TIDE_INPUT_RESET] = { tide_live_reset, MENDS },
    [TIDE_INPUT_REWIND] = { tide_live_rewind, MENDS },
    [TIDE_INPUT_RESTORE] = { tide_live_restore, MENDS },
    [TIDE_INPUT_CONSOLE] = { tide_live_console, RUNS },
    [TIDE_INPUT_COLLIDER] = { tide_live_set_collider, CHANGES },
};

static void tell(tide_live *live, const tide_input *input, unsigned what)
{
    tide_input told = *input;
    told.files = what & RUNS ? live->files : NULL;
    told.file_count = what & RUNS ? (uint32_t)live->file_count : 0;
    for (uint32_t i = 0; i < live->observer_count; i++)
        if (live->observers[i].applied)
            live->observers[i].applied(live->observers[i].context, live->steps, &told);
}

tide_status tide_live_apply(tide_live *live, const tide_input *input, tide_error *error)
{
    tide_error failure;
    error = error ? error : &failure;
    TIDE_TRY(tide_input_check(input, error));
    const action *action = &actions[input->kind];
    if (!action->act)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, "input", tide_input_name(input->kind), NULL,
                         "it is not one that changes a scene");
    TIDE_TRY(action->act(live, input, error));
    tide_live_forget_certificate(live);
    if (action->what & CHANGES) {
        live->changed = true;
        tide_frame_history_forget_after(&live->history, tide_live_frame(live));
    }
    if (action->what & MENDS)
        tide_live_end_failure(live);
    tell(live, input, action->what);
    return TIDE_OK;
}
