#include "linear/changeover.h"

#include "base/background.h"
#include "base/memory.h"
#include "linear/iterative.h"
#include "linear/panel_solve.h"
#include "linear/rows.h"

#include <math.h>
#include <string.h>

// Operations of a factorisation for each number of the factor, from which on it takes longer than a frame or two of
// conjugate gradients.
static const double most_a_number = 1200;
// While so many operations of a factorisation are done for each of its numbers the factor is applied once, by a
// program that takes other time, too: twice as many take about as long.
static const double operations_a_number = 10;

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
    uint64_t left;
    double *work, *side, *solution; // (4 * 3 * rows), (3 * rows)
    tide_background *thread;
};

static size_t nonzeros_of(const tide_sparse *matrix)
{
    return (size_t)matrix->column_start[matrix->columns];
}

bool tide_changeover_pays(const tide_cholesky *cholesky, const tide_cholesky_key *key, bool always)
{
    if (!tide_cholesky_can_set_aside(cholesky))
        return false;
    tide_cholesky_key now = tide_cholesky_key_now(cholesky);
    if (now.pattern != key->pattern || now.values == key->values)
        return false;
    tide_cholesky_info info = tide_cholesky_describe(cholesky);
    return always || (info.rows >= TIDE_CHANGEOVER_ROWS && info.operations > most_a_number * (double)info.nonzeros);
}

static void factor(void *context)
{
    tide_changeover *c = context;
    tide_error error;
    (void)tide_cholesky_factor_grafted(c->cholesky, c->grafted ? &c->base : NULL, &c->matrix, NULL, &error);
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
    c->left = (uint64_t)ceil(info->operations / (operations_a_number * (double)info->nonzeros));
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
