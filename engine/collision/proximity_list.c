// Lists of features near a point or an edge by their boxes, without those that never touch it.
#include "collision/proximity_state.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/vec3.h"
#include "collision/closest_points.h"

#define ROUNDING 1e-9 // relative; more than that of the first test

static double square_at_rest(const tide_contact_surface *s, uint32_t a, uint32_t b)
{
    const double *x = s->rest + 3 * (size_t)a, *y = s->rest + 3 * (size_t)b;
    return (x[0] - y[0]) * (x[0] - y[0]) + (x[1] - y[1]) * (x[1] - y[1]) + (x[2] - y[2]) * (x[2] - y[2]);
}

// Tells whether edges lead from the first point of a pair to its other side: from each point to the neighbour that is
// nearest to the target at rest, as long as the distance decreases.
static bool are_joined(const tide_proximity *p, tide_pair_kind kind, const uint32_t points[4])
{
    const uint32_t target = points[kind == TIDE_PAIR_EDGES ? 2 : 1];
    uint32_t at = points[0], last = TIDE_NO_PAIR;
    double nearest = square_at_rest(p->surface, at, target);
    while (at != last && at != target) {
        last = at;
        for (uint32_t i = p->neighbour_starts[last]; i < p->neighbour_starts[last + 1]; i++) {
            double square = square_at_rest(p->surface, p->neighbours[i], target);
            if (square < nearest) {
                nearest = square;
                at = p->neighbours[i];
            }
        }
    }
    return at == target;
}

// Tells whether a point and a triangle, or two edges, of one part are nearer than its thickness at rest, or belong to a
// piece of a sheet that is too short to fold together.
static bool near_at_rest(const tide_proximity *p, tide_pair_kind kind, const uint32_t points[4])
{
    const tide_contact_surface *s = p->surface;
    const tide_contact_part *part = &s->parts[s->part_of[points[0]]];
    const double *q[4];
    for (int k = 0; k < 4; k++)
        q[k] = s->rest + 3 * (size_t)points[k];
    double w[3], u, v, limit = REST_FACTOR * 2 * part->radius, fold = FOLD_FACTOR * 2 * part->radius;
    double distance2 = kind == TIDE_PAIR_TRIANGLE ? tide_closest_on_triangle(q[0], q[1], q[2], q[3], w)
                                                  : tide_closest_of_segments(q[0], q[1], q[2], q[3], &u, &v);
    if (distance2 < limit * limit)
        return true;
    return distance2 < fold * fold && part->triangle_count > 0 && are_joined(p, kind, points);
}

// Caches the result for features i and k; features that are near remain so for a while. Bit 0 of a slot is the result,
// bit 1 the kind.
bool tide_proximity_is_near_at_rest(const tide_proximity *p, tide_pair_kind kind, uint32_t i, uint32_t k,
                                    const uint32_t points[4])
{
    const tide_contact_surface *s = p->surface;
    if (!s->rest || s->part_of[points[0]] != s->part_of[points[3]])
        return false;
    if (i >> 30)
        return near_at_rest(p, kind, points);
    uint64_t key = (uint64_t)i << 34 | (uint64_t)k << 2 | (kind == TIDE_PAIR_EDGES ? 2 : 0);
    uint64_t *slot = &p->known[(key * 0x9e3779b97f4a7c15u >> 32) & (p->known_count - 1)];
    uint64_t known = __atomic_load_n(slot, __ATOMIC_RELAXED);
    if ((known | 1) != (key | 1)) {
        known = key | near_at_rest(p, kind, points);
        __atomic_store_n(slot, known, __ATOMIC_RELAXED);
    }
    return known & 1;
}

// Sorts a list (Shell 1959): lists are short and often sorted already.
static void sort(uint32_t *list, uint32_t count)
{
    for (uint32_t gap = count > 32 ? count / 4 : 1; gap > 0; gap = gap > 1 && gap < 5 ? 1 : gap / 4)
        for (uint32_t i = gap; i < count; i++) {
            uint32_t value = list[i], k = i;
            for (; k >= gap && list[k - gap] > value; k -= gap)
                list[k] = list[k - gap];
            list[k] = value;
        }
}

// Return whether the sides may touch for all that does not change: they share no point, and their parts may touch. Set
// the points of the pair.
static bool may_meet_triangle(const tide_proximity *p, uint32_t i, uint32_t triangle, uint32_t points[4])
{
    const tide_contact_surface *s = p->surface;
    const uint32_t *q = s->triangles + 3 * (size_t)triangle;
    points[0] = i;
    memcpy(points + 1, q, 3 * sizeof *points);
    return q[0] != i && q[1] != i && q[2] != i && tide_contact_may_touch(s, s->part_of[i], p->triangle_parts[triangle]);
}

static bool may_meet_edge(const tide_proximity *p, uint32_t i, uint32_t edge, uint32_t points[4]) // i before `edge`
{
    const tide_contact_surface *s = p->surface;
    const uint32_t *own = s->edges + 2 * (size_t)i, *q = s->edges + 2 * (size_t)edge;
    memcpy(points, own, 2 * sizeof *points);
    memcpy(points + 2, q, 2 * sizeof *points);
    return !has_point(q, own[0]) && !has_point(q, own[1]) &&
           tide_contact_may_touch(s, p->edge_parts[i], p->edge_parts[edge]);
}

static bool meets_triangle(const tide_proximity *p, uint32_t i, uint32_t triangle)
{
    uint32_t points[4];
    return may_meet_triangle(p, i, triangle, points) && !tide_contact_any_joined(p->surface, points, 1);
}

static bool meet(const tide_proximity *p, uint32_t i, uint32_t edge) // two edges, i before `edge`
{
    uint32_t points[4];
    return may_meet_edge(p, i, edge, points) && !tide_contact_any_joined(p->surface, points, 2);
}

// --- a first test
//
// The two sides of most pairs whose boxes overlap are neighbours in a sheet, too far apart to be kept. Let m be the
// vector between the middles of the two sides at the end. A plane across m separates them by
//     b = |m| - (extent of the first + extent of the second along m),
// so that their distance is at least b. No plane separates them at the start by less than that at the end minus the
// largest relative displacement d of two of their points, so that the clearance is at least
// min(b - distance, b - d - PASSING * distance).

// One side of a pair: its points at the start and at the end, their middle at the end, and the largest skin.
typedef struct side {
    const double *from[3], *to[3];
    int count;
    tide_vec3 middle;
    double skin, radius;
    bool solid;
} side;

static inline side side_of(const tide_proximity *p, const uint32_t *points, int count, uint32_t part)
{
    side s = { .count = count, .radius = p->surface->parts[part].radius, .solid = p->surface->parts[part].solid };
    for (int k = 0; k < count; k++) {
        size_t n = 3 * (size_t)points[k];
        double skin = p->skins[points[k]];
        s.from[k] = p->from + n;
        s.to[k] = p->to + n;
        s.middle = tide_vec3_add(s.middle, tide_vec3_load(s.to[k]));
        s.skin = skin > s.skin ? skin : s.skin;
    }
    s.middle = tide_vec3_scale(s.middle, 1.0 / count);
    return s;
}

static inline side point_side(const tide_proximity *p, uint32_t n) // of the n-th point that meets triangles
{
    const uint32_t *point = p->meeting.features + n;
    return side_of(p, point, 1, p->surface->part_of[*point]);
}
static inline side triangle_side(const tide_proximity *p, uint32_t triangle)
{
    return side_of(p, p->surface->triangles + 3 * (size_t)triangle, 3, p->triangle_parts[triangle]);
}
static inline side edge_side(const tide_proximity *p, uint32_t edge)
{
    return side_of(p, p->surface->edges + 2 * (size_t)edge, 2, p->edge_parts[edge]);
}

// Returns the extent of the side from its middle towards m, times the length of m.
static inline double extent_along(const side *s, tide_vec3 m)
{
    double most = 0;
    for (int k = 0; k < s->count; k++) {
        double along = tide_vec3_dot(tide_vec3_subtract(tide_vec3_load(s->to[k]), s->middle), m);
        most = along > most ? along : most;
    }
    return most;
}

// Returns the square of the largest relative displacement of two points of the sides.
static inline double relative_motion(const side *a, const side *b)
{
    double most = 0;
    for (int i = 0; i < a->count; i++) {
        tide_vec3 u = tide_vec3_subtract(tide_vec3_load(a->to[i]), tide_vec3_load(a->from[i]));
        for (int k = 0; k < b->count; k++) {
            tide_vec3 v = tide_vec3_subtract(tide_vec3_load(b->to[k]), tide_vec3_load(b->from[k]));
            tide_vec3 d = tide_vec3_subtract(u, v);
            double square = tide_vec3_dot(d, d);
            most = square > most ? square : most;
        }
    }
    return most;
}

// Tells that a pair is not near at its end, and a pair of a solid part not at its start either.
static inline bool stay_apart(const side *a, const side *b)
{
    tide_vec3 m = tide_vec3_subtract(a->middle, b->middle);
    double square = tide_vec3_dot(m, m) * (1 - ROUNDING);
    double apart = square - extent_along(a, tide_vec3_scale(m, -1)) - extent_along(b, m);
    double distance = a->radius + b->radius, room = a->skin + b->skin, need = (room + distance) * (1 + ROUNDING);
    if (!(apart > 0 && apart * apart > need * need * square))
        return false;
    double left = PASSING * distance + room;
    if (a->solid || b->solid)
        left = fmax(left, distance);
    left = apart / sqrt(square) - left * (1 + ROUNDING);
    return left > 0 && relative_motion(a, b) * (1 + ROUNDING) < left * left;
}

// --- lists

// Finds the items from the `first` on whose boxes overlap a box. The tree may hold fat boxes.
static uint32_t query(const tide_proximity *p, const items *items, tide_box_finger *finger, const double box[6],
                      uint32_t first, uint32_t room, uint32_t *found)
{
    uint32_t kept = 0, count = tide_box_tree_query_from(items->tree, finger, box, first, room, found);
    if (!p->kept.valid || count == TIDE_BOX_TREE_FULL)
        return count;
    for (uint32_t k = 0; k < count; k++) {
        double other[6];
        tide_item_box(p, items, found[k], other);
        found[kept] = found[k];
        kept += tide_boxes_overlap(box, other);
    }
    return kept;
}

// Finds the items in the kept list of an item whose boxes overlap its own, without stale ones.
static uint32_t gather(const tide_proximity *p, const tide_kept_list *list, const items *own, const items *others,
                       uint32_t n, uint32_t room, uint32_t *found)
{
    double box[6], other[6];
    uint32_t count = 0, begin = list->starts[n], end = list->starts[n + 1];
    tide_item_box(p, own, n, box);
    if (end - begin > room)
        return TIDE_BOX_TREE_FULL;
    for (uint32_t k = own->stale[n] ? end : begin; k < end; k++) {
        uint32_t near = list->near[k];
        tide_item_box(p, others, near, other);
        found[count] = near;
        count += tide_boxes_overlap(box, other) && !others->stale[near];
    }
    return count;
}

// Sorts a list, with the links of an item if one is given. Without room for them, returns 0 and sets `met` to
// TIDE_BOX_TREE_FULL.
static uint32_t end_list(const tide_proximity *p, const uint32_t *item, uint32_t count, uint32_t room, uint32_t *found,
                         uint32_t *met)
{
    uint32_t link = item && p->kept.any_stale && p->has_links[*item] ? p->linked[*item] : 0;
    for (; link && count < room; link = p->links[link - 1].next)
        found[count++] = p->links[link - 1].feature;
    sort(found, count);
    *met = link ? TIDE_BOX_TREE_FULL : *met;
    return link ? 0 : count;
}

// The triangles near the n-th point, by the tree; without a finger, by its kept list and links.
static uint32_t triangles_near_point(const tide_proximity *p, tide_box_finger *finger, uint32_t n, uint32_t room,
                                     uint32_t *found, uint32_t *met)
{
    const items *points = &p->meeting, *triangles = &p->of[TRIANGLES];
    uint32_t kept = 0, point = points->features[n];
    const double *box = p->boxes + 6 * (size_t)point;
    *met = 0;
    if (!tide_proximity_meets_part(p, p->surface->part_of[point], box))
        return 0;
    *met = finger ? query(p, triangles, finger, box, 0, room, found)
                  : gather(p, &p->kept.triangles, points, triangles, n, room, found);
    if (*met == TIDE_BOX_TREE_FULL)
        return 0;
    const side own = point_side(p, n);
    for (uint32_t k = 0; k < *met; k++) {
        uint32_t triangle = triangles->features[found[k]];
        if (!meets_triangle(p, point, triangle))
            continue;
        const side other = triangle_side(p, triangle);
        if (!stay_apart(&own, &other))
            found[kept++] = triangle;
    }
    return end_list(p, finger ? NULL : &n, kept, room, found, met);
}

// The later edges near the n-th edge, likewise.
static uint32_t edges_near_edge(const tide_proximity *p, tide_box_finger *finger, uint32_t n, uint32_t room,
                                uint32_t *found, uint32_t *met)
{
    const items *edges = &p->of[EDGES];
    uint32_t i = edges->features[n], kept = 0;
    double box[6];
    *met = 0;
    tide_item_box(p, edges, n, box);
    if (!p->touches_later[p->edge_parts[i]] || // earlier parts find the others
        !tide_proximity_meets_part(p, p->edge_parts[i], box))
        return 0;
    *met = finger ? query(p, edges, finger, box, n + 1, room, found)
                  : gather(p, &p->kept.edges, edges, edges, n, room, found);
    if (*met == TIDE_BOX_TREE_FULL)
        return 0;
    const side own = edge_side(p, i);
    for (uint32_t k = 0; k < *met; k++) {
        uint32_t edge = edges->features[found[k]];
        if (!meet(p, i, edge))
            continue;
        const side other = edge_side(p, edge);
        if (!stay_apart(&own, &other))
            found[kept++] = edge;
    }
    return end_list(p, finger ? NULL : &n, kept, room, found, met);
}

static uint32_t kept_triangles(const tide_proximity *p, tide_box_finger *finger, uint32_t n, uint32_t room,
                               uint32_t *found, uint32_t *met)
{
    (void)finger;
    return triangles_near_point(p, NULL, n, room, found, met);
}

static uint32_t kept_edges(const tide_proximity *p, tide_box_finger *finger, uint32_t n, uint32_t room, uint32_t *found,
                           uint32_t *met)
{
    (void)finger;
    return edges_near_edge(p, NULL, n, room, found, met);
}

// The points that are not sought near a triangle that is.
static uint32_t points_near_triangle(const tide_proximity *p, tide_box_finger *finger, uint32_t n, uint32_t room,
                                     uint32_t *found, uint32_t *met)
{
    const items *points = &p->meeting, *triangles = &p->of[TRIANGLES];
    uint32_t kept = 0, triangle = triangles->features[n];
    double box[6];
    *met = 0;
    tide_item_box(p, triangles, n, box);
    if (!tide_proximity_meets_part(p, p->triangle_parts[triangle], box))
        return 0;
    *met = query(p, points, finger, box, 0, room, found);
    if (*met == TIDE_BOX_TREE_FULL)
        return 0;
    const side own = triangle_side(p, triangle);
    for (uint32_t k = 0; k < *met; k++) {
        uint32_t other = found[k];
        if (points->sought[other] || !meets_triangle(p, points->features[other], triangle))
            continue;
        const side there = point_side(p, other);
        if (!stay_apart(&own, &there))
            found[kept++] = other;
    }
    return kept;
}

// The edges near an edge that is sought, of two such edges from the first of them.
static uint32_t edges_near_sought(const tide_proximity *p, tide_box_finger *finger, uint32_t n, uint32_t room,
                                  uint32_t *found, uint32_t *met)
{
    const items *edges = &p->of[EDGES];
    uint32_t kept = 0, edge = edges->features[n];
    double box[6];
    *met = 0;
    tide_item_box(p, edges, n, box);
    if (!tide_proximity_meets_part(p, p->edge_parts[edge], box))
        return 0;
    *met = query(p, edges, finger, box, 0, room, found);
    if (*met == TIDE_BOX_TREE_FULL)
        return 0;
    const side own = edge_side(p, edge);
    for (uint32_t k = 0; k < *met; k++) {
        uint32_t other = found[k], first = n < other ? n : other, second = n < other ? other : n;
        if ((edges->sought[other] && other <= n) || // twice, or the edge itself
            !meet(p, edges->features[first], edges->features[second]))
            continue;
        const side there = edge_side(p, edges->features[other]);
        if (!stay_apart(&own, &there))
            found[kept++] = other;
    }
    return kept;
}

// --- candidates to keep

// The triangles whose fat boxes overlap that of the n-th point, without pairs that never touch.
static uint32_t fat_triangles(const tide_proximity *p, tide_box_finger *finger, uint32_t n, uint32_t room,
                              uint32_t *found, uint32_t *met)
{
    const items *points = &p->meeting, *triangles = &p->of[TRIANGLES];
    uint32_t kept = 0, point = points->features[n], pair[4];
    *met = tide_box_tree_query_from(triangles->tree, finger, points->boxes + 6 * (size_t)n, 0, room, found);
    if (*met == TIDE_BOX_TREE_FULL)
        return 0;
    for (uint32_t k = 0; k < *met; k++) {
        uint32_t triangle = triangles->features[found[k]];
        if (may_meet_triangle(p, point, triangle, pair) &&
            !tide_proximity_is_near_at_rest(p, TIDE_PAIR_TRIANGLE, point, triangle, pair))
            found[kept++] = found[k];
    }
    *met = 0; // a search that only makes lists costs no work of the timestep
    sort(found, kept);
    return kept;
}

// The later edges, likewise.
static uint32_t fat_edges(const tide_proximity *p, tide_box_finger *finger, uint32_t n, uint32_t room, uint32_t *found,
                          uint32_t *met)
{
    const items *edges = &p->of[EDGES];
    uint32_t kept = 0, i = edges->features[n], pair[4];
    *met = 0;
    if (!p->touches_later[p->edge_parts[i]])
        return 0;
    *met = tide_box_tree_query_from(edges->tree, finger, edges->boxes + 6 * (size_t)n, n + 1, room, found);
    if (*met == TIDE_BOX_TREE_FULL)
        return 0;
    for (uint32_t k = 0; k < *met; k++) {
        uint32_t edge = edges->features[found[k]];
        if (may_meet_edge(p, i, edge, pair) && !tide_proximity_is_near_at_rest(p, TIDE_PAIR_EDGES, i, edge, pair))
            found[kept++] = found[k];
    }
    *met = 0;
    sort(found, kept);
    return kept;
}

// --- batches
//
// Lists are found in batches of items, in parallel, and taken in order. Each chunk of items has a part of one array for
// its lists. A chunk whose lists do not fit is searched again as its lists are taken, one after another.

typedef uint32_t find_list(const tide_proximity *p, tide_box_finger *finger, uint32_t n, uint32_t room, uint32_t *found,
                           uint32_t *met);
// In the order of tide_list_kind.
static find_list *const finders[] = { triangles_near_point, edges_near_edge,   kept_triangles, kept_edges,
                                      points_near_triangle, edges_near_sought, fat_triangles,  fat_edges };

enum { GRAIN = 128, MOST_CHUNKS = 64 };
enum { CHUNK_ROOM = 4096, CLEARANCES = 2048 }; // of features and of clearances in a chunk

bool tide_proximity_create_batch(tide_proximity *p, uint32_t most)
{
    uint32_t chunks = most / GRAIN + 1;
    p->batch.chunks = chunks < MOST_CHUNKS ? chunks : MOST_CHUNKS;
    size_t count = p->batch.chunks;
    p->batch.order = tide_own_array(p, most, sizeof *p->batch.order);
    p->batch.lists = tide_own_array(p, CHUNK_ROOM * count, sizeof *p->batch.lists);
    p->batch.clearances = tide_own_array(p, CLEARANCES * count, sizeof *p->batch.clearances);
    p->batch.counts = tide_own_array(p, GRAIN * count, sizeof *p->batch.counts);
    p->batch.tested = tide_own_array(p, GRAIN * count, sizeof *p->batch.tested);
    p->batch.met = tide_own_array(p, GRAIN * count, sizeof *p->batch.met);
    p->batch.full = tide_own_array(p, count, sizeof *p->batch.full);
    p->batch.seconds = tide_own_array(p, count, sizeof *p->batch.seconds);
    return tide_owns_all(p);
}

static const items *items_of(const tide_proximity *p, tide_list_kind kind)
{
    switch (kind) {
    case TIDE_TRIANGLES_NEAR_POINT:
    case TIDE_KEPT_TRIANGLES:
    case TIDE_FAT_TRIANGLES:
        return &p->meeting;
    case TIDE_POINTS_NEAR_TRIANGLE:
        return &p->of[TRIANGLES];
    default:
        return &p->of[EDGES];
    }
}

// Whether lists leave out what is not near.
static bool has_clearances(const tide_list_batch *b)
{
    return !b->some && b->kind != TIDE_FAT_TRIANGLES && b->kind != TIDE_FAT_EDGES;
}

static inline uint32_t item_of(const tide_proximity *p, uint32_t i)
{
    return p->batch.some ? p->batch.order[i] : i;
}

static bool is_solid(const tide_proximity *p, uint32_t point)
{
    return p->surface->parts[p->surface->part_of[point]].solid;
}

// Sets the clearances of the pairs of an item with a list, and leaves out those that are not near; pairs of solid parts
// also count where they begin. Returns the number left.
static uint32_t keep_near(const tide_proximity *p, tide_list_kind kind, uint32_t n, uint32_t *list, uint32_t count,
                          double *clearances)
{
    const items *items = items_of(p, kind);
    tide_pair_kind of = items == &p->meeting ? TIDE_PAIR_TRIANGLE : TIDE_PAIR_EDGES;
    uint32_t kept = 0, feature = items->features[n];
    for (uint32_t k = 0; k < count; k++) {
        const tide_contact_pair pair = tide_proximity_pair_of(p, of, feature, list[k]);
        double clearance;
        if (!tide_proximity_comes_near(p, &pair, &clearance) && !is_solid(p, pair.points[0]) &&
            !is_solid(p, pair.points[3]))
            continue;
        list[kept] = list[k];
        clearances[kept++] = clearance;
    }
    return kept;
}

// Finds the lists of a chunk, numbered from the begin of the batch.
static void find_chunk(void *context, uint32_t begin, uint32_t end)
{
    tide_proximity *p = context;
    tide_list_batch *b = &p->batch;
    tide_box_finger finger = { .known = false };
    uint32_t chunk = begin / GRAIN, used = 0, *lists = b->lists + (size_t)CHUNK_ROOM * chunk;
    double *clearances = b->clearances + (size_t)CLEARANCES * chunk;
    b->full[chunk] = false;
    b->seconds[chunk] = 0;
    for (uint32_t i = begin; i < end && !b->full[chunk]; i++) {
        uint32_t n = item_of(p, b->begin + i);
        uint32_t count = finders[b->kind](p, &finger, n, CHUNK_ROOM - used, lists + used, &b->met[i]);
        b->full[chunk] = b->met[i] == TIDE_BOX_TREE_FULL || (has_clearances(b) && used + count > CLEARANCES);
        b->counts[i] = b->tested[i] = count;
        if (has_clearances(b) && !b->full[chunk] && count > 0) {
            bool sampled = n % TIDE_SAMPLED == 0;
            double start = sampled ? tide_clock_seconds() : 0;
            b->counts[i] = keep_near(p, b->kind, n, lists + used, count, clearances + used);
            b->seconds[chunk] += sampled ? tide_clock_seconds() - start : 0;
        }
        used += b->counts[i];
    }
}

uint32_t tide_proximity_find_list(tide_proximity *p, tide_list_kind kind, uint32_t n)
{
    tide_box_finger finger = { .known = false };
    uint32_t met, count = finders[kind](p, &finger, n, UINT32_MAX, p->found, &met);
    return tide_contact_work_spend(p->work, TIDE_WORK_CANDIDATE * (uint64_t)met) ? count : 0;
}

uint32_t tide_proximity_begin_lists(tide_proximity *p, tide_list_kind kind, bool some)
{
    const items *items = items_of(p, kind);
    tide_list_batch *b = &p->batch;
    b->kind = kind;
    b->some = some;
    b->count = some ? 0 : items->count;
    b->begin = b->end = 0;
    for (uint32_t n = 0; some && (n = tide_next_set(items->sought, n, items->count)) < items->count; n++)
        b->order[b->count++] = n;
    return b->count;
}

// Finds the next batch of lists. Its first list has number i.
static void find_batch(tide_proximity *p, uint32_t i)
{
    tide_list_batch *b = &p->batch;
    uint32_t most = GRAIN * b->chunks, left = b->count - i;
    b->begin = i;
    b->end = i + (left < most ? left : most);
    tide_parallel_for(b->end - i, GRAIN, find_chunk, p);
    for (uint32_t chunk = 0; chunk * GRAIN < b->end - i; chunk++)
        p->sampled_seconds += b->seconds[chunk] / tide_threads();
}

uint32_t tide_proximity_take_list(tide_proximity *p, uint32_t i, const uint32_t **list, const double **clearances)
{
    tide_list_batch *b = &p->batch;
    *list = p->found;
    *clearances = NULL;
    if (p->work && p->work->exhausted)
        return 0;
    if (i == b->end)
        find_batch(p, i);
    uint32_t at = i - b->begin, chunk = at / GRAIN, count;
    b->used = at % GRAIN ? b->used : 0;
    if (b->full[chunk])
        return tide_proximity_find_list(p, b->kind, item_of(p, i));
    count = b->counts[at];
    *list = b->lists + (size_t)CHUNK_ROOM * chunk + b->used;
    if (has_clearances(b))
        *clearances = b->clearances + (size_t)CLEARANCES * chunk + b->used;
    b->used += count;
    p->counts.candidates += b->tested[at] - count;
    return tide_contact_work_spend(p->work, TIDE_WORK_CANDIDATE * (uint64_t)b->met[at]) ? count : 0;
}

// --- links

static bool link_to(tide_proximity *p, uint32_t n, uint32_t feature)
{
    if (p->link_count >= UINT32_MAX ||
        !tide_grow_owned(p, &p->links, &p->link_capacity, p->link_count + 1, sizeof *p->links))
        return false;
    p->links[p->link_count++] = (tide_found_link) { feature, p->has_links[n] ? p->linked[n] : 0 };
    p->linked[n] = (uint32_t)p->link_count;
    return p->has_links[n] = true;
}

bool tide_proximity_link_triangles(tide_proximity *p)
{
    const uint32_t *near;
    const double *none;
    p->link_count = 0;
    uint32_t points = tide_proximity_begin_lists(p, TIDE_TRIANGLES_NEAR_POINT, true);
    for (uint32_t i = 0; i < points; i++)
        for (uint32_t k = 0, count = tide_proximity_take_list(p, i, &near, &none); k < count; k++)
            if (!link_to(p, item_of(p, i), near[k]))
                return false;
    uint32_t triangles = tide_proximity_begin_lists(p, TIDE_POINTS_NEAR_TRIANGLE, true);
    for (uint32_t i = 0; i < triangles; i++)
        for (uint32_t k = 0, count = tide_proximity_take_list(p, i, &near, &none); k < count; k++)
            if (!link_to(p, near[k], p->of[TRIANGLES].features[item_of(p, i)]))
                return false;
    return true;
}

bool tide_proximity_link_edges(tide_proximity *p)
{
    const items *edges = &p->of[EDGES];
    const uint32_t *near;
    const double *none;
    p->link_count = 0;
    uint32_t lists = tide_proximity_begin_lists(p, TIDE_EDGES_NEAR_SOUGHT, true);
    for (uint32_t i = 0; i < lists; i++)
        for (uint32_t k = 0, count = tide_proximity_take_list(p, i, &near, &none); k < count; k++) {
            uint32_t n = item_of(p, i), other = near[k], first = n < other ? n : other, second = n < other ? other : n;
            if (!link_to(p, first, edges->features[second]))
                return false;
        }
    return true;
}

uint32_t tide_proximity_take_links(tide_proximity *p, uint32_t n)
{
    uint32_t count = 0;
    for (uint32_t link = p->has_links[n] ? p->linked[n] : 0; link; link = p->links[link - 1].next)
        p->found[count++] = p->links[link - 1].feature;
    p->has_links[n] = false;
    sort(p->found, count);
    return count;
}

void tide_proximity_clear_links(tide_proximity *p, uint32_t count)
{
    memset(p->has_links, 0, count * sizeof *p->has_links);
}
