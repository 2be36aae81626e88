#include "model/constant_rows.h"

#include "base/memory.h"
#include "model/wide.h"

#include <stdlib.h>
#include <string.h>

static uint64_t count_pairs(const tide_system *system)
{
    uint64_t pairs = 0;
    for (uint32_t g = 0; g < system->group_count; g++) {
        uint64_t corners = system->groups[g].kind->vertex_count;
        if (system->groups[g].kind->constant_hessian)
            pairs += corners * (corners - 1) * system->groups[g].count;
    }
    return pairs;
}

// Calls `visit` for each pair of different corners of the elements, with -L_ij.
static void for_each_pair(const tide_system *system, tide_constant_rows *rows,
                          void (*visit)(tide_constant_rows *rows, uint32_t i, uint32_t j, double weight))
{
    for (uint32_t g = 0; g < system->group_count; g++) {
        const tide_elements *group = &system->groups[g];
        uint32_t corners = group->kind->vertex_count;
        for (uint32_t e = 0; group->kind->constant_hessian && e < group->count; e++) {
            const uint32_t *vertices = group->vertices + (size_t)corners * e;
            double block[TIDE_ELEMENT_MAX_VERTICES * TIDE_ELEMENT_MAX_VERTICES];
            group->kind->laplacian(group, e, block);
            for (uint32_t c = 0; c < corners; c++)
                for (uint32_t d = 0; d < corners; d++)
                    if (c != d)
                        visit(rows, vertices[c], vertices[d], -block[corners * c + d]);
        }
    }
}

static void count_pair(tide_constant_rows *rows, uint32_t i, uint32_t j, double weight)
{
    (void)j, (void)weight;
    rows->first[i + 1]++;
}

static void list_pair(tide_constant_rows *rows, uint32_t i, uint32_t j, double weight)
{
    (void)weight;
    rows->others[rows->first[i]++] = 4 * j;
}

static void add_pair(tide_constant_rows *rows, uint32_t i, uint32_t j, double weight)
{
    uint32_t k = rows->first[i];
    while (rows->others[k] != 4 * j)
        k++;
    rows->weights[k] += weight;
}

static int compare(const void *a, const void *b)
{
    uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
    return left < right ? -1 : left > right;
}

// Sorts each row, and keeps each particle in it once. Every first entry has moved to where the next row begins.
static void merge_rows(tide_constant_rows *rows, uint32_t count)
{
    uint32_t begin = 0, kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t end = rows->first[i];
        qsort(rows->others + begin, end - begin, sizeof *rows->others, compare);
        rows->first[i] = kept;
        for (uint32_t k = begin; k < end; k++)
            if (k == begin || rows->others[k] != rows->others[kept - 1])
                rows->others[kept++] = rows->others[k];
        begin = end;
    }
    rows->first[count] = kept;
}

static tide_status fill(tide_constant_rows *rows, const tide_system *system, tide_error *error)
{
    uint32_t count = system->particle_count;
    rows->first = tide_allocate_zeroed(count + (size_t)1, sizeof *rows->first);
    if (!rows->first)
        return tide_fail_memory(error, "system");
    for_each_pair(system, rows, count_pair);
    for (uint32_t i = 0; i < count; i++)
        rows->first[i + 1] += rows->first[i];
    rows->others = tide_allocate_array(rows->first[count], sizeof *rows->others);
    if (!rows->others)
        return tide_fail_memory(error, "system");
    for_each_pair(system, rows, list_pair);
    merge_rows(rows, count);
    rows->weights = tide_allocate_array(rows->first[count], sizeof *rows->weights);
    if (!rows->weights)
        return tide_fail_memory(error, "system");
    tide_constant_rows_refresh(rows, system);
    return TIDE_OK;
}

tide_status tide_constant_rows_make(const tide_system *system, tide_constant_rows **out, tide_error *error)
{
    *out = NULL;
    uint64_t pairs = count_pairs(system);
    if (pairs == 0 || pairs > UINT32_MAX)
        return TIDE_OK;
    tide_constant_rows *rows = tide_allocate_zeroed(1, sizeof *rows);
    if (!rows)
        return tide_fail_memory(error, "system");
    tide_status status = fill(rows, system, error);
    if (status == TIDE_OK)
        *out = rows;
    else
        tide_constant_rows_destroy(rows);
    return status;
}

void tide_constant_rows_destroy(tide_constant_rows *rows)
{
    if (!rows)
        return;
    tide_free(rows->first);
    tide_free(rows->others);
    tide_free(rows->weights);
    tide_free(rows);
}

void tide_constant_rows_refresh(tide_constant_rows *rows, const tide_system *system)
{
    memset(rows->weights, 0, rows->first[system->particle_count] * sizeof *rows->weights);
    for_each_pair(system, rows, add_pair);
    rows->stiffness = 0;
    for (uint32_t g = 0; g < system->group_count; g++)
        for (uint32_t e = 0; system->groups[g].kind->constant_hessian && e < system->groups[g].count; e++)
            rows->stiffness += tide_element_stiffness(&system->groups[g], e);
}

// Each row has sums of its own, so that one row does not wait for another.
static inline void TIDE_WIDE_INLINE add_rows(const tide_constant_rows *rows, const double *quads, uint32_t begin,
                                             uint32_t end, double *out, double *energy)
{
    tide_quad total = { 0 };
    for (uint32_t i = begin; i < end; i++) {
        tide_quad x, sum = { 0 }, squares = { 0 };
        memcpy(&x, quads + 4 * (size_t)i, sizeof x);
        for (uint32_t k = rows->first[i]; k < rows->first[i + 1]; k++) {
            tide_quad other, force;
            memcpy(&other, quads + rows->others[k], sizeof other);
            other = x - other;
            force = rows->weights[k] * other;
            sum += force;
            squares += force * other;
        }
        total += squares;
        if (out) {
            memcpy(&x, out + 4 * (size_t)i, sizeof x);
            sum += x;
            memcpy(out + 4 * (size_t)i, &sum, sizeof sum);
        }
    }
    *energy = 0.25 * (total[0] + total[1] + total[2]);
}

TIDE_WIDE_DEFINE(add, add_rows,
                 (const tide_constant_rows *rows, const double *quads, uint32_t begin, uint32_t end, double *out,
                  double *energy),
                 (rows, quads, begin, end, out, energy))

double tide_constant_rows_add(const tide_constant_rows *rows, const double *quads, uint32_t begin, uint32_t end,
                              double *out)
{
    static void (*const variants[])(const tide_constant_rows *, const double *, uint32_t, uint32_t, double *,
                                    double *) = TIDE_WIDE_LIST(add);
    double energy;
    variants[tide_wide_variant()](rows, quads, begin, end, out, &energy);
    return energy;
}
