// Videos of the window: one that a key begins and ends, and the last ten seconds, which are always kept. Both show the
// window's pictures, one per step or per several steps, without involving the scene.
#include "gui/window_state.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/memory.h"
#include "draw/replay_buffer.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

enum { REEL_LIMIT = 256 << 20, RATE = 30 }; // bytes; pictures per second at most, since a window has other work too
static const double buffer_seconds = 10, least_slice = 0.012, most_slice = 0.05; // s; time for writing in each loop

struct tide_recording {
    tide_video_recorder *ended; // ffmpeg is still writing it
    bool by_hand;               // a key began the job's video
    bool told_pngs;             // the user knows that the job's video writes PNG files
    // the last ten seconds
    tide_replay_buffer *buffer; // NULL: no memory
    uint64_t steps;             // at the last picture
    double time;                // simulated time of all steps since the window was opened, s
    double kept;                // time of the newest picture in the replay buffer
    // the video that is being saved
    tide_replay_buffer *saved;
    tide_video *clip; // NULL: none
    double from, rate;
    uint64_t given, count; // pictures written; pictures in the replay buffer
    double told, wrote;    // time of the last progress message; end of the last slice of writing
};

tide_status tide_window_video_open(tide_window *w, tide_error *error)
{
    w->recording = tide_allocate_zeroed(1, sizeof *w->recording);
    if (!w->recording)
        return tide_fail_memory(error, "window");
    w->recording->kept = -INFINITY;
    w->recording->steps = tide_job_steps(w->job);
    return tide_replay_buffer_create(buffer_seconds, REEL_LIMIT, &w->recording->buffer, error);
}

// --- telling ---------------------------------------------------------------------------------------------------------

static void tell_failed(tide_window *w, const tide_error *error)
{
    char message[1200];
    tide_window_toast(w, "no video: ", tide_error_text(error, message, sizeof message));
    tide_log(TIDE_LOG_ERROR, "%s", message);
}

// `what`: "saved " and the like.
static void tell_written(tide_window *w, const char *what, const tide_video_facts *facts)
{
    char text[1200];
    if (!facts->pictures)
        snprintf(text, sizeof text, "nothing was recorded: the scene took no step");
    else if (facts->pngs)
        snprintf(text, sizeof text, "%s%.1f s as %s to %s: %s", what, facts->seconds, facts->name, facts->last,
                 tide_video_advice);
    else
        snprintf(text, sizeof text, "%s%.1f s: %s", what, facts->seconds, facts->name);
    tide_window_toast(w, text, "");
    w->toast_until += 3;
}

// --- recording by key ------------------------------------------------------------------------------------------------

// Gives ffmpeg up to `seconds` to finish the ended video.
static void end_recorder(tide_window *w, double seconds)
{
    tide_recording *r = w->recording;
    tide_error error;
    bool done;
    if (!r->ended)
        return;
    tide_status status = tide_video_recorder_finish(r->ended, seconds, &done, &error);
    if (!done)
        return;
    tide_video_facts facts = tide_video_recorder_facts(r->ended);
    if (status == TIDE_OK)
        tell_written(w, "saved ", &facts);
    else
        tell_failed(w, &error);
    tide_video_recorder_free(r->ended);
    r->ended = NULL;
}

void tide_window_record(tide_window *w)
{
    tide_job *job = w->job;
    tide_recording *r = w->recording;
    tide_error error;
    char path[600];
    end_recorder(w, INFINITY);
    if (job->video_recorder) {
        r->ended = job->video_recorder;
        job->video_recorder = NULL;
        return;
    }
    tide_window_free_name(w, ".mp4", "-00001.png", path, sizeof path);
    double timestep = tide_world_get_settings(tide_live_world(job->live))->timestep;
    double rate = job->options->video_rate > 0 ? job->options->video_rate : tide_video_rate(timestep, RATE);
    if (tide_video_recorder_open(path, rate, timestep, &job->video_recorder, &error) != TIDE_OK) {
        tell_failed(w, &error);
        return;
    }
    r->by_hand = true;
    r->told_pngs = false;
    tide_window_toast(w, "V ends the video ", path);
}

tide_status tide_window_recording_failed(tide_window *w, const tide_error *error)
{
    tide_job *job = w->job;
    if (!tide_video_recorder_has_failed(job->video_recorder) || !w->recording->by_hand)
        return error->status;
    tell_failed(w, error);
    tide_video_recorder_free(job->video_recorder);
    job->video_recorder = NULL;
    return TIDE_OK;
}

// Draws a red disc at the top, in the part that the panels leave free.
void tide_window_draw_recording(tide_window *w)
{
    tide_image *image = &w->job->picture.image;
    uint32_t from, to;
    if (!w->job->video_recorder)
        return;
    if (tide_video_recorder_facts(w->job->video_recorder).pngs && !w->recording->told_pngs)
        tide_window_toast(w, tide_video_advice, "");
    w->recording->told_pngs = tide_video_recorder_facts(w->job->video_recorder).pngs;
    tide_panels_free_width(w->panels, &from, &to);
    float radius = 0.4f * w->overlay.text_size, x = (float)(to < image->width ? to : image->width) - 2 * radius,
          y = 2 * radius;
    for (int down = (int)(y - radius); down <= (int)(y + radius) && down < (int)image->height; down++)
        for (int right = (int)(x - radius); right <= (int)(x + radius) && right < (int)image->width; right++) {
            float distance = hypotf((float)right + 0.5f - x, (float)down + 0.5f - y);
            uint8_t *pixel = image->pixels + 4 * ((size_t)image->width * (size_t)down + (size_t)right);
            if (right < 0 || distance > radius)
                continue;
            bool rim = distance > 0.8f * radius; // white, to be visible on any background
            pixel[0] = rim ? 255 : 214;
            pixel[1] = rim ? 255 : 39;
            pixel[2] = rim ? 255 : 40;
        }
}

// --- the last ten seconds --------------------------------------------------------------------------------------------

void tide_window_keep_picture(tide_window *w)
{
    tide_recording *r = w->recording;
    double timestep = tide_world_get_settings(tide_live_world(w->job->live))->timestep;
    uint64_t steps = tide_job_steps(w->job);
    bool new = steps > r->steps; // fewer: another experiment
    r->time += new ? (double)(steps - r->steps) * timestep : 0;
    r->steps = steps;
    if (!r->buffer || !new || r->time < r->kept + (1 - 1e-6) / tide_video_rate(timestep, RATE))
        return;
    size_t others = r->saved ? tide_replay_buffer_get_facts(r->saved).bytes : 0;
    tide_replay_buffer_set_limit(r->buffer, others < REEL_LIMIT ? REEL_LIMIT - others : 0);
    if (tide_replay_buffer_add(r->buffer, &w->job->picture.image, r->time, NULL) == TIDE_OK)
        r->kept = r->time;
}

static void drop_clip(tide_recording *r)
{
    tide_video_free(r->clip);
    tide_replay_buffer_destroy(r->saved);
    r->clip = NULL;
    r->saved = NULL;
}

void tide_window_save_last(tide_window *w)
{
    tide_recording *r = w->recording;
    tide_replay_buffer *fresh;
    tide_error error;
    char path[600];
    if (r->clip) {
        tide_window_toast(w, "the last ten seconds are still being saved", "");
        return;
    }
    tide_replay_buffer_facts facts =
        r->buffer ? tide_replay_buffer_get_facts(r->buffer) : (tide_replay_buffer_facts) { 0 };
    if (!facts.count) {
        tide_window_toast(w, "there is nothing to save: the scene took no step", "");
        return;
    }
    tide_window_free_name(w, ".mp4", "-00001.png", path, sizeof path);
    r->rate = tide_video_rate(tide_world_get_settings(tide_live_world(w->job->live))->timestep, RATE);
    tide_status status = tide_replay_buffer_create(buffer_seconds, REEL_LIMIT, &fresh, &error);
    if (status == TIDE_OK && tide_video_open(path, r->rate, &r->clip, &error) != TIDE_OK) {
        tide_replay_buffer_destroy(fresh);
        status = error.status;
    }
    if (status != TIDE_OK) {
        tell_failed(w, &error);
        return;
    }
    r->saved = r->buffer;
    r->buffer = fresh;
    r->from = fmax(facts.first, facts.last + 1 / r->rate - buffer_seconds);
    r->given = 0;
    r->count = facts.count;
    r->told = 0;
}

// Writes the oldest remaining picture, for the time that it was shown.
static tide_status write_picture(tide_recording *r, tide_error *error)
{
    const tide_image *image;
    double time, until;
    tide_status status = tide_replay_buffer_take(r->saved, &image, &time, error);
    if (status != TIDE_OK || !image)
        return status;
    tide_replay_buffer_facts left = tide_replay_buffer_get_facts(r->saved);
    until = left.count ? left.first : fmax(time, r->from) + 1 / r->rate;
    double times = floor((until - r->from) * r->rate + 1e-6) - (double)r->given;
    if (times < 1)
        return TIDE_OK;
    status = tide_video_add(r->clip, image, (uint32_t)fmin(times, buffer_seconds * RATE), error);
    r->given += (uint64_t)times;
    return status;
}

static void tell_progress(tide_window *w)
{
    tide_recording *r = w->recording;
    char text[96];
    if (tide_clock_seconds() - r->told < 0.25)
        return;
    r->told = tide_clock_seconds();
    snprintf(text, sizeof text, "saving the last %.0f s: %.0f %%", buffer_seconds,
             100 - 100 * (double)tide_replay_buffer_get_facts(r->saved).count / (double)r->count);
    tide_window_toast(w, text, "");
}

static void end_clip(tide_window *w, tide_status status, const tide_error *error)
{
    tide_recording *r = w->recording;
    tide_video_facts facts = tide_video_get_facts(r->clip);
    char what[64] = "saved the last ";
    if (status == TIDE_OK) {
        if (facts.seconds < buffer_seconds - 0.1 && r->time >= buffer_seconds)
            snprintf(what, sizeof what, "saved (all that %d MB hold) the last ", REEL_LIMIT >> 20);
        tell_written(w, what, &facts);
    } else
        tell_failed(w, error);
    drop_clip(r);
}

void tide_window_write_videos(tide_window *w)
{
    tide_recording *r = w->recording;
    // As long as everything else has taken since.
    double start = tide_clock_seconds(), slice = fmin(fmax(start - r->wrote, least_slice), most_slice);
    tide_error error;
    tide_status status = TIDE_OK;
    bool done = false;
    end_recorder(w, 0);
    if (!r->clip)
        return;
    tell_progress(w);
    while (status == TIDE_OK && tide_replay_buffer_get_facts(r->saved).count && tide_clock_seconds() - start < slice)
        status = write_picture(r, &error);
    if (status == TIDE_OK && !tide_replay_buffer_get_facts(r->saved).count)
        status = tide_video_finish(r->clip, 0, &done, &error);
    if (status != TIDE_OK || done)
        end_clip(w, status, &error);
    r->wrote = tide_clock_seconds();
}

// Finishes saving, and shows it.
void tide_window_video_close(tide_window *w)
{
    tide_recording *r = w->recording;
    tide_error error;
    if (!r)
        return;
    while (r->clip) {
        bool shown = r->told != 0;
        double told = r->told;
        tide_window_write_videos(w);
        if (r->clip && (!shown || r->told != told) && tide_window_draw(w, &error) == TIDE_OK)
            tide_screen_show(&w->screen, &w->job->picture, &error);
        SDL_PumpEvents();
    }
    end_recorder(w, INFINITY);
    tide_replay_buffer_destroy(r->buffer);
    tide_free(r);
    w->recording = NULL;
}
