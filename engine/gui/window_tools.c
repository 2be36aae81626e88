// The mouse tools in the window: drag, pin, cut and push.
#include "gui/window_state.h"

#include "session/job_compare.h"
#include "session/live_pick.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double reach = 9; // points

static tide_pick_view pick_view_of(const tide_window *w)
{
    tide_picture *picture = &w->job->picture;
    return (tide_pick_view) { tide_picture_see(picture), picture->width, picture->height };
}

const char *tide_window_tool_text(const tide_window *w)
{
    static const char *const texts[TIDE_TOOL_COUNT] = { "look", "drag", "pin", "cut", "push" };
    return texts[w->tool];
}

static bool pick(const tide_window *w, int x, int y, tide_pick *found, tide_body_info *body)
{
    tide_world *world = tide_live_world(w->job->live);
    tide_pick_view view = pick_view_of(w);
    return tide_pick_body(world, &view, w->scale * x, w->scale * y, w->scale * reach, found) &&
           tide_world_body_info(world, found->body, body);
}

bool tide_window_pin(tide_window *w, int x, int y)
{
    tide_pick found;
    tide_body_info body;
    if (!pick(w, x, y, &found, &body))
        return false;
    bool pinned = tide_world_is_pinned(tide_live_world(w->job->live), found.body, found.vertex);
    tide_input pin = { .kind = pinned ? TIDE_INPUT_UNPIN : TIDE_INPUT_PIN, .name = body.name, .vertex = found.vertex };
    tide_input back = pin;
    back.kind = pinned ? TIDE_INPUT_PIN : TIDE_INPUT_UNPIN;
    tide_panels_remember(w->panels, &back, &pin);
    tide_window_apply(w, &pin);
    return true;
}

// Begins a drag. Shift takes an edge, Ctrl the whole body.
static bool take_hold(tide_window *w, int x, int y)
{
    tide_pick found;
    tide_body_info body;
    if (!pick(w, x, y, &found, &body))
        return false;
    tide_input input =
        tide_pick_drag(&found, body.name, SDL_GetModState() & KMOD_CTRL, SDL_GetModState() & KMOD_SHIFT, w->stiffness);
    memcpy(w->hold, found.point, sizeof w->hold);
    tide_panels_remember_world(w->panels);
    if (tide_window_apply(w, &input))
        w->drag = DRAG_HOLD;
    return true;
}

static bool take_collider(tide_window *w, int x, int y)
{
    tide_pick found;
    tide_world *world = tide_live_world(w->job->live);
    tide_pick_view view = pick_view_of(w);
    if (!tide_pick_collider(world, &view, w->scale * x, w->scale * y, &found))
        return false;
    snprintf(w->pushed, sizeof w->pushed, "%s", tide_world_collider(world, found.collider)->name);
    memcpy(w->hold, found.point, sizeof w->hold);
    w->drag = DRAG_PUSH;
    w->has_pushed = false;
    return true;
}

// --- marks on the picture --------------------------------------------------------------------------------------------

static void dot(tide_image *image, double x, double y, double radius, const uint8_t colour[3])
{
    for (double dy = -radius; dy <= radius; dy++)
        for (double dx = -radius; dx <= radius; dx++) {
            double px = x + dx, py = y + dy;
            if (dx * dx + dy * dy > radius * radius || !(px >= 0 && px < image->width && py >= 0 && py < image->height))
                continue;
            memcpy(image->pixels + 4 * ((size_t)image->width * (size_t)py + (size_t)px), colour, 3);
        }
}

static void ring(tide_image *image, const double at[2], double radius, double width, const uint8_t colour[3])
{
    for (int i = 0; i < 120; i++)
        dot(image, at[0] + radius * cos(i * 0.05236), at[1] + radius * sin(i * 0.05236), width, colour);
}

static void line(tide_image *image, const double from[2], const double to[2], double width, const uint8_t colour[3])
{
    double length = fmin(hypot(to[0] - from[0], to[1] - from[1]), 4096);
    for (double s = 0; s <= length; s++)
        dot(image, from[0] + (to[0] - from[0]) * s / fmax(length, 1), from[1] + (to[1] - from[1]) * s / fmax(length, 1),
            width, colour);
}

// Draws brackets at the corners of the selected body's visible extent.
static void draw_selection(const tide_window *w, const tide_pick_view *view)
{
    static const uint8_t colour[3] = { 240, 170, 40 };
    tide_world *world = tide_live_world(w->job->live);
    tide_body_id id = tide_world_find_body(world, tide_panels_selected(w->panels));
    tide_body_info body;
    double at[2], low[2] = { INFINITY, INFINITY }, high[2] = { -INFINITY, -INFINITY };
    if (!tide_world_body_info(world, id, &body))
        return;
    const double *x = tide_world_positions(world, id);
    for (uint32_t v = 0; v < body.vertex_count; v++)
        for (int k = 0; k < 2 && tide_pick_project(view, x + 3 * (size_t)v, at); k++) {
            low[k] = fmin(low[k], at[k]);
            high[k] = fmax(high[k], at[k]);
        }
    if (!(low[0] <= high[0]))
        return;
    double gap = 6 * w->scale, arm = 12 * w->scale;
    for (int corner = 0; corner < 4; corner++) {
        double right = corner & 1 ? 1 : -1, down = corner & 2 ? 1 : -1;
        const double tip[2] = { (corner & 1 ? high[0] : low[0]) + right * gap,
                                (corner & 2 ? high[1] : low[1]) + down * gap };
        line(&w->job->picture.image, tip, (const double[]) { tip[0] - right * arm, tip[1] }, w->scale, colour);
        line(&w->job->picture.image, tip, (const double[]) { tip[0], tip[1] - down * arm }, w->scale, colour);
    }
}

// Selects the clicked body; a click elsewhere selects none.
void tide_window_select(tide_window *w, int x, int y)
{
    tide_pick found;
    tide_body_info body;
    tide_panels_select(w->panels, pick(w, x, y, &found, &body) ? body.name : "");
}

void tide_window_draw_marks(tide_window *w)
{
    static const uint8_t red[3] = { 220, 30, 30 }, orange[3] = { 250, 150, 20 };
    tide_image *image = &w->job->picture.image;
    tide_world *world = tide_live_world(w->job->live);
    tide_pick_view view = pick_view_of(w);
    const tide_failure *failure = tide_live_failure(w->job->live);
    const tide_live_drag *drag = tide_live_dragging(w->job->live);
    const double *failed = failure->has_vertex ? tide_world_positions(world, failure->body) : NULL;
    const double *held = drag->active ? tide_world_positions(world, drag->body) : NULL;
    double at[2], hand[2];
    draw_selection(w, &view);
    if (failed && failure->has_other && tide_pick_project(&view, failed + 3 * (size_t)failure->vertex, at) &&
        tide_pick_project(&view, failed + 3 * (size_t)failure->other, hand)) {
        line(image, at, hand, 2 * w->scale, red);
        dot(image, hand[0], hand[1], 3 * w->scale, red);
    }
    if (failed && tide_pick_project(&view, failed + 3 * (size_t)failure->vertex, at)) {
        ring(image, at, 10 * w->scale, 1.5 * w->scale, red);
        dot(image, at[0], at[1], 3 * w->scale, red);
    }
    if (held && tide_pick_project(&view, held + 3 * (size_t)drag->vertex, at) &&
        tide_pick_project(&view, drag->point, hand)) {
        line(image, at, hand, 1 * w->scale, orange);
        dot(image, at[0], at[1], 4 * w->scale, orange);
        ring(image, hand, 5 * w->scale, 1 * w->scale, orange);
    }
}

// --- cutting ---------------------------------------------------------------------------------------------------------

static void apply_cut(void *window, const tide_input *input)
{
    tide_window_apply(window, input);
}

static void remember(void *window)
{
    tide_panels_remember_world(((tide_window *)window)->panels);
}

static void cut(tide_window *w, const double to[2])
{
    const tide_knife_host host = { apply_cut, remember, w };
    const tide_pick_view view = pick_view_of(w);
    tide_knife_cut(&w->knife, w->job->live, &view, to, &host);
}

static void begin_stroke(tide_window *w, int x, int y)
{
    const tide_pick_view view = pick_view_of(w);
    const double at[2] = { w->scale * x, w->scale * y };
    tide_knife_begin(&w->knife, tide_live_world(w->job->live), &view, at);
}

void tide_window_tool_stepped(tide_window *w)
{
    if (w->drag != DRAG_CUT)
        return;
    const double here[2] = { w->knife.at[0], w->knife.at[1] };
    if (!w->job->compare) {
        cut(w, here);
        return;
    }
    const tide_pane_focus focus = tide_pane_enter(w->job, w->pane);
    w->in_pane = true;
    cut(w, here);
    w->in_pane = false;
    tide_pane_leave(w->job, &focus);
}

// --- the button ------------------------------------------------------------------------------------------------------

bool tide_window_tool_down(tide_window *w, int x, int y)
{
    switch (w->tool) {
    case TIDE_TOOL_DRAG:
        return take_hold(w, x, y);
    case TIDE_TOOL_PUSH:
        return take_collider(w, x, y);
    case TIDE_TOOL_CUT:
        w->drag = DRAG_CUT;
        begin_stroke(w, x, y);
        return true;
    default: // a pin is set when the button is released
        return false;
    }
}

void tide_window_tool_moved(tide_window *w, int x, int y)
{
    double to[3];
    tide_pick_view view = pick_view_of(w);
    if (w->drag == DRAG_CUT) {
        cut(w, (const double[]) { w->scale * x, w->scale * y });
        return;
    }
    if (!tide_pick_on_plane(&view, w->scale * x, w->scale * y, w->hold, to))
        return;
    if (w->drag == DRAG_HOLD && tide_live_dragging(w->job->live)->active)
        tide_window_apply(w, &(tide_input) { .kind = TIDE_INPUT_DRAG_MOVE, .point = { to[0], to[1], to[2] } });
    if (w->drag == DRAG_PUSH) {
        if (!w->has_pushed)
            tide_panels_remember_world(w->panels);
        w->has_pushed = true;
        tide_window_apply(w, &(tide_input) { .kind = TIDE_INPUT_MOVE_COLLIDER,
                                             .name = w->pushed,
                                             .point = { to[0] - w->hold[0], to[1] - w->hold[1], to[2] - w->hold[2] } });
    }
    memcpy(w->hold, to, sizeof w->hold);
}

void tide_window_tool_up(tide_window *w)
{
    if (w->drag == DRAG_HOLD && w->moved)
        tide_window_end_hint(w);
    if (w->drag == DRAG_HOLD && tide_live_dragging(w->job->live)->active)
        tide_window_apply(w, &(tide_input) { .kind = TIDE_INPUT_DRAG_END });
}
