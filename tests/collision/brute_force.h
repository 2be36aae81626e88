// Checks of contact that share nothing with what finds contacts in the engine: a plain grid for crossings, all
// triangles for distances.
#ifndef TIDE_TESTS_CONTACT_BRUTE_FORCE_H
#define TIDE_TESTS_CONTACT_BRUTE_FORCE_H

#include "collision/surface.h"
#include "mesh/mesh.h"

typedef struct brute_crossings {
    uint64_t count;          // pairs of an edge and a triangle that share no point and cross, of parts that may touch
    uint64_t undecided;      // pairs too close to degenerate to tell in double precision; not counted as crossings
    uint32_t edge, triangle; // of the first, in the order of triangles
} brute_crossings;

// Positions x are (3 * point_count). Every edge is held against every triangle of the cells of a uniform grid that its
// box overlaps.
brute_crossings brute_find_crossings(const tide_contact_surface *surface, const double *x);

// The distance from p to the nearest of all triangles, negative where their winding number about p says that it is
// inside (a closed mesh whose triangles are counter-clockwise from outside).
double brute_distance(const tide_mesh *mesh, const double p[3]);

#endif
