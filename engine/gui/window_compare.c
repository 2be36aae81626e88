// Panes in the window: the key C, the pane under the mouse, and the common clock.
#include "gui/window_state.h"

#include "base/clock.h"
#include "session/job_compare.h"

#include <stdio.h>

static uint32_t pane_height(const tide_window *w)
{
    uint32_t height = w->job->picture.height, bottom = w->job->compare->bottom;
    return height > bottom ? height - bottom : 1;
}

// --- the clock -------------------------------------------------------------------------------------------------------

static bool has_stopped(const tide_window *w)
{
    return tide_live_failure(w->job->live)->kind == TIDE_FAILURE_STEP;
}

bool tide_window_is_paused(tide_window *w)
{
    if (!w->job->compare || !has_stopped(w)) // otherwise the other panes continue
        w->panes_paused = tide_live_is_paused(w->job->live);
    return w->panes_paused;
}

static void pause_panes(tide_window *w, bool paused)
{
    tide_live_pause(w->job->live, paused);
    w->panes_paused = paused;
}

// --- beginning and ending --------------------------------------------------------------------------------------------

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
        tide_window_toast(w, "it does not go on alone: ", tide_error_text(&error, message, sizeof message));
        return;
    }
    tide_live_pause(w->job->live, paused);
    tide_panels_hide(w->panels, w->panels_hidden);
    tide_window_toast(w, "going on with pane ", label);
}

void tide_window_compare(tide_window *w)
{
    if (w->job->compare)
        go_on_with_one(w);
    else
        compare(w);
    w->dirty = true;
}

// --- pictures --------------------------------------------------------------------------------------------------------

static void mark(void *context, uint32_t pane)
{
    (void)pane;
    tide_window_draw_marks(context);
}

// Draws a frame around the chosen pane.
static void draw_frame(tide_window *w)
{
    static const uint8_t colour[3] = { 240, 160, 30 };
    tide_image *image = &w->job->picture.image;
    tide_pane_place p = tide_compare_place(w->job->compare, w->pane, image->width, image->height);
    for (uint32_t y = p.top; y < p.top + p.height && y < image->height; y++)
        for (uint32_t x = p.left; x < p.left + p.width && x < image->width; x++)
            if (y < p.top + 2 || y + 2 >= p.top + p.height || x < p.left + 2 || x + 2 >= p.left + p.width)
                for (int c = 0; c < 3; c++)
                    image->pixels[4 * ((size_t)image->width * y + x) + (size_t)c] = colour[c];
}

void tide_window_make_room(tide_window *w)
{
    if (!w->job->compare)
        return;
    w->overlay.text_size = w->text_size * tide_panels_enlargement(w->panels);
    uint32_t from, to, width = w->job->picture.width;
    tide_panels_lay_out(w->panels, width, w->job->picture.height, w->text_size);
    tide_panels_free_width(w->panels, &from, &to);
    w->job->compare->left = from;
    w->job->compare->top = tide_panels_top(w->panels);
    w->job->compare->right = to < width ? width - to : 0;
    w->job->compare->bottom =
        tide_window_strip_height(w) + tide_overlay_height(&w->overlay, &w->job->picture.image, TIDE_PANEL_BOTTOM, "t");
}

bool tide_window_pane_tells(const tide_window *w)
{
    return w->job->compare && has_stopped(w);
}

tide_status tide_window_draw_panes(tide_window *w, tide_error *error)
{
    tide_status status = tide_job_draw_panes(w->job, true, mark, w, error);
    if (status == TIDE_OK)
        draw_frame(w);
    return status;
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

// --- keys and mouse --------------------------------------------------------------------------------------------------

static bool is_newest(const tide_window *w)
{
    tide_history_span span = tide_live_history(w->job->live);
    return !span.count || has_stopped(w) || tide_live_frame(w->job->live) >= span.last;
}

// Handles keys that differ with panes. Returns whether it was one.
static bool pane_key(tide_window *w, const SDL_KeyboardEvent *event, tide_status *status, tide_error *error)
{
    SDL_Keycode key = event->keysym.sym;
    *status = TIDE_OK;
    if (key == SDLK_PERIOD || (key == SDLK_RIGHT && is_newest(w))) {
        pause_panes(w, true);
        if (!tide_job_is_over(w->job))
            *status = tide_window_step(w, error);
    } else if (key == SDLK_SPACE && !event->repeat)
        pause_panes(w, !tide_window_is_paused(w));
    else if (key == SDLK_COMMA)
        tide_window_toast(w, "iterations are shown of one experiment: C goes on with one", "");
    else if (key == SDLK_BACKSPACE)
        for (uint32_t i = 0; i < w->job->compare->count; i++)
            tide_live_clear_failure(w->job->compare->panes[i].live);
    else
        return false;
    w->dirty = true;
    return true;
}

// Converts the mouse's position to the pane that it is in, or was in when the button was pressed.
static bool find_pane(tide_window *w, Sint32 *x, Sint32 *y, bool down)
{
    const tide_picture *picture = &w->job->picture;
    uint32_t height = pane_height(w);
    double px = w->scale * *x, py = w->scale * *y;
    if (w->drag == DRAG_SCRUB || (down && py >= height))
        return false; // in the strip of frames
    if (down && w->drag == DRAG_NONE)
        w->pane = tide_compare_pane_at(w->job->compare, px, py, picture->width, picture->height);
    tide_pane_place place = tide_compare_place(w->job->compare, w->pane, picture->width, picture->height);
    *x = (Sint32)((px - place.left) / w->scale);
    *y = (Sint32)((py - place.top) / w->scale);
    return true;
}

// Returns whether an event belongs to a pane. Turning the common camera does not.
static bool is_in_pane(tide_window *w, SDL_Event *event)
{
    bool turns = w->drag == DRAG_ORBIT || w->drag == DRAG_PAN;
    if (event->type == SDL_MOUSEMOTION)
        return find_pane(w, &event->motion.x, &event->motion.y, false) && !turns;
    if (event->type == SDL_MOUSEBUTTONDOWN || event->type == SDL_MOUSEBUTTONUP)
        return find_pane(w, &event->button.x, &event->button.y, event->type == SDL_MOUSEBUTTONDOWN);
    return false;
}

tide_status tide_window_handle_panes(tide_window *w, const SDL_Event *event, tide_error *error)
{
    SDL_Event moved = *event;
    tide_status status;
    if (event->type == SDL_KEYDOWN && pane_key(w, &event->key, &status, error))
        return status;
    if (!is_in_pane(w, &moved))
        return tide_window_handle_event(w, &moved, error);
    const tide_pane_focus focus = tide_pane_enter(w->job, w->pane);
    w->in_pane = true;
    status = tide_window_handle_event(w, &moved, error);
    w->in_pane = false;
    tide_pane_leave(w->job, &focus);
    w->dirty = true;
    return status;
}
