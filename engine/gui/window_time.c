// The strip of frames at the bottom of the window: the extent of the history, the current frame, and a mark for every
// second. The mouse moves through the history on it.
#include "gui/window_state.h"

#include <math.h>

typedef struct colour {
    uint8_t r, g, b;
} colour;
static const colour ground = { 28, 30, 36 }, before = { 86, 140, 190 }, after = { 70, 72, 80 }, second = { 15, 16, 20 },
                    cursor = { 255, 255, 255 };

uint32_t tide_window_strip_height(const tide_window *w)
{
    bool wanted = tide_live_history(w->job->live).count > 1 && w->job->picture.height > 8 * w->overlay.text_size;
    return wanted ? (uint32_t)(0.7f * w->overlay.text_size) : 0;
}

static void fill(tide_image *image, double from, double to, uint32_t top, colour c)
{
    uint32_t left = (uint32_t)fmin(fmax(from, 0), image->width), right = (uint32_t)fmin(fmax(to, 0), image->width);
    for (uint32_t y = top; y < image->height; y++)
        for (uint32_t x = left; x < right; x++) {
            uint8_t *pixel = image->pixels + 4 * ((size_t)image->width * y + x);
            pixel[0] = c.r;
            pixel[1] = c.g;
            pixel[2] = c.b;
        }
}

// Returns a frame's position on the strip, pixels.
static double place(const tide_window *w, const tide_history_span *span, uint64_t frame)
{
    double at = span->last > span->first ? (double)(frame - span->first) / (double)(span->last - span->first) : 1;
    return at * w->job->picture.width;
}

static void mark_seconds(tide_window *w, const tide_history_span *span, uint32_t top)
{
    double start = tide_live_time_of(w->job->live, span->first), end = tide_live_time_of(w->job->live, span->last);
    double every = fmax(1, exp2(ceil(log2(8 * (end - start) / w->job->picture.width))));
    double last = start;
    for (uint64_t frame = span->first + 1; frame <= span->last; frame++) {
        double time = tide_live_time_of(w->job->live, frame);
        if (floor(time / every + 1e-9) > floor(last / every + 1e-9))
            fill(&w->job->picture.image, place(w, span, frame) - w->scale, place(w, span, frame), top, second);
        last = time;
    }
}

void tide_window_draw_strip(tide_window *w)
{
    tide_image *image = &w->job->picture.image;
    tide_history_span span = tide_live_history(w->job->live);
    uint32_t height = tide_window_strip_height(w);
    if (!height)
        return;
    uint32_t top = image->height - height;
    uint64_t frame = tide_live_frame(w->job->live);
    bool within = frame >= span.first && frame <= span.last;
    double here = within ? place(w, &span, frame) : 0;
    fill(image, 0, image->width, top, ground);
    fill(image, 0, here, top + 1, before);
    fill(image, here, image->width, top + 1, within ? after : ground);
    mark_seconds(w, &span, top + 1);
    fill(image, fmin(here, image->width - 2 * w->scale) - w->scale,
         fmin(here, image->width - 2 * w->scale) + 2 * w->scale, top, cursor);
}

static void rewind_to(tide_window *w, uint64_t frame)
{
    bool other = tide_live_is_of_another_run(w->job->live, frame);
    if (tide_window_apply(w, &(tide_input) { .kind = TIDE_INPUT_REWIND, .frame = frame }) && other)
        tide_window_toast(w, "the script is run as it was at this frame", "");
}

bool tide_window_scrub(tide_window *w, int x, int y, bool down)
{
    tide_history_span span = tide_live_history(w->job->live);
    uint32_t height = tide_window_strip_height(w);
    if (!height || (down && w->scale * y < w->job->picture.height - height))
        return false;
    tide_live_pause(w->job->live, true);
    double at = fmin(fmax(w->scale * x / w->job->picture.width, 0), 1);
    uint64_t frame = span.first + (uint64_t)llround(at * (double)(span.last - span.first));
    if (frame != tide_live_frame(w->job->live))
        rewind_to(w, frame);
    w->dirty = true;
    return true;
}

void tide_window_go_to(tide_window *w, int64_t by)
{
    tide_history_span span = tide_live_history(w->job->live);
    uint64_t now = tide_live_frame(w->job->live);
    tide_live_pause(w->job->live, true);
    if (!span.count || (by < 0 ? now <= span.first : now >= span.last))
        return;
    bool back = by < 0;
    uint64_t most = back ? now - span.first : span.last - now, wanted = back ? 0 - (uint64_t)by : (uint64_t)by;
    uint64_t far = wanted < most ? wanted : most;
    rewind_to(w, back ? now - far : now + far);
}
