// Continuous collision: between `from`, without intersections, and `to`, every point moves along a line at a constant
// velocity. What would cross on the way is kept apart, so that `to` is without intersections, too.
//
// First rounds of impulses at the times of impact, weighted by mass, without friction or bounce (Bridson et al. 2002,
// sec. 7; Provot 1997's cubic); what they leave is gathered in impact zones, whose points are moved by the least change
// in the kinetic norm that satisfies all their constraints (Harmon et al. 2008, eq. 4 and 5, as inequalities: what
// parts is let go), and when a zone will not settle, moves rigidly (Provot 1997). Where moving points without inverse
// mass hinder even that, the motion is cut into halves. Linear momentum of points with mass stays; so does angular
// momentum, where an impulse acts about the place of its impact, where a zone is rigid as at `from`.
//
// Vertices meet triangles and edges meet edges of the parts that may touch; edges of lines meet those of triangles, and
// not each other. An impact ends as far apart as it began, or by the radii's sum if that is less.
#ifndef TIDE_CONTACT_CONTINUOUS_H
#define TIDE_CONTACT_CONTINUOUS_H

#include "collision/impact.h"
#include "collision/work_limit.h"

typedef struct tide_continuous tide_continuous;

typedef struct tide_continuous_report {
    uint32_t impacts;     // found in all rounds
    uint32_t rounds;      // of impulses
    uint32_t zones;       // impact zones solved, in all rounds
    uint32_t rigid_zones; // those that had to move rigidly
    uint32_t parts;       // 1; more where the motion had to be cut into parts, each resolved in turn
    uint32_t unresolved;  // impacts that are left, where points without inverse mass leave no room
    double detect_seconds, respond_seconds;
} tide_continuous_report;

tide_status tide_continuous_create(const tide_contact_surface *surface, tide_continuous **continuous,
                                   tide_error *error);
void tide_continuous_destroy(tide_continuous *continuous); // NULL does nothing
// What else points are to be kept out of: called after each round of impulses or zones, for the points that it has
// `moved` (point_count); it may move these in `to`, and tells whether
// it did. NULL: nothing.
void tide_continuous_keep_out(tide_continuous *continuous,
                              bool (*keep_out)(void *context, const bool *moved, double *to), void *context);
// Work is spent from `work`, which must outlive it; NULL: no bound. Out of work, to resolve fails.
void tide_continuous_limit(tide_continuous *continuous, tide_contact_work *work);
// Changes `to` where needed. Points without inverse mass stay where `to` has them. Always ends with a `to` whose motion
// from `from` has no crossing, if `from` has none and the points without inverse mass leave room for one.
tide_status tide_continuous_resolve(tide_continuous *continuous, const double *from, double *to,
                                    tide_continuous_report *report, tide_error *error);

#endif
