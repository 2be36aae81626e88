#include "gui/panel_forces.h"

#include "session/measures.h"

static void plot(tide_plot_data *plots, const char *name, const char *unit, double value)
{
    if (value > 0 || tide_plot_data_find(plots, name))
        tide_plot_data_add(plots, name, unit, value);
}

void tide_panel_plot_forces(tide_plot_data *plots, tide_world *world)
{
    tide_forces forces;
    if (!tide_measure_forces(world, &forces))
        return;
    plot(plots, "reaction", "N", tide_force_size(forces.reaction));
    plot(plots, "contact force", "N", tide_force_size(forces.contact));
    plot(plots, "largest stress", "Pa", forces.stress);
}
