#include "factor/graft.h"

#include "base/memory.h"
#include "factor/ordered.h"

#include <string.h>

#define NONE UINT32_MAX

typedef struct graft {
    uint32_t count;
    const uint32_t *parent; // (count + 1) in base's elimination tree; `count` is the parent of roots
    uint32_t *stands;       // (count) the column before which this one is moved; itself if it stays
    uint32_t *first;        // (count) list of the columns that are moved before this one
    uint32_t *next;         // (count) next column in such a list
    int32_t *place;         // (count) place of each row of the matrix in the order
} graft;

static bool make(graft *g, void *memory, uint32_t count, const uint32_t *tree)
{
    *g = (graft) { .count = count,
                   .parent = tree,
                   .stands = tide_own_array(memory, count, sizeof *g->stands),
                   .first = tide_own_array(memory, count, sizeof *g->first),
                   .next = tide_own_array(memory, count, sizeof *g->next),
                   .place = tide_own_array(memory, count, sizeof *g->place) };
    return tide_owns_all(memory);
}

// Computes the elimination tree (Liu, The role of elimination trees in sparse factorization, 1990). `shortcut`
// (columns) skips the path climbed before.
static void find_tree(const tide_ordered *base, uint32_t *shortcut, uint32_t *parent)
{
    for (uint32_t k = 0; k < base->rows; k++) {
        parent[k] = base->rows;
        shortcut[k] = NONE;
        for (int32_t e = base->column_start[k]; e < base->column_start[k + 1]; e++)
            for (uint32_t i = (uint32_t)base->row[e], above; i != NONE && i < k; i = above) {
                above = shortcut[i];
                shortcut[i] = k;
                if (above == NONE)
                    parent[i] = k;
            }
    }
    parent[base->rows] = base->rows;
}

uint32_t *tide_graft_tree(const tide_sparse *base, const int32_t *order)
{
    TIDE_SCOPED_BY(tide_ordered_free) tide_ordered ordered = { 0 };
    uint32_t *parent = tide_allocate_array((size_t)base->columns + 1, sizeof *parent);
    TIDE_SCOPED uint32_t *shortcut = tide_allocate_array(base->columns, sizeof *shortcut);
    if (parent && shortcut && tide_ordered_make(base->columns, base->column_start, base->row, order, &ordered))
        find_tree(&ordered, shortcut, parent);
    else {
        tide_free(parent);
        parent = NULL;
    }
    return parent;
}

// Handles a new entry: moves the later of its two columns before their first common ancestor. Does nothing when one is
// an ancestor of the other or when they have no common ancestor.
static void join(graft *g, uint32_t one, uint32_t other)
{
    uint32_t a = g->stands[one], b = g->stands[other], from = a, to = b;
    while (a != b)
        if (a < b)
            a = g->parent[a];
        else
            b = g->parent[b];
    if (a != from && a != to && a < g->count)
        g->stands[one > other ? one : other] = a;
}

static void join_new_entries(graft *g, const tide_sparse *base, const tide_sparse *matrix)
{
    for (uint32_t column = 0; column < g->count; column++) {
        int32_t known = base->column_start[column], last = base->column_start[column + 1];
        for (int32_t k = matrix->column_start[column]; k < matrix->column_start[column + 1]; k++)
            if (known < last && base->row[known] == matrix->row[k])
                known++;
            else
                join(g, (uint32_t)g->place[column], (uint32_t)g->place[matrix->row[k]]);
    }
}

// `old` is a copy of the order.
static void write_order(graft *g, const int32_t *old, int32_t *order)
{
    for (uint32_t k = 0; k < g->count; k++)
        g->first[k] = NONE;
    for (uint32_t k = g->count; k-- > 0;)
        if (g->stands[k] != k) {
            g->next[k] = g->first[g->stands[k]];
            g->first[g->stands[k]] = k;
        }
    for (uint32_t k = 0; k < g->count; k++) {
        for (uint32_t moved = g->first[k]; moved != NONE; moved = g->next[moved])
            *order++ = old[moved];
        if (g->stands[k] == k)
            *order++ = old[k];
    }
}

bool tide_graft_order(const tide_sparse *base, const uint32_t *tree, const tide_sparse *matrix, int32_t *order)
{
    TIDE_SCOPED void *memory = tide_allocate(0);
    graft g;
    uint32_t count = matrix->columns;
    TIDE_SCOPED int32_t *old = tide_copy_bytes(order, count * sizeof *old);
    bool made = make(&g, memory, count, tree) && old;
    if (made) {
        for (uint32_t k = 0; k < count; k++) {
            g.stands[k] = k;
            g.place[order[k]] = (int32_t)k;
        }
        join_new_entries(&g, base, matrix);
        write_order(&g, old, order);
    }
    return made;
}
