// The layout of fronts, the choice of the update matrices that are kept, and the marking of fronts that are due.
#include "factor/front_sizes.h"

#include "base/memory.h"

#include <assert.h>
#include <string.h>

#define NONE UINT32_MAX

enum { PACKED_ROWS = TIDE_FRONT_PACKED_ROWS, SMALL = 64 }; // a small subtree takes at most 1 / SMALL of all operations

// --- the layout -----------------------------------------------------------------------------------------------------

static bool make_arrays(tide_fronts *f, const tide_factor_view *l)
{
    const tide_supernodes *s = &f->panels->supernodes;
    f->row_start = tide_own_zeroed(f->memory, (size_t)s->count + 1, sizeof *f->row_start);
    if (!f->row_start)
        return false;
    for (uint32_t k = 0; k < s->count; k++)
        f->row_start[k + 1] = f->row_start[k] + (size_t)l->length[s->member[s->member_start[k + 1] - 1]] - 1;
    f->rows = tide_own_array(f->memory, f->row_start[s->count], sizeof *f->rows);
    f->child = tide_own_array(f->memory, s->count, sizeof *f->child);
    f->next = tide_own_array(f->memory, s->count, sizeof *f->next);
    f->update = tide_own_zeroed(f->memory, s->count, sizeof *f->update);
    f->whole = tide_own_array(f->memory, s->count, sizeof *f->whole);
    f->kept = tide_own_zeroed(f->memory, s->count, sizeof *f->kept);
    f->due = tide_own_zeroed(f->memory, s->count, sizeof *f->due);
    f->tasks = tide_own_zeroed(f->memory, s->task_count, sizeof *f->tasks);
    return tide_owns_all(f->memory);
}

// Replaces the rows of A's entries by indices into the front's block.
static void place_entries(tide_fronts *f, const tide_panel_task *task, uint32_t supernode)
{
    const tide_panels *p = f->panels;
    const tide_supernodes *s = &p->supernodes;
    uint32_t stride = tide_front_stride(p, supernode), first = tide_front_position(p, supernode);
    tide_front_set_local(f, supernode);
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

// Chooses the place of the front's update matrix: on the stack of its task, of which *top is in use, or among those
// that are kept. Its children have been laid out.
static void lay_work(tide_fronts *f, tide_front_task *task, uint32_t supernode, size_t *top)
{
    size_t own = tide_update_size(f, supernode), below = tide_update_stride(f, supernode), base = *top;
    size_t width = tide_front_width(f->panels, supernode), stride = tide_front_stride(f->panels, supernode);
    for (uint32_t c = f->child[supernode]; c != NONE; c = f->next[c])
        if (c >= task->first && !f->kept[c])
            base -= tide_update_size(f, c);
    bool kept = f->kept[supernode];
    size_t stack = *top + (kept ? 0 : own), block = (width + below + TIDE_DENSE_ROWS) * stride;
    size_t columns = tide_round_up((uint32_t)(below > TIDE_DENSE_BLOCK ? below : TIDE_DENSE_BLOCK), 16);
    size_t pack = columns * (width < PACKED_ROWS ? width : PACKED_ROWS),
           places = width + below + 1; // two numbers for each row
    pack = pack > places ? pack : places;
    task->stack_size = stack > task->stack_size ? stack : task->stack_size;
    task->block_size = block > task->block_size ? block : task->block_size;
    task->pack_size = pack > task->pack_size ? pack : task->pack_size;
    f->update[supernode] = kept ? task->kept_size : base;
    task->kept_size += kept ? own : 0;
    *top = base + (kept ? 0 : own);
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

static bool find_children(tide_fronts *f)
{
    const tide_panels *p = f->panels;
    const tide_supernodes *s = &p->supernodes;
    TIDE_SCOPED uint32_t *owner = tide_allocate_array(p->positions, sizeof *owner);
    if (!owner)
        return false;
    for (uint32_t k = 0; k < s->count; k++) {
        f->child[k] = f->next[k] = NONE;
        for (uint32_t i = 0; i < tide_front_width(p, k); i++)
            owner[tide_front_position(p, k) + i] = k;
    }
    for (uint32_t k = s->count; k-- > 0;)
        if (tide_front_height(f, k)) {
            uint32_t parent = owner[tide_position_of(p, &p->tasks[s->task[k]], f->rows[f->row_start[k]])];
            f->next[k] = f->child[parent];
            f->child[parent] = k;
        }
    return true;
}

static double operations_of(const tide_fronts *f, uint32_t supernode)
{
    double width = tide_front_width(f->panels, supernode), height = width + tide_front_height(f, supernode);
    return width * height * height;
}

// Finds the small subtrees, each within one task. Keeps the update matrices of their roots and of all supernodes
// outside of them. `cost` (supernodes) is workspace.
static void choose_kept(tide_fronts *f, double *cost)
{
    const tide_supernodes *s = &f->panels->supernodes;
    f->operations = 0;
    for (uint32_t k = 0; k < s->count; k++) {
        cost[k] = operations_of(f, k);
        f->operations += cost[k];
        for (uint32_t c = f->child[k]; c != NONE; c = f->next[c])
            cost[k] += cost[c];
        f->whole[k] = k;
    }
    for (uint32_t k = 0; k < s->count; k++)
        f->kept[k] = true;
    for (uint32_t k = s->count; k-- > 0;)
        for (uint32_t c = f->child[k]; c != NONE; c = f->next[c])
            if (cost[k] <= f->operations / SMALL && s->task[c] == s->task[k]) {
                f->whole[c] = f->whole[k];
                f->kept[c] = false;
            }
}

static void lay_all_work(tide_fronts *f)
{
    f->work_bytes = 0;
    for (uint32_t t = 0; t < f->panels->supernodes.task_count; t++) {
        tide_front_task *task = &f->tasks[t];
        size_t top = 0;
        *task = (tide_front_task) { .first = task->first, .end = task->end };
        for (uint32_t k = task->first; k < task->end; k++)
            lay_work(f, task, k, &top);
        f->work_bytes += (task->stack_size + task->kept_size + task->block_size + task->pack_size) * sizeof(double);
    }
}

// Finds the supernode of each of A's values. Returns false when there is no memory.
static bool find_entries(tide_fronts *f)
{
    const tide_supernodes *s = &f->panels->supernodes;
    f->entry_front = tide_own_array(f->memory, (size_t)f->entry_start[s->columns], sizeof *f->entry_front);
    for (uint32_t k = 0; f->entry_front && k < s->count; k++)
        for (uint32_t m = s->member_start[k]; m < s->member_start[k + 1]; m++)
            for (int32_t e = f->entry_start[s->member[m]]; e < f->entry_start[s->member[m] + 1]; e++)
                f->entry_front[f->entry_source[e]] = k;
    return f->entry_front;
}

// Decides whether update matrices are kept, and lays out the workspace. Returns false when there is no memory.
static bool choose_work(tide_fronts *f, bool keeps)
{
    uint32_t count = f->panels->supernodes.count;
    TIDE_SCOPED double *cost = tide_allocate_array(count, sizeof *cost);
    if (!cost)
        return false;
    choose_kept(f, cost);
    lay_all_work(f);
    f->keeps = keeps && f->work_bytes <= TIDE_PANEL_WORK_KEPT;
    if (!f->keeps) {
        memset(f->kept, 0, count * sizeof *f->kept);
        lay_all_work(f);
    }
    return !f->keeps || find_entries(f);
}

bool tide_fronts_make(tide_fronts *fronts, const tide_panels *panels, tide_factor_pattern *pattern, void *memory,
                      bool keeps)
{
    tide_fronts *f = fronts;
    *f = (tide_fronts) { .panels = panels,
                         .memory = memory,
                         .entry_start = tide_own(memory, pattern->entry_start),
                         .entry_at = tide_own(memory, pattern->entry_row),
                         .entry_source = tide_own(memory, pattern->entry_source) };
    if (!make_arrays(f, &pattern->view))
        return false;
    lay_tasks(f, &pattern->view);
    return find_children(f) && choose_work(f, keeps);
}

bool tide_fronts_make_room(tide_fronts *fronts)
{
    bool made = true;
    for (uint32_t t = 0; t < fronts->panels->supernodes.task_count; t++) {
        tide_front_task *task = &fronts->tasks[t];
        if (!task->stack)
            task->stack = tide_own_array(fronts->memory, task->stack_size, sizeof *task->stack);
        if (!task->kept)
            task->kept = tide_own_array(fronts->memory, task->kept_size, sizeof *task->kept);
        if (!task->block)
            task->block = tide_own_array(fronts->memory, task->block_size, sizeof *task->block);
        if (!task->pack)
            task->pack = tide_own_array(fronts->memory, task->pack_size, sizeof *task->pack);
        made = made && task->stack && task->kept && task->block && task->pack;
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
        tide_free(task->kept);
        tide_free(task->block);
        tide_free(task->pack);
        task->stack = task->kept = task->block = task->pack = NULL;
    }
}

// --- fronts that are due ---------------------------------------------------------------------------------------------

static bool has_rescaled_row(const tide_fronts *f, uint32_t supernode, const bool *rescaled)
{
    const tide_panels *p = f->panels;
    const tide_panel_task *task = &p->tasks[p->supernodes.task[supernode]];
    for (size_t i = f->row_start[supernode]; i < f->row_start[supernode + 1]; i++)
        if (rescaled[p->column[tide_position_of(p, task, f->rows[i])]])
            return true;
    return false;
}

double tide_fronts_mark(tide_fronts *fronts, const double *before, const double *after, const bool *rescaled)
{
    const tide_fronts *f = fronts;
    const tide_supernodes *s = &f->panels->supernodes;
    int32_t entries = f->entry_start[s->columns];
    bool any = memchr(rescaled, true, s->columns);
    double operations = 0;
    memset(f->due, 0, s->count * sizeof *f->due);
    for (int32_t e = 0; e < entries; e++)
        if (before[e] != after[e])
            f->due[f->whole[f->entry_front[e]]] = true;
    for (uint32_t k = 0; any && k < s->count; k++)
        if (has_rescaled_row(f, k, rescaled))
            f->due[f->whole[k]] = true;
    for (uint32_t k = 0; k < s->count; k++) {
        f->due[k] = f->due[k] || f->due[f->whole[k]];
        for (uint32_t c = f->child[k]; c != NONE; c = f->next[c])
            f->due[k] = f->due[k] || f->due[c];
        operations += f->due[k] ? operations_of(f, k) : 0;
    }
    return operations;
}

double tide_fronts_mark_all(tide_fronts *fronts)
{
    memset(fronts->due, true, fronts->panels->supernodes.count * sizeof *fronts->due);
    return fronts->operations;
}
