// A bounding volume tree over moving boxes: four in each node, compared at once (as in the wide hierarchies of Wald et
// al. 2008). Its order is that of the centres of the boxes along Hilbert's curve (Kamel and Faloutsos 1993). Later
// calls refit the nodes, and sort again only where boxes have mixed. A query begins where the last one ended, not at
// the root: for queries in a coherent order, as of a mesh, the time of each does not grow with the tree. Boxes may have
// any sizes, and results do not depend on the order.
#ifndef TIDE_COLLISION_BOX_TREE_H
#define TIDE_COLLISION_BOX_TREE_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

// Boxes are 6 numbers each: lower x, y, z, then upper x, y, z, m. Boxes that only touch overlap.

typedef struct tide_box_tree tide_box_tree;

tide_status tide_box_tree_create(void *owner, uint32_t most, tide_box_tree **tree, tide_error *error); // of boxes
// Fits the tree to boxes (6 * count), which are kept, not copied, and may change before the next
// call. With `changed` (count; NULL: all), the number of boxes is the same and only changed ones differ. Fails on more
// boxes than `most`, on a number that is not finite, and on lower > upper; queries then find nothing. Allocates
// nothing.
tide_status tide_box_tree_fit(tide_box_tree *tree, uint32_t count, const double *boxes, const bool *changed,
                              tide_error *error);
// Writes the indices, from `first` on, of all boxes that overlap `box` to `found` (which has room for all), each once,
// in any order. Returns their number. Not for several threads at once.
uint32_t tide_box_tree_query(tide_box_tree *tree, const double box[6], uint32_t first, uint32_t *found);

// Where a query begins: the neighbourhood of an earlier one, as long as the tree is not fitted again. Zeroed at first.
enum { TIDE_BOX_FINGER_NODES = 64 };
typedef struct tide_box_finger {
    float around[6];
    bool known, fresh, wide; // whether it is set; its nodes are not found yet; it has too many nodes
    uint32_t count, nodes[TIDE_BOX_FINGER_NODES];
} tide_box_finger;
#define TIDE_BOX_TREE_FULL UINT32_MAX
// The same for several threads at once, each with a finger of its own. Returns TIDE_BOX_TREE_FULL when `room` numbers
// may not suffice.
uint32_t tide_box_tree_query_from(const tide_box_tree *tree, tide_box_finger *finger, const double box[6],
                                  uint32_t first, uint32_t room, uint32_t *found);

static inline void tide_box_join(double *box, const double *other) // `box` becomes the bounds of both
{
    for (int k = 0; k < 3; k++) {
        box[k] = other[k] < box[k] ? other[k] : box[k];
        box[3 + k] = other[3 + k] > box[3 + k] ? other[3 + k] : box[3 + k];
    }
}

static inline bool tide_boxes_overlap(const double *a, const double *b)
{
    return a[0] <= b[3] && b[0] <= a[3] && a[1] <= b[4] && b[1] <= a[4] && a[2] <= b[5] && b[2] <= a[5];
}

#endif
