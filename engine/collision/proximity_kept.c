// Candidates that are kept from search to search (Verlet 1967). The tree holds fat boxes: those of the items, larger by
// a slack on each side. A list for each item has the items whose fat boxes overlap its own, without pairs that never
// touch. While the boxes of all items are within their fat boxes, these lists have all candidates, and the trees are
// neither fitted nor queried. An item whose box has left its fat box gets a new one and is stale: its candidates are
// found by a query in each search, until all lists are made again. When too many items move, there are no lists, and
// the tree holds the boxes themselves.
#include "collision/proximity_state.h"

#include "base/bit_set.h"
#include "base/memory.h"
#include "base/parallel.h"

#define OF_RADIUS 0.5 // slack: part of the radius, or of the mean edge, whichever is more
#define OF_EDGE 0.08
#define FAST 0.5       // part of the slack: an item that moves farther in a step is stale from the start
enum { MANY = 4 };     // when more than items / MANY are stale, there are no lists, or they are made again
enum { EACH = 32 };    // items in a list, on average, for which there is room
enum { FEW_USES = 3 }; // searches that lists have to serve to be worth making
enum { PAUSE = 16 };   // searches without lists after some that were not
enum { MOVING = 4 };   // searches without lists after too many items moved
enum { BOXED = 1024 }; // items of one task
enum { KINDS = 3 };    // of items

static void create_list(tide_proximity *p, tide_kept_list *list, uint32_t count)
{
    list->starts = tide_own_array(p, (size_t)count + 1, sizeof *list->starts);
    list->near = tide_own_array(p, EACH * (size_t)count, sizeof *list->near);
    list->room = EACH * (size_t)count;
}

bool tide_proximity_create_kept(tide_proximity *p)
{
    const tide_contact_surface *s = p->surface;
    p->kept.slacks = tide_own_array(p, s->part_count, sizeof *p->kept.slacks);
    for (uint32_t i = 0; i < s->part_count && p->kept.slacks; i++) {
        const tide_contact_part *part = &s->parts[i];
        double edge = tide_contact_edges_at_rest(s, part) / fmax(part->edge_count, 1);
        p->kept.slacks[i] = fmax(OF_RADIUS * part->radius, OF_EDGE * edge);
    }
    create_list(p, &p->kept.triangles, p->meeting.count);
    create_list(p, &p->kept.edges, p->of[EDGES].count);
    p->kept.uses = FEW_USES;
    return tide_owns_all(p);
}

static items *items_of(tide_proximity *p, int kind)
{
    return kind == 0 ? &p->meeting : kind == 1 ? &p->of[TRIANGLES] : &p->of[EDGES];
}

static uint32_t count_of(const bool *set, uint32_t count)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum += set[i];
    return sum;
}

static double slack_of(const tide_proximity *p, const items *items, uint32_t i)
{
    return p->kept.slacks[p->surface->part_of[*tide_item_points(items, i)]];
}

static void fatten(const tide_proximity *p, items *items, uint32_t i)
{
    double *box = items->boxes + 6 * (size_t)i, slack = slack_of(p, items, i);
    tide_item_box(p, items, i, box);
    for (int k = 0; k < 3; k++) {
        box[k] -= slack;
        box[3 + k] += slack;
    }
}

typedef struct boxing {
    tide_proximity *p;
    items *items;
} boxing;

static void in_parallel(tide_proximity *p, items *items, void (*body)(void *context, uint32_t begin, uint32_t end))
{
    boxing b = { p, items };
    tide_parallel_for(items->count, BOXED, body, &b);
}

static void box_some(void *context, uint32_t begin, uint32_t end)
{
    const boxing *b = context;
    for (uint32_t i = begin; i < end; i++)
        tide_item_box(b->p, b->items, i, b->items->boxes + 6 * (size_t)i);
}

static void fatten_some(void *context, uint32_t begin, uint32_t end)
{
    const boxing *b = context;
    for (uint32_t i = begin; i < end; i++)
        fatten(b->p, b->items, i);
}

// --- what has left its fat box

static inline bool is_within(const double *box, const double *fat)
{
    return box[0] >= fat[0] && box[1] >= fat[1] && box[2] >= fat[2] && box[3] <= fat[3] && box[4] <= fat[4] &&
           box[5] <= fat[5];
}

static void look_at_some(void *context, uint32_t begin, uint32_t end)
{
    const boxing *b = context;
    for (uint32_t i = begin; i < end; i++) {
        double box[6];
        b->items->outside[i] = false;
        if (b->p->changed && !b->items->sought[i])
            continue;
        tide_item_box(b->p, b->items, i, box);
        b->items->outside[i] = !is_within(box, b->items->boxes + 6 * (size_t)i);
    }
}

// Gives new fat boxes to items outside theirs, which become stale. Sets which are.
static void renew(tide_proximity *p, items *items)
{
    in_parallel(p, items, look_at_some);
    for (uint32_t i = 0; (i = tide_next_set(items->outside, i, items->count)) < items->count; i++) {
        fatten(p, items, i);
        items->stale[i] = true;
    }
}

static bool are_many_stale(tide_proximity *p)
{
    bool many = false;
    for (int k = 0; k < KINDS; k++)
        many = many || count_of(items_of(p, k)->stale, items_of(p, k)->count) > items_of(p, k)->count / MANY;
    return many;
}

// Fits the trees to the new fat boxes.
static tide_status fit_renewed(tide_proximity *p, tide_error *error)
{
    for (int k = 0; k < KINDS; k++) {
        items *items = items_of(p, k);
        if (tide_next_set(items->outside, 0, items->count) < items->count)
            TIDE_TRY(tide_box_tree_fit(items->tree, items->count, items->boxes, items->outside, error));
    }
    return TIDE_OK;
}

// --- making lists

static bool is_fast(const tide_proximity *p, const items *items, uint32_t i)
{
    double most = FAST * slack_of(p, items, i), square = 0;
    const uint32_t *points = tide_item_points(items, i);
    for (uint32_t k = 0; k < items->of_each; k++) {
        const double *from = p->from + 3 * (size_t)points[k], *to = p->to + 3 * (size_t)points[k];
        tide_vec3 motion = tide_vec3_subtract(tide_vec3_load(to), tide_vec3_load(from));
        square = fmax(square, tide_vec3_dot(motion, motion));
    }
    return !(square <= most * most);
}

static void find_fast(void *context, uint32_t begin, uint32_t end)
{
    const boxing *b = context;
    for (uint32_t i = begin; i < end; i++)
        b->items->stale[i] = is_fast(b->p, b->items, i);
}

// Makes the lists of one kind. Returns false where they are too long.
static bool make_list(tide_proximity *p, tide_kept_list *list, tide_list_kind kind)
{
    size_t total = 0;
    const uint32_t *near;
    const double *none;
    uint32_t count = tide_proximity_begin_lists(p, kind, false);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t found = tide_proximity_take_list(p, i, &near, &none);
        list->starts[i] = (uint32_t)total;
        if (total + found > list->room || total + found > UINT32_MAX)
            return false;
        memcpy(list->near + total, near, found * sizeof *near);
        total += found;
    }
    list->starts[count] = (uint32_t)total;
    return true;
}

static tide_status fit_all(tide_proximity *p, tide_error *error)
{
    for (int k = 0; k < KINDS; k++) {
        items *items = items_of(p, k);
        in_parallel(p, items, p->kept.valid ? fatten_some : box_some);
        TIDE_TRY(tide_box_tree_fit(items->tree, items->count, items->boxes, NULL, error));
    }
    return TIDE_OK;
}

// Decides whether lists can be of use.
static bool may_keep(tide_proximity *p)
{
    if (p->kept.uses < FEW_USES)
        p->kept.pause = PAUSE;
    p->kept.uses = FEW_USES;
    if (p->kept.pause > 0) {
        p->kept.pause--;
        return false;
    }
    for (int k = 0; k < KINDS; k++)
        in_parallel(p, items_of(p, k), find_fast);
    bool may = !are_many_stale(p);
    p->kept.pause = may ? 0 : MOVING;
    return may;
}

// Makes lists, if they can be of use; else fits the trees to the boxes of items.
static tide_status begin_lists(tide_proximity *p, tide_error *error)
{
    p->kept.valid = may_keep(p);
    TIDE_TRY(fit_all(p, error));
    if (!p->kept.valid)
        return TIDE_OK;
    p->kept.uses = 0;
    p->kept.valid = make_list(p, &p->kept.triangles, TIDE_FAT_TRIANGLES) &&
                    make_list(p, &p->kept.edges, TIDE_FAT_EDGES) && !(p->work && p->work->exhausted);
    return p->kept.valid ? TIDE_OK : fit_all(p, error);
}

static tide_status fit_search(tide_proximity *p, tide_error *error)
{
    for (int k = 0; k < KINDS && p->kept.valid; k++)
        renew(p, items_of(p, k));
    bool known = p->kept.valid && !are_many_stale(p);
    TIDE_TRY(known ? fit_renewed(p, error) : begin_lists(p, error));
    p->kept.uses += known;
    p->counts.by_lists += known;
    p->kept.any_stale = false;
    for (int k = 0; k < KINDS && p->kept.valid; k++) {
        items *items = items_of(p, k);
        memcpy(items->sought, items->stale, items->count * sizeof *items->sought);
        p->kept.any_stale = p->kept.any_stale || tide_next_set(items->stale, 0, items->count) < items->count;
    }
    return TIDE_OK;
}

// --- updates

static void mark_sought(const tide_proximity *p, items *items)
{
    uint32_t points = p->surface->point_count;
    memset(items->sought, 0, items->count * sizeof *items->sought);
    for (uint32_t i = 0; (i = tide_next_set(p->changed, i, points)) < points; i++)
        for (uint32_t n = items->starts[i]; n < items->starts[i + 1]; n++)
            items->sought[items->at[n]] = true;
}

static tide_status fit_sought(tide_proximity *p, items *items, tide_error *error)
{
    for (uint32_t i = 0; (i = tide_next_set(items->sought, i, items->count)) < items->count; i++)
        tide_item_box(p, items, i, items->boxes + 6 * (size_t)i);
    return tide_box_tree_fit(items->tree, items->count, items->boxes, items->sought, error);
}

static tide_status fit_update(tide_proximity *p, tide_error *error)
{
    for (int k = 0; k < KINDS; k++) {
        items *items = items_of(p, k);
        mark_sought(p, items);
        if (p->kept.valid)
            renew(p, items);
        else
            TIDE_TRY(fit_sought(p, items, error));
    }
    return p->kept.valid ? fit_renewed(p, error) : TIDE_OK;
}

tide_status tide_proximity_fit(tide_proximity *p, tide_error *error)
{
    tide_status status = p->changed ? fit_update(p, error) : fit_search(p, error);
    if (status != TIDE_OK)
        p->kept.valid = false;
    return status;
}
