// Impacts of two features that move linearly: continuous collision detection.
#ifndef TIDE_COLLISION_IMPACT_H
#define TIDE_COLLISION_IMPACT_H

#include "collision/proximity.h"

// A meeting of two features: the constraint normal . (sum of weights x positions) >= target at the end of the motion.
// Weights are those of tide_contact_gap.
typedef struct tide_impact {
    tide_pair_kind kind; // TRIANGLE or EDGES
    uint32_t points[4];
    uint64_t key;
    double time, normal[3], weights[4];
    double target; // m
    double push;   // kg m: the accumulated multiplier
    int steps;     // steps of advancement spent on it
} tide_impact;

// The volume of the tetrahedron of four moving points, a cubic in time on [0, 1] in the Bernstein basis. `error` bounds
// its rounding.
typedef struct tide_cubic {
    double b[4], error;
    double magnitude; // of its products
} tide_cubic;

enum { TIDE_CUBIC_CANDIDATES = 8 };
tide_cubic tide_cubic_of_volume(const double from[4][3], const double to[4][3]);
double tide_cubic_value(const tide_cubic *cubic, double t);
// Finds ascending times at which the cubic is 0, or may be within its error; a time may occur twice. Sets *doubt to the
// uncertainty of each. Returns their number.
int tide_cubic_candidates(const tide_cubic *cubic, double times[TIDE_CUBIC_CANDIDATES],
                          double doubt[TIDE_CUBIC_CANDIDATES]);

// Finds the first meeting, with time, normal, weights and (always) steps. Returns false when there is none. `kind`
// gives the roles of the points. Conservative: features that come within rounding of a meeting (1e-9 of their size, or
// 3.6e-15 of their largest coordinate; at the end of the motion 1e-7 of their size) count as meeting. That no meeting
// is missed is proved in contact/README.md.
bool tide_impact_find(tide_pair_kind kind, const double from[4][3], const double to[4][3], tide_impact *impact);
// Returns the longest edge of the pair at `from`: the length scale of tolerances.
double tide_impact_scale(tide_pair_kind kind, const double from[4][3]);

#endif
