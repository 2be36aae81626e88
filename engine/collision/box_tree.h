// A tree of bounding boxes over boxes that move: four in each node, compared at once (as in Wald et al. 2008's wide
// hierarchies). Its order is that of the boxes' middles along Hilbert's curve (Kamel and Faloutsos 1993); from then on
// its boxes are fitted anew to where things are, and it is put in another order only where those have mixed. A question
// near the one before begins where that one went, not at the root: asked in an order as a mesh's, each takes a time
// that does not grow with the tree. It takes boxes of any sizes, and whatever its order, the answers are the same.
#ifndef TIDE_COLLISION_BOX_TREE_H
#define TIDE_COLLISION_BOX_TREE_H

#include "collision/spatial_hash.h"

typedef struct tide_box_tree tide_box_tree;

tide_status tide_box_tree_create(uint32_t most, tide_box_tree **tree, tide_error *error); // boxes
void tide_box_tree_destroy(tide_box_tree *tree);                                          // NULL does nothing
// Boxes are those of spatial_hash.h, (6 * count); they are kept, not copied, and may change before the next call. With
// `changed` (count; NULL: all) there are as many as before, and those of others are as they were. Fails on more than
// there is room for, on a number that is not finite, and on lower > upper; then nothing is found. Allocates nothing.
tide_status tide_box_tree_fit(tide_box_tree *tree, uint32_t count, const double *boxes, const bool *changed,
                              tide_error *error);
// Writes the indices, from `first` on, of all boxes that overlap `box` to `found` (which has room for all), each once,
// in any order, and returns their number. One thread at a time may ask.
uint32_t tide_box_tree_query(tide_box_tree *tree, const double box[6], uint32_t first, uint32_t *found);

#endif
