// Pairs of features of one part that proximity.h leaves out because they are near at rest. They share no point.
#ifndef TIDE_COLLISION_REST_PAIRS_H
#define TIDE_COLLISION_REST_PAIRS_H

#include "collision/proximity.h"

typedef struct tide_rest_pairs {
    uint64_t *keys; // (count) as in tide_near_pair; first come pairs of a point and a triangle, then of edges
    uint32_t triangle_count, count; // triangle_count: number of pairs of a point and a triangle
    size_t capacity;
    bool complete; // false: there are too many pairs, as in parts much thicker than their edges; the list is then empty
} tide_rest_pairs;

// Lists the pairs within each part that touches itself and is listed (tide_proximity_lists). `owner` owns the list.
// Fails without memory.
tide_status tide_rest_pairs_list(const tide_proximity *proximity, const tide_contact_surface *surface, void *owner,
                                 tide_rest_pairs *pairs, tide_error *error);

#endif
