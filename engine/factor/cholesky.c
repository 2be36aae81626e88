#include "factor/cholesky_state.h"

#include "base/clock.h"
#include "base/hash.h"
#include "base/megabytes.h"
#include "base/memory.h"
#include "base/stop.h"
#include "base/task.h"
#include "factor/block_graph.h"
#include "linear/multigrid.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

const char *const tide_solve_methods[] = { "cholmod", "fast", "double", "iterative", NULL };

// Largest errors of panels in use: for three right-hand sides; for one.
static const double largest_error = 1e-6, largest_energy = 1e-3;
static const double largest_residual = 1e-12;

// Largest number of multiplications and additions of a factorisation, about two minutes.
static const double most_operations = 2e12;

// Relative residuals at which conjugate gradients stop: when the method corrects itself by iterating, and when not.
static const double loose = 1e-5, strict = 1e-10;
enum { MOST_ITERATIONS = 300 };

enum { ROWS_AT_ONCE = 64 }; // rows that CHOLMOD eliminates between checks for a stop

tide_status tide_cholesky_create(tide_cholesky **cholesky, tide_error *error)
{
    // SuiteSparse has one set of allocation functions for the whole process.
    SuiteSparse_config.malloc_func = tide_allocate;
    SuiteSparse_config.calloc_func = tide_allocate_zeroed;
    SuiteSparse_config.realloc_func = tide_reallocate;
    SuiteSparse_config.free_func = tide_free;
    tide_cholesky *made = tide_allocate_zeroed(1, sizeof *made);
    if (!made)
        return tide_fail_memory(error, tide_factorisation);
    made->memory_limit = tide_megabytes(TIDE_CHOLESKY_MEGABYTES);
    made->sides = 3;
    cholmod_start(&made->common);
    tide_orderings_begin(&made->common);
    *cholesky = made;
    return TIDE_OK;
}

void tide_cholesky_destroy(tide_cholesky *cholesky)
{
    if (!cholesky)
        return;
    tide_cholesky_forget(cholesky);
    cholmod_finish(&cholesky->common);
    tide_free(cholesky);
}

static tide_status check_matrix(const tide_sparse *matrix, uint32_t *bad_row, tide_error *error)
{
    if (!matrix->symmetric || matrix->rows != matrix->columns) {
        char value[64];
        snprintf(value, sizeof value, "%u x %u%s", matrix->rows, matrix->columns,
                 matrix->symmetric ? "" : ", not marked symmetric");
        return tide_fail(error, TIDE_ERROR_ARGUMENT, tide_factorisation, "matrix", value,
                         "expected a symmetric matrix, of which the lower triangle is stored");
    }
    for (uint32_t column = 0; column < matrix->columns; column++)
        for (int32_t k = matrix->column_start[column]; k < matrix->column_start[column + 1]; k++)
            if (!isfinite(matrix->value[k])) {
                char value[64];
                snprintf(value, sizeof value, "%g in row %d and column %u", matrix->value[k], matrix->row[k], column);
                if (bad_row)
                    *bad_row = (uint32_t)matrix->row[k];
                return tide_fail(error, TIDE_ERROR_NUMERIC, tide_factorisation, "matrix", value,
                                 "expected finite numbers");
            }
    return TIDE_OK;
}

// Returns true if the analysed factor would exceed the memory limit or the limit of operations.
static bool is_too_large(tide_cholesky *c)
{
    const int *counts = c->factor->ColCount;
    double operations = 0;
    for (size_t j = 0; j < c->factor->n; j++)
        operations += (double)counts[j] * counts[j];
    c->info.predicted_bytes = TIDE_CHOLESKY_BYTES_A_NONZERO * (double)c->info.nonzeros;
    c->info.operations = operations;
    return c->info.predicted_bytes > (double)c->memory_limit || operations > most_operations;
}

// Lays out the panels of a matrix of blocks. CHOLMOD's analysis of the block graph is then discarded.
static tide_status lay_blocks(tide_cholesky *c, const tide_sparse *matrix, const cholmod_sparse *view,
                              tide_error *error)
{
    tide_block_graph graph;
    int *order = tide_allocate_array(matrix->rows, 2 * sizeof *order);
    bool made = tide_block_graph_make(matrix, &graph) && order;
    if (made) {
        int *counts = order + matrix->rows;
        cholmod_sparse small = tide_cholmod_view(graph.columns, graph.column_start, graph.row, NULL);
        c->factor = tide_analyse_best(&c->common, &small, tide_cholesky_metis_up_to(c));
        if (c->factor) {
            tide_block_graph_expand(&graph, c->factor->Perm, c->factor->ColCount, order, counts);
            cholmod_free_factor(&c->factor, &c->common);
            made = tide_cholesky_lay_panels(c, view, order, counts);
        } else
            made = false;
    }
    tide_block_graph_free(&graph);
    tide_free(order);
    if (made)
        return TIDE_OK;
    if (c->common.status < CHOLMOD_OK && !tide_orderings_lack_memory(&c->common))
        return tide_cholesky_fail(c, error);
    tide_cholesky_forget(c);
    return tide_fail_memory(error, tide_factorisation);
}

static tide_status analyse_whole(tide_cholesky *c, const tide_sparse *base, const tide_sparse *matrix,
                                 cholmod_sparse *view, uint64_t pattern, tide_error *error)
{
    bool panels = c->method != TIDE_CHOLESKY_REFERENCE;
    double most = tide_cholesky_metis_up_to(c);
    if (base)
        c->factor = tide_analyse_grafted(&c->common, base, matrix, most, &c->kept);
    c->info.grafted = c->factor;
    if (!base)
        c->factor = tide_analyse_and_keep(&c->common, view, pattern, most, &c->kept);
    else if (!c->factor && !tide_orderings_lack_memory(&c->common))
        c->factor = tide_analyse_best(&c->common, view, most);
    if (!c->factor)
        return tide_cholesky_fail(c, error);
    c->info.nonzeros = (size_t)tide_analysed_nonzeros(c->factor);
    c->iterates = panels && c->sides == 3 && is_too_large(c);
    if (panels && !c->iterates && !tide_cholesky_lay_panels(c, view, c->factor->Perm, c->factor->ColCount)) {
        tide_cholesky_forget(c);
        return tide_fail_memory(error, tide_factorisation);
    }
    if (c->iterates)
        cholmod_free_factor(&c->factor, &c->common);
    return TIDE_OK;
}

static tide_status analyse(tide_cholesky *c, const tide_sparse *base, const tide_sparse *matrix, cholmod_sparse *view,
                           uint64_t pattern, tide_error *error)
{
    tide_cholesky_forget_factor(c);
    double start = tide_clock_seconds();
    bool by_blocks = matrix->block == 3 && c->sides == 1 && c->method != TIDE_CHOLESKY_REFERENCE;
    c->iterates = c->method == TIDE_CHOLESKY_ITERATIVE;
    TIDE_TRY(c->iterates ? TIDE_OK
             : by_blocks ? lay_blocks(c, matrix, view, error)
                         : analyse_whole(c, base, matrix, view, pattern, error));
    c->info.analyse_seconds = tide_clock_seconds() - start;
    c->info.analyses++;
    c->info.rows = (uint32_t)view->nrow;
    c->key.pattern = pattern;
    c->analysed = true;
    return TIDE_OK;
}

// --- factoring ---

// Returns the first column of L whose pivot is not above 0, is not a number, or is only rounding error relative to its
// diagonal entry; the number of columns when all are good.
static size_t first_bad_pivot(const cholmod_factor *factor, const cholmod_sparse *view)
{
    if (factor->minor < factor->n)
        return factor->minor;
    const int *pivot_at = factor->p, *order = factor->Perm, *diagonal_at = view->p;
    const double *l = factor->x, *a = view->x;
    for (size_t k = 0; k < factor->n; k++) {
        double root = l[pivot_at[k]];
        if (!(root * root > 4 * DBL_EPSILON * a[diagonal_at[order[k]]]))
            return k;
    }
    return factor->n;
}

// Keeps the ordering and the symbolic analysis; the next factorisation overwrites L.
static tide_status fail_not_positive_definite(uint32_t row, uint32_t *bad_row, tide_error *error)
{
    char value[32];
    snprintf(value, sizeof value, "%u", row);
    if (bad_row)
        *bad_row = row;
    return tide_fail(
        error, TIDE_ERROR_NUMERIC, tide_factorisation, "row", value,
        "the matrix is not positive definite: its pivot here does not exceed rounding error; raise the diagonal");
}

// Resets columns to their diagonals, as in a new factor. CHOLMOD does so by itself only when it eliminates all rows at
// once.
static void clear(cholmod_factor *factor)
{
    factor->minor = factor->n;
    if (factor->xtype != CHOLMOD_PATTERN)
        for (size_t i = 0; i < factor->n; i++)
            ((int *)factor->nz)[i] = 1;
}

// Factors with CHOLMOD.
static tide_status factorize(tide_cholesky *c, cholmod_sparse *view, uint32_t *bad_row, tide_error *error)
{
    double nothing[2] = { 0 };
    if (!c->factor) { // only the block graph was analysed
        if (!(c->factor = tide_analyse_by_amd(&c->common, view)))
            return tide_cholesky_fail(c, error);
    }
    if (!c->ordered.value && !tide_ordered_make((uint32_t)view->nrow, view->p, view->i, c->factor->Perm, &c->ordered)) {
        tide_cholesky_forget(c);
        return tide_fail_memory(error, tide_factorisation);
    }
    cholmod_sparse upper = *view;
    upper.p = c->ordered.column_start;
    upper.i = c->ordered.row;
    upper.x = c->ordered.value;
    upper.stype = 1;
    upper.sorted = 0;
    tide_ordered_fill(&c->ordered, view->x);
    clear(c->factor);
    for (size_t row = 0, end; row < view->nrow; row = end) {
        tide_status stopped = tide_stop_check(tide_factorisation, error);
        if (stopped)
            return stopped;
        end = row + ROWS_AT_ONCE < view->nrow ? row + ROWS_AT_ONCE : view->nrow;
        if (!cholmod_rowfac(&upper, NULL, nothing, row, end, c->factor, &c->common))
            return tide_cholesky_fail(c, error);
    }
    size_t pivot = first_bad_pivot(c->factor, view);
    if (pivot < c->factor->n)
        return fail_not_positive_definite((uint32_t)((const int *)c->factor->Perm)[pivot], bad_row, error);
    return TIDE_OK;
}

// Returns true if the panels pass the test for solves.
static bool are_good(tide_cholesky *c, const tide_sparse *matrix, double *error, double *energy)
{
    if (c->sides == 1) {
        *energy = 0;
        *error = tide_panel_solve_try_one(&c->panels, matrix, c->trial);
        return *error <= largest_residual;
    }
    tide_panel_solve_try_three(&c->panels, matrix, c->trial, error, energy);
    return *error <= largest_error && *energy <= largest_energy;
}

// Factors into panels of the chosen precision and, if they fail the test, of double precision. *good is set if they
// pass.
static tide_status factorize_panels(tide_cholesky *c, const tide_sparse *matrix, bool *good, uint32_t *bad_row,
                                    tide_error *error)
{
    double wrong, energy;
    bool tried = false;
    size_t numbers = (c->sides == 1 ? 3 : 9) * (size_t)c->info.rows;
    if (!c->trial && !(c->trial = tide_allocate_array(numbers, sizeof *c->trial))) {
        tide_cholesky_forget(c);
        return tide_fail_memory(error, tide_factorisation);
    }
    tide_solve_method first = c->sides == 1 ? TIDE_CHOLESKY_DOUBLE : c->method;
    for (tide_solve_method method = first; !*good && method <= TIDE_CHOLESKY_DOUBLE; method++) {
        bool single = method == TIDE_CHOLESKY_FAST;
        uint32_t bad;
        if (c->sides == 3 && !tide_sweeps_choose(single, c->bits))
            break;
        double start = tide_clock_seconds();
        if (!tide_panel_solve_factor(&c->panels, c->info.split ? &c->split.matrix : matrix, single, &bad)) {
            tide_cholesky_forget(c);
            return tide_fail_memory(error, tide_factorisation);
        }
        if (bad != UINT32_MAX) {
            tide_status stopped = tide_stop_check(tide_factorisation, error);
            return stopped ? stopped : fail_not_positive_definite(bad, bad_row, error);
        }
        c->info.factor_seconds = tide_clock_seconds() - start;
        c->info.redone = c->panels.operations / c->panels.fronts.operations;
        start = tide_clock_seconds();
        *good = are_good(c, matrix, &wrong, &energy);
        c->info.trial_seconds = tide_clock_seconds() - start;
        if (!tried) {
            c->info.error = wrong;
            c->info.energy = energy;
        }
        tried = true;
        if (*good)
            c->info.method = method;
    }
    if (numbers * sizeof *c->trial > TIDE_PANEL_WORK_KEPT) {
        tide_free(c->trial);
        c->trial = NULL;
    }
    c->info.precision = *good ? c->panels.sweeps->name : NULL;
    c->info.panel_bytes = tide_panel_solve_bytes(&c->panels);
    return TIDE_OK;
}

// --- without a factor, except of multigrid's coarsest level ---

static tide_status create_coarse(const tide_sparse *matrix, void **factor, tide_error *error)
{
    tide_cholesky *c = NULL;
    TIDE_SCOPED double *zeros = tide_allocate_zeroed(3 * (size_t)matrix->rows, sizeof *zeros);
    tide_status status = zeros ? tide_cholesky_create(&c, error) : tide_fail_memory(error, "multigrid");
    if (!status)
        status = tide_cholesky_factor(c, matrix, NULL, error);
    if (!status) // allocates for the later solves
        status = tide_cholesky_solve(c, 3, zeros, zeros, error);
    *factor = c;
    return status;
}

static void solve_coarse(void *factor, const double *b, double *x)
{
    tide_cholesky_solve(factor, 3, b, x, NULL);
}

static void destroy_coarse(void *factor)
{
    tide_cholesky_destroy(factor);
}

const tide_coarse_solver tide_cholesky_coarse = { create_coarse, solve_coarse, destroy_coarse };

static tide_status make_multigrid(tide_cholesky *c, const tide_sparse *matrix, uint32_t *bad_row, tide_error *error)
{
    double start = tide_clock_seconds();
    uint32_t bad = matrix->rows;
    tide_multigrid_destroy(c->multigrid);
    c->multigrid = NULL;
    tide_status status = tide_multigrid_create(&c->multigrid, matrix, &tide_cholesky_coarse, &bad, error);
    if (status) {
        if (bad_row && bad < matrix->rows)
            *bad_row = bad;
        if (status == TIDE_ERROR_MEMORY)
            tide_cholesky_forget(c);
        return status;
    }
    c->info.method = TIDE_CHOLESKY_ITERATIVE;
    c->info.precision = "conjugate gradients, multigrid";
    c->info.panel_bytes = tide_multigrid_bytes(c->multigrid);
    c->info.factor_seconds = tide_clock_seconds() - start;
    return TIDE_OK;
}

static tide_status factorize_somehow(tide_cholesky *c, const tide_sparse *matrix, cholmod_sparse *view,
                                     uint32_t *bad_row, tide_error *error)
{
    bool good = false;
    tide_status status = TIDE_OK;
    c->info.error = c->info.energy = c->info.redone = 0;
    c->info.method = TIDE_CHOLESKY_REFERENCE;
    if (c->iterates)
        status = make_multigrid(c, matrix, bad_row, error);
    else if (c->method != TIDE_CHOLESKY_REFERENCE)
        status = factorize_panels(c, matrix, &good, bad_row, error);
    if (!status && !good && !c->iterates) {
        double start = tide_clock_seconds();
        status = factorize(c, view, bad_row, error);
        c->info.factor_seconds = tide_clock_seconds() - start;
    }
    if (!status) {
        c->info.factorizations++;
        c->factored = true;
    }
    return status;
}

tide_status tide_cholesky_factor(tide_cholesky *cholesky, const tide_sparse *matrix, uint32_t *bad_row,
                                 tide_error *error)
{
    return tide_cholesky_factor_grafted(cholesky, NULL, matrix, bad_row, error);
}

tide_status tide_cholesky_factor_grafted(tide_cholesky *cholesky, const tide_sparse *base, const tide_sparse *matrix,
                                         uint32_t *bad_row, tide_error *error)
{
    return tide_cholesky_factor_split(cholesky, base, matrix, NULL, bad_row, error);
}

// Returns whether panels with spare rows are possible.
static bool can_split(const tide_cholesky *c)
{
    return c->sides == 3 && (c->method == TIDE_CHOLESKY_FAST || c->method == TIDE_CHOLESKY_DOUBLE);
}

static bool may_split(const tide_splits *splits, uint32_t rows)
{
    return splits && memchr(splits->may_split, true, rows);
}

// Analyses a matrix whose pattern is not that of the last one.
static tide_status analyse_new(tide_cholesky *c, const tide_sparse *base, const tide_sparse *matrix,
                               const tide_splits *splits, cholmod_sparse *view, uint64_t pattern, tide_error *error)
{
    if (splits)
        TIDE_TRY(tide_cholesky_adopt_split(c, base ? base : matrix, matrix, splits, pattern, error));
    if (!splits || !c->info.split)
        TIDE_TRY(analyse(c, base, matrix, view, pattern, error));
    return tide_stop_check(tide_factorisation, error);
}

tide_status tide_cholesky_factor_split(tide_cholesky *cholesky, const tide_sparse *base, const tide_sparse *matrix,
                                       const tide_splits *splits, uint32_t *bad_row, tide_error *error)
{
    bool factored = cholesky->factored;
    cholesky->factored = false;
    tide_status status = check_matrix(matrix, bad_row, error);
    if (status)
        return status;
    if (base && (base->rows != matrix->rows || base->columns != matrix->columns))
        return tide_fail(error, TIDE_ERROR_ARGUMENT, tide_factorisation, "base", NULL,
                         "expected as many rows as the matrix has, %u", matrix->rows);
    if (matrix->rows == 0) {
        tide_cholesky_forget(cholesky);
        cholesky->factored = true;
        return TIDE_OK;
    }
    if (!can_split(cholesky) || !may_split(splits, matrix->rows))
        splits = NULL;
    tide_cholesky_key key = tide_cholesky_key_of(base, matrix);
    if (splits) {
        key.pattern = tide_hash_bytes(key.pattern, splits->origin, matrix->rows * sizeof *splits->origin);
        key.pattern = tide_hash_bytes(key.pattern, splits->may_split, matrix->rows * sizeof *splits->may_split);
    }
    bool same_pattern = cholesky->analysed && cholesky->key.pattern == key.pattern;
    if (same_pattern && factored && cholesky->key.values == key.values) {
        cholesky->factored = true;
        return TIDE_OK;
    }
    cholmod_sparse view = tide_cholmod_view(matrix->columns, matrix->column_start, matrix->row, matrix->value);
    tide_task task;
    tide_task_begin(&task, "factoring a matrix of %u rows", matrix->rows);
    if (!same_pattern)
        status = analyse_new(cholesky, base, matrix, splits, &view, key.pattern, error);
    if (!status && cholesky->info.split)
        tide_split_pattern_fill(&cholesky->split, matrix->value);
    if (!status)
        status = factorize_somehow(cholesky, matrix, &view, bad_row, error);
    tide_task_end(&task);
    if (!status)
        cholesky->key.values = key.values;
    return status;
}

// Fails when the matrix turns out not to be positive definite, but not when the right-hand side is not finite.
static tide_status solve_by_iterating(tide_cholesky *c, const double *b, double *x, tide_error *error)
{
    bool finite = true;
    for (size_t i = 0; finite && i < 3 * (size_t)c->info.rows; i++)
        finite = isfinite(b[i]);
    tide_iterative_result result =
        tide_multigrid_solve(c->multigrid, b, x, c->method == TIDE_CHOLESKY_DOUBLE ? strict : loose, MOST_ITERATIONS);
    c->info.iterations = result.iterations;
    c->info.error = result.residual;
    c->info.unsettled = !result.converged;
    if (finite && isnan(result.residual))
        return tide_fail(error, TIDE_ERROR_NUMERIC, "Cholesky solve", NULL, NULL,
                         "the matrix is not positive definite, as conjugate gradients found; raise its diagonal");
    return TIDE_OK;
}

void tide_cholesky_allow(tide_cholesky *cholesky, size_t bytes)
{
    if (cholesky->memory_limit == bytes)
        return;
    tide_cholesky_forget(cholesky);
    cholesky->memory_limit = bytes;
}

void tide_cholesky_expect(tide_cholesky *cholesky, uint32_t width)
{
    if (cholesky->sides == width)
        return;
    tide_cholesky_forget(cholesky);
    cholesky->sides = width;
}

void tide_cholesky_choose(tide_cholesky *cholesky, tide_solve_method method, int bits)
{
    if (cholesky->method == method && cholesky->bits == bits)
        return;
    tide_cholesky_forget(cholesky);
    cholesky->method = method;
    cholesky->bits = bits;
}

tide_status tide_cholesky_solve(tide_cholesky *cholesky, uint32_t width, const double *b, double *x, tide_error *error)
{
    tide_cholesky *c = cholesky;
    if (!c->factored)
        return tide_fail(error, TIDE_ERROR_STATE, tide_factorisation, NULL, NULL,
                         "there is no factor to solve with; factor a positive definite matrix first");
    size_t rows = c->info.rows;
    if (rows == 0 || width == 0)
        return TIDE_OK;
    if (c->method != TIDE_CHOLESKY_REFERENCE && width != (c->iterates ? 3 : c->sides))
        return tide_fail(error, TIDE_ERROR_ARGUMENT, "Cholesky solve", NULL, NULL,
                         "a solve by panels has three right-hand sides, or one if it was set up for one; choose "
                         "CHOLMOD's solve for others");
    if (c->iterates)
        return solve_by_iterating(c, b, x, error);
    if (c->info.method != TIDE_CHOLESKY_REFERENCE) {
        tide_panel_solve_run(&c->panels, b, x);
        return TIDE_OK;
    }
    bool solved = tide_cholmod_columns_solve(&c->columns, c->factor, width, b, x, &c->common);
    return solved ? TIDE_OK : tide_fail_memory(error, "Cholesky solve");
}

double tide_cholesky_read(const tide_cholesky *cholesky)
{
    if (cholesky->info.method == TIDE_CHOLESKY_REFERENCE || cholesky->iterates)
        return 0;
    const tide_panel_solve *panels = &cholesky->panels;
    return panels->sweeps->read(panels->values, panels->panels.value_count);
}

tide_inverse_root *tide_cholesky_root(tide_cholesky *cholesky)
{
    bool fast = cholesky->factored && !cholesky->iterates && cholesky->info.method == TIDE_CHOLESKY_FAST;
    return fast ? tide_panel_solve_root(&cholesky->panels) : NULL;
}

tide_cholesky_info tide_cholesky_describe(const tide_cholesky *cholesky)
{
    return cholesky->info;
}
