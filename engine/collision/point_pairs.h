// Which points of parts without triangles (bristles, hair, grains) come near one another in a step. They need none of
// what triangles and edges do: a search is a sort of their boxes by cells and one pass over each cell, so cheap that
// nothing of it is kept from step to step.
//
// Boxes are gone through in the order of their lower ends along one axis, each with those after it that begin before it
// ends (sweep and prune; Baraff 1992, sec. 7.4), in the cells of a grid over the other two: a counting sort puts them
// there. A box is in all cells that it reaches into, and a pair counts in the one where both have begun.
#ifndef TIDE_COLLISION_POINT_PAIRS_H
#define TIDE_COLLISION_POINT_PAIRS_H

#include "collision/proximity.h"

typedef struct tide_near_points {
    uint32_t first, second; // points, first < second
    double clearance;       // m, see tide_proximity_clearance
} tide_near_points;

typedef struct tide_point_pairs tide_point_pairs;

// `points` (count): ascending. Neighbours of point p by edges: neighbours[neighbour_starts[p]] to that of p + 1. All
// arrays must outlive it.
tide_status tide_point_pairs_create(const tide_contact_surface *surface, const uint32_t *points, uint32_t count,
                                    const uint32_t *neighbour_starts, const uint32_t *neighbours,
                                    tide_point_pairs **pairs, tide_error *error);
void tide_point_pairs_destroy(tide_point_pairs *pairs); // NULL does nothing
// What searches spend from now on; NULL: no bound. One that has spent all fails as one without memory does.
void tide_point_pairs_limit(tide_point_pairs *pairs, tide_contact_work *work);
// All pairs whose clearance, on the way from `from` to `to` (3 * point_count), is no more than their `margins`
// (point_count; m) together, in ascending order; but for those that may not touch, are joined, share an edge, or are
// near at rest (see surface.h). `drift` (m) is of the frame in which points are sought at the end: the less they move
// in it, the quicker it goes. Allocates only where there are more pairs or cells than ever before. Fails on positions
// that are not finite.
tide_status tide_point_pairs_find(tide_point_pairs *pairs, const double *from, const double *to, const double *margins,
                                  const double drift[3], tide_error *error);
// After a search or an update that succeeded, from the same start, where other ends or margins are known for `changed`
// points (point_count) alone: finds the pairs that there are now.
tide_status tide_point_pairs_update(tide_point_pairs *pairs, const double *from, const double *to,
                                    const double *margins, const bool *changed, tide_error *error);
const tide_near_points *tide_point_pairs_found(const tide_point_pairs *pairs, uint32_t *count);

#endif
