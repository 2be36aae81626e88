// Forces that the panels show: of pins, attachments and contacts, and the largest stress.
#ifndef TIDE_GUI_PANEL_FORCES_H
#define TIDE_GUI_PANEL_FORCES_H

#include "gui/plot_data.h"
#include "world/world.h"

typedef struct tide_panel_forces {
    double reaction[3]; // N, the sum of the forces of pins and attachments
    double contact[3];  // N, the sum of the forces of contacts, friction included
    double stress;      // Pa, the largest von Mises stress of solids and membranes
} tide_panel_forces;

// Adds those of a body, of the last step. Returns false without memory, with nothing added.
bool tide_panel_add_forces(tide_world *world, tide_body_id body, tide_panel_forces *forces);
// Adds the sums over all bodies to series, each from the first value other than 0 on.
void tide_panel_plot_forces(tide_plot_data *plots, tide_world *world);

#endif
