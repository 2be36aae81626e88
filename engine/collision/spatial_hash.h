// A spatial hash: finds the boxes that overlap a box, in a time that does not grow with the number of boxes.
//
// Uniform cells are hashed into a table that a counting sort fills (count, prefix sum, fill; Teschner et al. 2003). A
// box is in the one cell of its lower corner, and a query extends below its box by the width of the widest box. Boxes
// wider than the mean go to coarser levels of cells, each twice as wide as the one before (a hierarchical grid), so
// that a few large boxes cost no more than others.
#ifndef TIDE_COLLISION_SPATIAL_HASH_H
#define TIDE_COLLISION_SPATIAL_HASH_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

// Boxes are 6 numbers each: lower x, y, z, then upper x, y, z, m. Boxes that only touch overlap.
enum { TIDE_SPATIAL_HASH_MAX = 1 << 26 }; // boxes

typedef struct tide_spatial_hash tide_spatial_hash;

tide_status tide_spatial_hash_create(tide_spatial_hash **hash, tide_error *error);
void tide_spatial_hash_destroy(tide_spatial_hash *hash); // NULL does nothing

// Builds the hash of `boxes` (6 * count). Allocates only when there are more of them than ever before. Fails on too
// many boxes, on a number that is not finite, and on lower > upper.
tide_status tide_spatial_hash_build(tide_spatial_hash *hash, uint32_t count, const double *boxes, tide_error *error);
// Writes the indices, from `first` on, of all boxes that overlap `box` to `found` (which has room for all boxes), each
// once. Returns their number. Their order depends only on the boxes. Several threads may query at once.
uint32_t tide_spatial_hash_query(const tide_spatial_hash *hash, const double box[6], uint32_t first, uint32_t *found);

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
