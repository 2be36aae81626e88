// What the files of the search for pairs share; not for others.
#ifndef TIDE_CONTACT_PROXIMITY_PARTS_H
#define TIDE_CONTACT_PROXIMITY_PARTS_H

#include "contact/proximity.h"
#include "contact/spatial_hash.h"

#include <stddef.h>

enum { POINTS, TRIANGLES, EDGES, FEATURES };

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
    uint32_t *neighbour_starts, *neighbours; // of the points of parts without triangles, by edges
    items meeting;                           // points that meet triangles; no hash
    items of[FEATURES];
    uint32_t *sides;      // (3 * triangle_count) the edges of triangles of solid parts
    double *edge_normals; // (3 * edge_count) of solid parts: sums of the triangles' unit normals at the start

    const double *to;
    double margin;
    double *from,
        *boxes; // (3 * point_count), (6 * point_count) boxes are in a frame that moves as points do on average
    uint32_t *triangle_at, *edge_at; // each one's index among the items
    // What was sought with wider boxes, and holds until a point leaves its own.
    candidates near[FEATURES];
    bool listed;
    double *held;                 // (6 * point_count)
    double mean[3], listed_at[3]; // m: of the points that move, now and when that was
    uint32_t *found;
    double *distances; // of one point's pairs, at the start
    size_t distance_capacity;
    tide_contact_pair *pairs;
    size_t pair_count, pair_capacity;
};

// Lists the candidates by the boxes of items, and of `held` for points that meet triangles.
tide_status tide_proximity_list(tide_proximity *p, tide_error *error);

static inline bool may_touch(const tide_contact_surface *s, uint32_t a, uint32_t b)
{
    return s->touching[(size_t)a * s->part_count + b] && !(s->parts[a].fixed && s->parts[b].fixed);
}

// Whether an edge joins them.
static inline bool are_neighbours(const tide_proximity *p, uint32_t a, uint32_t b)
{
    for (uint32_t i = p->neighbour_starts[a]; i < p->neighbour_starts[a + 1]; i++)
        if (p->neighbours[i] == b)
            return true;
    return false;
}

static inline bool has_point(const uint32_t *edge, uint32_t point)
{
    return edge[0] == point || edge[1] == point;
}

#endif
