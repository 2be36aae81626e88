#include "gui/window_state.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/task.h"
#include "gui/first_hint.h"
#include "session/compare_panes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// --- opening and closing ---------------------------------------------------------------------------------------------

static tide_status open_screen(tide_window *w, tide_error *error)
{
    const tide_run_options *options = w->job->options;
    TIDE_TRY(tide_screen_open(&w->screen, &w->job->picture, options->renderer, !options->size.width,
                              tide_job_scene(w->job), error));
    // drivers that claim vertical sync do not always wait
    SDL_DisplayMode mode;
    bool known = SDL_GetWindowDisplayMode(w->screen.window, &mode) == 0 && mode.refresh_rate > 0;
    w->period = 0.9 / (known ? mode.refresh_rate : 60);
    SDL_SetWindowMinimumSize(w->screen.window, 160, 120);
    tide_window_show_title(w);
    TIDE_TRY(tide_overlay_create(&w->overlay, error));
    return tide_panels_create(&w->panels, error);
}

// Prepares the window for a scene that was opened.
static tide_status enter_scene(tide_window *w, tide_error *error)
{
    tide_job *job = w->job;
    tide_window_show_title(w);
    TIDE_TRY(tide_window_video_open(w, error));
    TIDE_TRY(tide_panels_watch(w->panels, job->live, error));
    tide_window_measure(w);
    TIDE_TRY(tide_picture_look_again(&job->picture, tide_live_script(job->live), error));
    return TIDE_OK;
}

tide_status tide_window_open(tide_job *job, tide_error *error)
{
    tide_window *w = tide_allocate_zeroed(1, sizeof *w);
    if (!w)
        return tide_fail_memory(error, "window");
    *w = (tide_window) { .job = job,
                         .dirty = true,
                         .stiffness = 200,
                         .hint_is_over = tide_first_hint_is_done(),
                         .text_scale = job->options->text_scale > 0 ? job->options->text_scale : 1 };
    job->window = w;
    tide_status status = open_screen(w, error);
    if (status != TIDE_OK) {
        tide_window_close(job);
        return status;
    }
    tide_panels_add_warnings(w->panels, job->warnings);
    tide_panels_set_lesson(w->panels, job->options->lesson);
    tide_job_keep_alive(job, tide_window_keep_alive, w);
    tide_task_listen(tide_window_show_task, w);
    tide_window_measure(w);
    if (!job->live)
        tide_window_show_running(w);
    return TIDE_OK;
}

void tide_window_close(tide_job *job)
{
    tide_window *w = job->window;
    tide_job_keep_alive(job, NULL, NULL);
    tide_task_listen(NULL, NULL);
    job->window = NULL;
    if (!w)
        return;
    tide_window_leave_iterates(w);
    tide_window_video_close(w);
    tide_panels_destroy(w->panels);
    tide_image_free(&w->middle);
    tide_overlay_free(&w->overlay);
    tide_screen_close(&w->screen, &w->job->picture);
    tide_free(w);
}

// --- messages --------------------------------------------------------------------------------------------------------

// Shows logged warnings as notices. The solver's warnings have their own line.
static void show_warnings(tide_window *w)
{
    char text[1000];
    if (!tide_panels_take_warnings(w->panels, text, sizeof text) || (w->warning[0] && strstr(text, w->warning)))
        return;
    tide_window_toast(w, "warning: ", text);
    w->toast_until = tide_clock_seconds() + tide_notice_seconds(w->toast, false);
}

// Empties a text whose time is over. Returns whether it did.
static bool expire(char *text, double until)
{
    bool over = text[0] && tide_clock_seconds() > until;
    if (over)
        text[0] = '\0';
    return over;
}

// Runs the scene again when its files have changed.
static void look_at_files(tide_window *w)
{
    if (!tide_job_look_at_files(w->job))
        return;
    tide_window_leave_iterates(w);
    w->dirty = true;
    w->draw_failed = w->draw_failed && tide_live_failure(w->job->live)->kind == TIDE_FAILURE_DRAW;
    const tide_failure *failure = tide_live_failure(w->job->live);
    char message[1200];
    tide_window_end_hint(w);
    if (failure->kind == TIDE_FAILURE_NONE)
        tide_window_notice(w, false, "", tide_live_notice(w->job->live));
    else
        tide_log(TIDE_LOG_ERROR, "%s", tide_error_text(&failure->error, message, sizeof message));
    tide_window_show_title(w);
}

// --- steps -----------------------------------------------------------------------------------------------------------

// Catches up with the clock, for at most 30 ms: a scene that is too slow runs slower than real time.
static tide_status advance(tide_window *w, tide_error *error)
{
    double now = tide_clock_seconds();
    double h = tide_world_get_settings(tide_live_world(w->job->live))->timestep;
    w->owed = tide_window_is_paused(w) ? 0 : w->owed + fmin(now - w->last, 0.25);
    w->last = now;
    tide_status status = TIDE_OK;
    for (uint32_t steps = 0; status == TIDE_OK && w->owed >= h && !tide_job_is_over(w->job); steps++) {
        if (steps && (tide_clock_seconds() - now > 0.03 || tide_job_wants_picture(w->job)))
            break;
        status = tide_window_step(w, error);
        w->owed = tide_window_is_paused(w) ? 0 : w->owed - h;
    }
    w->owed = fmin(w->owed, h);
    return status;
}

static void count_pictures(tide_window *w)
{
    double now = tide_clock_seconds(), elapsed = now - w->shown_since;
    if (elapsed < 0.5)
        return;
    w->frames_per_second = w->shown / elapsed;
    w->real_time_rate = w->simulated / elapsed;
    w->shown = 0;
    w->simulated = 0;
    w->shown_since = now;
}

// --- the loop --------------------------------------------------------------------------------------------------------

static tide_status show(tide_window *w, tide_error *error)
{
    w->dirty = false;
    w->presented = tide_clock_seconds();
    tide_status status = w->drawn ? TIDE_OK : tide_window_draw(w, error);
    if (status == TIDE_OK) {
        tide_window_keep_picture(w);
        tide_window_draw_recording(w);
        status = tide_screen_show(&w->screen, &w->job->picture, error);
    }
    w->shown++;
    return status;
}

// Returns whether the run has caught up with the clock. Then every frame of the display gets a picture: those between
// two steps are equal and cheap. Panes would be drawn again, so they wait for a step.
static bool is_in_time(tide_window *w)
{
    tide_live *live = w->job->live;
    return !w->job->compare && !tide_window_is_paused(w) && tide_live_failure(live)->kind == TIDE_FAILURE_NONE &&
           w->owed < tide_world_get_settings(tide_live_world(live))->timestep;
}

static tide_lesson *job_lesson(const tide_window *w)
{
    return w->job->options->lesson;
}

static tide_status turn(tide_window *w, tide_error *error)
{
    SDL_Event event;
    tide_status status = TIDE_OK;
    w->busy_last = 0; // later calls of the script are new ones, however soon they come
    while (status == TIDE_OK && !w->closing && SDL_PollEvent(&event))
        status = tide_window_handle(w, &event, error);
    if (status == TIDE_OK && !w->closing) {
        status = tide_window_do_as_asked(w, error);
        tide_window_write_videos(w);
        look_at_files(w);
        if (job_lesson(w) && tide_lesson_poll(job_lesson(w)))
            w->dirty = true;
        if (status == TIDE_OK)
            status = tide_window_look_at_panes(w, error);
        w->drawn = false; // the picture does not show the changes above
        if (status == TIDE_OK)
            status = advance(w, error);
    }
    if (status != TIDE_OK)
        return status;
    show_warnings(w);
    w->dirty = expire(w->toast, w->toast_until) || w->dirty;
    w->dirty = (!tide_live_is_paused(w->job->live) && expire(w->warning, w->warning_until)) || w->dirty;
    count_pictures(w);
    w->dirty = w->dirty || tide_panels_are_unsettled(w->panels) || is_in_time(w);
    if (!w->dirty || tide_clock_seconds() - w->presented < w->period) {
        SDL_Delay(w->dirty ? 1 : 3);
        return TIDE_OK;
    }
    return show(w, error);
}

// Returns whether a run of given length ends now, since nobody is there to mend its failure.
static bool is_to_end(const tide_window *w)
{
    if (w->job->compare)
        return w->job->options->frames_given && tide_compare_is_over(w->job->compare);
    return w->job->options->frames_given && tide_live_failure(w->job->live)->kind != TIDE_FAILURE_NONE;
}

// Shows what has changed since the last picture, before the window closes. A panel that opens is measured in the first
// picture and shown in the second.
enum { TO_SETTLE = 2 };
static tide_status show_last(tide_window *w, tide_error *error)
{
    for (int pictures = 0; pictures < TO_SETTLE; pictures++) {
        w->drawn = false;
        TIDE_TRY(show(w, error));
    }
    return TIDE_OK;
}

tide_status tide_window_run(tide_job *job, tide_error *error)
{
    TIDE_TRY(job->window ? TIDE_OK : tide_window_open(job, error));
    tide_window *w = job->window;
    tide_status status = enter_scene(w, error);
    if (status == TIDE_OK && job->compare)
        tide_window_begin_panes(w);
    if (status == TIDE_OK)
        status = show(w, error);
    w->last = w->shown_since = tide_clock_seconds();
    if (!job->options->frames_given)
        tide_window_toast(w, "F1 shows the keys", "");
    while (status == TIDE_OK && !w->closing && !tide_job_is_interrupted() && !tide_job_is_over(job) && !is_to_end(w))
        status = turn(w, error);
    if (status == TIDE_OK && w->dirty && job->options->png && !tide_pattern_is_numbered(job->options->png))
        status = show_last(w, error);
    const tide_failure *failure = tide_live_failure(job->live);
    bool others_go_on = job->compare && !tide_compare_is_over(job->compare);
    if (status == TIDE_OK && failure->kind != TIDE_FAILURE_NONE && !others_go_on) {
        *error = failure->error;
        status = error->status;
    }
    tide_window_close(job);
    return status;
}
