// Single solver iterations: shows the iterates of the next step, in the picture and in the line at the bottom.
#include "gui/window_state.h"

void tide_window_leave_iterates(tide_window *w)
{
    if (!w->iterates)
        return;
    tide_iterates_end(w->iterates);
    w->iterates = NULL;
    w->dirty = true;
}

// The first key press shows x_0, each further one the next iterate; after the last one the step is taken.
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

const char *tide_window_iterate_text(const tide_window *w)
{
    return w->iterates ? tide_iterates_shown(w->iterates)->text : NULL;
}

// Draws the iterate without the scene's own drawing, which would show the current world.
tide_status tide_window_draw_iterate(tide_window *w, tide_error *error)
{
    const tide_iterate *shown = tide_iterates_shown(w->iterates);
    tide_picture *picture = &w->job->picture;
    tide_view_settings view = picture->view;
    picture->world = shown->world;
    picture->view.options.directions = true;
    picture->view.options.residual = shown->residual;
    tide_status status = tide_job_draw(w->job, false, error);
    picture->world = NULL;
    picture->view = view;
    return status;
}
