// Inputs and messages: what every file of the window uses.
#include "gui/window_state.h"

#include "base/clock.h"
#include "base/log.h"
#include "gui/first_hint.h"
#include "gui/panel_console.h"

#include <stdio.h>

static const double text_points = 15;

void tide_window_show_title(tide_window *w)
{
    char title[512];
    const tide_live *live = w->job->live;
    const char *name = live ? tide_script_title(tide_live_script(w->job->live)) : NULL;
    snprintf(title, sizeof title, "%s - Springtide", name && name[0] ? name : tide_job_scene(w->job));
    SDL_SetWindowTitle(w->screen.window, title);
}

// Text keeps its size: a larger window shows more.
void tide_window_measure(tide_window *w)
{
    int width, height, points_wide, points_high;
    if (!tide_screen_size(&w->screen, &width, &height))
        return;
    SDL_GetWindowSize(w->screen.window, &points_wide, &points_high);
    w->scale = points_wide > 0 ? (double)width / points_wide : 1;
    w->job->picture.width = (uint32_t)width;
    w->job->picture.height = (uint32_t)height;
    w->text_size = (float)(w->scale * text_points * w->text_scale);
    w->dirty = true;
}

void tide_window_toast(tide_window *w, const char *what, const char *detail)
{
    snprintf(w->toast, sizeof w->toast, "%s%s", what, detail);
    w->toast_until = tide_clock_seconds() + 2;
    w->dirty = true;
}

void tide_window_notice(tide_window *w, bool failed, const char *what, const char *detail)
{
    if (!what[0] && !detail[0])
        return;
    tide_window_toast(w, what, detail);
    w->toast_until = tide_clock_seconds() + tide_notice_seconds(w->toast, failed);
    tide_log(failed ? TIDE_LOG_ERROR : TIDE_LOG_INFO, "%s", w->toast);
}

void tide_window_end_hint(tide_window *w)
{
    if (!w->hint_is_over)
        tide_first_hint_end();
    w->hint_is_over = true;
}

bool tide_window_is_paused(tide_window *w)
{
    if (!w->job->compare ||
        tide_live_failure(w->job->live)->kind != TIDE_FAILURE_STEP) // otherwise the other panes continue
        w->panes_paused = tide_live_is_paused(w->job->live);
    return w->panes_paused;
}

bool tide_window_apply(tide_window *w, const tide_input *input)
{
    tide_error error;
    char message[1200];
    tide_live *live = w->job->live;
    tide_window_leave_iterates(w);
    if (w->job->replay)
        tide_window_notice(w, false, "the replay was left", "");
    tide_job_take_over(w->job);
    bool done = tide_live_apply(live, input, &error) == TIDE_OK;
    w->dirty = true;
    if (input->kind == TIDE_INPUT_RELOAD || input->kind == TIDE_INPUT_PARAM)
        tide_job_watch_files(w->job);
    if (done) {
        tide_window_show_title(w);
        w->draw_failed = w->draw_failed && tide_live_failure(live)->kind == TIDE_FAILURE_DRAW;
        w->warning[0] = '\0';
        if (input->kind == TIDE_INPUT_RELOAD)
            tide_window_notice(w, false, "", tide_live_notice(live));
    } else if (input->kind == TIDE_INPUT_CONSOLE)
        tide_panels_console_failed(w->panels, &error);
    else if (tide_live_failure(live)->kind == TIDE_FAILURE_NONE)
        tide_window_notice(w, true, "", tide_error_text(&error, message, sizeof message));
    else // otherwise it stays as long as its cause
        tide_log(TIDE_LOG_ERROR, "%s", tide_error_text(&error, message, sizeof message));
    return done;
}
