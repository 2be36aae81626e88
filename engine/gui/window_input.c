// Keys and mouse, and what the panels ask for.
#include "gui/window_state.h"

#include "base/log.h"
#include "session/job_compare.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- keys ------------------------------------------------------------------------------------------------------------

static void give_key_to_scene(tide_window *w, SDL_Keycode key)
{
    char name[64];
    snprintf(name, sizeof name, "%s", SDL_GetKeyName(key));
    for (char *c = name; *c; c++)
        *c = (char)tolower((unsigned char)*c);
    if (name[0])
        tide_window_apply(w, &(tide_input) { .kind = TIDE_INPUT_KEY, .text = name });
}

static tide_status single_step(tide_window *w, tide_error *error)
{
    tide_live_pause(w->job->live, true);
    bool stopped = tide_live_failure(w->job->live)->kind == TIDE_FAILURE_STEP;
    return stopped || tide_job_is_over(w->job) ? TIDE_OK : tide_window_step(w, error);
}

static void start_again(tide_window *w)
{
    // The file may have been corrected.
    if (tide_live_failure(w->job->live)->kind == TIDE_FAILURE_NONE ||
        tide_window_apply(w, &(tide_input) { .kind = TIDE_INPUT_RELOAD }))
        tide_window_apply(w, &(tide_input) { .kind = TIDE_INPUT_RESET });
}

static tide_status look(tide_window *w, tide_status (*how)(tide_picture *, tide_script *, tide_error *),
                        tide_error *error)
{
    return how(&w->job->picture, tide_live_script(w->job->live), error);
}

static void change_renderer(tide_window *w)
{
    tide_error error;
    char message[1200];
    if (tide_screen_switch(&w->screen, &w->job->picture, &error) != TIDE_OK)
        tide_window_toast(w, "", tide_error_text(&error, message, sizeof message));
    else if (w->job->picture.opengl)
        tide_window_toast(w, "OpenGL: ", tide_gl_name(w->job->picture.gl));
    else
        tide_window_toast(w, "software renderer", "");
}

// Applies a displayed suggestion by its number. Returns whether the key was one.
static bool apply_suggestion(tide_window *w, SDL_Keycode key)
{
    tide_suggestion suggestions[TIDE_SUGGESTION_MAX];
    uint32_t count = tide_live_suggestions(w->job->live, suggestions);
    if (key < SDLK_1 || key >= SDLK_1 + (int)count)
        return false;
    tide_window_apply(w, &suggestions[key - SDLK_1].input);
    return true;
}

static bool is_newest(const tide_window *w)
{
    tide_history_span span = tide_live_history(w->job->live);
    return !span.count || tide_live_frame(w->job->live) >= span.last;
}

static void choose_tool(tide_window *w, tide_tool tool)
{
    static const char *const texts[TIDE_TOOL_COUNT] = {
        "look: the left button turns the view",
        "drag: take hold of a vertex; with Shift of an edge, with Ctrl of a whole body",
        "pin: a click pins a vertex, or frees it",
        "cut: a stroke cuts the springs that it crosses",
        "push: take hold of a collider",
    };
    w->tool = tool;
    tide_window_toast(w, texts[tool], "");
}

static void change_stiffness(tide_window *w, double factor)
{
    char text[32];
    w->stiffness = fmin(fmax(w->stiffness * factor, 1), 1e6);
    snprintf(text, sizeof text, "%.4g N/m", w->stiffness);
    tide_window_toast(w, "the drag pulls with ", text);
}

// Handles the keys of the tools. Returns whether it was one.
static bool tool_key(tide_window *w, SDL_Keycode key)
{
    static const SDL_Keycode keys[TIDE_TOOL_COUNT] = { SDLK_F2, SDLK_F3, SDLK_F4, SDLK_F6, SDLK_F7 };
    for (int t = 0; t < TIDE_TOOL_COUNT; t++)
        if (key == keys[t]) {
            choose_tool(w, (tide_tool)t);
            return true;
        }
    if (key == SDLK_TAB)
        choose_tool(w, (tide_tool)((w->tool + 1) % TIDE_TOOL_COUNT));
    else if (key == SDLK_LEFTBRACKET || key == SDLK_RIGHTBRACKET)
        change_stiffness(w, key == SDLK_LEFTBRACKET ? 0.5 : 2);
    else
        return false;
    return true;
}

// Handles F11 and Alt+Enter. Returns whether it was one of them.
static bool full_screen_key(tide_window *w, const SDL_KeyboardEvent *event)
{
    SDL_Keycode key = event->keysym.sym;
    bool enter = (key == SDLK_RETURN || key == SDLK_KP_ENTER) && (event->keysym.mod & KMOD_ALT);
    if (key != SDLK_F11 && !enter)
        return false;
    bool full = (SDL_GetWindowFlags(w->screen.window) & SDL_WINDOW_FULLSCREEN_DESKTOP) == SDL_WINDOW_FULLSCREEN_DESKTOP;
    if (!event->repeat && SDL_SetWindowFullscreen(w->screen.window, full ? 0 : SDL_WINDOW_FULLSCREEN_DESKTOP) != 0)
        tide_window_toast(w, "no full screen: ", SDL_GetError());
    tide_window_measure(w);
    return true;
}

// Handles keys that change the text size. Returns whether it was one.
static bool text_key(tide_window *w, const SDL_Keysym *key)
{
    char text[32];
    SDL_Keycode k = key->sym;
    bool larger = k == SDLK_PLUS || k == SDLK_EQUALS || k == SDLK_KP_PLUS,
         smaller = k == SDLK_MINUS || k == SDLK_KP_MINUS;
    if (!((key->mod | SDL_GetModState()) & KMOD_CTRL) || !(larger || smaller || k == SDLK_0 || k == SDLK_KP_0))
        return false;
    double steps = round(10 * w->text_scale) + (larger ? 1 : smaller ? -1 : 0);
    w->text_scale = larger || smaller ? fmin(fmax(steps / 10, TIDE_TEXT_SCALE_LEAST), TIDE_TEXT_SCALE_MOST) : 1;
    tide_window_measure(w);
    snprintf(text, sizeof text, "%.0f %%", 100 * w->text_scale);
    tide_window_toast(w, "size of text: ", text);
    return true;
}

static tide_status key_down(tide_window *w, const SDL_KeyboardEvent *event, tide_error *error)
{
    tide_live *live = w->job->live;
    SDL_Keycode key = event->keysym.sym;
    // only these keys repeat
    if (key == SDLK_COMMA)
        return tide_window_iterate(w, error);
    if (key == SDLK_ESCAPE && w->iterates)
        return single_step(w, error);
    if (key == SDLK_PERIOD || (key == SDLK_RIGHT && is_newest(w)))
        return single_step(w, error);
    if (key == SDLK_RIGHT || key == SDLK_LEFT) {
        tide_window_go_to(w, key == SDLK_RIGHT ? 1 : -1);
        return TIDE_OK;
    }
    if (key == SDLK_PAGEUP || key == SDLK_PAGEDOWN) {
        tide_window_go_to(w, key == SDLK_PAGEUP ? -10 : 10);
        return TIDE_OK;
    }
    if (full_screen_key(w, event) || text_key(w, &event->keysym) || event->repeat)
        return TIDE_OK;
    w->dirty = true;
    switch (key) {
    case SDLK_SPACE:
        tide_window_leave_iterates(w);
        tide_live_pause(live, !tide_live_is_paused(live));
        break;
    case SDLK_r:
        start_again(w);
        break;
    case SDLK_F5:
        tide_window_apply(w, &(tide_input) { .kind = TIDE_INPUT_RELOAD });
        break;
    case SDLK_BACKSPACE:
        if (w->refused[0])
            w->refused[0] = '\0';
        else if (tide_live_failure(live)->kind != TIDE_FAILURE_NONE)
            tide_live_clear_failure(live);
        else
            w->hint_is_over = true; // in this window
        break;
    case SDLK_w:
        w->job->picture.view.wireframe = !w->job->picture.view.wireframe;
        break;
    case SDLK_g:
        change_renderer(w);
        break;
    case SDLK_f:
        return look(w, tide_picture_fit, error);
    case SDLK_HOME:
        return look(w, tide_picture_look_again, error);
    case SDLK_p:
        tide_window_save_picture(w);
        break;
    case SDLK_c:
        tide_window_compare(w);
        break;
    case SDLK_v:
        tide_window_record(w);
        break;
    case SDLK_b:
        tide_window_save_last(w);
        break;
    case SDLK_F12:
        if (event->keysym.mod & KMOD_SHIFT)
            tide_window_open_last_world(w);
        else
            tide_window_save_world(w);
        break;
    case SDLK_l:
        if (w->job->options->lesson)
            tide_window_switch_lesson(w);
        else
            give_key_to_scene(w, key);
        break;
    case SDLK_ESCAPE:
        tide_window_escape(w);
        break;
    case SDLK_q:
        tide_window_quit(w);
        break;
    default:
        if (!apply_suggestion(w, key) && !tool_key(w, key))
            give_key_to_scene(w, key);
    }
    return TIDE_OK;
}

// Applies a clicked suggestion of the displayed message. Returns whether there was one.
static bool click_suggestion(tide_window *w, int x, int y)
{
    const char *line = tide_overlay_line_at(&w->overlay, w->scale * x, w->scale * y);
    return line && line[0] >= '1' && line[0] <= '9' && line[1] == ' ' && line[2] == ' ' &&
           apply_suggestion(w, SDLK_1 + line[0] - '1');
}

// --- the mouse -------------------------------------------------------------------------------------------------------

static void button_down(tide_window *w, const SDL_MouseButtonEvent *event)
{
    bool shift = (SDL_GetModState() & KMOD_SHIFT) != 0, left = event->button == SDL_BUTTON_LEFT;
    w->pressed_x = event->x;
    w->pressed_y = event->y;
    w->moved = false;
    w->pressed = true;
    if (left && !w->in_pane && click_suggestion(w, event->x, event->y)) {
        w->moved = true; // releasing it is not a click for the scene
        return;
    }
    if (left && !w->in_pane && tide_window_scrub(w, event->x, event->y, true))
        w->drag = DRAG_SCRUB;
    else if (!left || !tide_window_tool_down(w, event->x, event->y)) {
        if (left || event->button == SDL_BUTTON_MIDDLE || event->button == SDL_BUTTON_RIGHT)
            w->drag = left && !shift ? DRAG_ORBIT : DRAG_PAN;
    }
}

// Handles a release. A press and release in one place is a click and goes to the scene: 1 left, 2 right, 3 middle. A
// left click with Shift, or with the pin tool, pins instead.
static void button_up(tide_window *w, const SDL_MouseButtonEvent *event)
{
    bool looked = w->drag == DRAG_ORBIT || w->drag == DRAG_PAN || w->drag == DRAG_NONE;
    bool shift = (SDL_GetModState() & KMOD_SHIFT) != 0;
    if (!w->pressed) // it was pressed on a panel
        return;
    w->pressed = false;
    tide_window_tool_up(w);
    w->drag = DRAG_NONE;
    w->dirty = true;
    int button = event->button == SDL_BUTTON_RIGHT ? 2 : event->button == SDL_BUTTON_MIDDLE ? 3 : event->button;
    if (w->moved || !looked)
        return;
    if (button == 1 && (shift || w->tool == TIDE_TOOL_PIN) && tide_window_pin(w, event->x, event->y))
        return;
    if (button == 1 && w->tool == TIDE_TOOL_LOOK)
        tide_window_select(w, event->x, event->y);
    tide_window_apply(w, &(tide_input) { .kind = TIDE_INPUT_CLICK,
                                         .point = { w->scale * event->x, w->scale * event->y },
                                         .button = button });
}

static void turn_view(tide_window *w, const SDL_MouseMotionEvent *event)
{
    int points;
    SDL_GetWindowSize(w->screen.window, NULL, &points);
    float right = (float)event->xrel / (float)points, down = (float)event->yrel / (float)points;
    if (w->drag == DRAG_ORBIT)
        tide_camera_orbit(&w->job->picture.camera, -3.5f * right, 3.5f * down);
    else {
        // The target follows the mouse at the displayed scale
        tide_draw_camera seen = *tide_picture_see(&w->job->picture);
        tide_camera_pan(&seen, -right, down);
        memcpy(w->job->picture.camera.position, seen.position, sizeof seen.position);
        memcpy(w->job->picture.camera.target, seen.target, sizeof seen.target);
    }
    w->dirty = true;
}

static void mouse_moved(tide_window *w, const SDL_MouseMotionEvent *event)
{
    w->moved = w->moved || abs(event->x - w->pressed_x) > 3 || abs(event->y - w->pressed_y) > 3;
    if (w->drag == DRAG_ORBIT || w->drag == DRAG_PAN)
        turn_view(w, event);
    else if (w->drag == DRAG_SCRUB)
        tide_window_scrub(w, event->x, event->y, false);
    else if (w->drag != DRAG_NONE)
        tide_window_tool_moved(w, event->x, event->y);
}

static tide_status handle_event(tide_window *w, const SDL_Event *event, tide_error *error)
{
    switch (event->type) {
    case SDL_QUIT:
        tide_window_quit(w);
        break;
    case SDL_WINDOWEVENT:
        tide_window_measure(w);
        break;
    case SDL_KEYDOWN:
        return key_down(w, &event->key, error);
    case SDL_MOUSEBUTTONDOWN:
        button_down(w, &event->button);
        break;
    case SDL_MOUSEBUTTONUP:
        button_up(w, &event->button);
        break;
    case SDL_MOUSEMOTION:
        mouse_moved(w, &event->motion);
        break;
    case SDL_MOUSEWHEEL:
        tide_camera_zoom(&w->job->picture.camera, powf(0.9f, event->wheel.preciseY));
        w->dirty = true;
        break;
    case SDL_DROPFILE:
        tide_window_open_file(w, event->drop.file);
        SDL_free(event->drop.file);
        break;
    default:
        break;
    }
    return TIDE_OK;
}

// --- panes -----------------------------------------------------------------------------------------------------------

static uint32_t pane_height(const tide_window *w)
{
    uint32_t height = w->job->picture.height, bottom = w->job->compare->bottom;
    return height > bottom ? height - bottom : 1;
}

static void pause_panes(tide_window *w, bool paused)
{
    tide_live_pause(w->job->live, paused);
    w->panes_paused = paused;
}

static bool is_newest_pane(const tide_window *w)
{
    tide_history_span span = tide_live_history(w->job->live);
    return !span.count || tide_live_failure(w->job->live)->kind == TIDE_FAILURE_STEP ||
           tide_live_frame(w->job->live) >= span.last;
}

// Handles keys that differ with panes. Returns whether it was one.
static bool pane_key(tide_window *w, const SDL_KeyboardEvent *event, tide_status *status, tide_error *error)
{
    SDL_Keycode key = event->keysym.sym;
    *status = TIDE_OK;
    if (key == SDLK_PERIOD || (key == SDLK_RIGHT && is_newest_pane(w))) {
        pause_panes(w, true);
        if (!tide_job_is_over(w->job))
            *status = tide_window_step(w, error);
    } else if (key == SDLK_SPACE && !event->repeat)
        pause_panes(w, !tide_window_is_paused(w));
    else if (key == SDLK_COMMA)
        tide_window_toast(w, "iterations are shown for one experiment only: C continues with one", "");
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

static tide_status handle_panes(tide_window *w, const SDL_Event *event, tide_error *error)
{
    SDL_Event moved = *event;
    tide_status status;
    if (event->type == SDL_KEYDOWN && pane_key(w, &event->key, &status, error))
        return status;
    if (!is_in_pane(w, &moved))
        return handle_event(w, &moved, error);
    const tide_pane_focus focus = tide_pane_enter(w->job, w->pane);
    w->in_pane = true;
    status = handle_event(w, &moved, error);
    w->in_pane = false;
    tide_pane_leave(w->job, &focus);
    w->dirty = true;
    return status;
}

// --- events and panels -----------------------------------------------------------------------------------------------

tide_status tide_window_handle(tide_window *w, const SDL_Event *event, tide_error *error)
{
    if (tide_window_answer(w, event))
        return TIDE_OK;
    if (tide_panels_event(w->panels, event, w->scale)) {
        w->dirty = true;
        return TIDE_OK;
    }
    return w->job->compare ? handle_panes(w, event, error) : handle_event(w, event, error);
}

static tide_status press_button(tide_window *w, int tool, tide_error *error)
{
    if (tool == TIDE_BAR_NONE)
        return TIDE_OK;
    w->dirty = true;
    if (tool >= TIDE_BAR_FIRST_TOOL && tool < TIDE_BAR_FIRST_TOOL + TIDE_TOOL_COUNT)
        choose_tool(w, (tide_tool)(tool - TIDE_BAR_FIRST_TOOL));
    else if (tool == TIDE_BAR_RESET)
        start_again(w);
    else {
        SDL_Event key = { .key = { .type = SDL_KEYDOWN,
                                   .keysym.sym = tool == TIDE_BAR_PLAY ? SDLK_SPACE : SDLK_PERIOD } };
        return w->job->compare ? handle_panes(w, &key, error) : key_down(w, &key.key, error);
    }
    return TIDE_OK;
}

tide_status tide_window_do_as_asked(tide_window *w, tide_error *error)
{
    for (const tide_input *input = tide_panels_next(w->panels); input; input = tide_panels_next(w->panels))
        tide_window_apply(w, input);
    TIDE_TRY(press_button(w, tide_panels_take_button(w->panels), error));
    if (tide_panels_take_switch(w->panels))
        tide_window_switch_lesson(w);
    return tide_panels_take_iteration(w->panels) && !w->job->compare ? tide_window_iterate(w, error) : TIDE_OK;
}
