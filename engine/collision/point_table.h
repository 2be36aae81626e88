// Boxes of points in the cells of a grid, for point_pairs.h. Private to its files.
#ifndef TIDE_COLLISION_POINT_TABLE_H
#define TIDE_COLLISION_POINT_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    LEVEL_BITS = 11, // bits of a position along the swept axis, and of each pass of the sort
    LEVELS = 1 << LEVEL_BITS,
    LANES = 8 // entries that are compared together
};

typedef struct box {
    float low[3], high[3];
} box;

// The swept axis comes first.
typedef struct grid {
    int axes[3];
    float low[3], scale[3];
    int32_t cells[3];
} grid;

// The first and last cells of a box along the two axes with cells.
typedef struct cells {
    int16_t first[2], last[2];
} cells;

typedef struct entry {
    int32_t key, item; // key: the cell in the grid, then the level
} entry;

// Arrays of entries are sorted by key. They are longer by LANES entries, whose keys are greater than all others.
typedef struct point_table {
    void *owner; // of the arrays
    uint32_t box_count;
    box *boxes; // (box_count)
    cells *in;  // (box_count)
    grid grid;
    entry *entries, *sorted;      // the two are swapped by sorting passes
    int32_t *keys, *ends, *items; // ends: the last key that a box reaches in its cell
    float *low[2], *high[2];      // along the two axes with cells
    int32_t *starts;              // (cells + 1) first entry of each cell
    size_t count, capacity, start_capacity;
} point_table;

// Monotonic in `value`, in spite of rounding.
static inline int32_t cell_of(const grid *g, int k, float value)
{
    float at = (value - g->low[k]) * g->scale[k], last = (float)(g->cells[k] - 1);
    return at > 0 ? at < last ? (int32_t)at : g->cells[k] - 1 : 0;
}

// Finds the cells of a box. Returns their number.
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

// Enters all boxes into their cells. Allocates only when there are more entries or cells than ever before. Returns
// false without memory.
bool tide_point_table_fill(point_table *table);

#endif
