// Finds the points of parts without triangles (bristles, hair, grains) that come near one another in a step. It needs
// none of the work for triangles and edges: a search sorts boxes by cells and passes once over each cell. This is cheap
// enough to keep nothing from step to step.
//
// In each cell, boxes are sorted by their lower ends along one axis, and each is compared with those after it that
// begin before it ends (sweep and prune; Baraff 1992, sec. 7.4). The cells are a grid over the other two axes, filled
// by a counting sort. A box is in all cells that it overlaps, and a pair counts in the one cell where both have begun.
#ifndef TIDE_COLLISION_POINT_PAIRS_H
#define TIDE_COLLISION_POINT_PAIRS_H

#include "collision/proximity.h"

typedef struct tide_near_points {
    uint32_t first, second; // points, first < second
    double clearance;       // m, see tide_proximity_clearance
} tide_near_points;

typedef struct tide_point_pairs tide_point_pairs;

// `points` (count) are ascending. The neighbours of point p by edges are neighbours[neighbour_starts[p]] up to, not
// including, neighbours[neighbour_starts[p + 1]]. All arrays must outlive it.
tide_status tide_point_pairs_create(const tide_contact_surface *surface, const uint32_t *points, uint32_t count,
                                    const uint32_t *neighbour_starts, const uint32_t *neighbours,
                                    tide_point_pairs **pairs, tide_error *error);
// Bounds the work of searches; NULL: unbounded. A search without work left fails as one without memory does.
void tide_point_pairs_limit(tide_point_pairs *pairs, tide_contact_work *work);
// Finds all pairs whose clearance, on the way from `from` to `to` (3 * point_count), is no more than the sum of their
// `skins` (point_count), in ascending order. Left out are pairs that may not touch, are joined, share an edge, or are
// near at rest (see surface.h). `drift` (m) is the motion of the search frame: the less points move in it, the faster
// the search. Allocates only when there are more pairs or cells than ever before. Fails on positions that are not
// finite.
tide_status tide_point_pairs_find(tide_point_pairs *pairs, const double *from, const double *to, const double *skins,
                                  const double drift[3], tide_error *error);
// Updates the pairs after a search or an update that succeeded, from the same start, where only ends or skins of
// `changed` points (point_count) differ.
tide_status tide_point_pairs_update(tide_point_pairs *pairs, const double *from, const double *to, const double *skins,
                                    const bool *changed, tide_error *error);
const tide_near_points *tide_point_pairs_found(const tide_point_pairs *pairs, uint32_t *count);

#endif
