// Numeric Cholesky factorisation straight into panels (panels.h), by fronts: the multifrontal method (Duff and Reid
// 1983; Liu 1992). L itself is never stored.
//
// The front of a supernode is the dense part of the matrix in its columns and in the rows below them, with what the
// supernodes that hang from it leave there. Its columns are eliminated, which makes the supernode's panels; what is
// left of the rows below waits on a stack for the supernode that this one hangs from. Tasks have a stack each and may
// be done at once; the top is done after them, large fronts of it in parallel by rows. Every number is computed in the
// same order for any number of threads.
#ifndef TIDE_LINEAR_FRONTS_H
#define TIDE_LINEAR_FRONTS_H

#include "linear/dense_kernel.h"
#include "linear/factor_pattern.h"
#include "linear/panels.h"

typedef struct tide_front_task {
    uint32_t first, end; // supernodes
    size_t stack_size, block_size, pack_size;
    double *stack, *block, *pack;
} tide_front_task;

typedef struct tide_fronts {
    const tide_panels *panels; // not owned
    size_t *row_start;         // (supernodes + 1)
    uint32_t *rows;            // rows below each: positions and, of tasks, slots; ascending
    uint32_t *child, *next;    // (supernodes) lists of those that hang from each, ascending
    size_t *update;            // (supernodes) where on its task's stack is what each leaves
    int32_t *entry_start;      // (columns + 1)
    uint32_t *entry_at;        // where in its front's block each of A's entries goes, column by column
    int32_t *entry_source;     // which of A's values it is
    tide_front_task *tasks;    // (task_count)
    size_t work_bytes;         // of stacks, blocks and packs
} tide_fronts;                 // { 0 } is empty

// Takes the pattern's entries over. False when there is no memory; *fronts is then empty.
bool tide_fronts_make(tide_fronts *fronts, const tide_panels *panels, tide_factor_pattern *pattern);
void tide_fronts_free(tide_fronts *fronts);
// Room to work in, of work_bytes; made when first needed. False when there is no memory.
bool tide_fronts_make_room(tide_fronts *fronts);
void tide_fronts_free_room(tide_fronts *fronts);

// Stores the panels' values, as floats or doubles, of S L, where L L' = P A P' with A's values given and the diagonal
// matrix S is `scale` (columns). Returns UINT32_MAX, or the first column whose pivot is not above least[column].
// Allocates nothing.
uint32_t tide_fronts_factor(tide_fronts *fronts, const tide_dense_kernel *kernel, const double *a, const double *scale,
                            const double *least, bool single, void *values);

#endif
