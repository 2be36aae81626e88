#include "session/live_fork.h"

#include "base/memory.h"
#include "script/console.h"
#include "session/live_state.h"
#include "solver/solver_text.h"
#include "world/snapshot.h"

#include <string.h>

static void write_solver_of(tide_live *live, tide_text *text)
{
    const tide_solver *solver = tide_world_solver(tide_live_world(live));
    tide_solver_text_write(tide_solver_kind_of(solver), tide_solver_options(solver), text);
}

void tide_live_write_solver(tide_live *live, tide_text *text)
{
    const char *asked = tide_live_solver_text(live);
    if (asked)
        tide_text_format(text, "%s", asked);
    else
        write_solver_of(live, text);
}

// --- the state -------------------------------------------------------------------------------------------------------

// Copies the drag. Each world has its own body ids.
static void find_held(tide_live *to, tide_live *from)
{
    tide_body_info body;
    tide_live_drag *drag = &to->tools.drag;
    if (drag->active && tide_world_body_info(tide_live_world(from), drag->body, &body))
        drag->body = tide_world_find_body(tide_live_world(to), body.name);
}

tide_status tide_live_take_state(tide_live *to, tide_live *from, tide_error *error)
{
    tide_snapshot *snapshot;
    TIDE_TRY(tide_world_snapshot(tide_live_world(from), &snapshot, error));
    tide_status status = tide_world_restore(tide_live_world(to), snapshot, error);
    tide_snapshot_destroy(snapshot);
    if (status != TIDE_OK)
        return status;
    tide_tools_release(&to->tools);
    to->tools = tide_tools_share(&from->tools);
    find_held(to, from);
    to->changed = true;
    to->strain = from->strain;
    return TIDE_OK;
}

// --- forks -----------------------------------------------------------------------------------------------------------

// Applies what the script has changed since its run, for example in a callback: solver and settings.
static tide_status catch_up(tide_live *fork, tide_live *from, tide_error *error)
{
    TIDE_SCOPED_BY(tide_text_free) tide_text here = { 0 };
    TIDE_SCOPED_BY(tide_text_free) tide_text there = { 0 };
    tide_world *world = tide_live_world(fork), *other = tide_live_world(from);
    write_solver_of(fork, &here);
    write_solver_of(from, &there);
    if (here.failed || there.failed)
        return tide_fail_memory(error, "solver");
    if (strcmp(here.bytes, there.bytes) != 0)
        TIDE_TRY(tide_live_apply(fork, &(tide_input) { .kind = TIDE_INPUT_SOLVER, .text = there.bytes }, error));
    const tide_world_settings *settings = tide_world_get_settings(other);
    bool same = memcmp(settings, tide_world_get_settings(world), sizeof *settings) == 0;
    return same ? TIDE_OK : tide_world_set_settings(world, settings, error);
}

tide_status tide_live_fork(tide_live *from, size_t history_limit, tide_live **out, tide_error *error)
{
    uint32_t count;
    const tide_script_text *texts = tide_script_texts(tide_live_script(from), &count);
    tide_input_file *files = tide_allocate_array(count, sizeof *files);
    if (!files)
        return tide_fail_memory(error, "scene");
    for (uint32_t i = 0; i < count; i++)
        files[i] = (tide_input_file) { texts[i].path, texts[i].text, texts[i].size };
    const tide_solver_choice choice = { (char *)(uintptr_t)tide_live_solver_text(from), 0 };
    const tide_live_options options = {
        .scene = tide_live_path(from),
        .settings = tide_live_settings(from),
        .setting_count = (uint32_t)tide_live_setting_count(from),
        .solvers = &choice,
        .solver_count = choice.text ? 1 : 0,
        .timestep = tide_live_timestep(from),
        .seed = tide_live_seed(from),
        .portable = from->portable,
        .folder_barred = from->folder_barred,
        .untrusted = from->untrusted,
        .time_limit = from->time_limit,
        .history_limit = history_limit,
        .files = files,
        .file_count = count,
    };
    tide_live *fork = NULL;
    tide_status status = tide_live_open(&options, &fork, error);
    tide_free(files);
    if (status == TIDE_OK)
        status = catch_up(fork, from, error);
    if (status == TIDE_OK)
        status = tide_live_take_state(fork, from, error);
    if (status == TIDE_OK)
        tide_script_share_console(tide_live_script(from), tide_live_script(fork));
    if (status != TIDE_OK) {
        tide_live_close(fork);
        return status;
    }
    *out = fork;
    return TIDE_OK;
}
