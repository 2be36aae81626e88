// The tool bar, and which side panels are shown.
#include "gui/panels_state.h"

#include <math.h>

static const float side_width = 18.5f, lesson_width = 30, bar_height = 2.1f, bar_width = 40; // em
enum { LEFT, RIGHT };

static float width_of(const tide_panels *panels, bool right, float text)
{
    return roundf((right && tide_panel_lesson_is_wide(panels) ? lesson_width : side_width) * text);
}

static float both(const tide_panels *panels, float text)
{
    return width_of(panels, false, text) + width_of(panels, true, text);
}

// Returns whether a side panel has the keys, rather than the console.
static bool sides_have_keys(const tide_panels *panels)
{
    return tide_gui_has_keys(panels->gui) && !tide_gui_is_prompted(panels->gui);
}

// Returns whether a side fits. Without room for both, the side that had the keys last is shown; in a small picture,
// only one that has them.
static bool has_room(tide_panels *panels, bool right, float text)
{
    float width = width_of(panels, right, text), room = (float)panels->picture_width;
    bool keys = sides_have_keys(panels);
    if (keys)
        panels->side = tide_gui_is_on_right(panels->gui);
    return both(panels, text) <= 0.8f * room || ((keys || width <= 0.65f * room) && panels->side == right);
}

void tide_panels_lay_out(tide_panels *panels, uint32_t width, uint32_t height, float size)
{
    float text = roundf(size * tide_panels_enlargement(panels));
    panels->picture_width = width;
    panels->text = text;
    if (!panels->laid_out)
        panels->folded[LEFT] = panels->folded[RIGHT] = both(panels, text) > 0.6f * (float)width;
    if (!panels->laid_out && panels->lesson) { // it is why the window is open
        panels->folded[RIGHT] = false;
        panels->side = RIGHT;
    }
    panels->laid_out = true;
    for (int right = 0; right < 2; right++) {
        bool keys = sides_have_keys(panels) && tide_gui_is_on_right(panels->gui) == (bool)right;
        panels->folded[right] = panels->folded[right] && !keys;
        bool open = !panels->hidden && !panels->folded[right] && has_room(panels, right, text);
        panels->width[right] = open ? fminf(width_of(panels, right, text), (float)width) : 0;
    }
    float room = (float)width - panels->width[LEFT] - panels->width[RIGHT];
    bool small = panels->hidden || room < 0.5f * bar_width * text || (float)height < 18 * text;
    panels->bar_rows = small ? 0 : room < bar_width * text ? 2 : 1;
    panels->top = roundf(bar_height * text * (float)panels->bar_rows);
}

bool tide_panels_fold(tide_panels *panels)
{
    bool narrow = panels->bar_rows && both(panels, panels->text) > 0.6f * (float)panels->picture_width;
    bool open = panels->width[LEFT] > 0 || panels->width[RIGHT] > 0;
    if (!narrow || !open)
        return false;
    panels->folded[LEFT] = panels->folded[RIGHT] = true;
    return true;
}

uint32_t tide_panels_top(const tide_panels *panels)
{
    return (uint32_t)panels->top;
}

int tide_panels_take_button(tide_panels *panels)
{
    int button = panels->button;
    panels->button = TIDE_BAR_NONE;
    return button;
}

// Draws the button that opens or folds a side. If there is room for one side only, it shows this one.
static void side_button(tide_panels *panels, bool right, const char *label, const char *help)
{
    bool open = panels->width[right] > 0;
    if (tide_gui_toggle(panels->gui, label, open)) {
        panels->folded[right] = open;
        panels->side = open ? !right : right;
        tide_gui_leave(panels->gui);
    }
    tide_gui_help(panels->gui, help);
}

static void tool_button(tide_panels *panels, const char *label, bool on, int button, const char *help)
{
    tide_gui_next(panels->gui);
    if (tide_gui_toggle(panels->gui, label, on))
        panels->button = button;
    tide_gui_help(panels->gui, help);
}

void tide_panel_bar(tide_panels *panels)
{
    const tide_panels_frame *frame = panels->frame;
    tide_gui *gui = panels->gui;
    if (!frame->tools || !panels->bar_rows)
        return;
    float middle = 0.5f * (panels->width[LEFT] + (float)panels->picture_width - panels->width[RIGHT]);
    tide_gui_begin_bar(gui, middle, (float)frame->top);
    side_button(panels, LEFT, "Settings", "parameters, solver, bodies, colliders, camera (F8 hides all panels)");
    tool_button(panels, frame->paused ? "Play" : "Pause", false, TIDE_BAR_PLAY, "Space");
    tool_button(panels, "Step", false, TIDE_BAR_STEP, "a single step (. or Right)");
    tool_button(panels, "Reset", false, TIDE_BAR_RESET, "start again (R)");
    for (int t = 0; frame->tools[t]; t++) {
        if (t || panels->bar_rows == 1)
            tide_gui_next(gui);
        if (tide_gui_toggle(gui, frame->tools[t], t == frame->tool))
            panels->button = TIDE_BAR_FIRST_TOOL + t;
        tide_gui_help(gui, "what the left button does (Tab, F2 to F7)");
    }
    tide_gui_next(gui);
    side_button(panels, RIGHT, panels->lesson ? "Lesson" : "Results",
                panels->lesson ? "the lesson, its marks, statistics and plots (F8 hides all panels)"
                               : "statistics, plots, log (F8 hides all panels)");
    tide_gui_next(gui);
    if (tide_gui_toggle(gui, "Help", panels->help))
        panels->help = !panels->help;
    tide_gui_help(gui, "keys and mouse (F1)");
    tide_gui_end_bar(gui);
}
