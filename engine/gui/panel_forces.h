// Plots of forces: of pins, attachments and contacts, and of the largest stress.
#ifndef TIDE_GUI_PANEL_FORCES_H
#define TIDE_GUI_PANEL_FORCES_H

#include "gui/plot_data.h"
#include "world/world.h"

// Adds the sums over all bodies to series, each from the first value other than 0 on.
void tide_panel_plot_forces(tide_plot_data *plots, tide_world *world);

#endif
