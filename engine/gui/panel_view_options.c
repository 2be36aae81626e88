// View options: colours by numbers, arrows, contacts, springs.
#include "gui/panels_state.h"

#include <math.h>

static void colour_widgets(tide_panels *panels, tide_view_options *options)
{
    const char *names[TIDE_COLOURING_COUNT + 1], *help = NULL;
    int chosen = (int)options->colouring;
    for (int i = 0; i < TIDE_COLOURING_COUNT; i++)
        names[i] = tide_colouring_name((tide_colouring)i, NULL);
    names[TIDE_COLOURING_COUNT] = NULL;
    if (tide_gui_choice(panels->gui, "colours", names, &chosen)) {
        options->colouring = (tide_colouring)chosen;
        options->low = options->high = 0;
    }
    tide_colouring_name(options->colouring, &help);
    tide_gui_help(panels->gui, help);
    if (options->colouring == TIDE_COLOURING_PLAIN)
        return;
    const char *maps[TIDE_MAP_COUNT + 1] = { NULL };
    for (int i = 0; i < TIDE_MAP_COUNT; i++)
        maps[i] = tide_colour_map_name((tide_colour_map)i, NULL);
    chosen = (int)options->map;
    if (tide_gui_choice(panels->gui, "map", maps, &chosen))
        options->map = (tide_colour_map)chosen;
    tide_colour_map_name(options->map, &help);
    tide_gui_help(panels->gui, help);
    if (options->colouring == TIDE_COLOURING_AUTOMATIC) // the script provides its range
        return;
    bool automatic = !(options->high > options->low);
    if (tide_gui_check(panels->gui, "range by itself", &automatic)) {
        options->low = 0;
        options->high = automatic ? 0 : 1;
    }
    tide_gui_help(panels->gui, "the smallest round range that contains 99 of 100 numbers");
    double low = options->low, high = options->high;
    if (automatic)
        return;
    bool changed = tide_gui_number(panels->gui, "from", &low, NULL);
    changed = tide_gui_number(panels->gui, "to", &high, NULL) || changed;
    if (changed && isfinite(low) && isfinite(high) && high > low) {
        options->low = low;
        options->high = high;
    }
}

void tide_panel_view_options(tide_panels *panels)
{
    tide_gui *gui = panels->gui;
    tide_view_settings *view = &panels->frame->picture->view;
    colour_widgets(panels, &view->options);
    tide_gui_check(gui, "contacts", &view->options.contacts);
    tide_gui_help(gui, "a point and a normal at each contact of the last step, longer the more force it carries");
    tide_gui_check(gui, "crossings", &view->options.crossings);
    tide_gui_help(gui, "check after each step that nothing goes through anything else, and mark where it does");
    tide_gui_next(gui);
    tide_gui_check(gui, "pins", &view->pins);
    tide_gui_check(gui, "velocities", &view->options.velocities);
    tide_gui_next(gui);
    tide_gui_check(gui, "forces", &view->options.forces);
    tide_gui_help(gui, "spring force on each vertex");
    tide_gui_check(gui, "springs by kind", &view->options.springs);
    tide_gui_next(gui);
    tide_gui_check(gui, "by strain", &view->wireframe);
    tide_gui_help(gui, "springs as lines, coloured by their strain");
}
