// Supernodes of a sparse Cholesky factor L: columns that are neighbours in the elimination tree and have nearly the
// same rows. They are stored as one dense block at the price of some zeros (relaxed amalgamation, Ashcraft and Grimes
// 1989). A cost model of the time of a solve decides which columns are merged.
//
// The tree of supernodes is cut into tasks and the top. Tasks share no column and can run in parallel; the top contains
// their ancestors. The cut depends on L alone.
#ifndef TIDE_FACTOR_SUPERNODES_H
#define TIDE_FACTOR_SUPERNODES_H

#include <stdbool.h>
#include <stdint.h>

// The pattern of L in compressed columns, not owned. Lists of rows may overlap; each starts with the diagonal, then
// rows ascend. Columns are postordered.
typedef struct tide_factor_view {
    uint32_t columns;
    const int32_t *start, *length; // (columns)
    const int32_t *row;
} tide_factor_view;

typedef struct tide_supernodes {
    uint32_t columns, count;
    uint32_t task_count;    // includes the top, which is the last
    uint32_t *member_start; // (count + 1)
    uint32_t *member;       // (columns) columns of each, ascending; the last one has all rows below the block
    uint32_t *task;         // (count) task of each, ascending; within a task, children come before their parents
    double cost;            // of a solve by the cost model, in approximate clock cycles
} tide_supernodes;

// Finds the supernodes. `memory` owns the arrays. Returns false when there is no memory.
bool tide_supernodes_find(const tide_factor_view *factor, void *memory, tide_supernodes *supernodes);

#endif
