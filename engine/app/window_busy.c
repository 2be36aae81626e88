// The window while a script runs: it goes on to be shown, tells that the script runs, and can be closed.
#include "app/window_parts.h"

#include "base/account.h"
#include "base/clock.h"
#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double patience = 0.4; // s that a script runs before it is told

// The last picture with a line in front of it. What is underneath comes back.
static void show_notice(tide_window *w, double seconds)
{
    tide_image *image = &w->job->picture.image;
    size_t size = 4 * (size_t)image->width * image->height;
    uint8_t *kept = size ? tide_copy_bytes(image->pixels, size) : NULL;
    char text[400];
    tide_error unread;
    if (!kept)
        return;
    snprintf(text, sizeof text, "%.200s is running: %.0f s. Saving a correction or closing the window stops it.\n",
             tide_live_path(w->job->live), floor(seconds));
    if (tide_overlay_panel(&w->overlay, image, TIDE_PANEL_CENTRE, text, false, &unread) == TIDE_OK)
        tide_screen_show(&w->screen, &w->job->picture, &unread);
    memcpy(image->pixels, kept, size);
    tide_free(kept);
}

bool tide_window_keep_alive(void *context)
{
    tide_window *w = context;
    tide_account_book *script = tide_account_use(NULL); // what this takes is not the script's
    double now = tide_clock_seconds();
    if (now - w->busy_last > 2 * patience) // another call
        w->busy_since = now;
    w->busy_last = now;
    SDL_PumpEvents();
    bool stop = SDL_HasEvent(SDL_QUIT) || tide_job_is_interrupted() || tide_job_files_have_changed(w->job);
    if (!stop && now - w->busy_since > patience)
        show_notice(w, now - w->busy_since);
    tide_account_use(script);
    return stop;
}
