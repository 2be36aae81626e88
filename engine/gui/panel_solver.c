// The solver with all options of its field tables, and the timestep. They can be changed at any frame.
#include "gui/panels_state.h"

#include "base/memory.h"
#include "solver/solver_text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// --- widgets of fields -----------------------------------------------------------------------------------------------

// Draws an integer as a slider up to a likely value; a real number gets a slider if it has both bounds.
static unsigned integer_widget(tide_gui *gui, const tide_field *field, int *value)
{
    double most = field->maximum > field->minimum ? field->maximum : 1e6;
    double likely = field->minimum + 100;
    while (likely < *value || likely < 5 * field->initial[0])
        likely *= 10;
    unsigned acts = tide_gui_slider_integer(gui, field->name, value, (int)field->minimum, (int)fmin(likely, most),
                                            fmin(likely, most) - field->minimum > 50 && field->minimum > 0);
    *value = (int)fmin(fmax(*value, field->minimum), most);
    return acts;
}

static unsigned real_widget(tide_gui *gui, const tide_field *field, double *value)
{
    bool bounded = field->maximum > field->minimum && isfinite(field->minimum) && isfinite(field->maximum);
    char label[TIDE_FIELD_NAME_SIZE + 16];
    unsigned acts = 0;
    if (field->word) {
        bool automatic = !tide_given(*value);
        snprintf(label, sizeof label, "%s: %s", field->name, field->word);
        if (tide_gui_check(gui, label, &automatic)) {
            *value = automatic ? TIDE_NOT_GIVEN : bounded ? 0.5 * (field->minimum + field->maximum) : 1;
            return TIDE_GUI_CHANGED;
        }
    }
    if (!tide_given(*value))
        return 0;
    if (bounded) {
        acts = tide_gui_slider(gui, field->name, value, field->minimum, field->maximum, false, field->unit);
        *value = fmin(fmax(*value, field->minimum), field->maximum);
    } else if (tide_gui_number(gui, field->name, value, field->unit))
        acts = TIDE_GUI_CHANGED;
    return acts;
}

static unsigned field_widget(tide_gui *gui, const tide_field *field, void *options)
{
    void *at = (char *)options + field->offset;
    bool changed = false;
    switch (field->type) {
    case TIDE_FIELD_BOOLEAN:
        changed = tide_gui_check(gui, field->name, at);
        break;
    case TIDE_FIELD_INTEGER:
        return integer_widget(gui, field, at);
    case TIDE_FIELD_REAL:
        return real_widget(gui, field, at);
    case TIDE_FIELD_VECTOR:
        changed = tide_gui_vector(gui, field->name, at, field->unit);
        break;
    case TIDE_FIELD_CHOICE:
        changed = tide_gui_choice(gui, field->name, field->choices, at);
        break;
    case TIDE_FIELD_TEXT:
        changed = tide_gui_field(gui, field->name, at, TIDE_FIELD_TEXT_SIZE);
        break;
    default:
        break;
    }
    return changed ? (unsigned)TIDE_GUI_CHANGED : 0;
}

// Draws a record. The fields after the first have an effect only if the first is not its first choice, "none".
static unsigned record_widgets(tide_gui *gui, const tide_field *record, void *options)
{
    char name[TIDE_FIELD_NAME_SIZE];
    tide_field first = tide_field_within(record, record->record, name);
    tide_field named = first;
    named.name = record->name;
    unsigned acts = field_widget(gui, &named, options);
    tide_gui_help(gui, record->help);
    if (*(int *)(void *)((char *)options + first.offset) == 0)
        return acts;
    for (const tide_field *inner = record->record + 1; inner->name; inner++) {
        tide_field field = tide_field_within(record, inner, name);
        acts |= field_widget(gui, &field, options);
        tide_gui_help(gui, field.help);
    }
    return acts;
}

// Returns whether an option is folded: rarely changed, and only by those who know the method.
static bool is_advanced(const tide_field *field)
{
    static const char *const plain[] = { "substeps",     "substep", "iterations", "tolerance", "damping",
                                         "acceleration", "linear",  "adaptive",   "theta",     "compliance" };
    for (size_t i = 0; i < sizeof plain / sizeof plain[0]; i++)
        if (strcmp(field->name, plain[i]) == 0)
            return false;
    return true;
}

static unsigned some_widgets(tide_gui *gui, const tide_solver_kind *kind, void *options, bool advanced)
{
    unsigned acts = 0;
    for (const tide_field *field = kind->fields; field->name; field++)
        if (is_advanced(field) != advanced)
            continue;
        else if (field->type == TIDE_FIELD_RECORD)
            acts |= record_widgets(gui, field, options);
        else if (field->type != TIDE_FIELD_OTHER) {
            acts |= field_widget(gui, field, options);
            tide_gui_help(gui, field->help);
        }
    return acts;
}

static unsigned option_widgets(tide_gui *gui, const tide_solver_kind *kind, void *options)
{
    unsigned acts = some_widgets(gui, kind, options, false);
    bool more = false;
    for (const tide_field *field = kind->fields; field->name && !more; field++)
        more = field->type != TIDE_FIELD_OTHER && is_advanced(field);
    if (more && tide_gui_begin_part(gui, "Advanced", false)) {
        acts |= some_widgets(gui, kind, options, true);
        tide_gui_end_part(gui);
    }
    return acts;
}

// --- the panel -------------------------------------------------------------------------------------------------------

enum { MAX_KINDS = 64 };

// Lists all kinds, and the current one if it is the scene's own
static int list_kinds(const tide_solver_kind *current, const char *names[MAX_KINDS + 1])
{
    int count = 0, chosen = -1;
    const tide_solver_kind *kind;
    for (uint32_t i = 0; count < MAX_KINDS - 1 && (kind = tide_solver_kind_at(i)); i++) {
        if (kind == current)
            chosen = count;
        names[count++] = kind->name;
    }
    if (chosen < 0) {
        chosen = count;
        names[count++] = current->name;
    }
    names[count] = NULL;
    return chosen;
}

static void set_solver(tide_panels *panels, const char *text, unsigned acts)
{
    const tide_solver *solver = tide_world_solver(tide_live_world(panels->live));
    tide_text now = { 0 };
    tide_solver_text_write(tide_solver_kind_of(solver), tide_solver_options(solver), &now);
    if (now.failed)
        panels->failed = true;
    else {
        tide_input before = { .kind = TIDE_INPUT_SOLVER, .text = now.bytes }, after = before;
        after.text = text;
        tide_panels_change_to(panels, &before, &after, acts);
    }
    tide_text_free(&now);
}

static void options_panel(tide_panels *panels, const tide_solver *solver)
{
    const tide_solver_kind *kind = tide_solver_kind_of(solver);
    void *options = tide_copy_bytes(tide_solver_options(solver), kind->options_size);
    if (!options) {
        panels->failed = true;
        return;
    }
    tide_gui_push(panels->gui, kind->name);
    unsigned acts = option_widgets(panels->gui, kind, options);
    tide_gui_pop(panels->gui);
    tide_text text = { 0 };
    if (acts)
        tide_solver_text_write(kind, options, &text);
    if (text.failed)
        panels->failed = true;
    else if (acts)
        set_solver(panels, text.bytes, acts);
    tide_text_free(&text);
    tide_free(options);
}

static void timestep_panel(tide_panels *panels)
{
    const double least = 1e-4, most = 0.1;
    double h = tide_world_get_settings(tide_live_world(panels->live))->timestep, wanted = h;
    unsigned acts = tide_gui_slider(panels->gui, "timestep", &wanted, fmin(least, h), fmax(most, h), true, "s");
    tide_gui_help(panels->gui, "h, the world's step; typed after Ctrl+click or Enter");
    tide_input before = { .kind = TIDE_INPUT_TIMESTEP, .number = h }, after = before;
    after.number = fmin(fmax(wanted, 1e-9), 10);
    if (acts)
        tide_panels_change_to(panels, &before, &after, acts);
    after.number = 0;
    if (tide_live_timestep(panels->live) > 0) {
        if (tide_gui_button(panels->gui, "The scene's timestep"))
            tide_panels_change_to(panels, &before, &after, TIDE_GUI_CHANGED);
    }
}

static void copy_solver(tide_panels *panels, const tide_solver *solver)
{
    tide_text text = { 0 };
    tide_text_format(&text, "--solver ");
    tide_solver_text_write(tide_solver_kind_of(solver), tide_solver_options(solver), &text);
    if (text.failed)
        panels->failed = true;
    else
        tide_panels_copy(panels, text.bytes, "an option of the command line");
    tide_text_free(&text);
}

static void iteration_panel(tide_panels *panels)
{
    const char *text = panels->frame->iterate;
    if (text)
        tide_gui_text(panels->gui, TIDE_GUI_PLAIN, text);
    if (tide_gui_button(panels->gui, "Next iteration"))
        panels->iterate = true;
    tide_gui_help(panels->gui, "Key: comma. Shows the iterates of the step to come, from y on, with the springs' "
                               "directions d and the residual -grad g / h² as arrows; after the last, the step is "
                               "taken.");
}

void tide_panel_solver(tide_panels *panels)
{
    tide_gui *gui = panels->gui;
    const tide_solver *solver = tide_world_solver(tide_live_world(panels->live));
    const tide_solver_kind *kind = tide_solver_kind_of(solver);
    const char *names[MAX_KINDS + 1];
    int chosen = list_kinds(kind, names);
    if (tide_gui_choice(gui, "method", names, &chosen))
        set_solver(panels, names[chosen], TIDE_GUI_CHANGED);
    tide_gui_help(gui, kind->help);
    options_panel(panels, solver);
    timestep_panel(panels);
    tide_gui_disable(gui, !tide_live_solver_text(panels->live));
    if (tide_gui_button(gui, "The scene's own"))
        set_solver(panels, NULL, TIDE_GUI_CHANGED);
    tide_gui_enable(gui);
    tide_gui_next(gui);
    if (tide_gui_button(gui, "Copy as --solver"))
        copy_solver(panels, solver);
    iteration_panel(panels);
}
