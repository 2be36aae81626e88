// Numeric Cholesky factorisation straight into panels (panels.h), by fronts: the multifrontal method (Duff and Reid
// 1983; Liu 1992). L itself is never stored.
//
// The front of a supernode is the dense part of the matrix in its columns and in the rows below them, with what the
// supernodes that hang from it leave there. Its columns are eliminated, which makes the supernode's panels; what is
// left of the rows below waits on a stack for the supernode that this one hangs from. Tasks have a stack each and may
// be done at once; the top is done after them, large fronts of it in parallel by rows. Every number is computed in the
// same order for any number of threads.
//
// What fronts leave may be kept where there is room for it, but for those inside of small subtrees. Then a matrix of
// which few entries have changed is factored by the fronts that have these entries and those that they hang from, to
// the same bits as by all of them.
#ifndef TIDE_FACTOR_FRONTS_H
#define TIDE_FACTOR_FRONTS_H

#include "factor/dense_kernel.h"
#include "factor/factor_panels.h"
#include "factor/factor_pattern.h"

enum { TIDE_FRONT_PACKED_ROWS = 256 }; // of k in a product of m x k and k x n: how much of it is packed at once

// Bytes of workspace, or of values, that are kept from one factorisation to the next.
#define TIDE_PANEL_WORK_KEPT ((size_t)64 << 20)

typedef struct tide_front_task {
    uint32_t first, end; // supernodes
    size_t stack_size, kept_size, block_size, pack_size;
    double *stack, *kept, *block, *pack;
} tide_front_task;

typedef struct tide_fronts {
    const tide_panels *panels; // not owned
    size_t *row_start;         // (supernodes + 1)
    uint32_t *rows;            // rows below each: positions and, of tasks, slots; ascending
    uint32_t *child, *next;    // (supernodes) lists of those that hang from each, ascending
    size_t *update;            // (supernodes) where on its task's stack, or among what is kept, is what each leaves
    uint32_t *whole;           // (supernodes) root of the small subtree that is done as a whole; of others themselves
    bool *kept, *due;          // (supernodes) what it leaves is kept; it is to be factored
    bool keeps;                // there is room to keep anything
    double operations;         // multiplications and additions that all fronts take, or so
    int32_t *entry_start;      // (columns + 1)
    uint32_t *entry_at;        // where in its front's block each of A's entries goes, column by column
    int32_t *entry_source;     // which of A's values it is
    uint32_t *entry_front;     // (nonzeros of A) the supernode that has each of A's values; NULL unless `keeps`
    tide_front_task *tasks;    // (task_count)
    size_t work_bytes;         // of stacks, blocks and packs
} tide_fronts;                 // { 0 } is empty

// Takes the pattern's entries over. What fronts leave is kept, where there is room, if it `keeps`. False when there is
// no memory; *fronts is then empty.
bool tide_fronts_make(tide_fronts *fronts, const tide_panels *panels, tide_factor_pattern *pattern, bool keeps);
void tide_fronts_free(tide_fronts *fronts);
// Room to work in, of work_bytes; made when first needed. False when there is no memory.
bool tide_fronts_make_room(tide_fronts *fronts);
void tide_fronts_free_room(tide_fronts *fronts);

// Marks what is due when A's values become others: the fronts with a changed entry or, of columns that `rescaled`
// (columns) tells of, a row with another scale, and those that they hang from. To be called only when the last
// factorisation succeeded, there is the room it had, and `keeps`. Returns the operations that these fronts take.
double tide_fronts_mark(tide_fronts *fronts, const double *before, const double *after, const bool *rescaled);
double tide_fronts_mark_all(tide_fronts *fronts);

// Of the fronts that are due, stores the panels' values, as floats or doubles, of S L, where L L' = P A P' with A's
// values given and the diagonal matrix S is `scale` (columns). Returns UINT32_MAX, or the first column whose pivot is
// not above least[column]. Allocates nothing.
uint32_t tide_fronts_factor(tide_fronts *fronts, const tide_dense_kernel *kernel, const double *a, const double *scale,
                            const double *least, bool single, void *values);

#endif
