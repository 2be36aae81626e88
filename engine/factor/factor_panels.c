#include "factor/factor_panels.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#define IDLE UINT32_MAX

// State of the layout of one task.
typedef struct layout {
    const tide_factor_view *factor;
    tide_panels *panels;
    const tide_panel_task *task;
    uint32_t *list; // (columns) workspace
    uint32_t touched_count;
} layout;

static int compare_numbers(const void *a, const void *b)
{
    uint32_t one = *(const uint32_t *)a, other = *(const uint32_t *)b;
    return one < other ? -1 : one > other;
}

static void sort(uint32_t *list, size_t count)
{
    qsort(list, count, sizeof *list, compare_numbers);
}

static uint32_t last_member(const tide_supernodes *s, uint32_t supernode)
{
    return s->member[s->member_start[supernode + 1] - 1];
}

static uint32_t round_up(uint32_t number)
{
    return (number + 3) / 4 * 4;
}

// Returns where the task has this row of L in the work vector: its position or its slot.
static uint32_t place_of(const tide_panels *p, const tide_panel_task *task, int32_t row)
{
    uint32_t position = p->position[row];
    return position < task->end_position ? position : p->slot[position];
}

static bool make_arrays(void *memory, tide_panels *p, const tide_factor_view *l)
{
    const tide_supernodes *s = &p->supernodes;
    size_t rows = 0, panels = 0, touched = 0;
    for (uint32_t k = 0; k < s->count; k++) {
        uint32_t width = s->member_start[k + 1] - s->member_start[k];
        size_t below = (size_t)l->length[last_member(s, k)] - 1;
        panels += (width + TIDE_PANEL_COLUMNS - 1) / TIDE_PANEL_COLUMNS;
        rows += below + 4;
        touched += s->task[k] + 1 < s->task_count ? below : 0;
    }
    size_t most = (size_t)s->columns * (s->task_count - 1);
    size_t positions = s->columns + 3 * (size_t)s->count;
    p->position = tide_own_array(memory, s->columns, sizeof *p->position);
    p->column = tide_own_array(memory, positions, sizeof *p->column);
    p->first_panel = tide_own_array(memory, (size_t)s->count + 1, sizeof *p->first_panel);
    p->panels = tide_own_array(memory, panels, sizeof *p->panels);
    p->rows = tide_own_array(memory, rows, sizeof *p->rows);
    p->tasks = tide_own_zeroed(memory, s->task_count, sizeof *p->tasks);
    p->touched = tide_own_array(memory, touched < most ? touched : most, sizeof *p->touched);
    p->slot = tide_own_array(memory, positions, sizeof *p->slot);
    return tide_owns_all(memory);
}

static void set_positions(tide_panels *p)
{
    const tide_supernodes *s = &p->supernodes;
    for (uint32_t k = 0; k < s->count; k++) {
        tide_panel_task *task = &p->tasks[s->task[k]];
        if (k == 0 || s->task[k] != s->task[k - 1])
            task->first_position = p->positions;
        for (uint32_t m = s->member_start[k]; m < s->member_start[k + 1]; m++) {
            p->position[s->member[m]] = p->positions;
            p->column[p->positions++] = s->member[m];
        }
        while (p->positions % 4)
            p->column[p->positions++] = IDLE;
        task->end_position = p->positions;
    }
}

// Gives a slot to each row of the top that the task's supernodes [begin, end) touch.
static void set_slots(tide_panels *p, const tide_factor_view *l, tide_panel_task *task, uint32_t begin, uint32_t end)
{
    uint32_t first = task->first_touched, count = 0;
    for (uint32_t i = 0; i < p->positions; i++)
        p->slot[i] = IDLE;
    for (uint32_t k = begin; k < end; k++) {
        int32_t column = (int32_t)last_member(&p->supernodes, k);
        for (int32_t e = l->start[column] + 1; e < l->start[column] + l->length[column]; e++) {
            uint32_t position = p->position[l->row[e]];
            if (position >= task->end_position && p->slot[position] == IDLE) {
                p->slot[position] = 0;
                p->touched[first + count++] = position;
            }
        }
    }
    sort(p->touched + first, count);
    task->first_slot = p->positions + p->slots;
    task->end_touched = first + count;
    for (uint32_t i = 0; i < count; i++)
        p->slot[p->touched[first + i]] = task->first_slot + 4 + i;
    p->slots += 4 + round_up(count);
}

// Returns true if the group can be read as four consecutive rows. Its idle positions need not be listed: L is 0 there.
static bool is_full(const tide_panels *p, uint32_t group, uint32_t listed)
{
    uint32_t members = 0;
    for (uint32_t i = group; i < group + 4; i++)
        members += i >= p->positions || p->column[i] != IDLE;
    return listed == members && listed > 2;
}

// Stores the rows below a supernode. Returns the number of full groups and stores that of the others in *blocks.
static uint32_t list_rows(layout *y, int32_t column, uint32_t *blocks)
{
    tide_panels *p = y->panels;
    const tide_factor_view *l = y->factor;
    uint32_t count = 0, full = 0, rest = 0;
    for (int32_t e = l->start[column] + 1; e < l->start[column] + l->length[column]; e++)
        y->list[count++] = place_of(p, y->task, l->row[e]);
    sort(y->list, count);
    for (uint32_t i = 0, end; i < count; i = end) {
        uint32_t group = y->list[i] / 4 * 4;
        for (end = i; end < count && y->list[end] < group + 4; end++)
            continue;
        if (is_full(p, group, end - i)) {
            p->rows[p->row_count++] = group;
            full++;
        } else
            while (i < end)
                y->list[rest++] = y->list[i++];
    }
    for (uint32_t i = 0; i < round_up(rest); i++)
        p->rows[p->row_count++] = i < rest ? y->list[i] : y->task->first_slot; // first_slot is an idle slot
    *blocks = round_up(rest) / 4;
    return full;
}

static void lay_supernode(layout *y, uint32_t supernode)
{
    enum { PANEL = TIDE_PANEL_COLUMNS / 4 };
    tide_panels *p = y->panels;
    const tide_supernodes *s = &p->supernodes;
    size_t rows = p->row_count;
    uint32_t blocks, full = list_rows(y, (int32_t)last_member(s, supernode), &blocks);
    uint32_t first = p->position[s->member[s->member_start[supernode]]];
    uint32_t groups = round_up(s->member_start[supernode + 1] - s->member_start[supernode]) / 4;
    p->first_panel[supernode] = p->panel_count;
    for (uint32_t done = 0, wide; done < groups; done += wide) {
        wide = groups - done < PANEL ? groups - done : PANEL;
        tide_panel *panel = &p->panels[p->panel_count++];
        *panel = (tide_panel) { .first = first + 4 * done,
                                .groups = wide,
                                .inner = groups - done - wide,
                                .full = full,
                                .blocks = blocks,
                                .rows = rows,
                                .values = p->value_count };
        p->value_count += tide_panel_values(panel);
    }
}

static void lay_tasks(layout *y)
{
    tide_panels *p = y->panels;
    const tide_supernodes *s = &p->supernodes;
    for (uint32_t t = 0, k = 0; t < s->task_count; t++) {
        tide_panel_task *task = &p->tasks[t];
        uint32_t end = k;
        while (end < s->count && s->task[end] == t)
            end++;
        task->first_panel = p->panel_count;
        task->first_touched = y->touched_count;
        set_slots(p, y->factor, task, k, end);
        y->touched_count = task->end_touched;
        y->task = task;
        for (; k < end; k++)
            lay_supernode(y, k);
        task->end_panel = p->panel_count;
    }
    p->first_panel[s->count] = p->panel_count;
}

bool tide_panels_make(const tide_factor_view *factor, void *memory, tide_panels *panels)
{
    *panels = (tide_panels) { 0 };
    TIDE_SCOPED uint32_t *list = tide_allocate_array(factor->columns, sizeof *list);
    layout y = { .factor = factor, .panels = panels, .list = list };
    bool made =
        list && tide_supernodes_find(factor, memory, &panels->supernodes) && make_arrays(memory, panels, factor);
    if (made) {
        set_positions(panels);
        lay_tasks(&y);
        panels->local = tide_own_array(memory, (size_t)panels->positions + panels->slots, sizeof *panels->local);
        made = panels->local;
    }
    return made;
}
