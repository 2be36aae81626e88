// The work that contact may do in a timestep, bounded by the size of the surface.
//
// Where a motion diverges, everything comes near everything: the number of pairs grows with the square of the number of
// features, and rounds of impulses do not settle. The search for pairs and continuous collision spend units of work
// (about 50 ns each) here. A substep is granted so many per feature; a surface whose edges are stretched tenfold
// is granted a small amount for the whole timestep. When nothing is left, the step fails as diverged.
#ifndef TIDE_CONTACT_WORK_H
#define TIDE_CONTACT_WORK_H

#include "contact/surface.h"

typedef struct tide_contact_work {
    uint64_t left, spent; // units, in this timestep
    double stretch;       // root mean square of the edges' lengths over that at rest, when last measured
    bool stretched;       // more than TIDE_CONTACT_STRETCHED
    bool exhausted;
} tide_contact_work;

#define TIDE_CONTACT_STRETCHED 10.0
// Units: for a timestep; for each of its features; for each substep and feature unless stretched. What operations cost.
enum { TIDE_WORK_TIMESTEP = 1 << 23, TIDE_WORK_STRETCHED = 1 << 8, TIDE_WORK_FEATURE = 1 << 13 };
enum { TIDE_WORK_CANDIDATE = 4, TIDE_WORK_PAIR = 8, TIDE_WORK_GAP = 32, TIDE_WORK_IMPACT_TEST = 8 };

// At the start of a substep, of which the first begins a timestep.
void tide_contact_work_begin(tide_contact_work *work, const tide_contact_surface *surface, bool first);
// Measures the stretch at x (3 * point_count), and takes back what was granted where that is too large.
void tide_contact_work_measure(tide_contact_work *work, const tide_contact_surface *surface, const double *x);
// Fails with TIDE_ERROR_NUMERIC and says how much was done.
tide_status tide_contact_work_fail(const tide_contact_work *work, tide_error *error);

// Spends units; false when there are none left. NULL: no bound.
static inline bool tide_contact_work_spend(tide_contact_work *work, uint64_t units)
{
    if (!work)
        return true;
    work->spent += units;
    work->exhausted = work->exhausted || units > work->left;
    work->left -= work->exhausted ? work->left : units;
    return !work->exhausted;
}

#endif
