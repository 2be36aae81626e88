// Finds the points, edges and triangles of the surface that come near one another in a step, with trees of their moving
// boxes (box_tree.h; points alone: point_pairs.h). The response works on the pairs found.
//
// Between parts with triangles: vertex against triangle and edge against edge. Between two parts without: point against
// point. A point of a part without triangles also meets the triangles of others, and with `edges_of_lines` its edges
// meet those of others. Smooth and guarded features (surface.h) are left out.
//
// Three filters save work. While little moves, a search reuses the candidates of an earlier one. A search keeps the
// pairs that can touch while points stay within their skins, balls about their expected places; an update searches
// again only for points that have left them. And each pair has a clearance, by which its points may move before it has
// to be evaluated.
#ifndef TIDE_COLLISION_PROXIMITY_H
#define TIDE_COLLISION_PROXIMITY_H

#include "collision/surface.h"
#include "collision/work_limit.h"

typedef enum tide_pair_kind { TIDE_PAIR_POINTS, TIDE_PAIR_TRIANGLE, TIDE_PAIR_EDGES } tide_pair_kind;

#define TIDE_NO_PAIR UINT32_MAX
// Bits of the borders of a triangle: its corners, and its edges from each corner to the next.
enum { TIDE_OWNS_CORNER = 1, TIDE_OWNS_EDGE = 8, TIDE_OWNS_ALL = 63 };
// POINTS: two points. TRIANGLE: a point, then the three of the triangle. EDGES: the two points of each edge.
typedef struct tide_contact_pair {
    tide_pair_kind kind;
    uint32_t points[4];
    double distance;    // m: the sum of the two parts' radii
    double side[3];     // see tide_proximity_side; set if `sided`
    const double *from; // (3 * point_count) positions at the start, valid until the next search
    bool sided;
    bool reversed; // behind the triangle, or under the second edge, at the start
    bool inside;   // of a solid part: inside at the start, so it is pushed out forwards, not back
    bool ends;     // EDGES: of lines, whose ends are round
    uint8_t owns;  // TRIANGLE: the shared borders that count as this triangle's
} tide_contact_pair;

// What a search keeps of a pair: there are 20 to 30 of them to a vertex where layers lie on one another. All else
// follows from the surface and the start (tide_proximity_pair).
typedef struct tide_near_pair {
    uint64_t key;          // identity from step to step: equal for the same points in the same roles
    double clearance;      // m, see below, at the end; negative infinity when `inside`
    uint32_t before;       // after an update: its index before; TIDE_NO_PAIR: new
    uint8_t kind;          // tide_pair_kind
    bool reversed, inside; // see tide_contact_pair
} tide_near_pair;

// The state of a pair: gap = normal . (sum of weights x positions) - distance. The weights of the first side are
// positive and add up to 1, those of the second are negative and add up to -1. `near` is false, and the other fields
// are undefined, where there is nothing to keep apart: the closest points lie at an end of edges, or on a border that
// another triangle owns (also when the first passed through their plane), the edges are parallel, or the point is too
// deep in a solid part.
typedef struct tide_contact_gap {
    double gap;       // m, negative: too close
    double normal[3]; // unit, from the second to the first
    double weights[4];
    bool near;
} tide_contact_gap;

typedef struct tide_proximity tide_proximity;

// Keeps the surface, which must outlive it; `touching` and `fixed` of parts must not change.
tide_status tide_proximity_create(const tide_contact_surface *surface, bool edges_of_lines, tide_proximity **proximity,
                                  tide_error *error);
// Bounds the work of searches by `work`, which must outlive it; NULL: unbounded. A search without work left fails.
void tide_proximity_limit(tide_proximity *proximity, tide_contact_work *work);
bool tide_proximity_uses(const tide_proximity *proximity, uint32_t point); // is of any feature that may touch
// Finds the pairs that touch or may touch while points move from `from` to within their skins (point_count; m) of
// `to`: all whose clearance at `to` is no more than the largest skins of both sides together. Pairs are in ascending
// order of kind and key. Left out are pairs that share a point, points that an edge joins, and within a part features
// that are near at rest (see surface.h). Allocates only when there are more pairs or cells than ever before. Fails on
// positions that are not finite.
tide_status tide_proximity_find(tide_proximity *proximity, const double *from, const double *to, const double *skins,
                                tide_error *error);
// Updates the pairs after a search, an update or a restart, from the same start, where only ends (3 * point_count) or
// skins of `changed` points (point_count) differ.
tide_status tide_proximity_update(tide_proximity *proximity, const double *to, const double *skins, const bool *changed,
                                  tide_error *error);
// Sets another start (3 * point_count) and keeps the pairs found. They are complete if each point starts and ends
// within its skin and no part is solid. The caller has to call tide_proximity_renew_side for each pair next.
void tide_proximity_restart(tide_proximity *proximity, const double *from);
// Returns whether an update may follow a restart. Otherwise a search must follow.
bool tide_proximity_may_update(const tide_proximity *proximity);
// Recomputes on which side of its second feature the first one starts. LOST: the triangle has no area there, and the
// pairs are not complete.
typedef enum tide_side_change { TIDE_SIDE_SAME, TIDE_SIDE_OTHER, TIDE_SIDE_LOST } tide_side_change;
tide_side_change tide_proximity_renew_side(tide_proximity *proximity, uint32_t index); // threads: each its own pairs
// Returns whether a search with the same skins and ends finds this pair again, for any start within the skins.
bool tide_proximity_finds_again(const tide_proximity *proximity, uint32_t index);
const tide_near_pair *tide_proximity_pairs(const tide_proximity *proximity, uint32_t *count);
tide_contact_pair tide_proximity_pair(const tide_proximity *proximity, uint32_t index);
// Tells whether the part is listed: its pairs with itself and with other listed parts are found completely, but for
// those near at rest. Parts without triangles, and solid, smooth and guarded ones, are not.
bool tide_proximity_lists(const tide_proximity *proximity, uint32_t part);
// Tells whether that holds of the pairs found last: false where a triangle without area was left out.
bool tide_proximity_is_complete(const tide_proximity *proximity);
// Sets the side of the second feature on which the first point (or edge) is to stay: the unit normal at the start of
// the step.
void tide_proximity_side(tide_contact_pair *pair);

// What searches and updates have done.
typedef struct tide_proximity_counts {
    // candidates: pairs whose boxes overlap and that a first test leaves, without those that never touch
    uint64_t searches, candidates;
    uint64_t by_lists;     // searches that reused the candidates of an earlier one
    double narrow_seconds; // of the candidates' distances, by a sample of the features
} tide_proximity_counts;
tide_proximity_counts tide_proximity_take_counts(tide_proximity *proximity); // since the last call
// Evaluates a pair at x: closest points and their normal, oriented to the pair's side. A pair that has passed through
// since the start has a negative gap, at any distance; it is judged by where it was as it passed.
void tide_proximity_gap(const tide_contact_pair *pair, const double *x, tide_contact_gap *gap);
// A plane that has had the sides of a pair on its two sides at the start, and has them at some place of its points.
typedef struct tide_separation {
    float normal[3];
    float passing;       // m: by how much it separates them at the start, without the allowance for passing
    float distance;      // m, of the pair, rounded up
    tide_pair_kind kind; // of the pair; TIDE_PAIR_POINTS: there is no plane
} tide_separation;

// Returns a lower bound (m) on the motion before the pair can touch. The paths of its points must add up to it before
// the pair can have a negative gap, by coming closer than its distance or by passing through. Features cannot pass
// through while the plane across the shortest segment between them at x has had them on its two sides at the start. For
// points, the closest approach on the way counts. Sets `plane` (unless it is NULL) to a plane across that segment.
double tide_proximity_clearance(const tide_contact_pair *pair, const double *x, tide_separation *plane);
// Returns that bound, or a larger one, for a pair without a negative gap. Two edges may be nearer than their distance
// and not touch, because a closest point lies at an end of its edge. For them, the bound is on the motion before both
// closest points can lie between the ends. Sets `plane`, which is required.
double tide_proximity_motion_before_touch(const tide_contact_pair *pair, const double *x, tide_separation *plane);
// A lower bound on that motion by a plane from an earlier place of the same points, at a fraction of the cost; negative
// where this plane does not separate them.
double tide_separation_clearance(const tide_separation *plane, const uint32_t points[4], const double *x);
// Adapts the plane to another start (3 * point_count), at which the pair has the same side as before. The clearance is
// negative if the plane does not separate the pair there.
void tide_separation_restart(tide_separation *plane, const uint32_t points[4], const double *from);

#endif
