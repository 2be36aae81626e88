// Supernodes of a sparse Cholesky factor L: columns that are neighbours in the elimination tree and have nearly the
// same rows, to be kept as one dense block at the price of some zeros (relaxed amalgamation, Ashcraft and Grimes 1989).
// What is merged is what a model of the time of a solve finds worth it.
//
// The tree of supernodes is cut into tasks, which share no column and may be done at once, and the top, which all of
// them hang from. The cut depends on L alone.
#ifndef TIDE_FACTOR_SUPERNODES_H
#define TIDE_FACTOR_SUPERNODES_H

#include <stdbool.h>
#include <stdint.h>

// The pattern of L in compressed columns, not owned; lists of rows may overlap: the diagonal first, then rows that
// ascend; columns postordered.
typedef struct tide_factor_view {
    uint32_t columns;
    const int32_t *start, *length; // (columns)
    const int32_t *row;
} tide_factor_view;

typedef struct tide_supernodes {
    uint32_t columns, count;
    uint32_t task_count;    // with the top, which is the last
    uint32_t *member_start; // (count + 1)
    uint32_t *member;       // (columns) those of each supernode, ascending; the last one has all rows below the block
    uint32_t *task;         // (count) ascends; supernodes of a task come after those that hang from them
    double cost;            // of a solve: the model's, in clock cycles or so
} tide_supernodes;          // { 0 } is empty

// False when there is no memory; *supernodes is then empty.
bool tide_supernodes_find(const tide_factor_view *factor, tide_supernodes *supernodes);
void tide_supernodes_free(tide_supernodes *supernodes);

#endif
