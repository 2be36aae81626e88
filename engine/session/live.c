#include "session/live_state.h"

#include "base/memory.h"
#include "world/cuts.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- opening, closing, reading ---------------------------------------------------------------------------------------

tide_status tide_live_open(const tide_live_options *options, tide_live **out, tide_error *error)
{
    tide_live *live = tide_allocate_zeroed(1, sizeof *live);
    if (!live)
        return tide_fail_memory(error, "scene");
    live->path = tide_copy_string(options->scene);
    live->timestep = options->timestep;
    live->seed = options->seed;
    live->folder_barred = options->folder_barred;
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

tide_script *tide_live_script(tide_live *live)
{
    return live->script;
}

tide_world *tide_live_world(tide_live *live)
{
    return tide_script_world(live->script);
}

const char *tide_live_path(const tide_live *live)
{
    return live->path;
}

uint64_t tide_live_frame(const tide_live *live)
{
    return tide_world_frame(tide_script_world(live->script));
}

uint64_t tide_live_steps(const tide_live *live)
{
    return live->steps;
}

size_t tide_live_setting_count(const tide_live *live)
{
    return live->setting_count;
}

const tide_setting *tide_live_settings(const tide_live *live)
{
    return live->settings;
}

double tide_live_timestep(const tide_live *live)
{
    return live->timestep;
}

uint64_t tide_live_seed(const tide_live *live)
{
    return live->seed;
}

const tide_solver_choice *tide_live_choices(const tide_live *live, uint32_t *count)
{
    *count = live->choice_count;
    return live->choices;
}

const tide_live_drag *tide_live_dragging(const tide_live *live)
{
    return &live->tools.drag;
}

const char *tide_live_notice(const tide_live *live)
{
    return tide_script_notice(live->script);
}

const tide_report *tide_live_report(const tide_live *live, uint32_t *contacts)
{
    if (contacts)
        *contacts = live->last_step.contacts;
    return live->last_step.known ? &live->last_step.report : NULL;
}

bool tide_live_is_paused(const tide_live *live)
{
    return live->paused;
}

void tide_live_pause(tide_live *live, bool paused)
{
    live->paused = paused || live->failure.kind == TIDE_FAILURE_STEP;
}

// --- observers -------------------------------------------------------------------------------------------------------

tide_status tide_live_observe(tide_live *live, const tide_live_observer *observer, tide_error *error)
{
    if (live->observer_count == TIDE_LIVE_OBSERVERS)
        return tide_fail(error, TIDE_ERROR_STATE, "scene", "observers", NULL, "there are four already");
    live->observers[live->observer_count++] = *observer;
    return TIDE_OK;
}

void tide_live_ignore(tide_live *live, const void *context)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < live->observer_count; i++)
        if (live->observers[i].context != context)
            live->observers[kept++] = live->observers[i];
    live->observer_count = kept;
}

// --- failures --------------------------------------------------------------------------------------------------------

// Finds the vertex that an error names, as tide_world_attribute_error writes it.
static void find_vertex(tide_live *live, tide_failure *failure)
{
    const tide_error *error = &failure->error;
    const char start[] = "body \"";
    char name[sizeof error->object];
    size_t length = strlen(error->object), skipped = sizeof start - 1;
    if (error->status != TIDE_ERROR_NUMERIC || strcmp(error->field, "vertex") != 0 || length < skipped + 2 ||
        strncmp(error->object, start, skipped) != 0)
        return;
    snprintf(name, sizeof name, "%.*s", (int)(length - skipped - 1), error->object + skipped);
    tide_body_info body;
    unsigned long vertex = strtoul(error->value, NULL, 10);
    failure->body = tide_world_find_body(tide_live_world(live), name);
    if (!tide_world_body_info(tide_live_world(live), failure->body, &body) || !vertex || vertex > body.vertex_count)
        return;
    failure->vertex = (uint32_t)vertex - 1;
    failure->has_vertex = true;
}

const tide_failure *tide_live_failure(const tide_live *live)
{
    return &live->failure;
}

static bool has_stopped(const tide_live *live)
{
    return live->failure.kind == TIDE_FAILURE_STEP;
}

void tide_live_fail(tide_live *live, tide_failure_kind kind, const tide_error *error)
{
    // A failure that stopped the run is shown until it is mended. A draw failure hides no other.
    if ((has_stopped(live) && kind != TIDE_FAILURE_STEP) ||
        (kind == TIDE_FAILURE_DRAW && live->failure.kind != TIDE_FAILURE_NONE))
        return;
    if (kind == TIDE_FAILURE_STEP && !has_stopped(live)) {
        live->paused_before = live->paused;
        live->paused = true;
    }
    live->failure = (tide_failure) { .kind = kind, .error = *error, .frame = tide_live_frame(live) };
    find_vertex(live, &live->failure);
    tide_live_explain(live, &live->failure);
}

static void end_failure(tide_live *live)
{
    if (has_stopped(live))
        live->paused = live->paused_before;
    live->failure = (tide_failure) { 0 };
    live->excused = false;
}

void tide_live_clear_failure(tide_live *live)
{
    bool exploded = live->failure.exploded;
    if (has_stopped(live) && !exploded)
        return;
    end_failure(live);
    live->excused = exploded;
}

// --- steps -----------------------------------------------------------------------------------------------------------

static tide_status take_step(tide_live *live, tide_error *error)
{
    tide_status status = tide_live_choose_solver(live, error);
    if (status == TIDE_OK)
        status = tide_live_keep_frame(live, error);
    return status == TIDE_OK ? tide_script_step(live->script, error) : status;
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
    for (uint32_t i = 0; i < live->observer_count; i++)
        if (live->observers[i].stepped)
            live->observers[i].stepped(live->observers[i].context, live->steps);
}

// Checks for an explosion immediately after the step, before anything is drawn. Checks before the step too: an
// explosion that was permitted may no longer be.
tide_status tide_live_step(tide_live *live, tide_error *error)
{
    tide_error failure;
    uint64_t frame = tide_live_frame(live);
    if (has_stopped(live)) {
        if (error)
            *error = live->failure.error;
        return live->failure.error.status;
    }
    if (tide_live_check_blowup(live, &failure) != TIDE_OK)
        return stop(live, &failure, true, error);
    if (take_step(live, &failure) != TIDE_OK)
        return stop(live, &failure, false, error);
    note_step(live, frame);
    return tide_live_check_blowup(live, &failure) == TIDE_OK ? TIDE_OK : stop(live, &failure, true, error);
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
    tide_status status = tide_world_snapshot(tide_live_world(live), &before, error);
    if (status != TIDE_OK)
        return status;
    status = input->kind == TIDE_INPUT_KEY ? press_key(live, input, error) : click(live, input, error);
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
    tide_status status = tide_tools_find_body(tide_live_world(live), input->name, &id, error);
    return status == TIDE_OK ? tide_world_cut(tide_live_world(live), id, input->elements, input->element_count, error)
                             : status;
}

static tide_status move_collider(tide_live *live, const tide_input *input, tide_error *error)
{
    tide_collider_id id;
    tide_world *world = tide_live_world(live);
    tide_status status = tide_live_find_collider(live, input->name, &id, error);
    if (status != TIDE_OK)
        return status;
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
    [TIDE_INPUT_MOVE_COLLIDER] = { move_collider, CHANGES },
    [TIDE_INPUT_RELOAD] = { tide_live_reload, MENDS | RUNS },
    [TIDE_INPUT_RESET] = { tide_live_reset, MENDS },
    [TIDE_INPUT_REWIND] = { tide_live_rewind, MENDS },
    [TIDE_INPUT_RESTORE] = { tide_live_restore, MENDS },
    [TIDE_INPUT_CONSOLE] = { tide_live_console, RUNS },
    [TIDE_INPUT_COLLIDER] = { tide_live_set_collider, CHANGES },
};

void tide_live_note_change(tide_live *live)
{
    live->changed = true;
    tide_frame_history_forget_after(&live->history, tide_live_frame(live));
    end_failure(live);
}

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
    tide_status status = tide_input_check(input, error);
    if (status != TIDE_OK)
        return status;
    const action *action = &actions[input->kind];
    if (!action->act)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, "input", tide_input_name(input->kind), NULL,
                         "it is not one that changes a scene");
    status = action->act(live, input, error);
    if (status != TIDE_OK)
        return status;
    if (action->what & CHANGES) {
        live->changed = true;
        tide_frame_history_forget_after(&live->history, tide_live_frame(live));
    }
    if (action->what & MENDS)
        end_failure(live);
    tell(live, input, action->what);
    return TIDE_OK;
}
