#include "linear/cholesky.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/random.h"
#include "linear/panel_solve.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <suitesparse/cholmod.h>

// The upper triangle of the matrix in the factor's ordering, as CHOLMOD's factorisation by rows reads it: kept, since
// CHOLMOD would make a new one for every factorisation.
typedef struct ordered {
    int *column_start; // (rows + 1)
    int *row, *from;   // (nonzeros); `from`: which of the caller's values this one is
    double *value;     // (nonzeros)
} ordered;

const char *const tide_cholesky_ways[] = { "cholmod", "fast", "double", NULL };

// AMD's factor has so many times the entries of the matrix, or more, where METIS is tried, too; on fewer it rarely
// wins.
static const double filled_in_a_lot = 8;
static const double largest_error = 1e-6, largest_energy = 1e-3; // of panels that may be used: see try_panels

struct tide_cholesky {
    cholmod_common common;
    cholmod_factor *factor; // NULL before the first analysis, and of an empty matrix
    ordered ordered;
    cholmod_dense *b, *x, *y, *e; // columns of a solve: right-hand sides, solutions, CHOLMOD's workspace
    uint32_t width;               // right-hand sides that there is room for
    bool analysed, factored;
    uint64_t pattern, values; // hashes of the matrix analysed, of the values factored
    tide_cholesky_way way;    // that was chosen
    int bits;
    bool panels_tried;             // those of the factor that there is; info.way is how it is solved with
    tide_panel_solve panels[2];    // in single and in double precision, each made when first needed
    double *trial, *trial_product; // (3 * rows) each
    tide_cholesky_info info;
};

// Of CHOLMOD only the modules under the LGPL are called: Core, Check and the simplicial half of Cholesky.
static void choose_method(cholmod_common *common)
{
    common->supernodal = CHOLMOD_SIMPLICIAL;
    common->final_ll = 1;
    common->final_asis = 1;
    common->grow2 = 0; // as much room for each column of L as it needs
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

static void free_ordered(ordered *o)
{
    tide_free(o->column_start);
    tide_free(o->row);
    tide_free(o->from);
    tide_free(o->value);
    *o = (ordered) { 0 };
}

static void free_panels(tide_cholesky *c)
{
    for (int i = 0; i < 2; i++)
        tide_panel_solve_free(&c->panels[i]);
    tide_free(c->trial);
    tide_free(c->trial_product);
    c->trial = c->trial_product = NULL;
    c->panels_tried = false;
}

// Back to how it was created, but for what was chosen and the counts.
static void forget(tide_cholesky *c)
{
    free_panels(c);
    cholmod_free_factor(&c->factor, &c->common);
    cholmod_free_work(&c->common);
    free_ordered(&c->ordered);
    free_solve_workspace(c);
    c->analysed = c->factored = false;
    uint64_t analyses = c->info.analyses, factorizations = c->info.factorizations;
    c->info = (tide_cholesky_info) { .analyses = analyses, .factorizations = factorizations };
}

void tide_cholesky_destroy(tide_cholesky *cholesky)
{
    if (!cholesky)
        return;
    forget(cholesky);
    cholmod_finish(&cholesky->common);
    tide_free(cholesky);
}

static bool is_out_of_memory(const tide_cholesky *c)
{
    return c->common.status == CHOLMOD_OUT_OF_MEMORY || c->common.status == CHOLMOD_TOO_LARGE;
}

static tide_status fail_cholmod(tide_cholesky *c, tide_error *error)
{
    int status = c->common.status;
    bool out_of_memory = is_out_of_memory(c);
    forget(c);
    if (out_of_memory)
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

// Hands each entry of the caller's matrix, in the order of the factor's columns, its place in the upper triangle;
// `next` (rows) are the places free in each column, `inverse` (rows) the column that each of the caller's became.
static void place_entries(const cholmod_sparse *view, const int *order, const int *inverse, int *next, ordered *o)
{
    const int *start = view->p, *rows = view->i;
    for (int column = 0; column < (int)view->ncol; column++)
        for (int k = start[order[column]]; k < start[order[column] + 1]; k++) {
            int other = inverse[rows[k]];
            int place = next[other > column ? other : column]++;
            o->row[place] = other > column ? column : other;
            o->from[place] = k;
        }
}

// False when there is no memory.
static bool make_ordered(const cholmod_sparse *view, const int *order, ordered *o)
{
    size_t rows = view->nrow, nonzeros = view->nzmax;
    const int *start = view->p, *row = view->i;
    int *next = tide_allocate_array(rows, sizeof *next), *inverse = tide_allocate_array(rows, sizeof *inverse);
    o->column_start = tide_allocate_zeroed(rows + 1, sizeof *o->column_start);
    o->row = tide_allocate_array(nonzeros, sizeof *o->row);
    o->from = tide_allocate_array(nonzeros, sizeof *o->from);
    o->value = tide_allocate_array(nonzeros, sizeof *o->value);
    bool made = next && inverse && o->column_start && o->row && o->from && o->value;
    if (made) {
        for (size_t i = 0; i < rows; i++)
            inverse[order[i]] = (int)i;
        for (size_t column = 0; column < rows; column++)
            for (int k = start[column]; k < start[column + 1]; k++) {
                int one = inverse[column], other = inverse[row[k]];
                o->column_start[(one > other ? one : other) + 1]++;
            }
        for (size_t i = 0; i < rows; i++)
            o->column_start[i + 1] += o->column_start[i];
        memcpy(next, o->column_start, rows * sizeof *next);
        place_entries(view, order, inverse, next, o);
    }
    tide_free(next);
    tide_free(inverse);
    return made;
}

// The factor analysed in this ordering; NULL when CHOLMOD cannot.
static cholmod_factor *analyse_ordering(tide_cholesky *c, cholmod_sparse *view, int ordering, double *nonzeros)
{
    c->common.method[0].ordering = ordering;
    cholmod_factor *factor = cholmod_analyze(view, &c->common);
    *nonzeros = c->common.lnz;
    return factor;
}

static cholmod_factor *analyse_best_ordering(tide_cholesky *c, cholmod_sparse *view)
{
    double nonzeros, others;
    cholmod_factor *factor = analyse_ordering(c, view, CHOLMOD_AMD, &nonzeros);
    if (factor && c->way != TIDE_CHOLESKY_REFERENCE && nonzeros >= filled_in_a_lot * (double)view->nzmax) {
        cholmod_factor *other = analyse_ordering(c, view, CHOLMOD_METIS, &others);
        if (other ? others < nonzeros : is_out_of_memory(c)) { // without METIS in CHOLMOD, AMD's it is
            cholmod_free_factor(&factor, &c->common);
            factor = other;
            nonzeros = others;
        } else if (other)
            cholmod_free_factor(&other, &c->common);
    }
    c->info.nonzeros = factor ? (size_t)nonzeros : 0;
    return factor;
}

static tide_status analyse(tide_cholesky *c, cholmod_sparse *view, uint64_t pattern, tide_error *error)
{
    forget(c);
    double start = tide_clock_seconds();
    c->factor = analyse_best_ordering(c, view);
    if (!c->factor)
        return fail_cholmod(c, error);
    c->factor->is_ll = 1;
    if (!make_ordered(view, c->factor->Perm, &c->ordered)) {
        forget(c);
        return tide_fail_memory(error, "Cholesky factorisation");
    }
    c->info.analyse_seconds = tide_clock_seconds() - start;
    c->info.analyses++;
    c->info.rows = (uint32_t)view->nrow;
    c->pattern = pattern;
    c->analysed = true;
    return TIDE_OK;
}

// The first column of L whose pivot is not above 0 (or not a number) or, next to the entry of the diagonal that it is
// the rest of, no more than rounding errors; the number of columns when all are sound.
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

static void order_values(ordered *o, size_t nonzeros, const double *value)
{
    for (size_t k = 0; k < nonzeros; k++)
        o->value[k] = value[o->from[k]];
}

static tide_status factorize(tide_cholesky *c, const cholmod_sparse *view, uint32_t *bad_row, tide_error *error)
{
    double start = tide_clock_seconds(), nothing[2] = { 0 };
    cholmod_sparse upper = *view;
    upper.p = c->ordered.column_start;
    upper.i = c->ordered.row;
    upper.x = c->ordered.value;
    upper.stype = 1;
    upper.sorted = 0;
    order_values(&c->ordered, view->nzmax, view->x);
    if (!cholmod_rowfac(&upper, NULL, nothing, 0, view->nrow, c->factor, &c->common))
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
    bool factored = cholesky->factored;
    cholesky->factored = false;
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
    if (same_pattern && factored && cholesky->values == values) {
        cholesky->factored = true;
        return TIDE_OK;
    }
    cholesky->panels_tried = false;
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

// False when there is no memory. The solutions are left in c->x, column by column.
static bool solve_columns(tide_cholesky *c, uint32_t width, const double *b)
{
    size_t rows = c->info.rows;
    bool solved = make_room(c, width);
    if (solved) {
        double *columns = c->b->x;
        for (uint32_t j = 0; j < width; j++)
            for (size_t i = 0; i < rows; i++)
                columns[j * rows + i] = b[i * width + j];
        solved = cholmod_solve2(CHOLMOD_A, c->factor, c->b, NULL, &c->x, NULL, &c->y, &c->e, &c->common);
    }
    if (!solved)
        free_solve_workspace(c);
    return solved;
}

// A smooth right-hand side, a random one, and one that is both.
static void make_trial(double *b, size_t rows)
{
    tide_random random = tide_random_seed(1);
    for (size_t i = 0; i < rows; i++) {
        double number = (double)tide_random_next(&random) / UINT32_MAX * 2 - 1;
        b[3 * i] = 1;
        b[3 * i + 1] = number;
        b[3 * i + 2] = 1 + number;
    }
}

// product = A x, of three interleaved vectors.
static void multiply(const tide_cholesky *c, const double *x, double *product)
{
    const ordered *o = &c->ordered;
    const int *order = c->factor->Perm;
    memset(product, 0, 3 * (size_t)c->info.rows * sizeof *product);
    for (uint32_t column = 0; column < c->info.rows; column++)
        for (int k = o->column_start[column]; k < o->column_start[column + 1]; k++) {
            size_t i = 3 * (size_t)order[o->row[k]], j = 3 * (size_t)order[column];
            for (size_t e = 0; e < 3; e++) {
                product[i + e] += o->value[k] * x[j + e];
                if (i != j)
                    product[j + e] += o->value[k] * x[i + e];
            }
        }
}

// The larger, or NAN.
static double worse(double a, double b)
{
    return isnan(a) || a > b ? a : b;
}

// Solves for right-hand sides of its own and stores the largest error e next to CHOLMOD's solution x, and the largest
// e' A e next to x' A x, from the residual r = A e; roots of these, NAN where there is an overflow. False when there is
// no memory.
static bool try_panels(tide_cholesky *c, tide_panel_solve *panels, double *error, double *energy)
{
    size_t rows = c->info.rows;
    double *x = c->trial, *product = c->trial_product;
    make_trial(product, rows);
    if (!solve_columns(c, 3, product))
        return false;
    tide_panel_solve_run(panels, product, x);
    multiply(c, x, product);
    const double *right = c->b->x, *solution = c->x->x;
    *error = *energy = 0;
    for (size_t k = 0; k < 3; k++) {
        double wrong = 0, size = 0, left = 0, all = 0;
        for (size_t i = 0; i < rows; i++) {
            double b = right[k * rows + i], s = solution[k * rows + i], e = s - x[3 * i + k];
            wrong += e * e;
            size += s * s;
            left += e * (b - product[3 * i + k]);
            all += s * b;
        }
        double one = sqrt(wrong / size), other = sqrt(fabs(left / all));
        *error = worse(*error, one);
        *energy = worse(*energy, other);
    }
    return true;
}

// Makes or refills the panels of one precision, and tries them. False when there is no memory.
static bool ready_panels_of(tide_cholesky *c, bool single, bool *good, double *error, double *energy)
{
    const cholmod_factor *f = c->factor;
    const tide_factor_view view = {
        .columns = (uint32_t)f->n, .start = f->p, .length = f->nz, .row = f->i, .value = f->x
    };
    tide_panel_solve *panels = &c->panels[!single];
    if (!panels->values && !tide_panel_solve_make(panels, &view, single, c->bits))
        return false;
    tide_panel_solve_fill(panels, &view, f->Perm);
    if (!try_panels(c, panels, error, energy))
        return false;
    *good = *error <= largest_error && *energy <= largest_energy;
    return true;
}

// Finds a way to solve with the factor that there is, as close to what was chosen as it allows. False when there is no
// memory.
static bool ready_panels(tide_cholesky *c)
{
    double start = tide_clock_seconds(), error = 0, energy = 0;
    size_t numbers = 3 * (size_t)c->info.rows;
    if (!c->trial)
        c->trial = tide_allocate_array(numbers, sizeof *c->trial);
    if (!c->trial_product)
        c->trial_product = tide_allocate_array(numbers, sizeof *c->trial_product);
    bool made = c->trial && c->trial_product, good = false, tried = false;
    c->info.error = c->info.energy = 0;
    c->info.way = TIDE_CHOLESKY_REFERENCE;
    for (tide_cholesky_way way = c->way; made && !good && way <= TIDE_CHOLESKY_DOUBLE; way++) {
        bool single = way == TIDE_CHOLESKY_FAST;
        if (!tide_sweeps_choose(single, c->bits))
            break;
        made = ready_panels_of(c, single, &good, &error, &energy);
        if (!tried) {
            c->info.error = error;
            c->info.energy = energy;
        }
        tried = true;
        if (good)
            c->info.way = way;
    }
    c->info.precision = good ? c->panels[c->info.way == TIDE_CHOLESKY_DOUBLE].sweeps->name : NULL;
    c->info.panel_seconds = tide_clock_seconds() - start;
    c->info.panel_bytes = tide_panel_solve_bytes(&c->panels[0]) + tide_panel_solve_bytes(&c->panels[1]);
    c->panels_tried = made;
    return made;
}

void tide_cholesky_choose(tide_cholesky *cholesky, tide_cholesky_way way, int bits)
{
    if (cholesky->way == way && cholesky->bits == bits)
        return;
    forget(cholesky);
    cholesky->way = way;
    cholesky->bits = bits;
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
    if (width == 3 && c->way != TIDE_CHOLESKY_REFERENCE) {
        if (!c->panels_tried && !ready_panels(c))
            return tide_fail_memory(error, "Cholesky solve");
        if (c->info.way != TIDE_CHOLESKY_REFERENCE) {
            tide_panel_solve_run(&c->panels[c->info.way == TIDE_CHOLESKY_DOUBLE], b, x);
            return TIDE_OK;
        }
    }
    if (!solve_columns(c, width, b))
        return tide_fail_memory(error, "Cholesky solve");
    const double *columns = c->x->x;
    for (uint32_t j = 0; j < width; j++)
        for (size_t i = 0; i < rows; i++)
            x[i * width + j] = columns[j * rows + i];
    return TIDE_OK;
}

double tide_cholesky_read(const tide_cholesky *cholesky)
{
    if (cholesky->info.way == TIDE_CHOLESKY_REFERENCE)
        return 0;
    const tide_panel_solve *panels = &cholesky->panels[cholesky->info.way == TIDE_CHOLESKY_DOUBLE];
    return panels->sweeps->read(panels->values, panels->panels.value_count);
}

tide_cholesky_info tide_cholesky_describe(const tide_cholesky *cholesky)
{
    return cholesky->info;
}
