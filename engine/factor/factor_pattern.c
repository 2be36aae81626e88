#include "factor/factor_pattern.h"

#include "base/memory.h"

#include <string.h>

#define NONE UINT32_MAX

// Chains of consecutive columns that share a list of rows.
typedef struct chains {
    uint32_t count;
    uint32_t *first; // (columns + 1) first column of each chain
    uint32_t *child; // (columns) first child: a chain whose first row below its columns is this column
    uint32_t *next;  // (columns) for a chain: its next sibling
    uint32_t *seen;  // (columns) last chain that contains this row
    int32_t *spare;  // (columns) workspace
} chains;

static bool place_entries(const int32_t *column_start, const int32_t *row, const int32_t *order, tide_factor_pattern *p)
{
    uint32_t n = p->view.columns;
    size_t nonzeros = (size_t)column_start[n];
    TIDE_SCOPED int32_t *inverse = tide_allocate_array(n, sizeof *inverse);
    p->entry_start = tide_own_zeroed(p->memory, (size_t)n + 2, sizeof *p->entry_start);
    p->entry_row = tide_own_array(p->memory, nonzeros, sizeof *p->entry_row);
    p->entry_source = tide_own_array(p->memory, nonzeros, sizeof *p->entry_source);
    bool made = inverse && tide_owns_all(p->memory);
    if (made) {
        for (uint32_t i = 0; i < n; i++)
            inverse[order[i]] = (int32_t)i;
        int32_t *next = p->entry_start + 2; // one entry ahead: filling moves each start to its final place
        for (uint32_t pass = 0; pass < 2; pass++) {
            for (uint32_t j = 0; j < n; j++)
                for (int32_t k = column_start[j]; k < column_start[j + 1]; k++) {
                    int32_t one = inverse[j], other = inverse[row[k]];
                    int32_t low = one < other ? one : other, high = one < other ? other : one;
                    if (pass == 0)
                        next[low]++;
                    else {
                        int32_t at = p->entry_start[low + 1]++;
                        p->entry_row[at] = high;
                        p->entry_source[at] = k;
                    }
                }
            for (uint32_t j = 1; pass == 0 && j < n; j++) // next[n - 1] becomes the end of all
                next[j] += next[j - 1];
        }
    }
    return made;
}

static size_t end_of_run(const int32_t *list, size_t begin, size_t count)
{
    size_t end = begin + 1;
    while (end < count && list[end] > list[end - 1])
        end++;
    return end;
}

// Merges the ascending first `middle` numbers of a list with the ascending rest.
static void merge(int32_t *list, size_t middle, size_t count, int32_t *spare)
{
    size_t out = 0, first = 0, second = middle;
    memcpy(spare, list, middle * sizeof *list);
    while (first < middle)
        list[out++] = second == count || spare[first] < list[second] ? spare[first++] : list[second++];
}

// Sorts a list of few ascending runs, such as the concatenated lists of children. `spare` has the same length.
static void sort(int32_t *list, size_t count, int32_t *spare)
{
    size_t runs;
    do {
        runs = 0;
        for (size_t begin = 0, middle, end; begin < count; begin = end, runs++) {
            middle = end_of_run(list, begin, count);
            end = middle < count ? end_of_run(list, middle, count) : count;
            if (middle < end)
                merge(list + begin, middle - begin, end - begin, spare);
        }
    } while (runs > 1);
}

static void add_row(chains *c, tide_factor_pattern *p, uint32_t chain, int32_t row)
{
    if (c->seen[row] == chain)
        return;
    c->seen[row] = chain;
    p->row[p->row_count++] = row;
}

// Lists the rows of column j: those of A and of the child chains.
static void list_rows(chains *c, tide_factor_pattern *p, uint32_t chain, uint32_t j)
{
    size_t first = p->row_count;
    for (uint32_t child = c->child[j]; child != NONE; child = c->next[child]) {
        uint32_t last = c->first[child + 1] - 1;
        for (int32_t e = p->start[last] + 1; e < p->start[last] + p->length[last]; e++)
            add_row(c, p, chain, p->row[e]);
    }
    size_t own = p->row_count;
    for (int32_t e = p->entry_start[j]; e < p->entry_start[j + 1]; e++)
        add_row(c, p, chain, p->entry_row[e]);
    sort(p->row + own, p->row_count - own, c->spare);
    sort(p->row + first, p->row_count - first, c->spare);
}

static bool goes_on(const tide_factor_pattern *p, const int32_t *counts, size_t list, uint32_t first, uint32_t j)
{
    return j < p->view.columns && (uint32_t)counts[first] > j - first && p->row[list + j - first] == (int32_t)j &&
           counts[j] == counts[j - 1] - 1;
}

static bool find_chains(chains *c, tide_factor_pattern *p, const int32_t *counts)
{
    uint32_t n = p->view.columns;
    size_t capacity = 0;
    for (uint32_t j = 0; j < n; j++)
        c->child[j] = c->seen[j] = NONE;
    for (uint32_t first = 0, j; first < n; first = j) {
        uint32_t chain = c->count++;
        size_t list = p->row_count, end = list + (size_t)counts[first];
        if (end > INT32_MAX || !tide_grow_owned(p->memory, &p->row, &capacity, end, sizeof *p->row))
            return false;
        c->first[chain] = first;
        list_rows(c, p, chain, first);
        j = first;
        do {
            p->start[j] = (int32_t)(list + j - first);
            p->length[j] = counts[j];
            p->nonzeros += counts[j];
            p->operations += (double)counts[j] * counts[j];
            j++;
        } while (goes_on(p, counts, list, first, j));
        c->first[chain + 1] = j;
        if (counts[j - 1] > 1) {
            uint32_t parent = (uint32_t)p->row[p->start[j - 1] + 1];
            c->next[chain] = c->child[parent];
            c->child[parent] = chain;
        }
    }
    return true;
}

bool tide_factor_pattern_make(uint32_t columns, const int32_t *column_start, const int32_t *row, const int32_t *order,
                              const int32_t *counts, tide_factor_pattern *pattern)
{
    void *memory = tide_allocate(0);
    TIDE_SCOPED void *workspace = tide_allocate(0);
    *pattern = (tide_factor_pattern) { .view.columns = columns, .memory = memory };
    pattern->start = tide_own_array(memory, columns, sizeof *pattern->start);
    pattern->length = tide_own_array(memory, columns, sizeof *pattern->length);
    chains c = { .first = tide_own_array(workspace, (size_t)columns + 1, sizeof *c.first),
                 .child = tide_own_array(workspace, columns, sizeof *c.child),
                 .next = tide_own_array(workspace, columns, sizeof *c.next),
                 .seen = tide_own_array(workspace, columns, sizeof *c.seen),
                 .spare = tide_own_array(workspace, columns, sizeof *c.spare) };
    bool made = tide_owns_all(memory) && tide_owns_all(workspace) && place_entries(column_start, row, order, pattern) &&
                find_chains(&c, pattern, counts);
    if (!made)
        tide_factor_pattern_free(pattern);
    else {
        pattern->view.start = pattern->start;
        pattern->view.length = pattern->length;
        pattern->view.row = pattern->row;
    }
    return made;
}

void tide_factor_pattern_free(tide_factor_pattern *pattern)
{
    tide_free(pattern->memory);
    *pattern = (tide_factor_pattern) { 0 };
}
