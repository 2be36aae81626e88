// Finds features that may meet on their way, by trees of their moving boxes.
#include "contact/continuous_state.h"

#include "base/memory.h"
#include "base/vec3.h"

#include <string.h>

enum { MOST_PARTS = 64 }; // with more parts, features are not compared with the box of each part

static bool create_features(void *owner, features *f, uint32_t count, uint32_t size, const uint32_t *points)
{
    *f = (features) { .size = size, .points = points, .count = count };
    f->parts = tide_own_array(owner, count, sizeof *f->parts);
    f->all = tide_own_array(owner, count, sizeof *f->all);
    f->near = tide_own_array(owner, count, sizeof *f->near);
    f->base_items = tide_own_array(owner, count, sizeof *f->base_items);
    f->later_items = tide_own_array(owner, count, sizeof *f->later_items);
    f->stale = tide_own_zeroed(owner, count, sizeof *f->stale);
    f->now = tide_own_zeroed(owner, count, sizeof *f->now);
    f->base_boxes = tide_own_array(owner, 6 * (size_t)count, sizeof *f->base_boxes);
    f->later_boxes = tide_own_array(owner, 6 * (size_t)count, sizeof *f->later_boxes);
    return tide_box_tree_create(owner, count, &f->base, NULL) == TIDE_OK &&
           tide_box_tree_create(owner, count, &f->later, NULL) == TIDE_OK && tide_owns_all(owner);
}

static void add_all(features *f, uint32_t part, uint32_t first, uint32_t count, bool active, const bool *used)
{
    for (uint32_t i = first; i < first + count; i++) {
        f->parts[i] = part;
        if (active && (!used || used[i]))
            f->all[f->all_count++] = i;
    }
}

// Chooses the features that may touch anything. In a part with triangles, only points of triangles count.
static bool choose_features(tide_continuous *c)
{
    const tide_contact_surface *s = c->surface;
    TIDE_SCOPED bool *used = tide_allocate_zeroed(s->point_count, sizeof *used);
    if (!used)
        return false;
    for (size_t i = 0; i < 3 * (size_t)s->triangle_count; i++)
        used[s->triangles[i]] = true;
    for (uint32_t i = 0; i < s->part_count; i++) {
        const tide_contact_part *part = &s->parts[i];
        bool active = tide_contact_touches_from(s, i, 0);
        c->any_fixed = c->any_fixed || (active && part->fixed);
        add_all(&c->of[POINTS], i, part->first_point, part->point_count, active,
                part->triangle_count > 0 ? used : NULL);
        add_all(&c->of[TRIANGLES], i, part->first_triangle, part->triangle_count, active, NULL);
        add_all(&c->of[EDGES], i, part->first_edge, part->edge_count, active, NULL);
    }
    return true;
}

bool tide_continuous_create_features(tide_continuous *c)
{
    const tide_contact_surface *s = c->surface;
    return create_features(c, &c->of[POINTS], s->point_count, 1, NULL) &&
           create_features(c, &c->of[TRIANGLES], s->triangle_count, 3, s->triangles) &&
           create_features(c, &c->of[EDGES], s->edge_count, 2, s->edges) && choose_features(c);
}

// --- boxes

static void box_point(const tide_continuous *c, uint32_t i, const double *from, const double *to)
{
    double *box = c->boxes + 6 * (size_t)i;
    for (size_t k = 0; k < 3; k++) {
        double a = from[3 * (size_t)i + k], b = to[3 * (size_t)i + k] - c->mean[k];
        box[k] = (a < b ? a : b) - c->slack;
        box[3 + k] = (a < b ? b : a) + c->slack;
    }
}

static tide_status build_later(tide_continuous *c, features *f, tide_error *error)
{
    for (uint32_t i = 0; i < f->later_count; i++)
        tide_continuous_box(c, f, f->later_items[i], f->later_boxes + 6 * (size_t)i);
    return tide_box_tree_fit(f->later, f->later_count, f->later_boxes, NULL, error);
}

static void find_mean(tide_continuous *c, const double *from, const double *to)
{
    double start[3];
    tide_contact_mean(c->surface, from, start);
    tide_contact_mean(c->surface, to, c->mean);
    for (int k = 0; k < 3; k++)
        c->mean[k] -= start[k];
}

static const double empty[6] = { HUGE_VAL, HUGE_VAL, HUGE_VAL, -HUGE_VAL, -HUGE_VAL, -HUGE_VAL };

static void box_parts(tide_continuous *c)
{
    for (uint32_t i = 0; i < c->surface->part_count; i++) {
        const tide_contact_part *part = &c->surface->parts[i];
        double *box = c->part_boxes + 6 * (size_t)i;
        memcpy(box, empty, sizeof empty);
        for (uint32_t p = part->first_point; p < part->first_point + part->point_count; p++)
            tide_box_join(box, c->boxes + 6 * (size_t)p);
    }
}

bool tide_continuous_meets_part(const tide_continuous *c, uint32_t part, const double box[6])
{
    const tide_contact_surface *s = c->surface;
    if (s->part_count > MOST_PARTS || tide_contact_may_touch(s, part, part))
        return true;
    for (uint32_t i = 0; i < s->part_count; i++)
        if (tide_contact_may_touch(s, part, i) && tide_boxes_overlap(box, c->part_boxes + 6 * (size_t)i))
            return true;
    return false;
}

// Returns whether the boxes of one kind of feature cover those of all other features of the part.
static bool covers(const tide_contact_part *part, int kind)
{
    return kind == TRIANGLES || part->triangle_count == 0;
}

static void mark_vicinity(tide_continuous *c)
{
    const tide_contact_surface *s = c->surface;
    double bounds[6], box[6];
    memcpy(bounds, empty, sizeof bounds);
    for (uint32_t i = 0; i < s->part_count; i++)
        if (!s->parts[i].fixed && tide_contact_touches_from(s, i, 0))
            tide_box_join(bounds, c->part_boxes + 6 * (size_t)i);
    tide_vicinity_begin(&c->vicinity, bounds);
    for (int kind = 0; kind < FEATURES; kind++) {
        const features *f = &c->of[kind];
        for (uint32_t n = 0; n < f->all_count; n++) {
            const tide_contact_part *part = &s->parts[f->parts[f->all[n]]];
            if (part->fixed || !covers(part, kind))
                continue;
            tide_continuous_box(c, f, f->all[n], box);
            tide_vicinity_mark(&c->vicinity, box);
        }
    }
}

// Chooses the features of one kind, without those of fixed parts that are far from everything that moves.
static void choose_near(tide_continuous *c, features *f)
{
    const tide_contact_surface *s = c->surface;
    uint32_t part = UINT32_MAX;
    bool fixed = false, far = false;
    double box[6];
    f->near_count = 0;
    for (uint32_t n = 0; n < f->all_count; n++) {
        uint32_t item = f->all[n];
        if (f->parts[item] != part) {
            part = f->parts[item];
            fixed = s->parts[part].fixed;
            far = fixed && !tide_vicinity_meets(&c->vicinity, c->part_boxes + 6 * (size_t)part);
        }
        if (fixed && !far)
            tide_continuous_box(c, f, item, box);
        if (!fixed || (!far && tide_vicinity_meets(&c->vicinity, box)))
            f->near[f->near_count++] = item;
    }
}

// Chooses the features for the tree `later`: the loose ones where pairs are known, else all near ones.
static void choose_later(const tide_continuous *c, features *f)
{
    f->later_count = 0;
    if (c->by_pairs && c->loose_count == 0)
        return;
    for (uint32_t n = 0; n < f->near_count; n++)
        if (!c->by_pairs || tide_continuous_is_loose(c, f, f->near[n]))
            f->later_items[f->later_count++] = f->near[n];
}

// --- rounds

static double longest_edge(const tide_contact_surface *s, const double *x)
{
    double longest = 0;
    for (uint32_t i = 0; i < s->edge_count; i++) {
        const double *a = x + 3 * (size_t)s->edges[2 * i], *b = x + 3 * (size_t)s->edges[2 * i + 1];
        tide_vec3 d = tide_vec3_subtract(tide_vec3_load(b), tide_vec3_load(a));
        double square = tide_vec3_dot(d, d);
        longest = square > longest ? square : longest;
    }
    return sqrt(longest);
}

tide_status tide_continuous_begin_search(tide_continuous *c, const double *from, const double *to, tide_error *error)
{
    const tide_contact_surface *s = c->surface;
    c->slack = 1e-6 * longest_edge(s, from);
    c->fresh = true;
    find_mean(c, from, to);
    for (uint32_t i = 0; i < s->point_count; i++)
        box_point(c, i, from, to);
    box_parts(c);
    if (c->any_fixed)
        mark_vicinity(c);
    for (int k = 0; k < FEATURES; k++) {
        features *f = &c->of[k];
        memset(f->stale, 0, f->count * sizeof *f->stale);
        memset(f->now, 0, f->count * sizeof *f->now);
        f->base_count = 0;
        choose_near(c, f);
        if (k == POINTS)
            c->by_pairs = tide_continuous_begin_pairs(c, to);
        choose_later(c, f);
        TIDE_TRY(tide_box_tree_fit(f->base, 0, f->base_boxes, NULL, error));
        TIDE_TRY(build_later(c, f, error));
    }
    return TIDE_OK;
}

// Makes `later` the base after the first round.
static void exchange(features *f)
{
    tide_box_tree *tree = f->base;
    uint32_t *items = f->base_items;
    double *boxes = f->base_boxes;
    f->base = f->later;
    f->base_items = f->later_items;
    f->base_boxes = f->later_boxes;
    f->base_count = f->later_count;
    f->later = tree;
    f->later_items = items;
    f->later_boxes = boxes;
    f->later_count = 0;
}

// Returns whether a point of the feature has moved in the last round.
static bool has_moved(const tide_continuous *c, const features *f, uint32_t item)
{
    const uint32_t *points = tide_continuous_points(f, &item);
    bool moved = false;
    for (uint32_t i = 0; i < f->size; i++)
        moved = moved || c->moved[points[i]];
    return moved;
}

// Marks the features of one kind that have moved. Returns whether all of them are still in the vicinity.
static bool mark_moved(tide_continuous *c, int kind)
{
    features *f = &c->of[kind];
    bool held = true;
    double box[6];
    for (uint32_t n = 0; n < f->near_count; n++) {
        uint32_t item = f->near[n];
        f->now[item] = has_moved(c, f, item);
        const tide_contact_part *part = &c->surface->parts[f->parts[item]];
        if (f->now[item] && c->any_fixed && held && !part->fixed && covers(part, kind)) {
            tide_continuous_box(c, f, item, box);
            held = tide_vicinity_holds(&c->vicinity, box);
        }
    }
    return held;
}

// Adds the features that have moved to those of the tree `later`.
static void add_moved(features *f)
{
    for (uint32_t n = 0; n < f->near_count; n++) {
        uint32_t item = f->near[n];
        if (!f->now[item] || f->stale[item])
            continue;
        f->stale[item] = true;
        f->later_items[f->later_count++] = item;
    }
}

tide_status tide_continuous_continue_search(tide_continuous *c, const double *from, const double *to, bool *first,
                                            tide_error *error)
{
    const tide_contact_surface *s = c->surface;
    for (uint32_t i = 0; i < s->point_count; i++)
        if (c->moved[i])
            box_point(c, i, from, to);
    tide_status status = TIDE_OK;
    *first = c->by_pairs && !tide_continuous_continue_pairs(c, to);
    for (int k = 0; k < FEATURES && status == TIDE_OK && !*first; k++) {
        features *f = &c->of[k];
        if (c->fresh && !c->by_pairs)
            exchange(f);
        *first = !mark_moved(c, k);
        if (c->by_pairs)
            choose_later(c, f);
        else
            add_moved(f);
        if (!*first)
            status = build_later(c, f, error);
    }
    memset(c->moved, 0, s->point_count * sizeof *c->moved);
    c->fresh = false;
    return *first ? tide_continuous_begin_search(c, from, to, error) : status;
}

uint32_t tide_continuous_query(const features *f, tide_box_finger *base, tide_box_finger *later, const double box[6],
                               uint32_t first, uint32_t room, uint32_t *found)
{
    uint32_t count = tide_box_tree_query_from(f->base, base, box, 0, room, found), kept = 0;
    if (count == TIDE_BOX_TREE_FULL)
        return count;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t item = f->base_items[found[i]];
        if (!f->stale[item])
            found[kept++] = item;
    }
    count = tide_box_tree_query_from(f->later, later, box, first, room - kept, found + kept);
    if (count == TIDE_BOX_TREE_FULL)
        return count;
    for (uint32_t i = 0; i < count; i++)
        found[kept + i] = f->later_items[found[kept + i]];
    return kept + count;
}
