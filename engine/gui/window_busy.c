// The window while a script runs or a matrix is factored: it is still drawn and shows what runs. It can be closed while
// a script runs.
#include "gui/window_state.h"

#include "base/account.h"
#include "base/clock.h"
#include "base/memory.h"
#include "base/task.h"
#include "gui/busy.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static const double same_call = 0.8; // s; calls less than this apart belong to one run of a script

// Returns the job whose script runs: that of the next scene while it is opened, else the window's own.
static tide_job *running_job(const tide_window *w)
{
    return w->job->opening ? w->job->opening : w->job;
}

// Shows the last picture with a line of text over it, without changing the picture.
static void show_notice(tide_window *w, const char *text)
{
    tide_image *image = &w->job->picture.image;
    size_t size = 4 * (size_t)image->width * image->height;
    uint8_t *kept = size ? tide_copy_bytes(image->pixels, size) : NULL;
    tide_error unread;
    if (!kept)
        return;
    if (tide_window_draw_notice(w, TIDE_PANEL_CENTRE, text, false, &unread) == TIDE_OK)
        tide_screen_show(&w->screen, &w->job->picture, &unread);
    memcpy(image->pixels, kept, size);
    tide_free(kept);
}

void tide_window_show_running(tide_window *w)
{
    static const uint8_t ground[4] = { 232, 236, 242, 255 };
    tide_image *image = &w->job->picture.image;
    char text[300];
    tide_error unread;
    w->overlay.text_size = w->text_size;
    if (tide_image_resize(image, w->job->picture.width, w->job->picture.height, &unread) != TIDE_OK)
        return;
    for (size_t i = 0; i < (size_t)image->width * image->height; i++)
        memcpy(image->pixels + 4 * i, ground, sizeof ground);
    tide_screen_show(&w->screen, &w->job->picture, &unread);
    snprintf(text, sizeof text, "%.200s is running.", tide_job_scene(running_job(w)));
    show_notice(w, text);
}

bool tide_window_keep_alive(void *context)
{
    tide_window *w = context;
    tide_job *job = running_job(w);
    char text[400];
    tide_account_book *script = tide_account_use(NULL); // the window's own memory does not count as the script's
    double now = tide_clock_seconds();
    if (now - w->busy_last > same_call)
        w->busy_since = now;
    w->busy_last = now;
    SDL_PumpEvents();
    bool stop = SDL_HasEvent(SDL_QUIT) || tide_job_is_interrupted() || tide_job_files_have_changed(job);
    if (!stop && now - w->task_last > 0.2 && // a task has its own notice
        tide_busy_text(tide_job_scene(job), w->busy_since, job->watch, text, sizeof text))
        show_notice(w, text);
    tide_account_use(script);
    return stop;
}

void tide_window_show_task(void *context, const char *task, double seconds)
{
    tide_window *w = context;
    char text[200];
    w->dirty = true; // the next picture has no notice
    if (!task)
        return;
    tide_account_book *script = tide_account_use(NULL); // the window's own memory does not count as the script's
    snprintf(text, sizeof text, "%s: %.1f s", task, seconds);
    text[0] = (char)toupper((unsigned char)text[0]);
    w->task_last = tide_clock_seconds();
    SDL_PumpEvents();
    show_notice(w, text);
    tide_account_use(script);
}
