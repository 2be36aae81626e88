// Where moving things are, coarsely: a grid of cells, each marked or not. What has no marked cell in common with a box
// has no point in common with what is marked there.
#ifndef TIDE_COLLISION_VICINITY_H
#define TIDE_COLLISION_VICINITY_H

#include <stdbool.h>
#include <stdint.h>

enum { TIDE_VICINITY_CELLS = 64 }; // along each axis
typedef struct tide_vicinity {
    double lower[3], upper[3], per_cell[3];
    uint64_t rows[TIDE_VICINITY_CELLS * TIDE_VICINITY_CELLS]; // of cells along x, for each y of each z
} tide_vicinity;

// Boxes are those of spatial_hash.h. Covers `bounds` (finite), with nothing marked.
void tide_vicinity_begin(tide_vicinity *v, const double bounds[6]);
// Marks what a box, a cell's half wider on all sides, has of the grid.
void tide_vicinity_mark(tide_vicinity *v, const double box[6]);
// Whether a box has a marked cell, and whether all of it is marked.
bool tide_vicinity_meets(const tide_vicinity *v, const double box[6]);
bool tide_vicinity_holds(const tide_vicinity *v, const double box[6]);

#endif
