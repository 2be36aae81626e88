#include "linear/rows.h"

#include "base/memory.h"
#include "base/parallel.h"

bool tide_rows_make(tide_rows *rows, uint32_t count, uint32_t columns, size_t entries)
{
    *rows = (tide_rows) { .count = count, .columns = columns };
    rows->start = tide_allocate_zeroed((size_t)count + 2, sizeof *rows->start); // one extra entry for the counting sort
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

// Turns counts at start[row + 2] into the first index of each row at start[row + 1].
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
    if (!tide_rows_make(rows, n, n, 2 * (size_t)lower->column_start[n]))
        return false;
    for (uint32_t j = 0; j < n; j++)
        for (int32_t k = lower->column_start[j]; k < lower->column_start[j + 1]; k++) {
            rows->start[j + 2]++;
            if ((uint32_t)lower->row[k] != j)
                rows->start[lower->row[k] + 2]++;
        }
    sum_counts(rows);
    for (uint32_t j = 0; j < n; j++) // columns of each row come in ascending order
        for (int32_t k = lower->column_start[j]; k < lower->column_start[j + 1]; k++) {
            put(rows, j, (uint32_t)lower->row[k], lower->value[k]);
            if ((uint32_t)lower->row[k] != j)
                put(rows, (uint32_t)lower->row[k], j, lower->value[k]);
        }
    return true;
}

bool tide_rows_transpose(const tide_rows *rows, tide_rows *transposed)
{
    if (!tide_rows_make(transposed, rows->columns, rows->count, rows->start[rows->count]))
        return false;
    for (size_t k = 0; k < rows->start[rows->count]; k++)
        transposed->start[rows->column[k] + 2]++;
    sum_counts(transposed);
    for (uint32_t i = 0; i < rows->count; i++)
        for (size_t k = rows->start[i]; k < rows->start[i + 1]; k++)
            put(transposed, rows->column[k], i, rows->value[k]);
    return true;
}

// --- products with vectors -------------------------------------------------------------------------------------------

typedef struct product {
    const tide_rows *rows;
    const double *x;
    double *y;
} product;

static void multiply_rows(void *context, uint32_t begin, uint32_t end)
{
    const product *p = context;
    for (uint32_t i = begin; i < end; i++)
        *(tide_triple *)(p->y + 3 * (size_t)i) = tide_rows_multiply_one(p->rows, i, p->x);
}

void tide_rows_apply(const tide_rows *rows, const double *x, double *y)
{
    product p = { rows, x, y };
    tide_parallel_for(rows->count, TIDE_ROWS_GRAIN, multiply_rows, &p);
}
