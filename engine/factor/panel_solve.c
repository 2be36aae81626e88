#include "factor/panel_solve.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "factor/small_numbers.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MOST_EXPONENT = 100 }; // of a scale, which is a float

typedef struct job {
    tide_panel_solve *solve;
    const double *b;
    double *x;
    double scale; // factor of b, a power of two
} job;

static size_t number_size(const tide_panel_solve *s)
{
    return s->single ? sizeof(float) : sizeof(double);
}

// Numbers for each position of the work vector.
static size_t numbers_of(const tide_panel_solve *s)
{
    return s->sides == 1 ? 1 : 4;
}

static size_t work_numbers(const tide_panel_solve *s)
{
    return numbers_of(s) * ((size_t)s->panels.positions + s->panels.slots);
}

static uint32_t task_count(const tide_panel_solve *s)
{
    return s->panels.supernodes.task_count;
}

bool tide_panel_solve_make(tide_panel_solve *solve, tide_factor_pattern *pattern, const int32_t *order, int bits,
                           uint32_t sides)
{
    uint32_t columns = pattern->view.columns;
    void *memory = tide_allocate(0);
    *solve =
        (tide_panel_solve) { .memory = memory, .bits = bits, .sides = sides, .kernel = tide_dense_kernel_choose(bits) };
    bool made = tide_panels_make(&pattern->view, memory, &solve->panels) &&
                tide_fronts_make(&solve->fronts, &solve->panels, pattern, memory, sides == 3);
    if (!made) {
        tide_panel_solve_free(solve);
        return false;
    }
    solve->rows = columns;
    solve->order = tide_own(memory, tide_copy_bytes(order, columns * sizeof *order));
    solve->scaled_rows = tide_own_array(solve->memory, solve->panels.positions, sizeof *solve->scaled_rows);
    solve->scale = tide_own_zeroed(solve->memory, columns, sizeof *solve->scale);
    solve->least = tide_own_array(solve->memory, columns, sizeof *solve->least);
    solve->rescaled = tide_own_zeroed(solve->memory, columns, sizeof *solve->rescaled);
    if (solve->fronts.keeps)
        solve->entries =
            tide_own_array(solve->memory, (size_t)solve->fronts.entry_start[columns], sizeof *solve->entries);
    made = tide_owns_all(memory);
    if (!made)
        tide_panel_solve_free(solve);
    return made;
}

void tide_panel_solve_free(tide_panel_solve *solve)
{
    tide_free(solve->memory);
    *solve = (tide_panel_solve) { 0 };
}

void tide_panel_solve_map(tide_panel_solve *solve, const uint32_t *row_of, uint32_t rows)
{
    solve->row_of = row_of;
    solve->rows = rows;
    if (solve->root.place)
        tide_inverse_root_place(&solve->root, solve->order, row_of, rows);
}

// Returns the row of right-hand sides of a row of L, or UINT32_MAX.
static uint32_t row_of(const tide_panel_solve *s, uint32_t column)
{
    uint32_t row = (uint32_t)s->order[column];
    return s->row_of ? s->row_of[row] : row;
}

static size_t layout_bytes(const tide_panel_solve *s)
{
    const tide_panels *p = &s->panels;
    return p->positions * sizeof *s->scaled_rows + p->row_count * sizeof *p->rows + p->panel_count * sizeof *p->panels;
}

size_t tide_panel_solve_bytes(const tide_panel_solve *solve)
{
    size_t numbers = solve->panels.value_count + work_numbers(solve), bytes = 0;
    for (int i = 0; i < 2; i++)
        bytes += solve->kept[i].values ? numbers * (i ? sizeof(float) : sizeof(double)) : 0;
    return bytes + layout_bytes(solve);
}

size_t tide_panel_solve_most_bytes(const tide_panel_solve *solve)
{
    const tide_panels *p = &solve->panels;
    const tide_fronts *f = &solve->fronts;
    size_t numbers = p->value_count + work_numbers(solve);
    return numbers * sizeof(double) + layout_bytes(solve) + f->work_bytes +
           f->row_start[p->supernodes.count] * sizeof *f->rows +
           (size_t)f->entry_start[p->supernodes.columns] * (sizeof *f->entry_at + sizeof *f->entry_source);
}

// Selects the precision and allocates for it. Returns false when there is no memory.
static bool use_precision(tide_panel_solve *s, bool single)
{
    s->single = single;
    s->sweeps = s->sides == 1 ? tide_sweeps_choose_one(s->bits) : tide_sweeps_choose(single, s->bits);
    if (s->panels.value_count * sizeof(float) > TIDE_PANEL_WORK_KEPT) {
        tide_free(s->kept[!single].values);
        s->kept[!single].values = NULL;
    }
    if (!s->kept[single].values)
        s->kept[single].values = tide_own_array(s->memory, s->panels.value_count, number_size(s));
    if (!s->kept[single].work)
        s->kept[single].work = tide_own_zeroed(s->memory, work_numbers(s), number_size(s));
    s->values = s->kept[single].values;
    s->work = s->kept[single].work;
    return s->values && s->work;
}

// Sets scale = 1 / sqrt(diagonal of A), up to a factor of 2.
static void set_scale(tide_panel_solve *s, const tide_sparse *matrix)
{
    for (uint32_t k = 0; k < s->panels.supernodes.columns; k++) {
        double diagonal = matrix->value[matrix->column_start[s->order[k]]];
        int exponent;
        frexp(sqrt(fabs(diagonal)), &exponent);
        s->least[k] = 4 * DBL_EPSILON * diagonal > 0 ? 4 * DBL_EPSILON * diagonal : 0;
        double scale = ldexp(1, exponent < -MOST_EXPONENT  ? MOST_EXPONENT
                                : exponent > MOST_EXPONENT ? -MOST_EXPONENT
                                                           : -exponent);
        s->rescaled[k] = scale != s->scale[k];
        s->scale[k] = scale;
    }
}

// With the diagonal matrix S of scales, A^-1 = S ((S L) (S L)')^-1 S, where the numbers of S L are at most 1 in
// magnitude. The scales are powers of two and cause no rounding.
bool tide_panel_solve_factor(tide_panel_solve *solve, const tide_sparse *matrix, bool single, uint32_t *bad_row)
{
    tide_panel_solve *s = solve;
    const tide_panels *p = &s->panels;
    if (!use_precision(s, single) || !tide_fronts_make_room(&s->fronts))
        return false;
    set_scale(s, matrix);
    bool updates = s->factored && s->factored_single == single;
    s->operations = updates ? tide_fronts_mark(&s->fronts, s->entries, matrix->value, s->rescaled)
                            : tide_fronts_mark_all(&s->fronts);
    s->factored = false;
    for (uint32_t i = 0; i < p->positions; i++) {
        uint32_t column = p->column[i], row = column == UINT32_MAX ? UINT32_MAX : row_of(s, column);
        s->scaled_rows[i] = row == UINT32_MAX ? (tide_scaled_row) { .row = s->scaled_rows[i - 1].row }
                                              : (tide_scaled_row) { .row = row, .scale = (float)s->scale[column] };
    }
    uint32_t bad = tide_fronts_factor(&s->fronts, s->kernel, matrix->value, s->scale, s->least, single, s->values);
    *bad_row = bad == UINT32_MAX ? bad : row_of(s, bad);
    s->factored = bad == UINT32_MAX && s->entries;
    s->factored_single = single;
    if (s->factored)
        memcpy(s->entries, matrix->value, (size_t)s->fronts.entry_start[p->supernodes.columns] * sizeof *s->entries);
    if (s->sides == 3 && s->fronts.work_bytes > TIDE_PANEL_WORK_KEPT)
        tide_fronts_free_room(&s->fronts);
    return true;
}

static void *slots_of(const tide_panel_solve *s, const tide_panel_task *task)
{
    return (char *)s->work + numbers_of(s) * task->first_slot * number_size(s);
}

static void go_forward(const job *j, const tide_panel_task *task)
{
    tide_panel_solve *s = j->solve;
    size_t slots = 4 + (size_t)task->end_touched - task->first_touched;
    s->sweeps->take(s->scaled_rows, task->first_position, task->end_position, j->scale, j->b, s->work);
    memset(slots_of(s, task), 0, numbers_of(s) * slots * number_size(s));
    if (task == &s->panels.tasks[task_count(s) - 1])
        for (const tide_panel_task *t = s->panels.tasks; t < task; t++)
            s->sweeps->add(s->panels.touched + t->first_touched, t->end_touched - t->first_touched, s->work,
                           t->first_slot + 4);
    s->sweeps->forward(&s->panels, task->first_panel, task->end_panel, s->values, s->work);
}

static void go_backward(const job *j, const tide_panel_task *task)
{
    tide_panel_solve *s = j->solve;
    s->sweeps->fetch(s->panels.touched + task->first_touched, task->end_touched - task->first_touched, s->work,
                     task->first_slot + 4);
    s->sweeps->backward(&s->panels, task->first_panel, task->end_panel, s->values, s->work);
    s->sweeps->give(s->scaled_rows, task->first_position, task->end_position, 1 / j->scale, s->work, j->x);
}

static void run_task(const job *j, uint32_t t, void (*sweep)(const job *, const tide_panel_task *))
{
    unsigned before = j->solve->single ? tide_flush_small_numbers() : 0;
    sweep(j, &j->solve->panels.tasks[t]);
    if (j->solve->single)
        tide_restore_small_numbers(before);
}

static void forward_tasks(void *context, uint32_t begin, uint32_t end)
{
    for (uint32_t t = begin; t < end; t++)
        run_task(context, t, go_forward);
}

static void backward_tasks(void *context, uint32_t begin, uint32_t end)
{
    for (uint32_t t = begin; t < end; t++)
        run_task(context, t, go_backward);
}

void tide_panel_solve_run(tide_panel_solve *solve, const double *b, double *x)
{
    job j = { .solve = solve, .b = b, .x = x, .scale = 1 };
    double most = solve->single ? solve->sweeps->largest(b, 3 * (size_t)solve->rows) : 0;
    if (most > 0 && isfinite(most)) {
        int exponent;
        frexp(most, &exponent);
        j.scale = ldexp(1, exponent < -1000 ? 1000 : -exponent);
    }
    uint32_t top = task_count(solve) - 1;
    // Both loops have the same length, so that each thread goes back over panels that its cache still holds.
    tide_parallel_for(top, 1, forward_tasks, &j);
    run_task(&j, top, go_forward);
    run_task(&j, top, go_backward);
    tide_parallel_for(top, 1, backward_tasks, &j);
}

tide_inverse_root *tide_panel_solve_root(tide_panel_solve *solve)
{
    tide_inverse_root *root = &solve->root;
    if (!solve->single || solve->sides != 3 ||
        (!root->place &&
         !tide_inverse_root_make(root, &solve->panels, solve->order, solve->row_of, solve->rows, solve->memory)))
        return NULL;
    root->panels = &solve->panels;
    root->scaled_rows = solve->scaled_rows;
    root->values = solve->values;
    root->sweeps = solve->sweeps;
    return root;
}
