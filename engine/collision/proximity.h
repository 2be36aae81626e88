// Which points, edges and triangles of the surface come near one another in a step: found by trees of their moving
// boxes (box_tree.h; of points alone, point_pairs.h), then kept as pairs that the response works on.
//
// Between parts with triangles: vertex against triangle and edge against edge. Between two parts without: point against
// point. A point of a part without triangles also meets the triangles of others, and with `edges_of_lines` its edges
// those of others. What surface.h calls smooth or guarded stays out.
//
// Two sieves, the second finer: a search keeps the pairs that could touch while points stay within a margin of where
// they are expected, and seeks again only what points that leave it may touch; and each pair has a clearance, by which
// its points may move before it is looked at.
#ifndef TIDE_COLLISION_PROXIMITY_H
#define TIDE_COLLISION_PROXIMITY_H

#include "collision/surface.h"
#include "collision/work_limit.h"

typedef enum tide_pair_kind { TIDE_PAIR_POINTS, TIDE_PAIR_TRIANGLE, TIDE_PAIR_EDGES } tide_pair_kind;

#define TIDE_NO_PAIR UINT32_MAX
// Bits of a triangle's borders, from the first corner on: corners, and edges from each to the next.
enum { TIDE_OWNS_CORNER = 1, TIDE_OWNS_EDGE = 8, TIDE_OWNS_ALL = 63 };
// POINTS: two points. TRIANGLE: a point, then the triangle's three. EDGES: an edge's two points, then the other's two.
typedef struct tide_contact_pair {
    tide_pair_kind kind;
    uint32_t points[4];
    double distance; // m: the sum of the two parts' radii
    // The side that the first point (or edge) is to be on, from the second: the unit normal at the start of the step.
    double side[3];
    uint64_t key;       // tells pairs apart from step to step: equal for the same points in the same roles
    const double *from; // (3 * point_count) the positions at the start, kept until pairs are found anew
    double start;       // TRIANGLE of a solid part, m: how far apart the two were there
    double clearance;   // m, see below, at the end; negative infinity when `inside`
    uint32_t before;    // after an update: which one it was before it; TIDE_NO_PAIR
    bool reversed;      // `side` is against the triangle's winding, or (edges) against first x second
    bool inside;        // of a solid part at the start: to be pushed out, not back
    bool ends;          // EDGES: of lines, whose ends are round
    uint8_t owns;       // TRIANGLE: the borders that count as this triangle's, of all that share them
} tide_contact_pair;

// How a pair stands: gap = normal . (sum of weights x positions) - distance; the weights of the first are positive and
// add up to 1, those of the second negative and to -1. `near` is false where the closest points lie at an end of edges,
// or on a border that another triangle has (and did so as the first passed through their plane): that pair tells then,
// of a point and a triangle. So it is between edges that are parallel, and too deep in a solid part to tell. There is
// nothing to keep apart then, and the other numbers mean nothing.
typedef struct tide_contact_gap {
    double gap;       // m, negative: too close
    double normal[3]; // unit, from the second to the first
    double weights[4];
    bool near;
} tide_contact_gap;

typedef struct tide_proximity tide_proximity;

// Keeps the surface, which must outlive it; of that, `touching` and whether parts are fixed must stay.
tide_status tide_proximity_create(const tide_contact_surface *surface, bool edges_of_lines, tide_proximity **proximity,
                                  tide_error *error);
// Work of searches is spent from `work`, which must outlive it; NULL: no bound. A search that is out of work fails.
void tide_proximity_limit(tide_proximity *proximity, tide_contact_work *work);
bool tide_proximity_uses(const tide_proximity *proximity, uint32_t point); // whether it takes part in anything
void tide_proximity_destroy(tide_proximity *proximity);                    // NULL does nothing
// Finds the pairs that touch, or may, while points go from `from` to within their margins (point_count; m) of `to`: all
// whose clearance at `to` is no more than the largest margins of both sides together. In ascending order of kind and
// key. Left out are pairs that share a point, points that an edge joins, and within a part what is near at rest (see
// surface.h). Allocates only where there are more pairs or cells than ever before. Fails on positions that are not
// finite.
tide_status tide_proximity_find(tide_proximity *proximity, const double *from, const double *to, const double *margins,
                                tide_error *error);
// After a search or an update, from the same start, where other ends (3 * point_count) or margins are known for
// `changed` points (point_count) alone: finds the pairs that there are now.
tide_status tide_proximity_update(tide_proximity *proximity, const double *to, const double *margins,
                                  const bool *changed, tide_error *error);
const tide_contact_pair *tide_proximity_pairs(const tide_proximity *proximity, uint32_t *count);
// How a pair stands at x: closest points and their normal, turned to the pair's side. What has passed through since the
// start (judged by where it was as it passed) has a negative gap, however far it went.
void tide_proximity_gap(const tide_contact_pair *pair, const double *x, tide_contact_gap *gap);
// m: by how much the pair is short of touching at x, at least. Its points have to go as far, all their ways together,
// before it may have a negative gap, be it that they come closer than their distance or that they pass through each
// other: they do not while the plane across the shortest way between them at x has them on its two sides at the start.
// (Of points, the closest that they come on the way counts.)
double tide_proximity_clearance(const tide_contact_pair *pair, const double *x);

#endif
