// The search for pairs in a step.
#include "collision/proximity_state.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/vec3.h"
#include "collision/closest_points.h"

#include <string.h>

#define SHALLOW 0.5    // relative to the distance: depth up to which a ridge is pushed out
#define SMALL 0.2      // relative to the least radius: a smaller mean motion counts as none
enum { TAKEN = 4096 }; // pairs of points of one task

static inline double reach_of(const tide_proximity *p, uint32_t point)
{
    return p->surface->parts[p->surface->part_of[point]].radius + p->skins[point];
}

// Computes the mean motion of all points. The search uses a frame that moves with it: only relative motion matters. A
// mean motion below SMALL counts as none. The boxes are then valid for another start, too.
static void find_drift(tide_proximity *p)
{
    const tide_contact_surface *s = p->surface;
    double start[3], square = 0, least = HUGE_VAL;
    tide_contact_mean(s, p->from, start);
    tide_contact_mean(s, p->to, p->drift);
    for (int k = 0; k < 3; k++) {
        p->drift[k] -= start[k];
        square += p->drift[k] * p->drift[k];
    }
    for (uint32_t i = 0; i < s->part_count; i++)
        least = fmin(least, s->parts[i].radius);
    if (square < SMALL * SMALL * least * least)
        memset(p->drift, 0, sizeof p->drift);
}

static void box_point(tide_proximity *p, uint32_t i)
{
    const double *from = p->from + 3 * (size_t)i, *to = p->to + 3 * (size_t)i;
    double *box = p->boxes + 6 * (size_t)i, reach = reach_of(p, i);
    for (int k = 0; k < 3; k++) {
        double a = from[k], b = to[k] - p->drift[k];
        box[k] = (a < b ? a : b) - reach;
        box[3 + k] = (a < b ? b : a) + reach;
    }
}

static void box_points(tide_proximity *p)
{
    for (uint32_t n = 0; n < p->used_count; n++)
        box_point(p, p->used[n]);
}

// Boxes the points that have changed, and marks their parts.
static void box_changed_points(tide_proximity *p)
{
    const tide_contact_surface *s = p->surface;
    memset(p->parts_changed, 0, s->part_count * sizeof *p->parts_changed);
    for (uint32_t i = 0; (i = tide_next_set(p->changed, i, s->point_count)) < s->point_count; i++) {
        p->parts_changed[s->part_of[i]] = true;
        if (p->uses_point[i])
            box_point(p, i);
    }
}

static void find_edge_normals(tide_proximity *p)
{
    const tide_contact_surface *s = p->surface;
    for (uint32_t i = 0; i < p->sided_count; i++)
        for (int k = 0; k < 3; k++) {
            uint32_t side = p->sides[3 * (size_t)p->sided[i] + (size_t)k];
            if (side < s->edge_count)
                memset(p->edge_normals + 3 * (size_t)side, 0, 3 * sizeof(double));
        }
    for (uint32_t i = 0; i < p->sided_count; i++) {
        const uint32_t *corners = s->triangles + 3 * (size_t)p->sided[i], *sides = p->sides + 3 * (size_t)p->sided[i];
        tide_vec3 a = tide_vec3_load(p->from + 3 * (size_t)corners[0]);
        tide_vec3 u = tide_vec3_subtract(tide_vec3_load(p->from + 3 * (size_t)corners[1]), a);
        tide_vec3 v = tide_vec3_subtract(tide_vec3_load(p->from + 3 * (size_t)corners[2]), a);
        tide_vec3 n = tide_vec3_normalize(tide_vec3_cross(u, v));
        for (int k = 0; k < 3; k++) {
            if (sides[k] == s->edge_count)
                continue;
            double *sum = p->edge_normals + 3 * (size_t)sides[k];
            tide_vec3_store(sum, tide_vec3_add(tide_vec3_load(sum), n));
        }
    }
}

// --- pairs

static inline const double *start_of(const tide_proximity *p, uint32_t point)
{
    return p->from + 3 * (size_t)point;
}

// Tells whether the sides may touch while they are within the skins of their ends, with the clearance if it is known.
static bool comes_near(const tide_proximity *p, const tide_contact_pair *pair, const double *known, double *clearance)
{
    if (!known)
        return tide_proximity_comes_near(p, pair, clearance);
    *clearance = *known;
    return tide_proximity_is_near(p, pair, *known);
}

// Returns whether both sides belong to one part and are so close at rest that they never touch. Kept lists have no such
// pairs.
static bool never_touches(const tide_proximity *p, const tide_contact_pair *pair, uint32_t first, uint32_t second)
{
    bool edges = pair->kind == TIDE_PAIR_EDGES;
    bool stale = edges ? p->of[EDGES].stale[p->edge_at[first]] || p->of[EDGES].stale[p->edge_at[second]]
                       : p->meeting.stale[p->point_at[first]] || p->of[TRIANGLES].stale[p->triangle_at[second]];
    bool listed = p->kept.valid && !p->changed && !stale;
    return !listed && tide_proximity_is_near_at_rest(p, pair->kind, first, second, pair->points);
}

// Adds a pair. Returns false without memory, without work left, or with too many pairs.
static bool keep(tide_proximity *p, const tide_contact_pair *pair, uint64_t key, double clearance)
{
    if (p->work && p->work->most_pairs > 0 && p->pair_count >= p->work->most_pairs) {
        tide_contact_work_crowd(p->work);
        return false;
    }
    if (!tide_contact_work_spend(p->work, TIDE_WORK_PAIR) ||
        !tide_grow_owned(p, &p->pairs, &p->pair_capacity, p->pair_count + 1, sizeof *p->pairs))
        return false;
    p->pairs[p->pair_count++] = (tide_near_pair) { .key = key,
                                                   .clearance = clearance,
                                                   .before = TIDE_NO_PAIR,
                                                   .kind = (uint8_t)pair->kind,
                                                   .reversed = pair->reversed,
                                                   .inside = pair->inside };
    return true;
}

static tide_contact_pair whole(const tide_proximity *p, const tide_near_pair *near)
{
    tide_contact_pair pair =
        tide_proximity_pair_of(p, (tide_pair_kind)near->kind, (uint32_t)(near->key >> 32), (uint32_t)near->key);
    pair.reversed = near->reversed;
    pair.inside = near->inside;
    return pair;
}

tide_contact_pair tide_proximity_pair(const tide_proximity *p, uint32_t index)
{
    return whole(p, &p->pairs[index]);
}

// Tells whether the point of a pair is behind its triangle at the start, and whether the triangle has an area.
static bool is_behind(const tide_contact_pair *pair, bool *has_area)
{
    tide_vec3 at[4];
    for (int k = 0; k < 4; k++)
        at[k] = tide_vec3_load(pair->from + 3 * (size_t)pair->points[k]);
    tide_vec3 n = tide_vec3_cross(tide_vec3_subtract(at[2], at[1]), tide_vec3_subtract(at[3], at[1]));
    *has_area = tide_vec3_dot(n, n) > 0;
    return tide_vec3_dot(n, tide_vec3_subtract(at[0], at[1])) < 0;
}

static bool add_triangle(tide_proximity *p, uint32_t i, uint32_t triangle, const double *known)
{
    const tide_contact_surface *s = p->surface;
    const tide_contact_part *a = &s->parts[s->part_of[i]], *b = &s->parts[p->triangle_parts[triangle]];
    tide_contact_pair pair = tide_proximity_pair_of(p, TIDE_PAIR_TRIANGLE, i, triangle);
    if (tide_contact_any_tangled(s, pair.points, 1))
        return true;
    // For a solid part, the pairs near at the start tell whether the point is inside, wherever it ends.
    double clearance;
    bool near = comes_near(p, &pair, known, &clearance);
    if ((!near && !(b->solid && tide_proximity_start(&pair) <= pair.distance)) || never_touches(p, &pair, i, triangle))
        return true;
    if (!near)
        clearance = HUGE_VAL;
    bool has_area, behind = is_behind(&pair, &has_area);
    pair.inside = behind && b->solid;
    pair.reversed = behind && !b->solid;
    p->incomplete = p->incomplete || !has_area;
    // A point of a solid is always behind triangles of its own part.
    if (!has_area || (pair.inside && a == b))
        return true;
    return keep(p, &pair, (uint64_t)i << 32 | triangle, pair.inside ? -HUGE_VAL : clearance);
}

// Returns the signed distance at the start of the point from the plane of the pair's triangle.
static double height_at_start(const tide_proximity *p, tide_contact_pair *pair)
{
    tide_proximity_side(pair);
    tide_vec3 d =
        tide_vec3_subtract(tide_vec3_load(start_of(p, pair->points[0])), tide_vec3_load(start_of(p, pair->points[1])));
    return tide_vec3_dot(d, tide_vec3_load(pair->side));
}

static double start_between(const tide_proximity *p, const tide_near_pair *near)
{
    tide_contact_pair pair = whole(p, near);
    return tide_proximity_start(&pair);
}

// A point behind triangles of a solid part is inside it if it is behind the nearest one; it is pushed out there.
// Otherwise these triangles belong to other sides of the part. If several are equally near (about an edge or a corner),
// the one with the greatest height above or below its plane decides.
static uint32_t keep_nearest_inside(tide_proximity *p, tide_near_pair *pairs, uint32_t count)
{
    double nearest = HUGE_VAL, highest = -1;
    bool any_inside = false, within = false;
    for (uint32_t i = 0; i < count; i++)
        any_inside = any_inside || pairs[i].inside;
    for (uint32_t i = 0; i < count && any_inside; i++)
        nearest = fmin(nearest, start_between(p, &pairs[i]));
    double tie = nearest * (1 + 1e-9) + 1e-300;
    for (uint32_t i = 0; i < count && any_inside; i++) {
        tide_contact_pair pair = whole(p, &pairs[i]);
        double height = fabs(height_at_start(p, &pair));
        if (height > highest && start_between(p, &pairs[i]) <= tie) {
            highest = height;
            within = pair.inside;
        }
    }
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        bool drop = pairs[i].inside;
        if (drop && within) {
            double start = start_between(p, &pairs[i]);
            drop = start > tie || start > whole(p, &pairs[i]).distance;
        }
        if (!drop && pairs[i].clearance < HUGE_VAL)
            pairs[kept++] = pairs[i];
    }
    return kept;
}

// Applies keep_nearest_inside to the pairs of one point from `begin` on, part by part; they are in the order of their
// triangles.
static void settle_inside(tide_proximity *p, size_t begin)
{
    const tide_contact_surface *s = p->surface;
    size_t kept = begin, end = begin;
    for (size_t i = begin; i < p->pair_count; i = end) {
        uint32_t part = p->triangle_parts[(uint32_t)p->pairs[i].key];
        for (end = i; end < p->pair_count && p->triangle_parts[(uint32_t)p->pairs[end].key] == part; end++)
            ;
        uint32_t count = (uint32_t)(end - i);
        if (s->parts[part].solid)
            count = keep_nearest_inside(p, p->pairs + i, count);
        memmove(p->pairs + kept, p->pairs + i, count * sizeof *p->pairs);
        kept += count;
    }
    p->pair_count = kept;
}

// Tells whether the difference d of the closest points (from the second edge to the first) points into a solid part.
static bool leads_inside(const tide_proximity *p, uint32_t i, uint32_t k, tide_vec3 d)
{
    const tide_contact_surface *s = p->surface;
    if (s->parts[p->edge_parts[k]].solid && tide_vec3_dot(d, tide_vec3_load(p->edge_normals + 3 * (size_t)k)) < 0)
        return true;
    return s->parts[p->edge_parts[i]].solid && tide_vec3_dot(d, tide_vec3_load(p->edge_normals + 3 * (size_t)i)) > 0;
}

// Like comes_near, but edges of solid parts that are slightly inside at the start count wherever they end; their
// clearance is then unknown.
static bool near_or_inside(const tide_proximity *p, const tide_contact_pair *pair, bool solid, const double *known,
                           double *clearance)
{
    if (comes_near(p, pair, known, clearance))
        return true;
    *clearance = HUGE_VAL;
    return solid && tide_proximity_start(pair) <= SHALLOW * pair->distance;
}

// Tells whether the first edge is under the second one at the start.
static bool is_under(const tide_edges_apart *start)
{
    return tide_vec3_dot(start->cross, start->apart) < 0;
}

static bool add_edges(tide_proximity *p, uint32_t i, uint32_t k, const double *known)
{
    const tide_contact_surface *s = p->surface;
    const tide_contact_part *a = &s->parts[p->edge_parts[i]], *b = &s->parts[p->edge_parts[k]];
    tide_contact_pair pair = tide_proximity_pair_of(p, TIDE_PAIR_EDGES, i, k);
    bool solid = a->solid || b->solid;
    double clearance;
    if (tide_contact_any_tangled(s, pair.points, 2) || !near_or_inside(p, &pair, solid, known, &clearance) ||
        never_touches(p, &pair, i, k))
        return true;
    tide_edges_apart start = tide_proximity_edges_apart(&pair);
    pair.reversed = is_under(&start);
    double square;
    bool between;
    if (solid && leads_inside(p, i, k, tide_proximity_edges_closest(&pair, &start, &square, &between)) && between) {
        // Either the other side of something thin, or a ridge that has come through. Only the latter is shallow.
        if (a == b || square > SHALLOW * SHALLOW * pair.distance * pair.distance)
            return true;
        pair.inside = true;
        pair.reversed = !pair.reversed;
        clearance = -HUGE_VAL;
    }
    return clearance == HUGE_VAL || keep(p, &pair, (uint64_t)i << 32 | k, clearance);
}

// --- search

// Makes room for the first `count` pairs, which are of points. Returns false as `keep` does.
static bool make_room(tide_proximity *p, uint32_t count)
{
    if (p->work && p->work->most_pairs > 0 && count > p->work->most_pairs) {
        tide_contact_work_crowd(p->work);
        return false;
    }
    return tide_contact_work_spend(p->work, TIDE_WORK_PAIR * (uint64_t)count) &&
           tide_grow_owned(p, &p->pairs, &p->pair_capacity, count, sizeof *p->pairs);
}

// Returns the number of earlier pairs of points with lesser keys. Pairs of points come first.
static uint32_t find_earlier(const tide_proximity *p, uint64_t key)
{
    uint32_t low = 0, high = (uint32_t)p->earlier_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (p->earlier[middle].kind == TIDE_PAIR_POINTS && p->earlier[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// Takes some of the pairs of points found. Their search keeps no candidates, so that `before` of known pairs is set
// here.
static void take_points(void *context, uint32_t begin, uint32_t end)
{
    tide_proximity *p = context;
    uint32_t count, earlier = (uint32_t)p->earlier_at;
    const tide_near_points *found = tide_point_pairs_found(p->points, &count);
    uint32_t e = p->changed ? find_earlier(p, (uint64_t)found[begin].first << 32 | found[begin].second) : 0;
    for (uint32_t n = begin; n < end; n++) {
        uint32_t i = found[n].first, j = found[n].second;
        uint64_t key = (uint64_t)i << 32 | j;
        while (e < earlier && p->earlier[e].key < key)
            e++;
        bool known = e < earlier && p->earlier[e].key == key;
        bool same = known && !p->changed[i] && !p->changed[j];
        p->pairs[n] = (tide_near_pair) { .key = key,
                                         .clearance = same ? p->earlier[e].clearance : found[n].clearance,
                                         .before = known ? e : TIDE_NO_PAIR,
                                         .kind = TIDE_PAIR_POINTS };
    }
}

static tide_status find_points(tide_proximity *p, tide_error *error)
{
    uint32_t count;
    tide_status status = p->changed ? tide_point_pairs_update(p->points, p->from, p->to, p->skins, p->changed, error)
                                    : tide_point_pairs_find(p->points, p->from, p->to, p->skins, p->drift, error);
    tide_point_pairs_found(p->points, &count);
    double start = tide_clock_seconds();
    p->counts.candidates += count;
    p->earlier_at = p->changed ? find_earlier(p, UINT64_MAX) : 0;
    if (status != TIDE_OK || count == 0)
        return status;
    if (!make_room(p, count))
        return tide_fail_memory(error, "contact pairs");
    tide_parallel_for(count, TAKEN, take_points, p);
    p->pair_count = count;
    p->counts.narrow_seconds += tide_clock_seconds() - start;
    return TIDE_OK;
}

// How the items of one kind of pair are searched.
typedef struct kind {
    tide_pair_kind kind;
    const items *items, *others;
    const uint32_t *item_at, *other_at; // index in `items`, `others` of each feature
    tide_list_kind near, kept;          // lists by the tree, and by kept candidates
    bool (*link)(tide_proximity *p);
    bool (*add)(tide_proximity *p, uint32_t feature, uint32_t other, const double *clearance); // NULL: not known
    bool all; // the pairs of an item must be found together
} kind;

// Begins and ends the narrow phase of the n-th item, with `count` candidates. A sample is as short as some reads of the
// clock, so that the time of one is taken off.
static double begin_narrow(tide_proximity *p, uint32_t n, uint32_t count)
{
    p->counts.candidates += count;
    if (count == 0 || n % TIDE_SAMPLED > 0)
        return 0;
    double before = tide_clock_seconds(), start = tide_clock_seconds();
    return start + (start - before);
}

static void end_narrow(tide_proximity *p, double start)
{
    if (start > 0)
        p->sampled_seconds += tide_clock_seconds() - start;
}

// Finds the pairs of the n-th item with the features of a list. `clearances` may be NULL.
static bool find_all(tide_proximity *p, const kind *k, uint32_t n, const uint32_t *near, const double *clearances,
                     uint32_t count)
{
    uint32_t feature = k->items->features[n];
    double start = begin_narrow(p, n, count);
    size_t begin = p->pair_count;
    for (uint32_t i = 0; i < count; i++)
        if (!k->add(p, feature, near[i], clearances ? clearances + i : NULL))
            return false;
    if (k->all)
        settle_inside(p, begin);
    end_narrow(p, start);
    return true;
}

static bool is_earlier(const tide_proximity *p, size_t e, const kind *k, uint32_t feature)
{
    return e < p->earlier_count && p->earlier[e].kind == k->kind && p->earlier[e].key >> 32 == feature;
}

static bool has_changed(const tide_proximity *p, size_t e, const kind *k, uint32_t n)
{
    return k->items->sought[n] || k->others->sought[k->other_at[(uint32_t)p->earlier[e].key]];
}

// The caller makes room.
static void keep_earlier(tide_proximity *p, size_t e)
{
    p->pairs[p->pair_count] = p->earlier[e];
    p->pairs[p->pair_count++].before = (uint32_t)e;
}

// Keeps the pairs of item n from before the update. Where a side has changed, a pair is kept only if it is among the
// `count` features in p->found that are still near.
static bool find_changed(tide_proximity *p, const kind *k, uint32_t n, uint32_t count)
{
    uint32_t feature = k->items->features[n], i = 0;
    double start = begin_narrow(p, n, count);
    size_t *e = &p->earlier_at;
    if (!tide_grow_owned(p, &p->pairs, &p->pair_capacity, p->pair_count + (p->earlier_count - *e) + count,
                         sizeof *p->pairs))
        return false;
    for (bool known = is_earlier(p, *e, k, feature); known || i < count; known = is_earlier(p, *e, k, feature)) {
        uint32_t other = known ? (uint32_t)p->earlier[*e].key : UINT32_MAX;
        if (i == count || (known && other < p->found[i])) {
            if (!has_changed(p, *e, k, n))
                keep_earlier(p, *e);
            ++*e;
            continue;
        }
        size_t before = p->pair_count;
        bool same = known && other == p->found[i];
        if (!k->add(p, feature, p->found[i++], NULL))
            return false;
        if (same && p->pair_count > before)
            p->pairs[before].before = (uint32_t)*e;
        *e += same;
    }
    end_narrow(p, start);
    return true;
}

// Like find_changed, for kinds whose items need all their pairs (kind.all).
static bool find_all_again(tide_proximity *p, const kind *k, uint32_t n, uint32_t count)
{
    uint32_t feature = k->items->features[n];
    bool changed = count > 0;
    for (size_t e = p->earlier_at; is_earlier(p, e, k, feature) && !changed; e++)
        changed = has_changed(p, e, k, n);
    if (!changed)
        return find_changed(p, k, n, 0);
    size_t at = p->pair_count;
    if (!find_all(p, k, n, p->found, NULL, tide_proximity_find_list(p, k->near, n)))
        return false;
    for (size_t *e = &p->earlier_at; is_earlier(p, *e, k, feature); ++*e) {
        while (at < p->pair_count && p->pairs[at].key < p->earlier[*e].key)
            at++;
        if (at < p->pair_count && p->pairs[at].key == p->earlier[*e].key)
            p->pairs[at].before = (uint32_t)*e;
    }
    return true;
}

// Finds the pairs of all items.
static bool find_kind_anew(tide_proximity *p, const kind *k)
{
    const uint32_t *near;
    const double *clearances;
    bool room = !p->kept.any_stale || k->link(p);
    uint32_t lists = tide_proximity_begin_lists(p, p->kept.valid ? k->kept : k->near, false);
    for (uint32_t n = 0; n < lists && room; n++) {
        uint32_t count = tide_proximity_take_list(p, n, &near, &clearances);
        room = !(p->work && p->work->exhausted) && find_all(p, k, n, near, clearances, count);
    }
    if (p->kept.any_stale)
        tide_proximity_clear_links(p, k->items->count);
    return room;
}

// In an update: returns the first item from `from` on that has links or had pairs; the number of items where none has.
static uint32_t next_item(const tide_proximity *p, const kind *k, uint32_t from)
{
    bool had = p->earlier_at < p->earlier_count && p->earlier[p->earlier_at].kind == k->kind;
    uint32_t end = had ? k->item_at[p->earlier[p->earlier_at].key >> 32] : k->items->count;
    return tide_next_set(p->has_links, from, end);
}

// In an update: finds the pairs of the items that have links or had pairs, in order.
static bool find_kind_again(tide_proximity *p, const kind *k)
{
    bool room = k->link(p);
    for (uint32_t n = 0; room && (n = next_item(p, k, n)) < k->items->count; n++) {
        uint32_t count = tide_proximity_take_links(p, n);
        room = !(p->work && p->work->exhausted) &&
               (k->all ? find_all_again(p, k, n, count) : find_changed(p, k, n, count));
    }
    if (!room)
        tide_proximity_clear_links(p, k->items->count);
    return room;
}

static bool find_kind(tide_proximity *p, const kind *k)
{
    double start = tide_clock_seconds();
    p->sampled_seconds = 0;
    bool room = p->changed ? find_kind_again(p, k) : find_kind_anew(p, k);
    uint32_t count = k->items->count, samples = (count + TIDE_SAMPLED - 1) / TIDE_SAMPLED;
    double narrow = samples ? fmax(p->sampled_seconds, 0) * count / samples : 0;
    p->counts.narrow_seconds += fmin(narrow, tide_clock_seconds() - start); // a sample may have been interrupted
    return room;
}

static tide_status find(tide_proximity *p, tide_error *error)
{
    items *points = &p->meeting, *triangles = &p->of[TRIANGLES], *edges = &p->of[EDGES];
    const kind kinds[] = {
        { TIDE_PAIR_TRIANGLE, points, triangles, p->point_at, p->triangle_at, TIDE_TRIANGLES_NEAR_POINT,
          TIDE_KEPT_TRIANGLES, tide_proximity_link_triangles, add_triangle, p->any_solid },
        { TIDE_PAIR_EDGES, edges, edges, p->edge_at, p->edge_at, TIDE_EDGES_NEAR_EDGE, TIDE_KEPT_EDGES,
          tide_proximity_link_edges, add_edges, false },
    };
    p->counts.searches++;
    if (p->changed)
        box_changed_points(p);
    else
        box_points(p);
    bool fitted = p->fitted, room = tide_proximity_find_parts(p);
    p->fitted = room && any_parts_near(p);
    tide_status status = find_points(p, error);
    if (!fitted)
        p->changed = NULL; // boxes of all items are out of date
    if (status == TIDE_OK && p->fitted)
        status = tide_proximity_fit(p, error);
    room = room && status == TIDE_OK && (!p->fitted || (find_kind(p, &kinds[0]) && find_kind(p, &kinds[1])));
    if (p->work && p->work->exhausted && (status == TIDE_OK || status == TIDE_ERROR_MEMORY))
        status = tide_contact_work_fail(p->work, error);
    else if (status == TIDE_OK && !room)
        status = tide_fail_memory(error, "contact pairs");
    if (status != TIDE_OK)
        p->pair_count = 0;
    return status;
}

tide_status tide_proximity_find(tide_proximity *p, const double *from, const double *to, const double *skins,
                                tide_error *error)
{
    p->pair_count = 0;
    p->incomplete = false;
    p->changed = NULL;
    p->to = to;
    p->skins = skins;
    memcpy(p->from, from, 3 * (size_t)p->surface->point_count * sizeof *from);
    find_drift(p);
    find_edge_normals(p);
    return find(p, error);
}

void tide_proximity_restart(tide_proximity *p, const double *from)
{
    memcpy(p->from, from, 3 * (size_t)p->surface->point_count * sizeof *p->from);
}

// Without drift, the box of a point contains its whole skin.
bool tide_proximity_may_update(const tide_proximity *p)
{
    return p->of[POINTS].count == 0 && p->drift[0] == 0 && p->drift[1] == 0 && p->drift[2] == 0;
}

tide_side_change tide_proximity_renew_side(tide_proximity *p, uint32_t index)
{
    tide_near_pair *near = &p->pairs[index];
    tide_contact_pair pair = whole(p, near);
    bool has_area = true, reversed = near->kind == TIDE_PAIR_TRIANGLE && is_behind(&pair, &has_area);
    if (near->kind == TIDE_PAIR_EDGES) {
        tide_edges_apart start = tide_proximity_edges_apart(&pair);
        reversed = is_under(&start);
    }
    if (!has_area)
        return TIDE_SIDE_LOST;
    bool same = reversed == near->reversed;
    near->reversed = reversed;
    return same ? TIDE_SIDE_SAME : TIDE_SIDE_OTHER;
}

bool tide_proximity_finds_again(const tide_proximity *p, uint32_t index)
{
    tide_contact_pair pair = whole(p, &p->pairs[index]);
    double clearance;
    pair.from = p->to;
    return tide_proximity_comes_near(p, &pair, &clearance);
}

tide_status tide_proximity_update(tide_proximity *p, const double *to, const double *skins, const bool *changed,
                                  tide_error *error)
{
    tide_near_pair *pairs = p->pairs;
    size_t capacity = p->pair_capacity;
    p->pairs = p->earlier;
    p->pair_capacity = p->earlier_capacity;
    p->earlier = pairs;
    p->earlier_capacity = capacity;
    p->earlier_count = p->pair_count;
    p->earlier_at = p->pair_count = 0;
    p->changed = changed;
    p->to = to;
    p->skins = skins;
    return find(p, error);
}

const tide_near_pair *tide_proximity_pairs(const tide_proximity *p, uint32_t *count)
{
    *count = (uint32_t)p->pair_count;
    return p->pairs;
}

bool tide_proximity_is_complete(const tide_proximity *p)
{
    return !p->incomplete;
}

tide_proximity_counts tide_proximity_take_counts(tide_proximity *p)
{
    tide_proximity_counts counts = p->counts;
    p->counts = (tide_proximity_counts) { 0 };
    return counts;
}
