// The window while a script runs: it goes on to be shown, tells that the script runs, and can be closed.
#include "app/window_parts.h"

#include "base/account.h"
#include "base/clock.h"
#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double patience = 0.4; // s that a script runs before it is told

// The job whose script runs: one that is to take the place of the window's, or the window's own.
static tide_job *running_job(const tide_window *w)
{
    return w->job->opening ? w->job->opening : w->job;
}

// The last picture with a line in front of it. What is underneath comes back.
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
    tide_account_book *script = tide_account_use(NULL); // what this takes is not the script's
    double now = tide_clock_seconds();
    if (now - w->busy_last > 2 * patience) // another call
        w->busy_since = now;
    w->busy_last = now;
    SDL_PumpEvents();
    bool stop = SDL_HasEvent(SDL_QUIT) || tide_job_is_interrupted() || tide_job_files_have_changed(job);
    if (!stop && now - w->busy_since > patience) {
        snprintf(text, sizeof text, "%.200s is running: %.0f s. %s the window stops it.", tide_job_scene(job),
                 floor(now - w->busy_since), job->watch ? "Saving a correction or closing" : "Closing");
        show_notice(w, text);
    }
    tide_account_use(script);
    return stop;
}
