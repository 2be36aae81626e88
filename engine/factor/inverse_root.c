#include "factor/inverse_root.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "factor/small_numbers.h"

#include <string.h>

// --- paths to the root ----------------------------------------------------------------------------------------------

// Returns the first position to which a panel adds.
static uint32_t first_row(const tide_panels *panels, const tide_panel_task *task, const tide_panel *p)
{
    if (p->inner > 0)
        return p->first + 4 * p->groups;
    uint32_t first = TIDE_NO_POSITION;
    for (uint32_t i = 0; i < p->full + 4 * p->blocks; i++) {
        uint32_t position = tide_panel_position(panels, task, panels->rows[p->rows + i]);
        first = position < first ? position : first;
    }
    return first;
}

static void find_paths(tide_inverse_root *r)
{
    const tide_panels *panels = r->panels;
    for (uint32_t i = 0; i < panels->panel_count; i++)
        for (uint32_t g = 0; g < panels->panels[i].groups; g++)
            r->panel_of[panels->panels[i].first / 4 + g] = i;
    for (uint32_t t = panels->supernodes.task_count; t-- > 0;) {
        const tide_panel_task *task = &panels->tasks[t];
        for (uint32_t i = task->end_panel; i-- > task->first_panel;) {
            uint32_t row = first_row(panels, task, &panels->panels[i]);
            r->above[i] = row == TIDE_NO_POSITION ? TIDE_ROOT_END : r->panel_of[row / 4];
            r->depth[i] = 4 * panels->panels[i].groups + (row == TIDE_NO_POSITION ? 0 : r->depth[r->above[i]]);
            r->most = r->depth[i] > r->most ? r->depth[i] : r->most;
        }
    }
}

void tide_inverse_root_place(tide_inverse_root *root, const int32_t *order, const uint32_t *row_of, uint32_t rows)
{
    for (uint32_t k = 0; k < root->panels->supernodes.columns; k++) {
        uint32_t row = row_of ? row_of[order[k]] : (uint32_t)order[k];
        if (row < rows)
            root->place[row] = root->panels->position[k];
    }
}

bool tide_inverse_root_make(tide_inverse_root *root, const tide_panels *panels, const int32_t *order,
                            const uint32_t *row_of, uint32_t rows, void *owner)
{
    uint32_t columns = panels->supernodes.columns;
    void *memory = tide_own(owner, tide_allocate(0));
    *root = (tide_inverse_root) { .panels = panels, .memory = memory };
    root->panel_of = tide_own_array(memory, panels->positions / 4, sizeof *root->panel_of);
    root->above = tide_own_array(memory, panels->panel_count, sizeof *root->above);
    root->depth = tide_own_array(memory, panels->panel_count, sizeof *root->depth);
    root->place = tide_own_array(memory, columns, sizeof *root->place);
    if (!tide_owns_all(memory)) {
        tide_free(memory);
        *root = (tide_inverse_root) { 0 };
        return false;
    }
    tide_inverse_root_place(root, order, row_of, rows);
    find_paths(root);
    return true;
}

uint32_t tide_inverse_root_panel(const tide_inverse_root *root, uint32_t row)
{
    return root->panel_of[root->place[row] / 4];
}

uint32_t tide_inverse_root_shared(const tide_inverse_root *root, uint32_t a, uint32_t b)
{
    while (a != b && a != TIDE_ROOT_END && b != TIDE_ROOT_END)
        if (a < b)
            a = root->above[a];
        else
            b = root->above[b];
    return a == b && a != TIDE_ROOT_END ? root->depth[a] : 0;
}

void tide_inverse_root_products(const tide_inverse_root *root, const float *const columns[4], const uint32_t panels[4],
                                const float *const others[4], const uint32_t other_panels[4], float products[4][4])
{
    uint32_t lengths[4][4];
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            bool above = i > 0 && panels[i] == panels[i - 1], before = j > 0 && other_panels[j] == other_panels[j - 1];
            lengths[i][j] = above    ? lengths[i - 1][j]
                            : before ? lengths[i][j - 1]
                                     : tide_inverse_root_shared(root, panels[i], other_panels[j]);
        }
    root->sweeps->multiply_columns((const void *const *)columns, (const void *const *)others, lengths, products);
}

// --- columns --------------------------------------------------------------------------------------------------------

typedef struct job {
    tide_inverse_root *root;
    const uint32_t *rows;
    float *const *columns;
    uint32_t count, sweeps;
} job;

// A sweep of up to MANY columns reads each panel once; a sweep of up to FEW is much faster for each panel.
enum { MANY = TIDE_SWEEPS_MANY, FEW = 3, MOST_BY_FEW = 6 };

static uint32_t piece_count(uint32_t count)
{
    uint32_t rest = count % MANY;
    return count / MANY + (rest > MOST_BY_FEW ? 1 : (rest + FEW - 1) / FEW);
}

static uint32_t piece_begin(uint32_t count, uint32_t piece)
{
    uint32_t whole = count / MANY, begin = MANY * whole;
    if (piece <= whole)
        return MANY * piece;
    begin += count % MANY > MOST_BY_FEW ? MANY : FEW * (piece - whole);
    return begin < count ? begin : count;
}

static uint32_t leaf_of(const job *j, uint32_t i)
{
    return tide_inverse_root_panel(j->root, j->rows[i]);
}

// Marks the panels on the paths of the columns and writes the columns' first numbers. Returns the first panel.
static uint32_t begin_sweep(const job *j, tide_root_sweep *s, uint32_t sides, uint32_t begin, uint32_t end)
{
    const tide_inverse_root *r = j->root;
    uint32_t first = TIDE_ROOT_END;
    for (uint32_t i = begin; i < end; i++) {
        uint32_t at = r->place[j->rows[i]], panel = leaf_of(j, i);
        s->work[(size_t)sides * at + i - begin] = r->scaled_rows[at].scale;
        first = panel < first ? panel : first;
        for (; panel != TIDE_ROOT_END && !s->passed[panel]; panel = r->above[panel])
            s->passed[panel] = true;
    }
    return first;
}

static void end_sweep(const job *j, tide_root_sweep *s, uint32_t sides, uint32_t begin, uint32_t end)
{
    const tide_inverse_root *r = j->root;
    const tide_panel *panels = r->panels->panels;
    for (uint32_t i = begin; i < end; i++)
        for (uint32_t p = leaf_of(j, i); p != TIDE_ROOT_END; p = r->above[p]) {
            uint32_t numbers = 4 * panels[p].groups;
            const float *from = s->work + (size_t)sides * panels[p].first + i - begin;
            for (uint32_t k = 0; k < numbers; k++)
                j->columns[i][r->depth[p] - numbers + k] = from[(size_t)sides * k];
        }
    for (uint32_t i = begin; i < end; i++)
        for (uint32_t p = leaf_of(j, i); p != TIDE_ROOT_END && s->passed[p]; p = r->above[p]) {
            memset(s->work + (size_t)sides * panels[p].first, 0, (size_t)sides * 4 * panels[p].groups * sizeof(float));
            s->passed[p] = false;
        }
}

static void sweep_many(const job *j, tide_root_sweep *s, uint32_t begin, uint32_t end)
{
    const tide_inverse_root *r = j->root;
    const tide_panel_task *task = r->panels->tasks;
    for (uint32_t p = begin_sweep(j, s, MANY, begin, end); p < r->panels->panel_count; p++) {
        while (p >= task->end_panel)
            task++;
        if (s->passed[p])
            r->sweeps->forward_many(r->panels, task, p, r->values, s->work);
    }
    end_sweep(j, s, MANY, begin, end);
}

static void sweep_few(const job *j, tide_root_sweep *s, uint32_t begin, uint32_t end)
{
    const tide_inverse_root *r = j->root;
    const tide_panels *panels = r->panels;
    uint32_t p = begin_sweep(j, s, 4, begin, end);
    for (const tide_panel_task *task = panels->tasks; task < panels->tasks + panels->supernodes.task_count; task++) {
        uint32_t touched = task->end_touched - task->first_touched;
        bool any = false;
        for (; p < task->end_panel; p++)
            if (s->passed[p]) {
                r->sweeps->forward(panels, p, p + 1, r->values, s->work);
                any = true;
            }
        if (!any)
            continue;
        r->sweeps->add(panels->touched + task->first_touched, touched, s->work, task->first_slot + 4);
        memset(s->work + 4 * (size_t)task->first_slot, 0, 4 * (4 + (size_t)touched) * sizeof(float));
    }
    end_sweep(j, s, 4, begin, end);
}

static void run_sweeps(void *context, uint32_t begin, uint32_t end)
{
    const job *j = context;
    unsigned before = tide_flush_small_numbers();
    uint32_t pieces = piece_count(j->count);
    for (uint32_t which = begin; which < end; which++)
        for (uint32_t piece = which; piece < pieces; piece += j->sweeps) {
            uint32_t first = piece_begin(j->count, piece), last = piece_begin(j->count, piece + 1);
            last = last < j->count ? last : j->count;
            if (last - first > FEW)
                sweep_many(j, &j->root->sweeps_at_once[which], first, last);
            else
                sweep_few(j, &j->root->sweeps_at_once[which], first, last);
        }
    tide_restore_small_numbers(before);
}

static bool has_room(tide_inverse_root *root, tide_root_sweep *s)
{
    size_t many = (size_t)MANY * root->panels->positions,
           few = 4 * ((size_t)root->panels->positions + root->panels->slots);
    if (!s->work)
        s->work = tide_own_zeroed(root->memory, many > few ? many : few, sizeof *s->work);
    if (!s->passed)
        s->passed = tide_own_zeroed(root->memory, root->panels->panel_count, sizeof *s->passed);
    return s->work && s->passed;
}

bool tide_inverse_root_columns(tide_inverse_root *root, const uint32_t *rows, uint32_t count, float *const *columns)
{
    uint32_t sweeps = piece_count(count);
    sweeps = sweeps < TIDE_ROOT_SWEEPS ? sweeps : TIDE_ROOT_SWEEPS;
    for (uint32_t i = 0; i < sweeps; i++)
        if (!has_room(root, &root->sweeps_at_once[i]))
            return false;
    job j = { .root = root, .rows = rows, .columns = columns, .count = count, .sweeps = sweeps };
    tide_parallel_for(sweeps, 1, run_sweeps, &j);
    return true;
}
