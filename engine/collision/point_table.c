// A grid of cells over the boxes of points, and the entries of each cell.
#include "collision/point_table.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

#define BORDER 0.5 // border of the grid, as a fraction of the range of most boxes

enum {
    MOST_CELLS = 512, // along each of the two axes that are not swept
    SAMPLE = 32,
    IN_A_WINDOW = 1, // target number of boxes in the window of a box; more cells would cost more than they save
    CELL_WIDTHS = 2, // least width of a cell, in widths of a box
    ENTRIES_OF_EACH = 4,
};

static void sort_floats(float *list, int count)
{
    for (int i = 1; i < count; i++) {
        float value = list[i];
        int k = i;
        for (; k > 0 && list[k - 1] > value; k--)
            list[k] = list[k - 1];
        list[k] = value;
    }
}

// Estimates from a sample of the boxes where most of them begin along an axis, and their median width.
static void measure(const point_table *t, int axis, float *low, float *high, float *width)
{
    float lows[SAMPLE], widths[SAMPLE];
    int count = t->box_count < SAMPLE ? (int)t->box_count : SAMPLE;
    for (int i = 0; i < count; i++) {
        const box *b = &t->boxes[(uint64_t)i * t->box_count / (uint64_t)count];
        lows[i] = b->low[axis];
        widths[i] = b->high[axis] - b->low[axis];
    }
    sort_floats(lows, count);
    sort_floats(widths, count);
    float first = lows[count / 16], last = lows[count - 1 - count / 16], border = (float)BORDER * (last - first);
    *low = first - border;
    *high = last + border;
    *width = widths[count / 2];
}

static int32_t clamp_cells(double wanted)
{
    return wanted > 1 ? wanted < MOST_CELLS ? (int32_t)wanted : MOST_CELLS : 1;
}

static void choose_grid(point_table *t)
{
    grid *g = &t->grid;
    float low[3], high[3], width[3];
    double ratio[3];
    for (int k = 0; k < 3; k++) {
        measure(t, k, &low[k], &high[k], &width[k]);
        ratio[k] = (double)(high[k] - low[k]) / (double)width[k] + 1;
        g->axes[k] = k;
    }
    for (int pass = 0; pass < 2; pass++)
        for (int k = 0; k < 2 - pass; k++)
            if (ratio[g->axes[k]] < ratio[g->axes[k + 1]]) {
                int axis = g->axes[k];
                g->axes[k] = g->axes[k + 1];
                g->axes[k + 1] = axis;
            }
    // The other axes are divided while the window of a box holds many others, but not finer than CELL_WIDTHS boxes.
    double in_window = t->box_count / ratio[g->axes[0]];
    g->cells[0] = LEVELS;
    for (int k = 1; k < 3; k++) {
        g->cells[k] = clamp_cells(fmin(ratio[g->axes[k]] / CELL_WIDTHS, in_window / IN_A_WINDOW));
        in_window /= g->cells[k];
    }
    for (int k = 0; k < 3; k++) {
        float range = high[g->axes[k]] - low[g->axes[k]];
        g->low[k] = low[g->axes[k]];
        g->scale[k] = range > 0 ? (float)g->cells[k] / range : 0;
    }
}

static size_t find_all_cells(point_table *t)
{
    size_t count = 0;
    for (uint32_t i = 0; i < t->box_count; i++)
        count += find_cells(t, i);
    return count;
}

static bool make_room(point_table *t, size_t count, size_t cells)
{
    if (!tide_grow_owned(t->owner, &t->starts, &t->start_capacity, cells + 1, sizeof *t->starts))
        return false;
    if (count + LANES <= t->capacity)
        return true;
    size_t capacity = 0, wanted = count + count / 2 + LANES;
    void *const arrays[] = { &t->entries, &t->sorted, &t->keys,    &t->ends,   &t->items,
                             &t->low[0],  &t->low[1], &t->high[0], &t->high[1] };
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
        capacity = t->capacity;
        if (!tide_grow_owned(t->owner, arrays[i], &capacity, wanted, i < 2 ? sizeof(entry) : sizeof(float)))
            return false;
    }
    t->capacity = capacity;
    return true;
}

// Enters each box into all of its cells.
static void enter(point_table *t)
{
    const grid *g = &t->grid;
    size_t count = 0;
    for (uint32_t i = 0; i < t->box_count; i++) {
        const cells *in = &t->in[i];
        int32_t level = cell_of(g, 0, t->boxes[i].low[g->axes[0]]);
        for (int32_t row = in->first[0]; row <= in->last[0]; row++)
            for (int32_t column = in->first[1]; column <= in->last[1]; column++)
                t->entries[count++] = (entry) { (row * g->cells[2] + column) << LEVEL_BITS | level, (int32_t)i };
    }
    t->count = count;
}

// Sorts by key, stably: a counting sort for each digit.
static void sort_entries(point_table *t, int32_t cells)
{
    uint32_t starts[LEVELS];
    for (int shift = 0; shift == 0 || (cells - 1) >> (shift - LEVEL_BITS); shift += LEVEL_BITS) {
        memset(starts, 0, sizeof starts);
        for (size_t i = 0; i < t->count; i++)
            starts[t->entries[i].key >> shift & (LEVELS - 1)]++;
        uint32_t sum = 0;
        for (int k = 0; k < LEVELS; k++) {
            uint32_t count = starts[k];
            starts[k] = sum;
            sum += count;
        }
        for (size_t i = 0; i < t->count; i++)
            t->sorted[starts[t->entries[i].key >> shift & (LEVELS - 1)]++] = t->entries[i];
        entry *entries = t->entries;
        t->entries = t->sorted;
        t->sorted = entries;
    }
}

static void spread(point_table *t, int32_t cell_count)
{
    const grid *g = &t->grid;
    int32_t cell = -1;
    for (size_t i = 0; i < t->count; i++) {
        entry e = t->entries[i];
        const box *b = &t->boxes[e.item];
        t->keys[i] = e.key;
        t->items[i] = e.item;
        for (int k = 0; k < 2; k++) {
            t->low[k][i] = b->low[g->axes[k + 1]];
            t->high[k][i] = b->high[g->axes[k + 1]];
        }
        t->ends[i] = (e.key & ~(LEVELS - 1)) | cell_of(g, 0, b->high[g->axes[0]]);
        while (cell < e.key >> LEVEL_BITS)
            t->starts[++cell] = (int32_t)i;
    }
    while (cell < cell_count)
        t->starts[++cell] = (int32_t)t->count;
    for (size_t i = t->count; i < t->count + LANES; i++) {
        t->keys[i] = INT32_MAX;
        t->ends[i] = t->items[i] = 0;
        t->low[0][i] = t->low[1][i] = t->high[0][i] = t->high[1][i] = 0;
    }
}

bool tide_point_table_fill(point_table *t)
{
    grid *g = &t->grid;
    choose_grid(t);
    size_t count = find_all_cells(t);
    while (count > ENTRIES_OF_EACH * (size_t)t->box_count) { // some boxes are far wider than most
        for (int k = 1; k < 3; k++) {
            g->scale[k] /= g->cells[k] > 1 ? 2 : 1;
            g->cells[k] = (g->cells[k] + 1) / 2;
        }
        count = find_all_cells(t);
    }
    int32_t cell_count = g->cells[1] * g->cells[2];
    if (!make_room(t, count, (size_t)cell_count))
        return false;
    enter(t);
    sort_entries(t, cell_count);
    spread(t, cell_count);
    return true;
}
