// The mouse, fingers and keys on the picture: the same tools as in the window.
#include "app/web_state.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *const tide_web_tools[] = { "look", "drag", "pin", "cut", "push", NULL };

static const double reach = 9, still = 4; // CSS pixels: to a vertex; that a click may move

static tide_pick_view view_of(tide_job *job)
{
    return (tide_pick_view) { tide_picture_see(&job->picture), job->picture.width, job->picture.height };
}

static bool pick(tide_job *job, const double at[2], tide_pick *found, tide_body_info *body)
{
    tide_world *world = tide_live_world(job->live);
    const tide_pick_view view = view_of(job);
    return tide_pick_body(world, &view, at[0], at[1], reach * tide_web_page.ratio, found) &&
           tide_world_body_info(world, found->body, body);
}

// --- tools -----------------------------------------------------------------------------------------------------------

static bool take_hold(tide_job *job, const double at[2])
{
    tide_web *w = &tide_web_page;
    tide_pick found;
    tide_body_info body;
    if (!pick(job, at, &found, &body))
        return false;
    tide_input input =
        tide_pick_drag(&found, body.name, w->modifiers & TIDE_WEB_CTRL, w->modifiers & TIDE_WEB_SHIFT, w->stiffness);
    memcpy(w->hold, found.point, sizeof w->hold);
    if (tide_web_apply(job->live, &input))
        w->drag = TIDE_WEB_HOLD;
    return true;
}

static bool take_collider(tide_job *job, const double at[2])
{
    tide_web *w = &tide_web_page;
    tide_pick found;
    tide_world *world = tide_live_world(job->live);
    const tide_pick_view view = view_of(job);
    if (!tide_pick_collider(world, &view, at[0], at[1], &found))
        return false;
    snprintf(w->pushed, sizeof w->pushed, "%s", tide_world_collider(world, found.collider)->name);
    memcpy(w->hold, found.point, sizeof w->hold);
    w->drag = TIDE_WEB_SHOVE;
    return true;
}

static bool pin(tide_job *job, const double at[2])
{
    tide_pick found;
    tide_body_info body;
    if (!pick(job, at, &found, &body))
        return false;
    bool pinned = tide_world_is_pinned(tide_live_world(job->live), found.body, found.vertex);
    return tide_web_apply(job->live, &(tide_input) { .kind = pinned ? TIDE_INPUT_UNPIN : TIDE_INPUT_PIN,
                                                     .name = body.name,
                                                     .vertex = found.vertex });
}

static void apply_cut(void *job, const tide_input *input)
{
    tide_web_apply(((tide_job *)job)->live, input);
}

static void cut(tide_job *job, const double to[2])
{
    const tide_knife_host host = { apply_cut, NULL, job };
    const tide_pick_view view = view_of(job);
    tide_knife_cut(&tide_web_page.knife, job->live, &view, to, &host);
}

void tide_web_tool_stepped(void)
{
    tide_web *w = &tide_web_page;
    const double here[2] = { w->knife.at[0], w->knife.at[1] };
    if (w->drag == TIDE_WEB_STROKE && !tide_web_job()->compare)
        cut(tide_web_job(), here);
}

static bool use_tool(tide_job *job, const double at[2])
{
    tide_web *w = &tide_web_page;
    const tide_pick_view view = view_of(job);
    switch (w->tool) {
    case TIDE_WEB_DRAG:
        return take_hold(job, at);
    case TIDE_WEB_PUSH:
        return take_collider(job, at);
    case TIDE_WEB_CUT:
        w->drag = TIDE_WEB_STROKE;
        tide_knife_begin(&w->knife, tide_live_world(job->live), &view, at);
        return true;
    default: // a pin is set when the button is released
        return false;
    }
}

static void move_tool(tide_job *job, const double at[2])
{
    tide_web *w = &tide_web_page;
    double to[3];
    const tide_pick_view view = view_of(job);
    if (w->drag == TIDE_WEB_STROKE) {
        cut(job, at);
        return;
    }
    if (!tide_pick_on_plane(&view, at[0], at[1], w->hold, to))
        return;
    if (w->drag == TIDE_WEB_HOLD && tide_live_dragging(job->live)->active)
        tide_web_apply(job->live, &(tide_input) { .kind = TIDE_INPUT_DRAG_MOVE, .point = { to[0], to[1], to[2] } });
    if (w->drag == TIDE_WEB_SHOVE)
        tide_web_apply(job->live,
                       &(tide_input) { .kind = TIDE_INPUT_MOVE_COLLIDER,
                                       .name = w->pushed,
                                       .point = { to[0] - w->hold[0], to[1] - w->hold[1], to[2] - w->hold[2] } });
    memcpy(w->hold, to, sizeof w->hold);
}

// --- the view --------------------------------------------------------------------------------------------------------

// Turns or moves the view by a way in pixels.
static void turn_view(tide_picture *picture, double dx, double dy, bool pan)
{
    float right = (float)(dx / picture->height), down = (float)(dy / picture->height);
    if (!pan)
        tide_camera_orbit(&picture->camera, -3.5f * right, 3.5f * down);
    else { // the target follows the pointer at the scale that is seen
        tide_draw_camera seen = *tide_picture_see(picture);
        tide_camera_pan(&seen, -right, down);
        memcpy(picture->camera.position, seen.position, sizeof seen.position);
        memcpy(picture->camera.target, seen.target, sizeof seen.target);
    }
    tide_web_page.dirty = true;
}

TIDE_WEB_CALL void tide_web_wheel(double delta)
{
    if (!(fabs(delta) < 1e5))
        return;
    tide_camera_zoom(&tide_web_picture()->camera, powf(0.9f, (float)fmin(fmax(-delta / 100, -5), 5)));
    tide_web_page.dirty = true;
    tide_web_tell_camera();
}

TIDE_WEB_CALL void tide_web_gesture(double dx, double dy, double zoom, double turn, int modifiers)
{
    tide_picture *picture = tide_web_picture();
    if (!(fabs(dx) < 1e5) || !(fabs(dy) < 1e5) || !(zoom > 0.01 && zoom < 100) || !(fabs(turn) < 10))
        return;
    turn_view(picture, dx, dy, modifiers & TIDE_WEB_SHIFT);
    tide_camera_orbit(&picture->camera, (float)turn, 0);
    tide_camera_zoom(&picture->camera, (float)(1 / zoom));
    tide_web_tell_camera();
}

// --- the pointer -----------------------------------------------------------------------------------------------------

static void press(tide_job *job, const double at[2])
{
    tide_web *w = &tide_web_page;
    bool left = w->button == 0;
    w->moved = false;
    memcpy(w->pressed, at, sizeof w->pressed);
    if (!left || !use_tool(job, at))
        w->drag = left && !(w->modifiers & TIDE_WEB_SHIFT) ? TIDE_WEB_ORBIT : TIDE_WEB_PAN;
}

static void move(tide_job *job, const double at[2])
{
    tide_web *w = &tide_web_page;
    w->moved = w->moved || hypot(at[0] - w->pressed[0], at[1] - w->pressed[1]) > still * w->ratio;
    if (w->drag == TIDE_WEB_ORBIT || w->drag == TIDE_WEB_PAN)
        turn_view(&job->picture, at[0] - w->last[0], at[1] - w->last[1], w->drag == TIDE_WEB_PAN);
    else if (w->drag != TIDE_WEB_IDLE)
        move_tool(job, at);
}

static void let_go(tide_job *job)
{
    if (tide_web_page.drag == TIDE_WEB_HOLD && tide_live_dragging(job->live)->active)
        tide_web_apply(job->live, &(tide_input) { .kind = TIDE_INPUT_DRAG_END });
    tide_web_page.drag = TIDE_WEB_IDLE;
    tide_web_page.dirty = true;
}

// A press and release in one place is a click and goes to the scene: 1 left, 2 right, 3 middle. A left click with
// Shift, or with the pin tool, pins instead.
static void release(tide_job *job, const double at[2])
{
    tide_web *w = &tide_web_page;
    bool looked = w->drag == TIDE_WEB_ORBIT || w->drag == TIDE_WEB_PAN;
    int button = w->button == 0 ? 1 : w->button == 1 ? 3 : 2;
    let_go(job);
    if (looked && w->moved)
        tide_web_tell_camera();
    if (w->moved || !looked)
        return;
    if (button == 1 && ((w->modifiers & TIDE_WEB_SHIFT) || w->tool == TIDE_WEB_PIN) && pin(job, at))
        return;
    tide_web_apply(job->live, &(tide_input) { .kind = TIDE_INPUT_CLICK, .point = { at[0], at[1] }, .button = button });
}

static void handle(tide_job *job, const char *kind, const double at[2])
{
    tide_web *w = &tide_web_page;
    if (strcmp(kind, "down") == 0)
        press(job, at);
    else if (strcmp(kind, "move") == 0)
        move(job, at);
    else if (w->drag != TIDE_WEB_IDLE && strcmp(kind, "up") == 0)
        release(job, at);
    else if (w->drag != TIDE_WEB_IDLE)
        let_go(job);
    memcpy(w->last, at, sizeof w->last);
}

TIDE_WEB_CALL void tide_web_pointer(const char *kind, double x, double y, int button, int modifiers)
{
    tide_web *w = &tide_web_page;
    tide_job *job = tide_web_job();
    if (!job || !(fabs(x) < 1e6) || !(fabs(y) < 1e6))
        return;
    bool down = strcmp(kind, "down") == 0;
    if (down && w->drag != TIDE_WEB_IDLE)
        return; // another button or finger
    if (down) {
        w->button = button;
        w->modifiers = modifiers;
    }
    if (!job->compare) {
        handle(job, kind, (const double[]) { x, y });
        return;
    }
    if (w->drag == TIDE_WEB_IDLE)
        w->pane = tide_compare_pane_at(job->compare, x, y, job->picture.width, job->picture.height);
    const tide_pane_place place = tide_compare_place(job->compare, w->pane, job->picture.width, job->picture.height);
    const tide_pane_focus focus = tide_pane_enter(job, w->pane);
    const tide_draw_camera before = job->picture.camera;
    handle(job, kind, (const double[]) { x - place.left, y - place.top });
    const tide_draw_camera turned = job->picture.camera;
    tide_pane_leave(job, &focus);
    if (memcmp(&before, &turned, sizeof turned) != 0) // the panes share the camera
        job->picture.camera = turned;
}

TIDE_WEB_CALL void tide_web_key(const char *key)
{
    const tide_job *job = tide_web_job();
    if (job && key[0])
        tide_web_apply(job->live, &(tide_input) { .kind = TIDE_INPUT_KEY, .text = key });
}

TIDE_WEB_CALL int tide_web_tool(const char *name, double stiffness)
{
    tide_web *w = &tide_web_page;
    if (stiffness > 0)
        w->stiffness = fmin(fmax(stiffness, 1), 1e6);
    for (int tool = 0; tool < TIDE_WEB_TOOLS; tool++)
        if (strcmp(name, tide_web_tools[tool]) == 0)
            w->tool = (tide_web_tool_kind)tool;
        else if (tool == TIDE_WEB_TOOLS - 1 && name[0])
            return strcmp(name, tide_web_tools[w->tool]) == 0;
    w->dirty = true;
    return 1;
}
