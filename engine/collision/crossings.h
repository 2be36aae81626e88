// Counts the crossings of a surface with itself, for checks.
#ifndef TIDE_COLLISION_CROSSINGS_H
#define TIDE_COLLISION_CROSSINGS_H

#include "collision/surface.h"

// How many pairs of an edge and a triangle that share no point cross at x, over all parts that may touch,
// by brute force with exact signs of volumes; *edge and *triangle (unless NULL) are those of the first. Touching is not
// crossing.
uint64_t tide_contact_count_crossings(const tide_contact_surface *surface, const double *x, uint32_t *edge,
                                      uint32_t *triangle);

#endif
