#include "factor/front_sizes.h"

#include "base/parallel.h"
#include "base/stop.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

#define NONE UINT32_MAX

enum {
    PACKED_ROWS = TIDE_FRONT_PACKED_ROWS,
    ROWS_AT_ONCE = 64, // for one thread
    FEW_ROWS = 16      // for small fronts, so that little is computed above the diagonal
};

// --- a front --------------------------------------------------------------------------------------------------------

typedef struct job {
    const tide_fronts *fronts;
    const tide_dense_kernel *kernel;
    const double *a, *scale, *least;
    bool single;
    void *values;
    _Atomic uint32_t bad; // first column with a bad pivot
} job;

// The front that is being factored.
typedef struct front {
    const job *job;
    const tide_front_task *task;
    const tide_panel_task *places;
    uint32_t supernode, width, below, stride, update_stride;
    double *update;
} front;

static double *left_by(const tide_fronts *f, uint32_t supernode)
{
    const tide_front_task *task = &f->tasks[f->panels->supernodes.task[supernode]];
    return (f->kept[supernode] ? task->kept : task->stack) + f->update[supernode];
}

static inline void add(uint32_t count, const double *restrict from, double *restrict to)
{
    for (uint32_t i = 0; i < count; i++)
        to[i] += from[i];
}

// Finds the rows of the front, to[i], in which a child's rows are, and the runs of consecutive ones: rows run[n] to
// run[n + 1] - 1, either all among the front's columns or all below. Stores in *own the number of runs among its
// columns.
static void find_runs(const front *f, uint32_t child, uint32_t *to, uint32_t *run, uint32_t *own)
{
    const tide_fronts *fronts = f->job->fronts;
    const tide_panels *p = fronts->panels;
    const tide_panel_task *owner = &p->tasks[p->supernodes.task[child]];
    const uint32_t *place = fronts->rows + fronts->row_start[child];
    uint32_t rows = tide_front_height(fronts, child), runs = 0;
    *own = 0;
    for (uint32_t i = 0; i < rows; i++) {
        to[i] = p->local[owner != f->places ? tide_position_of(p, owner, place[i]) : place[i]];
        if (i == 0 || to[i] != to[i - 1] + 1 || to[i] == f->width) {
            *own += to[i] < f->width;
            run[runs++] = i;
        }
    }
    run[runs] = rows;
}

// Adds the update matrix of a child. Its rows are in the same order as the front's.
static void add_child(const front *f, uint32_t child)
{
    const tide_fronts *fronts = f->job->fronts;
    uint32_t rows = tide_front_height(fronts, child), own, last = 0;
    size_t stride = tide_update_stride(fronts, child);
    const double *from = left_by(fronts, child);
    uint32_t *to = (uint32_t *)f->task->pack, *run = to + rows; // free until products are packed
    find_runs(f, child, to, run, &own);
    for (uint32_t i = 0; i < rows; i++, from += stride) {
        last += i == run[last + 1];
        double *block = f->task->block + (size_t)to[i] * f->stride;
        for (uint32_t n = 0; n < own && n <= last; n++)
            add((n < last ? run[n + 1] : i + 1) - run[n], from + run[n], block + to[run[n]]);
        if (last < own)
            continue;
        double *update = f->update + (size_t)(to[i] - f->width) * f->update_stride - f->width;
        for (uint32_t n = own; n <= last; n++)
            add((n < last ? run[n + 1] : i + 1) - run[n], from + run[n], update + to[run[n]]);
    }
}

static void assemble(const front *f)
{
    const tide_fronts *fronts = f->job->fronts;
    const tide_supernodes *s = &fronts->panels->supernodes;
    double *block = f->task->block;
    memset(block, 0, ((size_t)f->width + f->below + TIDE_DENSE_ROWS - 1) * f->stride * sizeof *block);
    memset(f->update, 0, tide_update_size(fronts, f->supernode) * sizeof *f->update);
    for (uint32_t m = s->member_start[f->supernode]; m < s->member_start[f->supernode + 1]; m++)
        for (int32_t e = fronts->entry_start[s->member[m]]; e < fronts->entry_start[s->member[m] + 1]; e++)
            block[fronts->entry_at[e]] += f->job->a[fronts->entry_source[e]];
    tide_front_set_local(fronts, f->supernode);
    for (uint32_t c = fronts->child[f->supernode]; c != NONE; c = fronts->next[c])
        add_child(f, c);
}

// A product C -= A B', computed in blocks of rows.
typedef struct product {
    const tide_dense_kernel *kernel;
    const double *a, *packed;
    double *c;
    uint32_t rows, columns, depth, at_once;
    size_t a_stride, c_stride;
    bool lower; // only the lower triangle of C is needed
} product;

static void multiply_rows(void *context, uint32_t begin, uint32_t end)
{
    const product *p = context;
    for (uint32_t i = begin * p->at_once; i < end * p->at_once && i < p->rows; i += p->at_once) {
        uint32_t rows = p->rows - i < p->at_once ? p->rows - i : p->at_once, columns = p->columns;
        if (p->lower && i + rows < columns)
            columns = tide_round_up(i + rows, TIDE_DENSE_COLUMNS);
        p->kernel->multiply(rows, columns, p->depth, p->a + i * p->a_stride, p->a_stride, p->packed,
                            p->c + i * p->c_stride, p->c_stride);
    }
}

// Computes C (rows x columns) -= A B' with `depth` columns of A and B; A starts at a, and B, of `columns` rows, at b.
static void multiply(const front *f, uint32_t rows, uint32_t columns, uint32_t depth, const double *a, const double *b,
                     double *c, size_t c_stride, bool lower)
{
    product p = { .kernel = f->job->kernel,
                  .packed = f->task->pack,
                  .c = c,
                  .rows = rows,
                  .columns = tide_round_up(columns, TIDE_DENSE_COLUMNS),
                  .at_once = lower && rows < 2 * ROWS_AT_ONCE ? FEW_ROWS : ROWS_AT_ONCE,
                  .a_stride = f->stride,
                  .c_stride = c_stride,
                  .lower = lower };
    for (uint32_t k = 0; k < depth; k += PACKED_ROWS) {
        p.depth = depth - k < PACKED_ROWS ? depth - k : PACKED_ROWS;
        p.a = a + k;
        p.kernel->pack(columns, p.depth, b + k, f->stride, f->task->pack);
        tide_parallel_for((rows + p.at_once - 1) / p.at_once, ROWS_AT_ONCE / p.at_once, multiply_rows, &p);
    }
}

// --- panels ---------------------------------------------------------------------------------------------------------

// One panel of a front, from its column `first` on.
typedef struct strip {
    const front *front;
    const tide_panel *panel;
    uint32_t first, columns;
    double transposed[TIDE_DENSE_BLOCK * TIDE_DENSE_BLOCK],
        plain[TIDE_DENSE_BLOCK * TIDE_DENSE_BLOCK]; // packed D^-1 and its transpose
    double scale[TIDE_DENSE_BLOCK];                 // factors of the columns of (S D)^-1
} strip;

static void store(const strip *s, const double *numbers, double factor, size_t at)
{
    uint32_t groups = s->panel->groups;
    if (s->front->job->single) {
        float *to = (float *)s->front->job->values + at;
        for (uint32_t g = 0; g < groups; g++, to += TIDE_TILE)
            for (uint32_t k = 0; k < 4; k++)
                to[k] = (float)(numbers[4 * g + k] * s->scale[4 * g + k] * factor);
    } else {
        double *to = (double *)s->front->job->values + at;
        for (uint32_t g = 0; g < groups; g++, to += TIDE_TILE)
            for (uint32_t k = 0; k < 4; k++)
                to[k] = numbers[4 * g + k] * s->scale[4 * g + k] * factor;
    }
}

static void clear_panel(const strip *s)
{
    const tide_panel *p = s->panel;
    size_t size = s->front->job->single ? sizeof(float) : sizeof(double);
    memset((char *)s->front->job->values + p->values * size, 0, tide_panel_values(p) * size);
}

static void store_inverse(const strip *s, tide_dense_block inverse)
{
    const job *j = s->front->job;
    size_t at = s->panel->values + tide_panel_values_below(s->panel);
    for (uint32_t i = 0; i < 4 * s->panel->groups; i += 4)
        for (uint32_t k = 0; k <= i; k += 4)
            for (uint32_t e = 0; e < TIDE_TILE; e++, at++) {
                double number = inverse[i + e / 4][k + e % 4] * s->scale[k + e % 4];
                if (j->single)
                    ((float *)j->values)[at] = (float)number;
                else
                    ((double *)j->values)[at] = number;
            }
}

// Returns the row of the panel, counted below its diagonal block, of a row of the front. For rows below the front's
// columns it is found through `local`.
static uint32_t row_in_panel(const strip *s, uint32_t row, double *scale)
{
    const front *f = s->front;
    const tide_panels *p = f->job->fronts->panels;
    uint32_t place, in_panel;
    if (row < f->width) {
        place = tide_front_position(p, f->supernode) + row;
        in_panel = row - s->first - 4 * s->panel->groups;
    } else {
        place = f->job->fronts->rows[f->job->fronts->row_start[f->supernode] + row - f->width];
        in_panel = 4 * s->panel->inner + p->local[place];
    }
    *scale = f->job->scale[p->column[tide_position_of(p, f->places, place)]];
    return in_panel;
}

// Turns rows below the diagonal block: W in the front becomes B = W D^-T, and -B D^-1 is stored in the panel.
static void finish_rows(void *context, uint32_t begin, uint32_t end)
{
    const strip *s = context;
    const front *f = s->front;
    const tide_dense_kernel *kernel = f->job->kernel;
    uint32_t first = s->first + s->columns, all = f->width + f->below,
             padded = tide_round_up(s->columns, TIDE_DENSE_COLUMNS);
    for (uint32_t i = first + begin * ROWS_AT_ONCE; i < first + end * ROWS_AT_ONCE && i < all; i += ROWS_AT_ONCE) {
        double left[ROWS_AT_ONCE][TIDE_DENSE_BLOCK] = { 0 }, right[ROWS_AT_ONCE][TIDE_DENSE_BLOCK] = { 0 };
        uint32_t rows = all - i < ROWS_AT_ONCE ? all - i : ROWS_AT_ONCE;
        double *w = f->task->block + (size_t)i * f->stride + s->first;
        kernel->multiply(rows, padded, s->columns, w, f->stride, s->transposed, left[0], TIDE_DENSE_BLOCK);
        kernel->multiply(rows, padded, s->columns, left[0], TIDE_DENSE_BLOCK, s->plain, right[0], TIDE_DENSE_BLOCK);
        for (uint32_t k = 0; k < rows; k++, w += f->stride) {
            for (uint32_t c = 0; c < s->columns; c++)
                w[c] = -left[k][c];
            double scale;
            uint32_t row = row_in_panel(s, i + k, &scale);
            store(s, right[k], -scale,
                  s->panel->values + (size_t)(row / 4) * TIDE_TILE * s->panel->groups + row % 4 * 4);
        }
    }
}

static void pack_inverse(strip *s, tide_dense_block inverse)
{
    tide_dense_block turned;
    for (uint32_t i = 0; i < TIDE_DENSE_BLOCK; i++)
        for (uint32_t k = 0; k < TIDE_DENSE_BLOCK; k++)
            turned[i][k] = inverse[k][i];
    const tide_dense_kernel *kernel = s->front->job->kernel;
    kernel->pack(s->columns, s->columns, inverse[0], TIDE_DENSE_BLOCK, s->transposed);
    kernel->pack(s->columns, s->columns, turned[0], TIDE_DENSE_BLOCK, s->plain);
}

// Factors the panel. Returns NONE, or the column whose pivot is bad.
static uint32_t eliminate(strip *s)
{
    const front *f = s->front;
    const job *j = f->job;
    const tide_panels *p = j->fronts->panels;
    double *block = f->task->block + (size_t)s->first * f->stride, least[TIDE_DENSE_BLOCK];
    uint32_t rows = f->width + f->below - s->first;
    const uint32_t *columns = p->column + s->panel->first;
    tide_dense_block inverse;
    if (s->first)
        multiply(f, rows, s->columns, s->first, block, block, block + s->first, f->stride, false);
    for (uint32_t c = 0; c < TIDE_DENSE_BLOCK; c++) {
        least[c] = c < s->columns ? j->least[columns[c]] : 0;
        s->scale[c] = c < s->columns ? 1 / j->scale[columns[c]] : 0;
    }
    uint32_t good = j->kernel->factor(s->columns, block + s->first, f->stride, least, inverse);
    if (good < s->columns)
        return columns[good];
    clear_panel(s);
    store_inverse(s, inverse);
    if (rows > s->columns) {
        pack_inverse(s, inverse);
        tide_parallel_for((rows - s->columns + ROWS_AT_ONCE - 1) / ROWS_AT_ONCE, 1, finish_rows, s);
    }
    return NONE;
}

// Sets `local` for each row below the front's columns: its index among the panels' rows, past the inner ones.
static void set_panel_rows(const tide_panels *p, uint32_t supernode)
{
    const tide_panel *first = &p->panels[p->first_panel[supernode]];
    const uint32_t *rows = p->rows + first->rows;
    uint32_t full = 4 * first->full, blocks = 4 * first->blocks;
    for (uint32_t i = 0; i < full; i++)
        p->local[rows[i / 4] + i % 4] = i;
    for (uint32_t i = 0; i < blocks; i++)
        p->local[rows[first->full + i]] = full + i;
}

// Factors a front. Returns NONE, the column of a bad pivot, or any column when a stop is requested.
static uint32_t factor_front(const job *j, uint32_t t, uint32_t supernode, double *top)
{
    const tide_fronts *fronts = j->fronts;
    const tide_panels *p = fronts->panels;
    front f = { .job = j,
                .task = &fronts->tasks[t],
                .places = &p->tasks[t],
                .supernode = supernode,
                .width = tide_front_width(p, supernode),
                .below = tide_front_height(fronts, supernode),
                .stride = tide_front_stride(p, supernode),
                .update_stride = tide_update_stride(fronts, supernode),
                .update = fronts->kept[supernode] ? left_by(fronts, supernode) : top };
    assemble(&f);
    set_panel_rows(p, supernode);
    uint32_t first = p->first_panel[supernode], end = p->first_panel[supernode + 1];
    for (uint32_t k = first; k < end; k++) {
        if (tide_stop_requested())
            return 0;
        strip s = { .front = &f, .panel = &p->panels[k], .first = (k - first) * TIDE_PANEL_COLUMNS };
        s.columns = f.width - s.first < TIDE_PANEL_COLUMNS ? f.width - s.first : TIDE_PANEL_COLUMNS;
        uint32_t bad = eliminate(&s);
        if (bad != NONE)
            return bad;
    }
    const double *below = f.task->block + (size_t)f.width * f.stride;
    if (f.below)
        multiply(&f, f.below, f.below, f.width, below, below, f.update, f.update_stride, true);
    double *place = left_by(fronts, supernode);
    if (place != f.update)
        memmove(place, f.update, tide_update_size(fronts, supernode) * sizeof *place);
    return NONE;
}

static void factor_task(job *j, uint32_t t)
{
    const tide_fronts *f = j->fronts;
    const tide_front_task *task = &f->tasks[t];
    double *top = task->stack;
    for (uint32_t k = task->first; k < task->end; k++) {
        if (!f->due[k])
            continue;
        uint32_t bad = factor_front(j, t, k, top);
        if (bad != NONE) {
            uint32_t before = atomic_load(&j->bad);
            while (bad < before && !atomic_compare_exchange_weak(&j->bad, &before, bad))
                continue;
            return;
        }
        // A kept front is the root of a small subtree, or outside of all: the stack is then empty.
        top = task->stack + (f->kept[k] ? 0 : f->update[k] + tide_update_size(f, k));
    }
}

static void factor_tasks(void *context, uint32_t begin, uint32_t end)
{
    for (uint32_t t = begin; t < end; t++)
        factor_task(context, t);
}

uint32_t tide_fronts_factor(tide_fronts *fronts, const tide_dense_kernel *kernel, const double *a, const double *scale,
                            const double *least, bool single, void *values)
{
    job j = { .fronts = fronts,
              .kernel = kernel,
              .a = a,
              .scale = scale,
              .least = least,
              .single = single,
              .values = values,
              .bad = NONE };
    uint32_t top = fronts->panels->supernodes.task_count - 1;
    tide_parallel_for(top, 1, factor_tasks, &j);
    if (atomic_load(&j.bad) == NONE)
        factor_task(&j, top);
    return atomic_load(&j.bad);
}
