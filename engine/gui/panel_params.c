// The parameters that the scene's script declares (tide.param), and those of its own elements (tide.element). A new
// value is an input; the script then runs again.
#include "gui/gui_numbers.h"
#include "gui/panels_state.h"

#include "base/memory.h"
#include "script/panel_files.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Returns the ends of a parameter's slider. With one end of the range, the other is ten times as far from it as the
// first value; or a hundred, a thousand times, as the present one needs. False: it has no range.
static bool find_range(const tide_param *param, double *low, double *high)
{
    *low = param->minimum;
    *high = param->maximum;
    if (param->type != TIDE_PARAM_NUMBER || *low > *high || (isinf(*low) && isinf(*high)))
        return false;
    double end = isfinite(*low) ? *low : *high, reach = 10 * fabs(param->initial - end);
    if (!(reach > 0))
        reach = 1;
    while (reach < fabs(param->number - end))
        reach *= 10;
    *low = isfinite(*low) ? *low : *high - reach;
    *high = isfinite(*high) ? *high : *low + reach;
    return true;
}

// Returns whether a parameter is a count: without a unit, with integer values and a range of at least 8. A script
// may need an integer.
static bool is_count(const tide_param *param)
{
    const double numbers[] = { param->number, param->initial, param->minimum, param->maximum };
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if (numbers[i] != round(numbers[i]) || fabs(numbers[i]) > 1e9)
            return false;
    return !param->of_element && !(param->unit && param->unit[0]) && param->maximum - param->minimum >= 8;
}

static void set_text(tide_panels *panels, const tide_param *param, const char *text, unsigned acts)
{
    tide_input before = { .kind = TIDE_INPUT_PARAM, .name = param->name, .text = param->text }, after = before;
    after.text = text;
    tide_panels_change_to(panels, &before, &after, acts);
}

static void write_number(double number, char text[40])
{
    for (int digits = 6; digits <= 17; digits++) { // as few digits as reproduce it
        snprintf(text, 40, "%.*g", digits, number);
        double back;
        if (sscanf(text, "%lf", &back) == 1 && back == number)
            return;
    }
}

static void set_number(tide_panels *panels, const tide_param *param, double number, unsigned acts)
{
    char text[40];
    write_number(number, text);
    set_text(panels, param, text, acts);
}

static void number_widget(tide_panels *panels, const tide_param *param)
{
    double number = param->number, low, high;
    unsigned acts;
    bool ranged = find_range(param, &low, &high);
    if (ranged && is_count(param)) {
        int whole = (int)number;
        acts = tide_gui_slider_integer(panels->gui, param->name, &whole, (int)param->minimum, (int)param->maximum,
                                       param->logarithmic && param->minimum > 0);
        number = whole;
    } else if (ranged)
        acts =
            tide_gui_slider(panels->gui, param->name, &number, low, high, param->logarithmic && low > 0, param->unit);
    else
        acts = tide_gui_number(panels->gui, param->name, &number, param->unit) ? (unsigned)TIDE_GUI_CHANGED : 0;
    if (ranged)
        number = fmin(fmax(number, param->minimum), param->maximum);
    if (acts && isfinite(number))
        set_number(panels, param, number, acts);
}

static void choice_widget(tide_panels *panels, const tide_param *param)
{
    int chosen = 0;
    for (int i = 0; param->choices[i]; i++)
        if (strcmp(param->choices[i], param->text) == 0)
            chosen = i;
    if (tide_gui_choice(panels->gui, param->name, param->choices, &chosen))
        set_text(panels, param, param->choices[chosen], TIDE_GUI_CHANGED);
}

static void help_of(tide_panels *panels, const tide_param *param)
{
    char text[400], initial[40];
    const char *help = param->help && param->help[0] ? param->help : "";
    write_number(param->initial, initial);
    if (param->type == TIDE_PARAM_NUMBER)
        snprintf(text, sizeof text, "%.250s%sfirst %s%s%.60s", help, help[0] ? "; " : "", initial,
                 param->unit && param->unit[0] ? " " : "", param->unit ? param->unit : "");
    else
        snprintf(text, sizeof text, "%.250s", help);
    tide_gui_help(panels->gui, text);
}

static void param_widget(tide_panels *panels, const tide_param *param)
{
    bool value = param->number != 0;
    char text[256];
    switch (param->type) {
    case TIDE_PARAM_NUMBER:
        number_widget(panels, param);
        break;
    case TIDE_PARAM_BOOLEAN:
        if (tide_gui_check(panels->gui, param->name, &value))
            set_text(panels, param, value ? "true" : "false", TIDE_GUI_CHANGED);
        break;
    case TIDE_PARAM_CHOICE:
        choice_widget(panels, param);
        break;
    case TIDE_PARAM_TEXT:
        snprintf(text, sizeof text, "%s", param->text);
        if (tide_gui_field(panels->gui, param->name, text, sizeof text))
            set_text(panels, param, text, TIDE_GUI_CHANGED);
        break;
    }
    help_of(panels, param);
}

static bool is_changed(const tide_param *param)
{
    return (param->type == TIDE_PARAM_NUMBER || param->type == TIDE_PARAM_BOOLEAN) && param->number != param->initial;
}

// --- the panel -------------------------------------------------------------------------------------------------------

static void reset_all(tide_panels *panels, tide_script *script)
{
    for (uint32_t i = 0; i < tide_script_param_count(script); i++) {
        const tide_param *param = tide_script_param_at(script, i);
        if (!is_changed(param))
            continue;
        if (param->type == TIDE_PARAM_BOOLEAN)
            set_text(panels, param, param->initial != 0 ? "true" : "false", TIDE_GUI_CHANGED);
        else
            set_number(panels, param, param->initial, TIDE_GUI_CHANGED);
    }
}

static void copy(tide_panels *panels, tide_script *script, bool as_options)
{
    TIDE_SCOPED_BY(tide_text_free) tide_text text = { 0 };
    tide_error error;
    char said[240];
    if (tide_params_write(script, as_options, &text, &error) != TIDE_OK)
        tide_panels_say(panels, tide_error_text(&error, said, sizeof said));
    else if (text.failed)
        panels->failed = true;
    else
        tide_panels_copy(panels, text.bytes ? text.bytes : "",
                         as_options ? "options of the command line" : "lines of Lua");
}

void tide_panel_params(tide_panels *panels)
{
    tide_gui *gui = panels->gui;
    tide_script *script = tide_live_script(panels->live);
    uint32_t count = tide_script_param_count(script);
    for (uint32_t i = 0; i < count; i++)
        param_widget(panels, tide_script_param_at(script, i));
    if (!count)
        tide_gui_text(gui, TIDE_GUI_QUIET, "The scene has none; tide.param(name, value) makes one.");
    bool undo = tide_panels_can_undo(panels), redo = tide_panels_can_redo(panels);
    tide_gui_disable(gui, !undo);
    if (tide_gui_button(gui, "Undo"))
        tide_panels_undo(panels);
    tide_gui_help(gui, "Ctrl+Z: takes back the last change of a parameter, the solver or the timestep");
    tide_gui_enable(gui);
    tide_gui_next(gui);
    tide_gui_disable(gui, !redo);
    if (tide_gui_button(gui, "Redo"))
        tide_panels_redo(panels);
    tide_gui_enable(gui);
    if (!count)
        return;
    tide_gui_next(gui);
    if (tide_gui_button(gui, "Initial values"))
        reset_all(panels, script);
    tide_gui_help(gui, "values as the script declares them");
    if (tide_gui_button(gui, "Copy as Lua"))
        copy(panels, script, false);
    tide_gui_help(gui, "the lines of the script with the values as they are now");
    tide_gui_next(gui);
    if (tide_gui_button(gui, "Copy as --set"))
        copy(panels, script, true);
    tide_gui_help(gui, "the same as options of the command line");
}
