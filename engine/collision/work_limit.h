// The work that contact may do in a timestep, bounded by the size of the surface.
//
// Where a motion diverges, everything comes near everything: the number of pairs grows with the square of the number of
// features, and rounds of impulses do not settle. The search for pairs and continuous collision spend units of work
// (about 50 ns each) here. A substep is granted so many per feature; a surface whose edges are stretched tenfold
// is granted a small amount for the whole timestep. When nothing is left, the step fails as diverged.
//
// Pairs take memory as well: a search ends, as if no work were left, when it finds more of them than `most_pairs`.
//
// It is also the one place where contact looks at the limit of time (base/stop.h). Once that is over, nothing is left
// either: all loops end, and the step fails as stopped.
#ifndef TIDE_COLLISION_WORK_LIMIT_H
#define TIDE_COLLISION_WORK_LIMIT_H

#include "collision/surface.h"

typedef struct tide_contact_work {
    uint64_t left, spent; // units, in this timestep
    uint64_t most_pairs;  // that a search may find; 0: no bound
    uint64_t unlooked;    // units since the limit of time was looked at
    double stretch;       // root mean square of the edges' lengths over that at rest, when last measured
    bool stretched;       // more than TIDE_CONTACT_STRETCHED
    bool crowded;         // a search found more than most_pairs; exhausted as well
    bool exhausted;
    bool stopped; // by the limit of time; exhausted as well
} tide_contact_work;

#define TIDE_CONTACT_STRETCHED 10.0
// Units: for a timestep; for each of its features; for each substep and feature unless stretched. What operations cost.
enum { TIDE_WORK_TIMESTEP = 1 << 23, TIDE_WORK_STRETCHED = 1 << 8, TIDE_WORK_FEATURE = 1 << 13 };
// Pairs: for a surface; for each of its features. A cloth that crumples has up to 13 to a feature.
enum { TIDE_WORK_PAIRS = 1 << 14, TIDE_WORK_PAIRS_FEATURE = 16 };
enum { TIDE_WORK_CANDIDATE = 4, TIDE_WORK_PAIR = 8, TIDE_WORK_GAP = 32, TIDE_WORK_IMPACT_TEST = 8 };
enum { TIDE_WORK_ANSWER = 4, TIDE_WORK_WALL = 4 };
enum { TIDE_WORK_LOOK = 1 << 12 }; // between two looks at the limit of time: about 0.2 ms

uint64_t tide_contact_features(const tide_contact_surface *surface); // points, edges and triangles
// At the start of a substep, of which the first begins a timestep. Keeps most_pairs.
void tide_contact_work_begin(tide_contact_work *work, const tide_contact_surface *surface, bool first);
// Measures the stretch at x (3 * point_count), and takes back what was granted where that is too large.
void tide_contact_work_measure(tide_contact_work *work, const tide_contact_surface *surface, const double *x);
// Ends all loops of contact: there are more pairs than most_pairs.
void tide_contact_work_crowd(tide_contact_work *work);
// Fails with TIDE_ERROR_NUMERIC and says how much was done; where the limit of time was over, with TIDE_ERROR_SCRIPT.
tide_status tide_contact_work_fail(const tide_contact_work *work, tide_error *error);

// Looks at the limit of time.
void tide_contact_work_look(tide_contact_work *work);

// For loops that are bounded otherwise: counts units towards the next look. True when the limit of time is over.
static inline bool tide_contact_work_stops(tide_contact_work *work, uint64_t units)
{
    if (!work)
        return false;
    work->unlooked += units;
    if (work->unlooked >= TIDE_WORK_LOOK)
        tide_contact_work_look(work);
    return work->stopped;
}

// Spends units; false when there are none left. NULL: no bound.
static inline bool tide_contact_work_spend(tide_contact_work *work, uint64_t units)
{
    if (!work)
        return true;
    tide_contact_work_stops(work, units);
    work->spent += units;
    work->exhausted = work->exhausted || units > work->left;
    work->left -= work->exhausted ? work->left : units;
    return !work->exhausted;
}

#endif
