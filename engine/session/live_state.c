#include "session/live_state.h"

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
