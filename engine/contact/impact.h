// What the files of continuous collision share; not for others.
#ifndef TIDE_CONTACT_IMPACT_H
#define TIDE_CONTACT_IMPACT_H

#include "contact/continuous.h"

// Where and how two features meet: the constraint normal . (sum of weights x positions) >= target at the end of the
// motion. Weights as in tide_contact_gap.
typedef struct tide_impact {
    tide_pair_kind kind; // TRIANGLE or EDGES
    uint32_t points[4];
    uint64_t key;
    double time, normal[3], weights[4];
    double target; // m
    double push;   // kg m: the multiplier so far
    int steps;     // of advancement that finding it took
} tide_impact;

// The volume that four points span as they move, in the Bernstein basis: of degree 3 in time on [0, 1]. `error` bounds
// its rounding.
typedef struct tide_cubic {
    double b[4], error;
    double magnitude; // of the products that it is made of
} tide_cubic;

enum { TIDE_CUBIC_CANDIDATES = 8 };
tide_cubic tide_cubic_of_volume(const double from[4][3], const double to[4][3]);
double tide_cubic_value(const tide_cubic *cubic, double t);
// Ascending times at which the cubic is 0 or, to within its error, may be; some perhaps twice. *doubt: how far off each
// may be.
int tide_cubic_candidates(const tide_cubic *cubic, double times[TIDE_CUBIC_CANDIDATES],
                          double doubt[TIDE_CUBIC_CANDIDATES]);

// The first meeting, with time, normal, weights and, in any case, steps; false when there is none. `kind` tells the
// roles of the points.
bool tide_impact_find(tide_pair_kind kind, const double from[4][3], const double to[4][3], tide_impact *impact);
// Of the pair's edges at `from`, the longest: what is small is small against it.
double tide_impact_scale(tide_pair_kind kind, const double from[4][3]);

// --- zones: points that move together

typedef struct tide_zones tide_zones;
tide_status tide_zones_create(const tide_contact_surface *surface, tide_zones **zones, tide_error *error);
void tide_zones_destroy(tide_zones *zones); // NULL does nothing
void tide_zones_clear(tide_zones *zones);   // every point is on its own again
// Joins the points of each impact to one zone; returns how many zones there are.
uint32_t tide_zones_join(tide_zones *zones, const tide_impact *impacts, size_t count);
// Whether all four are in one zone without moving points that have no inverse mass: then they keep their distances.
bool tide_zones_hold(const tide_zones *zones, const uint32_t points[4]);
// Moves each zone as if rigid, and marks the points whose place in x changes.
void tide_zones_move(tide_zones *zones, const double *from, double *x, bool *moved);

// Moves x until the constraints hold or `sweeps` are over, by the least change in the kinetic norm when it has settled:
// Gauss and Seidel's method with multipliers that stay at least 0. Marks the points it moves. Stops when `work` (NULL:
// no bound) is exhausted.
void tide_impacts_push(const tide_contact_surface *surface, tide_impact *impacts, size_t count, int sweeps, double *x,
                       bool *moved, tide_contact_work *work);

#endif
