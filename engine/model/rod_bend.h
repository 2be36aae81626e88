// Parameters of the bending of a rod at a vertex. The energy is in rod_bend.c.
#ifndef TIDE_MODEL_ROD_BEND_H
#define TIDE_MODEL_ROD_BEND_H

#include "model/element.h"

// N m: the bending stiffness E I, N m^2, divided by half the length of both edges at rest; the integral of the
// curvature at rest, 2 tan(phi / 2); m: the lengths of the edges at rest; the strain at the rod's surface for a
// curvature of 1: its radius divided by half the length of both edges.
enum {
    TIDE_ROD_BEND_STIFFNESS,
    TIDE_ROD_BEND_CURVATURE,
    TIDE_ROD_BEND_LENGTH_1,
    TIDE_ROD_BEND_LENGTH_2,
    TIDE_ROD_BEND_STRAIN,
    TIDE_ROD_BEND_PARAMETERS
};
extern const tide_element_kind tide_rod_bend; // the middle vertex is the second

#endif
