// Numeric Cholesky factorisation by the multifrontal method (Duff and Reid 1983; Liu 1992), directly into panels
// (factor_panels.h). L itself is never stored.
//
// The front of a supernode is the dense part of the matrix in its columns and in the rows below them, plus the update
// matrices of its children in the tree of supernodes. Eliminating the front's columns makes the supernode's panels. The
// remaining rows form its update matrix, which waits on a stack for the parent. Each task has a stack, and tasks can
// run in parallel. The top is factored after them; its large fronts are parallel over rows. Every number is computed in
// the same order for any number of threads.
//
// Update matrices are kept where there is room, except inside small subtrees. When few entries of the matrix change,
// only the fronts with these entries and their ancestors are factored again, to the same bits as a full factorisation.
#ifndef TIDE_FACTOR_FRONTS_H
#define TIDE_FACTOR_FRONTS_H

#include "factor/dense_kernel.h"
#include "factor/factor_panels.h"
#include "factor/factor_pattern.h"

enum { TIDE_FRONT_PACKED_ROWS = 256 }; // largest part of k that is packed at once in a product of m x k and k x n

// Largest workspace, or array of values, in bytes, that is kept from one factorisation to the next.
#define TIDE_PANEL_WORK_KEPT ((size_t)64 << 20)

typedef struct tide_front_task {
    uint32_t first, end; // supernodes
    size_t stack_size, kept_size, block_size, pack_size;
    double *stack, *kept, *block, *pack;
} tide_front_task;

typedef struct tide_fronts {
    const tide_panels *panels; // not owned
    void *memory;              // owns the arrays
    size_t *row_start;         // (supernodes + 1)
    uint32_t *rows;            // rows below each supernode: positions and, in tasks, slots; ascending
    uint32_t *child, *next;    // (supernodes) lists of the children of each, ascending
    size_t *update;            // (supernodes) index of the update matrix on the task's stack or in `kept`
    uint32_t *whole;           // (supernodes) root of the small subtree factored as a whole; else the supernode itself
    bool *kept, *due;          // (supernodes) the update matrix is kept; the front is to be factored
    bool keeps;                // there is room to keep update matrices
    double operations;         // estimated multiplications and additions of all fronts
    int32_t *entry_start;      // (columns + 1)
    uint32_t *entry_at;        // index of each of A's entries in its front's block, column by column
    int32_t *entry_source;     // index of the value in A
    uint32_t *entry_front;     // (nonzeros of A) supernode of each of A's values; NULL unless `keeps`
    tide_front_task *tasks;    // (task_count)
    size_t work_bytes;         // of stacks, kept update matrices, blocks and packs
} tide_fronts;

// Lays out the fronts and takes over the pattern's entries. With `keeps`, update matrices are kept where there is room.
// `memory` owns the arrays. Returns false when there is no memory.
bool tide_fronts_make(tide_fronts *fronts, const tide_panels *panels, tide_factor_pattern *pattern, void *memory,
                      bool keeps);
// Allocates the workspace, of work_bytes, if it is not there. Returns false when there is no memory.
bool tide_fronts_make_room(tide_fronts *fronts);
void tide_fronts_free_room(tide_fronts *fronts);

// Marks the fronts that are due when A's values change from `before` to `after`: those with a changed entry or with a
// row whose scale has changed (`rescaled`, (columns)), and all their ancestors. Requires that the last factorisation
// succeeded, that its workspace is still there, and `keeps`. Returns the operations of the marked fronts.
double tide_fronts_mark(tide_fronts *fronts, const double *before, const double *after, const bool *rescaled);
double tide_fronts_mark_all(tide_fronts *fronts);

// Factors the marked fronts: stores the panels' values, as floats or doubles, of S L, where L L' = P A P' for A's
// values `a` and S is the diagonal matrix `scale` (columns). Returns UINT32_MAX, or the first column whose pivot is not
// above least[column]. Allocates nothing.
uint32_t tide_fronts_factor(tide_fronts *fronts, const tide_dense_kernel *kernel, const double *a, const double *scale,
                            const double *least, bool single, void *values);

#endif
