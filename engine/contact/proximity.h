// Which points, edges and triangles of the surface come near one another in a step: found by a spatial hash over their
// moving boxes (Teschner et al. 2003; Mueller et al. 2007, sec. 3.4), then kept as pairs that the response works on.
//
// Between parts with triangles: vertex against triangle and edge against edge. Between two parts without: point against
// point. A point of a part without triangles also meets the triangles of others, and with `edges_of_lines` its edges
// those of others.
#ifndef TIDE_CONTACT_PROXIMITY_H
#define TIDE_CONTACT_PROXIMITY_H

#include "contact/surface.h"

typedef enum tide_pair_kind { TIDE_PAIR_POINTS, TIDE_PAIR_TRIANGLE, TIDE_PAIR_EDGES } tide_pair_kind;

// POINTS: two points. TRIANGLE: a point, then the triangle's three. EDGES: an edge's two points, then the other's two.
typedef struct tide_contact_pair {
    tide_pair_kind kind;
    uint32_t points[4];
    double distance; // m: the sum of the two parts' radii
    // The side that the first point (or edge) is to be on, from the second: the unit normal at the start of the step.
    double side[3];
    uint64_t key;       // tells pairs apart from step to step: equal for the same points in the same roles
    const double *from; // (3 * point_count) the positions at the start, kept until pairs are found anew
    bool reversed;      // `side` is against the triangle's winding, or (edges) against first x second
    bool inside;        // of a solid part at the start: to be pushed out, not back
    bool ends;          // EDGES: of lines, whose ends are round
} tide_contact_pair;

// How a pair stands: gap = normal . (sum of weights x positions) - distance; the weights of the first are positive and
// add up to 1, those of the second negative and to -1. `near` is false where the closest points lie outside the
// triangle or edges (and did so as the first passed through their plane), or too deep in a solid part to tell: then
// there is nothing to keep apart, and the other numbers mean nothing.
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
void tide_proximity_destroy(tide_proximity *proximity); // NULL does nothing
// Finds the pairs that may come closer than their distance while points go from `from` to `to` and `margin` (m) beyond.
// In ascending order of kind and key. Left out are pairs that share a point, points that an edge joins, and within a
// part what is near at rest (see surface.h). Allocates only where there are more pairs or cells than ever before. Fails
// on positions that are not finite.
tide_status tide_proximity_find(tide_proximity *proximity, const double *from, const double *to, double margin,
                                tide_error *error);
const tide_contact_pair *tide_proximity_pairs(const tide_proximity *proximity, uint32_t *count);
// How a pair stands at x: closest points and their normal, turned to the pair's side. What has passed through since the
// start (judged by where it was as it passed) has a negative gap, however far it went.
void tide_proximity_gap(const tide_contact_pair *pair, const double *x, tide_contact_gap *gap);

#endif
