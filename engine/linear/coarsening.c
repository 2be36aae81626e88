#include "linear/coarsening.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

#define NONE UINT32_MAX

static bool make_rows(tide_rows *rows, uint32_t count, uint32_t columns, size_t entries)
{
    *rows = (tide_rows) { .count = count, .columns = columns };
    rows->start = tide_allocate_zeroed((size_t)count + 2, sizeof *rows->start); // one more for filling in
    rows->column = tide_allocate_array(entries, sizeof *rows->column);
    rows->value = tide_allocate_array(entries, sizeof *rows->value);
    if (rows->start && rows->column && rows->value)
        return true;
    tide_rows_free(rows);
    return false;
}

void tide_rows_free(tide_rows *rows)
{
    tide_free(rows->start);
    tide_free(rows->column);
    tide_free(rows->value);
    *rows = (tide_rows) { 0 };
}

size_t tide_rows_bytes(const tide_rows *rows)
{
    return rows->start ? ((size_t)rows->count + 2) * sizeof *rows->start +
                             rows->start[rows->count] * (sizeof *rows->column + sizeof *rows->value)
                       : 0;
}

// Turns counts at start[row + 2] into where each row is filled from, at start[row + 1].
static void sum_counts(tide_rows *rows)
{
    for (uint32_t i = 1; i <= rows->count; i++)
        rows->start[i + 1] += rows->start[i];
}

static void put(tide_rows *rows, uint32_t row, uint32_t column, double value)
{
    size_t at = rows->start[row + 1]++;
    rows->column[at] = column;
    rows->value[at] = value;
}

bool tide_rows_from_symmetric(const tide_sparse *lower, tide_rows *rows)
{
    uint32_t n = lower->columns;
    if (!make_rows(rows, n, n, 2 * (size_t)lower->column_start[n]))
        return false;
    for (uint32_t j = 0; j < n; j++)
        for (int32_t k = lower->column_start[j]; k < lower->column_start[j + 1]; k++) {
            rows->start[j + 2]++;
            if ((uint32_t)lower->row[k] != j)
                rows->start[lower->row[k] + 2]++;
        }
    sum_counts(rows);
    for (uint32_t j = 0; j < n; j++) // each row's columns come in ascending order
        for (int32_t k = lower->column_start[j]; k < lower->column_start[j + 1]; k++) {
            put(rows, j, (uint32_t)lower->row[k], lower->value[k]);
            if ((uint32_t)lower->row[k] != j)
                put(rows, (uint32_t)lower->row[k], j, lower->value[k]);
        }
    return true;
}

bool tide_rows_transpose(const tide_rows *rows, tide_rows *transposed)
{
    if (!make_rows(transposed, rows->columns, rows->count, rows->start[rows->count]))
        return false;
    for (size_t k = 0; k < rows->start[rows->count]; k++)
        transposed->start[rows->column[k] + 2]++;
    sum_counts(transposed);
    for (uint32_t i = 0; i < rows->count; i++)
        for (size_t k = rows->start[i]; k < rows->start[i + 1]; k++)
            put(transposed, rows->column[k], i, rows->value[k]);
    return true;
}

// Columns of a row that is being summed.
typedef struct sum {
    size_t *place; // (columns) where in the row each column is, if that is at `first` or later
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

// Room for `more` entries behind `end`.
static bool reserve(tide_rows *rows, size_t capacity[2], size_t end, size_t more)
{
    return tide_grow(&rows->column, &capacity[0], end + more, sizeof *rows->column) &&
           tide_grow(&rows->value, &capacity[1], end + more, sizeof *rows->value);
}

bool tide_rows_multiply(const tide_rows *a, const tide_rows *b, tide_rows *product)
{
    size_t capacity[2] = { 0 };
    sum s = { .place = tide_allocate_zeroed(b->columns, sizeof *s.place) };
    bool made = s.place && make_rows(product, a->count, b->columns, 0);
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
    const double *root; // (count) of the diagonal
    double strength;
    uint32_t *of; // (count) the aggregate of each, or NONE
    uint32_t count;
} aggregates;

static bool is_strong(const aggregates *g, uint32_t i, size_t k)
{
    uint32_t j = g->a->column[k];
    return j != i && fabs(g->a->value[k]) >= g->strength * g->root[i] * g->root[j];
}

// Gives those joined to i, and i, a number; `all`: only if none of them has one yet.
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

// Whole neighbourhoods first; then what is left joins the one it is joined to most; then what is left still.
static bool aggregate(aggregates *g)
{
    const tide_rows *a = g->a;
    uint32_t *joins = tide_allocate_array(a->count, sizeof *joins);
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
    tide_free(joins);
    return true;
}

static bool smooth(const aggregates *g, double omega, tide_rows *p)
{
    const tide_rows *a = g->a;
    size_t capacity[2] = { 0 };
    sum s = { .place = tide_allocate_zeroed(g->count, sizeof *s.place) };
    bool made = s.place && make_rows(p, a->count, g->count, 0);
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
    double *root = tide_allocate_zeroed(a->count, sizeof *root);
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
    tide_free(root);
    tide_free(g.of);
    return made;
}
