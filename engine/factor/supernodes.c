#include "factor/supernodes.h"

#include "base/memory.h"
#include "factor/factor_panels.h"

#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

enum {
    MOST_TASKS = 8,
    MOST_SPLITS = 60,
    MOST_CHILDREN_SEEN = 64, // children of a supernode that are considered for the next merge
    COST_WORTH_A_TASK = 50000
};

// Approximate clock cycles of both sweeps, fitted to measured solves: for a panel, for four columns, for a tile, for
// four rows in other supernodes, for four rows in the same one.
static const double panel_cost = 30, group_cost = 15, tile_cost = 8, row_cost = 20, inner_cost = 14;

typedef struct tree {
    uint32_t count;          // number of supernodes before merging
    uint32_t *of;            // (columns) supernode of each column
    uint32_t *width, *below; // columns, and rows below them; of a merged supernode: of the whole
    uint32_t *parent, *into; // `into`: the supernode that this one is merged into, or itself
    uint32_t *child, *next;  // lists of unmerged children
    uint32_t *task, *split;
    double *cost, *subtree; // of each supernode; of its whole subtree
} tree;

typedef struct subtree {
    double cost;
    uint32_t root;
} subtree;

static bool make_tree(tree *t, void *memory, uint32_t columns)
{
    uint32_t **arrays[] = {
        &t->of, &t->width, &t->below, &t->parent, &t->into, &t->child, &t->next, &t->task, &t->split
    };
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
        *arrays[i] = tide_own_array(memory, columns, sizeof **arrays[i]);
    t->cost = tide_own_array(memory, columns, sizeof *t->cost);
    t->subtree = tide_own_array(memory, columns, sizeof *t->subtree);
    return tide_owns_all(memory);
}

static double cost_of(uint32_t width, uint32_t below)
{
    enum { PANEL = TIDE_PANEL_COLUMNS / 4 };
    uint32_t groups = (width + 3) / 4, panels = (groups + PANEL - 1) / PANEL;
    double rows = (below + 3) / 4, g = groups, inner = 0;
    for (uint32_t k = PANEL; k < groups; k += PANEL)
        inner += groups - k;
    return panel_cost * panels + group_cost * g + tile_cost * (g * (g + 1) / 2 + g * rows) + row_cost * panels * rows +
           inner_cost * inner;
}

// Finds fundamental supernodes: chains of columns, each with the rows of the one before, without that one's diagonal.
static void find_fundamental(tree *t, const tide_factor_view *l)
{
    t->count = 0;
    for (uint32_t j = 0; j < l->columns; j++) {
        uint32_t below = (uint32_t)l->length[j] - 1;
        bool goes_on = j > 0 && l->length[j - 1] == l->length[j] + 1 && (uint32_t)l->row[l->start[j - 1] + 1] == j;
        uint32_t s = goes_on ? t->count - 1 : t->count++;
        t->width[s] = goes_on ? t->width[s] + 1 : 1;
        t->below[s] = below;
        t->of[j] = s;
        t->parent[s] = j; // its last column for now
    }
    for (uint32_t s = 0; s < t->count; s++) {
        uint32_t last = t->parent[s];
        t->parent[s] = l->length[last] > 1 ? t->of[l->row[l->start[last] + 1]] : NONE;
        t->into[s] = s;
        t->child[s] = t->next[s] = NONE;
    }
}

// Takes out of *list the child whose merge with s saves most. Returns NONE when no merge saves anything.
static uint32_t take_best_child(tree *t, uint32_t s, uint32_t *list)
{
    uint32_t *best = NULL, *link = list;
    double least = 0;
    for (int seen = 0; *link != NONE && seen < MOST_CHILDREN_SEEN; link = &t->next[*link], seen++) {
        uint32_t c = *link;
        double change = cost_of(t->width[s] + t->width[c], t->below[s]) - t->cost[s] - t->cost[c];
        if (change < least) {
            least = change;
            best = link;
        }
    }
    if (!best)
        return NONE;
    uint32_t child = *best;
    *best = t->next[child];
    return child;
}

// Merges children into s. The rows of a child are columns or rows of its parent, so the merged supernode has the
// parent's rows.
static void merge_children(tree *t, uint32_t s)
{
    uint32_t list = t->child[s], c;
    t->cost[s] = cost_of(t->width[s], t->below[s]);
    while ((c = take_best_child(t, s, &list)) != NONE) {
        t->width[s] += t->width[c];
        t->cost[s] = cost_of(t->width[s], t->below[s]);
        t->into[c] = s;
        for (uint32_t g = t->child[c], next; g != NONE; g = next) {
            next = t->next[g];
            t->next[g] = list;
            list = g;
        }
    }
    t->child[s] = list;
    t->subtree[s] = t->cost[s];
    for (c = list; c != NONE; c = t->next[c])
        t->subtree[s] += t->subtree[c];
}

static void amalgamate(tree *t)
{
    for (uint32_t s = 0; s < t->count; s++) { // children come before their parents
        merge_children(t, s);
        uint32_t parent = t->parent[s];
        if (parent != NONE) {
            t->next[s] = t->child[parent];
            t->child[parent] = s;
        }
    }
    for (uint32_t s = t->count; s-- > 0;)
        t->into[s] = t->into[t->into[s]];
    for (uint32_t s = 0; s < t->count; s++)
        if (t->parent[s] != NONE)
            t->parent[s] = t->into[t->parent[s]];
}

static bool is_whole(const tree *t, uint32_t s)
{
    return t->into[s] == s;
}

// Repeatedly splits the largest subtree: its root goes to the top, and its children become subtrees. Stores the splits
// in t->split and returns how many of them minimise the sum of the finishing times of 2 and of 8 threads. `open`
// (count) is workspace.
static uint32_t choose_splits(tree *t, subtree *open)
{
    uint32_t count = 0, best_splits = 0, splits = 0;
    double top = 0, sum = 0, best = 0;
    for (uint32_t s = 0; s < t->count; s++)
        if (is_whole(t, s) && t->parent[s] == NONE) {
            open[count++] = (subtree) { t->subtree[s], s };
            sum += t->subtree[s];
        }
    for (; count && splits < MOST_SPLITS; splits++) {
        uint32_t at = 0;
        for (uint32_t i = 1; i < count; i++)
            if (open[i].cost > open[at].cost)
                at = i;
        uint32_t s = open[at].root;
        double largest = open[at].cost, halves = sum / 2, eighths = sum / 8;
        double time = 2 * top + (halves > largest ? halves : largest) + (eighths > largest ? eighths : largest);
        if (splits == 0 || time < best) {
            best = time;
            best_splits = splits;
        }
        t->split[splits] = s;
        top += t->cost[s];
        sum -= t->cost[s];
        open[at] = open[--count];
        for (uint32_t c = t->child[s]; c != NONE; c = t->next[c])
            open[count++] = (subtree) { t->subtree[c], c };
    }
    return best_splits;
}

static int compare_subtrees(const void *a, const void *b)
{
    const subtree *one = a, *other = b;
    if (one->cost != other->cost)
        return one->cost > other->cost ? -1 : 1;
    return one->root < other->root ? -1 : one->root > other->root;
}

// Gives each subtree below the top, largest first, to the task with the least work so far.
static void share_out(tree *t, subtree *open, uint32_t tasks)
{
    double load[MOST_TASKS] = { 0 };
    uint32_t count = 0;
    for (uint32_t s = 0; s < t->count; s++)
        if (is_whole(t, s) && t->task[s] != tasks && (t->parent[s] == NONE || t->task[t->parent[s]] == tasks))
            open[count++] = (subtree) { t->subtree[s], s };
    qsort(open, count, sizeof *open, compare_subtrees);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t least = 0;
        for (uint32_t k = 1; k < tasks; k++)
            if (load[k] < load[least])
                least = k;
        load[least] += open[i].cost;
        t->task[open[i].root] = least;
    }
    for (uint32_t s = t->count; s-- > 0;)
        if (is_whole(t, s) && t->task[s] == NONE)
            t->task[s] = t->task[t->parent[s]];
}

// Sets the task of every supernode. Returns the number of tasks without the top, which is the last one.
static uint32_t cut_tree(tree *t, double cost, subtree *open)
{
    double worth = cost / COST_WORTH_A_TASK;
    uint32_t tasks = worth < 2 ? 0 : worth > MOST_TASKS ? MOST_TASKS : (uint32_t)worth;
    for (uint32_t s = 0; s < t->count; s++)
        t->task[s] = tasks ? NONE : 0;
    if (tasks) {
        for (uint32_t splits = choose_splits(t, open); splits-- > 0;)
            t->task[t->split[splits]] = tasks;
        share_out(t, open, tasks);
    }
    return tasks;
}

static bool list_members(const tree *t, void *memory, tide_supernodes *s)
{
    TIDE_SCOPED uint32_t *index = tide_allocate_array(t->count, sizeof *index);
    s->member_start = tide_own_zeroed(memory, (size_t)t->count + 1, sizeof *s->member_start);
    s->member = tide_own_array(memory, s->columns, sizeof *s->member);
    s->task = tide_own_array(memory, t->count, sizeof *s->task);
    bool made = index && tide_owns_all(memory);
    if (made) {
        for (uint32_t task = 0; task < s->task_count; task++)
            for (uint32_t k = 0; k < t->count; k++)
                if (is_whole(t, k) && t->task[k] == task) {
                    s->task[s->count] = task;
                    index[k] = s->count++;
                    s->member_start[s->count] = t->width[k];
                }
        for (uint32_t k = 0; k < s->count; k++)
            s->member_start[k + 1] += s->member_start[k];
        for (uint32_t j = s->columns; j-- > 0;) { // fills each list from its end, which moves its end to its start
            uint32_t k = index[t->into[t->of[j]]];
            s->member[--s->member_start[k + 1]] = j;
        }
        memmove(s->member_start, s->member_start + 1, s->count * sizeof *s->member_start);
        s->member_start[s->count] = s->columns;
    }
    return made;
}

bool tide_supernodes_find(const tide_factor_view *factor, void *memory, tide_supernodes *supernodes)
{
    TIDE_SCOPED void *workspace = tide_allocate(0);
    tree t = { 0 };
    *supernodes = (tide_supernodes) { .columns = factor->columns };
    subtree *open = tide_own_array(workspace, factor->columns, sizeof *open);
    bool found = make_tree(&t, workspace, factor->columns);
    if (found) {
        find_fundamental(&t, factor);
        amalgamate(&t);
        for (uint32_t s = 0; s < t.count; s++)
            supernodes->cost += is_whole(&t, s) ? t.cost[s] : 0;
        supernodes->task_count = cut_tree(&t, supernodes->cost, open) + 1;
        found = list_members(&t, memory, supernodes);
    }
    return found;
}
