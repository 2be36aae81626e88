#include "linear/cholesky.h"

#include "base/clock.h"
#include "base/memory.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <suitesparse/cholmod.h>

struct tide_cholesky {
    cholmod_common common;
    cholmod_factor *factor;       // NULL before the first analysis, and of an empty matrix
    cholmod_dense *b, *x, *y, *e; // columns of a solve: right-hand sides, solutions, CHOLMOD's workspace
    uint32_t width;               // right-hand sides that there is room for
    bool analysed, factored;
    uint64_t pattern, values; // hashes of the matrix analysed, of the values factored
    tide_cholesky_info info;
};

// Of CHOLMOD only the modules under the LGPL are called: Core, Check and the simplicial half of Cholesky.
static void choose_method(cholmod_common *common)
{
    common->supernodal = CHOLMOD_SIMPLICIAL;
    common->final_ll = 1;
    common->nmethods = 1;
    common->method[0].ordering = CHOLMOD_AMD;
    common->postorder = 1;
    common->quick_return_if_not_posdef = 1;
    common->print = 0;
    common->error_handler = NULL;
}

tide_status tide_cholesky_create(tide_cholesky **cholesky, tide_error *error)
{
    // SuiteSparse has one set of allocation functions for the whole process.
    SuiteSparse_config.malloc_func = tide_allocate;
    SuiteSparse_config.calloc_func = tide_allocate_zeroed;
    SuiteSparse_config.realloc_func = tide_reallocate;
    SuiteSparse_config.free_func = tide_free;
    tide_cholesky *made = tide_allocate_zeroed(1, sizeof *made);
    if (!made)
        return tide_fail_memory(error, "Cholesky factorisation");
    cholmod_start(&made->common);
    choose_method(&made->common);
    *cholesky = made;
    return TIDE_OK;
}

static void free_solve_workspace(tide_cholesky *c)
{
    cholmod_free_dense(&c->b, &c->common);
    cholmod_free_dense(&c->x, &c->common);
    cholmod_free_dense(&c->y, &c->common);
    cholmod_free_dense(&c->e, &c->common);
    c->width = 0;
}

// Back to how it was created, but for the counts.
static void forget(tide_cholesky *c)
{
    cholmod_free_factor(&c->factor, &c->common);
    cholmod_free_work(&c->common);
    free_solve_workspace(c);
    c->analysed = c->factored = false;
    c->info.rows = 0;
    c->info.nonzeros = 0;
}

void tide_cholesky_destroy(tide_cholesky *cholesky)
{
    if (!cholesky)
        return;
    forget(cholesky);
    cholmod_finish(&cholesky->common);
    tide_free(cholesky);
}

static tide_status fail_cholmod(tide_cholesky *c, tide_error *error)
{
    int status = c->common.status;
    forget(c);
    if (status == CHOLMOD_OUT_OF_MEMORY || status == CHOLMOD_TOO_LARGE)
        return tide_fail_memory(error, "Cholesky factorisation");
    return tide_fail(error, TIDE_ERROR_NUMERIC, "Cholesky factorisation", NULL, NULL,
                     "CHOLMOD refused the matrix (status %d)", status);
}

static tide_status check_matrix(const tide_sparse *matrix, uint32_t *bad_row, tide_error *error)
{
    if (!matrix->symmetric || matrix->rows != matrix->columns) {
        char value[64];
        snprintf(value, sizeof value, "%u x %u%s", matrix->rows, matrix->columns,
                 matrix->symmetric ? "" : ", not marked symmetric");
        return tide_fail(error, TIDE_ERROR_ARGUMENT, "Cholesky factorisation", "matrix", value,
                         "expected a symmetric matrix, of which the lower triangle is stored");
    }
    for (uint32_t column = 0; column < matrix->columns; column++)
        for (int32_t k = matrix->column_start[column]; k < matrix->column_start[column + 1]; k++)
            if (!isfinite(matrix->value[k])) {
                char value[64];
                snprintf(value, sizeof value, "%g in row %d and column %u", matrix->value[k], matrix->row[k], column);
                if (bad_row)
                    *bad_row = (uint32_t)matrix->row[k];
                return tide_fail(error, TIDE_ERROR_NUMERIC, "Cholesky factorisation", "matrix", value,
                                 "expected finite numbers");
            }
    return TIDE_OK;
}

static cholmod_sparse view_of(const tide_sparse *matrix)
{
    return (cholmod_sparse) { .nrow = matrix->rows,
                              .ncol = matrix->columns,
                              .nzmax = (size_t)matrix->column_start[matrix->columns],
                              .p = matrix->column_start,
                              .i = matrix->row,
                              .x = matrix->value,
                              .stype = -1,
                              .itype = CHOLMOD_INT,
                              .xtype = CHOLMOD_REAL,
                              .dtype = CHOLMOD_DOUBLE,
                              .sorted = 1,
                              .packed = 1 };
}

static tide_status analyse(tide_cholesky *c, cholmod_sparse *view, uint64_t pattern, tide_error *error)
{
    forget(c);
    double start = tide_clock_seconds();
    c->factor = cholmod_analyze(view, &c->common);
    if (!c->factor)
        return fail_cholmod(c, error);
    c->info.analyse_seconds = tide_clock_seconds() - start;
    c->info.analyses++;
    c->info.rows = (uint32_t)view->nrow;
    c->info.nonzeros = (size_t)c->common.lnz;
    c->pattern = pattern;
    c->analysed = true;
    return TIDE_OK;
}

// The first column of L whose pivot is not above 0 or, next to the entry of the diagonal that it is the rest of, no
// more than rounding errors; the number of columns when all are sound.
static size_t first_bad_pivot(const cholmod_factor *factor, const cholmod_sparse *view)
{
    if (factor->minor < factor->n)
        return factor->minor;
    const int *pivot_at = factor->p, *order = factor->Perm, *diagonal_at = view->p;
    const double *l = factor->x, *a = view->x;
    for (size_t k = 0; k < factor->n; k++) {
        double root = l[pivot_at[k]];
        if (root * root <= 4 * DBL_EPSILON * a[diagonal_at[order[k]]])
            return k;
    }
    return factor->n;
}

// The ordering and the symbolic analysis stay good; the next factorisation overwrites what there is of L.
static tide_status fail_not_positive_definite(const tide_cholesky *c, size_t pivot, uint32_t *bad_row,
                                              tide_error *error)
{
    uint32_t row = (uint32_t)((const int *)c->factor->Perm)[pivot];
    char value[32];
    snprintf(value, sizeof value, "%u", row);
    if (bad_row)
        *bad_row = row;
    return tide_fail(
        error, TIDE_ERROR_NUMERIC, "Cholesky factorisation", "row", value,
        "the matrix is not positive definite: its pivot here is not above 0, or not by more than rounding; raise "
        "the diagonal");
}

static tide_status factorize(tide_cholesky *c, cholmod_sparse *view, uint32_t *bad_row, tide_error *error)
{
    double start = tide_clock_seconds();
    c->factored = false;
    cholmod_factorize(view, c->factor, &c->common);
    if (c->common.status < CHOLMOD_OK)
        return fail_cholmod(c, error);
    size_t pivot = first_bad_pivot(c->factor, view);
    if (pivot < c->factor->n)
        return fail_not_positive_definite(c, pivot, bad_row, error);
    c->info.factor_seconds = tide_clock_seconds() - start;
    c->info.factorizations++;
    c->factored = true;
    return TIDE_OK;
}

tide_status tide_cholesky_factor(tide_cholesky *cholesky, const tide_sparse *matrix, uint32_t *bad_row,
                                 tide_error *error)
{
    tide_status status = check_matrix(matrix, bad_row, error);
    if (status)
        return status;
    if (matrix->rows == 0) {
        forget(cholesky);
        cholesky->factored = true;
        return TIDE_OK;
    }
    uint64_t pattern = tide_sparse_pattern_hash(matrix), values = tide_sparse_value_hash(matrix);
    bool same_pattern = cholesky->analysed && cholesky->pattern == pattern;
    if (same_pattern && cholesky->factored && cholesky->values == values)
        return TIDE_OK;
    cholmod_sparse view = view_of(matrix);
    if (!same_pattern)
        status = analyse(cholesky, &view, pattern, error);
    if (!status)
        status = factorize(cholesky, &view, bad_row, error);
    if (!status)
        cholesky->values = values;
    return status;
}

// CHOLMOD solves for this many right-hand sides together, in a workspace of so many numbers a row.
static uint32_t numbers_a_row(uint32_t width)
{
    return width < 4 ? 4 : width;
}

static void reshape(cholmod_dense *dense, size_t rows, size_t columns)
{
    dense->nrow = dense->d = rows;
    dense->ncol = columns;
    dense->nzmax = rows * columns;
}

// Readies the blocks for a solve of this width. CHOLMOD keeps those that have exactly the shape it wants and leaves
// them in another: so they get that shape each time, in the room of the widest solve so far.
static bool make_room(tide_cholesky *c, uint32_t width)
{
    size_t rows = c->info.rows;
    if (width > c->width) {
        free_solve_workspace(c);
        c->b = cholmod_allocate_dense(rows, width, rows, CHOLMOD_REAL, &c->common);
        c->x = cholmod_allocate_dense(rows, width, rows, CHOLMOD_REAL, &c->common);
        c->y = cholmod_allocate_dense(numbers_a_row(width), rows, numbers_a_row(width), CHOLMOD_REAL, &c->common);
        if (!c->b || !c->x || !c->y)
            return false;
        c->width = width;
    }
    reshape(c->b, rows, width);
    reshape(c->x, rows, width);
    reshape(c->y, numbers_a_row(width), rows);
    return true;
}

tide_status tide_cholesky_solve(tide_cholesky *cholesky, uint32_t width, const double *b, double *x, tide_error *error)
{
    tide_cholesky *c = cholesky;
    if (!c->factored)
        return tide_fail(error, TIDE_ERROR_STATE, "Cholesky factorisation", NULL, NULL,
                         "there is no factor to solve with; factor a positive definite matrix first");
    size_t rows = c->info.rows;
    if (rows == 0 || width == 0)
        return TIDE_OK;
    bool solved = make_room(c, width);
    if (solved) {
        double *columns = c->b->x;
        for (uint32_t j = 0; j < width; j++)
            for (size_t i = 0; i < rows; i++)
                columns[j * rows + i] = b[i * width + j];
        solved = cholmod_solve2(CHOLMOD_A, c->factor, c->b, NULL, &c->x, NULL, &c->y, &c->e, &c->common);
    }
    if (!solved) {
        free_solve_workspace(c);
        return tide_fail_memory(error, "Cholesky solve");
    }
    const double *columns = c->x->x;
    for (uint32_t j = 0; j < width; j++)
        for (size_t i = 0; i < rows; i++)
            x[i * width + j] = columns[j * rows + i];
    return TIDE_OK;
}

tide_cholesky_info tide_cholesky_describe(const tide_cholesky *cholesky)
{
    return cholesky->info;
}
