// Steps, and single solver iterations of the next step.
#include "gui/window_state.h"

#include "base/clock.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void note_warning(tide_window *w)
{
    const tide_report *report = tide_world_report(tide_live_world(w->job->live));
    if (!report->warning[0])
        return;
    memcpy(w->warning, report->warning, sizeof w->warning);
    w->warning_until = tide_clock_seconds() + 3;
}

tide_status tide_window_step(tide_window *w, tide_error *error)
{
    tide_job *job = w->job;
    w->dirty = true;
    tide_window_leave_iterates(w);
    // After going back, what was held at that frame is released.
    if (!job->replay && w->drag != DRAG_HOLD && tide_live_dragging(job->live)->active)
        tide_window_apply(w, &(tide_input) { .kind = TIDE_INPUT_DRAG_END });
    uint64_t before = tide_job_steps(job);
    tide_live_certify(job->live, job->options->certify || job->picture.view.options.crossings);
    tide_status stepped = tide_job_step(job, error);
    bool stopped = !job->compare && tide_live_failure(job->live)->kind == TIDE_FAILURE_STEP;
    if ((job->replay || job->compare) && stepped != TIDE_OK)
        return stepped; // the replay differs from its recording, or panes lack memory
    if (job->replay && tide_replay_is_over(job->replay)) {
        char text[80] = "";
        if (job->options->verify)
            snprintf(text, sizeof text, ": %" PRIu64 " states were the same", tide_replay_checked(job->replay));
        tide_live_pause(job->live, true);
        tide_job_take_over(job);
        tide_window_notice(w, false, "the replay is over", text);
    }
    if (stopped || tide_job_steps(job) == before)
        return TIDE_OK;
    note_warning(w);
    tide_window_tool_stepped(w);
    w->simulated += tide_world_get_settings(tide_live_world(job->live))->timestep;
    if (tide_job_wants_picture(job)) {
        TIDE_TRY(tide_window_draw(w, error));
        w->drawn = true;
    }
    tide_status recorded = tide_job_record(job, error);
    return recorded == TIDE_OK ? TIDE_OK : tide_window_recording_failed(w, error);
}

tide_status tide_window_iterate(tide_window *w, tide_error *error)
{
    tide_live *live = w->job->live;
    tide_error failure;
    char text[1200];
    tide_live_pause(live, true);
    w->dirty = true;
    if (tide_live_failure(live)->kind == TIDE_FAILURE_STEP || tide_job_is_over(w->job))
        return TIDE_OK;
    const tide_iterate *shown = w->iterates ? tide_iterates_shown(w->iterates) : NULL;
    bool whole = !shown && !tide_iterates_can_show(live, text, sizeof text);
    if (whole)
        tide_window_toast(w, text, "");
    if (whole || (shown && shown->index == shown->count))
        return tide_window_step(w, error);
    tide_status status = shown ? tide_iterates_go(w->iterates, shown->index + 1, &failure)
                               : tide_iterates_begin(live, &w->iterates, &failure);
    if (status == TIDE_OK)
        return TIDE_OK;
    tide_window_leave_iterates(w);
    tide_window_toast(w, "", tide_error_text(&failure, text, sizeof text));
    return TIDE_OK;
}
