// Boxes of points in the cells of a grid, as point_pairs.h tells; not for others.
#ifndef TIDE_COLLISION_POINT_TABLE_H
#define TIDE_COLLISION_POINT_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    LEVEL_BITS = 11, // of a cell's place along the axis that is swept, and of each pass of the sort
    LEVELS = 1 << LEVEL_BITS,
    LANES = 8 // entries that are looked at together
};

typedef struct box {
    float low[3], high[3];
} box;

// The axis that is swept comes first.
typedef struct grid {
    int axes[3];
    float low[3], scale[3];
    int32_t cells[3];
} grid;

// Where a box begins and ends along the two axes with cells.
typedef struct cells {
    int16_t first[2], last[2];
} cells;

typedef struct entry {
    int32_t key, item; // key: its cell in the grid, then its level
} entry;

// Arrays of entries are in the order of their keys, and longer by LANES, with keys that are greater than any.
typedef struct point_table {
    uint32_t box_count;
    box *boxes; // (box_count)
    cells *in;  // (box_count)
    grid grid;
    entry *entries, *sorted;      // the two change places
    int32_t *keys, *ends, *items; // ends: the last key that a box reaches to in its cell
    float *low[2], *high[2];      // along the two axes with cells
    int32_t *starts;              // (cells + 1) of each cell, its first entry
    size_t count, capacity, start_capacity;
} point_table;

// Never less for a greater value, whatever the rounding.
static inline int32_t cell_of(const grid *g, int k, float value)
{
    float at = (value - g->low[k]) * g->scale[k], last = (float)(g->cells[k] - 1);
    return at > 0 ? at < last ? (int32_t)at : g->cells[k] - 1 : 0;
}

// The cells of a box; returns their number.
static inline size_t find_cells(point_table *t, uint32_t item)
{
    const grid *g = &t->grid;
    const box *b = &t->boxes[item];
    size_t count = 1;
    for (int k = 0; k < 2; k++) {
        int32_t first = cell_of(g, k + 1, b->low[g->axes[k + 1]]), last = cell_of(g, k + 1, b->high[g->axes[k + 1]]);
        t->in[item].first[k] = (int16_t)first;
        t->in[item].last[k] = (int16_t)last;
        count *= (size_t)(last - first + 1);
    }
    return count;
}

// All boxes into their cells. Allocates only where there are more entries or cells than ever before; false: no memory.
bool tide_point_table_fill(point_table *table);
void tide_point_table_free(point_table *table);

#endif
