// The limit on the work of contact in a timestep, which depends on the size of the surface.
//
// Where a motion diverges, everything comes near everything: the number of pairs grows with the square of the number of
// features, and iterations of impulses do not converge. The search for pairs and continuous collision spend units of
// work (about 50 ns each) here. Each substep is granted a number of units per feature; a surface whose edges are
// stretched tenfold is granted a small amount for the whole timestep. When nothing is left, the step fails as diverged.
//
// Pairs take memory as well: a search that finds more of them than `most_pairs` ends as if no work were left.
//
// This is also the only place where contact polls for a stop (base/stop.h). After a stop nothing is left either: all
// loops end, and the step fails as stopped.
#ifndef TIDE_COLLISION_WORK_LIMIT_H
#define TIDE_COLLISION_WORK_LIMIT_H

#include "collision/surface.h"

typedef struct tide_contact_work {
    uint64_t left, spent; // units, in this timestep
    uint64_t most_pairs;  // limit of a search; 0: unbounded
    uint64_t unlooked;    // units since the last poll for a stop
    double stretch;       // last measured root mean square of the edge lengths, relative to rest
    bool stretched;       // above TIDE_CONTACT_STRETCHED
    bool crowded;         // a search found more than most_pairs; implies exhausted
    bool exhausted;
    bool stopped; // by a stop; implies exhausted
} tide_contact_work;

#define TIDE_CONTACT_STRETCHED 10.0
// Units granted: for a timestep; for each of its features, if stretched; for each substep and feature, if not. Then the
// units that operations cost.
enum { TIDE_WORK_TIMESTEP = 1 << 23, TIDE_WORK_STRETCHED = 1 << 8, TIDE_WORK_FEATURE = 1 << 13 };
// Limit of pairs: for a surface; for each of its features. A crumpling cloth has up to 13 for each feature.
enum { TIDE_WORK_PAIRS = 1 << 14, TIDE_WORK_PAIRS_FEATURE = 16 };
enum { TIDE_WORK_CANDIDATE = 4, TIDE_WORK_PAIR = 8, TIDE_WORK_GAP = 32, TIDE_WORK_IMPACT_TEST = 8 };
enum { TIDE_WORK_SOLVE = 4, TIDE_WORK_WALL = 4 };
enum { TIDE_WORK_LOOK = 1 << 12 }; // between two polls for a stop: about 0.2 ms

uint64_t tide_contact_features(const tide_contact_surface *surface); // points, edges and triangles
// Grants work at the start of a substep; `first`: of the timestep. Keeps most_pairs.
void tide_contact_work_begin(tide_contact_work *work, const tide_contact_surface *surface, bool first);
// Measures the stretch at x (3 * point_count). If it is too large, takes granted work back.
void tide_contact_work_measure(tide_contact_work *work, const tide_contact_surface *surface, const double *x);
// Ends all loops of contact because there are more pairs than most_pairs.
void tide_contact_work_crowd(tide_contact_work *work);
// Fails with TIDE_ERROR_NUMERIC and tells the work done; after a stop, fails with TIDE_ERROR_SCRIPT.
tide_status tide_contact_work_fail(const tide_contact_work *work, tide_error *error);

// Polls for a stop.
void tide_contact_work_look(tide_contact_work *work);

// For loops with another bound: counts units towards the next poll. Returns true after a stop.
static inline bool tide_contact_work_stops(tide_contact_work *work, uint64_t units)
{
    if (!work)
        return false;
    work->unlooked += units;
    if (work->unlooked >= TIDE_WORK_LOOK)
        tide_contact_work_look(work);
    return work->stopped;
}

// Spends units. Returns false when none are left. NULL: unbounded.
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
