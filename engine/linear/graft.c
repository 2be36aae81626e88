#include "linear/graft.h"

#include "base/memory.h"
#include "linear/ordered.h"

#include <string.h>

#define NONE UINT32_MAX

typedef struct graft {
    uint32_t count;
    uint32_t
        *parent; // (count + 1) in base's elimination tree; that of roots is `count`, which stands for what is above
    uint32_t *stands; // (count) the column before which it is put; itself unless it is moved
    uint32_t *first;  // (count) of the columns that are put before it
    uint32_t *next;   // (count) of those, in a list
    int32_t *place;   // (count) of each row of the matrix in the order
} graft;

static bool make(graft *g, uint32_t count)
{
    *g = (graft) { .count = count,
                   .parent = tide_allocate_array((size_t)count + 1, sizeof *g->parent),
                   .stands = tide_allocate_array(count, sizeof *g->stands),
                   .first = tide_allocate_array(count, sizeof *g->first),
                   .next = tide_allocate_array(count, sizeof *g->next),
                   .place = tide_allocate_array(count, sizeof *g->place) };
    return g->parent && g->stands && g->first && g->next && g->place;
}

static void end(graft *g)
{
    tide_free(g->parent);
    tide_free(g->stands);
    tide_free(g->first);
    tide_free(g->next);
    tide_free(g->place);
}

// Liu, The role of elimination trees in sparse factorization, 1990: with shortcuts past what has been climbed, which
// are `next` for now.
static void find_tree(graft *g, const tide_ordered *base)
{
    uint32_t *shortcut = g->next;
    for (uint32_t k = 0; k < g->count; k++) {
        g->parent[k] = g->count;
        shortcut[k] = NONE;
        for (int32_t e = base->column_start[k]; e < base->column_start[k + 1]; e++)
            for (uint32_t i = (uint32_t)base->row[e], above; i != NONE && i < k; i = above) {
                above = shortcut[i];
                shortcut[i] = k;
                if (above == NONE)
                    g->parent[i] = k;
            }
    }
    g->parent[g->count] = g->count;
}

// Moves the column of a new entry that comes later, unless one of the two hangs from the other or from nothing that
// this one hangs from.
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

bool tide_graft_order(const tide_sparse *base, const tide_sparse *matrix, int32_t *order)
{
    graft g;
    tide_ordered ordered = { 0 };
    uint32_t count = matrix->columns;
    int32_t *old = tide_copy_bytes(order, count * sizeof *old);
    bool made = make(&g, count) && old && tide_ordered_make(count, base->column_start, base->row, order, &ordered);
    if (made) {
        find_tree(&g, &ordered);
        for (uint32_t k = 0; k < count; k++) {
            g.stands[k] = k;
            g.place[order[k]] = (int32_t)k;
        }
        join_new_entries(&g, base, matrix);
        write_order(&g, old, order);
    }
    tide_ordered_free(&ordered);
    tide_free(old);
    end(&g);
    return made;
}
