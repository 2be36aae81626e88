#include "factor/ordered.h"

#include "base/memory.h"

#include <string.h>

// Places the entries. `next` (rows) is the next free index of each column; `inverse` (rows) is the new column of each
// of the caller's columns.
static void place_entries(const int32_t *start, const int32_t *row, const int32_t *order, const int32_t *inverse,
                          int32_t *next, tide_ordered *o)
{
    for (int32_t column = 0; column < (int32_t)o->rows; column++)
        for (int32_t k = start[order[column]]; k < start[order[column] + 1]; k++) {
            int32_t other = inverse[row[k]];
            int32_t place = next[other > column ? other : column]++;
            o->row[place] = other > column ? column : other;
            o->from[place] = k;
        }
}

bool tide_ordered_make(uint32_t rows, const int32_t *column_start, const int32_t *row, const int32_t *order,
                       tide_ordered *ordered)
{
    tide_ordered *o = ordered;
    size_t nonzeros = (size_t)column_start[rows];
    *o = (tide_ordered) { .rows = rows, .memory = tide_allocate(0) };
    TIDE_SCOPED int32_t *next = tide_allocate_array(rows, sizeof *next),
                        *inverse = tide_allocate_array(rows, sizeof *inverse);
    o->column_start = tide_own_zeroed(o->memory, (size_t)rows + 1, sizeof *o->column_start);
    o->row = tide_own_array(o->memory, nonzeros, sizeof *o->row);
    o->from = tide_own_array(o->memory, nonzeros, sizeof *o->from);
    o->value = tide_own_array(o->memory, nonzeros, sizeof *o->value);
    bool made = next && inverse && tide_owns_all(o->memory);
    if (made) {
        for (uint32_t i = 0; i < rows; i++)
            inverse[order[i]] = (int32_t)i;
        for (uint32_t column = 0; column < rows; column++)
            for (int32_t k = column_start[column]; k < column_start[column + 1]; k++) {
                int32_t one = inverse[column], other = inverse[row[k]];
                o->column_start[(one > other ? one : other) + 1]++;
            }
        for (uint32_t i = 0; i < rows; i++)
            o->column_start[i + 1] += o->column_start[i];
        memcpy(next, o->column_start, rows * sizeof *next);
        place_entries(column_start, row, order, inverse, next, o);
    } else
        tide_ordered_free(o);
    return made;
}

void tide_ordered_free(tide_ordered *ordered)
{
    tide_free(ordered->memory);
    *ordered = (tide_ordered) { 0 };
}

void tide_ordered_fill(tide_ordered *ordered, const double *value)
{
    for (int32_t k = 0; k < ordered->column_start[ordered->rows]; k++)
        ordered->value[k] = value[ordered->from[k]];
}
