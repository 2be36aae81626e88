// Continuous collision: removes all crossings on the way from `from`, which has no intersections, to `to`. Every point
// moves along a line at a constant velocity; afterwards `to` has no intersections either.
//
// First come rounds of impulses at the times of impact, weighted by mass, without friction or bounce (Bridson et al.
// 2002, sec. 7; Provot 1997's cubic). Remaining impacts are gathered in impact zones, whose points move by the least
// change in the kinetic norm that satisfies all their constraints (Harmon et al. 2008, eq. 4 and 5, as inequalities, so
// that points may separate). A zone that does not converge moves rigidly (Provot 1997). Where moving points of infinite
// mass prevent even that, the motion is cut into halves. The linear momentum of points with mass is conserved. Angular
// momentum is conserved about the place of impact for impulses, and as at `from` for rigid zones.
//
// Vertices meet triangles and edges meet edges of the parts that may touch; edges of lines meet edges of triangles, not
// each other. An impact ends as far apart as it began, or by the sum of the radii if that is less.
#ifndef TIDE_CONTACT_CONTINUOUS_H
#define TIDE_CONTACT_CONTINUOUS_H

#include "collision/impact.h"
#include "collision/proximity.h"
#include "collision/work_limit.h"

typedef struct tide_continuous tide_continuous;

typedef struct tide_continuous_report {
    uint32_t impacts;     // found in all rounds
    uint32_t rounds;      // of impulses
    uint32_t zones;       // impact zones solved, in all rounds
    uint32_t rigid_zones; // those that had to move rigidly
    uint32_t parts;       // 1; more where the motion had to be cut into parts, each resolved in turn
    uint32_t unresolved;  // impacts that are left, where points without inverse mass leave no room
    uint64_t candidates;  // whose boxes overlap, in all rounds
    double detect_seconds, solve_seconds;
} tide_continuous_report;

tide_status tide_continuous_create(const tide_contact_surface *surface, tide_continuous **continuous,
                                   tide_error *error);
// Sets a callback that keeps points out of other obstacles; NULL: none. It is called after each round of impulses or
// zones, for the points that the round has `moved` (point_count). It may move these points in `to`, and returns whether
// it did.
void tide_continuous_keep_out(tide_continuous *continuous,
                              bool (*keep_out)(void *context, const bool *moved, double *to), void *context);
// Bounds the work by `work`, which must outlive it; NULL: unbounded. Without work left, tide_continuous_resolve fails.
void tide_continuous_limit(tide_continuous *continuous, tide_contact_work *work);
// Prepares for tide_continuous_know with the pairs of `proximity`, which must outlive `continuous`. Fails without
// memory.
tide_status tide_continuous_use_pairs(tide_continuous *continuous, const tide_proximity *proximity, tide_error *error);
// Tells that the pairs found last are complete if, in the next call, points move from `from` to within their skins:
// balls of radius skins[p] (m) about `centres` (3 * point_count, m). That call then tests these pairs, and searches
// only for points outside their skins and parts that are not listed (tide_proximity_lists). Its results are the same.
void tide_continuous_know(tide_continuous *continuous, const double *centres, const double *skins);
// Changes `to` where needed. Points of infinite mass stay where `to` has them. The motion from `from` to the new `to`
// has no crossing, if `from` has none and the points of infinite mass leave room.
tide_status tide_continuous_resolve(tide_continuous *continuous, const double *from, double *to,
                                    tide_continuous_report *report, tide_error *error);

#endif
