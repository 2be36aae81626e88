// Pairs of features of one part that proximity.h leaves out because they are near at rest. They share no point.
#ifndef TIDE_COLLISION_REST_PAIRS_H
#define TIDE_COLLISION_REST_PAIRS_H

#include "collision/proximity.h"

// Keys are those of tide_near_pair.
typedef struct tide_rest_pairs {
    uint64_t *triangles, *edges; // of points with triangles; of edges with edges
    uint32_t triangle_count, edge_count;
    size_t triangle_room, edge_room;
    bool complete; // false: there are too many, as in parts much thicker than their edges; the lists are empty
} tide_rest_pairs;

// Lists the pairs of all parts that touch themselves and are not solid. `owner` owns the lists. Fails without memory.
tide_status tide_rest_pairs_list(const tide_proximity *proximity, const tide_contact_surface *surface, void *owner,
                                 tide_rest_pairs *pairs, tide_error *error);

#endif
