#include "linear/changeover.h"

#include "base/background.h"
#include "base/memory.h"
#include "linear/inverse_root.h"
#include "linear/iterative.h"
#include "linear/panel_solve.h"
#include "linear/rows.h"

#include <math.h>
#include <string.h>

// What else a factorisation does with a number of the factor takes as long as so many operations.
static const double around_a_number = 200;
// From so many on, some 50 ms, a scene would be seen to stand still.
static const double most_unseen = 1e9;
// While so many operations are done for each number, a program that has other work, too, applies a factor once.
static const double while_applied = 10;

static const double widest = 16;      // with more, forces would come up too slowly
static const double least_sum = 1e-9; // of a row, of its diagonal: less may be rounding

enum { MOST_ITERATIONS = 30 }; // of a solve: with more, waiting is the quicker way

#define MAGIC UINT64_C(0x7469646563686f76)

typedef struct saved_end {
    tide_changeover_saved saved;
    uint64_t magic;
} saved_end;

struct tide_changeover {
    tide_cholesky *cholesky;
    tide_kept_factor old;
    tide_cholesky_key to;
    double *before; // (nonzeros) of the matrix that `old` is of
    tide_sparse base, matrix;
    bool grafted;   // on `base`
    tide_rows rows; // of the matrix
    double wider;   // W is so many times the old matrix's inverse; 0: not known
    uint64_t left;
    double *work, *side, *solution; // (4 * 3 * rows), (3 * rows)
    tide_background *thread;
};

static size_t nonzeros_of(const tide_sparse *matrix)
{
    return (size_t)matrix->column_start[matrix->columns];
}

// Of factoring, in operations.
static double work_of(const tide_cholesky_info *info)
{
    return info->operations + around_a_number * (double)info->nonzeros;
}

bool tide_changeover_pays(const tide_cholesky *cholesky, const tide_cholesky_key *key, bool always)
{
    if (!tide_cholesky_can_set_aside(cholesky))
        return false;
    tide_cholesky_key now = tide_cholesky_key_now(cholesky);
    if (now.pattern != key->pattern || now.values == key->values)
        return false;
    tide_cholesky_info info = tide_cholesky_describe(cholesky);
    return always || (info.rows >= TIDE_CHANGEOVER_ROWS && work_of(&info) > most_unseen);
}

static void factor(void *context)
{
    tide_changeover *c = context;
    tide_error error;
    (void)tide_cholesky_factor_grafted(c->cholesky, c->grafted ? &c->base : NULL, &c->matrix, NULL, &error);
}

// A factor f with f A - A0 positive semidefinite, 0 where none is found up to `widest`. It is that of the largest
// ratio of entries beside the diagonal and of sums of rows, where the former are not positive and the latter are: then
// f A - A0 is what springs of no negative stiffness make. `sums` is (2 * rows).
static double widening(const tide_sparse *matrix, const double *before, double *sums)
{
    double f = 0, *of_rows = sums, *of_rows_before = sums + matrix->rows;
    memset(sums, 0, 2 * (size_t)matrix->rows * sizeof *sums);
    for (uint32_t j = 0; j < matrix->columns; j++)
        for (int32_t k = matrix->column_start[j]; k < matrix->column_start[j + 1]; k++) {
            uint32_t i = (uint32_t)matrix->row[k];
            double now = matrix->value[k], then = before[k];
            of_rows[j] += now;
            of_rows_before[j] += then;
            if (i == j)
                continue;
            of_rows[i] += now;
            of_rows_before[i] += then;
            if (now > 0 || then > 0 || (now == 0 && then != 0))
                return 0;
            f = then != 0 ? fmax(f, then / now) : f;
        }
    for (uint32_t j = 0; j < matrix->columns; j++) {
        double diagonal = matrix->value[matrix->column_start[j]];
        if (!(of_rows[j] > least_sum * diagonal))
            return 0;
        f = fmax(f, of_rows_before[j] / of_rows[j]);
    }
    return f <= widest ? f : 0;
}

static void halt(tide_changeover *c)
{
    tide_cholesky_stop(c->cholesky, true);
    tide_background_join(c->thread);
    c->thread = NULL;
}

static void free_matrices(tide_changeover *c)
{
    tide_sparse_free(&c->base);
    tide_sparse_free(&c->matrix);
    tide_rows_free(&c->rows);
}

// Copies the matrix and starts the thread. False when there is no memory.
static bool start(tide_changeover *c, const tide_sparse *base, const tide_sparse *matrix)
{
    free_matrices(c);
    c->grafted = base;
    if (!tide_sparse_copy(matrix, &c->matrix) || !tide_rows_from_symmetric(matrix, &c->rows) ||
        (base && !tide_sparse_copy(base, &c->base)))
        return false;
    c->to = tide_cholesky_key_of(base, matrix);
    const tide_cholesky_info *info = &c->old.info;
    c->left = (uint64_t)ceil(work_of(info) / (while_applied * (double)info->nonzeros));
    c->wider = widening(matrix, c->before, c->work);
    tide_cholesky_stop(c->cholesky, false);
    c->thread = tide_background_start(factor, c);
    return c->thread;
}

bool tide_changeover_begin(tide_changeover **change, tide_cholesky *cholesky, const double *before,
                           const tide_sparse *base, const tide_sparse *matrix)
{
    size_t numbers = 3 * (size_t)matrix->rows;
    tide_changeover *c = tide_allocate_zeroed(1, sizeof *c);
    if (!c)
        return false;
    c->cholesky = cholesky;
    c->before = tide_copy_bytes(before, nonzeros_of(matrix) * sizeof *before);
    c->work = tide_allocate_array(6 * numbers, sizeof *c->work);
    bool made = c->before && c->work && tide_cholesky_set_aside(cholesky, &c->old);
    if (made) {
        c->side = c->work + 4 * numbers;
        c->solution = c->side + numbers;
        if (start(c, base, matrix)) {
            *change = c;
            return true;
        }
    }
    tide_changeover_finish(&c, TIDE_CHANGEOVER_BACK);
    return false;
}

bool tide_changeover_restart(tide_changeover **change, const tide_sparse *base, const tide_sparse *matrix)
{
    halt(*change);
    if (start(*change, base, matrix))
        return true;
    tide_changeover_finish(change, TIDE_CHANGEOVER_DROP);
    return false;
}

void tide_changeover_finish(tide_changeover **change, tide_changeover_end end)
{
    tide_changeover *c = *change;
    *change = NULL;
    if (!c)
        return;
    if (end != TIDE_CHANGEOVER_TAKE)
        halt(c);
    tide_background_join(c->thread);
    tide_cholesky_end_aside(c->cholesky, &c->old, end == TIDE_CHANGEOVER_BACK);
    free_matrices(c);
    tide_free(c->before);
    tide_free(c->work);
    tide_free(c);
}

bool tide_changeover_is_to(const tide_changeover *change, const tide_cholesky_key *key)
{
    return tide_cholesky_same_key(&change->to, key);
}

bool tide_changeover_is_from(const tide_changeover *change, const tide_cholesky_key *key)
{
    return tide_cholesky_same_key(&change->old.key, key);
}

bool tide_changeover_has_pattern(const tide_changeover *change, const tide_cholesky_key *key)
{
    return change->to.pattern == key->pattern;
}

bool tide_changeover_is_due(const tide_changeover *change)
{
    return change->left == 0;
}

tide_cholesky_info tide_changeover_describe(const tide_changeover *change)
{
    tide_cholesky_info info = change->old.info;
    info.pending = true;
    return info;
}

// --- solves ----------------------------------------------------------------------------------------------------------

static void multiply(void *context, const double *x, double *y)
{
    const tide_changeover *c = context;
    tide_rows_apply(&c->rows, x, y);
}

static void precondition(void *context, const double *x, double *y)
{
    tide_changeover *c = context;
    tide_panel_solve_run(c->old.panels, x, y);
}

bool tide_changeover_yields(const tide_changeover *change)
{
    return change->wider > 0;
}

void tide_changeover_yield(tide_changeover *change, const double *b, double *x)
{
    tide_changeover_precondition(change, b, x);
    for (size_t i = 0; i < 3 * (size_t)change->matrix.rows; i++)
        x[i] *= change->wider;
}

tide_inverse_root *tide_changeover_root(tide_changeover *change)
{
    return tide_cholesky_root_aside(change->cholesky, &change->old, change->wider);
}

void tide_changeover_count(tide_changeover *change, uint32_t applications)
{
    change->left -= applications < change->left ? applications : change->left;
}

void tide_changeover_precondition(tide_changeover *change, const double *b, double *x)
{
    precondition(change, b, x);
    tide_changeover_count(change, 1);
}

bool tide_changeover_solve(tide_changeover *change, double tolerance, const double *b, double *x, uint32_t *iterations)
{
    tide_changeover *c = change;
    size_t numbers = 3 * (size_t)c->matrix.rows;
    double scale = tide_iterative_scale(b, numbers);
    *iterations = 0;
    if (!(scale > 0)) {
        for (size_t i = 0; i < numbers; i++)
            x[i] = scale; // 0 or NAN
        return true;
    }
    for (size_t i = 0; i < numbers; i++)
        c->side[i] = scale * b[i];
    memset(c->solution, 0, numbers * sizeof *c->solution);
    tide_iterative_result result = tide_conjugate_gradient(multiply, precondition, c, (uint32_t)numbers, c->side,
                                                           c->solution, tolerance, MOST_ITERATIONS, c->work);
    *iterations = result.iterations;
    tide_changeover_count(c, result.iterations);
    double back = 1 / scale;
    for (size_t i = 0; i < numbers && result.converged; i++)
        x[i] = c->solution[i] * back;
    return result.converged;
}

// --- as bytes --------------------------------------------------------------------------------------------------------

size_t tide_changeover_size(const tide_changeover *change)
{
    return nonzeros_of(&change->matrix) * sizeof *change->before + sizeof(saved_end);
}

void tide_changeover_save(const tide_changeover *change, void *bytes)
{
    size_t nonzeros = nonzeros_of(&change->matrix);
    saved_end end = { { change->old.key, change->to, change->left, nonzeros }, MAGIC };
    memcpy(bytes, change->before, nonzeros * sizeof *change->before);
    memcpy((char *)bytes + nonzeros * sizeof *change->before, &end, sizeof end);
}

size_t tide_changeover_find(const void *bytes, size_t size)
{
    saved_end end;
    if (size < sizeof end)
        return 0;
    memcpy(&end, (const char *)bytes + size - sizeof end, sizeof end);
    bool whole = end.magic == MAGIC && end.saved.nonzeros <= (size - sizeof end) / sizeof(double);
    return whole ? end.saved.nonzeros * sizeof(double) + sizeof end : 0;
}

tide_changeover_saved tide_changeover_read(const void *bytes, size_t size, const void **values)
{
    saved_end end;
    const char *last = (const char *)bytes + size - sizeof end;
    memcpy(&end, last, sizeof end);
    *values = last - end.saved.nonzeros * sizeof(double);
    return end.saved;
}

void tide_changeover_set_left(tide_changeover *change, uint64_t left)
{
    change->left = left;
}
