// Panes in the window: opens, follows and closes them.
#include "gui/window_state.h"

#include "base/clock.h"
#include "session/job_compare.h"

#include <stdio.h>

void tide_window_begin_panes(tide_window *w)
{
    w->panels_hidden = tide_panels_are_hidden(w->panels);
    tide_panels_hide(w->panels, true);
    w->pane = 0;
    w->dirty = true;
}

static void compare(tide_window *w)
{
    tide_error error;
    char message[1200];
    if (w->job->replay)
        tide_job_take_over(w->job);
    tide_window_leave_iterates(w);
    if (tide_job_compare(w->job, &error) != TIDE_OK) {
        tide_window_toast(w, "no panes: ", tide_error_text(&error, message, sizeof message));
        return;
    }
    tide_window_begin_panes(w);
}

static void go_on_with_one(tide_window *w)
{
    tide_error error;
    char message[1200], label[240];
    bool paused = tide_window_is_paused(w);
    tide_window_tool_up(w);
    w->drag = DRAG_NONE;
    snprintf(label, sizeof label, "%u  %s", w->pane + 1, w->job->compare->panes[w->pane].label);
    if (tide_job_continue_with(w->job, w->pane, &error) != TIDE_OK) {
        tide_window_toast(w, "it cannot continue alone: ", tide_error_text(&error, message, sizeof message));
        return;
    }
    tide_live_pause(w->job->live, paused);
    tide_panels_hide(w->panels, w->panels_hidden);
    tide_window_toast(w, "continuing with pane ", label);
}

void tide_window_compare(tide_window *w)
{
    if (w->job->compare)
        go_on_with_one(w);
    else
        compare(w);
    w->dirty = true;
}

// Opens other panes if a saved file asks for them.
static void follow_scene(tide_window *w)
{
    tide_error error;
    char message[1200];
    bool changed, had = w->job->compare != NULL;
    tide_status status = tide_job_follow_scene(w->job, &changed, &error);
    if (!changed)
        return;
    if (w->drag != DRAG_SCRUB)
        w->drag = DRAG_NONE;
    if (status != TIDE_OK)
        tide_window_toast(w, "no panes: ", tide_error_text(&error, message, sizeof message));
    if (!had && w->job->compare)
        tide_window_begin_panes(w);
    else if (had && !w->job->compare)
        tide_panels_hide(w->panels, w->panels_hidden);
    w->pane = 0;
    w->dirty = true;
}

tide_status tide_window_look_at_panes(tide_window *w, tide_error *error)
{
    bool changed;
    follow_scene(w);
    tide_compare *c = w->job->compare;
    if (!c)
        return TIDE_OK;
    tide_status status = tide_compare_probe(c, tide_clock_seconds(), &changed, error);
    w->dirty = w->dirty || changed;
    if (c->refused[0])
        tide_window_toast(w, "", c->refused);
    c->refused[0] = '\0';
    return status;
}
