#include "gui/panels.h"

#include "base/clock.h"
#include "base/memory.h"
#include "gui/panel_console.h"
#include "gui/panel_forces.h"
#include "gui/panels_state.h"
#include "script/scene_plot.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// --- creation --------------------------------------------------------------------------------------------------------

static void to_clipboard(void *context, const char *text)
{
    (void)context;
    SDL_SetClipboardText(text);
}

// SDL allocates the text; the last pasted one is kept until the next.
static const char *from_clipboard(void *context)
{
    tide_panels *panels = context;
    char *text = SDL_HasClipboardText() ? SDL_GetClipboardText() : NULL;
    if (!text)
        return panels->copied ? panels->copied : "";
    tide_free(panels->copied);
    panels->copied = tide_panel_console_pasted(panels, text);
    SDL_free(text);
    return panels->copied ? panels->copied : "";
}

// Logs to the panel, and to standard error as without a panel.
static void to_panel(tide_log_level level, const char *message, void *context)
{
    if (tide_convergence_is_measuring())
        return;
    tide_log_to_standard_error(level, message, NULL);
    tide_panels_log_line(context, level, message);
}

// Receives a number that the scene plots, for the current frame
static void to_plot(const tide_world *world, const char *name, double value, void *context)
{
    tide_panels *panels = context;
    if (!panels->live || world != tide_live_world(panels->live))
        return;
    uint32_t slot = 0;
    while (slot < panels->given_count && strncmp(panels->numbers[slot].name, name, TIDE_PLOT_NAME_SIZE - 1) != 0)
        slot++;
    if (slot == TIDE_PLOT_SERIES_MAX)
        return;
    panels->given_count += slot == panels->given_count;
    snprintf(panels->numbers[slot].name, TIDE_PLOT_NAME_SIZE, "%s", name);
    panels->numbers[slot].value = value;
}

tide_status tide_panels_create(tide_panels **out, tide_error *error)
{
    tide_panels *panels = tide_allocate_zeroed(1, sizeof *panels);
    if (!panels)
        return tide_fail_memory(error, "panels");
    tide_status status = tide_gui_create(&panels->gui, error);
    if (status == TIDE_OK)
        status = tide_convergence_probe_create(&panels->probe, error);
    if (status == TIDE_OK)
        status = tide_panel_console_create(panels, error);
    if (status != TIDE_OK) {
        tide_panels_destroy(panels);
        return status;
    }
    tide_gui_clipboard clipboard = { to_clipboard, from_clipboard, panels };
    tide_gui_set_clipboard(panels->gui, &clipboard);
    tide_log_set_sink(to_panel, panels);
    tide_scene_add_plot_sink(to_plot, panels);
    panels->plotting = true;
    *out = panels;
    return TIDE_OK;
}

void tide_panels_destroy(tide_panels *panels)
{
    if (!panels)
        return;
    tide_log_set_sink(NULL, NULL);
    tide_scene_remove_plot_sink(to_plot, panels);
    tide_panels_watch(panels, NULL, NULL);
    tide_panels_forget(panels);
    tide_input_free(&panels->given);
    tide_convergence_probe_destroy(panels->probe);
    tide_panel_console_destroy(panels);
    tide_panel_lesson_destroy(panels);
    tide_plot_data_free(&panels->plots);
    tide_gui_destroy(panels->gui);
    tide_free(panels->queue);
    tide_free(panels->copied);
    tide_free(panels);
}

// --- the experiment's steps ------------------------------------------------------------------------------------------

static void plot_step(tide_panels *panels, tide_world *world)
{
    tide_energy energy;
    tide_plot_data *plots = &panels->plots;
    const tide_report *report = tide_world_report(world);
    tide_plot_data_begin(plots, tide_world_frame(world), tide_world_time(world));
    if (!panels->hidden && tide_world_energy(world, &energy, NULL) == TIDE_OK) {
        tide_plot_data_add(plots, "kinetic", "J", energy.kinetic);
        tide_plot_data_add(plots, "elastic", "J", energy.elastic);
        tide_plot_data_add(plots, "gravity", "J", energy.gravity);
        tide_plot_data_add(plots, "total", "J", energy.total);
    }
    if (!panels->hidden && panels->plotting)
        tide_panel_plot_forces(plots, world);
    double residual = report->gradient_norm / report->initial_gradient_norm;
    if (residual < 1e3) // a larger one means nothing: there was nothing to solve, as in free fall
        tide_plot_data_add(plots, "residual", "", residual);
    tide_plot_data_add(plots, "step", "ms", 1e3 * report->step_seconds);
    for (uint32_t i = 0; i < panels->given_count; i++)
        tide_plot_data_add(plots, panels->numbers[i].name, "", panels->numbers[i].value);
    panels->given_count = 0;
}

static void on_step(void *context, uint64_t steps)
{
    tide_panels *panels = context;
    (void)steps;
    plot_step(panels, tide_live_world(panels->live));
}

// Adds the error to its frame; it becomes known some steps later.
static void plot_error(tide_panels *panels)
{
    tide_convergence found;
    if (tide_convergence_probe_result(panels->probe, &found))
        tide_plot_data_add_to(&panels->plots, found.frame + 1, "error", "", found.error);
}

static void on_input(void *context, uint64_t steps, const tide_input *input)
{
    (void)steps;
    tide_panels *panels = context;
    if (input->kind == TIDE_INPUT_PARAM || input->kind == TIDE_INPUT_SOLVER || input->kind == TIDE_INPUT_TIMESTEP ||
        input->kind == TIDE_INPUT_RELOAD || input->kind == TIDE_INPUT_REWIND || input->kind == TIDE_INPUT_RESET ||
        input->kind == TIDE_INPUT_RESTORE)
        tide_convergence_probe_forget(panels->probe);
}

tide_status tide_panels_watch(tide_panels *panels, tide_live *live, tide_error *error)
{
    if (panels->live == live)
        return TIDE_OK;
    if (panels->live) {
        tide_live_ignore(panels->live, panels);
        tide_live_set_printer(panels->live, NULL);
    }
    panels->live = NULL;
    tide_panels_forget(panels);
    tide_plot_data_clear(&panels->plots);
    tide_convergence_probe_forget(panels->probe);
    tide_live_observer observer = { on_input, on_step, panels };
    tide_status status = live ? tide_live_observe(live, &observer, error) : TIDE_OK;
    if (status == TIDE_OK)
        panels->live = live;
    tide_panel_console_listen(panels, panels->live);
    return status;
}

// --- events ----------------------------------------------------------------------------------------------------------

static tide_gui_key key_of(SDL_Keycode key)
{
    static const struct {
        SDL_Keycode theirs;
        tide_gui_key ours;
    } keys[] = {
        { SDLK_TAB, TIDE_GUI_KEY_TAB },
        { SDLK_LEFT, TIDE_GUI_KEY_LEFT },
        { SDLK_RIGHT, TIDE_GUI_KEY_RIGHT },
        { SDLK_UP, TIDE_GUI_KEY_UP },
        { SDLK_DOWN, TIDE_GUI_KEY_DOWN },
        { SDLK_PAGEUP, TIDE_GUI_KEY_PAGE_UP },
        { SDLK_HOME, TIDE_GUI_KEY_HOME },
        { SDLK_PAGEDOWN, TIDE_GUI_KEY_PAGE_DOWN },
        { SDLK_END, TIDE_GUI_KEY_END },
        { SDLK_INSERT, TIDE_GUI_KEY_INSERT },
        { SDLK_DELETE, TIDE_GUI_KEY_DELETE },
        { SDLK_BACKSPACE, TIDE_GUI_KEY_BACKSPACE },
        { SDLK_SPACE, TIDE_GUI_KEY_SPACE },
        { SDLK_RETURN, TIDE_GUI_KEY_ENTER },
        { SDLK_KP_ENTER, TIDE_GUI_KEY_ENTER },
        { SDLK_ESCAPE, TIDE_GUI_KEY_ESCAPE },
        { SDLK_a, TIDE_GUI_KEY_A },
        { SDLK_c, TIDE_GUI_KEY_C },
        { SDLK_v, TIDE_GUI_KEY_V },
        { SDLK_x, TIDE_GUI_KEY_X },
        { SDLK_y, TIDE_GUI_KEY_Y },
        { SDLK_z, TIDE_GUI_KEY_Z },
    };
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (keys[i].theirs == key)
            return keys[i].ours;
    return TIDE_GUI_KEY_NONE;
}

// Passes the keys on: world, left side, right side, world
static void pass_keys_on(tide_panels *panels)
{
    if (panels->hidden)
        panels->hidden = false;
    if (!tide_gui_has_keys(panels->gui))
        tide_gui_focus(panels->gui, false);
    else if (tide_gui_is_on_right(panels->gui))
        tide_gui_leave(panels->gui);
    else
        tide_gui_focus(panels->gui, true);
}

// Handles keys that are the panels' whoever has the keys
static bool own_key(tide_panels *panels, const SDL_Keysym *key)
{
    bool control = (key->mod & KMOD_CTRL) != 0, shift = (key->mod & KMOD_SHIFT) != 0;
    bool typing = tide_gui_takes_text(panels->gui) || tide_panel_console_is_unsettled(panels);
    if (key->sym == SDLK_F1 || (key->sym == SDLK_h && !control && !typing))
        panels->help = !panels->help;
    else if (key->sym == SDLK_F8)
        tide_panels_hide(panels, !panels->hidden);
    else if (key->sym == SDLK_F9)
        panels->enlarged = (panels->enlarged + 1) % 3;
    else if (key->sym == SDLK_F10)
        pass_keys_on(panels);
    else if (key->sym == SDLK_ESCAPE && panels->help)
        panels->help = false;
    else if (tide_panel_console_key(panels, key) || (!typing && tide_panel_lesson_key(panels, key)))
        return true;
    else if (key->sym == SDLK_ESCAPE && !tide_gui_has_keys(panels->gui) && tide_panels_fold(panels))
        return true;
    else if (control && !typing && (key->sym == SDLK_z || key->sym == SDLK_y)) {
        if (key->sym == SDLK_y || shift)
            tide_panels_redo(panels);
        else
            tide_panels_undo(panels);
    } else
        return false;
    return true;
}

static bool key_event(tide_panels *panels, const SDL_KeyboardEvent *event)
{
    bool down = event->type == SDL_KEYDOWN, theirs = tide_gui_has_keys(panels->gui);
    int mod = event->keysym.mod;
    tide_gui_modifiers(panels->gui, (mod & KMOD_CTRL) != 0, (mod & KMOD_SHIFT) != 0, (mod & KMOD_ALT) != 0);
    if (down && !event->repeat && own_key(panels, &event->keysym))
        return true;
    if (theirs || !down)
        tide_gui_key_change(panels->gui, key_of(event->keysym.sym), down);
    return theirs && down;
}

bool tide_panels_event(tide_panels *panels, const SDL_Event *event, double scale)
{
    tide_gui *gui = panels->gui;
    bool mouse = tide_gui_has_mouse(gui);
    switch (event->type) {
    case SDL_KEYDOWN:
    case SDL_KEYUP:
        return key_event(panels, &event->key);
    case SDL_TEXTINPUT:
        if (tide_panel_console_type(panels, event->text.text))
            return true;
        if (tide_gui_takes_text(gui))
            tide_gui_type(gui, event->text.text);
        return tide_gui_takes_text(gui);
    case SDL_MOUSEMOTION:
        tide_gui_mouse_at(gui, (float)(scale * event->motion.x), (float)(scale * event->motion.y));
        return mouse;
    case SDL_MOUSEBUTTONDOWN:
    case SDL_MOUSEBUTTONUP: {
        int button = event->button.button == SDL_BUTTON_LEFT ? 0 : event->button.button == SDL_BUTTON_RIGHT ? 1 : 2;
        tide_gui_mouse_at(gui, (float)(scale * event->button.x), (float)(scale * event->button.y));
        tide_gui_mouse_button(gui, button, event->type == SDL_MOUSEBUTTONDOWN);
        return mouse && event->type == SDL_MOUSEBUTTONDOWN;
    }
    case SDL_MOUSEWHEEL:
        if (mouse)
            tide_gui_mouse_wheel(gui, event->wheel.preciseX, event->wheel.preciseY);
        return mouse;
    case SDL_WINDOWEVENT:
        if (event->window.event == SDL_WINDOWEVENT_LEAVE)
            tide_gui_mouse_at(gui, -1e5f, -1e5f);
        return false;
    default:
        return false;
    }
}

bool tide_panels_show_help(const tide_panels *panels)
{
    return panels->help;
}

bool tide_panels_are_unsettled(const tide_panels *panels)
{
    return tide_gui_is_unsettled(panels->gui) || tide_panel_console_is_unsettled(panels) ||
           tide_clock_seconds() < panels->said_until;
}

// --- drawing ---------------------------------------------------------------------------------------------------------

typedef struct section {
    const char *label;
    bool right, open;
    void (*draw)(tide_panels *);
} section;

static const section sections[] = {
    { "Parameters", false, true, tide_panel_params },  { "Solver", false, true, tide_panel_solver },
    { "Bodies", false, false, tide_panel_bodies },     { "Colliders", false, false, tide_panel_colliders },
    { "View", false, false, tide_panel_view_options }, { "Camera", false, false, tide_panel_camera },
    { "Selected", true, true, tide_panel_selected },   { "Statistics", true, true, tide_panel_statistics },
    { "Plots", true, true, tide_panel_plots },         { "Log", true, false, tide_panel_log },
};

static void draw_side(tide_panels *panels, bool right)
{
    const tide_panels_frame *frame = panels->frame;
    tide_gui *gui = panels->gui;
    uint32_t height = frame->picture->image.height;
    float width = panels->width[right];
    float bottom = height > frame->bottom + frame->top ? (float)(height - frame->bottom) : (float)height;
    tide_gui_begin_side(gui, right, width, (float)frame->top, bottom);
    bool lesson = right && panels->lesson && tide_panel_lesson(panels);
    for (size_t i = 0; i < sizeof sections / sizeof sections[0]; i++)
        if (!lesson && sections[i].right == right && (sections[i].draw != tide_panel_selected || panels->selected[0]) &&
            tide_gui_begin_section(gui, sections[i].label, sections[i].open)) {
            sections[i].draw(panels);
            tide_gui_end_section(gui);
        }
    if (!right && panels->said[0] && tide_clock_seconds() < panels->said_until)
        tide_gui_text(gui, TIDE_GUI_GOOD, panels->said);
    tide_gui_end_side(gui);
}

static tide_status ask_probe(tide_panels *panels, tide_error *error)
{
    uint64_t steps = tide_live_steps(panels->live);
    tide_convergence known;
    bool asked = steps == panels->probed_steps && (tide_convergence_probe_result(panels->probe, &known) ||
                                                   tide_convergence_probe_is_busy(panels->probe));
    if (asked || panels->hidden)
        return TIDE_OK;
    panels->probed_steps = steps;
    // Failing to measure, for lack of threads or memory, is no error
    tide_status status =
        tide_convergence_probe_ask(panels->probe, tide_live_world(panels->live), tide_clock_seconds(), error);
    return status == TIDE_ERROR_MEMORY ? status : TIDE_OK;
}

// Draws all widgets onto the image; NULL: only lays them out.
static tide_status draw_widgets(tide_panels *panels, const tide_panels_frame *frame, double seconds, tide_image *onto,
                                tide_error *error)
{
    const tide_image *image = &frame->picture->image;
    float text = roundf(frame->text * tide_panels_enlargement(panels));
    TIDE_TRY(tide_gui_begin(panels->gui, image->width, image->height, text, seconds, error));
    panels->frame = frame;
    panels->plotting = false; // tide_panel_plots sets it
    tide_panels_lay_out(panels, image->width, image->height, frame->text);
    for (int right = 0; right < 2; right++)
        if (panels->width[right] > 0)
            draw_side(panels, right);
    tide_panel_bar(panels);
    tide_panel_console_draw(panels,
                            (float)(image->height > frame->bottom ? image->height - frame->bottom : image->height));
    if (panels->help)
        tide_panel_help(panels);
    frame->picture->covered = (uint32_t)panels->width[1];
    panels->frame = NULL;
    return tide_gui_end(panels->gui, onto, error);
}

tide_status tide_panels_draw(tide_panels *panels, const tide_panels_frame *frame, tide_error *error)
{
    double now = tide_clock_seconds(), passed = now - panels->drawn;
    tide_status status = tide_panels_watch(panels, frame->live, error);
    if (status == TIDE_OK)
        status = ask_probe(panels, error);
    plot_error(panels);
    tide_panel_console_prepare(panels);
    if (status == TIDE_OK && panels->drawn == 0) // a panel's height is that of its contents in the last frame
        status = draw_widgets(panels, frame, passed, NULL, error);
    if (status == TIDE_OK)
        status = draw_widgets(panels, frame, passed, &frame->picture->image, error);
    if (status != TIDE_OK)
        return status;
    panels->drawn = now;
    if (panels->failed)
        status = tide_fail_memory(error, "panels");
    panels->failed = false;
    return status;
}

// --- the rest --------------------------------------------------------------------------------------------------------

const tide_input *tide_panels_next(tide_panels *panels)
{
    tide_input_free(&panels->given);
    panels->given = (tide_input) { 0 };
    if (panels->queue_first == panels->queue_count) {
        panels->queue_first = panels->queue_count = 0;
        return NULL;
    }
    panels->given = panels->queue[panels->queue_first++];
    tide_panel_console_begin(panels, &panels->given);
    return &panels->given;
}

bool tide_panels_take_iteration(tide_panels *panels)
{
    bool asked = panels->iterate;
    panels->iterate = false;
    return asked;
}

bool tide_panels_are_hidden(const tide_panels *panels)
{
    return panels->hidden || (panels->picture_width && !(panels->width[0] + panels->width[1] > 0));
}

void tide_panels_hide(tide_panels *panels, bool hidden)
{
    panels->hidden = hidden;
    if (hidden)
        tide_gui_leave(panels->gui);
}

void tide_panels_free_width(const tide_panels *panels, uint32_t *from, uint32_t *to)
{
    uint32_t width = panels->picture_width, left = (uint32_t)panels->width[0], right = (uint32_t)panels->width[1];
    *from = left;
    *to = width > left + right ? width - right : width;
}
