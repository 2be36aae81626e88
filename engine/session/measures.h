// Forces of a step that panels, plots and statistics show: of pins, attachments and contacts, and the largest stress.
#ifndef TIDE_SESSION_MEASURES_H
#define TIDE_SESSION_MEASURES_H

#include "world/world.h"

typedef struct tide_forces {
    double reaction[3]; // N, the sum of the forces of pins and attachments
    double contact[3];  // N, the sum of the forces of contacts, friction included
    double stress;      // Pa, the largest von Mises stress of solids and membranes
} tide_forces;

// Adds those of a body, of the last step. Returns false without memory, with nothing added.
bool tide_add_forces(tide_world *world, tide_body_id body, tide_forces *forces);
// Computes those of all bodies. Returns false without memory.
bool tide_measure_forces(tide_world *world, tide_forces *forces);
double tide_force_size(const double force[3]); // N

#endif
