#include "linear/multigrid.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "linear/coarsening.h"
#include "linear/iterative.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    MOST_LEVELS = 16,
    COARSE_ENOUGH = 1000 // rows of a matrix that is solved directly
};
static const double strength = 0.08;       // strong couplings, on the finest level; halved from level to level
static const double smallest_shrink = 0.7; // largest useful ratio of rows from one level to the next
static const double smoothed_part = 8;     // the smoother acts on eigenvalues above the largest one over this

typedef struct level {
    tide_rows a, p, r;     // p prolongs from the next coarser level, r = p'
    double *inverse;       // (rows) 1 / diagonal
    double largest;        // bound of the eigenvalues of D^-1 A
    double *x, *b, *d, *e; // (3 * rows) solution; right-hand side, then residual; step; next step
} level;

struct tide_multigrid {
    level levels[MOST_LEVELS];
    uint32_t count;
    const tide_coarse_solver *coarse;
    void *factor; // of the coarsest level; NULL: the coarsest level is smoothed only
    double *b;    // (3 * rows) right-hand side, scaled
    double *work; // (12 * rows) for conjugate gradients; the last quarter is x of the finest level
};

// --- making it ------------------------------------------------------------------------------------------------------

static bool make_level(void *owner, level *l)
{
    uint32_t n = l->a.count;
    l->inverse = tide_own_zeroed(owner, n, sizeof *l->inverse);
    double **arrays[] = { &l->b, &l->d, &l->e, &l->x };
    bool made = l->inverse;
    for (int i = 0; i < (l->x ? 3 : 4); i++)
        made = (*arrays[i] = tide_own_zeroed(owner, n, 3 * sizeof **arrays[i])) && made;
    for (uint32_t i = 0; made && i < n; i++) {
        double sum = 0, diagonal = 0;
        for (size_t k = l->a.start[i]; k < l->a.start[i + 1]; k++) {
            sum += fabs(l->a.value[k]);
            diagonal = l->a.column[k] == i ? l->a.value[k] : diagonal;
        }
        l->inverse[i] = 1 / diagonal;
        l->largest = fmax(l->largest, sum / diagonal); // Gershgorin's discs
    }
    return made;
}

// Makes the next coarser level. *end is set when it would not be worth while. Returns false when there is no memory.
static bool coarsen(tide_multigrid *m, bool *end)
{
    level *fine = &m->levels[m->count - 1];
    tide_rows product = { 0 }, coarse = { 0 };
    bool made = tide_coarsen(&fine->a, ldexp(strength, 1 - (int)m->count), 4 / (3 * fine->largest), &fine->p);
    *end = !made || fine->p.columns == 0 || fine->p.columns > smallest_shrink * fine->a.count;
    if (*end) {
        tide_rows_free(&fine->p);
        return made;
    }
    made = tide_rows_transpose(&fine->p, &fine->r) && tide_rows_multiply(&fine->a, &fine->p, &product) &&
           tide_rows_multiply(&fine->r, &product, &coarse);
    tide_rows_free(&product);
    if (!made)
        return false;
    m->levels[m->count++].a = coarse;
    return make_level(m, &m->levels[m->count - 1]);
}

static tide_status factor_coarsest(tide_multigrid *m, tide_error *error)
{
    const tide_rows *a = &m->levels[m->count - 1].a;
    TIDE_SCOPED_BY(tide_triplets_free) tide_triplets triplets = { 0 };
    TIDE_SCOPED_BY(tide_sparse_free) tide_sparse matrix = { 0 };
    for (uint32_t i = 0; i < a->count; i++)
        for (size_t k = a->start[i]; k < a->start[i + 1]; k++)
            tide_triplets_add(&triplets, i, a->column[k], a->value[k]);
    TIDE_TRY(tide_sparse_from_triplets(&triplets, a->count, a->count, true, &matrix, error));
    return m->coarse->create(&matrix, &m->factor, error);
}

static tide_status make(tide_multigrid *m, const tide_sparse *matrix, tide_error *error)
{
    bool end = false, made = tide_rows_from_symmetric(matrix, &m->levels[0].a);
    made = (m->b = tide_own_zeroed(m, matrix->rows, 3 * sizeof *m->b)) && made;
    made = (m->work = tide_own_zeroed(m, matrix->rows, 12 * sizeof *m->work)) && made;
    m->count = 1;
    if (made)
        m->levels[0].x = m->work + 9 * (size_t)matrix->rows;
    made = made && make_level(m, &m->levels[0]);
    while (made && !end && m->count < MOST_LEVELS && m->levels[m->count - 1].a.count > COARSE_ENOUGH)
        made = coarsen(m, &end);
    if (!made)
        return tide_fail_memory(error, "multigrid");
    return end ? TIDE_OK : factor_coarsest(m, error);
}

tide_status tide_multigrid_create(tide_multigrid **multigrid, const tide_sparse *matrix,
                                  const tide_coarse_solver *coarse, uint32_t *bad_row, tide_error *error)
{
    for (uint32_t j = 0; j < matrix->columns; j++) {
        int32_t k = matrix->column_start[j];
        if (k == matrix->column_start[j + 1] || (uint32_t)matrix->row[k] != j || !(matrix->value[k] > 0)) {
            char value[32];
            snprintf(value, sizeof value, "%u", j);
            *bad_row = j;
            return tide_fail(error, TIDE_ERROR_NUMERIC, "multigrid", "row", value,
                             "the matrix is not positive definite: its diagonal is not above 0 here");
        }
    }
    tide_multigrid *m = tide_allocate_zeroed(1, sizeof *m);
    if (!m)
        return tide_fail_memory(error, "multigrid");
    m->coarse = coarse;
    *bad_row = matrix->rows;
    tide_status status = make(m, matrix, error);
    if (status)
        tide_multigrid_destroy(m);
    else
        *multigrid = m;
    return status;
}

void tide_multigrid_destroy(tide_multigrid *multigrid)
{
    if (!multigrid)
        return;
    for (uint32_t i = 0; i < multigrid->count; i++) {
        level *l = &multigrid->levels[i];
        tide_rows_free(&l->a);
        tide_rows_free(&l->p);
        tide_rows_free(&l->r);
    }
    multigrid->coarse->destroy(multigrid->factor);
    tide_free(multigrid);
}

uint32_t tide_multigrid_levels(const tide_multigrid *multigrid)
{
    return multigrid->count;
}

size_t tide_multigrid_bytes(const tide_multigrid *multigrid)
{
    size_t bytes = 12 * (size_t)multigrid->levels[0].a.count * sizeof(double);
    for (uint32_t i = 0; i < multigrid->count; i++) {
        const level *l = &multigrid->levels[i];
        bytes += tide_rows_bytes(&l->a) + tide_rows_bytes(&l->p) + tide_rows_bytes(&l->r) +
                 13 * (size_t)l->a.count * sizeof(double);
    }
    return bytes;
}

// --- the cycle ------------------------------------------------------------------------------------------------------

typedef struct pass {
    level *l;
    double keep, take; // factors of the last step d and of D^-1 b in the next step
} pass;

// Computes b -= A d, then the next step from the new residual b: e = keep d + take D^-1 b, x += e.
static void step_rows(void *context, uint32_t begin, uint32_t end)
{
    const pass *p = context;
    const level *l = p->l;
    for (uint32_t i = begin; i < end; i++) {
        tide_triple sum = tide_rows_multiply_one(&l->a, i, l->d);
        double scale = p->take * l->inverse[i];
        for (size_t k = 3 * (size_t)i, c = 0; c < 3; k++, c++) {
            l->b[k] -= sum.v[c];
            l->e[k] = p->keep * l->d[k] + scale * l->b[k];
            l->x[k] += l->e[k];
        }
    }
}

// Computes the first step: d = take D^-1 b, x += d.
static void start_rows(void *context, uint32_t begin, uint32_t end)
{
    const pass *p = context;
    const level *l = p->l;
    for (uint32_t i = begin; i < end; i++)
        for (size_t k = 3 * (size_t)i; k < 3 * (size_t)i + 3; k++) {
            l->d[k] = p->take * l->inverse[i] * l->b[k];
            l->x[k] += l->d[k];
        }
}

static void subtract_rows(void *context, uint32_t begin, uint32_t end)
{
    const level *l = ((const pass *)context)->l;
    for (uint32_t i = begin; i < end; i++) {
        tide_triple sum = tide_rows_multiply_one(&l->a, i, l->d);
        for (size_t c = 0; c < 3; c++)
            l->b[3 * (size_t)i + c] -= sum.v[c];
    }
}

static void run(level *l, void (*rows)(void *context, uint32_t begin, uint32_t end), double keep, double take)
{
    pass p = { .l = l, .keep = keep, .take = take };
    tide_parallel_for(l->a.count, TIDE_ROWS_GRAIN, rows, &p);
}

// Takes two steps of the Chebyshev iteration for the upper part of the spectrum (Saad 2003, alg. 12.1) from the current
// x. Afterwards b is the residual before the last step d: A d is not yet subtracted.
static void smooth(level *l)
{
    double high = l->largest, low = high / smoothed_part, middle = (high + low) / 2, half = (high - low) / 2;
    double sigma = middle / half, rho = 1 / sigma, next = 1 / (2 * sigma - rho);
    run(l, start_rows, 0, 1 / middle);
    run(l, step_rows, next * rho, 2 * next / half);
    double *swap = l->d;
    l->d = l->e;
    l->e = swap;
}

// Runs a V-cycle on the level: x approximates A^-1 b. Overwrites b.
static void cycle(tide_multigrid *m, uint32_t at)
{
    level *l = &m->levels[at];
    size_t size = 3 * (size_t)l->a.count * sizeof *l->x;
    if (at + 1 == m->count && m->factor) {
        m->coarse->solve(m->factor, l->b, l->x);
        return;
    }
    memset(l->x, 0, size);
    smooth(l);
    run(l, subtract_rows, 0, 0);
    if (at + 1 < m->count) {
        level *coarse = &m->levels[at + 1];
        tide_rows_apply(&l->r, l->b, coarse->b);
        cycle(m, at + 1);
        tide_rows_apply(&l->p, coarse->x, l->d);
        for (size_t i = 0; i < 3 * (size_t)l->a.count; i++)
            l->x[i] += l->d[i];
        run(l, subtract_rows, 0, 0);
    }
    smooth(l);
}

// --- conjugate gradients --------------------------------------------------------------------------------------------

static void apply_finest(void *context, const double *x, double *y)
{
    const tide_multigrid *m = context;
    tide_rows_apply(&m->levels[0].a, x, y);
}

static void apply_cycle(void *context, const double *r, double *z)
{
    tide_multigrid *m = context;
    level *l = &m->levels[0];
    (void)z; // z is l->x, where the cycle leaves its result
    memcpy(l->b, r, 3 * (size_t)l->a.count * sizeof *l->b);
    cycle(m, 0);
}

tide_iterative_result tide_multigrid_solve(tide_multigrid *multigrid, const double *b, double *x, double tolerance,
                                           uint32_t max_iterations)
{
    size_t numbers = 3 * (size_t)multigrid->levels[0].a.count;
    double scale = tide_iterative_scale(b, numbers);
    tide_iterative_result result = { .residual = scale == 0 ? 0 : NAN, .converged = scale == 0 };
    if (!(scale > 0)) {
        for (size_t i = 0; i < numbers; i++)
            x[i] = scale; // 0 or NAN
        return result;
    }
    for (size_t i = 0; i < numbers; i++)
        multigrid->b[i] = scale * b[i];
    memset(x, 0, numbers * sizeof *x);
    result = tide_conjugate_gradient_by_recurrence(apply_finest, apply_cycle, multigrid, (uint32_t)numbers,
                                                   multigrid->b, x, tolerance, max_iterations, multigrid->work);
    if (result.negative)
        result.residual = NAN;
    for (size_t i = 0; i < numbers; i++)
        x[i] /= scale;
    return result;
}
