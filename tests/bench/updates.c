#include "bench/bench.h"

#include "base/clock.h"
#include "base/memory.h"
#include "factor/cholesky.h"
#include "model/step_matrix.h"

#include <math.h>
#include <string.h>

enum { PLACES = 8 };                   // in the scene, far from one another
static const double seconds_spent = 2; // no place and no run begins later

// Seconds until the next solve after a change; of a pin, an unpinning and a cut the mean over several places.
typedef struct changes {
    double pin, unpin, cut; // a vertex, a spring
    double stiffness, timestep;
    double added;  // a spring between two far vertices
    double redone; // share of a factorisation's operations that a pin takes
} changes;

typedef struct updates {
    const tide_system *system;
    double h, end;
    tide_step_matrix made;
    double *values; // of `made`, unchanged
    tide_cholesky *cholesky;
} updates;

static size_t value_count(const updates *u)
{
    return (size_t)u->made.matrix.column_start[u->made.matrix.columns];
}

static void reset(updates *u)
{
    memcpy(u->made.matrix.value, u->values, value_count(u) * sizeof *u->values);
}

// Factors the matrix and adds the seconds that it takes.
static tide_status factor(updates *u, const tide_sparse *matrix, double *seconds, tide_error *error)
{
    double start = tide_clock_seconds();
    tide_status status = tide_cholesky_factor(u->cholesky, matrix, NULL, error);
    *seconds += tide_clock_seconds() - start;
    return status;
}

// Sets a row and its column to 0 but for the diagonal entry.
static void pin(updates *u, uint32_t row)
{
    tide_sparse *a = &u->made.matrix;
    for (uint32_t j = 0; j < a->columns; j++)
        for (int32_t k = a->column_start[j]; k < a->column_start[j + 1]; k++)
            if ((j == row) != (a->row[k] == (int32_t)row))
                a->value[k] = 0;
}

// Removes a spring: the first entry below a diagonal, if there is one, and its part of two diagonal entries.
static void cut(updates *u, uint32_t row)
{
    tide_sparse *a = &u->made.matrix;
    int32_t first = a->column_start[row];
    if (first + 1 == a->column_start[row + 1])
        return;
    double part = a->value[first + 1];
    a->value[first] += part;
    a->value[a->column_start[a->row[first + 1]]] += part;
    a->value[first + 1] = 0;
}

static tide_status measure_place(updates *u, uint32_t row, changes *sum, tide_error *error)
{
    double unused = 0;
    const tide_sparse *matrix = &u->made.matrix;
    pin(u, row);
    tide_status status = factor(u, matrix, &sum->pin, error);
    sum->redone += tide_cholesky_describe(u->cholesky).redone;
    reset(u);
    if (status == TIDE_OK)
        status = factor(u, matrix, &sum->unpin, error);
    cut(u, row);
    if (status == TIDE_OK)
        status = factor(u, matrix, &sum->cut, error);
    reset(u);
    return status == TIDE_OK ? factor(u, matrix, &unused, error) : status;
}

// Multiplies h or the stiffness, factors, and goes back.
static tide_status measure_whole(updates *u, double h_times, double stiffness_times, double *sum, tide_error *error)
{
    double h = u->h * h_times, unused = 0;
    double start = tide_clock_seconds();
    tide_status status = tide_step_matrix_fill(&u->made, u->system, 1, h * h * stiffness_times, error);
    *sum += tide_clock_seconds() - start;
    if (status == TIDE_OK)
        status = factor(u, &u->made.matrix, sum, error);
    reset(u);
    return status == TIDE_OK ? factor(u, &u->made.matrix, &unused, error) : status;
}

static tide_status join(const tide_sparse *a, uint32_t row, uint32_t column, tide_sparse *joined, tide_error *error)
{
    tide_triplets triplets = { 0 };
    double stiffness = a->value[a->column_start[column]];
    for (uint32_t j = 0; j < a->columns; j++)
        for (int32_t k = a->column_start[j]; k < a->column_start[j + 1]; k++)
            tide_triplets_add(&triplets, (uint32_t)a->row[k], j, a->value[k]);
    tide_triplets_add(&triplets, row, row, stiffness);
    tide_triplets_add(&triplets, column, column, stiffness);
    tide_triplets_add(&triplets, row, column, -stiffness);
    tide_status status = tide_sparse_from_triplets(&triplets, a->rows, a->columns, true, joined, error);
    tide_triplets_free(&triplets);
    return status;
}

// Adds a spring between two rows that had none.
static tide_status measure_added(updates *u, changes *sum, tide_error *error)
{
    uint32_t rows = u->made.matrix.rows;
    tide_sparse joined = { 0 };
    double unused = 0;
    if (rows < 4)
        return TIDE_OK;
    tide_status status = join(&u->made.matrix, 3 * (rows / 4), rows / 4, &joined, error);
    double start = tide_clock_seconds();
    if (status == TIDE_OK)
        status = tide_cholesky_factor_grafted(u->cholesky, &u->made.matrix, &joined, NULL, error);
    sum->added += tide_clock_seconds() - start;
    tide_sparse_free(&joined);
    return status == TIDE_OK ? factor(u, &u->made.matrix, &unused, error) : status;
}

static void keep_least(double *least, double found, double times)
{
    *least = fmin(*least, found / times);
}

static tide_status measure_run(updates *u, changes *least, tide_error *error)
{
    uint32_t rows = u->made.matrix.rows, places = 0;
    changes sum = { 0 };
    tide_status status = TIDE_OK;
    while (places < PLACES && status == TIDE_OK && (places == 0 || tide_clock_seconds() < u->end)) {
        uint64_t middle = 2 * ((uint64_t)places++ * 3 % PLACES) + 1; // spread over the scene, however few are measured
        status = measure_place(u, (uint32_t)(rows * middle / (2 * PLACES)), &sum, error);
    }
    if (status == TIDE_OK)
        status = measure_whole(u, 1, 1.5, &sum.stiffness, error);
    if (status == TIDE_OK)
        status = measure_whole(u, 1.5, 1, &sum.timestep, error);
    if (status == TIDE_OK)
        status = measure_added(u, &sum, error);
    keep_least(&least->pin, sum.pin, places);
    keep_least(&least->unpin, sum.unpin, places);
    keep_least(&least->cut, sum.cut, places);
    keep_least(&least->redone, sum.redone, places);
    keep_least(&least->stiffness, sum.stiffness, 1);
    keep_least(&least->timestep, sum.timestep, 1);
    keep_least(&least->added, sum.added, 1);
    return status;
}

static tide_status measure(updates *u, uint32_t runs, changes *least, tide_error *error)
{
    double unused = 0;
    tide_cholesky_choose(u->cholesky, TIDE_CHOLESKY_FAST, 0);
    tide_status status = factor(u, &u->made.matrix, &unused, error);
    u->end = tide_clock_seconds() + seconds_spent;
    for (uint32_t run = 0; run < runs && status == TIDE_OK && (run == 0 || tide_clock_seconds() < u->end); run++)
        status = measure_run(u, least, error);
    return status;
}

tide_status bench_updates(tide_world *world, uint32_t runs, tide_error *error)
{
    updates u = { .h = tide_world_get_settings(world)->timestep };
    changes least = { INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY };
    tide_status status = tide_world_system(world, &u.system, error);
    if (status == TIDE_OK)
        status = tide_step_matrix_fill(&u.made, u.system, 1, u.h * u.h, error);
    if (status == TIDE_OK)
        status = tide_cholesky_create(&u.cholesky, error);
    if (status == TIDE_OK) {
        u.values = tide_copy_bytes(u.made.matrix.value, value_count(&u) * sizeof *u.values);
        status = u.values ? measure(&u, runs, &least, error) : tide_fail_memory(error, "bench");
    }
    if (status == TIDE_OK) {
        bench_print("pin_ms", "ms", 1e3 * least.pin);
        bench_print("unpin_ms", "ms", 1e3 * least.unpin);
        bench_print("cut_ms", "ms", 1e3 * least.cut);
        bench_print("stiffness_ms", "ms", 1e3 * least.stiffness);
        bench_print("timestep_ms", "ms", 1e3 * least.timestep);
        bench_print("added_ms", "ms", 1e3 * least.added);
        bench_print("pin_redone", "1", least.redone);
    }
    tide_cholesky_destroy(u.cholesky);
    tide_step_matrix_free(&u.made);
    tide_free(u.values);
    return status;
}
