// What the files of the search for pairs share; not for others.
#ifndef TIDE_CONTACT_PROXIMITY_PARTS_H
#define TIDE_CONTACT_PROXIMITY_PARTS_H

#include "contact/point_pairs.h"
#include "contact/proximity.h"
#include "contact/spatial_hash.h"

#include <stddef.h>

enum { POINTS, TRIANGLES, EDGES, FEATURES };

#define REST_FACTOR 1.1 // see surface.h

// The features of one kind that may touch anything, and their moving boxes.
typedef struct items {
    uint32_t count, *features; // ascending
    double *boxes;             // (6 * count)
    tide_spatial_hash *hash;
} items;

// Of each item, the features that may come near it while every point stays in its box of `held`: rows of one array,
// each ascending. Without those that never touch.
typedef struct candidates {
    uint32_t *starts; // (items + 1)
    uint32_t *others;
    size_t capacity;
} candidates;

struct tide_proximity {
    const tide_contact_surface *surface;
    bool edges_of_lines;
    uint32_t *triangle_parts, *edge_parts;
    uint32_t *neighbour_starts, *neighbours; // of points, by edges
    items meeting;                           // points that meet triangles; no hash
    items of[FEATURES];                      // of points the features alone
    tide_point_pairs *points;
    bool *uses_point; // (point_count) whether it is of an item
    uint32_t *used;   // (used_count) points of items that have boxes
    uint32_t used_count;
    uint32_t *sides; // (3 * triangle_count) the edges of each triangle
    uint32_t *sided; // (sided_count) triangles of solid parts with an edge among the items
    uint32_t sided_count;
    double *edge_normals; // (3 * edge_count) of solid parts: sums of the triangles' unit normals at the start

    const double *to, *margins;
    const bool *changed;                     // points, in an update; NULL: all
    bool *changed_triangles, *changed_edges; // (triangle_count), (edge_count): with a changed point
    double drift[3];                         // of the frame that boxes are in, at the end
    tide_contact_pair *earlier;              // the pairs before an update: the two change places
    size_t earlier_count, earlier_capacity, earlier_at;
    double *from,
        *boxes; // (3 * point_count), (6 * point_count) boxes are in a frame that moves as points do on average
    uint32_t *triangle_at, *edge_at; // each one's index among the items
    // What was sought with wider boxes, and holds until a point leaves its own.
    candidates near[FEATURES];
    bool listed;
    double *held;                 // (6 * point_count)
    double mean[3], listed_at[3]; // m: of the points that move, now and when that was
    uint32_t *found;
    tide_contact_pair *pairs;
    size_t pair_count, pair_capacity;
};

// How far apart the sides of a pair that is not of points were at the start, m.
double tide_proximity_start(const tide_contact_pair *pair);

// Lists the candidates by the boxes of items, and of `held` for points that meet triangles.
tide_status tide_proximity_list(tide_proximity *p, tide_error *error);

static inline bool is_smooth_edge(const tide_contact_surface *s, uint32_t edge)
{
    return s->smooth_edges && s->smooth_edges[edge];
}

static inline bool is_smooth_point(const tide_contact_surface *s, uint32_t point)
{
    return s->smooth_points && s->smooth_points[point];
}

static inline bool has_point(const uint32_t *edge, uint32_t point)
{
    return edge[0] == point || edge[1] == point;
}

#endif
