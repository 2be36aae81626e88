// A coarse occupancy grid of moving objects. Each cell is marked or not. A box without a marked cell has no point in
// common with the marked boxes.
#ifndef TIDE_COLLISION_VICINITY_H
#define TIDE_COLLISION_VICINITY_H

#include <stdbool.h>
#include <stdint.h>

enum { TIDE_VICINITY_CELLS = 64 }; // along each axis
typedef struct tide_vicinity {
    double lower[3], upper[3], per_cell[3];
    uint64_t rows[TIDE_VICINITY_CELLS * TIDE_VICINITY_CELLS]; // one bit a cell along x, one word for each y of each z
} tide_vicinity;

// Covers `bounds` (finite; boxes as in box_tree.h), with no cell marked.
void tide_vicinity_begin(tide_vicinity *v, const double bounds[6]);
// Marks the cells of a box that is widened by half a cell on all sides.
void tide_vicinity_mark(tide_vicinity *v, const double box[6]);
// Returns whether a box has a marked cell (meets), and whether all its cells are marked (holds).
bool tide_vicinity_meets(const tide_vicinity *v, const double box[6]);
bool tide_vicinity_holds(const tide_vicinity *v, const double box[6]);

#endif
