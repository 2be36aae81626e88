#include "linear/coarsening.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

#define NONE UINT32_MAX

// A row that is being summed, at [first, end) of the matrix.
typedef struct sum {
    size_t *place; // (columns) index of each column's entry in the row; valid if it is at `first` or later
    size_t first, end;
} sum;

static void add(sum *s, tide_rows *rows, uint32_t column, double value)
{
    size_t at = s->place[column];
    if (at >= s->first && at < s->end && rows->column[at] == column) {
        rows->value[at] += value;
        return;
    }
    s->place[column] = s->end;
    rows->column[s->end] = column;
    rows->value[s->end++] = value;
}

// Makes room for `more` entries behind `end`.
static bool reserve(tide_rows *rows, size_t capacity[2], size_t end, size_t more)
{
    return tide_grow(&rows->column, &capacity[0], end + more, sizeof *rows->column) &&
           tide_grow(&rows->value, &capacity[1], end + more, sizeof *rows->value);
}

bool tide_rows_multiply(const tide_rows *a, const tide_rows *b, tide_rows *product)
{
    size_t capacity[2] = { 0 };
    sum s = { .place = tide_allocate_zeroed(b->columns, sizeof *s.place) };
    bool made = s.place && tide_rows_make(product, a->count, b->columns, 0);
    for (uint32_t i = 0; made && i < a->count; i++) {
        size_t most = 0;
        for (size_t k = a->start[i]; k < a->start[i + 1]; k++)
            most += b->start[a->column[k] + 1] - b->start[a->column[k]];
        s.first = s.end;
        made = reserve(product, capacity, s.end, most < b->columns ? most : b->columns);
        for (size_t k = a->start[i]; made && k < a->start[i + 1]; k++)
            for (size_t l = b->start[a->column[k]]; l < b->start[a->column[k] + 1]; l++)
                add(&s, product, b->column[l], a->value[k] * b->value[l]);
        product->start[i + 1] = s.end;
    }
    tide_free(s.place);
    if (!made)
        tide_rows_free(product);
    return made;
}

// --- aggregates -----------------------------------------------------------------------------------------------------

typedef struct aggregates {
    const tide_rows *a;
    const double *root; // (count) square root of the diagonal
    double strength;
    uint32_t *of; // (count) aggregate of each unknown, or NONE
    uint32_t count;
} aggregates;

static bool is_strong(const aggregates *g, uint32_t i, size_t k)
{
    uint32_t j = g->a->column[k];
    return j != i && fabs(g->a->value[k]) >= g->strength * g->root[i] * g->root[j];
}

// Puts i and its strong neighbours without an aggregate into a new aggregate. With `all`, only if none of the
// neighbours has an aggregate yet.
static void gather(aggregates *g, uint32_t i, bool all)
{
    const tide_rows *a = g->a;
    uint32_t joined = 0;
    if (g->of[i] != NONE)
        return;
    for (size_t k = a->start[i]; k < a->start[i + 1]; k++)
        if (is_strong(g, i, k)) {
            joined++;
            if (all && g->of[a->column[k]] != NONE)
                return;
        }
    if (joined == 0)
        return;
    for (size_t k = a->start[i]; k < a->start[i + 1]; k++)
        if (is_strong(g, i, k) && g->of[a->column[k]] == NONE)
            g->of[a->column[k]] = g->count;
    g->of[i] = g->count++;
}

// Makes aggregates in three passes: whole neighbourhoods; then each remaining unknown joins the aggregate with the
// strongest coupling; then the rest form aggregates of their own.
static bool aggregate(aggregates *g)
{
    const tide_rows *a = g->a;
    TIDE_SCOPED uint32_t *joins = tide_allocate_array(a->count, sizeof *joins);
    if (!joins)
        return false;
    for (uint32_t i = 0; i < a->count; i++)
        g->of[i] = NONE;
    for (uint32_t i = 0; i < a->count; i++)
        gather(g, i, true);
    for (uint32_t i = 0; i < a->count; i++) {
        double most = 0;
        joins[i] = NONE;
        for (size_t k = a->start[i]; g->of[i] == NONE && k < a->start[i + 1]; k++)
            if (is_strong(g, i, k) && g->of[a->column[k]] != NONE && fabs(a->value[k]) > most) {
                most = fabs(a->value[k]);
                joins[i] = g->of[a->column[k]];
            }
    }
    for (uint32_t i = 0; i < a->count; i++)
        if (g->of[i] == NONE)
            g->of[i] = joins[i];
    for (uint32_t i = 0; i < a->count; i++)
        gather(g, i, false);
    return true;
}

static bool smooth(const aggregates *g, double omega, tide_rows *p)
{
    const tide_rows *a = g->a;
    size_t capacity[2] = { 0 };
    sum s = { .place = tide_allocate_zeroed(g->count, sizeof *s.place) };
    bool made = s.place && tide_rows_make(p, a->count, g->count, 0);
    for (uint32_t i = 0; made && i < a->count; i++) {
        s.first = s.end;
        made = reserve(p, capacity, s.end, a->start[i + 1] - a->start[i] + 1);
        if (made && g->of[i] != NONE)
            add(&s, p, g->of[i], 1);
        for (size_t k = a->start[i]; made && k < a->start[i + 1]; k++)
            if (g->of[a->column[k]] != NONE)
                add(&s, p, g->of[a->column[k]], -omega * a->value[k] / (g->root[i] * g->root[i]));
        p->start[i + 1] = s.end;
    }
    tide_free(s.place);
    if (!made)
        tide_rows_free(p);
    return made;
}

bool tide_coarsen(const tide_rows *a, double strength, double omega, tide_rows *prolongation)
{
    *prolongation = (tide_rows) { 0 };
    TIDE_SCOPED double *root = tide_allocate_zeroed(a->count, sizeof *root);
    aggregates g = { .a = a, .root = root, .strength = strength };
    g.of = tide_allocate_array(a->count, sizeof *g.of);
    bool made = root && g.of;
    if (made) {
        for (uint32_t i = 0; i < a->count; i++)
            for (size_t k = a->start[i]; k < a->start[i + 1]; k++)
                if (a->column[k] == i)
                    root[i] = sqrt(a->value[k]);
        made = aggregate(&g) && smooth(&g, omega, prolongation);
    }
    tide_free(g.of);
    return made;
}
