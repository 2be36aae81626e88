#include "linear/fronts.h"

#include "base/memory.h"
#include "base/parallel.h"

#include <assert.h>
#include <math.h>
#include <stdatomic.h>
#include <string.h>

#define NONE UINT32_MAX

enum {
    PACKED_ROWS = 256, // of k: how much of a product is packed at once
    ROWS_AT_ONCE = 64, // that one thread does
    FEW_ROWS = 16      // so that little is computed above the diagonal of small ones
};

static uint32_t round_up(uint32_t number, uint32_t unit)
{
    return (number + unit - 1) / unit * unit;
}

static uint32_t width_of(const tide_panels *p, uint32_t supernode)
{
    return p->supernodes.member_start[supernode + 1] - p->supernodes.member_start[supernode];
}

static uint32_t height_of(const tide_fronts *f, uint32_t supernode)
{
    return (uint32_t)(f->row_start[supernode + 1] - f->row_start[supernode]);
}

static uint32_t first_position(const tide_panels *p, uint32_t supernode)
{
    return p->panels[p->first_panel[supernode]].first;
}

// Of a block's rows, and of the rows and columns of what a front leaves.
static uint32_t block_stride(const tide_panels *p, uint32_t supernode)
{
    return round_up(width_of(p, supernode), TIDE_DENSE_COLUMNS);
}

static uint32_t update_stride(const tide_fronts *f, uint32_t supernode)
{
    return round_up(height_of(f, supernode), TIDE_DENSE_COLUMNS);
}

static size_t update_size(const tide_fronts *f, uint32_t supernode)
{
    size_t stride = update_stride(f, supernode);
    return stride * stride;
}

// --- the layout -----------------------------------------------------------------------------------------------------

static bool make_arrays(tide_fronts *f, const tide_factor_view *l)
{
    const tide_supernodes *s = &f->panels->supernodes;
    f->row_start = tide_allocate_zeroed((size_t)s->count + 1, sizeof *f->row_start);
    if (!f->row_start)
        return false;
    for (uint32_t k = 0; k < s->count; k++)
        f->row_start[k + 1] = f->row_start[k] + (size_t)l->length[s->member[s->member_start[k + 1] - 1]] - 1;
    f->rows = tide_allocate_array(f->row_start[s->count], sizeof *f->rows);
    f->child = tide_allocate_array(s->count, sizeof *f->child);
    f->next = tide_allocate_array(s->count, sizeof *f->next);
    f->update = tide_allocate_zeroed(s->count, sizeof *f->update);
    f->tasks = tide_allocate_zeroed(s->task_count, sizeof *f->tasks);
    return f->rows && f->child && f->next && f->update && f->tasks;
}

static void set_local(const tide_fronts *f, uint32_t supernode)
{
    const tide_panels *p = f->panels;
    uint32_t width = width_of(p, supernode), first = first_position(p, supernode), below = height_of(f, supernode);
    const uint32_t *rows = f->rows + f->row_start[supernode];
    for (uint32_t i = 0; i < width; i++)
        p->local[first + i] = i;
    for (uint32_t i = 0; i < below; i++)
        p->local[rows[i]] = width + i;
}

// Turns the rows of A's entries into places in the block.
static void place_entries(tide_fronts *f, const tide_panel_task *task, uint32_t supernode)
{
    const tide_panels *p = f->panels;
    const tide_supernodes *s = &p->supernodes;
    uint32_t stride = block_stride(p, supernode), first = first_position(p, supernode);
    set_local(f, supernode);
    for (uint32_t m = s->member_start[supernode]; m < s->member_start[supernode + 1]; m++) {
        uint32_t j = s->member[m], column = p->position[j] - first;
        for (int32_t e = f->entry_start[j]; e < f->entry_start[j + 1]; e++) {
            uint32_t place = p->position[f->entry_at[e]];
            if (place >= task->end_position)
                place = p->slot[place];
            f->entry_at[e] = p->local[place] * stride + column;
        }
    }
}

static void lay_front(tide_fronts *f, const tide_factor_view *l, const tide_panel_task *task, uint32_t supernode)
{
    const tide_panels *p = f->panels;
    const tide_supernodes *s = &p->supernodes;
    uint32_t column = s->member[s->member_start[supernode + 1] - 1], *rows = f->rows + f->row_start[supernode];
    for (uint32_t i = 0; i + 1 < (uint32_t)l->length[column]; i++) {
        uint32_t place = p->position[l->row[(uint32_t)l->start[column] + 1 + i]];
        rows[i] = place < task->end_position ? place : p->slot[place];
        assert(i == 0 || rows[i] > rows[i - 1]);
    }
    place_entries(f, task, supernode);
}

// Where on the stack of its task, of which *top is in use, each front's rest is; children have been laid.
static void lay_work(tide_fronts *f, tide_front_task *task, uint32_t supernode, size_t *top)
{
    size_t own = update_size(f, supernode), below = update_stride(f, supernode), base = *top;
    size_t width = width_of(f->panels, supernode), stride = block_stride(f->panels, supernode);
    for (uint32_t c = f->child[supernode]; c != NONE; c = f->next[c])
        if (c >= task->first)
            base -= update_size(f, c);
    size_t stack = *top + own, block = (width + below + TIDE_DENSE_ROWS) * stride;
    size_t columns = round_up((uint32_t)(below > TIDE_DENSE_BLOCK ? below : TIDE_DENSE_BLOCK), 16);
    size_t pack = columns * (width < PACKED_ROWS ? width : PACKED_ROWS), places = (width + below) / 2 + 1;
    pack = pack > places ? pack : places;
    task->stack_size = stack > task->stack_size ? stack : task->stack_size;
    task->block_size = block > task->block_size ? block : task->block_size;
    task->pack_size = pack > task->pack_size ? pack : task->pack_size;
    f->update[supernode] = base;
    *top = base + own;
}

static void lay_tasks(tide_fronts *f, const tide_factor_view *l)
{
    const tide_panels *p = f->panels;
    const tide_supernodes *s = &p->supernodes;
    for (uint32_t t = 0, k = 0; t < s->task_count; t++) {
        const tide_panel_task *task = &p->tasks[t];
        for (uint32_t i = task->first_touched; i < task->end_touched; i++)
            p->slot[p->touched[i]] = task->first_slot + 4 + i - task->first_touched;
        f->tasks[t].first = k;
        for (; k < s->count && s->task[k] == t; k++)
            lay_front(f, l, task, k);
        f->tasks[t].end = k;
    }
}

// The position of a row that a task may have as a slot.
static uint32_t position_of(const tide_panels *p, const tide_panel_task *task, uint32_t place)
{
    return place < p->positions ? place : p->touched[task->first_touched + place - task->first_slot - 4];
}

static bool find_children(tide_fronts *f)
{
    const tide_panels *p = f->panels;
    const tide_supernodes *s = &p->supernodes;
    uint32_t *owner = tide_allocate_array(p->positions, sizeof *owner);
    if (!owner)
        return false;
    for (uint32_t k = 0; k < s->count; k++) {
        f->child[k] = f->next[k] = NONE;
        for (uint32_t i = 0; i < width_of(p, k); i++)
            owner[first_position(p, k) + i] = k;
    }
    for (uint32_t k = s->count; k-- > 0;)
        if (height_of(f, k)) {
            uint32_t parent = owner[position_of(p, &p->tasks[s->task[k]], f->rows[f->row_start[k]])];
            f->next[k] = f->child[parent];
            f->child[parent] = k;
        }
    tide_free(owner);
    return true;
}

bool tide_fronts_make(tide_fronts *fronts, const tide_panels *panels, tide_factor_pattern *pattern)
{
    tide_fronts *f = fronts;
    const tide_supernodes *s = &panels->supernodes;
    *f = (tide_fronts) { .panels = panels,
                         .entry_start = pattern->entry_start,
                         .entry_at = (uint32_t *)pattern->entry_row,
                         .entry_source = pattern->entry_source };
    pattern->entry_start = pattern->entry_row = pattern->entry_source = NULL;
    bool made = make_arrays(f, &pattern->view);
    if (made) {
        lay_tasks(f, &pattern->view);
        made = find_children(f);
    }
    if (!made) {
        tide_fronts_free(f);
        return false;
    }
    for (uint32_t t = 0; t < s->task_count; t++) {
        size_t top = 0;
        for (uint32_t k = f->tasks[t].first; k < f->tasks[t].end; k++)
            lay_work(f, &f->tasks[t], k, &top);
        f->work_bytes += (f->tasks[t].stack_size + f->tasks[t].block_size + f->tasks[t].pack_size) * sizeof(double);
    }
    return true;
}

void tide_fronts_free(tide_fronts *fronts)
{
    tide_fronts_free_room(fronts);
    tide_free(fronts->row_start);
    tide_free(fronts->rows);
    tide_free(fronts->child);
    tide_free(fronts->next);
    tide_free(fronts->update);
    tide_free(fronts->entry_start);
    tide_free(fronts->entry_at);
    tide_free(fronts->entry_source);
    tide_free(fronts->tasks);
    *fronts = (tide_fronts) { 0 };
}

bool tide_fronts_make_room(tide_fronts *fronts)
{
    bool made = true;
    for (uint32_t t = 0; t < fronts->panels->supernodes.task_count; t++) {
        tide_front_task *task = &fronts->tasks[t];
        if (!task->stack)
            task->stack = tide_allocate_array(task->stack_size, sizeof *task->stack);
        if (!task->block)
            task->block = tide_allocate_array(task->block_size, sizeof *task->block);
        if (!task->pack)
            task->pack = tide_allocate_array(task->pack_size, sizeof *task->pack);
        made = made && task->stack && task->block && task->pack;
    }
    if (!made)
        tide_fronts_free_room(fronts);
    return made;
}

void tide_fronts_free_room(tide_fronts *fronts)
{
    for (uint32_t t = 0; fronts->tasks && t < fronts->panels->supernodes.task_count; t++) {
        tide_front_task *task = &fronts->tasks[t];
        tide_free(task->stack);
        tide_free(task->block);
        tide_free(task->pack);
        task->stack = task->block = task->pack = NULL;
    }
}

// --- a front --------------------------------------------------------------------------------------------------------

typedef struct job {
    const tide_fronts *fronts;
    const tide_dense_kernel *kernel;
    const double *a, *scale, *least;
    bool single;
    void *values;
    _Atomic uint32_t bad; // the first column with a bad pivot
} job;

// What is done to a supernode.
typedef struct front {
    const job *job;
    const tide_front_task *task;
    const tide_panel_task *places;
    uint32_t supernode, width, below, stride, update_stride;
    double *update;
} front;

// Adds what a child leaves. Its rows are in the order of the front's.
static void add_child(const front *f, uint32_t child)
{
    const tide_fronts *fronts = f->job->fronts;
    const tide_panels *p = fronts->panels;
    uint32_t owner = p->supernodes.task[child], rows = height_of(fronts, child);
    size_t stride = update_stride(fronts, child), columns = 0;
    const uint32_t *place = fronts->rows + fronts->row_start[child];
    const double *from = fronts->tasks[owner].stack + fronts->update[child];
    uint32_t *to = (uint32_t *)f->task->pack; // where each goes; free until products are packed
    for (uint32_t i = 0; i < rows; i++) {
        bool slot = &p->tasks[owner] != f->places;
        to[i] = p->local[slot ? position_of(p, &p->tasks[owner], place[i]) : place[i]];
        columns += to[i] < f->width;
    }
    for (uint32_t i = 0; i < rows; i++, from += stride) {
        double *block = f->task->block + (size_t)to[i] * f->stride;
        uint32_t split = i < columns ? i + 1 : (uint32_t)columns;
        for (uint32_t j = 0; j < split; j++)
            block[to[j]] += from[j];
        if (i < columns)
            continue;
        double *update = f->update + (size_t)(to[i] - f->width) * f->update_stride - f->width;
        for (uint32_t j = split; j <= i; j++)
            update[to[j]] += from[j];
    }
}

static void assemble(const front *f)
{
    const tide_fronts *fronts = f->job->fronts;
    const tide_supernodes *s = &fronts->panels->supernodes;
    double *block = f->task->block;
    memset(block, 0, ((size_t)f->width + f->below + TIDE_DENSE_ROWS - 1) * f->stride * sizeof *block);
    memset(f->update, 0, update_size(fronts, f->supernode) * sizeof *f->update);
    for (uint32_t m = s->member_start[f->supernode]; m < s->member_start[f->supernode + 1]; m++)
        for (int32_t e = fronts->entry_start[s->member[m]]; e < fronts->entry_start[s->member[m] + 1]; e++)
            block[fronts->entry_at[e]] += f->job->a[fronts->entry_source[e]];
    set_local(fronts, f->supernode);
    for (uint32_t c = fronts->child[f->supernode]; c != NONE; c = fronts->next[c])
        add_child(f, c);
}

// A product C -= A B', rows of it at a time.
typedef struct product {
    const tide_dense_kernel *kernel;
    const double *a, *packed;
    double *c;
    uint32_t rows, columns, depth, at_once;
    size_t a_stride, c_stride;
    bool lower; // of C only the lower triangle is wanted
} product;

static void multiply_rows(void *context, uint32_t begin, uint32_t end)
{
    const product *p = context;
    for (uint32_t i = begin * p->at_once; i < end * p->at_once && i < p->rows; i += p->at_once) {
        uint32_t rows = p->rows - i < p->at_once ? p->rows - i : p->at_once, columns = p->columns;
        if (p->lower && i + rows < columns)
            columns = round_up(i + rows, TIDE_DENSE_COLUMNS);
        p->kernel->multiply(rows, columns, p->depth, p->a + i * p->a_stride, p->a_stride, p->packed,
                            p->c + i * p->c_stride, p->c_stride);
    }
}

// C (rows x columns) -= A B', where A's rows begin `depth` numbers at a, B's, of which there are `columns`, at b.
static void multiply(const front *f, uint32_t rows, uint32_t columns, uint32_t depth, const double *a, const double *b,
                     double *c, size_t c_stride, bool lower)
{
    product p = { .kernel = f->job->kernel,
                  .packed = f->task->pack,
                  .c = c,
                  .rows = rows,
                  .columns = round_up(columns, TIDE_DENSE_COLUMNS),
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

// One panel of a front, at its column `first`.
typedef struct strip {
    const front *front;
    const tide_panel *panel;
    uint32_t first, columns;
    double transposed[TIDE_DENSE_BLOCK * TIDE_DENSE_BLOCK], plain[TIDE_DENSE_BLOCK * TIDE_DENSE_BLOCK]; // packed D^-1
    double scale[TIDE_DENSE_BLOCK]; // of columns: what the numbers of (S D)^-1 are multiplied by
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
    size_t tiles = (size_t)p->groups * (p->groups + 1) / 2 + (size_t)p->groups * (p->inner + p->full + p->blocks);
    size_t size = s->front->job->single ? sizeof(float) : sizeof(double);
    memset((char *)s->front->job->values + p->values * size, 0, tiles * TIDE_TILE * size);
}

static void store_inverse(const strip *s, tide_dense_block inverse)
{
    const job *j = s->front->job;
    size_t at = s->panel->values;
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

// Where in the panel, of its rows below the diagonal block, the front's row is; `local` tells it of rows below the
// front's columns.
static uint32_t row_in_panel(const strip *s, uint32_t row, double *scale)
{
    const front *f = s->front;
    const tide_panels *p = f->job->fronts->panels;
    uint32_t place, in_panel;
    if (row < f->width) {
        place = first_position(p, f->supernode) + row;
        in_panel = row - s->first - 4 * s->panel->groups;
    } else {
        place = f->job->fronts->rows[f->job->fronts->row_start[f->supernode] + row - f->width];
        in_panel = 4 * s->panel->inner + p->local[place];
    }
    *scale = f->job->scale[p->column[position_of(p, f->places, place)]];
    return in_panel;
}

// Rows below the diagonal block, W in the front, become B = W D^-T there and -B D^-1 in the panel.
static void finish_rows(void *context, uint32_t begin, uint32_t end)
{
    const strip *s = context;
    const front *f = s->front;
    const tide_dense_kernel *kernel = f->job->kernel;
    uint32_t first = s->first + s->columns, all = f->width + f->below,
             padded = round_up(s->columns, TIDE_DENSE_COLUMNS);
    size_t tiles = s->panel->values + TIDE_TILE * (size_t)s->panel->groups * (s->panel->groups + 1) / 2;
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
            store(s, right[k], -scale, tiles + (size_t)(row / 4) * TIDE_TILE * s->panel->groups + row % 4 * 4);
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

// Returns NONE, or the column whose pivot is bad.
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

// Tells `local` where in its panels' rows, past the inner ones, each row below the front's columns is.
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

static uint32_t factor_front(const job *j, uint32_t t, uint32_t supernode, double *top)
{
    const tide_fronts *fronts = j->fronts;
    const tide_panels *p = fronts->panels;
    front f = { .job = j,
                .task = &fronts->tasks[t],
                .places = &p->tasks[t],
                .supernode = supernode,
                .width = width_of(p, supernode),
                .below = height_of(fronts, supernode),
                .stride = block_stride(p, supernode),
                .update_stride = update_stride(fronts, supernode),
                .update = top };
    assemble(&f);
    set_panel_rows(p, supernode);
    uint32_t first = p->first_panel[supernode], end = p->first_panel[supernode + 1];
    for (uint32_t k = first; k < end; k++) {
        strip s = { .front = &f, .panel = &p->panels[k], .first = (k - first) * TIDE_PANEL_COLUMNS };
        s.columns = f.width - s.first < TIDE_PANEL_COLUMNS ? f.width - s.first : TIDE_PANEL_COLUMNS;
        uint32_t bad = eliminate(&s);
        if (bad != NONE)
            return bad;
    }
    const double *below = f.task->block + (size_t)f.width * f.stride;
    if (f.below)
        multiply(&f, f.below, f.below, f.width, below, below, f.update, f.update_stride, true);
    double *place = f.task->stack + fronts->update[supernode];
    if (place != f.update)
        memmove(place, f.update, update_size(fronts, supernode) * sizeof *place);
    return NONE;
}

static void factor_task(job *j, uint32_t t)
{
    const tide_fronts *f = j->fronts;
    const tide_front_task *task = &f->tasks[t];
    double *top = task->stack;
    for (uint32_t k = task->first; k < task->end; k++) {
        uint32_t bad = factor_front(j, t, k, top);
        if (bad != NONE) {
            uint32_t before = atomic_load(&j->bad);
            while (bad < before && !atomic_compare_exchange_weak(&j->bad, &before, bad))
                continue;
            return;
        }
        top = task->stack + f->update[k] + update_size(f, k);
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
