// What the files of the search for crossings share. Private to them.
#ifndef TIDE_COLLISION_CROSSING_SEARCH_PARTS_H
#define TIDE_COLLISION_CROSSING_SEARCH_PARTS_H

#include "collision/box_tree.h"
#include "collision/crossing_search.h"

// A triangle at a vertex: the triangles of an edge are listed at its lower vertex.
typedef struct tide_border {
    uint32_t higher, triangle; // the other vertex of the edge
} tide_border;

struct tide_crossing_search { // owns its arrays
    const tide_contact_surface *surface;
    double *x;     // (3 * point_count) the state; coordinates below TIDE_PREDICATE_LEAST are 0
    double *boxes; // (6 * triangle_count)
    tide_box_tree *tree;
    uint32_t *found;                   // (triangle_count) of a query
    uint32_t *border_starts;           // (point_count + 1)
    tide_border *borders;              // (3 * triangle_count)
    uint32_t *strand_starts, *strands; // (point_count + 1); the other ends of edges of strands at a vertex
    bool *carrying;                    // (part_count) its points are carriers and in no feature
    double *depths;                    // (point_count) signed distances from a collider
    double (*part_boxes)[6];           // (part_count)
    int *outward;                      // (part_count) of fixed parts: 1, or -1 if the mesh faces inward
    const uint32_t *held;
    tide_crossing *list;
    size_t capacity;
    tide_crossings result;
    uint64_t tests;
    bool failed; // out of memory
};

static inline const double *tide_crossing_point(const tide_crossing_search *s, uint32_t point)
{
    return s->x + 3 * (size_t)point;
}

static inline void tide_crossing_corners(const tide_crossing_search *s, uint32_t triangle, const double *corners[3])
{
    for (int k = 0; k < 3; k++)
        corners[k] = tide_crossing_point(s, s->surface->triangles[3 * (size_t)triangle + (size_t)k]);
}

// crossing_candidates.c
void tide_crossing_note(tide_crossing_search *s, const tide_crossing *crossing);
// Finds the triangles whose boxes overlap `box`, from `first` on, ascending, in s->found. Returns their number; 0, and
// the result is not complete, once the search has tested too many.
uint32_t tide_crossing_query(tide_crossing_search *s, const double box[6], uint32_t first);
// Computes the bounds of points of the surface.
void tide_crossing_box(const tide_crossing_search *s, const uint32_t *points, int count, double box[6]);

// collider_crossings.c: finds vertices inside colliders, and what enters them between its corners.
void tide_crossing_search_colliders(tide_crossing_search *s, tide_collider *const *colliders, uint32_t count);

#endif
