// Counts the crossings of a surface with itself, for checks.
#ifndef TIDE_TESTS_CROSSINGS_H
#define TIDE_TESTS_CROSSINGS_H

#include "collision/surface.h"

// Counts the pairs of an edge and a triangle without a common point that cross at x, over all parts that may touch, by
// brute force with exact signs of volumes. Sets *edge and *triangle (unless NULL) to those of the first. Touching is
// not crossing.
uint64_t tide_contact_count_crossings(const tide_contact_surface *surface, const double *x, uint32_t *edge,
                                      uint32_t *triangle);

#endif
