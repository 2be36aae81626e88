// Parameters of the elements of a rod that twists: the bending and twist at a vertex, and the arm of an edge's
// frame. The energies are in rod_twist.c and rod_arm.c.
#ifndef TIDE_MODEL_ROD_TWIST_H
#define TIDE_MODEL_ROD_TWIST_H

#include "model/element.h"

// N m: the bending stiffness E I divided by half the length of both edges at rest. The ratio of the stiffnesses of
// twist and bending, G J / E I. At rest: the integral of the curvature, 2 tan(phi / 2), its direction in both frames,
// and the angle of twist. m: the lengths of the edges and the arms of their frames at rest; the second is negative
// if the particles are on opposite sides. The strain at the rod's surface for a curvature of 1.
enum {
    TIDE_ROD_TWIST_STIFFNESS,
    TIDE_ROD_TWIST_RATIO,
    TIDE_ROD_TWIST_CURVATURE,
    TIDE_ROD_TWIST_DIRECTION_1,
    TIDE_ROD_TWIST_DIRECTION_2 = TIDE_ROD_TWIST_DIRECTION_1 + 2,
    TIDE_ROD_TWIST_ANGLE = TIDE_ROD_TWIST_DIRECTION_2 + 2,
    TIDE_ROD_TWIST_LENGTH_1,
    TIDE_ROD_TWIST_LENGTH_2,
    TIDE_ROD_TWIST_ARM_1,
    TIDE_ROD_TWIST_ARM_2,
    TIDE_ROD_TWIST_STRAIN,
    TIDE_ROD_TWIST_PARAMETERS
};
extern const tide_element_kind tide_rod_twist; // x0, x1, x2, and the particles of the frames of x0 x1 and x1 x2

// N/m; m: the arm, the offset along the edge, and the length of the edge, all at rest
enum { TIDE_ROD_ARM_STIFFNESS, TIDE_ROD_ARM_RADIUS, TIDE_ROD_ARM_OFFSET, TIDE_ROD_ARM_LENGTH, TIDE_ROD_ARM_PARAMETERS };
extern const tide_element_kind tide_rod_arm; // x0, x1, and the particle of the frame

// The strain of an element beyond its shape at rest as three numbers: two of curvature, in the frame half-way between
// both, and the angle of twist.
void tide_rod_twist_strains(const tide_elements *elements, const double *x, uint32_t e, double strains[3]);
// Adds such numbers to the shape at rest of an element.
void tide_rod_twist_add_rest(tide_elements *elements, uint32_t e, const double strains[3]);

#endif
