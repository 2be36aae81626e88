// Shows the iterates of the next step, in the picture and in the line at the bottom.
#include "gui/window_state.h"

void tide_window_leave_iterates(tide_window *w)
{
    if (!w->iterates)
        return;
    tide_iterates_end(w->iterates);
    w->iterates = NULL;
    w->dirty = true;
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
