#include "model/step_matrix.h"

#include "base/hash.h"
#include "base/memory.h"

#include <string.h>

#define NO_PLACE UINT32_MAX // an entry of a particle without a row

static bool is_whole(const tide_system *system)
{
    return system->particle_count - system->free_count <= system->particle_count / TIDE_MANY_PINNED;
}

static uint32_t row_of(const tide_step_matrix *s, const tide_system *system, uint32_t particle)
{
    return s->whole ? particle : system->rows[particle];
}

uint32_t tide_step_matrix_particle(const tide_step_matrix *matrix, const tide_system *system, uint32_t row)
{
    return matrix->whole ? row : system->free_particles[row];
}

bool tide_step_matrix_splits(const tide_step_matrix *matrix, const tide_system *system)
{
    return matrix->whole && system->origins;
}

// Elements of one particle are not part of the pattern.
static uint64_t hash_topology(const tide_system *system, bool whole)
{
    uint64_t hash = tide_hash_bytes(TIDE_HASH_START, &system->particle_count, sizeof system->particle_count);
    if (!whole)
        hash = tide_hash_bytes(hash, system->rows, system->particle_count * sizeof *system->rows);
    for (uint32_t g = 0; g < system->group_count; g++) {
        const tide_elements *group = &system->groups[g];
        size_t corners = group->kind->vertex_count;
        if (g == system->late_group)
            hash = tide_hash_bytes(hash, "late", 4);
        if (corners > 1)
            hash = tide_hash_bytes(hash, group->vertices, corners * group->count * sizeof *group->vertices);
    }
    return hash;
}

// Calls `visit` with the rows of each pair of corners of each element of the first groups.
static void each_two(const tide_step_matrix *s, const tide_system *system, uint32_t groups,
                     void (*visit)(void *context, uint32_t row, uint32_t column), void *context)
{
    for (uint32_t g = 0; g < groups; g++) {
        const tide_elements *group = &system->groups[g];
        const uint32_t *corner = group->vertices;
        for (uint32_t e = 0; e < group->count; e++, corner += group->kind->vertex_count)
            for (uint32_t i = 1; i < group->kind->vertex_count; i++)
                for (uint32_t j = 0; j < i; j++) {
                    uint32_t one = row_of(s, system, corner[i]), other = row_of(s, system, corner[j]);
                    visit(context, one > other ? one : other, one > other ? other : one);
                }
    }
}

static void add_entry(void *context, uint32_t row, uint32_t column)
{
    if (row != TIDE_PINNED)
        tide_triplets_add(context, row, column, 0);
}

typedef struct search {
    const tide_sparse *matrix;
    uint32_t *next;
} search;

static void find_place(void *context, uint32_t row, uint32_t column)
{
    search *s = context;
    *s->next++ = row == TIDE_PINNED ? NO_PLACE : (uint32_t)tide_sparse_find(s->matrix, row, column);
}

static tide_status join_rows(const tide_step_matrix *s, const tide_system *system, uint32_t groups, tide_sparse *out,
                             tide_error *error)
{
    uint32_t rows = s->whole ? system->particle_count : system->free_count;
    tide_triplets triplets = { 0 };
    for (uint32_t row = 0; row < rows; row++)
        tide_triplets_add(&triplets, row, row, 0);
    each_two(s, system, groups, add_entry, &triplets);
    tide_status status = tide_sparse_from_triplets(&triplets, rows, rows, true, out, error);
    tide_triplets_free(&triplets);
    return status;
}

static tide_status make_pattern(tide_step_matrix *s, const tide_system *system, tide_error *error)
{
    size_t places = 0;
    tide_status status = join_rows(s, system, system->group_count, &s->matrix, error);
    if (status == TIDE_OK && system->late_group < system->group_count)
        status = join_rows(s, system, system->late_group, &s->base, error);
    if (status)
        return status;
    for (uint32_t g = 0; g < system->group_count; g++) {
        size_t corners = system->groups[g].kind->vertex_count;
        places += corners * (corners - 1) / 2 * system->groups[g].count;
    }
    s->places = tide_allocate_array(places, sizeof *s->places);
    if (!s->places)
        return tide_fail_memory(error, "matrix");
    search found = { &s->matrix, s->places };
    each_two(s, system, system->group_count, find_place, &found);
    return TIDE_OK;
}

static void add_elements(tide_step_matrix *s, const tide_system *system, double factor)
{
    double block[TIDE_ELEMENT_MAX_VERTICES * TIDE_ELEMENT_MAX_VERTICES], *value = s->matrix.value;
    const uint32_t *place = s->places;
    for (uint32_t g = 0; g < system->group_count; g++) {
        const tide_elements *group = &system->groups[g];
        uint32_t corners = group->kind->vertex_count;
        const uint32_t *corner = group->vertices;
        for (uint32_t e = 0; e < group->count; e++, corner += corners) {
            group->kind->laplacian(group, e, block);
            for (uint32_t i = 0; i < corners; i++) {
                uint32_t row = row_of(s, system, corner[i]);
                if (row != TIDE_PINNED)
                    value[s->matrix.column_start[row]] += factor * block[(corners + 1) * i];
                for (uint32_t j = 0; j < i; j++, place++)
                    if (*place != NO_PLACE && system->rows[corner[i]] != TIDE_PINNED &&
                        system->rows[corner[j]] != TIDE_PINNED)
                        value[*place] += factor * block[corners * i + j];
            }
        }
    }
}

tide_status tide_step_matrix_fill(tide_step_matrix *matrix, const tide_system *system, double m, double b,
                                  tide_error *error)
{
    tide_step_matrix *s = matrix;
    bool whole = is_whole(system);
    uint64_t topology = hash_topology(system, whole);
    if (!s->places || s->topology != topology) {
        tide_step_matrix_free(s);
        s->whole = whole;
        s->topology = topology;
        tide_status status = make_pattern(s, system, error);
        if (status) {
            tide_step_matrix_free(s);
            return status;
        }
    }
    tide_sparse *a = &s->matrix;
    memset(a->value, 0, (size_t)a->column_start[a->columns] * sizeof *a->value);
    for (uint32_t row = 0; row < a->columns; row++)
        a->value[a->column_start[row]] = m * system->masses[tide_step_matrix_particle(s, system, row)];
    add_elements(s, system, b);
    for (uint32_t p = 0; s->whole && p < system->particle_count; p++) {
        double *diagonal = &a->value[a->column_start[p]];
        if (system->rows[p] == TIDE_PINNED && !(*diagonal > 0))
            *diagonal = 1;
    }
    return TIDE_OK;
}

void tide_step_matrix_free(tide_step_matrix *matrix)
{
    tide_sparse_free(&matrix->matrix);
    tide_sparse_free(&matrix->base);
    tide_free(matrix->places);
    *matrix = (tide_step_matrix) { 0 };
}
