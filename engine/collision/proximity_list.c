// Lists of features near a point or an edge by their boxes, without those that never touch it.
#include "collision/proximity_state.h"

#include "base/memory.h"
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
bool tide_proximity_is_near_at_rest(tide_proximity *p, tide_pair_kind kind, uint32_t i, uint32_t k,
                                    const uint32_t points[4])
{
    const tide_contact_surface *s = p->surface;
    if (!s->rest || s->part_of[points[0]] != s->part_of[points[3]])
        return false;
    if (i >> 30)
        return near_at_rest(p, kind, points);
    uint64_t key = (uint64_t)i << 34 | (uint64_t)k << 2 | (kind == TIDE_PAIR_EDGES ? 2 : 0);
    uint64_t *known = &p->known[(key * 0x9e3779b97f4a7c15u >> 32) & (p->known_count - 1)];
    if ((*known | 1) != (key | 1))
        *known = key | near_at_rest(p, kind, points);
    return *known & 1;
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

static bool meets_triangle(tide_proximity *p, uint32_t i, uint32_t triangle)
{
    const tide_contact_surface *s = p->surface;
    uint32_t part = s->part_of[i], other = p->triangle_parts[triangle];
    const uint32_t *q = s->triangles + 3 * (size_t)triangle, points[4] = { i, q[0], q[1], q[2] };
    return q[0] != i && q[1] != i && q[2] != i && tide_contact_may_touch(s, part, other) &&
           !tide_contact_any_joined(s, points, 1);
}

static bool meet(tide_proximity *p, uint32_t i, uint32_t edge) // two edges, i before `edge`
{
    const tide_contact_surface *s = p->surface;
    uint32_t part = p->edge_parts[i], other = p->edge_parts[edge];
    const uint32_t *own = s->edges + 2 * (size_t)i, *q = s->edges + 2 * (size_t)edge;
    const uint32_t points[4] = { own[0], own[1], q[0], q[1] };
    return !has_point(q, own[0]) && !has_point(q, own[1]) && tide_contact_may_touch(s, part, other) &&
           !tide_contact_any_joined(s, points, 2);
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

uint32_t tide_proximity_near_triangles(tide_proximity *p, uint32_t n)
{
    const items *points = &p->meeting, *triangles = &p->of[TRIANGLES];
    uint32_t kept = 0, count = tide_box_tree_query(triangles->tree, points->boxes + 6 * (size_t)n, 0, p->found);
    if (!tide_contact_work_spend(p->work, TIDE_WORK_CANDIDATE * (uint64_t)count))
        return 0;
    const side own = count > 0 ? point_side(p, n) : (side) { 0 };
    for (uint32_t k = 0; k < count; k++) {
        uint32_t triangle = triangles->features[p->found[k]];
        const side other = triangle_side(p, triangle);
        if (!stay_apart(&own, &other) && meets_triangle(p, points->features[n], triangle))
            p->found[kept++] = triangle;
    }
    sort(p->found, kept);
    return kept;
}

uint32_t tide_proximity_near_edges(tide_proximity *p, uint32_t n)
{
    const items *edges = &p->of[EDGES];
    uint32_t i = edges->features[n], kept = 0, count = 0;
    if (p->touches_later[p->edge_parts[i]]) // earlier parts have found the others
        count = tide_box_tree_query(edges->tree, edges->boxes + 6 * (size_t)n, n + 1, p->found);
    if (!tide_contact_work_spend(p->work, TIDE_WORK_CANDIDATE * (uint64_t)count))
        return 0;
    const side own = edge_side(p, i);
    for (uint32_t k = 0; k < count; k++) {
        uint32_t edge = edges->features[p->found[k]];
        const side other = edge_side(p, edge);
        if (!stay_apart(&own, &other) && meet(p, i, edge))
            p->found[kept++] = edge;
    }
    sort(p->found, kept);
    return kept;
}

// --- updates

static bool link_to(tide_proximity *p, uint32_t n, uint32_t feature)
{
    if (p->link_count >= UINT32_MAX ||
        !tide_grow_owned(p, &p->links, &p->link_capacity, p->link_count + 1, sizeof *p->links))
        return false;
    p->links[p->link_count++] = (tide_found_link) { feature, p->linked[n] };
    p->linked[n] = (uint32_t)p->link_count;
    return true;
}

bool tide_proximity_link_triangles(tide_proximity *p)
{
    const items *points = &p->meeting, *triangles = &p->of[TRIANGLES];
    p->link_count = 0;
    for (uint32_t n = 0; n < points->count && !(p->work && p->work->exhausted); n++) {
        uint32_t count = points->changed[n] ? tide_proximity_near_triangles(p, n) : 0;
        for (uint32_t k = 0; k < count; k++)
            if (!link_to(p, n, p->found[k]))
                return false;
    }
    for (uint32_t t = 0; t < triangles->count; t++) {
        uint32_t count = 0, triangle = triangles->features[t];
        if (triangles->changed[t])
            count = tide_box_tree_query(points->tree, triangles->boxes + 6 * (size_t)t, 0, p->found);
        if (!tide_contact_work_spend(p->work, TIDE_WORK_CANDIDATE * (uint64_t)count))
            break;
        const side own = triangle_side(p, triangle);
        for (uint32_t k = 0; k < count; k++) {
            uint32_t n = p->found[k];
            if (points->changed[n])
                continue;
            const side other = point_side(p, n);
            if (!stay_apart(&own, &other) && meets_triangle(p, points->features[n], triangle) &&
                !link_to(p, n, triangle))
                return false;
        }
    }
    return true;
}

bool tide_proximity_link_edges(tide_proximity *p)
{
    const items *edges = &p->of[EDGES];
    p->link_count = 0;
    for (uint32_t n = 0; n < edges->count; n++) {
        uint32_t count = 0;
        if (edges->changed[n])
            count = tide_box_tree_query(edges->tree, edges->boxes + 6 * (size_t)n, 0, p->found);
        if (!tide_contact_work_spend(p->work, TIDE_WORK_CANDIDATE * (uint64_t)count))
            break;
        const side own = edge_side(p, edges->features[n]);
        for (uint32_t k = 0; k < count; k++) {
            uint32_t other = p->found[k], first = n < other ? n : other, second = n < other ? other : n;
            bool twice = edges->changed[other] && other <= n; // or the edge itself
            if (twice)
                continue;
            const side there = edge_side(p, edges->features[other]);
            if (!stay_apart(&own, &there) && meet(p, edges->features[first], edges->features[second]) &&
                !link_to(p, first, edges->features[second]))
                return false;
        }
    }
    return true;
}

uint32_t tide_proximity_take_links(tide_proximity *p, uint32_t n)
{
    uint32_t count = 0;
    for (uint32_t link = p->linked[n]; link; link = p->links[link - 1].next)
        p->found[count++] = p->links[link - 1].feature;
    p->linked[n] = 0;
    sort(p->found, count);
    return count;
}
