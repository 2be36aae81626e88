// The fixed pattern of the Hessian has 3 x 3 blocks on the diagonal and where two free particles share an element.
#include "model/assembly.h"

#include "base/memory.h"

#include <string.h>

// The place of a pair of corners (i, j), i >= j, in the order of tide_element_kind's `blocks`. `first` is the index of
// the block's first number in matrix.value, `height` the count of numbers in that column. The block's second column
// starts `height` numbers later, its third one 2 `height` - 1 later: each column of the diagonal block is one number
// shorter than the one before.
typedef struct place {
    uint32_t first, height;
} place;

enum { BLOCK = 32 };                   // elements whose blocks are on the stack at once
#define NO_PLACE UINT32_MAX            // a pair with a pinned particle has no block
#define TRANSPOSED (UINT32_C(1) << 31) // flag in `first`: corner i has the smaller row

static uint32_t pairs_of(const tide_elements *group)
{
    return group->kind->vertex_count * (group->kind->vertex_count + 1) / 2;
}

static size_t pair_count(const tide_system *system)
{
    size_t pairs = 0;
    for (uint32_t g = 0; g < system->group_count; g++)
        pairs += (size_t)system->groups[g].count * pairs_of(&system->groups[g]);
    return pairs;
}

// Calls `visit` for each pair of corners of each element with the rows of their particles.
static void each_pair(const tide_system *system, void (*visit)(void *context, uint32_t row, uint32_t column),
                      void *context)
{
    for (uint32_t g = 0; g < system->group_count; g++) {
        const tide_elements *group = &system->groups[g];
        const uint32_t *corner = group->vertices;
        for (uint32_t e = 0; e < group->count; e++, corner += group->kind->vertex_count)
            for (uint32_t i = 0; i < group->kind->vertex_count; i++)
                for (uint32_t j = 0; j <= i; j++)
                    visit(context, system->rows[corner[i]], system->rows[corner[j]]);
    }
}

static void add_pair(void *context, uint32_t row, uint32_t column)
{
    if (row == TIDE_PINNED || column == TIDE_PINNED)
        return;
    tide_triplets_add(context, row > column ? row : column, row > column ? column : row, 1);
}

// Makes the pattern of blocks: a matrix with one entry for each block.
static tide_status make_block_pattern(const tide_system *system, tide_sparse *blocks, tide_error *error)
{
    tide_triplets triplets = { 0 };
    for (uint32_t row = 0; row < system->free_count; row++)
        tide_triplets_add(&triplets, row, row, 1);
    each_pair(system, add_pair, &triplets);
    tide_status status =
        tide_sparse_from_triplets(&triplets, system->free_count, system->free_count, true, blocks, error);
    tide_triplets_free(&triplets);
    return status;
}

// Expands a column of blocks to three columns of numbers: the diagonal block's lower triangle, then the other blocks
// whole.
static tide_status expand(const tide_sparse *blocks, tide_sparse *matrix, tide_error *error)
{
    uint32_t columns = blocks->columns;
    size_t numbers = 9 * (size_t)blocks->column_start[columns] - 3 * (size_t)columns;
    if (numbers > INT32_MAX)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, "system", "elements", NULL,
                         "the Hessian has more than 2^31 entries; use a smaller mesh or a method without it");
    matrix->rows = matrix->columns = 3 * columns;
    matrix->symmetric = true;
    matrix->column_start = tide_allocate_array(3 * (size_t)columns + 1, sizeof *matrix->column_start);
    matrix->row = tide_allocate_array(numbers, sizeof *matrix->row);
    matrix->value = tide_allocate_zeroed(numbers, sizeof *matrix->value);
    if (!matrix->column_start || !matrix->row || !matrix->value)
        return tide_fail_memory(error, "system");
    int32_t next = 0;
    for (uint32_t c = 0; c < columns; c++)
        for (int32_t k = 0; k < 3; k++) {
            matrix->column_start[3 * c + (uint32_t)k] = next;
            for (int32_t b = blocks->column_start[c]; b < blocks->column_start[c + 1]; b++)
                for (int32_t i = b == blocks->column_start[c] ? k : 0; i < 3; i++)
                    matrix->row[next++] = 3 * blocks->row[b] + i;
        }
    matrix->column_start[3 * columns] = next;
    tide_sparse_find_blocks(matrix);
    return TIDE_OK;
}

typedef struct search {
    const tide_sparse *blocks, *matrix;
    place *next;
} search;

static void find_place(void *context, uint32_t row, uint32_t column)
{
    search *s = context;
    place *found = s->next++;
    *found = (place) { NO_PLACE, 0 };
    if (row == TIDE_PINNED || column == TIDE_PINNED)
        return;
    uint32_t down = row > column ? row : column, across = row > column ? column : row;
    int32_t at = tide_sparse_find(s->blocks, down, across);
    const int32_t *start = s->matrix->column_start + 3 * (size_t)across;
    found->first = (uint32_t)(start[0] + 3 * (at - s->blocks->column_start[across])) | (row < column ? TRANSPOSED : 0);
    found->height = (uint32_t)(start[1] - start[0]);
}

tide_status tide_assembly_prepare(tide_assembly *assembly, const tide_system *system, tide_error *error)
{
    tide_assembly_free(assembly);
    tide_sparse blocks = { 0 };
    tide_status status = make_block_pattern(system, &blocks, error);
    if (status == TIDE_OK)
        status = expand(&blocks, &assembly->matrix, error);
    if (status == TIDE_OK) {
        assembly->places = tide_allocate_array(pair_count(system), sizeof(place));
        search s = { &blocks, &assembly->matrix, (place *)assembly->places };
        if (assembly->places)
            each_pair(system, find_place, &s);
        else
            status = tide_fail_memory(error, "system");
    }
    tide_sparse_free(&blocks);
    if (status != TIDE_OK)
        tide_assembly_free(assembly);
    return status;
}

void tide_assembly_free(tide_assembly *assembly)
{
    tide_sparse_free(&assembly->matrix);
    tide_free(assembly->places);
    *assembly = (tide_assembly) { 0 };
}

// Adds the lower triangle of a diagonal block.
static inline void add_diagonal(double *value, place at, const double *block)
{
    double *second = value + at.first + at.height, *third = second + at.height - 1;
    value[at.first] += block[0];
    value[at.first + 1] += block[3];
    value[at.first + 2] += block[6];
    second[0] += block[4];
    second[1] += block[7];
    third[0] += block[8];
}

static inline void add_block(double *value, place at, const double *block)
{
    uint32_t down = at.first & TRANSPOSED ? 1 : 3, across = 4 - down; // strides within a row, within a column
    double *first = value + (at.first & ~TRANSPOSED), *second = first + at.height - 1, *third = second + at.height - 2;
    for (size_t i = 0; i < 3; i++, block += down) {
        first[i] += block[0];
        second[i] += block[across];
        third[i] += block[2 * across];
    }
}

void tide_assembly_add(tide_assembly *assembly, const tide_system *system, const double *x, bool project, double a,
                       double b)
{
    double compact[BLOCK * TIDE_ELEMENT_MAX_COMPACT], blocks[BLOCK * 9 * TIDE_ELEMENT_MAX_PAIRS];
    double *value = assembly->matrix.value;
    const place *at = (const place *)assembly->places;
    if (a != 0)
        tide_system_couple(system, x);
    for (uint32_t g = 0; g < system->group_count; g++) {
        const tide_elements *group = &system->groups[g];
        for (uint32_t begin = 0; begin < group->count; begin += BLOCK) {
            uint32_t end = group->count - begin < BLOCK ? group->count : begin + BLOCK;
            group->kind->compact(group, x, begin, end, project, a, b, compact);
            group->kind->blocks(group, compact, begin, end, blocks);
            const double *block = blocks;
            for (uint32_t e = begin; e < end; e++)
                for (uint32_t i = 0; i < group->kind->vertex_count; i++)
                    for (uint32_t j = 0; j <= i; j++, block += 9, at++)
                        if (at->first == NO_PLACE)
                            continue;
                        else if (i == j)
                            add_diagonal(value, *at, block);
                        else
                            add_block(value, *at, block);
        }
    }
}

void tide_assembly_shift(tide_assembly *assembly, const tide_system *system, double shift)
{
    tide_sparse *matrix = &assembly->matrix;
    for (uint32_t row = 0; row < system->free_count; row++)
        for (uint32_t k = 0; k < 3; k++)
            matrix->value[matrix->column_start[3 * row + k]] += shift * system->masses[system->free_particles[row]];
}

bool tide_assembly_is_indefinite(const tide_assembly *assembly)
{
    const tide_sparse *matrix = &assembly->matrix;
    for (uint32_t column = 0; column < matrix->columns; column += 3) {
        const double *a = matrix->value + matrix->column_start[column];
        const double *b = matrix->value + matrix->column_start[column + 1];
        double third = matrix->value[matrix->column_start[column + 2]];
        double d2 = b[0] - a[1] * a[1] / a[0], e = b[1] - a[1] * a[2] / a[0];
        if (!(a[0] > 0 && d2 > 0 && third - a[2] * a[2] / a[0] - e * e / d2 > 0))
            return true;
    }
    return false;
}

void tide_assembly_fill(tide_assembly *assembly, const tide_system *system, const double *x, bool project, double m,
                        double a, double b)
{
    memset(assembly->matrix.value, 0,
           (size_t)assembly->matrix.column_start[assembly->matrix.columns] * sizeof *assembly->matrix.value);
    tide_assembly_shift(assembly, system, m);
    tide_assembly_add(assembly, system, x, project, a, b);
}
