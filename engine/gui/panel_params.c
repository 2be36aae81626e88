// The parameters that the scene's script declares (tide.param). A new value is an input; the script then runs again.
#include "gui/gui_numbers.h"
#include "gui/panels_state.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool has_range(const tide_param *param)
{
    return param->type == TIDE_PARAM_NUMBER && param->minimum <= param->maximum && isfinite(param->minimum) &&
           isfinite(param->maximum);
}

// Returns whether a parameter is a count: without a unit, with integer values and a range of at least 8. A script
// may need an integer.
static bool is_count(const tide_param *param)
{
    const double numbers[] = { param->number, param->initial, param->minimum, param->maximum };
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if (numbers[i] != round(numbers[i]) || fabs(numbers[i]) > 1e9)
            return false;
    return !(param->unit && param->unit[0]) && param->maximum - param->minimum >= 8;
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
    double number = param->number;
    unsigned acts;
    if (has_range(param) && is_count(param)) {
        int whole = (int)number;
        acts = tide_gui_slider_integer(panels->gui, param->name, &whole, (int)param->minimum, (int)param->maximum,
                                       param->logarithmic && param->minimum > 0);
        number = whole;
    } else if (has_range(param))
        acts = tide_gui_slider(panels->gui, param->name, &number, param->minimum, param->maximum,
                               param->logarithmic && param->minimum > 0, param->unit);
    else
        acts = tide_gui_number(panels->gui, param->name, &number, param->unit) ? (unsigned)TIDE_GUI_CHANGED : 0;
    if (has_range(param))
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

// --- copying ---------------------------------------------------------------------------------------------------------

static bool is_changed(const tide_param *param)
{
    return (param->type == TIDE_PARAM_NUMBER || param->type == TIDE_PARAM_BOOLEAN) && param->number != param->initial;
}

// Writes a word for a shell: in single quotes, with each ' escaped.
static void write_quoted(const char *text, tide_text *out)
{
    if (text[0] &&
        strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+.,:/=") == strlen(text)) {
        tide_text_format(out, "%s", text);
        return;
    }
    tide_text_format(out, "'");
    for (; *text; text++)
        if (*text == '\'')
            tide_text_format(out, "'\\''");
        else
            tide_text_format(out, "%c", *text);
    tide_text_format(out, "'");
}

static void write_lua_string(const char *text, tide_text *out)
{
    tide_text_format(out, "\"");
    for (; *text; text++)
        if (*text == '"' || *text == '\\')
            tide_text_format(out, "\\%c", *text);
        else if ((unsigned char)*text < 32)
            tide_text_format(out, "\\%03d", *text);
        else
            tide_text_format(out, "%c", *text);
    tide_text_format(out, "\"");
}

static bool is_word(const char *name)
{
    return name[0] && strspn(name, "0123456789") == 0 &&
           strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == strlen(name);
}

static void write_options(const tide_param *param, tide_text *out)
{
    const char *comma = "";
    char number[2][40];
    if (param->type == TIDE_PARAM_NUMBER && param->minimum <= param->maximum) {
        write_number(param->minimum, number[0]);
        write_number(param->maximum, number[1]);
        if (isfinite(param->minimum))
            tide_text_format(out, "min = %s", number[0]);
        if (isfinite(param->maximum))
            tide_text_format(out, "%smax = %s", isfinite(param->minimum) ? ", " : "", number[1]);
        comma = ", ";
    }
    if (param->logarithmic) {
        tide_text_format(out, "%sscale = \"log\"", comma);
        comma = ", ";
    }
    if (param->choices) {
        tide_text_format(out, "%schoices = { ", comma);
        for (size_t i = 0; param->choices[i]; i++) {
            tide_text_format(out, "%s", i ? ", " : "");
            write_lua_string(param->choices[i], out);
        }
        tide_text_format(out, " }");
        comma = ", ";
    }
    const char *const texts[][2] = { { "unit", param->unit }, { "help", param->help } };
    for (size_t i = 0; i < 2; i++)
        if (texts[i][1] && texts[i][1][0]) {
            tide_text_format(out, "%s%s = ", comma, texts[i][0]);
            write_lua_string(texts[i][1], out);
            comma = ", ";
        }
}

static void write_param(const tide_param *param, tide_text *out)
{
    char number[40];
    if (is_word(param->name))
        tide_text_format(out, "local %s = ", param->name);
    tide_text_format(out, "tide.param(");
    write_lua_string(param->name, out);
    tide_text_format(out, ", ");
    write_number(param->number, number);
    if (param->type == TIDE_PARAM_NUMBER)
        tide_text_format(out, "%s", number);
    else if (param->type == TIDE_PARAM_BOOLEAN)
        tide_text_format(out, "%s", param->number != 0 ? "true" : "false");
    else
        write_lua_string(param->text, out);
    tide_text options = { 0 };
    write_options(param, &options);
    if (options.length)
        tide_text_format(out, ", { %s }", options.bytes);
    out->failed = out->failed || options.failed;
    tide_text_free(&options);
    tide_text_format(out, ")\n");
}

void tide_panels_write_params(tide_script *script, bool as_options, tide_text *text)
{
    for (uint32_t i = 0; i < tide_script_param_count(script); i++) {
        const tide_param *param = tide_script_param_at(script, i);
        if (!as_options) {
            write_param(param, text);
            continue;
        }
        char word[600], number[40];
        write_number(param->number, number);
        snprintf(word, sizeof word, "%.100s=%.480s", param->name,
                 param->type == TIDE_PARAM_NUMBER ? number : param->text);
        tide_text_format(text, "%s--set ", i ? " " : "");
        write_quoted(word, text);
    }
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
    tide_text text = { 0 };
    tide_panels_write_params(script, as_options, &text);
    if (text.failed)
        panels->failed = true;
    else
        tide_panels_copy(panels, text.bytes ? text.bytes : "",
                         as_options ? "options of the command line" : "lines of Lua");
    tide_text_free(&text);
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
